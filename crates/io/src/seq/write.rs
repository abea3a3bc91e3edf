//! Writes `seq`.

use std::io::{self, Write};
use std::path::Path;

use wayveil_core::{Attribute, Dataset, NonPrivate, Raw, Result, Sequences, Universe};

use super::escape::write_escaped;
use crate::output::{cannot_write, write_file};
use crate::release::Published;

/// Writes raw data, for the publisher. Owners' ids are not written.
pub fn write_raw_seq(path: &Path, raw: &Raw<Dataset>, overwrite: bool) -> Result<()> {
    let because = NonPrivate::because("the publisher converts their own data to seq");
    write_file(path, overwrite, |out| {
        raw.inspect(because, |data| {
            write_seq(out, data.universe(), data.trips(), data.attributes())
        })
        .for_publisher_only()
        .map_err(|cause| cannot_write(path, cause))
    })
}

/// Writes a release's trajectories, with its columns beside them.
pub fn write_published_seq(path: &Path, release: &Published, overwrite: bool) -> Result<()> {
    write_file(path, overwrite, |out| {
        let (trajectories, attributes) = (release.trajectories(), release.attributes());
        write_seq(out, release.universe(), trajectories, attributes)
            .map_err(|cause| cannot_write(path, cause))
    })
}

pub(super) fn write_seq(
    out: &mut impl Write,
    universe: &Universe,
    sequences: &Sequences,
    attributes: &[Attribute],
) -> io::Result<()> {
    for record in 0..sequences.len() {
        let bins = sequences.bins_of(record);
        for (position, &code) in sequences.codes_of(record).iter().enumerate() {
            if position > 0 {
                out.write_all(b" ")?;
            }
            write_escaped(out, universe.label(code))?;
            if let Some(bin) = bins.get(position) {
                write!(out, "@{bin}")?;
            }
        }
        for attribute in attributes {
            out.write_all(b"\t")?;
            write_escaped(
                out,
                attribute.values.get(attribute.of_record[record] as usize),
            )?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
