//! The patients of the paper about suppression, and the tables that break it.

use std::num::NonZeroU32;

use wayveil_core::verify::{Column, Demand, Published, verify};
use wayveil_core::{Rational, Result, Sequences, Silent};
use wayveil_mechanisms::suppress::{
    Mode, Options, Preserve, Requirement, SensitiveColumn, Table, Variant, count_maximal_frequent,
    suppress,
};

use crate::entry::Check;

const RAW: [&str; 8] = [
    "a1 d2 b3 e4 f6 e8",
    "d2 c5 f6 c7 e9",
    "b3 c7 e8",
    "b3 e4 f6 e8",
    "a1 d2 c5 f6 c7",
    "c5 f6 e9",
    "f6 c7 e8",
    "a1 d2 f6 c7 e9",
];
const PROTECTED: [&str; 8] = [
    "b3 e4 f6 e8",
    "d2 c5 f6 c7 e9",
    "c7 e8",
    "b3 e4 f6 e8",
    "d2 c5 f6 c7",
    "c5 f6 e9",
    "f6 c7 e8",
    "d2 f6 c7 e9",
];
/// HIV 0, Fever 1, Hepatitis 2, Flu 3.
const DIAGNOSES: [u32; 8] = [0, 1, 2, 3, 0, 2, 1, 3];
const SENSITIVE: [u32; 2] = [0, 2];

/// Records such as `a1 b3`: a letter for a place, then a time.
fn trips(records: &[&str]) -> Sequences {
    let mut trips = Sequences::empty(true);
    for record in records {
        let doublets = record.split_whitespace().map(|doublet| {
            let (place, time) = doublet.split_at(1);
            let place = u32::from(place.as_bytes()[0] - b'a');
            (place, time.parse().unwrap_or(0))
        });
        let (places, times): (Vec<u32>, Vec<u32>) = doublets.unzip();
        trips.push(&places, &times);
    }
    trips
}

fn words(sequence: &[(u32, u32)]) -> String {
    let doublet = |&(time, place): &(u32, u32)| {
        let letter = char::from(b'a' + place as u8);
        format!("{letter}{time}")
    };
    sequence.iter().map(doublet).collect::<Vec<_>>().join("→")
}

fn demand(k: u32, c: (u64, u64), l: u32) -> Result<Demand> {
    Ok(Demand {
        k,
        c: Rational::new(c.0, c.1)?,
        l: NonZeroU32::new(l),
    })
}

/// How many sequences violate, found by the independent verifier; and the minimal ones of them.
fn violations(trips: &Sequences, values: &[u32], demand: &Demand) -> Result<(u64, Vec<String>)> {
    let published = Published {
        trips,
        owners: None,
        columns: &[Column {
            of_record: values,
            sensitive: &SENSITIVE,
        }],
    };
    let verdict = verify(&published, demand, usize::MAX)?;
    let all = verdict.too_few.iter().chain(&verdict.too_certain);
    let all: Vec<&[(u32, u32)]> = all.map(|it| it.sequence.as_slice()).collect();
    let within = |part: &[(u32, u32)], whole: &[(u32, u32)]| {
        part.len() < whole.len() && part.iter().all(|doublet| whole.contains(doublet))
    };
    let minimal = all
        .iter()
        .filter(|it| !all.iter().any(|other| within(other, it)));
    let mut minimal: Vec<String> = minimal.map(|it| words(it)).collect();
    minimal.sort();
    Ok((verdict.violations, minimal))
}

/// What suppression leaves of a table, and the values of the records that are left.
fn suppressed(
    trips: &Sequences,
    values: &[u32],
    demand: &Demand,
    (mode, variant): (Mode, Variant),
) -> Result<(Sequences, Vec<u32>)> {
    let columns = [SensitiveColumn {
        of_record: values,
        sensitive: &SENSITIVE,
    }];
    let table = Table::new(trips, None, &columns)?;
    let options = Options {
        requirement: Requirement {
            k: demand.k,
            c: demand.c.clone(),
            l: demand.l,
        },
        mode,
        preserve: Preserve::Instances,
        variant,
    };
    let outcome = suppress(&table, &options, &Silent)?;
    let kept = outcome.kept.iter();
    let kept = kept.map(|&record| values[record as usize]).collect();
    Ok((outcome.trips, kept))
}

/// The raw table: its minimal violating sequences, and the two attacks of the text.
pub(crate) fn hospital() -> Result<Vec<Check>> {
    let raw = trips(&RAW);
    let demand = demand(2, (1, 2), 2)?;
    let (_, minimal) = violations(&raw, &DIAGNOSES, &demand)?;
    let holds = |record: &str, all: &[&str]| {
        let doublets: Vec<&str> = record.split_whitespace().collect();
        all.iter().all(|doublet| doublets.contains(doublet))
    };
    let with =
        |all: &[&str]| -> Vec<usize> { (0..RAW.len()).filter(|&at| holds(RAW[at], all)).collect() };
    let seen = with(&["a1", "f6"]);
    let ill = seen.iter().filter(|&&at| DIAGNOSES[at] == 0).count();
    let new = |doublet: &str, record: usize| -> Result<String> {
        let (_, after) = violations(&without(doublet, record), &DIAGNOSES, &demand)?;
        let new: Vec<String> = after
            .into_iter()
            .filter(|it| !minimal.contains(it))
            .collect();
        Ok(if new.is_empty() {
            "none".into()
        } else {
            new.join(", ")
        })
    };
    Ok(vec![
        Check::new(
            "minimal violating sequences, L = 2, K = 2, C = 50 %",
            "a1, b3→c7, d2→b3, d2→e4, d2→e8",
            minimal.join(", "),
        ),
        Check::new(
            "records with d2 and e4",
            "1",
            with(&["d2", "e4"]).len().to_string(),
        ),
        Check::new(
            "with HIV among those with a1 and f6",
            "2 of 3",
            format!("{ill} of {}", seen.len()),
        ),
        Check::new(
            "new ones after c7 is taken from record 3",
            "c7→e8",
            new("c7", 3)?,
        ),
        Check::new(
            "new ones after d2 is taken from record 1 (example 4.4: a valid suppression)",
            "none",
            new("d2", 1)?,
        ),
    ])
}

