//! One request in two halves.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A request of which a part is not sent yet.
pub(super) struct Begun {
    stream: StreamOwned<ClientConnection, TcpStream>,
    rest: Vec<u8>,
}

impl Begun {
    /// Sends the head and the first half of an answer.
    pub(super) fn post(port: u16, certificate: &[u8], body: &[u8]) -> Self {
        let mut roots = RootCertStore::empty();
        let root = CertificateDer::from_pem_slice(certificate).unwrap();
        roots.add(root).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("127.0.0.1").unwrap();
        let connection = ClientConnection::new(Arc::new(config), name).unwrap();
        let socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut stream = StreamOwned::new(connection, socket);
        let head = format!(
            "POST /v1/answers HTTP/1.1\r\nhost: 127.0.0.1\r\nwayveil-protocol: 1\r\n\
             expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        // The service asks for the body when it has begun with the request.
        let mut heard = [0; 25];
        stream.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, b"HTTP/1.1 100 Continue\r\n\r\n");
        let (first, rest) = body.split_at(body.len() / 2);
        stream.write_all(first).unwrap();
        stream.flush().unwrap();
        Self {
            stream,
            rest: rest.to_vec(),
        }
    }

    /// Sends the rest, and hears all that is said.
    pub(super) fn finish(mut self) -> String {
        self.stream.write_all(&self.rest).unwrap();
        self.stream.flush().unwrap();
        let mut heard = Vec::new();
        self.stream.read_to_end(&mut heard).unwrap();
        String::from_utf8(heard).unwrap()
    }
}

/// Waits until nobody listens at a port any more.
pub(super) fn until_refused(port: u16) {
    for _ in 0..1200 {
        if TcpStream::connect(("127.0.0.1", port)).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("connections are still taken");
}
