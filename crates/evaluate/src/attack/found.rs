//! What an attack found, beside what a guesser would have.

use wayveil_noise::statistics::{incomplete_beta, probability_at_least, probability_at_most};

/// What stands beside the attacker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guesser {
    /// One who knows everyone but the victim, on the same victims.
    Paired {
        /// For how many victims the guesser is right.
        successes: u64,
        /// For how many victims the attacker alone is right.
        only_attacker: u64,
        /// For how many victims the guesser alone is right.
        only_guesser: u64,
    },
    /// One who tosses a coin that is right with this probability.
    Coin(f64),
}

/// One number of an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Which, within its attack: `points-4`; empty where there is only one.
    pub name: String,
    /// How often the attack was made.
    pub tries: u64,
    /// How often it succeeded.
    pub successes: u64,
    /// The guesser.
    pub guesser: Guesser,
}

impl Found {
    /// Counts paired results: for each victim, whether the attacker and the guesser are right.
    pub fn paired(
        name: impl Into<String>,
        results: impl IntoIterator<Item = (bool, bool)>,
    ) -> Self {
        let (mut tries, mut successes) = (0, 0);
        let (mut guessed, mut only_attacker, mut only_guesser) = (0, 0, 0);
        for (attacker, guesser) in results {
            tries += 1;
            successes += u64::from(attacker);
            guessed += u64::from(guesser);
            only_attacker += u64::from(attacker && !guesser);
            only_guesser += u64::from(guesser && !attacker);
        }
        Self {
            name: name.into(),
            tries,
            successes,
            guesser: Guesser::Paired {
                successes: guessed,
                only_attacker,
                only_guesser,
            },
        }
    }

    /// The share of tries that succeeded; none without tries.
    pub fn rate(&self) -> Option<f64> {
        (self.tries > 0).then(|| self.successes as f64 / self.tries as f64)
    }

    /// The guesser's share.
    pub fn guesser_rate(&self) -> Option<f64> {
        match self.guesser {
            Guesser::Paired { successes, .. } => {
                (self.tries > 0).then(|| successes as f64 / self.tries as f64)
            }
            Guesser::Coin(probability) => Some(probability),
        }
    }

    /// The interval of the share with confidence 1 − `alpha` (Clopper and Pearson 1934).
    pub fn interval(&self, alpha: f64) -> (f64, f64) {
        interval(self.successes, self.tries, alpha)
    }

    /// The guesser's interval; a coin has none.
    pub fn guesser_interval(&self, alpha: f64) -> Option<(f64, f64)> {
        match self.guesser {
            Guesser::Paired { successes, .. } => Some(interval(successes, self.tries, alpha)),
            Guesser::Coin(_) => None,
        }
    }

    /// The probability of so good a result if the attacker were no better than the guesser.
    ///
    /// Paired: McNemar's exact test, one-sided: of the victims for whom only one of the two is
    /// right, the attacker has at most half on average. Coin: the exact binomial test.
    pub fn p_value(&self) -> f64 {
        match self.guesser {
            Guesser::Paired {
                only_attacker,
                only_guesser,
                ..
            } => at_least(only_attacker, only_attacker + only_guesser, 0.5),
            Guesser::Coin(probability) => at_least(self.successes, self.tries, probability),
        }
    }

    /// Whether the attacker is better than the guesser, with confidence 1 − `alpha`.
    pub fn better_than_guessing(&self, alpha: f64) -> bool {
        self.p_value() < alpha
    }
}

fn interval(successes: u64, tries: u64, alpha: f64) -> (f64, f64) {
    if tries == 0 {
        return (0.0, 1.0);
    }
    (
        probability_at_least(successes, tries, alpha / 2.0),
        probability_at_most(successes, tries, alpha / 2.0),
    )
}

/// The probability that at least `successes` of `tries` coins fall on the side of `probability`.
fn at_least(successes: u64, tries: u64, probability: f64) -> f64 {
    if successes == 0 {
        return 1.0;
    }
    incomplete_beta(
        successes as f64,
        (tries - successes) as f64 + 1.0,
        probability,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_judged_by_those_who_differ() {
        // Two right together, one attacker alone, none guesser alone.
        let found = Found::paired(
            "",
            [(true, true), (true, true), (true, false), (false, false)],
        );
        assert_eq!((found.tries, found.successes), (4, 3));
        assert_eq!(found.guesser_rate(), Some(0.5));
        assert!((found.p_value() - 0.5).abs() < 1e-12);
        // Eight heads of nine: (9 + 1) / 512.
        let results = [(true, false); 8].into_iter().chain([(false, true)]);
        let found = Found::paired("", results);
        assert!((found.p_value() - 10.0 / 512.0).abs() < 1e-12);
        assert!(found.better_than_guessing(0.05) && !found.better_than_guessing(0.01));
    }

    #[test]
    fn coins_are_judged_by_the_binomial() {
        let found = Found {
            name: String::new(),
            tries: 4,
            successes: 4,
            guesser: Guesser::Coin(0.5),
        };
        assert!((found.p_value() - 1.0 / 16.0).abs() < 1e-12);
        let (low, high) = found.interval(0.05);
        assert!(high == 1.0 && (low - 0.025f64.powf(0.25)).abs() < 1e-9);
        let none = Found {
            tries: 0,
            successes: 0,
            ..found
        };
        assert_eq!((none.rate(), none.interval(0.05)), (None, (0.0, 1.0)));
    }
}
