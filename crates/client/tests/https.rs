//! The transport over HTTPS, against a server of this test.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{HandshakeKind, ServerConfig, ServerConnection, StreamOwned};
use wayveil_client::https::Https;
use wayveil_client::{Method, Request, Transport};

/// What a server saw: the head and body of each request, and whether its session was a new one.
type Seen = Vec<(String, bool)>;

struct Server {
    address: SocketAddr,
    root: String,
    thread: JoinHandle<Seen>,
}

/// A server that gives these replies, one on each connection, and then ends.
fn server(names: &[&str], replies: Vec<Vec<u8>>) -> Server {
    let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], PrivateKeyDer::Pkcs8(key))
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let serve = |reply: Vec<u8>| serve(listener.accept().unwrap().0, &config, &reply);
        replies.into_iter().filter_map(serve).collect()
    });
    Server {
        address,
        root: made.cert.pem(),
        thread,
    }
}

/// One request and its reply; nothing if the client did not trust the server.
fn serve(socket: TcpStream, config: &Arc<ServerConfig>, reply: &[u8]) -> Option<(String, bool)> {
    let connection = ServerConnection::new(config.clone()).unwrap();
    let mut stream = StreamOwned::new(connection, socket);
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    let whole = |seen: &[u8]| {
        let text = String::from_utf8_lossy(seen).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.parse::<usize>().unwrap())
        });
        (body.len() >= length.unwrap_or(0)).then_some(text)
    };
    let request = loop {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(length) => head.extend_from_slice(&buffer[..length]),
        }
        if let Some(request) = whole(&head) {
            break request;
        }
    };
    let new = stream.conn.handshake_kind() != Some(HandshakeKind::Resumed);
    // The client may have hung up on a reply that is too long.
    let _ = stream.write_all(reply).and_then(|()| stream.flush());
    stream.conn.send_close_notify();
    let _ = stream.flush();
    Some((request, new))
}

fn reply(head: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn get(url: &str) -> Request<'_> {
    Request {
        method: Method::Get,
        url,
        content_type: "",
        body: &[],
        most: 1000,
    }
}

#[test]
fn requests_arrive_and_replies_come_back() {
    let busy = reply("503 Service Unavailable\r\nretry-after: 17", b"{}");
    let server = server(
        &["localhost"],
        vec![reply("200 OK", b"\x00answer\xff"), busy],
    );
    let mut https = Https::with_roots(server.root.as_bytes()).unwrap();
    let url = format!("https://localhost:{}/v1/campaign", server.address.port());
    let came = https.send(&get(&url)).unwrap();
    assert_eq!((came.status, came.retry_after), (200, None));
    assert_eq!(came.body, b"\x00answer\xff");
    let came = https
        .send(&Request {
            method: Method::Post,
            content_type: "application/octet-stream",
            body: b"sent bytes",
            ..get(&url)
        })
        .unwrap();
    assert_eq!((came.status, came.retry_after), (503, Some(17)));
    let seen = server.thread.join().unwrap();
    assert!(seen[0].0.starts_with("GET /v1/campaign HTTP/1.1\r\n"));
    assert!(seen[1].0.starts_with("POST /v1/campaign HTTP/1.1\r\n"));
    assert!(seen[1].0.ends_with("\r\n\r\nsent bytes"));
    for (request, new) in seen {
        assert!(
            new,
            "a session that was taken up again tells that it is the same client"
        );
        let head = request.split("\r\n\r\n").next().unwrap().to_lowercase();
        let mut names: Vec<_> = head
            .lines()
            .skip(1)
            .filter_map(|l| l.split(':').next())
            .collect();
        names.sort();
        names.retain(|name| !["content-length", "content-type"].contains(name));
        assert_eq!(names, ["host", "wayveil-protocol"], "{head}");
        assert!(head.contains("wayveil-protocol: 1"));
    }
}

#[test]
fn a_server_that_cannot_prove_who_it_is_gets_nothing() {
    // Not trusted, and trusted under another name.
    let foreign = server(&["localhost"], vec![reply("200 OK", b"")]);
    let url = format!("https://localhost:{}/", foreign.address.port());
    assert!(Https::new().send(&get(&url)).is_err());
    assert!(foreign.thread.join().unwrap().is_empty());
    let renamed = server(&["elsewhere.example.org"], vec![reply("200 OK", b"")]);
    let url = format!("https://localhost:{}/", renamed.address.port());
    let mut https = Https::with_roots(renamed.root.as_bytes()).unwrap();
    assert!(https.send(&get(&url)).is_err());
    assert!(renamed.thread.join().unwrap().is_empty());
}

#[test]
fn redirects_are_not_followed_and_long_replies_not_read() {
    let moved = reply("302 Found\r\nlocation: https://elsewhere.example.org/", b"");
    let server = server(&["localhost"], vec![moved, reply("200 OK", &[7; 1001])]);
    let mut https = Https::with_roots(server.root.as_bytes()).unwrap();
    let url = format!("https://localhost:{}/", server.address.port());
    assert_eq!(https.send(&get(&url)).unwrap().status, 302);
    assert!(https.send(&get(&url)).is_err());
    assert_eq!(server.thread.join().unwrap().len(), 2);
}

#[test]
fn what_is_not_encrypted_is_not_sent_elsewhere() {
    let error = Https::new()
        .send(&get("http://count.example.org/v1/campaign"))
        .unwrap_err();
    assert!(error.0.contains("without encryption"), "{error:?}");
}

#[test]
fn a_file_without_certificates_is_refused() {
    for bad in [
        "",
        "no PEM",
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    ] {
        assert!(Https::with_roots(bad.as_bytes()).is_err(), "{bad}");
    }
    let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
    assert!(Https::with_roots(key.as_bytes()).is_err());
}
