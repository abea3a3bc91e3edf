//! Files that other programs wrote, where a folder of them is named.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;

/// Where such files lie. Those whose names begin with `label` have the columns and rows of
/// [`simple`]; those that begin with `point` hold points in the area of [`places`]; those that
/// begin with `list` hold a trajectory per row. All of one beginning must give the same.
const FOLDER: &str = "WAYVEIL_COLUMNAR_SAMPLES";

fn read(path: &Path, kind: &str) -> Result<Seen> {
    let (raw, summary) = match kind {
        "label" => import_columns(path, &options(), &Silent)?.into_dataset(&Silent)?,
        "point" => import_columns(path, &places(), &Silent)?.into_dataset(&Silent)?,
        _ => {
            let universe = declared(&["A", "B", "C"]);
            read_trajectories(path, &TrajectoryTableOptions::new(universe, "test"))?
        }
    };
    Ok(seen(&raw, summary.for_publisher_only()))
}

#[test]
fn files_of_other_programs_are_read() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        println!("{FOLDER} names no folder: nothing to read");
        return;
    };
    let mut first: BTreeMap<String, Seen> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kind = name.split('-').next().unwrap_or_default().to_owned();
        let seen = read(&path, &kind).unwrap_or_else(|error| panic!("{error}"));
        println!("{name}: {} rows", seen.summary.rows);
        match first.get(&kind) {
            Some(other) => assert_eq!(*other, seen, "{name}"),
            None => {
                first.insert(kind, seen);
            }
        }
    }
}
