//! The time before the question is asked for.
//!
//! The issuer sees when a token is asked for, the collector when a question and then an answer is. A
//! time that is drawn lies in between. It is kept together with the token and counted by the clock: a
//! process that ends meanwhile, or an app that comes back too early, neither cuts it short nor begins it
//! anew. The same is waited after a question that was asked for in vain.

use std::time::Duration;

use rand_core::Rng;

/// The first wait after a question that was asked for in vain, in milliseconds.
const FIRST: u64 = 10_000;
/// So often it doubles: to a month.
const DOUBLED: u32 = 18;

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

    /// What is waited after the question was asked for so many times in vain: twice as long each time, with no end
    /// to it but the round's. Half of it is drawn.
    pub(crate) fn again(tries: u32, now: Duration, rng: &mut impl Rng) -> Self {
        let most = FIRST << tries.saturating_sub(1).min(DOUBLED);
        Self {
            since: millis(now),
            lasts: most / 2 + rng.next_u64() % (most / 2 + 1),
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
    fn waits_for_a_question_double() {
        let mut rng = wayveil_core::RandomSource::insecure_seed(1).stream();
        let mut most = 10_000;
        for tries in 1..=19 {
            let wait = Spread::again(tries, Duration::ZERO, &mut rng).lasts;
            assert!((most / 2..=most).contains(&wait), "{wait} of {most}");
            most *= 2;
        }
        assert!(Spread::again(u32::MAX, Duration::ZERO, &mut rng).lasts < most);
    }

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
