//! The service: one campaign over HTTPS.
//!
//! What a request passes: room for the connection, TLS, a limit by address, a limit of time, the
//! version of the protocol, and then its route. Nothing of a request is logged.

mod dashboard;
mod document;
mod ending;
pub(crate) mod limit;
pub(crate) mod listen;
pub(crate) mod metrics;
mod operator;
pub(crate) mod reply;
pub(crate) mod room;
pub(crate) mod routes;
pub(crate) mod tls;
mod writer;

use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use wayveil_admission::{Accepted, Keys, PublicKey};
use wayveil_core::{Error, Result};
use wayveil_federated::collector::Findings;

use crate::campaign_file::{AdmissionRule, CampaignFile};
use crate::engine::{Clock, Engine, Monotonic, Publication, Setup};
use crate::gate::Admit;
use crate::store::{Identity, Store};
use document::Documents;
use ending::Ending;
use limit::Limiter;
use metrics::Metrics;
use operator::Operator;
use room::Room;
pub(crate) use routes::VERSION_HEADER;
use routes::{Shared, router};
use writer::Writer;

/// The version of the protocol that is spoken.
pub const PROTOCOL: u32 = 1;

/// The longest body of a request, in bytes.
pub const BODY_LIMIT: usize = 4096;

/// A campaign that is complete.
#[derive(Clone)]
pub struct Ended {
    /// What was asked of whom.
    pub setup: Arc<Setup>,
    /// What was found.
    pub findings: Arc<Findings>,
}

/// What is done with a complete campaign: from time to time until it works, and after every start. Where it was done
/// before it finds that out and does nothing.
pub type Publish = Box<dyn Fn(&Ended) -> Result<()> + Send + Sync>;

/// How long to wait before what could not be published is tried again: a full disk may be emptied.
const TRY_AGAIN: Duration = Duration::from_secs(60);

/// A service that is ready: it listens, and its campaign was read from the store.
pub struct Service {
    listener: TcpListener,
    config: Arc<rustls::ServerConfig>,
    shared: Arc<Shared>,
    operator: Option<Operator>,
    writing: JoinHandle<()>,
    ending: Ending,
    room: Arc<Room>,
}

impl Service {
    /// Opens everything that the campaign file names.
    pub async fn open(file: CampaignFile, publish: Publish) -> Result<Self> {
        Self::open_with(file, publish, Box::new(Monotonic::starting_now())).await
    }

    /// The same with another clock.
    pub async fn open_with(
        file: CampaignFile,
        publish: Publish,
        clock: Box<dyn Clock>,
    ) -> Result<Self> {
        let config = tls::server(&file.service.certificate, &file.service.key)?;
        let (admit, issuer) = admit(&file.admission)?;
        let setup = Arc::new(Setup {
            name: file.name,
            universe: file.universe,
            campaign: file.campaign,
            rounds: file.rounds,
            admit,
        });
        let documents = Arc::new(Documents::new(&setup, issuer)?);
        let identity = Identity {
            id: setup.campaign.parameters().id,
            digest: file.digest,
        };
        let listener = listen::at(file.service.listen).await?;
        let operator_listener = match file.service.operator {
            Some(address) => Some(operator::bind(address).await?),
            None => None,
        };
        let store = Store::open(file.service.store, identity).await?;
        let engine = Engine::start(setup.clone(), store, clock).await?;
        let metrics = Arc::new(Metrics::default());
        let (told, publication) = watch::channel(Publication::Waiting);
        let (writer, queue, view) = Writer::new(engine, publication, metrics.clone());
        let ending = Ending {
            view: view.clone(),
            setup: setup.clone(),
            publish: Arc::new(publish),
            told,
            pause: TRY_AGAIN,
        };
        let shared = Arc::new(Shared {
            setup,
            documents,
            queue,
            view,
            metrics,
            limiter: Arc::new(Limiter::new(file.service.limit)),
            started: Instant::now(),
        });
        let operator = operator_listener.map(|listener| Operator::new(listener, &shared));
        Ok(Self {
            listener,
            config,
            shared,
            operator,
            writing: tokio::spawn(writer.run()),
            ending,
            room: Room::new(file.service.limit.burst),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr> {
        (self.listener.local_addr()).map_err(|cause| Error::system("cannot listen", cause))
    }

    /// Where the operator's page is, if there is one.
    pub fn operator_address(&self) -> Option<SocketAddr> {
        self.operator.as_ref().and_then(Operator::address)
    }

    /// Serves until `stop` is done. Requests that have begun are finished, and so is a publication; then the store is
    /// closed. Ends with why a complete campaign is not published, if it is not.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let (end, ended) = oneshot::channel();
        let ending = tokio::spawn(self.ending.run(ended));
        let watching = self.operator.map(Operator::start);
        let router = router(self.shared);
        tracing::info!("serving");
        listen::serve(self.listener, self.config, router, self.room, stop).await;
        // The last way to the writer is gone with the router: it ends by itself.
        let written = self.writing.await;
        let _ = end.send(());
        let published = ending.await;
        if let Some(watching) = watching {
            watching.stop().await;
        }
        tracing::info!("stopped");
        written.map_err(|cause| Error::system("the writer failed", cause))?;
        published.map_err(|cause| Error::system("the end of the campaign failed", cause))?
    }
}

/// The same listener and TLS before a route that counts nothing.
pub(crate) async fn nothing(certificate: &Path, key: &Path, address: SocketAddr) -> Result<()> {
    let config = tls::server(certificate, key)?;
    let listener = TcpListener::bind(address)
        .await
        .map_err(|cause| Error::system(format!("cannot listen at {address}"), cause))?;
    let reply = async |_: bytes::Bytes| r#"{"status":"counted"}"#;
    let router = axum::Router::new().route("/v1/answers", axum::routing::post(reply));
    let room = Room::new(u32::MAX);
    listen::serve(listener, config, router, room, std::future::pending()).await;
    Ok(())
}

/// Reads the keys of the issuer.
fn admit(rule: &AdmissionRule) -> Result<(Admit, Option<&str>)> {
    let AdmissionRule::Tokens { issuer, keys } = rule else {
        return Ok((Admit::Open, None));
    };
    let accepted = keys.iter().map(|rule| {
        let file = rule.file.display().to_string();
        let pem = std::fs::read_to_string(&rule.file)
            .map_err(|cause| Error::input(format!("cannot be read: {cause}")).in_file(&file))?;
        Ok(Accepted {
            key: PublicKey::from_pem(&pem).map_err(|error| error.in_file(&file))?,
            not_after_round: rule.not_after_round,
        })
    });
    let keys = Keys::new(accepted.collect::<Result<_>>()?)?;
    Ok((Admit::Tokens(keys), Some(issuer)))
}

#[cfg(test)]
mod tests;
