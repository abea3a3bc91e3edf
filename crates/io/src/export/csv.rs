//! Writes trajectories as CSV in long form, one visit per row.
//!
//! Columns are `trajectory,position,location[,bin]`, counted from 1; raw data have the owner's
//! `uid` and the attributes beside them. A trajectory without visits has no rows, so that the
//! numbers of trajectories may have gaps.

use std::io::{self, Write};
use std::path::Path;

use wayveil_core::{Dataset, NonPrivate, Owners, Raw, Result};

use super::View;
use crate::output::{cannot_write, write_file};
use crate::release::Published;

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
    write_file(path, overwrite, |out| {
        write(out, view).map_err(|cause| cannot_write(path, cause))
    })
}

fn write(out: &mut impl Write, view: &View<'_>) -> io::Result<()> {
    let sequences = view.sequences;
    if matches!(view.owners, Owners::Known { .. }) {
        out.write_all(b"uid,")?;
    }
    out.write_all(b"trajectory,position,location")?;
    if sequences.is_timed() {
        out.write_all(b",bin")?;
    }
    for attribute in view.attributes {
        out.write_all(b",")?;
        field(out, &attribute.name)?;
    }
    out.write_all(b"\n")?;
    for record in 0..sequences.len() {
        let bins = sequences.bins_of(record);
        for (position, &code) in sequences.codes_of(record).iter().enumerate() {
            if let Owners::Known { of_record, labels } = view.owners {
                field(out, labels.get(of_record[record] as usize))?;
                out.write_all(b",")?;
            }
            write!(out, "{},{},", record + 1, position + 1)?;
            field(out, view.universe.label(code))?;
            if let Some(bin) = bins.get(position) {
                write!(out, ",{bin}")?;
            }
            for attribute in view.attributes {
                out.write_all(b",")?;
                field(
                    out,
                    attribute.values.get(attribute.of_record[record] as usize),
                )?;
            }
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// A field, quoted where it must be.
fn field(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Attribute, Origin, Sequences, TimeAxis, Universe};

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
             q,1,2,\"B, \"\"x\"\"\",1,old\nq,3,1,\"B, \"\"x\"\"\",4,\n"
        );
    }
}
