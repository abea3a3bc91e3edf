//! Geolife: tracks of people in Beijing.

use std::path::Path;

use wayveil_core::{Error, Progress, Result};

use super::PointOptions;
use super::files::files_below;
use crate::csv::Layout;
use crate::events::{EventsOptions, Source, import_tables};
use crate::input::Input;
use crate::visits::Imported;

/// Six lines of preamble; then latitude, longitude, a zero, altitude in feet, days since 1899,
/// date and time.
const LAYOUT: Layout = Layout {
    skipped_lines: 6,
    columns: Some(&["lat", "lng", "zero", "altitude", "days", "date", "time"]),
};

/// Reads the folder of the data set, or a part of it: every `.plt` is a trip of the person whose
/// folder it lies in (`NNN/Trajectory/*.plt`). Its dates are UTC.
pub fn import_geolife(
    path: &Path,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let sources = files_below(path, ".plt")?.into_iter().map(|file| {
        Ok(Source {
            owner: Some(owner_of(&file)?),
            trip: Some(file.display().to_string()),
            input: Input::open(&file)?,
        })
    });
    import_tables(sources, LAYOUT, &table(options), progress)
}

/// Reads one `.plt` from any input, as the track of one person.
pub fn import_plt_from(
    input: Input,
    owner: &str,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let source = Source {
        input,
        owner: Some(owner.to_owned()),
        trip: None,
    };
    let source = std::iter::once(Ok(source));
    import_tables(source, LAYOUT, &table(options), progress)
}

/// Dates of this form are UTC, whatever the zone of days and time bins is.
fn table(options: &PointOptions) -> EventsOptions {
    let mut table = options.table(&["date", "time"]);
    table.dates.zone = "UTC".into();
    table
}

/// The folder of a file, or the one above where that is called `Trajectory`.
fn owner_of(file: &Path) -> Result<String> {
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folders = absolute.ancestors().skip(1).filter_map(Path::file_name);
    let mut folders = folders.map(|name| name.to_string_lossy().into_owned());
    folders
        .find(|name| !name.eq_ignore_ascii_case("trajectory"))
        .ok_or_else(|| {
            Error::input("the file lies in no person's folder")
                .in_file(file.display().to_string())
                .hint("Geolife keeps tracks in NNN/Trajectory/, where NNN is the person")
        })
}
