//! T-Drive: taxis of Beijing.

use std::path::Path;

use wayveil_core::{Progress, Result};

use super::PointOptions;
use super::files::files_below;
use crate::csv::Layout;
use crate::events::{Source, import_tables};
use crate::input::Input;
use crate::visits::Imported;

const LAYOUT: Layout = Layout {
    skipped_lines: 0,
    columns: Some(&["uid", "datetime", "lng", "lat"]),
};

/// Reads a folder of files `*.txt` with rows `id,time,longitude,latitude`, or one such file.
pub fn import_tdrive(
    path: &Path,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let sources = files_below(path, ".txt")?
        .into_iter()
        .map(|file| Input::open(&file).map(Source::plain));
    import_tables(sources, LAYOUT, &options.table(&["datetime"]), progress)
}

/// Reads such rows from any input.
pub fn import_tdrive_from(
    input: Input,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let source = std::iter::once(Ok(Source::plain(input)));
    import_tables(source, LAYOUT, &options.table(&["datetime"]), progress)
}
