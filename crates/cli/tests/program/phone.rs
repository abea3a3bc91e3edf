//! People with phones, who take part in campaigns by the real client over TLS on the loopback.

use std::path::PathBuf;
use std::time::Duration;

use wayveil_client::https::Https;
use wayveil_client::transport::{Failure, Method, Reply, Request, ThreadSleeper, Transport};
use wayveil_client::{Folder, Outcome, Settings, Tools, take_part};
use wayveil_core::RandomSource;

use super::common::Place;

/// Everybody goes from the quay to the mill and nowhere else, and with this ε an answer is turned over
/// with probability 2·10^-9: what is found is known beforehand, whoever is asked when.
pub(crate) const EPSILON: &str = "20";

/// Somebody whose app takes part.
pub(crate) struct OnAPhone {
    pub(crate) number: usize,
    /// The body of everything that was posted.
    pub(crate) sent: Vec<Vec<u8>>,
    settings: Settings,
    folder: PathBuf,
    root: Vec<u8>,
    ended: Option<Outcome>,
    /// What the last call said, for a test that fails.
    said: Option<Outcome>,
}

/// Sends over TLS and remembers what was posted; or keeps answers to itself.
struct Line<'a> {
    https: Https,
    sent: &'a mut Vec<Vec<u8>>,
    silent: bool,
}

impl Transport for Line<'_> {
    fn send(&mut self, request: &Request<'_>) -> Result<Reply, Failure> {
        if request.method == Method::Post {
            self.sent.push(request.body.to_vec());
            if self.silent {
                return Err(Failure("no network".into()));
            }
        }
        self.https.send(request)
    }
}

impl OnAPhone {
    /// Somebody who was given the address of an issuer and a code, or nothing.
    pub(crate) fn new(
        place: &Place,
        collector: &str,
        number: usize,
        enrolled: Option<(String, String)>,
    ) -> Self {
        let mut settings = Settings::new(collector);
        settings.limits.epsilon = EPSILON.parse().unwrap();
        settings.total = EPSILON.parse().unwrap();
        (settings.issuer, settings.code) = enrolled.unzip();
        settings.spread = Duration::ZERO;
        Self {
            number,
            sent: Vec::new(),
            settings,
            folder: place.path(&format!("phone-{number}")),
            root: std::fs::read(place.path("cert.pem")).unwrap(),
            ended: None,
            said: None,
        }
    }

    /// How it stands, for a test that fails.
    pub(crate) fn became(&self) -> String {
        format!("{}: {:?}", self.number, self.said)
    }

    /// One more call; whether that was counted just now. Rounds and places are drawn from a seed.
    pub(crate) fn call(&mut self) -> bool {
        let was_over = self.ended.is_some();
        self.try_to(false);
        !was_over && self.ended == Some(Outcome::Counted)
    }

    /// What it would post now, if it has anything to post.
    pub(crate) fn would_post(&mut self) -> Option<Vec<u8>> {
        let before = self.sent.len();
        self.try_to(true);
        self.sent.get(before).cloned()
    }

    fn try_to(&mut self, silent: bool) {
        if self.ended.is_some() {
            return;
        }
        let outcome = take_part(
            &self.settings,
            &["quay", "mill"],
            Tools {
                disk: &mut Folder::open(&self.folder).unwrap(),
                transport: &mut Line {
                    https: Https::with_roots(&self.root).unwrap(),
                    sent: &mut self.sent,
                    silent,
                },
                sleeper: &mut ThreadSleeper,
                random: &mut RandomSource::insecure_seed_for("phone", self.number as u64),
            },
        );
        let outcome = outcome.unwrap();
        self.said = Some(outcome.clone());
        if outcome.is_final() {
            self.ended = Some(outcome);
        }
    }

    pub(crate) fn stopped_as(&self, code: &str) -> bool {
        matches!(&self.ended, Some(Outcome::Stopped { code: found, .. }) if found == code)
    }
}
