//! The bar a fragment must pass, and what a yes-count says about the number of clients.

use wayveil_core::{Error, Result};

use super::binomial::{SLACK, upper_tail};

/// At least `k` of `population` clients must have a fragment; a client's bit is flipped with
/// probability `flip`. All public.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    population: u64,
    k: u64,
    flip: f64,
}

impl Bar {
    /// A bar of 1 ≤ `k` ≤ `population` clients and 0 ≤ `flip` < ½.
    pub fn new(population: u64, k: u64, flip: f64) -> Result<Self> {
        if k == 0 || k > population {
            return Err(Error::input(format!(
                "invalid k (got {k}): it must lie between 1 and the {population} clients"
            )));
        }
        if !(0.0..0.5).contains(&flip) {
            return Err(Error::input(format!(
                "invalid probability of a flipped bit (got {flip}): it must lie in [0, 0.5)"
            )));
        }
        Ok(Self {
            population,
            k,
            flip,
        })
    }

    /// How many clients there are.
    pub fn population(&self) -> u64 {
        self.population
    }

    /// How many clients must have a fragment.
    pub fn k(&self) -> u64 {
        self.k
    }

    /// The probability that a bit is flipped.
    pub fn flip(&self) -> f64 {
        self.flip
    }

    /// The probability of a yes from a client drawn uniformly when k − 1 clients have the fragment,
    /// rounded up: the largest that a fragment below the bar can have.
    pub fn yes_probability(&self) -> f64 {
        self.yes_when(self.most_below())
    }

    /// The same for a client drawn from those not yet drawn, after `drawn` clients in uniform order,
    /// rounded up.
    ///
    /// It bounds the probability of a yes at every one of the first `drawn` + 1 draws at once, except
    /// with a probability of at most `failure`. What it is needed for, and why it holds, stands in
    /// [`super::sequential`].
    pub fn yes_probability_after(&self, drawn: u64, failure: f64) -> f64 {
        self.yes_when(self.most_below_after(drawn, failure))
    }

    /// The probability of a yes from a client drawn uniformly when so many clients have the fragment,
    /// rounded up.
    pub fn yes_with(&self, holders: u64) -> f64 {
        self.yes_when(holders.min(self.population) as f64 / self.population as f64)
    }

    /// The yes-count from which the paper admits a fragment: the mean at a share of k/N plus
    /// Hoeffding's margin √(asked·(−ln ξ)/2), rounded up to a count.
    pub fn published_threshold(&self, asked: u64, xi: f64) -> u64 {
        let asked = asked as f64;
        let margin = (-xi.ln() * asked / 2.0).sqrt();
        let mean = asked * self.yes_when(self.k as f64 / self.population as f64);
        (mean + margin).ceil() as u64
    }

    /// The number of clients that `yes` of `asked` answers speak for, unbiased, hence at times below
    /// zero or above the population; 0 if nobody was asked.
    pub fn count(&self, yes: u64, asked: u64) -> f64 {
        if asked == 0 {
            return 0.0;
        }
        self.count_at(yes as f64 / asked as f64)
    }

    /// The standard error of [`count`](Self::count), with half a yes and half a no added so that it is
    /// never zero; the population if nobody was asked.
    ///
    /// It takes answers as independent. Drawing without replacement makes it a little too large.
    pub fn standard_error(&self, yes: u64, asked: u64) -> f64 {
        if asked == 0 {
            return self.population as f64;
        }
        let answers = asked as f64 + 1.0;
        let share = ((yes.min(asked) as f64 + 0.5) / answers).clamp(0.0, 1.0);
        let deviation = (share * (1.0 - share) / asked as f64).sqrt();
        self.population as f64 * deviation / (1.0 - 2.0 * self.flip)
    }

