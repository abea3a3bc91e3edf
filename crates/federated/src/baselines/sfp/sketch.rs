//! Count-mean sketches: what a client sends, what many of them add up to, and estimates.

use std::sync::atomic::{AtomicU32, Ordering};

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Error, RandomSource, Result};
use wayveil_noise::{ExactProbability, Rate, binomial};

/// The prime 2^61 − 1.
const PRIME: u64 = (1 << 61) - 1;

/// Public hash functions from numbers below 2^61 − 1 to columns: a polynomial of degree two with
/// random coefficients modulo a prime, then the remainder by the width. Any three values hash
/// independently, as Apple's analysis of the variance needs, but for the remainder's unevenness of
/// width/2^61.
pub(super) struct HashFunctions {
    coefficients: Vec<[u64; 3]>,
    width: u32,
}

impl HashFunctions {
    pub(super) fn draw<R: Rng + ?Sized>(functions: u32, width: u32, rng: &mut R) -> Self {
        let mut coefficient = || {
            loop {
                let bits = rng.next_u64() >> 3;
                if bits < PRIME {
                    return bits;
                }
            }
        };
        let coefficients = (0..functions).map(|_| [coefficient(), coefficient(), coefficient()]);
        Self {
            coefficients: coefficients.collect(),
            width,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.coefficients.len()
    }

    #[cfg(test)]
    pub(super) fn coefficients(&self, function: usize) -> [u64; 3] {
        self.coefficients[function]
    }

    #[inline]
    pub(super) fn column(&self, function: usize, value: u64) -> usize {
        let [a, b, c] = self.coefficients[function];
        let times = |x: u64, y: u64, plus: u64| {
            let product = u128::from(x) * u128::from(y) + u128::from(plus);
            let folded = (product as u64 & PRIME) + (product >> 61) as u64;
            if folded >= PRIME {
                folded - PRIME
            } else {
                folded
            }
        };
        (times(times(a, value, b), value, c) % u64::from(self.width)) as usize
    }
}

/// The probability with which every bit of a one-hot row is flipped, 1/(1+e^rate), rate = ε/2.
pub(super) fn flip_probability(rate: Rate) -> ExactProbability {
    ExactProbability::laplace_tail(rate, 1)
}

/// What a client sends for a value in this column.
#[cfg(test)]
pub(super) fn row<R: Rng + ?Sized>(
    column: usize,
    width: u32,
    flip: &ExactProbability,
    rng: &mut R,
) -> Vec<bool> {
    (0..width as usize)
        .map(|at| (at == column) != (binomial(1, flip, rng) == 1))
        .collect()
}

/// Where the clients' ones are before they flip bits: rows of functions, by column. Filled from many
/// threads; sums do not depend on their order.
pub(super) struct Placed {
    width: usize,
    at: Vec<AtomicU32>,
}

impl Placed {
    pub(super) fn new(functions: usize, width: u32) -> Self {
        let width = width as usize;
        let mut at = Vec::new();
        at.resize_with(functions * width, AtomicU32::default);
        Self { width, at }
    }

    #[inline]
    pub(super) fn place(&self, function: usize, column: usize) {
        self.at[function * self.width + column].fetch_add(1, Ordering::Relaxed);
    }

    /// What the server gets. All bits flip independently, so that the number of ones in a cell is
    /// the sum of two binomials: those that were ones and did not flip, and those that were zeros
    /// and did. It has the same law as the sum of the clients' rows.
    pub(super) fn flipped(&self, flip: &ExactProbability, random: &mut RandomSource) -> Sketch {
        let mut sketch = Sketch::empty(self.at.len() / self.width, self.width, flip);
        let mut streams = random.streams(sketch.reports.len());
        let rows = sketch.ones.par_chunks_mut(self.width);
        let rows = rows.zip(self.at.par_chunks(self.width));
        (rows.zip(&mut sketch.reports).zip(&mut streams)).for_each(
            |(((ones, at), reports), stream)| {
                let at = at
                    .iter()
                    .map(|cell| u64::from(cell.load(Ordering::Relaxed)));
                *reports = at.clone().sum();
                for (ones, placed) in ones.iter_mut().zip(at) {
                    *ones = placed - binomial(placed, flip, stream)
                        + binomial(*reports - placed, flip, stream);
                }
            },
        );
        sketch
    }
}

/// Ones by function and column, and reports by function.
#[derive(Debug, PartialEq)]
pub(super) struct Sketch {
    width: usize,
    flip: f64,
    ones: Vec<u64>,
    reports: Vec<u64>,
}

/// An estimated number of reports of a value, and its standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Frequency {
    pub(super) count: f64,
    pub(super) standard_error: f64,
}

