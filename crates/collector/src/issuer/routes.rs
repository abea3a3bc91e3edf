//! The issuer's routes. What stands around them is the collector's.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use wayveil_admission::order::NoOrder;
use wayveil_admission::{TokenGiven, TokenOrder};
use wayveil_core::{Error, RandomSource, Result};

use super::keyring::{Held, Keyring};
use super::metrics::Metrics;
use super::store::{Claim, Claimed};
use super::writer::Queue;
use crate::service::limit::Limiter;
use crate::service::reply::Reply;
use crate::service::routes::{Passed, cached, guarded, refused, whole};

/// The document that describes the routes, kept by hand.
pub(super) const OPENAPI: &str = include_str!("openapi.json");

/// A code that nobody was given costs its sender as much as so many requests.
const WRONG_CODE: u32 = 20;

/// What all requests share.
pub(super) struct Shared {
    pub(super) keyring: Keyring,
    pub(super) queue: Queue,
    pub(super) metrics: Metrics,
    pub(super) limiter: Limiter,
    pub(super) started: Instant,
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
pub(super) fn router(shared: Arc<Shared>) -> Router {
    let versioned = Router::new()
        .route("/v1/issuer", get(issuer))
        .route("/v1/tokens", post(token));
    let open = Router::new()
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi))
        .route("/healthz", get(healthz));
    guarded(open, versioned, shared)
}

async fn issuer(State(shared): Everything) -> Response {
    shared.metrics.count("ok");
    cached("public, max-age=1", Json(shared.keyring.document()))
}

async fn token(State(shared): Everything, request: Request) -> Response {
    match given(&shared, request).await {
        Ok((outcome, body)) => {
            shared.metrics.count(outcome);
            let mut response = cached("no-store", body);
            let kind = header::HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            response
        }
        Err(reply) => refused(shared.as_ref(), reply),
    }
}

/// Settles that this is the one request of its code, durably, and then signs it. Who is killed in
/// between signs the same when asked again.
async fn given(
    shared: &Arc<Shared>,
    request: Request,
) -> std::result::Result<(&'static str, Vec<u8>), Reply> {
    let address = request.extensions().get::<IpAddr>().copied();
    let body = whole(request.into_body()).await?;
    let order = TokenOrder::decode(&body).map_err(no_order)?;
    let held = shared.keyring.get(order.key).ok_or_else(unknown_key)?;
    if !held.key.public().can_sign(&order.blinded) {
        return Err(garbage(
            "the blinded message is no number below the key's modulus",
        ));
    }
    let claim = Claim::new(&order, &held.campaign, held.signs);
    let claimed = shared.queue.settle(claim).await.ok_or_else(unavailable)?;
    let outcome = match claimed {
        Claimed::First => "signed",
        Claimed::Again => "repeated",
        Claimed::Used => return Err(used()),
        Claimed::Retired => return Err(retired()),
        Claimed::UnknownCode => {
            if let Some(address) = address {
                for _ in 1..WRONG_CODE {
                    shared.admits(address);
                }
            }
            return Err(unknown_code());
        }
    };
    let held = held.clone();
    let signed = tokio::task::spawn_blocking(move || sign(&held, &order)).await;
    match signed {
        Ok(Ok(body)) => Ok((outcome, body)),
        Ok(Err(error)) => {
            tracing::error!(%error, "a signature could not be made");
            Err(unavailable())
        }
        Err(_) => Err(unavailable()),
    }
}

fn sign(held: &Held, order: &TokenOrder) -> Result<Vec<u8>> {
    let mut random = RandomSource::os()
        .map_err(|cause| Error::system("cannot read the system's random generator", cause))?;
    let signature = held.key.sign(&order.blinded, &mut random.stream())?;
    let key = held.id();
    TokenGiven { key, signature }.encode()
}

fn no_order(no: NoOrder) -> Reply {
    match no {
        NoOrder::Garbage(error) => garbage(error.message()),
        NoOrder::Mistyped(error) => Reply::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "mistyped",
            error.message(),
            "type the code again: eight groups of four letters and digits",
        ),
    }
}

fn garbage(why: &str) -> Reply {
    let hint = "send JSON with code, key and blinded_message; GET /openapi.json describes it";
    Reply::new(StatusCode::UNPROCESSABLE_ENTITY, "garbage", why, hint)
}

fn unknown_key() -> Reply {
    Reply::new(
        StatusCode::NOT_FOUND,
        "unknown-key",
        "this issuer has no such key",
        "GET /v1/issuer lists its keys",
    )
}

fn unknown_code() -> Reply {
    Reply::new(
        StatusCode::FORBIDDEN,
        "unknown-code",
        "nobody was given this code here",
        "ask who handed it out whether it is for this issuer",
    )
}

fn used() -> Reply {
    Reply::new(
        StatusCode::CONFLICT,
        "used",
        "this code has had its token of this campaign",
        "a code is good for one token of each campaign, and what was asked for first is had again",
    )
}

fn retired() -> Reply {
    Reply::new(
        StatusCode::GONE,
        "retired",
        "this key signs nothing new any more",
        "ask for a token of the key that the collector announces now",
    )
}

fn unavailable() -> Reply {
    Reply::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "unavailable",
        "the issuer cannot keep what it signs at the moment",
        "send the same again later; a code is not used up by it",
    )
    .after(5)
}

async fn metrics(State(shared): Everything) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, shared.metrics.text(shared.queue.works())).into_response()
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// Whether tokens can be had.
async fn healthz(State(shared): Everything) -> Response {
    match shared.queue.works() {
        true => "ok\n".into_response(),
        false => unavailable().into_response(),
    }
}
