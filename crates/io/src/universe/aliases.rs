//! Other names of locations as a table, for whoever has the list of locations and not the feed that it comes from.

use std::io::{self, Write};
use std::path::Path;

use wayveil_core::{Error, Result, Universe};

use super::check_label;
use crate::csv::{Table, write_field};
use crate::input::Input;
use crate::output::{cannot_write, write_file};

/// Writes a table with the columns `alias,label` that [`read_aliases`] reads back.
pub fn write_aliases(path: &Path, aliases: &[(String, String)], overwrite: bool) -> Result<()> {
    write_file(path, overwrite, |out| {
        write_rows(out, aliases).map_err(|cause| cannot_write(path, cause))
    })
}

fn write_rows(out: &mut impl Write, aliases: &[(String, String)]) -> io::Result<()> {
    out.write_all(b"alias,label\n")?;
    for (alias, label) in aliases {
        write_field(out, alias)?;
        out.write_all(b",")?;
        write_field(out, label)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Reads such a table. Every name must stand for a location of the universe.
pub fn read_aliases(path: &Path, universe: &Universe) -> Result<Vec<(String, String)>> {
    read(Input::open(path)?, universe)
}

fn read(input: Input, universe: &Universe) -> Result<Vec<(String, String)>> {
    let table = Table::open(input, None)?;
    let file = table.blocks.name().to_owned();
    let header = table.header.clone();
    let advice = "the table has the columns alias and label";
    let columns = [header.need("alias", advice)?, header.need("label", advice)?];
    let mut aliases = Vec::new();
    table.for_each(|line, fields| {
        let [alias, label] = columns.map(|column| &*fields[column]);
        let at = |column: usize| {
            let (file, column) = (&file, header.column(column));
            move |error: Error| error.in_file(file).at_line(line).at_column(column)
        };
        check_label(alias, "location").map_err(at(columns[0]))?;
        if universe.code(label).is_none() {
            let error = Error::input(format!("the location {label:?} is not in the universe"));
            let error = error.hint("take other names from the feed that the locations come from");
            return Err(at(columns[1])(error));
        }
        aliases.push((alias.to_owned(), label.to_owned()));
        Ok(())
    })?;
    Ok(aliases)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use wayveil_core::Origin;

    use super::*;

    fn universe() -> Universe {
        Universe::from_labels(["S, 1", "S2"], Origin::Declared("a list".into())).unwrap()
    }

    fn read_text(text: &str) -> Result<Vec<(String, String)>> {
        let bytes = Cursor::new(text.as_bytes().to_vec());
        read(Input::from_reader("names", bytes).unwrap(), &universe())
    }

    #[test]
    fn are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("aliases.csv");
        let names = [("p \"1\"", "S, 1"), ("p2", "S2"), ("p,3", "S2")];
        let names = names.map(|(alias, label)| (alias.to_owned(), label.to_owned()));
        write_aliases(&path, &names, false).unwrap();
        assert_eq!(read_aliases(&path, &universe()).unwrap(), names);
        write_aliases(&path, &[], true).unwrap();
        assert_eq!(read_aliases(&path, &universe()).unwrap(), []);
    }

    #[test]
    fn bad_tables_are_named_by_line_and_column() {
        for (text, line, column) in [
            ("alias,name\np,S2\n", 1, None),
            ("alias,label\np,S3\n", 2, Some("label")),
            ("alias,label\np,S2\n ,S2\n", 3, Some("alias")),
        ] {
            let error = read_text(text).unwrap_err();
            let place = error.place().unwrap();
            assert_eq!(
                (place.line, place.column.as_deref()),
                (Some(line), column),
                "{text:?}: {error}"
            );
        }
    }
}
