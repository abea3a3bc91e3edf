//! Random small databases with everything that can be odd about them, and the promise held against
//! brute force.

use rand_core::Rng;
use wayveil_noise::RandomSource;

use super::brute::{Database, options, requirement, run};
use crate::suppress::{Mode, Preserve, Requirement};

fn below<R: Rng>(rng: &mut R, end: u32) -> u32 {
    rng.next_u32() % end
}

/// Up to a dozen records over a few places and bins; sometimes several records to an owner, one or
/// two columns of values.
fn random_database<R: Rng>(rng: &mut R) -> Database {
    let records = 1 + below(rng, 12) as usize;
    let (places, bins) = (1 + below(rng, 3), 1 + below(rng, 4));
    let longest = 1 + below(rng, 6);
    let record = |rng: &mut R| {
        let length = below(rng, longest + 1);
        (0..length)
            .map(|_| (below(rng, bins), below(rng, places)))
            .collect()
    };
    let database = (0..records).map(|_| record(rng)).collect();
    let owners = (below(rng, 3) == 0).then(|| {
        let people = 1 + below(rng, 8);
        (0..records).map(|_| below(rng, people)).collect()
    });
    let columns = (0..below(rng, 3)).map(|_| {
        let values = 2 + below(rng, 4);
        let column = (0..records).map(|_| below(rng, values)).collect();
        // Nobody has the value 9.
        (column, vec![0, 1, 9])
    });
    Database {
        records: database,
        owners,
        columns: columns.collect(),
    }
}

fn random_requirement<R: Rng>(rng: &mut R) -> Requirement {
    let c = [(3, 10), (2, 5), (1, 2), (3, 5), (4, 5), (1, 1)];
    let l = match below(rng, 9) {
        0 => None,
        l => Some(1 + l % 4),
    };
    requirement(2 + below(rng, 3), c[below(rng, 6) as usize], l)
}

/// Calls `check` with so many databases and requirements, always the same for a seed.
pub(super) fn each_random_database(
    seed: u64,
    count: usize,
    mut check: impl FnMut(&Database, &Requirement),
) {
    let mut rng = RandomSource::insecure_seed(seed).stream();
    for _ in 0..count {
        let database = random_database(&mut rng);
        let requirement = random_requirement(&mut rng);
        check(&database, &requirement);
    }
}

/// The same with what makes confidences rise and fall: enough owners nearly always, one value of two
/// sensitive, more records over fewer doublets.
pub(super) fn each_confident_database(
    seed: u64,
    count: usize,
    mut check: impl FnMut(&Database, &Requirement),
) {
    let mut rng = RandomSource::insecure_seed(seed).stream();
    for _ in 0..count {
        let records = 6 + below(&mut rng, 12) as usize;
        let doublets = 3 + below(&mut rng, 3);
        let record = |rng: &mut _| {
            let all = (0..doublets).map(|doublet| (doublet / 2, doublet % 2));
            all.filter(|_| below(rng, 2) == 0).collect()
        };
        let database = Database {
            records: (0..records).map(|_| record(&mut rng)).collect(),
            owners: None,
            columns: vec![((0..records).map(|_| below(&mut rng, 2)).collect(), vec![0])],
        };
        let c = [(1, 2), (3, 5), (2, 3), (3, 4)][below(&mut rng, 4) as usize];
        let k = 1 + below(&mut rng, 2);
        let l = 2 + below(&mut rng, 3);
        check(&database, &requirement(k, c, Some(l)));
    }
}

/// Checks that outputs keep the promise and that records only lose doublets.
fn outputs_keep_the_promise(seed: u64, count: usize) {
    let mut number = 0;
    let mut check = |database: &Database, requirement: &Requirement| {
        let mut options = options(requirement);
        number += 1;
        options.mode = match number % 4 {
            0 => Mode::Global,
            1 => Mode::Local,
            _ => Mode::Record,
        };
        if number % 3 == 0 {
            let min_support = 1 + number % 4;
            options.preserve = Preserve::MaximalFrequent { min_support };
        }
        let (after, outcome) = run(database, &options);
        let bad = after.violating(requirement);
        assert!(
            bad.is_empty(),
            "{database:?}\n{options:?}\n{after:?}\n{bad:?}"
        );
        for (record, &original) in after.records.iter().zip(&outcome.kept) {
            assert!(!record.is_empty());
            let before = &database.records[original as usize];
            assert!(record.iter().all(|doublet| before.contains(doublet)));
        }
        // Checks are exact, so that nothing is left for a second round.
        let rounds = outcome.summary.rounds;
        assert!(
            options.mode == Mode::Record || rounds <= 1,
            "{database:?} {options:?}"
        );
    };
    each_random_database(seed, count, &mut check);
    each_confident_database(seed, count / 3, &mut check);
}

#[test]
fn three_thousand_outputs_keep_the_promise() {
    outputs_keep_the_promise(7, 3000);
}

/// The long test: `cargo test --release -p wayveil-mechanisms -- --ignored hundred_thousand`.
#[test]
#[ignore = "takes ten seconds or more"]
fn a_hundred_thousand_outputs_keep_the_promise() {
    outputs_keep_the_promise(70, 100_000);
}
