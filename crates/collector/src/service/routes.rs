//! The routes, and what every request passes on its way to them.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use tokio::sync::watch;
use wayveil_report::page::campaign::campaign_page;

use super::dashboard;
use super::document::Documents;
use super::limit::Limiter;
use super::metrics::Metrics;
use super::reply::Reply;
use super::writer::Queue;
use super::{BODY_LIMIT, PROTOCOL};
use crate::engine::{Setup, Verdict, View};
use crate::gate;

/// The document that describes the routes, kept by hand.
pub(crate) const OPENAPI: &str = include_str!("openapi.json");

/// A request that is not done after this is given up.
const REQUEST_TIME: Duration = Duration::from_secs(45);

/// The header that names the protocol's version.
pub(crate) const VERSION_HEADER: &str = "wayveil-protocol";

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) setup: Arc<Setup>,
    pub(crate) documents: Arc<Documents>,
    pub(crate) queue: Queue,
    pub(crate) view: watch::Receiver<Arc<View>>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limiter: Arc<Limiter>,
    pub(crate) started: Instant,
}

impl Shared {
    fn view(&self) -> Arc<View> {
        self.view.borrow().clone()
    }

    /// Seconds until the open round is over; a little where none is open.
    fn until_next(&self) -> u64 {
        let view = self.view();
        let open = view.open.as_ref();
        open.map_or(1, |open| self.documents.closes_in(open))
    }
}

/// What every request is passed by on its way to a route, whatever the service.
pub(crate) trait Passed: Send + Sync + 'static {
    /// Whether an address may ask now.
    fn admits(&self, address: IpAddr) -> bool;

    /// Counts an outcome.
    fn count(&self, outcome: &'static str);
}

impl Passed for Shared {
    fn admits(&self, address: IpAddr) -> bool {
        self.limiter.admits(address, self.started.elapsed())
    }

    fn count(&self, outcome: &'static str) {
        self.metrics.count(outcome);
    }
}

type Everything = State<Arc<Shared>>;

/// All routes. The caller adds the address of whoever asks as an extension.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let versioned = Router::new()
        .route("/v1/campaign", get(campaign))
        .route("/v1/universe", get(universe))
        .route("/v1/rounds/{round}/question/{place}", get(question))
        .route("/v1/answers", post(answer))
        .route("/v1/status", get(status));
    let open = Router::new()
        .route("/", get(page))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi))
        .route("/healthz", get(healthz));
    guarded(open, versioned, shared)
}

/// Routes with all that stands around them; those of the protocol ask for its version.
pub(crate) fn guarded<S: Passed>(
    open: Router<Arc<S>>,
    versioned: Router<Arc<S>>,
    shared: Arc<S>,
) -> Router {
    let versioned = versioned.layer(from_fn_with_state(shared.clone(), speaks_our_version::<S>));
    open.merge(versioned)
        .fallback(async || Reply::unknown())
        .method_not_allowed_fallback(async || {
            let hint = "GET /openapi.json lists what there is";
            let what = "this is not done here";
            Reply::new(StatusCode::METHOD_NOT_ALLOWED, "unknown", what, hint)
        })
        .layer(from_fn_with_state(shared.clone(), bounded::<S>))
        .with_state(shared)
}

/// Not too often from one address, and not for too long.
async fn bounded<S: Passed>(
    State(shared): State<Arc<S>>,
    request: Request,
    next: Next,
) -> Response {
    let address = request.extensions().get::<IpAddr>().copied();
    if let Some(address) = address
        && !shared.admits(address)
    {
        shared.count("slow-down");
        let hint = "wait before asking again";
        let what = "too many requests from this address";
        let reply = Reply::new(StatusCode::TOO_MANY_REQUESTS, "slow-down", what, hint);
        return reply.after(5).into_response();
    }
    let mut response = match tokio::time::timeout(REQUEST_TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            shared.count("timed-out");
            Reply::unavailable().into_response()
        }
    };
    let nosniff = HeaderValue::from_static("nosniff");
    (response.headers_mut()).insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}

/// Every request names the version of the protocol that it speaks.
async fn speaks_our_version<S: Passed>(
    State(shared): State<Arc<S>>,
    request: Request,
    next: Next,
) -> Response {
    let spoken = request.headers().get(VERSION_HEADER);
    if spoken.is_some_and(|it| it.as_bytes() == PROTOCOL.to_string().as_bytes()) {
        return next.run(request).await;
    }
    shared.count("upgrade");
    Reply::new(
        StatusCode::UPGRADE_REQUIRED,
        "upgrade",
        "the request names no version of the protocol that is spoken here",
        "send the header wayveil-protocol with one of the versions",
    )
    .with("versions", json!([PROTOCOL]))
    .into_response()
}

