//! The public set of locations that a campaign file names.

use std::path::Path;

use wayveil_core::{Error, Origin, Result, Universe, UniverseDocument};

/// Reads a universe: a document as a running service hands it out if the name ends in `.json`, and
/// else whatever io knows.
pub(super) fn read(path: &Path) -> Result<Universe> {
    let is_document = path.extension().is_some_and(|it| it == "json");
    if !is_document {
        return wayveil_io::read_universe(path);
    }
    let file = path.display().to_string();
    let text = std::fs::read(path)
        .map_err(|cause| Error::input(format!("cannot be read: {cause}")).in_file(&file))?;
    let document: UniverseDocument = serde_json::from_slice(&text).map_err(|cause| {
        Error::input(format!("not a universe: {cause}"))
            .in_file(&file)
            .at_line(cause.line() as u64)
            .at_column(cause.column())
            .hint("give a table of locations (.csv), a list (.txt) or a GTFS feed instead")
    })?;
    if document.origin == Origin::FromData {
        return Err(Error::refused(
            "this set of locations was read off raw data, and is not public",
        )
        .in_file(file)
        .hint("state the locations independently of any data"));
    }
    Universe::try_from(document).map_err(|error| error.in_file(file))
}
