//! TLS by rustls with ring, HTTP/2 and 1.1 by ALPN.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::NoServerSessionStorage;
use rustls::{ServerConfig, crypto::ring};
use wayveil_core::{Error, Result};

/// The server's side, with a certificate chain and key in PEM.
pub(crate) fn server(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>> {
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|cause| unreadable(certificate, "certificate", &cause))?;
    let secret = PrivateKeyDer::from_pem_file(key)
        .map_err(|cause| unreadable(key, "private key", &cause))?;
    let unusable = |cause: rustls::Error| {
        Error::input(format!("certificate and key cannot be used: {cause}"))
            .in_file(certificate.display().to_string())
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(unusable)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    // A session that is taken up again would tell that two requests are of one phone.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(Arc::new(config))
}

fn unreadable(path: &Path, what: &str, cause: &dyn std::fmt::Display) -> Error {
    Error::input(format!("no {what} in PEM can be read: {cause}"))
        .in_file(path.display().to_string())
}