pub(crate) fn cached(seconds: &'static str, body: impl IntoResponse) -> Response {
    let headers = [(header::CACHE_CONTROL, HeaderValue::from_static(seconds))];
    (headers, body).into_response()
}

async fn campaign(State(shared): Everything) -> Response {
    shared.metrics.count("ok");
    let document = shared.documents.announcement(&shared.view());
    cached("public, max-age=1", Json(document))
}

async fn status(State(shared): Everything) -> Response {
    shared.metrics.count("ok");
    cached(
        "public, max-age=1",
        Json(shared.documents.status(&shared.view())),
    )
}

async fn universe(State(shared): Everything, headers: HeaderMap) -> Response {
    shared.metrics.count("ok");
    let tag = format!("\"{}\"", shared.documents.universe_hash);
    let known = headers.get(header::IF_NONE_MATCH);
    let is_known = known.is_some_and(|it| it.as_bytes() == tag.as_bytes());
    let fixed = [
        (header::ETAG, tag),
        (
            header::CACHE_CONTROL,
            "public, max-age=31536000, immutable".to_owned(),
        ),
        (header::CONTENT_TYPE, "application/json".to_owned()),
    ];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, fixed).into_response(),
        false => (fixed, shared.documents.universe.clone()).into_response(),
    }
}

async fn question(
    State(shared): Everything,
    Path((round, place)): Path<(String, String)>,
) -> Response {
    let asked = question_bytes(&shared, &round, &place);
    match asked {
        Ok(bytes) => {
            shared.metrics.count("ok");
            let kind = HeaderValue::from_static("application/octet-stream");
            let mut response = cached("no-store", bytes);
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            response
        }
        Err(reply) => refused(shared.as_ref(), reply),
    }
}

fn question_bytes(shared: &Shared, round: &str, place: &str) -> Result<Vec<u8>, Reply> {
    let is_hex = place.len() == 16 && place.bytes().all(|it| it.is_ascii_hexdigit());
    let place = u64::from_str_radix(place, 16).ok().filter(|_| is_hex);
    let (Ok(round), Some(place)) = (round.parse::<u32>(), place) else {
        return Err(Reply::unknown());
    };
    if round as usize >= shared.setup.campaign.schedule().rounds() {
        return Err(Reply::unknown());
    }
    let view = shared.view();
    let Some(open) = &view.open else {
        return Err(Reply::closed());
    };
    match round.cmp(&open.index()) {
        std::cmp::Ordering::Less => Err(Reply::closed()),
        std::cmp::Ordering::Greater => Err(Reply::early(shared.until_next())),
        std::cmp::Ordering::Equal => {
            let block = open.round.block_of(place);
            Ok(open.round.question(block).encode())
        }
    }
}

pub(crate) fn refused(shared: &impl Passed, reply: Reply) -> Response {
    shared.count(reply.code);
    reply.into_response()
}

async fn answer(State(shared): Everything, request: Request) -> Response {
    let body = match whole(request.into_body()).await {
        Ok(body) => body,
        Err(reply) => return refused(shared.as_ref(), reply),
    };
    let setup = &shared.setup;
    let checked = match gate::check(&body, &setup.campaign, &setup.admit) {
        Ok(checked) => checked,
        Err(refusal) => return refused(shared.as_ref(), Reply::of(refusal, shared.until_next())),
    };
    let status = match shared.queue.submit(checked).await {
        Some(Verdict::Counted) => "counted",
        Some(Verdict::Repeated) => "repeated",
        Some(Verdict::Refused(why)) => {
            return refused(shared.as_ref(), Reply::of(why, shared.until_next()));
        }
        None => return refused(shared.as_ref(), Reply::unavailable()),
    };
    shared.metrics.count(status);
    cached("no-store", Json(json!({ "status": status })))
}

/// The body, if it is no longer than bodies may be.
pub(crate) async fn whole(body: Body) -> Result<Bytes, Reply> {
    (axum::body::to_bytes(body, BODY_LIMIT).await).map_err(|_| {
        let hint = "what is sent here is shorter";
        let what = format!("the body is cut off, or longer than {BODY_LIMIT} bytes");
        Reply::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", what, hint)
    })
}

/// The page for people who wonder how the campaign stands.
async fn page(State(shared): Everything) -> Response {
    shared.metrics.count("ok");
    let facts = dashboard::facts(&shared.setup, &shared.documents, &shared.view());
    dashboard::served(campaign_page(&facts), "public, max-age=1")
}

async fn metrics(State(shared): Everything) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, shared.metrics.text(&shared.view())).into_response()
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// Whether answers can be taken.
async fn healthz(State(shared): Everything) -> Response {
    match shared.view().store_works {
        true => "ok\n".into_response(),
        false => Reply::unavailable().into_response(),
    }
}
