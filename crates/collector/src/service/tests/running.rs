//! A service on the loopback, with a certificate of its own.

use std::sync::Arc;

use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wayveil_core::Result;
use wayveil_federated::collector::Findings;

use super::super::*;
use super::{Asker, Heard, Http};

pub(super) struct Running {
    pub(super) asker: Asker,
    pub(super) shared: Arc<Watched>,
    pub(super) operator: Option<SocketAddr>,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<()>>,
}

/// What tests look at from within; it does not keep the service alive.
pub(super) struct Watched {
    pub(super) limiter: Arc<Limiter>,
    setup: Arc<Setup>,
    view: watch::Receiver<Arc<crate::engine::View>>,
}

impl Running {
    pub(super) async fn start(folder: &TempDir, http: Http) -> Self {
        let file = CampaignFile::read(&folder.path().join("campaign.toml")).unwrap();
        let service = Service::open(file, Box::new(|_| Ok(()))).await.unwrap();
        Self::of(service, folder, http)
    }

    /// A service that publishes in this way, and tries again soon.
    pub(super) async fn publishing(folder: &TempDir, publish: Publish) -> Self {
        let file = CampaignFile::read(&folder.path().join("campaign.toml")).unwrap();
        let mut service = Service::open(file, publish).await.unwrap();
        service.ending.pause = Duration::from_millis(20);
        Self::of(service, folder, Http::Newest)
    }

    fn of(service: Service, folder: &TempDir, http: Http) -> Self {
        let address = service.address().unwrap();
        let operator = service.operator_address();
        let shared = Arc::new(Watched {
            limiter: service.shared.limiter.clone(),
            setup: service.shared.setup.clone(),
            view: service.shared.view.clone(),
        });
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(service.run(async {
            let _ = stopped.await;
        }));
        let trusted = folder.path().join("cert.pem");
        Self {
            asker: Asker::new(Some(&trusted), http).unwrap(),
            shared,
            operator,
            address,
            stop,
            ended,
        }
    }

    pub(super) fn setup(&self) -> Arc<Setup> {
        self.shared.setup.clone()
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    pub(super) async fn get(&self, path: &str) -> Heard {
        self.asker.get(&self.url(path)).await.unwrap()
    }

    pub(super) async fn post(&self, bytes: &[u8]) -> Heard {
        let url = self.url("/v1/answers");
        self.asker.post(&url, bytes.to_vec().into()).await.unwrap()
    }

    pub(super) async fn ask(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        headers: &[(&str, &str)],
    ) -> Heard {
        let (method, url) = (method.parse().unwrap(), self.url(path));
        let asking = self.asker.ask(method, &url, body.to_vec().into(), headers);
        asking.await.unwrap()
    }

    pub(super) async fn findings(&self) -> Findings {
        let mut view = self.shared.view.clone();
        let seen = view.wait_for(|view| view.findings.is_some()).await.unwrap();
        Findings::clone(seen.findings.as_ref().unwrap())
    }

    pub(super) async fn stop(self) {
        self.stopped().await.unwrap();
    }

    /// Stops it, and hears how it ended.
    pub(super) async fn stopped(self) -> Result<()> {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap()
    }
}
