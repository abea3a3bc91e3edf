//! What the program's commands call: a service from start to stop, and a look at one.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use wayveil_core::{Error, Result};

use crate::ask::{Asker, Heard, Http};
use crate::campaign_file::CampaignFile;
use crate::service::{Publish, Service};

/// Ends a service in good order, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Asks the service to end; also before it has begun.
    pub fn now(&self) {
        self.0.notify_one();
    }

    /// Waits until it is asked for.
    pub(crate) async fn wait(&self) {
        self.0.notified().await;
    }
}

/// Serves a campaign until it is stopped. `ready` hears where it listens, and where the
/// operator's page is if there is one.
pub fn serve(
    file: CampaignFile,
    publish: Publish,
    stop: &Stop,
    ready: impl FnOnce(SocketAddr, Option<SocketAddr>),
) -> Result<()> {
    log_as_lines_of_json();
    runtime()?.block_on(async {
        let service = Service::open(file, publish).await?;
        ready(service.address()?, service.operator_address());
        service.run(stop.wait()).await
    })
}

/// The same TLS with nothing behind it: every body is read and has the reply of one that was counted.
/// It is the floor that benchmarks measure the collector against, and ends with the process.
pub fn serve_nothing(certificate: &Path, key: &Path, listen: SocketAddr) -> Result<()> {
    runtime()?.block_on(crate::service::nothing(certificate, key, listen))
}

/// The status of a service; `trusted` is a file of certificates to trust instead of the web's.
pub fn status(url: &str, trusted: Option<&Path>) -> Result<Value> {
    let url = format!("{}/v1/status", url.trim_end_matches('/'));
    let asker = Asker::new(trusted, Http::Newest)?;
    let heard = runtime()?.block_on(asker.get(&url))?;
    read(&url, &heard)
}

fn read(url: &str, heard: &Heard) -> Result<Value> {
    let body: Option<Value> = serde_json::from_slice(&heard.body).ok();
    match (heard.status, body) {
        (200, Some(body)) => Ok(body),
        (status, body) => {
            let said = body.as_ref().and_then(|body| body["error"].as_str());
            let said = said.unwrap_or("this is no collector");
            Err(Error::system(format!("{url} replies with {status}"), said))
        }
    }
}

pub(crate) fn runtime() -> Result<Runtime> {
    Runtime::new().map_err(|cause| Error::system("cannot start threads", cause))
}

/// One line of JSON for each event, to standard error. Events are about the campaign and the machine,
/// never about a request.
pub(crate) fn log_as_lines_of_json() {
    let to_stderr = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_target(false)
        .with_max_level(tracing::Level::INFO)
        .with_writer(std::io::stderr);
    // Whoever has set up logging before keeps it.
    let _ = to_stderr.try_init();
}

#[cfg(test)]
mod faults;