/// The raw table without one visit; the paper counts records from 1.
fn without(doublet: &str, record: usize) -> Sequences {
    let kept = |(number, text): (usize, &str)| {
        let doublets = text.split_whitespace();
        let kept = doublets.filter(|it| number != record || *it != doublet);
        kept.collect::<Vec<_>>().join(" ")
    };
    let records: Vec<String> = (1..).zip(RAW).map(kept).collect();
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    trips(&records)
}

/// The paper's output, and ours.
pub(crate) fn protected() -> Result<Vec<Check>> {
    let (raw, paper) = (trips(&RAW), trips(&PROTECTED));
    let demand = demand(2, (1, 2), 2)?;
    let (violating, _) = violations(&paper, &DIAGNOSES, &demand)?;
    let mut checks = vec![
        Check::new(
            "violations in the paper's table",
            "0",
            violating.to_string(),
        ),
        Check::new("visits in the raw table", "34", raw.symbols().to_string()),
        Check::new(
            "visits in the paper's table",
            "29",
            paper.symbols().to_string(),
        ),
    ];
    for (name, how) in [
        ("local, as published", (Mode::Local, Variant::AsPublished)),
        ("local, repaired", (Mode::Local, Variant::Repaired)),
        ("record, repaired", (Mode::Record, Variant::Repaired)),
    ] {
        let (left, values) = suppressed(&raw, &DIAGNOSES, &demand, how)?;
        let (violating, _) = violations(&left, &values, &demand)?;
        let what = format!("violations in ours, {name}");
        checks.push(Check::new(what, "0", violating.to_string()));
        let what = format!("visits in ours, {name}: not fewer than the paper's");
        let enough = left.symbols() >= paper.symbols();
        checks.push(Check::new(what, "yes", if enough { "yes" } else { "no" }));
    }
    Ok(checks)
}

/// Maximal frequent sequences of the raw table.
pub(crate) fn frequent_sequences() -> Result<Vec<Check>> {
    let raw = trips(&RAW);
    let table = Table::new(&raw, None, &[])?;
    let found = count_maximal_frequent(&table, 2);
    let by_hand = maximal_by_trying_all(2);
    Ok(vec![Check::new(
        "maximal frequent sequences, K′ = 2",
        by_hand.to_string(),
        found.to_string(),
    )])
}

/// Every part of every record is tried.
fn maximal_by_trying_all(support: usize) -> usize {
    let records: Vec<Vec<&str>> = RAW
        .iter()
        .map(|it| it.split_whitespace().collect())
        .collect();
    let holds = |record: &[&str], part: &[&str]| part.iter().all(|it| record.contains(it));
    let mut frequent: Vec<Vec<&str>> = Vec::new();
    for record in &records {
        for chosen in 1u32..1 << record.len() {
            let all = record.iter().enumerate();
            let part = all
                .filter(|(at, _)| chosen >> at & 1 == 1)
                .map(|(_, it)| *it);
            let part: Vec<&str> = part.collect();
            let held = records.iter().filter(|it| holds(it, &part)).count();
            if held >= support && !frequent.contains(&part) {
                frequent.push(part);
            }
        }
    }
    let longer = |part: &Vec<&str>| {
        let all = frequent.iter();
        all.filter(|other| other.len() > part.len())
            .any(|other| holds(other, part))
    };
    frequent.iter().filter(|part| !longer(part)).count()
}

/// A table on which the published check calls a suppression valid that is not (L = 3).
pub(crate) fn unsound_check() -> Result<Vec<Check>> {
    broken(&["b1 a2 a3", "b1 a3", "a1 a2 a3", "b1 a2"], 3)
}

/// A table on which results of the published check go stale (L = 2).
pub(crate) fn stale_check() -> Result<Vec<Check>> {
    broken(&["b1 a3 b4", "b1 b4", "a3 b4", "b1 b3", "b1 b3 b4"], 2)
}

fn broken(records: &[&str], l: u32) -> Result<Vec<Check>> {
    let raw = trips(records);
    let values = vec![1; records.len()];
    let demand = demand(2, (1, 1), l)?;
    let mut checks = Vec::new();
    for (name, variant, expected) in [
        ("as published", Variant::AsPublished, "yes"),
        ("repaired", Variant::Repaired, "no"),
    ] {
        let (left, kept) = suppressed(&raw, &values, &demand, (Mode::Local, variant))?;
        let (violating, _) = violations(&left, &kept, &demand)?;
        let what = format!("{name}: breaks the promise");
        let found = if violating > 0 { "yes" } else { "no" };
        checks.push(Check::new(what, expected, found));
    }
    Ok(checks)
}
