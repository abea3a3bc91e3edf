//! `wayveil query`: how many records contain these locations.

use std::path::PathBuf;

use serde_json::json;
use wayveil_core::{
    Counted, Counting, Dataset, Error, NonPrivate, PrivacyUnit, Result, Sequences, TimeAxis,
    Universe,
};
use wayveil_evaluate::query::{Kind, Symbol, count};
use wayveil_io::Loaded;

use crate::facts::thousands;
use crate::similar::{did_you_mean, edits};
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil query release/ Harbour Market
  wayveil query metro.parquet Harbour Market --contiguous
  wayveil query taps.parquet Harbour@7 Market --ordered --json";

/// Labels named when one is not known.
const SUGGESTED: usize = 3;

#[derive(clap::Args)]
pub(crate) struct QueryArguments {
    /// A data file or a release folder.
    input: PathBuf,

    /// Locations by their labels; in timed data also LABEL@BIN, in that time bin only.
    #[arg(required = true, value_name = "LOCATION")]
    locations: Vec<String>,

    /// Count records that contain them in this order, one directly after the other.
    #[arg(long, conflicts_with = "ordered")]
    contiguous: bool,

    /// Count records that contain them in this order, others between them or not.
    #[arg(long)]
    ordered: bool,
}

const INTERNAL: &str = "this figure is internal: it comes from raw data, not for publication";

struct Answer {
    count: u64,
    records: u64,
}

pub(crate) fn run(arguments: &QueryArguments, terminal: &Terminal) -> Result<()> {
    let kind = match (arguments.contiguous, arguments.ordered) {
        (true, _) => Kind::Contiguous,
        (_, true) => Kind::Ordered,
        _ => Kind::Set,
    };
    if let Some(counted) = terminal.memory().counted(&arguments.input) {
        terminal.warn(INTERNAL);
        return show(&elsewhere(&counted, arguments, kind)?, kind, true, terminal);
    }
    let ask = |universe: &Universe, time: Option<&TimeAxis>, sequences: &Sequences| {
        let labels = arguments.locations.iter();
        let symbols = labels
            .map(|text| symbol(text, universe, time))
            .collect::<Result<Vec<_>>>()?;
        Ok(Answer {
            count: count(sequences, kind, &symbols),
            records: sequences.len() as u64,
        })
    };
    let (answer, internal) = match terminal.load(&arguments.input)? {
        Loaded::Data(raw) => {
            let because = NonPrivate::because("shown to the publisher on their own terminal");
            let seen = raw.inspect(because, |data| {
                ask(data.universe(), data.time(), data.trips())
            });
            terminal.warn(INTERNAL);
            (seen.transpose()?.for_publisher_only(), true)
        }
        Loaded::Release(release) => {
            let answer = ask(release.universe(), release.time(), release.trajectories())?;
            (answer, false)
        }
    };
    show(&answer, kind, internal, terminal)
}

/// Asks records that stay elsewhere.
fn elsewhere(counted: &Counted, arguments: &QueryArguments, kind: Kind) -> Result<Answer> {
    let because = || NonPrivate::because("shown to the publisher on their own terminal");
    let codes = |data: &Dataset| {
        let label = |text: &String| match symbol(text, data.universe(), data.time())? {
            Symbol {
                location,
                bin: None,
            } => Ok(location),
            Symbol { bin: Some(_), .. } => Err(Error::input(format!(
                "{text:?} names a time bin, and records that stay elsewhere are asked for locations only"
            ))),
        };
        arguments.locations.iter().map(label).collect()
    };
    let codes: Result<Vec<u32>> = counted
        .public()
        .inspect(because(), codes)
        .for_publisher_only();
    let codes = codes?;
    let ask = |counting: &dyn Counting| {
        let found = match kind {
            Kind::Set => counting.sets(&[codes])?,
            Kind::Contiguous => counting.fragments(codes.len(), &codes)?,
            Kind::Ordered => counting.patterns(&[codes])?,
        };
        Ok(Answer {
            count: found.first().copied().unwrap_or(0),
            records: counting.records()?,
        })
    };
    // Trips as they are, as with data that is here.
    let seen = counted.inspect(because(), PrivacyUnit::Trip, ask);
    seen.for_publisher_only()
}

