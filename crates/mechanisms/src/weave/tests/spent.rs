//! What is spent: shares, noise and thresholds, each as the proof has them.

use std::borrow::Cow;
use std::num::NonZeroU32;

use wayveil_core::{
    ColumnNames, Origin, PrivacyUnit, PublicInputs, RandomSource, Records, Sequences, Universe,
};
use wayveil_noise::{DiscreteLaplace, Rate, auto_threshold};

use super::super::features::{Features, Kind, UNITS};
use super::super::measure::{Counts, Measured, measure};
use super::super::noise::{Allowance, Noise};
use super::super::options::Options;
use super::super::paid::{Paid, measure_all};
use super::super::shares::{PARTS, TOTAL};
use crate::parameters::Parameters;
use crate::weave::Weave;

const LOCATIONS: usize = 5;

fn options(epsilon: &str, task: &str) -> Options {
    let given = [("epsilon", epsilon), ("task", task), ("max-length", "8")];
    Options::read(&Parameters::new(Weave::PARAMETERS, given).unwrap()).unwrap()
}

fn paid(rows: &[Vec<u32>], unit: PrivacyUnit, options: &Options, seed: u64) -> Paid {
    let labels = (0..LOCATIONS).map(|place| place.to_string());
    let universe = Universe::from_labels(labels, Origin::FromData).unwrap();
    let records = Records {
        public: PublicInputs {
            universe: &universe,
            time: None,
            unit,
            columns: ColumnNames::default(),
        },
        sequences: Cow::Owned(Sequences::from_codes(rows)),
        attributes: Vec::new(),
        owners: None,
        units: None,
    };
    let allowance = Allowance::of(options).unwrap();
    let mut random = RandomSource::insecure_seed(seed);
    measure_all(&records, options, &allowance, &mut random).unwrap()
}

pub(super) fn bounded(records: u32) -> PrivacyUnit {
    PrivacyUnit::OwnerBounded(NonZeroU32::new(records).unwrap())
}

/// What a group costs: by how much a unit of so many records can move it, over the scale of its noise.
fn cost(group: &Measured, records: u32) -> f64 {
    group.features.most as f64 * UNITS as f64 * f64::from(records) / group.law.scale()
}

#[test]
fn all_groups_together_cost_epsilon_and_no_more() {
    let rows: Vec<Vec<u32>> = (0..300).map(|at| vec![at % 5, 1, at % 3, 4]).collect();
    for task in ["counts", "patterns", "flows", "all"] {
        for (epsilon, unit) in [("1", PrivacyUnit::Owner), ("0.3", bounded(3))] {
            for rows in [&rows[..], &rows[..1], &[]] {
                let paid = paid(rows, unit, &options(epsilon, task), 1);
                let groups = std::iter::once(&paid.total).chain(&paid.groups);
                let sum: f64 = groups.map(|group| cost(group, unit.records())).sum();
                let epsilon: f64 = epsilon.parse().unwrap();
                assert!((sum - epsilon).abs() < 1e-9, "{task} {epsilon}: {sum}");
            }
        }
    }
}

#[test]
fn noise_is_as_large_as_its_scale_says() {
    // Of no records there is nothing but noise: its mean size is about its scale.
    let options = options("1", "all");
    let mut sizes: Vec<(Kind, f64, f64)> = Vec::new();
    for seed in 0..200 {
        let paid = paid(&[], PrivacyUnit::Owner, &options, seed);
        for group in std::iter::once(&paid.total).chain(&paid.groups) {
            let noise = group.dense().iter();
            let sum: f64 = noise.map(|&it| it.unsigned_abs() as f64).sum();
            let (sum, cells) = (sum / group.law.scale(), group.dense().len() as f64);
            match sizes.iter_mut().find(|it| it.0 == group.kind()) {
                Some(known) => *known = (known.0, known.1 + sum, known.2 + cells),
                None => sizes.push((group.kind(), sum, cells)),
            }
        }
    }
    assert_eq!(sizes.len(), 11);
    for (kind, sum, cells) in sizes {
        // The seeds are fixed; with others, 4 standard deviations where there is one cell.
        let mean = sum / cells;
        assert!((0.7..1.3).contains(&mean), "{kind:?}: {mean}");
    }
}

#[test]
fn shares_follow_the_noisy_number_of_records_and_not_the_exact_one() {
    let rows = vec![vec![0, 1]; 20_000];
    let (unit, options) = (bounded(50), options("1", "all"));
    let shares = |number: f64| {
        let shares = options.task.shares(number.max(1.0));
        shares.map(|(_, share)| share).to_vec()
    };
    let mut differed = false;
    for seed in 0..5 {
        let paid = paid(&rows, unit, &options, seed);
        let number = paid.total.dense()[0] as f64 / UNITS as f64;
        let spent = paid.groups.iter();
        let spent: Vec<u64> = spent
            .map(|group| (cost(group, 50) * PARTS as f64).round() as u64)
            .collect();
        assert_eq!(spent, shares(number), "{number}");
        differed |= spent != shares(rows.len() as f64);
        let total = (cost(&paid.total, 50) * PARTS as f64).round() as u64;
        assert_eq!(total, TOTAL);
    }
    assert!(differed, "noise never moved a share: nothing was tested");
}

#[test]
fn a_threshold_does_not_know_the_data() {
    let (locations, rate) = (5_000, Rate::new(1, 4 * UNITS).unwrap());
    let features = Features::new(Kind::Ends, 1, locations, 10);
    let noise = Noise::Laplace(DiscreteLaplace::new(rate));
    let least = auto_threshold(&rate, 25_000_000, (20, 1)).unwrap() as i64;
    let crowds: Vec<Vec<u32>> = (0..3_000).map(|at| vec![at % 30, 4_999]).collect();
    for rows in [Vec::new(), crowds] {
        let sequences = Sequences::from_codes(&rows);
        let (mut empty, mut lowest) = (0, i64::MAX);
        for seed in 0..40 {
            let mut random = RandomSource::insecure_seed(seed);
            let measured = measure(&sequences, features.clone(), noise, &mut random).unwrap();
            let Counts::Sparse { cells, noisy } = measured.counts else {
                panic!("25,000,000 cells were visited");
            };
            let held = |cell: &u64| !rows.is_empty() && cell / 5_000 < 30 && cell % 5_000 == 4_999;
            empty += cells.iter().filter(|cell| !held(cell)).count();
            lowest = lowest.min(noisy.iter().copied().min().unwrap_or(i64::MAX));
        }
        // 20 of the empty ones on average, whoever is in the others, and down to the threshold.
        assert!((680..920).contains(&empty), "{empty}");
        assert!((least..least + 20).contains(&lowest), "{lowest} {least}");
    }
}
