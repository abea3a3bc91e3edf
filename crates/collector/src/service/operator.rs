//! The operator's own port: the page with what is not published yet, on this machine alone.
//!
//! It has no password and no TLS, so it is bound to a loopback address. Pages of other sites that run in
//! a browser on this machine cannot read it either: nothing allows them to (no CORS), and a name that was
//! made to point here (DNS rebinding) is not one of the hosts that are served. A tunnel may lead here
//! under another port, which is why ports are not compared.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use wayveil_core::{Error, Result};
use wayveil_federated::collector::Collector;
use wayveil_report::page::campaign::{FragmentsFacts, OperatorFacts, operator_page};

use super::dashboard;
use super::document::Documents;
use super::metrics::Metrics;
use super::reply::Reply;
use super::routes::Shared;
use crate::engine::{Setup, View};

/// How long requests may take when the service ends.
const GRACE: Duration = Duration::from_secs(3);

/// Listens at an address of the operator's.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|cause| Error::system(format!("cannot listen at {address}"), cause))
}

/// What the operator's port knows. It has no way to the writer, which would otherwise never end.
struct Known {
    setup: Arc<Setup>,
    documents: Arc<Documents>,
    view: watch::Receiver<Arc<View>>,
    metrics: Arc<Metrics>,
    started: Instant,
    /// What the closed rounds say, and which closed rounds: made once for each.
    made: Mutex<Option<(Arc<Collector>, Arc<FragmentsFacts>)>>,
}

/// The operator's port, ready to serve.
pub(crate) struct Operator {
    listener: TcpListener,
    known: Arc<Known>,
}

/// The same while it serves.
pub(crate) struct Watching {
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Operator {
    pub(crate) fn new(listener: TcpListener, shared: &Shared) -> Self {
        let known = Known {
            setup: shared.setup.clone(),
            documents: shared.documents.clone(),
            view: shared.view.clone(),
            metrics: shared.metrics.clone(),
            started: shared.started,
            made: Mutex::default(),
        };
        Self {
            listener,
            known: Arc::new(known),
        }
    }

    pub(crate) fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    pub(crate) fn start(self) -> Watching {
        let (stop, stopped) = oneshot::channel();
        let served = axum::serve(self.listener, router(self.known)).with_graceful_shutdown(async {
            let _ = stopped.await;
        });
        let serving = tokio::spawn(async move {
            if let Err(error) = served.await {
                tracing::warn!(%error, "the operator's page is not served any more");
            }
        });
        Watching { stop, serving }
    }
}

impl Watching {
    pub(crate) async fn stop(mut self) {
        let _ = self.stop.send(());
        if tokio::time::timeout(GRACE, &mut self.serving)
            .await
            .is_err()
        {
            self.serving.abort();
        }
    }
}

fn router(known: Arc<Known>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/operator/status.json", get(status))
        .route("/metrics", get(metrics))
        .fallback(async || Reply::unknown())
        .layer(from_fn(for_this_machine))
        .with_state(known)
}

/// Lets through what names this machine, and nothing that another site could read.
async fn for_this_machine(request: Request, next: Next) -> Response {
    let named = request.headers().get(header::HOST);
    let named = named.and_then(|it| it.to_str().ok()).unwrap_or("");
    if !is_this_machine(named) {
        let what = "this port is for the operator's own machine";
        let hint = "open it as http://localhost with its port";
        return Reply::new(StatusCode::MISDIRECTED_REQUEST, "unknown", what, hint).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    response
}

/// Whether a request's host is the loopback by its number, or `localhost`; whatever the port.
fn is_this_machine(host: &str) -> bool {
    let Ok(uri) = Uri::try_from(format!("http://{host}/")) else {
        return false;
    };
    // What is more than a host and a port is no host.
    let whole = uri.authority().is_some_and(|it| it.as_str() == host) && !host.contains('@');
    let name = uri.host().unwrap_or("").trim_matches(['[', ']']);
    let is_loopback = |address: IpAddr| address.to_canonical().is_loopback();
    whole && (name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_loopback))
}

impl Known {
    fn view(&self) -> Arc<View> {
        self.view.borrow().clone()
    }

    /// What closed rounds say; made on a thread of its own when a round has closed.
    async fn fragments(&self, view: &View) -> Option<Arc<FragmentsFacts>> {
        let collector = view.closed_rounds.clone()?;
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, facts)) = made().as_ref()
            && Arc::ptr_eq(of, &collector)
        {
            return Some(facts.clone());
        }
        let closed = collector.clone();
        let making = tokio::task::spawn_blocking(move || dashboard::fragments(&closed));
        let facts = Arc::new(making.await.ok()?);
        *made() = Some((collector, facts.clone()));
        Some(facts)
    }

    fn uptime(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }
}

async fn page(State(known): State<Arc<Known>>) -> Response {
    let view = known.view();
    let facts = dashboard::facts(&known.setup, &known.documents, &view);
    let fragments = known.fragments(&view).await;
    let more = OperatorFacts {
        universe: &known.setup.universe,
        fragments: fragments.as_deref(),
        outcomes: known.metrics.outcomes(),
        uptime: known.uptime(),
    };
    dashboard::served(operator_page(&facts, &more), "no-store")
}

/// The public status, with what is counted of requests, and with numbers of fragments by length.
async fn status(State(known): State<Arc<Known>>) -> Response {
    let view = known.view();
    let mut document = known.documents.status(&view);
    let outcomes = known.metrics.outcomes();
    let outcomes: serde_json::Map<String, Value> = (outcomes
        .into_iter()
        .map(|(name, count)| (name.into(), count.into())))
    .collect();
    document["outcomes"] = outcomes.into();
    document["uptime_ms"] = json!(known.uptime());
    let fragments = known.fragments(&view).await;
    document["lengths"] = json!(fragments.map(|all| {
        let of_length = all.lengths.iter().map(|it| {
            json!({
                "length": it.length,
                "candidates": it.candidates,
                "admitted": it.admitted,
                "asked_now": it.asked_now,
            })
        });
        of_length.collect::<Vec<_>>()
    }));
    Json(document).into_response()
}

async fn metrics(State(known): State<Arc<Known>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, known.metrics.text(&known.view())).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_served() {
        for host in [
            "localhost",
            "LOCALHOST:9090",
            "127.0.0.1:9090",
            "127.8.8.8",
            "[::1]:80",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example:9090",
            "127.0.0.1.evil.example",
            "192.0.2.7:9090",
            "0.0.0.0:9090",
            "evil.example@localhost",
            "localhost@evil.example",
            "localhost/evil.example",
            "localhost:9090:9090",
            "[::2]:80",
            "2130706433",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
