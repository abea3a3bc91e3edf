//! A report for programs.

use serde_json::{Value, json};
use wayveil_io::Published;
use wayveil_report::page::{BudgetFacts, Interval, TaskError, UtilityRow};

use super::super::attack::Attacks;
use super::super::evaluate::better;
use super::Seen;

/// All figures of the page, with where it is.
pub(super) fn object(
    seen: &Seen,
    release: &Published,
    output: &str,
    bytes: usize,
    note: &str,
) -> Value {
    let part = &seen.part;
    let manifest = release.manifest();
    let lines = &seen.references;
    let tasks = part.tasks.iter().map(|error| {
        let mut object = task(error);
        object["another_sample"] = json!(error.task.error(&lines.another_sample));
        object["nothing"] = json!(error.task.error(&lines.nothing));
        object
    });
    json!({
        "internal": true,
        "note": note,
        "output": output,
        "bytes": bytes,
        "release": {
            "id": manifest.id,
            "method": manifest.method,
            "guarantee": manifest.guarantee,
            "records": release.trajectories().len(),
        },
        "raw": { "records": part.raw.records, "symbols": part.raw.symbols },
        "tasks": tasks.collect::<Vec<_>>(),
        "metrics": part.utility.iter().map(row).collect::<Vec<_>>(),
        "remarks": seen.remarks,
        "repeats": part.repeats,
        "no_intervals_because": part.no_intervals_because,
        "attacks": seen.attacks.as_ref().map(Attacks::to_json),
        "no_attacks_because": part.no_attacks_because,
        "budget": part.budget.as_ref().map(budget),
    })
}

/// The error of a task; both ends of its interval, or neither.
pub(in super::super) fn task(error: &TaskError) -> Value {
    json!({
        "task": error.task.name(),
        "error": error.error,
        "interval": error.interval.map(ends),
        "error_of_nothing": error.nothing,
    })
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

fn row(row: &UtilityRow) -> Value {
    json!({
        "metric": row.metric,
        "value_name": row.value_name,
        "better": better(row.better),
        "value": row.value,
        "interval": row.interval.map(ends),
        "another_sample": row.as_good_as_raw,
        "nothing": row.as_good_as_nothing,
    })
}

fn budget(facts: &BudgetFacts) -> Value {
    let entries = facts.entries.iter().map(|entry| {
        json!({
            "date": entry.date,
            "method": entry.method,
            "cost": entry.cost,
            "epsilon": entry.epsilon,
            "this_one": entry.this_one,
        })
    });
    json!({
        "population": facts.population,
        "spent": facts.spent,
        "allowance": facts.allowance,
        "left": facts.left,
        "entries": entries.collect::<Vec<_>>(),
    })
}