impl Sketch {
    pub(super) fn empty(functions: usize, width: usize, flip: &ExactProbability) -> Self {
        Self {
            width,
            flip: flip.as_f64(),
            ones: vec![0; functions * width],
            reports: vec![0; functions],
        }
    }

    /// Adds one client's row.
    #[cfg(test)]
    pub(super) fn add(&mut self, function: usize, row: &[bool]) {
        self.reports[function] += 1;
        let cells = &mut self.ones[function * self.width..][..self.width];
        (cells.iter_mut().zip(row)).for_each(|(ones, &bit)| *ones += u64::from(bit));
    }

    /// The ones, row by row.
    pub(super) fn into_ones(self) -> Vec<u64> {
        self.ones
    }

    #[cfg(test)]
    pub(super) fn ones(&self) -> &[u64] {
        &self.ones
    }

    /// How many reports it holds.
    pub(super) fn reports(&self) -> u64 {
        self.reports.iter().sum()
    }

    /// How many clients had their one in each column of a function, estimated: (ones − n·q)/(1 − 2q).
    pub(super) fn unflipped(&self, function: usize) -> impl Iterator<Item = f64> + '_ {
        let expected = self.reports[function] as f64 * self.flip;
        let cells = &self.ones[function * self.width..][..self.width];
        cells
            .iter()
            .map(move |&ones| (ones as f64 - expected) / (1.0 - 2.0 * self.flip))
    }

    /// Frequencies of many values: with x_j the estimate in the value's column of function j,
    /// w/(w−1)·(Σ_j x_j − n/w), without bias over the choice of the functions, as a value shares its
    /// column with another by chance 1/w. The functions are drawn and used alike, so the spread of
    /// the x_j gives the standard error of their sum, with all its causes: flipped bits, shared
    /// columns, and which client drew which function.
    pub(super) fn frequencies(&self, hashes: &HashFunctions, values: &[u64]) -> Vec<Frequency> {
        const VALUES_PER_TASK: usize = 4096;
        let functions = hashes.len();
        let cells: Vec<f64> = (0..functions).flat_map(|f| self.unflipped(f)).collect();
        let (k, w) = (functions as f64, self.width as f64);
        let (scale, chance) = (w / (w - 1.0), self.reports() as f64 / w);
        let of_task = |values: &[u64]| {
            let mut sums = vec![(0.0, 0.0); values.len()];
            for (function, cells) in cells.chunks_exact(self.width).enumerate() {
                for (&value, sums) in values.iter().zip(&mut sums) {
                    let x = cells[hashes.column(function, value)];
                    sums.0 += x;
                    sums.1 += x * x;
                }
            }
            sums
        };
        (values.par_chunks(VALUES_PER_TASK).flat_map_iter(of_task))
            .map(|(sum, squares)| {
                let spread = (squares - sum * sum / k).max(0.0) / (k - 1.0);
                Frequency {
                    count: scale * (sum - chance),
                    standard_error: scale * (k * spread).sqrt(),
                }
            })
            .collect()
    }
}

/// A report's rate ε/2 when it gets one of `parts` equal shares of ε.
pub(super) fn report_rate(epsilon: &wayveil_core::Epsilon, parts: u64) -> Result<Rate> {
    let halves = parts
        .checked_mul(2)
        .ok_or_else(|| Error::input("there are too many shares of epsilon"))?;
    epsilon.rate_over(halves)
}
