//! Refuses flags that a form would silently ignore.

use wayveil_core::{Error, Result};

use super::arguments::{Format, ImportArguments};

impl ImportArguments {
    /// Says which flag makes no sense for what is imported.
    pub(super) fn refuse_unused(&self) -> Result<()> {
        let format = self.format;
        let listed = self.columns.trajectory_column.is_some();
        let columns = format.has_columns();
        let dates = format.has_dates() && !listed;
        let visits = (format.has_dates() || format == Format::Adatrace) && !listed;
        let points = format.has_points()
            || (columns
                && !listed
                && (self.places.wants_points() || self.places.invalid.is_some()));
        let labels = !points && !matches!(format, Format::Msnbc | Format::Ngrams);
        let bare_bins = listed || matches!(format, Format::Seq | Format::Csv | Format::Spmf);
        let text = matches!(format, Format::Events | Format::Gps);
        let seq = format == Format::Seq;
        let (place, column, date, record, sequence) = (
            &self.places,
            &self.columns,
            &self.dates,
            &self.records,
            &self.sequences,
        );
        let given = [
            ("--trajectory-column", listed, format == Format::Parquet),
            ("--universe", place.universe.is_some(), labels || points),
            (
                "--universe-from-data",
                place.universe_from_data,
                labels || points,
            ),
            ("--aliases", place.aliases.is_some(), labels),
            (
                "--unknown",
                place.unknown.is_some(),
                labels || format == Format::Msnbc,
            ),
            ("--area", place.cells.has_area(), points),
            ("--grid or --h3", place.cells.are_given(), points),
            ("--nearest", place.nearest.is_some(), points),
            ("--invalid", place.invalid.is_some(), points),
            ("--uid-column", column.uid_column.is_some(), columns),
            (
                "--trip-column",
                column.trip_column.is_some(),
                columns && dates,
            ),
            (
                "--location-column",
                column.location_column.is_some(),
                columns && labels && !listed,
            ),
            (
                "--lat-column",
                column.lat_column.is_some(),
                columns && points,
            ),
            (
                "--lng-column",
                column.lng_column.is_some(),
                columns && points,
            ),
            (
                "--datetime-column",
                !column.datetime_column.is_empty(),
                columns && dates,
            ),
            ("--attribute", !column.attributes.is_empty(), columns),
            ("--delimiter", column.delimiter.is_some(), text),
            ("--date-order", date.date_order.is_some(), dates),
            (
                "--date-format",
                date.date_format.is_some(),
                columns && dates,
            ),
            ("--timezone", date.timezone.is_some(), dates),
            ("--local-timezone", date.local_timezone.is_some(), dates),
            (
                "--hours-beyond-midnight",
                date.hours_beyond_midnight,
                columns && dates,
            ),
            ("--bin-width", date.bin_width.is_some(), dates),
            ("--bins", date.bins.is_some(), dates || bare_bins),
            ("--max-gap", record.max_gap.is_some(), dates),
            ("--day-starts", record.day_starts.is_some(), dates),
            ("--collapse-stays", record.collapse_stays, visits),
            (
                "--attribute-name",
                !sequence.attribute_names.is_empty(),
                seq,
            ),
            (
                "--itemsets",
                sequence.itemsets.is_some(),
                format == Format::Spmf,
            ),
        ];
        match given.into_iter().find(|(_, given, used)| *given && !used) {
            Some((flag, ..)) => Err(Error::input(format!(
                "{flag} says nothing about this kind of data"
            ))
            .hint(format!("leave {flag} out, or check --format"))),
            None => Ok(()),
        }
    }
}
