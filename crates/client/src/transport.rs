//! What carries requests, and who waits. Both are handed in, so that an app can use its own.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The header that names the protocol, on every request.
pub const PROTOCOL_HEADER: &str = "wayveil-protocol";

/// The version of the protocol that this client speaks.
pub const PROTOCOL: &str = "1";

/// How a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nothing is changed by it.
    Get,
    /// Its body is handed over. Every one of this client may be repeated.
    Post,
}

/// One request. A transport adds the protocol's header and nothing that names the person or the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// How.
    pub method: Method,
    /// Where to.
    pub url: &'a str,
    /// The kind of the body.
    pub content_type: &'static str,
    /// The body; empty for [`Method::Get`].
    pub body: &'a [u8],
    /// The longest body of a reply that is worth reading, in bytes: a longer one is a failure.
    pub most: usize,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// The header `Retry-After` in seconds, if there was one.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Vec<u8>,
}

/// No reply; whether the request arrived is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

/// What carries a request and brings the reply.
///
/// It verifies who it talks to, follows no redirect, keeps no cookie, and gives up after a while.
pub trait Transport {
    /// Sends one request.
    fn send(&mut self, request: &Request<'_>) -> Result<Reply, Failure>;
}

/// Who waits, and knows the time.
pub trait Sleeper {
    /// Waits for so long.
    fn sleep(&mut self, how_long: Duration);

    /// The time since 1970. By it a call knows how much of a wait is left that an earlier one began. A
    /// clock that is set back lets a wait begin anew, and one that is set forward ends it.
    fn now(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}

/// Waits by stopping the thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadSleeper;

impl Sleeper for ThreadSleeper {
    fn sleep(&mut self, how_long: Duration) {
        std::thread::sleep(how_long);
    }
}
