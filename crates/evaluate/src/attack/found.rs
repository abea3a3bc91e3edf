//! What an attack found, beside what it finds where there is nothing to find.

use wayveil_noise::statistics::{incomplete_beta, probability_at_least, probability_at_most};

/// How often something was tried, and succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// How often it was tried.
    pub tries: u64,
    /// How often it succeeded.
    pub successes: u64,
}

impl Group {
    /// The share of tries that succeeded; none without tries.
    pub fn rate(&self) -> Option<f64> {
        (self.tries > 0).then(|| self.successes as f64 / self.tries as f64)
    }

    /// The interval of the share with confidence 1 − `alpha` (Clopper and Pearson 1934).
    pub fn interval(&self, alpha: f64) -> (f64, f64) {
        interval((self.successes, self.successes), self.tries, alpha)
    }
}

/// What stands beside the attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// The same attack on people who are not in what was published.
    Outsiders(Group),
    /// A coin that is right with this probability.
    Coin(f64),
    /// Nothing.
    None,
}

/// One number of an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Which, within its attack: `points-4`; empty where there is only one.
    pub name: String,
    /// The attack on people who are in what was published; where the control is a coin, all
    /// tries.
    pub members: Group,
    /// What stands beside it.
    pub control: Control,
    /// Where tries share victims or releases: how many count as independent in the interval.
    pub independent: Option<u64>,
}

impl Found {
    /// The share of tries that succeeded; none without tries.
    pub fn rate(&self) -> Option<f64> {
        self.members.rate()
    }

    /// The control's share.
    pub fn control_rate(&self) -> Option<f64> {
        match self.control {
            Control::Outsiders(group) => group.rate(),
            Control::Coin(probability) => Some(probability),
            Control::None => None,
        }
    }

    /// The interval of the share with confidence 1 − `alpha`, for no more tries than are
    /// independent.
    pub fn interval(&self, alpha: f64) -> (f64, f64) {
        match (self.independent, self.rate()) {
            (Some(independent), Some(rate)) if independent < self.members.tries => {
                let successes = rate * independent as f64;
                let between = (successes.floor() as u64, successes.ceil() as u64);
                interval(between, independent, alpha)
            }
            _ => self.members.interval(alpha),
        }
    }

    /// The control's interval; a coin has none.
    pub fn control_interval(&self, alpha: f64) -> Option<(f64, f64)> {
        match self.control {
            Control::Outsiders(group) if group.tries > 0 => Some(group.interval(alpha)),
            _ => None,
        }
    }

    /// The probability of so good a result if what was published told nothing about who is in.
    ///
    /// Beside outsiders: Fisher's exact test, one-sided. Given all outcomes, fair coins make those
    /// who are in a uniformly random subset of the victims. Beside a coin: the exact binomial
    /// test. None without a control.
    pub fn p_value(&self) -> Option<f64> {
        match self.control {
            Control::Outsiders(others) => Some(so_many_in(self.members, others)),
            Control::Coin(probability) => {
                let Group { tries, successes } = self.members;
                Some(at_least(successes, tries, probability))
            }
            Control::None => None,
        }
    }

    /// Whether the attack does better than its control, with confidence 1 − `alpha`.
    pub fn better_than_chance(&self, alpha: f64) -> bool {
        self.p_value().is_some_and(|p_value| p_value < alpha)
    }
}

