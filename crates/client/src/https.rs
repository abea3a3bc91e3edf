//! A transport over HTTPS.
//!
//! Each request has a connection and a TLS session of its own: one that was kept, or taken up again,
//! would tell a server that the asker for a token and the sender of an answer are the same. No
//! header tells apart two clients. Redirects are not followed.

use std::time::Duration;

use ureq::Agent;
use ureq::config::AutoHeaderValue;
use ureq::http::Response;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem};
use wayveil_core::{Error, Result};

use crate::transport::{Failure, Method, PROTOCOL, PROTOCOL_HEADER, Reply, Request, Transport};
use crate::url;

/// How long one request may take, from the name of the host to the last byte.
const TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Heads of replies that are longer are not read.
const HEAD: usize = 16 << 10;

/// Carries requests over HTTPS, to hosts whose certificates hold.
#[derive(Clone, Debug)]
pub struct Https {
    roots: RootCerts,
}

impl Https {
    /// Trusts the authorities that Mozilla trusts, as they were when this was built.
    pub fn new() -> Self {
        Self {
            roots: RootCerts::WebPki,
        }
    }

    /// Trusts the authorities of a PEM file and no others: for an operator with its own authority.
    pub fn with_roots(pem: &[u8]) -> Result<Self> {
        let refused = |why: String| {
            Error::input(format!("invalid root certificate: {why}"))
                .hint("give a file with one or more certificates as PEM")
        };
        let mut roots: Vec<Certificate<'static>> = Vec::new();
        for item in parse_pem(pem) {
            match item.map_err(|error| refused(error.to_string()))? {
                PemItem::Certificate(root) => roots.push(root),
                _ => return Err(refused("the file has something else in it".to_owned())),
            }
        }
        match roots.is_empty() {
            true => Err(refused("there is none in the file".to_owned())),
            false => Ok(Self {
                roots: RootCerts::new_with_certs(&roots),
            }),
        }
    }

    fn agent(&self, encrypted: bool) -> Agent {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .root_certs(self.roots.clone());
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .https_only(encrypted)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .max_response_header_size(HEAD)
            .timeout_global(Some(TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .user_agent(AutoHeaderValue::None)
            .accept(AutoHeaderValue::None)
            .accept_encoding(AutoHeaderValue::None);
        // A proxy never sees into HTTPS. What is not encrypted stays on this machine.
        let config = match encrypted {
            true => config,
            false => config.proxy(None),
        };
        Agent::new_with_config(config.build())
    }
}

impl Default for Https {
    fn default() -> Self {
        Self::new()
    }
}

impl Transport for Https {
    fn send(&mut self, request: &Request<'_>) -> Result<Reply, Failure> {
        let url = url::checked(request.url).map_err(|error| Failure(error.to_string()))?;
        let agent = self.agent(url.starts_with("https://"));
        let failed = |error: ureq::Error| Failure(format!("{}: {error}", request.url));
        let response = match request.method {
            Method::Get => agent.get(&url).header(PROTOCOL_HEADER, PROTOCOL).call(),
            Method::Post => agent
                .post(&url)
                .header(PROTOCOL_HEADER, PROTOCOL)
                .header("content-type", request.content_type)
                .send(request.body),
        };
        read(response.map_err(failed)?, request.most).map_err(failed)
    }
}

fn read(mut response: Response<ureq::Body>, most: usize) -> Result<Reply, ureq::Error> {
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    Ok(Reply {
        status: response.status().as_u16(),
        retry_after,
        body: response
            .body_mut()
            .with_config()
            .limit(most as u64)
            .read_to_vec()?,
    })
}
