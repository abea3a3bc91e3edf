//! The time between having a token and asking for the question.
//!
//! The issuer sees when a token is asked for, the collector when a question and then an answer is. A
//! time that is drawn lies in between. It is kept together with the token and counted by the clock: a
//! process that ends meanwhile, or an app that comes back too early, neither cuts it short nor begins it
//! anew.

use std::time::Duration;

use rand_core::Rng;

/// A wait that has begun, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    /// When it began, since 1970.
    pub(crate) since: u64,
    /// How long it takes.
    pub(crate) lasts: u64,
}

impl Spread {
    /// Draws a wait shorter than `most` that begins now; none if no time is wanted.
    pub(crate) fn draw(most: Duration, now: Duration, rng: &mut impl Rng) -> Option<Self> {
        match millis(most) {
            0 => None,
            most => Some(Self {
                since: millis(now),
                lasts: rng.next_u64() % most,
            }),
        }
    }

    /// How much is left of it. The clock was set back if it shows a time before the beginning: nobody
    /// can say what passed, and it begins anew.
    pub(crate) fn left(&mut self, now: Duration) -> Duration {
        let now = millis(now);
        let passed = now.checked_sub(self.since).unwrap_or_else(|| {
            self.since = now;
            0
        });
        Duration::from_millis(self.lasts.saturating_sub(passed))
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_passed_counts_and_a_clock_that_is_set_back_begins_anew() {
        let at = Duration::from_secs;
        let mut wait = Spread {
            since: 1_000_000,
            lasts: 60_000,
        };
        assert_eq!(wait.left(at(1000)), at(60));
        assert_eq!(wait.left(at(1045)), at(15));
        assert_eq!(wait.left(at(1060)), at(0));
        assert_eq!(wait.left(at(9999)), at(0));
        assert_eq!(wait.left(at(500)), at(60));
        assert_eq!(wait.left(at(530)), at(30));
    }
}
