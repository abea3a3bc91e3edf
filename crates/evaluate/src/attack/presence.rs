//! Learns how somebody's presence shifts the numbers of a release.
//!
//! A Gaussian likelihood ratio (Carlini et al. 2022): of two normal distributions with the same
//! spread v whose means lie δ apart, around m, the logarithm of the ratio at x is δ·(x − m)/v. Here
//! m and v belong to a target and a kind of number, while δ is learned for a kind from all
//! targets together, each with the weight 1/v: half of the shadows is too few to learn some twenty
//! shifts for each target, and presence shifts a kind of number in the same way for all. Kinds are
//! added up as if they were independent.

/// The numbers of one target in one release, by kind; none where the target has no such thing.
pub(super) type Numbers = Vec<Option<f64>>;

/// One target in one release.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Whether the target is in.
    pub(super) is_in: bool,
    /// What the release shows.
    pub(super) numbers: Numbers,
}

/// What was learned about one number of one target.
#[derive(Clone, Copy, Debug)]
struct Normal {
    middle: f64,
    spread: f64,
    /// Without and with the target, where both were seen and the number was not always the same.
    shift: Option<f64>,
}

/// A model of several targets.
#[derive(Debug)]
pub(super) struct Presence {
    /// For each target, by kind.
    normals: Vec<Vec<Option<Normal>>>,
    /// By kind.
    shifts: Vec<f64>,
}

impl Presence {
    /// Learns from releases, each with what it shows of every target.
    pub(super) fn learn(releases: &[&[Seen]]) -> Self {
        let targets = releases.first().map_or(0, |release| release.len());
        let normals: Vec<Vec<Option<Normal>>> = (0..targets)
            .map(|target| {
                let kinds = releases[0][target].numbers.len();
                (0..kinds)
                    .map(|kind| normal(releases.iter().map(|release| &release[target]), kind))
                    .collect()
            })
            .collect();
        let kinds = normals.first().map_or(0, Vec::len);
        let shift = |kind: usize| {
            let known = normals.iter().filter_map(|of_target| of_target[kind]);
            let (sum, weight) =
                known.fold((0.0, 0.0), |(sum, weight), normal| match normal.shift {
                    Some(shift) => (sum + shift / normal.spread, weight + 1.0 / normal.spread),
                    None => (sum, weight),
                });
            if weight > 0.0 { sum / weight } else { 0.0 }
        };
        Self {
            shifts: (0..kinds).map(shift).collect(),
            normals,
        }
    }

    /// Whether these numbers speak for the target's presence more than against it.
    pub(super) fn says_in(&self, target: usize, numbers: &Numbers) -> bool {
        let kinds = self.normals[target].iter().zip(&self.shifts).zip(numbers);
        let ratio: f64 = kinds
            .filter_map(|((normal, shift), number)| {
                let (normal, number) = ((*normal)?, (*number)?);
                Some(shift * (number - normal.middle) / normal.spread)
            })
            .sum();
        ratio > 0.0
    }
}

fn normal<'a>(seen: impl Iterator<Item = &'a Seen> + Clone, kind: usize) -> Option<Normal> {
    let side = |is_in: bool| {
        let side = seen.clone().filter(move |seen| seen.is_in == is_in);
        side.filter_map(|seen| seen.numbers[kind])
            .collect::<Vec<f64>>()
    };
    let (without, with) = (side(false), side(true));
    let runs = (without.len() + with.len()) as f64;
    let mean = |of: &[f64]| (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64);
    let squares = |of: &[f64]| {
        let mean = mean(of).unwrap_or(0.0);
        of.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
    };
    // The spread of a count that is one too high in one of so many runs is the least there is.
    let spread = (squares(&without) + squares(&with)) / (runs - 2.0).max(1.0) + 1.0 / runs.max(1.0);
    match (mean(&without), mean(&with)) {
        (Some(low), Some(high)) => {
            let first = without[0];
            let varies = without.iter().chain(&with).any(|&number| number != first);
            Some(Normal {
                middle: f64::midpoint(low, high),
                spread,
                shift: varies.then_some(high - low),
            })
        }
        (one, other) => Some(Normal {
            middle: one.or(other)?,
            spread,
            shift: None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(is_in: bool, numbers: &[f64]) -> Vec<Seen> {
        vec![Seen {
            is_in,
            numbers: numbers.iter().copied().map(Some).collect(),
        }]
    }

    #[test]
    fn a_ratio_is_that_of_two_normal_distributions() {
        // Without: 1 and 3; with: 4 and 6. Squares 2 + 2 over two, and 1/4: v = 2.25; m = 3.5.
        let runs = [
            seen(false, &[1.0]),
            seen(false, &[3.0]),
            seen(true, &[4.0]),
            seen(true, &[6.0]),
        ];
        let runs: Vec<&[Seen]> = runs.iter().map(Vec::as_slice).collect();
        let learned = Presence::learn(&runs);
        let normal = learned.normals[0][0].unwrap();
        assert!((normal.middle - 3.5).abs() < 1e-12 && (normal.spread - 2.25).abs() < 1e-12);
        assert_eq!(learned.shifts, [3.0]);
        assert!(learned.says_in(0, &vec![Some(3.6)]) && !learned.says_in(0, &vec![Some(3.4)]));
        assert!(!learned.says_in(0, &vec![None]), "nothing speaks for it");
    }

    #[test]
    fn a_shift_is_learned_from_targets_with_little_spread() {
        let both = |is_in: bool, exact: f64, rough: f64| {
            [seen(is_in, &[exact]), seen(is_in, &[rough])].concat()
        };
        let runs = [
            both(false, 0.0, 50.0),
            both(false, 0.0, -50.0),
            both(true, 1.0, -70.0),
            both(true, 1.0, 30.0),
        ];
        let runs: Vec<&[Seen]> = runs.iter().map(Vec::as_slice).collect();
        let learned = Presence::learn(&runs);
        // The rough target alone would say −20; its weight is nearly nothing.
        assert!(
            (learned.shifts[0] - 1.0).abs() < 0.01,
            "{:?}",
            learned.shifts
        );
        assert!(learned.says_in(0, &vec![Some(1.0)]) && !learned.says_in(0, &vec![Some(0.0)]));
    }

    #[test]
    fn without_anything_to_learn_nobody_is_in() {
        let runs = [seen(true, &[5.0])];
        let runs: Vec<&[Seen]> = runs.iter().map(Vec::as_slice).collect();
        assert!(!Presence::learn(&runs).says_in(0, &vec![Some(9.0)]));
        assert!(Presence::learn(&[]).normals.is_empty());
    }
}
