//! What noisy counts tell of true ones, cell by cell, beside what the release has there.

use rustc_hash::FxHashMap;
use wayveil_core::Sequences;

use crate::weave::denoise::Estimate;
use crate::weave::features::{Features, UNITS};
use crate::weave::fit::Fitted;
use crate::weave::measure::gather;

/// Up to so many cells are counted in a table.
const TABLE: u64 = 1 << 21;
/// Records of a cell by which it is moved towards the group's mean weight.
const SHRUNK: f64 = 5.0;

/// A cell: what the release counts there, and what the truth is thought to be. Both in records (or steps), not in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) number: u64,
    pub(super) released: f64,
    /// None where the noisy count did not pass a threshold.
    pub(super) truth: Option<Estimate>,
}

/// All cells of a group that a candidate has, by ascending number.
pub(super) struct Known {
    pub(super) cells: Vec<Cell>,
    /// What other cells hold together.
    pub(super) beyond: f64,
}

impl Known {
    pub(super) fn new(fitted: &Fitted<'_>, released: &Sequences) -> Self {
        let tally = tally(&fitted.measured.features, released);
        let (counts, units) = tally.iter().fold((0.0, 0.0), |(counts, units), it| {
            (counts + it.1 as f64, units + it.2 as f64 / UNITS as f64)
        });
        // How many records a unit stands for: more than one over UNITS where long records count less.
        let usual = if units > 0.0 { counts / units } else { 1.0 };
        let mut told: Vec<(u64, Estimate)> = fitted
            .cells
            .iter()
            .copied()
            .zip(fitted.targets.iter().copied())
            .collect();
        told.sort_unstable_by_key(|it| it.0);
        let (mut told, mut tally) = (told.into_iter().peekable(), tally.into_iter().peekable());
        let mut cells = Vec::new();
        loop {
            let number = match (told.peek(), tally.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => break,
            };
            let own = tally.next_if(|it| it.0 == number);
            let (count, units) =
                own.map_or((0.0, 0.0), |it| (it.1 as f64, it.2 as f64 / UNITS as f64));
            let weight = (count + SHRUNK) / (units + SHRUNK / usual) / UNITS as f64;
            let truth = told.next_if(|it| it.0 == number).map(|(_, it)| Estimate {
                mean: it.mean * weight,
                deviation: it.deviation * weight,
            });
            cells.push(Cell {
                number,
                released: count,
                truth,
            });
        }
        Self {
            cells,
            beyond: fitted.beyond.max(0.0) * usual / UNITS as f64,
        }
    }

    /// The cell of a number.
    pub(super) fn cell(&self, number: u64) -> Option<&Cell> {
        let at = self.cells.binary_search_by_key(&number, |it| it.number);
        at.ok().map(|at| &self.cells[at])
    }
}

/// Cells that a release has, by ascending number: how many records (or steps) count in each, and how many units.
fn tally(features: &Features, released: &Sequences) -> Vec<(u64, u64, u64)> {
    let mut all: Vec<(u64, u64, u64)> = match features.cells() {
        Some(cells) if cells <= TABLE => {
            let pieces = gather(
                released,
                features,
                || vec![(0u64, 0u64); cells as usize],
                |all, cell, units| {
                    let sum = &mut all[cell as usize];
                    *sum = (sum.0 + 1, sum.1 + units as u64);
                },
            );
            let sum = |cell: usize| {
                let own = pieces.iter().map(|piece| piece[cell]);
                own.fold((cell as u64, 0, 0), |sum, it| {
                    (sum.0, sum.1 + it.0, sum.2 + it.1)
                })
            };
            (0..cells as usize).map(sum).filter(|it| it.1 > 0).collect()
        }
        _ => {
            let pieces = gather(
                released,
                features,
                FxHashMap::<u64, (u64, u64)>::default,
                |all, cell, units| {
                    let sum = all.entry(cell).or_default();
                    *sum = (sum.0 + 1, sum.1 + units as u64);
                },
            );
            let mut all = FxHashMap::<u64, (u64, u64)>::default();
            for (cell, own) in pieces.into_iter().flatten() {
                let sum = all.entry(cell).or_default();
                *sum = (sum.0 + own.0, sum.1 + own.1);
            }
            all.into_iter()
                .map(|(cell, (count, units))| (cell, count, units))
                .collect()
        }
    };
    all.sort_unstable();
    all
}

/// How far truth lies from what was expected without its own noisy count, learned from pairs of places: what
/// stands for how far sets of more places lie from what pairs tell.
pub(super) struct Scatter {
    /// By powers of two of the expectation in records, from [`LEAST`] on: expectation, root mean square of the
    /// truth's distance from it, and of the deviation left by noise.
    classes: Vec<(f64, f64, f64)>,
}

/// The power of two that classes begin with.
const LEAST: i32 = -10;
const CLASSES: usize = 40;
/// How distances grow with expectations beyond those that were seen.
const SLOPE: f64 = 0.75;
/// Cells below which a class tells nothing.
const FEW: f64 = 3.0;

impl Scatter {
    /// Where nothing was learned.
    pub(super) fn unknown() -> Self {
        Self {
            classes: Vec::new(),
        }
    }

    pub(super) fn new(pairs: &Fitted<'_>) -> Self {
        let mut sums = vec![(0.0f64, 0.0f64, 0.0f64, 0.0f64); CLASSES];
        for (target, before) in pairs.targets.iter().zip(&pairs.before) {
            let unit = UNITS as f64;
            let (expected, mean) = (before / unit, target.mean / unit);
            let noise = (target.deviation / unit).powi(2);
            let class = (expected.max(1e-9).log2().round() as i32 - LEAST).max(0) as usize;
            let sum = &mut sums[class.min(CLASSES - 1)];
            sum.0 += 1.0;
            sum.1 += expected;
            sum.2 += (mean - expected).powi(2) + noise;
            sum.3 += noise;
        }
        let class = |(cells, expected, distance, noise): (f64, f64, f64, f64)| {
            (
                expected / cells,
                (distance / cells).sqrt(),
                (noise / cells).sqrt(),
            )
        };
        let classes = sums.into_iter().filter(|it| it.0 >= FEW).map(class);
        Self {
            classes: classes.filter(|it| it.0 > 0.0).collect(),
        }
    }

    /// Distance and noise at an expectation.
    pub(super) fn at(&self, expected: f64) -> (f64, f64) {
        let expected = expected.max(1e-6);
        let away = |class: &(f64, f64, f64)| (class.0 / expected).ln().abs();
        let nearest = self
            .classes
            .iter()
            .min_by(|a, b| away(a).total_cmp(&away(b)));
        match nearest {
            Some(&(seen, distance, noise)) => {
                let grown = (expected / seen).powf(SLOPE);
                (distance * grown, noise * grown)
            }
            // Nothing was learned: half of what is expected, and what chance would do.
            None => (0.5 * expected + expected.sqrt(), 0.0),
        }
    }
}
