//! What the service says when it does not do what was asked: JSON with a code for machines.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::gate::Refusal;

/// A client that is told to wait waits at least and at most so many seconds.
const WAIT: std::ops::RangeInclusive<u64> = 1..=3600;

/// A refusal on its way out.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    /// The machine-readable reason.
    pub(crate) code: &'static str,
    error: String,
    hint: &'static str,
    wait: Option<u64>,
    more: Option<Box<(&'static str, Value)>>,
}

impl Reply {
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        error: impl Into<String>,
        hint: &'static str,
    ) -> Self {
        Self {
            status,
            code,
            error: error.into(),
            hint,
            wait: None,
            more: None,
        }
    }

    /// Adds when to try again.
    pub(crate) fn after(mut self, seconds: u64) -> Self {
        self.wait = Some(seconds.clamp(*WAIT.start(), *WAIT.end()));
        self
    }

    /// Adds a field.
    pub(crate) fn with(mut self, name: &'static str, value: Value) -> Self {
        self.more = Some(Box::new((name, value)));
        self
    }

    /// The store, or the way to it, does not work at the moment.
    pub(crate) fn unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "the service cannot keep answers at the moment",
            "send the same again later; nothing is counted twice",
        )
        .after(5)
    }

    pub(crate) fn unknown() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "unknown",
            "there is nothing here",
            "GET /openapi.json lists what there is",
        )
    }

    pub(crate) fn closed() -> Self {
        Self::new(
            StatusCode::GONE,
            "closed",
            "this round is over",
            "nothing more can be sent to it",
        )
    }

    pub(crate) fn early(seconds: u64) -> Self {
        Self::new(
            StatusCode::TOO_EARLY,
            "early",
            "this round has not begun",
            "ask again later",
        )
        .after(seconds)
    }

    /// Of a refused answer; `seconds` until the open round is over.
    pub(crate) fn of(refusal: Refusal, seconds: u64) -> Self {
        match refusal {
            Refusal::Garbage(why) => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "garbage",
                why,
                "send one submission of this campaign",
            ),
            Refusal::Forged(why) => Self::new(
                StatusCode::FORBIDDEN,
                "forged",
                why,
                "get a token from the issuer that the announcement names",
            ),
            Refusal::Used => Self::new(
                StatusCode::CONFLICT,
                "used",
                "this token was used before",
                "a token is good for one answer",
            ),
            Refusal::Closed => Self::closed(),
            Refusal::Early => Self::early(seconds),
        }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.error, "hint": self.hint, "code": self.code });
        if let Some(more) = self.more {
            body[more.0] = more.1;
        }
        let mut response = (self.status, axum::Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.wait {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
