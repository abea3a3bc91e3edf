//! The commands of the page on inputs, on data sets as others publish them, where they are at
//! hand: in a folder `shared/data` beside the project. They are not part of it.

use std::path::Path;

use serde_json::Value;

use crate::common::Place;

#[test]
fn documented_commands_give_documented_figures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/inputs.md")).expect("the page on inputs");
    let rows: Vec<(&str, &str)> = page.lines().filter_map(row).collect();
    assert!(rows.len() >= 12, "the table of known data sets is gone");
    let data = root.join("../shared/data");
    let Ok(data) = data.canonicalize() else {
        println!("skipped: there is no {}", data.display());
        return;
    };
    let place = Place::new();
    for (command, figures) in rows {
        let line = command.trim_start_matches("wayveil ");
        let line = line.replace("DATA", &data.display().to_string());
        let object = place.json(&line);
        for figure in figures.split(';') {
            let (key, value) = figure.trim().split_once(' ').expect("a name and a number");
            let value: u64 = value.replace(',', "").parse().expect("a number");
            assert_eq!(
                find(&object, key),
                Some(value),
                "{key} of {command}\n{object}"
            );
        }
    }
}

/// The command and the figures of a row of the table.
fn row(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once("| `wayveil ")?;
    let (command, figures) = rest.split_once("` | ")?;
    let figures = figures.trim_end_matches(" |");
    command.contains("DATA/").then_some((command, figures))
}

/// A number anywhere in an object.
fn find(object: &Value, key: &str) -> Option<u64> {
    let own = object.get(key).and_then(Value::as_u64);
    own.or_else(|| {
        object
            .as_object()?
            .values()
            .find_map(|inner| find(inner, key))
    })
}
