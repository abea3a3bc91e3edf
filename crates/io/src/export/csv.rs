//! Writes trajectories as CSV in long form, one visit per row.
//!
//! | column | |
//! | --- | --- |
//! | `uid` | the owner; absent in releases and where every trajectory has an owner of its own |
//! | `trajectory` | its number, counted from 1 |
//! | `position` | the visit's place in the trajectory, counted from 1 |
//! | `location` | the label |
//! | `bin` | the time bin, in timed data |
//! | *attribute* | one column per attribute |
//!
//! A trajectory without visits is one row with position 0 and empty location and bin, so that
//! [`read_visits`](crate::read_visits) gives back what was written.

use std::io::{self, Write};
use std::path::Path;

use wayveil_core::{Attribute, Dataset, Error, NonPrivate, Owners, Raw, Result};

use super::View;
use crate::csv::write_field;
use crate::output::{cannot_write, write_file};
use crate::release::Published;
use crate::visit_table::{BIN, COLUMNS, UID};

/// Exports raw data as CSV, for the publisher.
pub fn export_raw_csv(path: &Path, raw: &Raw<Dataset>, overwrite: bool) -> Result<()> {
    let because = NonPrivate::because("the publisher converts their own data to CSV");
    raw.inspect(because, |data| export(path, &View::of_raw(data), overwrite))
        .for_publisher_only()
}

/// Exports a release's trajectories as CSV.
pub fn export_published_csv(path: &Path, release: &Published, overwrite: bool) -> Result<()> {
    export(path, &View::of_release(release), overwrite)
}

fn export(path: &Path, view: &View<'_>, overwrite: bool) -> Result<()> {
    check_names(view.attributes)?;
    write_file(path, overwrite, |out| {
        write(out, view).map_err(|cause| cannot_write(path, cause))
    })
}

/// Refuses attributes that a reader could not tell from the table's own columns, or whose names
/// would not come back as they were.
fn check_names(attributes: &[Attribute]) -> Result<()> {
    let taken = |name: &str| name == UID || name == BIN || COLUMNS.contains(&name);
    let changes = |name: &str| name.trim() != name || name.contains(['\n', '\r']);
    match attributes
        .iter()
        .find(|it| taken(&it.name) || changes(&it.name))
    {
        Some(attribute) => Err(Error::input(format!(
            "the attribute {:?} cannot be a column of this table: it is called like a column that \
             the table has, or begins or ends with a blank",
            attribute.name
        ))
        .hint("convert with --to seq, or import again with another name for it")),
        None => Ok(()),
    }
}

fn write(out: &mut impl Write, view: &View<'_>) -> io::Result<()> {
    let sequences = view.sequences;
    if matches!(view.owners, Owners::Known { .. }) {
        write!(out, "{UID},")?;
    }
    out.write_all(COLUMNS.join(",").as_bytes())?;
    if sequences.is_timed() {
        write!(out, ",{BIN}")?;
    }
    for attribute in view.attributes {
        out.write_all(b",")?;
        write_field(out, &attribute.name)?;
    }
    out.write_all(b"\n")?;
    for record in 0..sequences.len() {
        let (codes, bins) = (sequences.codes_of(record), sequences.bins_of(record));
        if codes.is_empty() {
            write_row(out, view, record, |out| {
                let empty: &[u8] = if sequences.is_timed() { b"0,," } else { b"0," };
                out.write_all(empty)
            })?;
        }
        for (position, &code) in codes.iter().enumerate() {
            write_row(out, view, record, |out| {
                write!(out, "{},", position + 1)?;
                write_field(out, view.universe.label(code))?;
                match bins.get(position) {
                    Some(bin) => write!(out, ",{bin}"),
                    None => Ok(()),
                }
            })?;
        }
    }
    Ok(())
}

/// A row of a record; `visit` writes position, location and bin.
fn write_row<W: Write>(
    out: &mut W,
    view: &View<'_>,
    record: usize,
    visit: impl FnOnce(&mut W) -> io::Result<()>,
) -> io::Result<()> {
    if let Owners::Known { of_record, labels } = view.owners {
        write_field(out, labels.get(of_record[record] as usize))?;
        out.write_all(b",")?;
    }
    write!(out, "{},", record + 1)?;
    visit(out)?;
    for attribute in view.attributes {
        let value = attribute.of_record[record] as usize;
        out.write_all(b",")?;
        write_field(out, attribute.values.get(value))?;
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Origin, Sequences, TimeAxis, Universe};

    use super::*;

    #[test]
    fn writes_one_visit_per_row() {
        let origin = Origin::Declared("test".into());
        let universe = Universe::from_labels(["A", "B, \"x\""], origin.clone()).unwrap();
        let trips = Sequences::new(vec![0, 2, 2, 3], vec![0, 1, 1], Some(vec![0, 1, 4])).unwrap();
        let owners = Owners::Known {
            of_record: vec![1, 0, 1],
            labels: ["p", "q"].into_iter().collect(),
        };
        let age = Attribute {
            name: "age".into(),
            values: ["old", ""].into_iter().collect(),
            of_record: vec![0, 1, 1],
        };
        let time = Some(TimeAxis::new(5, origin));
        let data = Dataset::new(
            Arc::new(universe),
            time,
            trips,
            owners,
            vec![age],
            "p".into(),
        )
        .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        export_raw_csv(&path, &Raw::new(data), false).unwrap();
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            "uid,trajectory,position,location,bin,age\nq,1,1,A,0,old\n\
             q,1,2,\"B, \"\"x\"\"\",1,old\np,2,0,,,\nq,3,1,\"B, \"\"x\"\"\",4,\n"
        );
    }
}
