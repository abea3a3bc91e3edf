//! How a release was made: method, parameters, public inputs, noise, manifest.

use serde_json::Value;
use wayveil_core::{Error, Manifest, Origin, Released, Result};

use super::Fact;
use crate::page::figure::{Cell, Table};
use crate::page::wording::{counted, grouped};
use crate::words::{cut, harmless};

/// Values of a column that are shown.
const MOST_VALUES: usize = 8;
/// Columns of a value.
const LONGEST_VALUE: usize = 60;
/// Characters of a manifest that are shown.
const LONGEST_DOCUMENT: usize = 200_000;

pub(super) fn facts(manifest: &Manifest) -> Vec<Fact> {
    let inputs = &manifest.public_inputs;
    let mut facts = vec![
        Fact::new(
            "Method",
            format!("{}, {}", manifest.method.name, manifest.method.variant),
        ),
        Fact::new(
            "Program",
            format!("{} {}", manifest.tool.name, manifest.tool.version),
        ),
        Fact::new("Date", &manifest.date),
        Fact::new("Name of the release", &manifest.id),
        Fact::new(
            "Locations",
            format!(
                "{}, {}",
                counted(inputs.universe.locations, "location", "locations"),
                origin(&inputs.universe.origin)
            ),
        ),
    ];
    if let Some(axis) = &inputs.time {
        let bins = counted(axis.bins.into(), "time bin", "time bins");
        let clock = axis.clock.as_ref().map_or_else(String::new, |clock| {
            format!(
                " of {} s from {} ({})",
                clock.bin_seconds, clock.starts, clock.zone
            )
        });
        facts.push(Fact::new(
            "Time",
            format!("{bins}{clock}, {}", origin(&axis.declared)),
        ));
    }
    if let Some(units) = inputs.units {
        facts.push(Fact::new(
            "Taking part",
            format!("{}; that number is public", grouped(units)),
        ));
    }
    facts.push(Fact::new("Noise", &manifest.noise.distribution));
    facts.push(Fact::new("Randomness", &manifest.noise.randomness));
    facts
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Declared(source) => format!("stated independently of the data: {source}"),
        Origin::FromData => "taken from the raw data".into(),
    }
}

pub(super) fn parameters(manifest: &Manifest) -> Table {
    let mut table = Table::new("Parameters, all of them public", &["parameter", "value"]);
    for (name, value) in &manifest.method.parameters {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        table.row([harmless(name).into(), harmless(&value).into()]);
    }
    table
}

/// What stands beside the trajectories, by column.
pub(super) fn columns(release: &dyn Released) -> Option<Table> {
    if release.attributes().is_empty() {
        return None;
    }
    let mut table = Table::new(
        "Columns beside the trajectories",
        &["column", "#different values", "most frequent values"],
    );
    for attribute in release.attributes() {
        let mut values: Vec<&str> = (0..release.trajectories().len())
            .map(|record| attribute.value(record))
            .collect();
        values.sort_unstable();
        let mut counts: Vec<(usize, &str)> = values
            .chunk_by(|a, b| a == b)
            .map(|run| (run.len(), run[0]))
            .collect();
        counts.sort_by_key(|&(count, value)| (std::cmp::Reverse(count), value));
        let shown = counts.iter().take(MOST_VALUES);
        let shown: Vec<String> = shown
            .map(|(count, value)| {
                format!(
                    "{} ({})",
                    cut(&harmless(value), LONGEST_VALUE),
                    grouped(*count as u64)
                )
            })
            .collect();
        table.row([
            harmless(&attribute.name).into(),
            Cell::count(counts.len() as u64),
            shown.join(", ").into(),
        ]);
    }
    Some(table)
}

/// The manifest as a document, without the files: a page may stand among them.
pub(super) fn document(manifest: &Manifest) -> Result<String> {
    let failed = |cause| Error::system("cannot write the manifest", cause);
    let mut value = serde_json::to_value(manifest).map_err(failed)?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove("files");
    }
    let text = serde_json::to_string_pretty(&value).map_err(failed)?;
    // Line breaks are the document's own; inside texts JSON escapes them.
    let mut shown = text.lines().map(harmless).collect::<Vec<_>>().join("\n");
    if let Some((end, _)) = shown.char_indices().nth(LONGEST_DOCUMENT) {
        shown.truncate(end);
        shown += "\n… the rest stands in manifest.json";
    }
    Ok(shown)
}
