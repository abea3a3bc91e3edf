//! The issuer of tokens: knows who was enrolled, by the hash of a code, and signs one blinded message
//! for each of them and each campaign. It never sees an answer, nor a token.
//!
//! | module | |
//! | --- | --- |
//! | [`mod@file`] | what an operator writes, checked |
//! | [`commands`] | what commands call: a service, codes, a key |
//! | `keyring` | secret keys, and which campaign each belongs to |
//! | `store` | hashes of codes, and of what was signed for each |
//! | `writer` | the one writer, which says what may be signed once that is on disk |
//! | `routes` | the routes |

pub mod commands;
mod draft;
pub mod file;
mod keyring;
mod metrics;
mod routes;
mod store;
mod writer;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use wayveil_core::{Error, Result};

use crate::service::limit::Limiter;
use crate::service::room::Room;
use crate::service::{listen, tls};
use file::IssuerFile;
use keyring::Keyring;
use metrics::Metrics;
use routes::{Shared, router};
use store::IssuerStore;
use writer::Writer;

/// An issuer that is ready: it listens, and its store is open.
pub struct Issuer {
    listener: TcpListener,
    config: Arc<rustls::ServerConfig>,
    shared: Arc<Shared>,
    writing: JoinHandle<()>,
    room: Arc<Room>,
}

impl Issuer {
    /// Opens everything that the issuer's file names.
    pub async fn open(file: IssuerFile) -> Result<Self> {
        let config = tls::server(&file.service.certificate, &file.service.key)?;
        let keyring = Keyring::read(&file.campaigns)?;
        let listener = listen::at(file.service.listen).await?;
        let mut store = IssuerStore::open(file.service.store).await?;
        for held in keyring.all() {
            store.belongs(held.id(), &held.campaign).await?;
        }
        let (writer, queue) = Writer::new(store);
        let shared = Arc::new(Shared {
            keyring,
            queue,
            metrics: Metrics::default(),
            limiter: Limiter::new(file.service.limit),
            started: Instant::now(),
        });
        Ok(Self {
            listener,
            config,
            shared,
            writing: tokio::spawn(writer.run()),
            room: Room::new(file.service.limit.burst),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr> {
        (self.listener.local_addr()).map_err(|cause| Error::system("cannot listen", cause))
    }

    /// Serves until `stop` is done. Requests that have begun are finished; then the store is closed.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let router = router(self.shared);
        tracing::info!("issuing");
        listen::serve(self.listener, self.config, router, self.room, stop).await;
        // The last way to the writer is gone with the router: it ends by itself.
        let written = self.writing.await;
        tracing::info!("stopped");
        written.map_err(|cause| Error::system("the writer failed", cause))
    }
}

#[cfg(test)]
mod tests;
