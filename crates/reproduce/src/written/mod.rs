//! What came of an entry, written down: for machines, for tables, for people, and as a picture.

mod chart;
mod csv;
mod index;
mod json;
mod markdown;

use std::io::Write;
use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};
use wayveil_io::output::write_file;

use crate::reproduced::Reproduced;

pub use chart::svg;
pub use csv::csv;
pub use index::{INDEX, index};
pub use json::{about, json};
pub use markdown::{list, markdown};

/// Writes the files of an entry into a folder, in place of older ones, and says which; the folder's page is made anew.
pub fn write(made: &Reproduced, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = vec![("json", format!("{:#}\n", json(made))), ("md", page(made))];
    if !made.cells.is_empty() {
        files.push(("csv", csv(made)));
        files.push(("svg", svg(made)));
    }
    let mut written = Vec::new();
    for (ending, text) in files {
        let path = folder.join(format!("{}.{ending}", made.file_name()));
        replace(&path, &text)?;
        written.push(path);
    }
    replace(&folder.join(INDEX), &index(folder)?)?;
    Ok(written)
}

/// An entry's page, with its picture where there is one.
fn page(made: &Reproduced) -> String {
    let picture = match made.cells.is_empty() {
        true => String::new(),
        false => format!("\n![{}]({}.svg)\n", made.entry.title, made.file_name()),
    };
    markdown(made) + &picture
}

/// Writes a whole file or leaves the old one.
fn replace(path: &Path, text: &str) -> Result<()> {
    write_file(path, true, |file| {
        file.write_all(text.as_bytes())
            .map_err(|cause| Error::system("cannot write", cause))
    })
}
