//! What an import did, in words and as an object.

use serde_json::{Value, json};
use wayveil_io::ImportSummary;

use super::arguments::Format;
use crate::facts::thousands;

pub(super) fn describe(summary: &ImportSummary, format: Format) -> String {
    let mut text = format!(
        "rows          {}\nrecords       {}\nowners        {}\nsymbols       {}\n\
         locations     {}\n",
        thousands(summary.rows),
        thousands(summary.records),
        thousands(summary.owners),
        thousands(summary.symbols),
        thousands(summary.locations),
    );
    if summary.files > 1 {
        text += &format!("files         {}\n", thousands(summary.files));
    }
    if let (Some(first), Some(last)) = (summary.first, summary.last) {
        text += &format!("dates         {first} to {last}\n");
    }
    let out_of_order = match format.has_dates() {
        true => "rows put into the order of time",
        false => "visits that go back in time; publishing cuts the record there",
    };
    let counted = [
        (
            summary.unknown.visits,
            "visits to unknown locations left out",
        ),
        (
            summary.outside_area,
            "points left out, outside the area or too far from every stop",
        ),
        (summary.invalid_points, "rows without coordinates left out"),
        (
            summary.outside_axis,
            "visits outside the time axis left out",
        ),
        (
            summary.owners_without_known_location,
            "people left out, without a visit that is kept",
        ),
        (summary.duplicates, "rows left out that repeat another"),
        (
            summary.stays_collapsed,
            "visits left out that stay where they were",
        ),
        (summary.empty_trips, "trips without a point left out"),
        (summary.incomplete_trips, "trips marked as incomplete, kept"),
        (summary.out_of_order, out_of_order),
        (summary.blank_lines, "blank lines skipped"),
        (summary.comment_lines, "comment lines skipped"),
    ];
    for (count, what) in counted.into_iter().filter(|(count, _)| *count > 0) {
        text += &format!("{:<13} {what}\n", thousands(count));
    }
    let examples: Vec<String> = summary
        .unknown
        .examples
        .iter()
        .map(|(label, count)| format!("{label} ({})", thousands(*count)))
        .collect();
    if !examples.is_empty() {
        text += &format!("unknown       {}\n", examples.join(", "));
    }
    text
}

pub(super) fn to_json(summary: &ImportSummary, output: Option<&str>) -> Value {
    json!({
        "internal": true,
        "output": output,
        "files": summary.files,
        "rows": summary.rows,
        "records": summary.records,
        "owners": summary.owners,
        "symbols": summary.symbols,
        "locations": summary.locations,
        "unknown_visits": summary.unknown.visits,
        "unknown_examples": summary.unknown.examples,
        "outside_area": summary.outside_area,
        "invalid_points": summary.invalid_points,
        "outside_axis": summary.outside_axis,
        "owners_without_known_location": summary.owners_without_known_location,
        "duplicates": summary.duplicates,
        "stays_collapsed": summary.stays_collapsed,
        "empty_trips": summary.empty_trips,
        "incomplete_trips": summary.incomplete_trips,
        "out_of_order": summary.out_of_order,
        "blank_lines": summary.blank_lines,
        "comment_lines": summary.comment_lines,
        "first": summary.first.map(|date| date.to_string()),
        "last": summary.last.map(|date| date.to_string()),
    })
}
