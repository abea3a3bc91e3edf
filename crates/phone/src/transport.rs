//! A transport that the app brings along.

use std::sync::Arc;

use wayveil_client::transport::{PROTOCOL, PROTOCOL_HEADER};
use wayveil_client::{Failure, Method, Reply, Request, Transport};

/// What carries a request and brings the reply, with the HTTP of the app (OkHttp, URLSession).
///
/// It verifies who it talks to, follows no redirect, keeps no cookie, adds no header that tells phones
/// apart, gives up after a while, and uses a fresh connection for every request: one that is kept would
/// tell that the asker for a token and the sender of an answer are the same.
#[uniffi::export(with_foreign)]
pub trait HttpTransport: Send + Sync {
    /// Sends one request and waits for the reply.
    fn send(&self, request: HttpRequest) -> Result<HttpReply, TransportError>;
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct HttpRequest {
    /// How.
    pub method: HttpMethod,
    /// Where to.
    pub url: String,
    /// The headers, all of them to be sent.
    pub headers: Vec<HttpHeader>,
    /// The body; empty for `Get`.
    pub body: Vec<u8>,
    /// The longest body of a reply that is worth reading, in bytes. A longer one is a failure.
    pub longest_reply: u64,
}

/// How a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum HttpMethod {
    /// Nothing is changed by it.
    Get,
    /// Its body is handed over. Every one of this client may be repeated.
    Post,
}

/// A header of a request.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct HttpHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct HttpReply {
    /// The status of HTTP.
    pub status: u16,
    /// The header `Retry-After` in seconds, if there was one.
    #[uniffi(default = None)]
    pub retry_after_seconds: Option<u64>,
    /// The body.
    #[uniffi(default)]
    pub body: Vec<u8>,
}

/// No reply; whether the request arrived is not known. It is tried again later.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, uniffi::Error)]
pub enum TransportError {
    /// Nobody was reached, the server could not prove who it is, or the time was up.
    #[error("{reason}")]
    Failed {
        /// Why, for people.
        reason: String,
    },
}

/// Whatever else the app's code throws is a request that failed.
impl From<uniffi::UnexpectedUniFFICallbackError> for TransportError {
    fn from(thrown: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::Failed {
            reason: format!("the app's transport failed: {}", thrown.reason),
        }
    }
}

/// The app's transport in the place of one of ours.
pub(crate) struct OfTheApp(pub(crate) Arc<dyn HttpTransport>);

impl Transport for OfTheApp {
    fn send(&mut self, request: &Request<'_>) -> Result<Reply, Failure> {
        let reply = self.0.send(translated(request));
        let reply = reply.map_err(|error| Failure(format!("{}: {error}", request.url)))?;
        if reply.body.len() > request.most {
            return Err(Failure(format!("{}: the reply is too long", request.url)));
        }
        Ok(Reply {
            status: reply.status,
            retry_after: reply.retry_after_seconds,
            body: reply.body,
        })
    }
}

fn translated(request: &Request<'_>) -> HttpRequest {
    let header = |name: &str, value: &str| HttpHeader {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    let mut headers = vec![header(PROTOCOL_HEADER, PROTOCOL)];
    if !request.content_type.is_empty() {
        headers.push(header("content-type", request.content_type));
    }
    HttpRequest {
        method: match request.method {
            Method::Get => HttpMethod::Get,
            Method::Post => HttpMethod::Post,
        },
        url: request.url.to_owned(),
        headers,
        body: request.body.to_vec(),
        longest_reply: request.most as u64,
    }
}
