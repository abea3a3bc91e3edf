//! Porto: a year of taxi trips, a polyline each.

use std::path::Path;

use wayveil_core::{Error, Progress, Result};

use super::PointOptions;
use super::batch::PointBatch;
use super::polyline::json_points;
use crate::csv::Table;
use crate::dates::DateParser;
use crate::events::Swapped;
use crate::input::Input;
use crate::intern::Key;
use crate::summary::ImportSummary;
use crate::visits::{Gatherer, Imported};

/// The time between two points of a polyline, in microseconds.
const STEP: i64 = 15_000_000;
/// Rows after which progress is told.
const NEWS: u64 = 1024;

/// Reads a table of trips with the columns `TAXI_ID`, `TIMESTAMP` and `POLYLINE`; others are not
/// looked at, but for `MISSING_DATA`, whose trips are counted. Every row is a trip of its taxi, with
/// a point every fifteen seconds from the time stamp on.
pub fn import_porto(
    path: &Path,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    import_porto_from(Input::open(path)?, options, progress)
}

/// Reads such a table from any input.
pub fn import_porto_from(
    input: Input,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let table = Table::open(input, None)?;
    let (file, header) = (table.blocks.name().to_owned(), table.header.clone());
    let hint = "the columns of this form are TAXI_ID, TIMESTAMP and POLYLINE; see --format";
    let column = |name: &str| header.need(name, hint);
    let [taxi, stamp, polyline] = [
        column("TAXI_ID")?,
        column("TIMESTAMP")?,
        column("POLYLINE")?,
    ];
    let missing = header.find("MISSING_DATA")?;
    let mut dates = DateParser::new(&options.dates)?;
    let gatherer = Gatherer::new(&options.arrangement.scratch, []);
    let mut batch = PointBatch::new(gatherer, &options.places, options.invalid);
    let mut summary = ImportSummary {
        files: 1,
        dated: true,
        ..ImportSummary::default()
    };
    let mut trips = 0u64;
    progress.begin("reading trips", None);
    table.for_each(|line, fields| {
        let at = |column: usize| {
            let (file, column) = (&file, header.column(column));
            move |error: Error| error.in_file(file).at_line(line).at_column(column)
        };
        let uid = &*fields[taxi];
        let owner = batch
            .gatherer()
            .owner(uid, Key::of(uid))
            .map_err(at(taxi))?;
        let start = dates.parse(&fields[stamp]).map_err(at(stamp))?;
        let trip = batch.gatherer().new_trip().map_err(at(polyline))?;
        let (mut time, mut empty) = (start, true);
        for pair in json_points(&fields[polyline]).map_err(at(polyline))? {
            let pair = pair.map_err(at(polyline))?;
            batch
                .push((owner, trip, time), pair.point())
                .map_err(at(polyline))?;
            time = time.saturating_add(STEP);
            empty = false;
        }
        let incomplete = missing.is_some_and(|column| fields[column].eq_ignore_ascii_case("true"));
        summary.incomplete_trips += u64::from(incomplete);
        summary.empty_trips += u64::from(empty);
        trips += 1;
        if trips.is_multiple_of(NEWS) {
            progress.advance(NEWS);
        }
        Ok(())
    })?;
    progress.end();
    batch.finish(&file, Swapped::Fixed, summary, &options.arrangement)
}
