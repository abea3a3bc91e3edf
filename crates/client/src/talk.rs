//! Asking until there is a reply that means something.
//!
//! A refusal counts only if it is one of the service: a code that the protocol has, with its status, in a
//! body of its form. Anything else (a portal of a café, a gateway, half a reply) passes, and is tried
//! again: what is given up here may have been paid for.

use std::time::Duration;

use rand_core::Rng;
use serde::Deserialize;
use wayveil_core::Result;
use wayveil_noise::Stream;

use crate::outcome::Outcome;
use crate::transport::{Method, Reply, Request, Sleeper, Transport};

/// The first wait after a failure, in milliseconds; each further one is twice as long.
const FIRST: u64 = 1_000;
/// No wait after a failure is longer, in milliseconds.
const LONGEST: u64 = 300_000;
/// No wait that a service asks for is longer, in milliseconds.
const LONGEST_ASKED: u64 = 3_600_000;

/// What ends it: the codes of the collector and the issuer, with their statuses.
const REFUSALS: [(u16, &str); 10] = [
    (403, "forged"),
    (403, "unknown-code"),
    (404, "unknown-key"),
    (409, "used"),
    (410, "closed"),
    (410, "retired"),
    (413, "too-large"),
    (422, "garbage"),
    (422, "mistyped"),
    (426, "upgrade"),
];
/// There is nothing at the address. What is posted goes where something is, so there this says that
/// somebody else answers for the service.
const UNKNOWN: (u16, &str) = (404, "unknown");
const EARLY: (u16, &str) = (425, "early");

/// For people.
pub(crate) const NOT_OPEN: &str = "the round is not open yet";

/// The body of a refusal.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Refusal {
    code: String,
    error: String,
}

/// What came of asking: a reply, or how this call ends.
pub(crate) type Heard<T> = std::result::Result<T, Outcome>;

pub(crate) struct Talk<'a> {
    pub(crate) transport: &'a mut dyn Transport,
    pub(crate) sleeper: &'a mut dyn Sleeper,
    pub(crate) random: Stream,
    /// What is left of it.
    pub(crate) patience: Duration,
}

/// What one attempt came to.
enum Attempt<T> {
    Said(T),
    Refused(String, String),
    Passing(Passing),
}

/// Something that passes: a failure, or a service that asks to wait.
pub(crate) struct Passing {
    /// The seconds that the service asks for.
    pub(crate) after: Option<u64>,
    /// For people.
    pub(crate) why: String,
}

/// How long is waited between attempts: longer each time.
pub(crate) struct Backoff(u64);

impl Backoff {
    pub(crate) fn new() -> Self {
        Self(FIRST)
    }

    /// The next wait, at least as many seconds as the service asks for.
    pub(crate) fn next(&mut self, asked: Option<u64>, random: &mut Stream) -> Duration {
        let least = asked_for(asked);
        // Half of it is drawn, so that clients that failed together do not come back together.
        let drawn = self.0 / 2 + random.next_u64() % (self.0 / 2 + 1);
        self.0 = (self.0 * 2).min(LONGEST);
        Duration::from_millis(least + drawn)
    }
}

/// What a service asks to wait, in milliseconds, as far as that is done.
pub(crate) fn asked_for(seconds: Option<u64>) -> u64 {
    seconds.unwrap_or(0).saturating_mul(1000).min(LONGEST_ASKED)
}

fn reading(url: &str, most: usize) -> Request<'_> {
    Request {
        method: Method::Get,
        url,
        content_type: "",
        body: &[],
        most,
    }
}

impl Talk<'_> {
    pub(crate) fn get<T>(
        &mut self,
        url: &str,
        most: usize,
        read: impl Fn(&[u8]) -> Result<T>,
    ) -> Heard<T> {
        self.ask(&reading(url, most), read)
    }

    /// Asks once. In place of what was asked for there may be something that passes.
    pub(crate) fn get_once<T>(
        &mut self,
        url: &str,
        most: usize,
        read: impl Fn(&[u8]) -> Result<T>,
    ) -> Heard<std::result::Result<T, Passing>> {
        match self.attempt(&reading(url, most), &read) {
            Attempt::Said(said) => Ok(Ok(said)),
            Attempt::Refused(code, why) => Err(Outcome::stopped(&code, why)),
            Attempt::Passing(passing) => Ok(Err(passing)),
        }
    }

    pub(crate) fn post<T>(
        &mut self,
        url: &str,
        content_type: &'static str,
        body: &[u8],
        read: impl Fn(&[u8]) -> Result<T>,
    ) -> Heard<T> {
        let request = Request {
            method: Method::Post,
            url,
            content_type,
            body,
            most: 16 << 10,
        };
        self.ask(&request, read)
    }

    fn ask<T>(&mut self, request: &Request<'_>, read: impl Fn(&[u8]) -> Result<T>) -> Heard<T> {
        let mut backoff = Backoff::new();
        loop {
            let Passing { after, why } = match self.attempt(request, &read) {
                Attempt::Said(said) => return Ok(said),
                Attempt::Refused(code, why) => return Err(Outcome::stopped(&code, why)),
                Attempt::Passing(passing) => passing,
            };
            let wait = backoff.next(after, &mut self.random);
            self.wait(wait, why)?;
        }
    }

    fn attempt<T>(
        &mut self,
        request: &Request<'_>,
        read: impl Fn(&[u8]) -> Result<T>,
    ) -> Attempt<T> {
        let Reply {
            status,
            retry_after,
            body,
        } = match self.transport.send(request) {
            Ok(reply) => reply,
            Err(failure) => {
                return Attempt::Passing(Passing {
                    after: None,
                    why: failure.0,
                });
            }
        };
        let passing = |why: String| {
            Attempt::Passing(Passing {
                after: retry_after,
                why,
            })
        };
        if status == 200 {
            return match read(&body) {
                Ok(said) => Attempt::Said(said),
                Err(error) => passing(error.to_string()),
            };
        }
        let refusal = serde_json::from_slice::<Refusal>(&body).ok();
        let Some(Refusal { code, error }) = refusal else {
            return passing(format!("the reply had the status {status}"));
        };
        let said = (status, code.as_str());
        let ends = REFUSALS.contains(&said) || said == UNKNOWN && request.method == Method::Get;
        match ends {
            true => Attempt::Refused(code, error),
            false if said == EARLY => passing(NOT_OPEN.to_owned()),
            false => passing(error),
        }
    }

    /// Waits, or says that it would take longer than this call may.
    pub(crate) fn wait(&mut self, how_long: Duration, why: String) -> Heard<()> {
        let Some(left) = self.patience.checked_sub(how_long) else {
            return Err(Outcome::Later {
                seconds: how_long.as_secs() + 1,
                why,
            });
        };
        self.patience = left;
        self.sleeper.sleep(how_long);
        Ok(())
    }
}
