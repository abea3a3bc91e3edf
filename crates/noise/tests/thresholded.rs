//! The δ formulas against every answer that can be given, in exact arithmetic.
//!
//! Nothing in them depends on e but through α = e^(−rate), and they hold for any α between 0 and 1.
//! So both neighbours' distributions are enumerated with a rational α and compared exactly, δ being
//! the greatest P(S) − α^(−m)·P′(S): the sum of what is positive over single answers.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use wayveil_noise::Rate;
use wayveil_noise::thresholded::{Contribution, laplace_delta, truncated_delta};

type Q = BigRational;
/// The answers for several keys, none where a key is not released, with their probabilities.
type Law = BTreeMap<Vec<Option<i64>>, Q>;

fn q(num: i64, den: i64) -> Q {
    Q::new(num.into(), den.into())
}

fn power(alpha: &Q, exponent: i64) -> Q {
    match exponent {
        0.. => num_traits::pow(alpha.clone(), exponent as usize),
        _ => num_traits::pow(alpha.recip(), exponent.unsigned_abs() as usize),
    }
}

/// The noise and from which noisy count on a key is released.
#[derive(Clone, Copy, Debug)]
enum Release {
    Laplace { threshold: i64 },
    Truncated { bound: i64 },
}

/// Beyond this, whole noise is one lump: all likelihood ratios are the same there.
const FAR: i64 = 20;

impl Release {
    fn threshold(self) -> i64 {
        match self {
            Release::Laplace { threshold } => threshold,
            Release::Truncated { bound } => bound + 1,
        }
    }

    /// The law of the answer for one key with this count.
    fn answer(self, alpha: &Q, count: i64) -> BTreeMap<Option<i64>, Q> {
        if count == 0 {
            return BTreeMap::from([(None, Q::one())]);
        }
        let mut law = BTreeMap::new();
        let mut tell = |noisy: i64, mass: Q| {
            let answer = (noisy >= self.threshold()).then_some(noisy);
            *law.entry(answer).or_insert_with(Q::zero) += mass;
        };
        match self {
            Release::Laplace { .. } => {
                let total = (Q::one() + alpha) / (Q::one() - alpha);
                for noisy in count - FAR..FAR {
                    tell(noisy, power(alpha, (noisy - count).abs()) / &total);
                }
                let tail = |from: i64| power(alpha, from) / (Q::one() + alpha);
                tell(i64::MIN, tail(FAR + 1));
                tell(FAR, tail(FAR - count));
            }
            Release::Truncated { bound } => {
                let total: Q = (-bound..=bound).map(|x| power(alpha, x.abs())).sum();
                for x in -bound..=bound {
                    tell(count + x, power(alpha, x.abs()) / &total);
                }
            }
        }
        assert!(law.values().sum::<Q>().is_one());
        law
    }

    fn answers(self, alpha: &Q, counts: &[i64]) -> Law {
        let mut law: Law = BTreeMap::from([(vec![], Q::one())]);
        for &count in counts {
            let answer = self.answer(alpha, count);
            law = (law.iter())
                .flat_map(|(before, p)| {
                    answer.iter().map(move |(one, more)| {
                        let all = before.iter().copied().chain([*one]).collect();
                        (all, p * more)
                    })
                })
                .collect();
        }
        law
    }

    /// The greatest P(S) − α^(−m)·P′(S), both ways, where one owner adds `added` to `counts`.
    fn delta(self, alpha: &Q, most: i64, counts: &[i64], added: &[i64]) -> Q {
        let sums: Vec<i64> = counts.iter().zip(added).map(|(a, b)| a + b).collect();
        let (without, with) = (self.answers(alpha, counts), self.answers(alpha, &sums));
        let factor = power(alpha, -most);
        let beyond = |one: &Law, other: &Law| -> Q {
            let differences = one
                .iter()
                .map(|(answer, p)| p - &factor * other.get(answer).unwrap_or(&Q::zero()));
            differences.filter(Signed::is_positive).sum()
        };
        beyond(&without, &with).max(beyond(&with, &without))
    }
}

fn laplace_single(alpha: &Q, threshold: i64) -> Q {
    power(alpha, threshold - 1) / (Q::one() + alpha)
}

/// As it is usually written: (e^ε − 1)/(e^(ε(B+1)) + e^(εB) − 2).
fn truncated_single(alpha: &Q, bound: i64) -> Q {
    let e = alpha.recip();
    (&e - Q::one()) / (power(&e, bound + 1) + power(&e, bound) - q(2, 1))
}

fn alphas() -> [Q; 5] {
    [q(1, 10), q(1, 3), q(1, 2), q(9, 10), q(99, 100)]
}

#[test]
fn one_key_with_whole_noise_costs_exactly_its_formula() {
    for alpha in alphas() {
        for threshold in 1..=8 {
            let release = Release::Laplace { threshold };
            let found = |count| release.delta(&alpha, 1, &[count], &[1]);
            assert_eq!(found(0), laplace_single(&alpha, threshold), "a new key");
            for count in 1..15 {
                assert!(found(count).is_zero(), "a key that is there anyway");
            }
        }
    }
}

#[test]
fn one_key_with_truncated_noise_costs_exactly_its_formula_whatever_its_count() {
    for alpha in alphas() {
        for bound in 0..=6 {
            let release = Release::Truncated { bound };
            for count in 0..=2 * bound + 4 {
                let found = release.delta(&alpha, 1, &[count], &[1]);
                assert_eq!(found, truncated_single(&alpha, bound), "{bound} {count}");
            }
        }
    }
}

/// All ways to split up to `most` over `keys` keys.
fn splits(most: i64, keys: usize) -> Vec<Vec<i64>> {
    if keys == 0 {
        return vec![vec![]];
    }
    let with = |first: i64| {
        let rest = splits(most - first, keys - 1).into_iter();
        rest.map(move |rest| [vec![first], rest].concat())
    };
    (0..=most).flat_map(with).collect()
}

