//! Suppression, beside what it is made of: the exact enumeration of all minimal violating sequences,
//! and that beside one pass that counts co-occurring pairs of doublets.
//!
//! The records are made so that most of them can be kept: a routine has eight doublets, some
//! routines are common and many are not, and a record is a part of one routine in which now and then
//! a doublet has strayed. Where every record differs from all others, as in the presets, nearly
//! everything has to go, and little is learned about speed.

use std::hint::black_box;
use std::num::NonZeroU32;

use rand_core::Rng;
use wayveil_core::{RandomSource, Rational, Sequences, Silent};
use wayveil_mechanisms::suppress::{
    Mode, Options, Preserve, Requirement, SensitiveColumn, Table, Variant, count_minimal_violating,
    suppress,
};

use super::{Benchmark, Effort};
use crate::growth::Size;
use crate::memory;
use crate::report::{Comparison, Goal};
use crate::rounds::{Times, Work, interleaved};

/// Doublets of a routine.
const ROUTINE: u32 = 8;
const HOURS: u32 = 24;
/// So many of a thousand doublets have strayed, unless more would leave too little.
const STRAYS: u32 = 400;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "suppress",
    about: "suppression to (30, 0.6)_3-privacy, beside enumeration and counting pairs",
    run: standard,
};

pub(super) const BY_RECORDS: Benchmark = Benchmark {
    name: "suppress-by-records",
    about: "suppression of 0.4 to 1.2 million records over 4,000 doublets",
    run: by_records,
};

pub(super) const BY_DOUBLETS: Benchmark = Benchmark {
    name: "suppress-by-doublets",
    about: "suppression of a million records over 2,000 to 8,000 doublets",
    run: by_doublets,
};

fn standard(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records, doublets) = match effort {
        Effort::Quick => (1, 50_000, 800),
        Effort::Full => (5, 1_000_000, 8_000),
    };
    compare(records, doublets, rounds, None)
}

fn by_records(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, scale) = scale(effort);
    let sizes = [4, 6, 8, 10, 12].map(|tenths| tenths * 100_000 / scale);
    let sizes = sizes.into_iter();
    let results = sizes.map(|records| compare(records, 4_000 / scale, rounds, Some("records")));
    results
        .collect::<Result<Vec<_>, _>>()
        .map(|all| all.concat())
}

fn by_doublets(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, scale) = scale(effort);
    let sizes = [2_000, 4_000, 6_000, 8_000].into_iter();
    let results = sizes.map(|doublets| {
        compare(
            1_000_000 / scale,
            doublets / scale,
            rounds,
            Some("doublets"),
        )
    });
    results
        .collect::<Result<Vec<_>, _>>()
        .map(|all| all.concat())
}

fn scale(effort: Effort) -> (usize, u32) {
    match effort {
        Effort::Quick => (1, 50),
        Effort::Full => (3, 1),
    }
}

/// Records, values beside them of which the first is sensitive.
struct Data {
    trips: Sequences,
    values: Vec<u32>,
}

/// So many of a thousand doublets have strayed.
fn generate(records: u32, doublets: u32, strays: u32) -> Data {
    let mut rng = RandomSource::insecure_seed(7).stream();
    let mut below = |end: u32| ((u64::from(rng.next_u32()) * u64::from(end)) >> 32) as u32;
    let mut weight = 0;
    let weights: Vec<u32> = (0..doublets / ROUTINE)
        .map(|rank| {
            weight += 1_000_000 / (rank + 5);
            weight
        })
        .collect();
    let mut data = Data {
        trips: Sequences::empty(true),
        values: Vec::new(),
    };
    for _ in 0..records {
        let drawn = below(weight);
        let routine = weights.partition_point(|&weight| weight <= drawn) as u32;
        let mut record: Vec<u32> = (0..ROUTINE).map(|at| routine * ROUTINE + at).collect();
        let length = 2 + below(ROUTINE - 1);
        while record.len() > length as usize {
            let left_out = below(record.len() as u32);
            record.remove(left_out as usize);
        }
        for doublet in &mut record {
            if below(1000) < strays {
                *doublet = below(doublets);
            }
        }
        record.sort_unstable_by_key(|doublet| (doublet % HOURS, doublet / HOURS));
        let places: Vec<u32> = record.iter().map(|doublet| doublet / HOURS).collect();
        let hours: Vec<u32> = record.iter().map(|doublet| doublet % HOURS).collect();
        data.trips.push(&places, &hours);
        data.values.push(below(5));
    }
    data
}

/// How suppression is asked for, and how many of a thousand doublets have strayed.
struct Case {
    mode: Mode,
    preserve: Preserve,
    strays: u32,
}

impl Case {
    fn measure_name(&self) -> &'static str {
        match self.preserve {
            Preserve::Instances => "instances",
            Preserve::MaximalFrequent { .. } => "frequent",
        }
    }

    fn mode_name(&self) -> &'static str {
        match self.mode {
            Mode::Record => "record",
            Mode::Local => "local",
            Mode::Global => "global",
        }
    }
}

