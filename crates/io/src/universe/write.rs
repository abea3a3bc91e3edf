//! Writes the public list of locations.

use std::io::{self, Write};
use std::path::Path;

use wayveil_core::{Error, Result, Universe};

use crate::csv::write_field;
use crate::output::{cannot_write, write_file};

/// Writes a table with the columns `label,name,lat,lng,parent` that
/// [`read_universe_table`](super::read_universe_table) reads back: the same locations in the same
/// order, with the same coordinates to the last digit, each in the same group.
pub fn write_universe_table(path: &Path, universe: &Universe, overwrite: bool) -> Result<()> {
    let groups = universe.taxonomy().map_or(&[][..], |it| it.groups());
    if groups.iter().any(|group| group.parent.is_some()) {
        return Err(Error::input(
            "the locations lie in groups of groups, for which a table of locations has no column",
        )
        .hint("write the taxonomy as a table of its own, with the columns label,parent"));
    }
    write_file(path, overwrite, |out| {
        write_rows(out, universe).map_err(|cause| cannot_write(path, cause))
    })
}

fn write_rows(out: &mut impl Write, universe: &Universe) -> io::Result<()> {
    out.write_all(b"label,name,lat,lng,parent\n")?;
    for (code, location) in (0..).zip(universe.locations()) {
        write_field(out, &location.label)?;
        out.write_all(b",")?;
        write_field(out, location.name.as_deref().unwrap_or_default())?;
        match location.at {
            // The shortest text that reads back to the same number.
            Some(at) => write!(out, ",{},{},", at.lat, at.lng)?,
            None => out.write_all(b",,,")?,
        }
        if let Some(taxonomy) = universe.taxonomy() {
            write_field(
                out,
                &taxonomy.groups()[taxonomy.group_of(code) as usize].label,
            )?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