fn interval((least, most): (u64, u64), tries: u64, alpha: f64) -> (f64, f64) {
    if tries == 0 {
        return (0.0, 1.0);
    }
    (
        probability_at_least(least, tries, alpha / 2.0),
        probability_at_most(most, tries, alpha / 2.0),
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

/// The probability that of all successes at least so many fall to the members, if these are any
/// subset of the tries with the same probability: the tail of the hypergeometric distribution.
///
/// Terms are summed from the most probable one outwards, which stands for 1, by the ratio of
/// neighbours. What underflows is nothing beside it.
fn so_many_in(members: Group, others: Group) -> f64 {
    let all = members.successes + others.successes;
    let (low, high) = (all.saturating_sub(others.tries), all.min(members.tries));
    if members.successes <= low {
        return 1.0;
    }
    let ratio = |k: u64| {
        let up = (all - k) as f64 * (members.tries - k) as f64;
        up / ((k + 1) as f64 * (others.tries + k + 1 - all) as f64)
    };
    let top = {
        let tries = (members.tries + others.tries) as f64 + 2.0;
        let mode = (all as f64 + 1.0) * (members.tries as f64 + 1.0) / tries;
        (mode as u64).clamp(low, high)
    };
    let (mut sum, mut tail) = (0.0, 0.0);
    let mut take = |k: u64, term: f64| {
        sum += term;
        if k >= members.successes {
            tail += term;
        }
        term > 0.0
    };
    let (mut k, mut term) = (top, 1.0);
    while take(k, term) && k < high {
        term *= ratio(k);
        k += 1;
    }
    let (mut k, mut term) = (top, 1.0);
    while k > low {
        k -= 1;
        term /= ratio(k);
        if !take(k, term) {
            break;
        }
    }
    (tail / sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(tries: u64, successes: u64) -> Group {
        Group { tries, successes }
    }

    fn beside(members: Group, others: Group) -> Found {
        Found {
            name: String::new(),
            members,
            control: Control::Outsiders(others),
            independent: None,
        }
    }

    #[test]
    fn fishers_test_is_a_count_of_subsets() {
        // Every choice of members among up to nine victims, of whom the first few succeed.
        for victims in 0..=9u32 {
            for successes in 0..=victims {
                for members in 0..=victims {
                    let subsets = || (0..1u32 << victims).filter(|it| it.count_ones() == members);
                    let right = |subset: u32| (subset & ((1 << successes) - 1)).count_ones();
                    for seen in subsets()
                        .map(right)
                        .collect::<std::collections::BTreeSet<_>>()
                    {
                        let as_good = subsets().filter(|&it| right(it) >= seen).count();
                        let expected = as_good as f64 / subsets().count() as f64;
                        let of = |tries: u32, right: u32| group(tries.into(), right.into());
                        let found =
                            beside(of(members, seen), of(victims - members, successes - seen));
                        let p_value = found.p_value().unwrap();
                        assert!((p_value - expected).abs() < 1e-12, "{found:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn fishers_test_is_quick_and_sane_for_many() {
        let many = 5_000_000;
        let even = beside(group(many, many / 2), group(many, many / 2)).p_value();
        assert!((even.unwrap() - 0.5).abs() < 1e-3, "{even:?}");
        let all = beside(group(many, many), group(many, 0)).p_value();
        assert_eq!(all, Some(0.0));
        let none = beside(group(many, 0), group(many, many)).p_value();
        assert_eq!(none, Some(1.0));
        // Three of three in, none of three out: one of twenty subsets.
        let few = beside(group(3, 3), group(3, 0));
        assert!((few.p_value().unwrap() - 0.05).abs() < 1e-12);
        assert!(few.better_than_chance(0.051) && !few.better_than_chance(0.049));
    }

    #[test]
    fn coins_are_judged_by_the_binomial() {
        let found = Found {
            control: Control::Coin(0.5),
            ..beside(group(4, 4), group(0, 0))
        };
        assert!((found.p_value().unwrap() - 1.0 / 16.0).abs() < 1e-12);
        let (low, high) = found.interval(0.05);
        assert!(high == 1.0 && (low - 0.025f64.powf(0.25)).abs() < 1e-9);
        let none = Found {
            members: group(0, 0),
            ..found
        };
        assert_eq!((none.rate(), none.interval(0.05)), (None, (0.0, 1.0)));
    }

    #[test]
    fn nothing_is_said_without_a_control() {
        let found = Found {
            control: Control::None,
            ..beside(group(9, 9), group(0, 0))
        };
        assert_eq!((found.p_value(), found.control_rate()), (None, None));
        assert!(!found.better_than_chance(0.999));
    }

    #[test]
    fn tries_that_hang_together_count_as_few() {
        let found = Found {
            independent: Some(10),
            ..beside(group(1000, 505), group(0, 0))
        };
        let (low, high) = found.interval(0.05);
        assert_eq!((low, high), {
            let (low, _) = group(10, 5).interval(0.05);
            let (_, high) = group(10, 6).interval(0.05);
            (low, high)
        });
    }
}
