//! From noisy counts to what candidates are drawn from. Post-processing.

use wayveil_core::Taxonomy;

use super::denoise::{Estimate, denoise, denoise_relative};
use super::draw::Cumulative;
use super::features::UNITS;
use super::habits::Habits;
use super::law::Law;
use super::measure::{Counts, Measured};
use super::pool::{Model, Row};

/// Errors of places that fewer than this part of records visit matter as if that part did.
const LEAST: f64 = 1e-3;

/// What candidates are drawn from, and the estimates of the counts that went into it.
pub(super) struct Learned {
    pub(super) model: Model,
    pub(super) first: Vec<Estimate>,
    pub(super) places: Vec<Estimate>,
    /// The same by their means, for whoever asks how wrong they are.
    pub(super) likely: Vec<Estimate>,
    /// None where only some counts of steps are known.
    pub(super) steps: Option<Vec<Estimate>>,
}

impl Learned {
    pub(super) fn new(
        habits: Habits,
        first: &Measured,
        places: &Measured,
        transitions: &Measured,
        taxonomy: Option<&Taxonomy>,
    ) -> Self {
        let least = LEAST * habits.records * UNITS as f64;
        let places_popular = even(places, Some(least));
        let popular = means(&places_popular);
        let first = even(first, None);
        let (next, steps) = match &transitions.counts {
            Counts::Dense(noisy) => {
                let expected = expected_steps(noisy, &popular, transitions.law, taxonomy);
                let there = denoise(noisy, &expected, transitions.law);
                let expected = with_way_back(&expected, &there, popular.len());
                let estimates = denoise(noisy, &expected, transitions.law);
                (
                    dense_rows(&means(&estimates), popular.len()),
                    Some(estimates),
                )
            }
            Counts::Sparse { cells, noisy } => (sparse_rows(cells, noisy, &popular), None),
        };
        Self {
            model: Model {
                habits,
                first: Cumulative::or_even(means(&first)),
                places: Cumulative::or_even(popular),
                next,
            },
            first,
            places: places_popular,
            likely: even(places, None),
            steps,
        }
    }
}

/// Estimates of counts that are expected to be all alike; by their relative error where a least count is given.
fn even(measured: &Measured, least: Option<f64>) -> Vec<Estimate> {
    let noisy = measured.dense();
    let all = noisy.iter().sum::<i64>().max(1) as f64;
    let expected = vec![all / noisy.len().max(1) as f64; noisy.len()];
    match least {
        Some(least) => denoise_relative(noisy, &expected, measured.law, least),
        None => denoise(noisy, &expected, measured.law),
    }
}

fn means(estimates: &[Estimate]) -> Vec<f64> {
    estimates.iter().map(|estimate| estimate.mean).collect()
}

/// Every pair is expected to be as frequent as its places are popular, and as steps between their groups are
/// where there is a taxonomy.
fn expected_steps(
    noisy: &[i64],
    places: &[f64],
    law: Law,
    taxonomy: Option<&Taxonomy>,
) -> Vec<f64> {
    let locations = places.len();
    let all: f64 = places.iter().sum::<f64>().max(1e-9);
    let steps = noisy.iter().sum::<i64>().max(1) as f64;
    let cell =
        |cell: usize| steps * places[cell / locations] / all * places[cell % locations] / all;
    let mut expected: Vec<f64> = (0..noisy.len()).map(cell).collect();
    if let Some(taxonomy) = taxonomy {
        between_groups(noisy, &mut expected, taxonomy, locations, law);
    }
    expected
}

/// Half of what is expected of a step, and half of what is known of the step back. Whether steps back tell
/// anything is learned by whoever weighs this against noisy counts; their noise is another than the step's own.
fn with_way_back(expected: &[f64], known: &[Estimate], locations: usize) -> Vec<f64> {
    let back = |cell: usize| known[cell % locations * locations + cell / locations].mean;
    let both = |(cell, &expected): (usize, &f64)| 0.5 * expected + 0.5 * back(cell);
    expected.iter().enumerate().map(both).collect()
}

fn dense_rows(steps: &[f64], locations: usize) -> Vec<Row> {
    let row = |row: &[f64]| Row {
        targets: Vec::new(),
        weights: Cumulative::new(row.iter().copied()),
        unknown: 0.0,
    };
    steps.chunks(locations.max(1)).map(row).collect()
}

/// Scales expectations so that they sum up to what the noisy counts do, for every pair of groups.
fn between_groups(
    noisy: &[i64],
    expected: &mut [f64],
    taxonomy: &Taxonomy,
    locations: usize,
    law: Law,
) {
    let group_of = taxonomy.group_of_location();
    let groups = taxonomy.groups().len();
    let block = |cell: usize| {
        let (from, to) = (group_of[cell / locations], group_of[cell % locations]);
        from as usize * groups + to as usize
    };
    let mut sums = vec![(0.0f64, 0.0f64, 0.0f64); groups * groups];
    for (cell, (&noisy, &expected)) in noisy.iter().zip(expected.iter()).enumerate() {
        let sum = &mut sums[block(cell)];
        *sum = (sum.0 + noisy as f64, sum.1 + expected, sum.2 + 1.0);
    }
    let ratios: Vec<f64> = sums
        .into_iter()
        .map(|(noisy, expected, cells)| {
            // Shrunk towards no change by the noise of the sum.
            let noise = law.variance() * cells;
            let trust = expected * expected / (expected * expected + noise);
            let ratio = (noisy / expected.max(1e-9)).clamp(0.02, 100.0);
            1.0 + (ratio - 1.0) * trust.max(if noisy > 3.0 * noise.sqrt() { 0.9 } else { 0.0 })
        })
        .collect();
    for (cell, expected) in expected.iter_mut().enumerate() {
        *expected *= ratios[block(cell)];
    }
}

/// Known pairs; the rest of each place's steps is unknown.
fn sparse_rows(cells: &[u64], noisy: &[i64], places: &[f64]) -> Vec<Row> {
    let locations = places.len() as u64;
    let mut rows = Vec::with_capacity(places.len());
    let mut rest = cells.iter().zip(noisy).peekable();
    for (place, &popular) in (0u64..).zip(places) {
        let (mut targets, mut weights) = (Vec::new(), Vec::new());
        while let Some((&cell, &noisy)) = rest.next_if(|(cell, _)| **cell / locations == place) {
            targets.push((cell % locations) as u32);
            weights.push(noisy as f64);
        }
        let known: f64 = weights.iter().sum();
        rows.push(Row {
            targets,
            weights: Cumulative::new(weights),
            unknown: ((popular - known) / popular.max(1e-9)).clamp(0.05, 1.0),
        });
    }
    rows
}