fn show(answer: &Answer, kind: Kind, internal: bool, terminal: &Terminal) -> Result<()> {
    let &Answer { count, records } = answer;
    let share = (records > 0).then(|| count as f64 / records as f64);
    let (name, how) = match kind {
        Kind::Set => ("set", "contain all of these locations"),
        Kind::Contiguous => ("contiguous", "contain these locations without gaps"),
        Kind::Ordered => ("ordered", "contain these locations in this order"),
    };
    let percent = share.map_or(String::new(), |share| format!(" ({:.3} %)", share * 100.0));
    terminal.result(
        || {
            json!({
                "count": count,
                "records": records,
                "share": share,
                "kind": name,
                "internal": internal,
            })
        },
        &format!(
            "{} of {} records{percent} {how}\n",
            thousands(count),
            thousands(records)
        ),
    )
}

/// A location by its label, or a label and a time bin. A label that holds `@` itself comes first.
fn symbol(text: &str, universe: &Universe, time: Option<&TimeAxis>) -> Result<Symbol> {
    if let Some(location) = universe.code(text) {
        return Ok(Symbol {
            location,
            bin: None,
        });
    }
    let Some((label, bin)) = text.rsplit_once('@') else {
        return Err(unknown(text, universe));
    };
    let Some(location) = universe.code(label) else {
        return Err(unknown(label, universe));
    };
    let Some(axis) = time else {
        return Err(Error::input(format!(
            "{text:?} names a time bin, but these trajectories have no times"
        ))
        .hint(format!("ask for {label}")));
    };
    match bin.parse::<u32>() {
        Ok(bin) if bin < axis.bins => Ok(Symbol {
            location,
            bin: Some(bin),
        }),
        _ => Err(Error::input(format!(
            "invalid time bin (got {bin:?}): there are {} bins, numbered from 0",
            axis.bins
        ))),
    }
}

fn unknown(label: &str, universe: &Universe) -> Error {
    let close = close_labels(label, universe);
    let hint = did_you_mean(&close).unwrap_or_else(|| {
        "labels stand in the universe's list; wayveil info shows the most visited".into()
    });
    Error::input(format!("unknown location {label:?}")).hint(hint)
}

/// The labels most like a text: few letters differ, or the text is part of the label or its name.
fn close_labels<'a>(text: &str, universe: &'a Universe) -> Vec<&'a str> {
    let wanted: Vec<char> = text.to_lowercase().chars().collect();
    let most = (wanted.len() / 3).max(1);
    let mut close: Vec<(usize, u32)> = Vec::new();
    for (code, location) in universe.locations().iter().enumerate() {
        let names = [Some(&location.label), location.name.as_ref()];
        let distance = names.into_iter().flatten().filter_map(|name| {
            let name = name.to_lowercase();
            let letters: Vec<char> = name.chars().collect();
            if letters.len().abs_diff(wanted.len()) <= most {
                let distance = edits(&letters, &wanted);
                if distance <= most {
                    return Some(distance);
                }
            }
            let part = wanted.len() > 2 && name.contains(&text.to_lowercase());
            part.then_some(most + 1)
        });
        if let Some(distance) = distance.min() {
            close.push((distance, code as u32));
        }
    }
    close.sort_unstable();
    let codes = close.into_iter().take(SUGGESTED);
    codes.map(|(_, code)| universe.label(code)).collect()
}

#[cfg(test)]
mod tests {
    use wayveil_core::Origin;

    use super::*;

    fn universe(labels: &[&str]) -> Universe {
        Universe::from_labels(labels.iter().copied(), Origin::FromData).unwrap()
    }

    #[test]
    fn close_labels_come_nearest_first_and_few() {
        let universe = universe(&[
            "Market",
            "Marked",
            "Old Market",
            "Museum",
            "Parket",
            "Harker",
        ]);
        assert_eq!(
            close_labels("market", &universe),
            ["Market", "Marked", "Parket"]
        );
        assert_eq!(close_labels("old", &universe), ["Old Market"]);
        assert!(close_labels("xyz", &universe).is_empty());
    }

    #[test]
    fn a_label_with_an_at_sign_is_a_label_first() {
        let universe = universe(&["A", "A@1"]);
        let axis = TimeAxis::new(3, Origin::FromData);
        let read = |text: &str| symbol(text, &universe, Some(&axis)).ok();
        let bare = |location| Symbol {
            location,
            bin: None,
        };
        assert_eq!(read("A@1"), Some(bare(1)));
        assert_eq!(
            read("A@2"),
            Some(Symbol {
                location: 0,
                bin: Some(2)
            })
        );
        assert_eq!(read("A@3"), None);
        assert_eq!(read("A@x"), None);
        assert!(symbol("A@2", &universe, None).is_err());
    }
}
