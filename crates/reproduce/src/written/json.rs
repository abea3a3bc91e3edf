//! For machines.

use serde_json::{Value, json};
use wayveil_evaluate::metrics::Better;

use crate::entry::{Bound, Entry, Made, Paper, Reported};
use crate::reproduced::{Cell, Known, Reproduced};

/// An entry of the list.
pub fn about(paper: &Paper, entry: &Entry) -> Value {
    let (kind, parameter) = match entry.made {
        Made::Drawing => ("drawing", None),
        Made::Checked(_) => ("checked", None),
        Made::Measured { parameter, .. } => ("measured", Some(parameter)),
    };
    json!({
        "entry": format!("{}/{}", paper.id, entry.name),
        "paper": paper.cited,
        "method": paper.method,
        "title": entry.title,
        "kind": kind,
        "parameter": parameter,
        "says": entry.says,
        "note": entry.note,
        "reported": entry.reported.iter().map(reported).collect::<Vec<_>>(),
    })
}

/// An entry with what came of it.
pub fn json(made: &Reproduced) -> Value {
    let mut object = about(made.paper, made.entry);
    let check = |it: &crate::entry::Check| json!({ "what": it.what, "expected": it.expected, "found": it.found, "holds": it.holds() });
    object["internal"] = json!(true);
    object["version"] = json!(env!("CARGO_PKG_VERSION"));
    object["date"] = json!(made.date);
    object["quick"] = json!(made.request.quick);
    object["repeats"] = json!(made.request.repeats());
    object["seed"] = json!(made.request.seed);
    object["data"] = match &made.given {
        Some(name) => json!({ "given": name }),
        None => json!({ "generated": made.sources }),
    };
    object["holds"] = json!(made.holds());
    object["checks"] = made.checks.iter().map(check).collect();
    object["cells"] = made.cells.iter().map(cell).collect();
    let comparisons = made.comparisons();
    let compared = comparisons.iter().map(|it| {
        json!({
            "form": it.form.words(),
            "with": it.with.words(),
            "with_name": it.with.name(),
            "better": it.better,
            "worse": it.worse,
            "within": it.within,
            "of": it.of,
        })
    });
    object["comparisons"] = compared.collect();
    object
}

fn reported(line: &Reported) -> Value {
    let values = line.values.iter();
    json!({
        "panel": line.panel,
        "series": line.series,
        "bound": bound(line.bound),
        "values": values.map(|(at, value)| json!({ "at": at, "value": value })).collect::<Vec<_>>(),
    })
}

fn cell(cell: &Cell) -> Value {
    let paper = |known: Known| json!({ "series": known.series, "bound": bound(known.bound), "value": known.value });
    json!({
        "panel": cell.panel.title,
        "better": cell.panel.better.map(|better| match better {
            Better::Lower => "lower",
            Better::Higher => "higher",
        }),
        "series": cell.series.name,
        "form": cell.series.form.words(),
        "at": cell.at,
        "mean": cell.samples.mean(),
        "half_width": cell.samples.half_width(),
        "random": cell.random,
        "runs": cell.samples.len(),
        "refused": cell.refused,
        "paper": cell.paper.map(paper),
    })
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Is => "is",
        Bound::Below => "below",
        Bound::Above => "above",
    }
}
