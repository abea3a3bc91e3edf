//! The long audit: every mechanism of the list that promises differential privacy, in several
//! shapes and at several ε, as a table for `docs/audit.md`.

use std::num::NonZeroU32;
use std::time::Duration;

use wayveil_core::{Mechanism, PrivacyUnit, RandomSource, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, Report, audit};
use wayveil_mechanisms::{ALL, Entry, Parameters};

const EPSILONS: [&str; 3] = ["0.1", "1", "4"];
/// One minus the confidence of the bounds; verdicts are stricter by themselves.
const ALPHA: f64 = 0.05;
/// Parameters beside ε; a method is audited in those of which it knows all. A tree of one level, and
/// journeys of one point without decoys, spend the whole budget where the auditor looks. A δ of 0.05 can
/// be seen in the runs that there are. Long trajectories are slow to draw.
const SHAPES: [&[(&str, &str)]; 10] = [
    &[("max-length", "4")],
    &[("max-length", "4"), ("delta", "0.001")],
    &[("height", "1")],
    &[("height", "1"), ("as-published", "true")],
    &[("height", "4")],
    &[("window", "1"), ("decoys", "0")],
    &[("window", "1"), ("decoys", "0"), ("delta", "0.05")],
    &[
        ("window", "1"),
        ("decoys", "0"),
        ("delta", "0.05"),
        ("noise", "truncated"),
    ],
    &[("window", "1"), ("decoys", "0"), ("noise", "pure")],
    &[
        ("window", "1"),
        ("decoys", "0"),
        ("centres", "private"),
        ("clusters", "2"),
    ],
];

/// Audits the methods of these names, or all where none is named, each for so long, and prints rows as
/// they are made. Whether nothing was refuted.
pub fn run(names: &[String], seconds: u64) -> Result<bool, String> {
    let audited = |entry: &&Entry| knows(entry, "epsilon");
    if let Some(unknown) = names
        .iter()
        .find(|name| !ALL.iter().any(|it| it.name == **name && audited(&it)))
    {
        return Err(format!("no method {unknown} promises differential privacy"));
    }
    let mut sound = true;
    println!("| method | ε = 0.1 | ε = 1 | ε = 4 |\n| --- | --- | --- | --- |");
    let named = |entry: &&Entry| names.is_empty() || names.iter().any(|name| name == entry.name);
    for entry in ALL.iter().filter(audited).filter(named) {
        let shapes = SHAPES
            .into_iter()
            .filter(|shape| shape.iter().all(|(name, _)| knows(entry, name)));
        let mut shapes: Vec<_> = shapes.map(|shape| (shape, PrivacyUnit::Owner)).collect();
        if shapes.is_empty() {
            shapes.push((&[], PrivacyUnit::Owner));
        }
        // Where clients answer, a person with several trips is no unit.
        if !knows(entry, "clients-per-record") {
            let three = NonZeroU32::new(3).ok_or("three trips")?;
            shapes.push((shapes[0].0, PrivacyUnit::OwnerBounded(three)));
        }
        for (shape, unit) in shapes {
            let mut cells = Vec::new();
            for epsilon in EPSILONS {
                let report = one(entry, epsilon, shape, unit, seconds)?;
                sound &= !report.refuted;
                cells.push(cell(&report));
            }
            println!("| `{}` | {} |", name(entry, shape, unit), cells.join(" | "));
        }
    }
    Ok(sound)
}

fn knows(entry: &Entry, name: &str) -> bool {
    entry.parameters.iter().any(|known| known.name == name)
}

fn one(
    entry: &Entry,
    epsilon: &str,
    shape: &[(&str, &str)],
    unit: PrivacyUnit,
    seconds: u64,
) -> Result<Report, String> {
    let settings = AuditSettings {
        unit,
        alpha: ALPHA,
        effort: Effort::Time(Duration::from_secs(seconds)),
        against: None,
    };
    let mut random = RandomSource::os().map_err(|cause| cause.to_string())?;
    built(entry, epsilon, shape)
        .and_then(|mechanism| audit(mechanism.as_ref(), &settings, &mut random, &Silent))
        .map_err(|error| format!("{}: {error}", entry.name))
}

/// With the example values of what else must be given.
fn built(
    entry: &Entry,
    epsilon: &str,
    shape: &[(&str, &str)],
) -> wayveil_core::Result<Box<dyn Mechanism>> {
    let given = |name: &str| name == "epsilon" || shape.iter().any(|(known, _)| *known == name);
    let examples = entry
        .parameters
        .iter()
        .filter(|known| known.default.is_none() && !given(known.name))
        .map(|known| (known.name, known.example));
    let values = examples
        .chain([("epsilon", epsilon)])
        .chain(shape.iter().copied());
    (entry.build)(&Parameters::new(entry.parameters, values)?)
}

fn cell(report: &Report) -> String {
    let verdict = match (report.refuted, report.doubtful()) {
        (true, _) => " **refuted**",
        (false, true) => " (doubtful)",
        (false, false) => "",
    };
    format!(
        "{:.3}{verdict}, {} runs",
        report.epsilon_lower,
        thousands(report.test_runs)
    )
}

fn thousands(number: u64) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=999_999 => format!("{} k", number / 1000),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

fn name(entry: &Entry, shape: &[(&str, &str)], unit: PrivacyUnit) -> String {
    let mut name = entry.name.to_owned();
    for (parameter, value) in shape {
        name += &match *value {
            "true" => format!(" --{parameter}"),
            value => format!(" --{parameter} {value}"),
        };
    }
    if let PrivacyUnit::OwnerBounded(trips) = unit {
        name += &format!(" --max-trips {trips}");
    }
    name
}
