//! What the owner of a client agrees to.

use std::time::Duration;

use wayveil_core::{Epsilon, Rational};
use wayveil_federated::client::Limits;

/// What the owner agrees to, and how long a call may take.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address of the collector.
    pub collector: String,
    /// The most that one campaign may ask.
    pub limits: Limits,
    /// The largest ε of all campaigns together.
    pub total: Epsilon,
    /// The address of the issuer that gave out the code, as it was handed to this person along with
    /// it: the one place where the code is shown. Never taken from what a collector announces, which
    /// could name itself.
    pub issuer: Option<String>,
    /// The code that was handed to this person; needed where a campaign admits by tokens.
    pub code: Option<String>,
    /// How long one call waits in all before it says [`crate::Outcome::Later`].
    pub patience: Duration,
    /// Where a token admits the answer, a random time up to this passes from having the token to asking
    /// for the question, so that who sees both cannot match them by their times. A round that closes in
    /// this time is missed, so let it be short beside the time that rounds are open.
    pub spread: Duration,
}

impl Settings {
    /// For a collector, with limits that let a person deny an answer: ε up to 2 in one campaign and 4
    /// in all, one fragment of up to five visits, no waiting, answers spread over ten minutes.
    pub fn new(collector: impl Into<String>) -> Self {
        let whole = |epsilon: u64| {
            Rational::new(epsilon, 1)
                .and_then(Epsilon::new)
                .expect("a whole number above zero")
        };
        Self {
            collector: collector.into(),
            limits: Limits {
                epsilon: whole(2),
                per_client: 1,
                length: 5,
            },
            total: whole(4),
            issuer: None,
            code: None,
            patience: Duration::ZERO,
            spread: Duration::from_secs(600),
        }
    }
}