    /// The interval of Clopper and Pearson (1934) for the number of clients, in whole clients,
    /// outwards, within [0, N]: for a number of answers fixed in advance it fails with a probability of
    /// at most 1 − `confidence`, half of it on each side.
    ///
    /// Where the number of answers depended on earlier ones, or only admitted fragments are
    /// looked at, the confidence is that of a fixed question, not of the chosen ones.
    pub fn interval(&self, yes: u64, asked: u64, confidence: f64) -> (u64, u64) {
        let yes = yes.min(asked);
        let each_side = (1.0 - confidence) / 2.0;
        let low = self.count_at(self.share_at_least(yes, asked, each_side));
        let high = self.count_at(1.0 - self.share_at_least(asked - yes, asked, each_side));
        let clip = |count: f64| count.clamp(0.0, self.population as f64) as u64;
        (clip(low.floor()), clip(high.ceil()))
    }

    fn count_at(&self, share: f64) -> f64 {
        self.population as f64 * (share - self.flip) / (1.0 - 2.0 * self.flip)
    }

    /// The largest probability, rounded down, at which `asked` answers hold `yes` or more yeses with a
    /// probability of at most `alpha`.
    fn share_at_least(&self, yes: u64, asked: u64, alpha: f64) -> f64 {
        if yes == 0 {
            return 0.0;
        }
        let thousandth_of_a_client = (1.0 - 2.0 * self.flip) / self.population as f64 * 1e-3;
        let (mut low, mut high) = (0.0, yes as f64 / asked as f64);
        while high - low > thousandth_of_a_client {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if upper_tail(asked, middle, yes) * (1.0 + SLACK) <= alpha {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// (k − 1)/N.
    fn most_below(&self) -> f64 {
        (self.k - 1) as f64 / self.population as f64
    }

    fn most_below_after(&self, drawn: u64, failure: f64) -> f64 {
        let share = self.most_below();
        if drawn == 0 || share == 0.0 {
            return share;
        }
        if drawn >= self.population {
            return 1.0;
        }
        let (before, after) = (drawn as f64, (self.population - drawn) as f64);
        let holders = (self.k - 1) as f64;
        // Two exponents of the same event; see the proof.
        let unlikely = |rate: f64| {
            let drawn_holders = holders - rate * after;
            let by_drawn = if drawn_holders < 0.0 {
                f64::INFINITY
            } else {
                before * divergence(drawn_holders / before, share)
            };
            by_drawn.max(after * divergence(rate, share)) >= -failure.ln()
        };
        let (mut low, mut high) = (share, (holders / after).min(1.0));
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if unlikely(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// share·(1 − η) + (1 − share)·η, rounded up.
    fn yes_when(&self, share: f64) -> f64 {
        let exactly = self.flip + share * (1.0 - 2.0 * self.flip);
        // Five roundings, each of at most half a unit in the last place of a term below the sum.
        (exactly * (1.0 + 4.0 * f64::EPSILON)).min(1.0)
    }
}

/// The divergence of a coin of probability `a` from one of probability 0 < `b` < 1, in nats.
fn divergence(a: f64, b: f64) -> f64 {
    let term = |x: f64, y: f64| if x == 0.0 { 0.0 } else { x * (x / y).ln() };
    term(a, b) + term(1.0 - a, 1.0 - b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bar() -> Bar {
        Bar::new(1000, 101, 0.25).unwrap()
    }

    #[test]
    fn a_worked_example() {
        let bar = bar();
        // 100 of 1,000 clients: 0.1·0.75 + 0.9·0.25.
        let yes = bar.yes_probability();
        assert!(yes > 0.3 && yes < 0.3 + 1e-15);
        // 400 answers at k = 101: mean 0.3005·400 = 120.2, margin √(200·ln 100) = 30.35.
        assert_eq!(bar.published_threshold(400, 0.01), 151);
        assert!((bar.count(120, 400) - 100.0).abs() < 1e-12);
        assert!(bar.count(80, 400) < 0.0);
        assert_eq!(bar.count(0, 0), 0.0);
        // √(0.3·0.7/400) = 0.0229; times 1,000 and twice.
        let error = bar.standard_error(120, 400);
        assert!((error - 45.8).abs() < 0.1, "{error}");
        assert!(bar.standard_error(0, 400) > 0.0);
    }

    #[test]
    fn intervals_are_those_of_clopper_and_pearson() {
        // 2 of 10 without noise: 0.025211 and 0.556096 of the population.
        let bar = Bar::new(1_000_000, 1, 0.0).unwrap();
        assert_eq!(bar.interval(2, 10, 0.95), (25_210, 556_096));
        assert_eq!(bar.interval(0, 10, 0.95).0, 0);
        assert_eq!(bar.interval(10, 10, 0.95).1, 1_000_000);
        assert_eq!(bar.interval(0, 0, 0.95), (0, 1_000_000));
    }

    #[test]
    fn intervals_cover_as_often_as_they_say() {
        let bar = Bar::new(200, 1, 0.2).unwrap();
        for truth in [0_u64, 1, 40, 120, 200] {
            let p = 0.2 + truth as f64 / 200.0 * 0.6;
            let asked = 60;
            let missed: f64 = (0..=asked)
                .filter(|&yes| {
                    let (low, high) = bar.interval(yes, asked, 0.9);
                    truth < low || truth > high
                })
                .map(|yes| upper_tail(asked, p, yes) - upper_tail(asked, p, yes + 1))
                .sum();
            assert!(missed <= 0.1 + 1e-9, "truth {truth}: {missed}");
        }
    }

    #[test]
    fn what_is_no_bar_is_an_error() {
        for (population, k, flip) in [(10, 0, 0.1), (10, 11, 0.1), (10, 5, 0.5), (10, 5, -0.1)] {
            assert!(Bar::new(population, k, flip).is_err());
        }
        assert!(Bar::new(10, 5, f64::NAN).is_err());
    }

    #[test]
    fn the_rest_is_bounded_by_what_can_be_left() {
        let bar = Bar::new(1000, 101, 0.0).unwrap();
        assert_eq!(bar.yes_probability_after(0, 0.01), bar.yes_probability());
        assert_eq!(bar.yes_probability_after(1000, 0.01), 1.0);
        // No failure allowed: all holders may be left.
        let sure = bar.yes_probability_after(500, 0.0);
        assert!((sure - 0.2).abs() < 1e-12, "{sure}");
    }

    /// Exactly: how often the rate among those left ever exceeds `rate` within `drawn` draws.
    fn ever_above(population: u64, holders: u64, drawn: u64, rate: f64) -> f64 {
        let mut alive = vec![0.0; holders as usize + 1];
        alive[0] = 1.0;
        let mut above = 0.0;
        for already in 0..drawn {
            let left = (population - already) as f64;
            let mut next = vec![0.0; alive.len()];
            for (found, &p) in alive.iter().enumerate() {
                let share = (holders as f64 - found as f64) / left;
                next[found] += p * (1.0 - share);
                if found + 1 < next.len() {
                    next[found + 1] += p * share;
                }
            }
            for (found, p) in next.iter_mut().enumerate() {
                if (holders as f64 - found as f64) / (left - 1.0) > rate {
                    above += core::mem::take(p);
                }
            }
            alive = next;
        }
        above
    }

    proptest! {
        #[test]
        fn the_bound_on_the_rest_fails_no_more_often_than_it_says(
            population in 2_u64..300, k in 0.0_f64..1.0, drawn in 0.0_f64..1.0, exponent in -4.0_f64..-0.3,
        ) {
            let k = 1 + (k * population as f64) as u64;
            let drawn = (drawn * population as f64) as u64;
            let failure = 10_f64.powf(exponent);
            let bar = Bar::new(population, k, 0.0).unwrap();
            let rate = bar.yes_probability_after(drawn, failure);
            let found = ever_above(population, k - 1, drawn, rate);
            prop_assert!(found <= failure, "{} > {}", found, failure);
        }
    }
}
