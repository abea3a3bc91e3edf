//! Writes trajectories as CSV in long form, one visit per row.
//!
//! Columns are `trajectory,position,location[,bin]`, counted from 1; raw data have the owner's
//! `uid` and the attributes beside them. A trajectory without visits has no rows, so that the
//! numbers of trajectories may have gaps.

use std::io::{self, Write};
use std::path::Path;

use wayveil_core::{Attribute, Dataset, NonPrivate, Owners, Raw, Result, Sequences, Universe};

use crate::output::{cannot_write, write_file};
use crate::release::Published;

/// Exports raw data, for the publisher.
pub fn export_raw_csv(path: &Path, raw: &Raw<Dataset>, overwrite: bool) -> Result<()> {
    let because = NonPrivate::because("the publisher converts their own data to CSV");
    write_file(path, overwrite, |out| {
        raw.inspect(because, |data| {
            let beside = Beside {
                owners: data.owners(),
                attributes: data.attributes(),
            };
            write_csv(out, data.universe(), data.trips(), &beside)
        })
        .for_publisher_only()
        .map_err(|cause| cannot_write(path, cause))
    })
}

/// Exports a release's trajectories.
pub fn export_published_csv(path: &Path, release: &Published, overwrite: bool) -> Result<()> {
    write_file(path, overwrite, |out| {
        let beside = Beside {
            owners: &Owners::EachRecord,
            attributes: &[],
        };
        write_csv(out, release.universe(), release.trajectories(), &beside)
            .map_err(|cause| cannot_write(path, cause))
    })
}

/// What stands beside the trajectories.
struct Beside<'a> {
    owners: &'a Owners,
    attributes: &'a [Attribute],
}

fn write_csv(
    out: &mut impl Write,
    universe: &Universe,
    sequences: &Sequences,
    beside: &Beside<'_>,
) -> io::Result<()> {
    if matches!(beside.owners, Owners::Known { .. }) {
        out.write_all(b"uid,")?;
    }
    out.write_all(b"trajectory,position,location")?;
    if sequences.is_timed() {
        out.write_all(b",bin")?;
    }
    for attribute in beside.attributes {
        out.write_all(b",")?;
        field(out, &attribute.name)?;
    }
    out.write_all(b"\n")?;
    for record in 0..sequences.len() {
        let bins = sequences.bins_of(record);
        for (position, &code) in sequences.codes_of(record).iter().enumerate() {
            if let Owners::Known { of_record, labels } = beside.owners {
                field(out, labels.get(of_record[record] as usize))?;
                out.write_all(b",")?;
            }
            write!(out, "{},{},", record + 1, position + 1)?;
            field(out, universe.label(code))?;
            if let Some(bin) = bins.get(position) {
                write!(out, ",{bin}")?;
            }
            for attribute in beside.attributes {
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
pub(crate) fn field(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Origin, TimeAxis};

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
