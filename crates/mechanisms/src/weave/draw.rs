//! Drawing from weights, for the pool. Post-processing: floats may decide here.

use rand_core::Rng;

/// A uniform number below 1.
pub(super) fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The sums of weights up to each; empty where there is no weight at all.
#[derive(Clone, Debug, Default)]
pub(super) struct Cumulative(Vec<f32>);

impl Cumulative {
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let sums: Vec<f32> = weights
            .into_iter()
            .map(|weight| {
                sum += weight.max(0.0);
                sum as f32
            })
            .collect();
        match sum > 0.0 {
            true => Self(sums),
            false => Self(Vec::new()),
        }
    }

    /// These weights, or equal ones where they are nothing.
    pub(super) fn or_even(weights: Vec<f64>) -> Self {
        match Self::new(weights.iter().copied()) {
            sums if sums.is_empty() => Self::new(weights.iter().map(|_| 1.0)),
            sums => sums,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number with probability proportional to its weight; none where there is no weight.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> Option<usize> {
        let all = *self.0.last()?;
        let at = (unit(rng) * f64::from(all)) as f32;
        let found = self.0.partition_point(|&sum| sum <= at);
        Some(found.min(self.0.len() - 1))
    }
}

/// As [`Cumulative`], for few weights that are used once.
pub(super) fn once(weights: &[f64], rng: &mut impl Rng) -> Option<usize> {
    let all: f64 = weights.iter().sum();
    let mut left = unit(rng) * all;
    let mut last = None;
    for (at, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            last = Some(at);
            if left < weight {
                return last;
            }
            left -= weight;
        }
    }
    last
}
