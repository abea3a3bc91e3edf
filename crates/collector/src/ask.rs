//! A small HTTPS client: for `wayveil federate status` and for tests.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Method, Request, Uri, body::Incoming, header};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use wayveil_core::{Error, Result};

use crate::service::{PROTOCOL, VERSION_HEADER};

/// How long a whole exchange may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest reply that is read.
const LONGEST: usize = 64 << 20;

/// Which versions of HTTP are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Http {
    /// Version 2, and 1.1 where the other side has no better.
    Newest,
    /// Version 1.1 alone.
    One,
}

/// A reply.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: hyper::HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Whether it came by HTTP/2.
    pub by_http2: bool,
}

/// Asks services whose certificates it trusts.
#[derive(Clone, Debug)]
pub struct Asker {
    config: Arc<ClientConfig>,
}

impl Asker {
    /// Trusts the certificates in a file, or else the web's usual authorities.
    pub fn new(trusted: Option<&Path>, http: Http) -> Result<Self> {
        let mut roots = RootCertStore::empty();
        match trusted {
            None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(path) => {
                let unreadable = |cause: &dyn std::fmt::Display| {
                    Error::input(format!("no certificate in PEM can be read: {cause}"))
                        .in_file(path.display().to_string())
                };
                let read = CertificateDer::pem_file_iter(path).map_err(|it| unreadable(&it))?;
                for certificate in read {
                    let certificate = certificate.map_err(|cause| unreadable(&cause))?;
                    roots.add(certificate).map_err(|cause| unreadable(&cause))?;
                }
            }
        }
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|cause| Error::system("cannot set up TLS", cause))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = match http {
            Http::Newest => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
            Http::One => vec![b"http/1.1".to_vec()],
        };
        Ok(Self {
            config: Arc::new(config),
        })
    }

    /// Gets a document.
    pub async fn get(&self, url: &str) -> Result<Heard> {
        self.ask(Method::GET, url, Bytes::new(), &[]).await
    }

    /// Posts bytes.
    pub async fn post(&self, url: &str, body: Bytes) -> Result<Heard> {
        self.ask(Method::POST, url, body, &[]).await
    }

    /// Sends one request over a connection of its own. A header given here takes the place of ours.
    pub async fn ask(
        &self,
        method: Method,
        url: &str,
        body: Bytes,
        headers: &[(&str, &str)],
    ) -> Result<Heard> {
        let asking = self.exchange(method, url, body, headers);
        match tokio::time::timeout(PATIENCE, asking).await {
            Ok(heard) => heard,
            Err(_) => Err(failed(url, "no reply in time")),
        }
    }

    /// Opens a connection that is kept, over HTTP/1.1, for many requests to one address.
    pub async fn keep(&self, url: &str) -> Result<Kept> {
        let (uri, stream) = self.connect(url).await?;
        let opened = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (sender, connection) = opened.map_err(|cause| failed(url, cause))?;
        tokio::spawn(connection);
        Ok(Kept {
            uri,
            url: url.to_owned(),
            sender,
        })
    }

    /// Opens a connection, and says nothing on it.
    pub(crate) async fn connect(&self, url: &str) -> Result<(Uri, Stream)> {
        let uri: Uri = url.parse().map_err(|_| not_https(url))?;
        let host = uri.host().filter(|_| uri.scheme_str() == Some("https"));
        let host = host.ok_or_else(|| not_https(url))?;
        let port = uri.port_u16().unwrap_or(443);
        let bare = host.trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(bare.clone()).map_err(|_| not_https(url))?;
        let stream = TcpStream::connect((bare.as_str(), port)).await;
        let stream = stream.map_err(|cause| failed(url, cause))?;
        let secured = TlsConnector::from(self.config.clone()).connect(name, stream);
        let stream = secured.await.map_err(|cause| failed(url, cause))?;
        Ok((uri, stream))
    }

    async fn exchange(
        &self,
        method: Method,
        url: &str,
        body: Bytes,
        headers: &[(&str, &str)],
    ) -> Result<Heard> {
        let (uri, stream) = self.connect(url).await?;
        let by_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let path = uri.path_and_query().map_or("/", |it| it.as_str());
        let target = match by_http2 {
            true => url,
            false => path,
        };
        let mut request = Request::builder().method(method).uri(target);
        if !by_http2 && let Some(authority) = uri.authority() {
            request = request.header(header::HOST, authority.as_str());
        }
        let ours = PROTOCOL.to_string();
        if !headers.iter().any(|(name, _)| *name == VERSION_HEADER) {
            request = request.header(VERSION_HEADER, &ours);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let request = (request.body(Full::new(body))).map_err(|cause| failed(url, cause))?;
        let response = match by_http2 {
            true => over_http2(stream, request).await,
            false => over_http1(stream, request).await,
        };
        heard(url, response, by_http2).await
    }
}

/// A connection that is kept.
#[derive(Debug)]
pub struct Kept {
    uri: Uri,
    url: String,
    sender: hyper::client::conn::http1::SendRequest<Full<Bytes>>,
}

impl Kept {
    /// Posts bytes to the address that it was opened for.
    pub async fn post(&mut self, body: Bytes) -> Result<Heard> {
        let url = &self.url;
        let path = self.uri.path_and_query().map_or("/", |it| it.as_str());
        let mut request = Request::post(path).header(VERSION_HEADER, PROTOCOL);
        if let Some(authority) = self.uri.authority() {
            request = request.header(header::HOST, authority.as_str());
        }
        let request = (request.body(Full::new(body))).map_err(|cause| failed(url, cause))?;
        let ready = self.sender.ready().await;
        ready.map_err(|cause| failed(url, cause))?;
        let response = self.sender.send_request(request).await;
        heard(url, response, false).await
    }
}

/// Reads a reply to its end.
async fn heard(url: &str, response: Replied, by_http2: bool) -> Result<Heard> {
    let (head, body) = response.map_err(|cause| failed(url, cause))?.into_parts();
    let body = Limited::new(body, LONGEST).collect().await;
    Ok(Heard {
        status: head.status.as_u16(),
        headers: head.headers,
        body: body.map_err(|cause| failed(url, cause))?.to_bytes(),
        by_http2,
    })
}

type Stream = tokio_rustls::client::TlsStream<TcpStream>;
type Replied = hyper::Result<hyper::Response<Incoming>>;

async fn over_http2(stream: Stream, request: Request<Full<Bytes>>) -> Replied {
    let io = TokioIo::new(stream);
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await?;
    tokio::spawn(connection);
    sender.send_request(request).await
}

async fn over_http1(stream: Stream, request: Request<Full<Bytes>>) -> Replied {
    let io = TokioIo::new(stream);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await?;
    tokio::spawn(connection);
    sender.send_request(request).await
}

fn not_https(url: &str) -> Error {
    Error::input(format!("invalid address (got {url:?})"))
        .hint("write the address of the service, such as https://collector.example.org:8443")
}

fn failed(url: &str, cause: impl std::fmt::Display) -> Error {
    Error::system(format!("cannot ask {url}"), cause)
}