/// The default and the paper's way, for both measures of utility. In the paper's way a doublet that is
/// in no maximal frequent sequence costs nothing to suppress everywhere, so that fewer may stray if
/// half of the instances are to survive.
fn compare(
    records: u32,
    doublets: u32,
    rounds: usize,
    varied: Option<&'static str>,
) -> Result<Vec<Comparison>, String> {
    let frequent = Preserve::MaximalFrequent { min_support: 800 };
    let cases = [
        (Mode::Record, Preserve::Instances, STRAYS),
        (Mode::Record, frequent, STRAYS),
        (Mode::Local, Preserve::Instances, 20),
        (Mode::Local, frequent, 1),
    ];
    let mut all = Vec::new();
    for (mode, preserve, strays) in cases {
        let case = Case {
            mode,
            preserve,
            strays,
        };
        let mut compared = compare_one(records, doublets, rounds, &case)?;
        for comparison in compared.iter_mut().filter(|it| it.unit == "ms") {
            let line = [case.mode_name(), case.measure_name(), comparison.peer_name].join(", ");
            comparison.size = varied.and_then(|of| {
                let value = if of == "records" { records } else { doublets };
                Size::new(of, value, line)
            });
        }
        all.extend(compared);
    }
    Ok(all)
}

fn compare_one(
    records: u32,
    doublets: u32,
    rounds: usize,
    case: &Case,
) -> Result<Vec<Comparison>, String> {
    let text = |error: wayveil_core::Error| error.to_string();
    let io = |error: std::io::Error| error.to_string();
    let data = generate(records, doublets, case.strays);
    let columns = [SensitiveColumn {
        of_record: &data.values,
        sensitive: &[0],
    }];
    let options = Options {
        requirement: Requirement {
            k: 30,
            c: Rational::new(3, 5).map_err(text)?,
            l: NonZeroU32::new(3),
        },
        mode: case.mode,
        preserve: case.preserve,
        variant: Variant::Repaired,
    };
    // What earlier cases needed does not count.
    memory::reset_peak().map_err(io)?;
    let loaded = memory::peak_rss_bytes().map_err(io)?;
    let table = Table::new(&data.trips, None, &columns).map_err(text)?;
    let outcome = suppress(&table, &options, &Silent).map_err(text)?;
    let peak = memory::peak_rss_bytes().map_err(io)?;
    let summary = outcome.summary;
    let case = format!(
        "{records} records, {} doublets, {}, {}, {} MVS, {:.0} % survive",
        table.doublets(),
        case.mode_name(),
        case.measure_name(),
        summary.minimal_violating,
        100.0 * summary.instances_after as f64 / summary.instances_before.max(1) as f64
    );

    let mut whole = || {
        let outcome =
            Table::new(&data.trips, None, &columns).and_then(|t| suppress(&t, &options, &Silent));
        outcome
            .map(|outcome| drop(black_box(outcome)))
            .map_err(text)
    };
    let mut enumeration = || {
        let count = count_minimal_violating(&table, &options.requirement);
        black_box(count).map(|_| ()).map_err(text)
    };
    let mut pairs = || {
        black_box(count_pairs(&table));
        Ok(())
    };
    let (whole_times, beside) = interleaved(
        rounds,
        Work::in_milliseconds(&mut whole),
        Work::in_milliseconds(&mut enumeration),
    )?;
    let (enumeration_times, floor) = interleaved(
        rounds,
        Work::in_milliseconds(&mut enumeration),
        Work::in_milliseconds(&mut pairs),
    )?;
    Ok(vec![
        Comparison {
            case: format!("{case}, whole"),
            unit: "ms",
            peer_name: "enumeration",
            ours: whole_times,
            peer: beside,
            goal: Goal::ratio(0.1),
            size: None,
        },
        Comparison {
            case: format!("{case}, enumeration"),
            unit: "ms",
            peer_name: "pair count",
            ours: enumeration_times,
            peer: floor,
            goal: Goal::ratio(0.05),
            size: None,
        },
        Comparison {
            case: format!("{case}, peak memory"),
            unit: "MiB",
            peer_name: "before",
            ours: Times::mebibytes(peak),
            peer: Times::mebibytes(loaded),
            goal: Goal::at_most(4096.0),
            size: None,
        },
    ])
}

/// How often each doublet is in a record with each other one.
fn count_pairs(table: &Table) -> Vec<u32> {
    let doublets = table.doublets();
    let mut pairs = vec![0; doublets * doublets];
    for record in 0..table.len() as u32 {
        let record = table.record(record);
        for (at, &first) in record.iter().enumerate() {
            let row = &mut pairs[first as usize * doublets..][..doublets];
            for &second in &record[at + 1..] {
                row[second as usize] += 1;
            }
        }
    }
    pairs
}
