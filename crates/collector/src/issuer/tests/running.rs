//! An issuer in this process.

use std::net::SocketAddr;
use std::path::Path;

use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wayveil_admission::{Code, TokenRequest};
use wayveil_core::Result;

use super::super::commands::enrol;
use super::super::file::IssuerFile;
use super::super::*;
use super::order;
use crate::ask::{Asker, Heard, Http};

pub(super) struct Running {
    pub(super) asker: Asker,
    pub(super) address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<()>>,
}

impl Running {
    pub(super) async fn start(folder: &TempDir, http: Http) -> Self {
        let issuer = open(folder).await.unwrap();
        let address = issuer.address().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(issuer.run(async {
            let _ = stopped.await;
        }));
        let trusted = folder.path().join("cert.pem");
        Self {
            asker: Asker::new(Some(&trusted), http).unwrap(),
            address,
            stop,
            ended,
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    pub(super) async fn get(&self, path: &str) -> Heard {
        self.asker.get(&self.url(path)).await.unwrap()
    }

    pub(super) async fn post(&self, body: &[u8]) -> Heard {
        let url = self.url("/v1/tokens");
        self.asker.post(&url, body.to_vec().into()).await.unwrap()
    }

    pub(super) async fn ask_for(&self, code: &Code, request: &TokenRequest) -> Heard {
        self.post(&order(code, request)).await
    }

    pub(super) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

pub(super) async fn open(folder: &TempDir) -> Result<Issuer> {
    Issuer::open(IssuerFile::read(&folder.path().join("issuer.toml"))?).await
}

/// Enrols so many people, as the command does, also while the issuer runs.
pub(super) async fn enrolled(folder: &TempDir, people: u32) -> Vec<Code> {
    let folder = folder.path().to_owned();
    let codes = move || {
        let list = (0..).map(|at| folder.join(format!("codes-{at}.txt")));
        let list = list.into_iter().find(|path| !path.exists()).unwrap();
        enrol(&folder.join("issuer.toml"), people, &list).unwrap();
        codes(&list)
    };
    tokio::task::spawn_blocking(codes).await.unwrap()
}

pub(super) fn codes(list: &Path) -> Vec<Code> {
    let text = std::fs::read_to_string(list).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}
