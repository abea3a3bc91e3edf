//! Columns beside the trajectory: what they hold, and what a publisher should know before giving
//! them away.

use serde_json::{Value, json};
use wayveil_core::{
    Attribute, Dataset, Mechanism, Model, NonPrivate, PrivacyUnit, Raw, Result, SensitiveValues,
    unique_combinations,
};

use crate::facts::thousands;

/// Values shown of a column.
const VALUES_SHOWN: usize = 5;

/// The values of a column by falling number of records, then by their bytes.
fn by_records(attribute: &Attribute) -> Vec<(&str, u64)> {
    let mut records = vec![0; attribute.values.len()];
    for &value in &attribute.of_record {
        records[value as usize] += 1;
    }
    let mut values: Vec<(&str, u64)> = attribute.values.iter().zip(records).collect();
    values.retain(|&(_, records)| records > 0);
    values.sort_unstable_by_key(|&(value, records)| (std::cmp::Reverse(records), value));
    values
}

/// Columns for machines: names, numbers of values, the most frequent ones.
pub(crate) fn columns_json(attributes: &[Attribute]) -> Value {
    let column = |attribute: &Attribute| {
        let values = by_records(attribute);
        let top = values.iter().take(VALUES_SHOWN);
        let top: Vec<Value> = top
            .map(|(value, records)| json!({ "value": value, "records": records }))
            .collect();
        json!({ "name": attribute.name, "values": values.len(), "top": top })
    };
    attributes.iter().map(column).collect()
}

/// Columns for people; empty where there are none.
pub(crate) fn columns_text(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes {
        let values = by_records(attribute);
        let all = attribute.of_record.len() as f64;
        let shown = values.iter().take(VALUES_SHOWN);
        let mut shown: Vec<String> = shown
            .map(|&(value, records)| format!("{value:?} {:.1} %", 100.0 * records as f64 / all))
            .collect();
        if values.len() > VALUES_SHOWN {
            shown.push("…".into());
        }
        let number = thousands(values.len() as u64);
        let what = if values.len() == 1 { "value" } else { "values" };
        let colon = if shown.is_empty() { "" } else { ": " };
        text += &format!(
            "column        {:?}, {number} {what}{colon}{}\n",
            attribute.name,
            shown.join(", ")
        );
    }
    text
}

/// What a publisher should know before a method releases columns: sensitive values that nobody has,
/// people without any value, and other columns that identify people by themselves. Nothing where the method releases none,
/// promises nothing, or refuses.
pub(crate) fn warnings(
    raw: &Raw<Dataset>,
    mechanism: &dyn Mechanism,
    unit: PrivacyUnit,
) -> Vec<String> {
    let because = NonPrivate::because("the publisher is warned about columns of their own data");
    let look = |data: &Dataset| -> Result<Vec<String>> {
        let claim = mechanism.claim(&data.records(unit, &[])?.public)?;
        let Model::KclPrivacy { c, sensitive, .. } = &claim.guarantee.model else {
            return Ok(Vec::new());
        };
        let records = data.records(unit, &claim.columns)?;
        let columns = || records.attributes.iter().map(AsRef::as_ref);
        let mut warnings = Vec::from_iter(unbounded(*c, sensitive));
        for (it, column) in sensitive
            .iter()
            .filter_map(|it| Some((it, columns().find(|column| column.name == it.column)?)))
        {
            warnings.extend(absent(column, &it.values));
            if *c < 1.0 {
                warnings.extend(without_value(column, &it.values));
            }
        }
        let others = columns().filter(|it| sensitive.iter().all(|other| other.column != it.name));
        warnings.extend(identifying(&others.collect::<Vec<_>>()));
        Ok(warnings)
    };
    // What the method refuses, the door will say.
    raw.inspect(because, look)
        .for_publisher_only()
        .unwrap_or_default()
}

/// A word on each sensitive value that no record has: it may be spelt wrongly. Those that differ from
/// it in case or blanks only are named.
pub(crate) fn absent(column: &Attribute, sensitive: &[String]) -> Vec<String> {
    let occurring = by_records(column);
    let nowhere = |value: &&String| occurring.iter().all(|(other, _)| other != *value);
    let bare = |value: &str| value.split_whitespace().collect::<String>().to_lowercase();
    let word = |value: &String| {
        let alike = occurring.iter().filter(|(it, _)| bare(it) == bare(value));
        let alike: Vec<String> = alike.map(|(it, _)| format!("{it:?}")).collect();
        let instead = match alike.is_empty() {
            true => String::new(),
            false => format!(" There is {}", alike.join(", ")),
        };
        format!(
            "no record has the sensitive value {value:?} in the column {:?}; is it spelt so?{instead}",
            column.name
        )
    };
    sensitive.iter().filter(nowhere).map(word).collect()
}

/// A word on people without any value in a sensitive column: they make every share smaller.
fn without_value(column: &Attribute, sensitive: &[String]) -> Option<String> {
    let missing = |value: &str| value.trim().is_empty() && sensitive.iter().all(|it| it != value);
    let records = by_records(column);
    let missing = records.iter().filter(|(value, _)| missing(value));
    let missing: u64 = missing.map(|&(_, records)| records).sum();
    (missing > 0).then(|| {
        format!(
            "{} of {} people have no value in the sensitive column {:?}: they count as people without \
             a sensitive value, so that its share among those with a known value can exceed --c; leave \
             them out before importing, or give --c a smaller share",
            thousands(missing),
            thousands(column.of_record.len() as u64),
            column.name
        )
    })
}

/// A word on a bound without values, and on values without a bound.
fn unbounded(c: f64, sensitive: &[SensitiveValues]) -> Option<String> {
    let names: Vec<String> = sensitive
        .iter()
        .map(|it| format!("{:?}", it.column))
        .collect();
    match (c < 1.0, sensitive.is_empty()) {
        (true, true) => Some(
            "--c says nothing without sensitive values; name them: --sensitive COLUMN=VALUE,…"
                .into(),
        ),
        (false, false) => Some(format!(
            "nothing limits how surely the sensitive values of {} can be inferred: --c is 1; give it \
             a share below 1, for instance --c 0.5",
            names.join(", ")
        )),
        _ => None,
    }
}

/// A word on columns by which people can be told apart without any visit.
fn identifying(columns: &[&Attribute]) -> Option<String> {
    let found = unique_combinations(columns.iter().copied())?;
    let names: Vec<String> = columns.iter().map(|it| format!("{:?}", it.name)).collect();
    (found.unique > 0).then(|| {
        format!(
            "{} of {} people are the only ones with their values of {}: whoever knows these of a \
             person finds the record without knowing any visit; leave columns out of --keep{}, or \
             make their values coarser",
            thousands(found.unique),
            thousands(found.records),
            names.join(", "),
            best_left_out(columns),
        )
    })
}

/// Of several columns, the one without which the fewest people stand out.
fn best_left_out(columns: &[&Attribute]) -> String {
    let without = |left_out: usize| {
        let others = (0..columns.len()).filter(|&at| at != left_out);
        let found = unique_combinations(others.map(|at| columns[at]))?;
        Some((found.unique, &columns[left_out].name))
    };
    let best = (0..columns.len()).filter_map(without).min_by_key(|it| it.0);
    best.map_or_else(String::new, |(unique, name)| {
        format!(" (without {name:?} it is {})", thousands(unique))
    })
}

#[cfg(test)]
mod tests;