/// The formulas of the module for several keys, in exact numbers.
fn stated(release: Release, alpha: &Q, most: i64, distinct: bool) -> Q {
    let m = q(most, 1);
    match (release, distinct) {
        (Release::Laplace { threshold }, true) => m * laplace_single(alpha, threshold),
        (Release::Laplace { threshold }, false) => {
            let one = power(alpha, threshold - most) / (Q::one() + alpha);
            one.max(m * laplace_single(alpha, threshold))
        }
        (Release::Truncated { bound }, true) => m * truncated_single(alpha, bound),
        (Release::Truncated { bound }, false) => {
            let whole = Q::one() + alpha - q(2, 1) * power(alpha, bound + 1);
            power(alpha, bound + 1 - most) * (Q::one() - power(alpha, most)) / whole
        }
    }
}

#[test]
fn several_keys_cost_at_most_what_is_stated() {
    let releases = [
        Release::Laplace { threshold: 3 },
        Release::Laplace { threshold: 5 },
        Release::Truncated { bound: 2 },
        Release::Truncated { bound: 3 },
    ];
    let (mut twice_breaks, mut tight) = (0, 0);
    for release in releases {
        for alpha in [q(1, 10), q(1, 2), q(9, 10)] {
            for most in [2, 3] {
                // Whole noise has many answers; two keys show what three would.
                let keys = match release {
                    Release::Laplace { .. } => 2,
                    Release::Truncated { .. } => most as usize,
                };
                let singly = stated(release, &alpha, most, true);
                let in_all = stated(release, &alpha, most, false);
                for added in splits(most, keys) {
                    for counts in splits(2, keys) {
                        let found = release.delta(&alpha, most, &counts, &added);
                        if added.iter().all(|&one| one <= 1) {
                            assert!(found <= singly, "{release:?} {alpha} {counts:?} {added:?}");
                        }
                        assert!(found <= in_all, "{release:?} {alpha} {counts:?} {added:?}");
                        twice_breaks += u32::from(found > singly);
                        tight += u32::from(found == in_all);
                    }
                }
            }
        }
    }
    assert!(twice_breaks > 0, "a key twice is not two keys");
    assert!(tight > 0, "all in one key is the worst there is");
}

#[test]
fn what_the_code_states_is_what_is_enumerated() {
    for (num, den) in [(1, 2), (1, 1), (2, 7)] {
        let rate = Rate::new(num, den).unwrap();
        // Exactly the float next to e^(−rate); the rest is far below the digits that are stated.
        let alpha = Q::from_float((-rate.as_f64()).exp()).unwrap();
        for at in [1, 2, 4, 7] {
            let whole = Release::Laplace { threshold: at };
            let cut = Release::Truncated { bound: at };
            let one = Contribution::ONE_KEY;
            for (release, stated) in [
                (
                    whole,
                    laplace_delta(rate, (at as u64).try_into().unwrap(), one),
                ),
                (cut, truncated_delta(rate, at as u64, one)),
            ] {
                let found = (0..=2 * at + 2)
                    .map(|count| release.delta(&alpha, 1, &[count], &[1]))
                    .max()
                    .and_then(|delta| delta.to_f64())
                    .unwrap();
                let ratio = stated.as_f64() / found;
                assert!(
                    (1.0 - 1e-12..1.0 + 1.1e-5).contains(&ratio),
                    "{release:?} {ratio}"
                );
            }
        }
    }
}

/// The same for owners with several keys, or with several in one: the code states the formula that was
/// enumerated above, and no way to split what an owner adds costs more.
#[test]
fn what_the_code_states_for_several_keys_covers_what_is_enumerated() {
    let number = |n: i64| NonZeroU32::new(n as u32).unwrap();
    for (num, den) in [(1, 2), (1, 1)] {
        let rate = Rate::new(num, den).unwrap();
        let alpha = Q::from_float((-rate.as_f64()).exp()).unwrap();
        for at in [2, 4, 5] {
            let releases = [
                Release::Laplace { threshold: at },
                Release::Truncated { bound: at },
            ];
            for release in releases {
                for (most, distinct) in [(2, true), (3, true), (2, false), (3, false)] {
                    let by = match distinct {
                        true => Contribution::DistinctKeys(number(most)),
                        false => Contribution::InAll(number(most)),
                    };
                    let code = match release {
                        Release::Laplace { .. } => {
                            laplace_delta(rate, (at as u64).try_into().unwrap(), by)
                        }
                        Release::Truncated { .. } => truncated_delta(rate, at as u64, by),
                    };
                    let what = format!("{release:?} {by:?} {rate}");
                    let exact = stated(release, &alpha, most, distinct).min(Q::one());
                    let ratio = code.as_f64() / exact.to_f64().unwrap();
                    assert!(
                        (1.0 - 1e-12..1.0 + 1.1e-5).contains(&ratio),
                        "{what} {ratio}"
                    );
                    let mut worst = 0.0_f64;
                    for added in splits(most, 2) {
                        if distinct && added.iter().any(|&one| one > 1) {
                            continue;
                        }
                        for counts in [[0, 0], [0, 1], [1, 1], [0, at], [at, at + 1]] {
                            let found = release.delta(&alpha, most, &counts, &added);
                            worst = worst.max(found.to_f64().unwrap());
                        }
                    }
                    assert!(worst <= code.as_f64() * (1.0 + 1e-12), "{what} {worst}");
                    // Not for nothing: the half of it is needed, whatever the form.
                    assert!(worst >= 0.5 * code.as_f64(), "{what} {worst}");
                }
            }
        }
    }
}
