//! `wayveil import`: raw data into a data file.

mod arguments;
mod describe;
mod places;
mod unused;

use std::path::Path;

use serde_json::json;
use wayveil_core::{Dataset, Error, Internal, Raw, Result};
use wayveil_io::output::{check_not_source, check_target};
use wayveil_io::points::{import_adatrace, import_geolife, import_porto, import_tdrive};
use wayveil_io::seq::Bins;
use wayveil_io::tables::{
    Handed, TrajectoryTableOptions, import_batches, import_columns, read_trajectories,
    read_trajectory_batches,
};
use wayveil_io::{
    EventsOptions, ImportSummary, Imported, Itemsets, MsnbcOptions, PointOptions, Position,
    SeqOptions, SpmfOptions, VisitsOptions, import_events, read_msnbc, read_ngrams, read_seq,
    read_spmf, read_visits, write_fragments_csv,
};

use crate::facts::thousands;
use crate::terminal::Terminal;
pub(crate) use arguments::ImportArguments;
use arguments::{Format, ItemsetsArgument};
use describe::{describe, to_json};

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil import taps.csv --format events --universe stops.txt -o taps.parquet
  wayveil import taps.csv.gz --format events --uid-column card --location-column stop \\
      --datetime-column date,time --universe gtfs.zip --day-starts 03:00 -o taps.parquet
  wayveil import tracks.csv --format gps --area 39.75,116.2,40.05,116.55 --grid 500m \\
      --max-gap 30m --collapse-stays -o tracks.parquet
  wayveil import points.parquet --format parquet --universe stops.csv --nearest 300m \\
      --bin-width 1h --bin-origin 2024-03-04 --bins 168 -o timed.parquet
  wayveil import clicks.seq --format seq --universe-from-data --dry-run";

pub(crate) fn run(arguments: &ImportArguments, terminal: &Terminal) -> Result<()> {
    let output = arguments.output.as_deref().filter(|_| !arguments.dry_run);
    arguments.refuse_unused()?;
    if let Some(output) = output {
        check_target(output, arguments.force)?;
        check_not_source(output, &arguments.input)?;
        if let Some(universe) = &arguments.places.universe {
            check_not_source(output, universe)?;
        }
    }
    if arguments.format == Format::Ngrams {
        return ngrams(arguments, output, terminal);
    }
    let summary = match read(arguments, terminal)? {
        Read::Visits(imported) => match output {
            Some(path) if terminal.memory().wants(path) => {
                let (raw, summary) = imported.into_dataset(terminal)?;
                terminal.save(path, &raw, arguments.force)?;
                summary
            }
            Some(path) => imported.into_file(path, arguments.force, terminal)?,
            None => imported.into_summary(terminal)?,
        },
        Read::Sequences(read) => {
            let (raw, summary) = *read;
            if let Some(path) = output {
                terminal.save(path, &raw, arguments.force)?;
            }
            summary
        }
    };
    let written = output.map(|path| path.display().to_string());
    let summary = summary.for_publisher_only();
    let mut text = describe(&summary, arguments.format);
    match &written {
        Some(path) => text += &format!("wrote {path}\n"),
        None => text += "dry run: nothing was written\n",
    }
    terminal.result(|| to_json(&summary, written.as_deref()), &text)
}

/// What a reader hands over: visits that are still to be sorted, or whole sequences.
enum Read {
    Visits(Box<Imported>),
    Sequences(Box<(Raw<Dataset>, Internal<ImportSummary>)>),
}

fn read(arguments: &ImportArguments, terminal: &Terminal) -> Result<Read> {
    let (path, format) = (&arguments.input, arguments.format);
    if let Some((handed, rows)) = terminal.memory().table(path) {
        return read_handed(arguments, handed, rows, terminal);
    }
    if let Some(column) = &arguments.columns.trajectory_column {
        return read_trajectories(path, &trajectory_table(arguments, column)?).map(sequences);
    }
    let visits = match format {
        Format::Events | Format::Gps => import_events(path, &table(arguments)?, terminal)?,
        Format::Parquet => import_columns(path, &table(arguments)?, terminal)?,
        Format::Tdrive => import_tdrive(path, &points(arguments)?, terminal)?,
        Format::Geolife => import_geolife(path, &points(arguments)?, terminal)?,
        Format::Porto => import_porto(path, &points(arguments)?, terminal)?,
        Format::Adatrace => import_adatrace(path, &points(arguments)?, terminal)?,
        Format::Seq => return read_seq(path, &seq(arguments)?).map(sequences),
        Format::Csv => return read_visits(path, &visit_table(arguments)?).map(sequences),
        Format::Msnbc => return read_msnbc(path, &msnbc(arguments)?).map(sequences),
        Format::Spmf => return read_spmf(path, &spmf(arguments)?).map(sequences),
        Format::Ngrams => return Err(Error::input("counts of n-grams are no trajectories")),
    };
    Ok(Read::Visits(Box::new(visits)))
}

/// As for a Parquet file, with a table in memory.
fn read_handed(
    arguments: &ImportArguments,
    handed: Handed,
    rows: Option<u64>,
    terminal: &Terminal,
) -> Result<Read> {
    let name = arguments.input.display().to_string();
    if let Some(column) = &arguments.columns.trajectory_column {
        let options = trajectory_table(arguments, column)?;
        return read_trajectory_batches(&name, handed, &options).map(sequences);
    }
    let visits = import_batches(&name, handed, rows, &table(arguments)?, terminal)?;
    Ok(Read::Visits(Box::new(visits)))
}

fn sequences(read: (Raw<Dataset>, Internal<ImportSummary>)) -> Read {
    Read::Sequences(Box::new(read))
}

/// A column's name as given, or its usual one.
fn named(given: &Option<String>, usual: &str) -> String {
    given.clone().unwrap_or_else(|| usual.to_owned())
}

/// A table of visits, by label or by point.
fn table(arguments: &ImportArguments) -> Result<EventsOptions> {
    let (columns, places) = (&arguments.columns, &arguments.places);
    let by_point = arguments.format.has_points() || places.wants_points();
    let position = if by_point {
        Position::Point {
            lat: named(&columns.lat_column, "lat"),
            lng: named(&columns.lng_column, "lng"),
            places: places.places()?,
            invalid: places.invalid(),
        }
    } else {
        Position::Location {
            column: named(&columns.location_column, "location"),
            universe: places.choice()?,
            unknown: places.unknown(),
        }
    };
    Ok(EventsOptions {
        uid: named(&columns.uid_column, "uid"),
        trip: columns.trip_column.clone(),
        position,
        datetime: match columns.datetime_column.as_slice() {
            [] => vec!["datetime".into()],
            names => names.to_vec(),
        },
        attributes: columns.attributes.clone(),
        delimiter: columns.delimiter()?,
        dates: arguments.dates.options(),
        arrangement: arguments.arrangement()?,
    })
}

fn points(arguments: &ImportArguments) -> Result<PointOptions> {
    Ok(PointOptions {
        places: arguments.places.places()?,
        invalid: arguments.places.invalid(),
        dates: arguments.dates.options(),
        arrangement: arguments.arrangement()?,
    })
}

fn bins(arguments: &ImportArguments) -> Option<Bins> {
    arguments.dates.bins.map(Bins::Declared)
}

fn seq(arguments: &ImportArguments) -> Result<SeqOptions> {
    Ok(SeqOptions {
        universe: arguments.places.choice()?,
        bins: bins(arguments),
        attributes: arguments.sequences.attribute_names.clone(),
        unknown: arguments.places.unknown(),
        population: arguments.population()?,
    })
}

fn visit_table(arguments: &ImportArguments) -> Result<VisitsOptions> {
    Ok(VisitsOptions {
        universe: arguments.places.choice()?,
        unknown: arguments.places.unknown(),
        bins: bins(arguments),
        population: arguments.population()?,
    })
}

fn msnbc(arguments: &ImportArguments) -> Result<MsnbcOptions> {
    Ok(MsnbcOptions {
        unknown: arguments.places.unknown(),
        population: arguments.population()?,
    })
}

fn spmf(arguments: &ImportArguments) -> Result<SpmfOptions> {
    Ok(SpmfOptions {
        universe: arguments.places.choice()?,
        unknown: arguments.places.unknown(),
        bins: bins(arguments),
        itemsets: match arguments.sequences.itemsets {
            None | Some(ItemsetsArgument::Single) => Itemsets::Single,
            Some(ItemsetsArgument::Flatten) => Itemsets::Flatten,
        },
        population: arguments.population()?,
    })
}

fn trajectory_table(arguments: &ImportArguments, column: &str) -> Result<TrajectoryTableOptions> {
    let columns = &arguments.columns;
    Ok(TrajectoryTableOptions {
        column: column.to_owned(),
        bins_column: columns.bins_column.clone(),
        uid: Some(named(&columns.uid_column, "uid")).filter(|_| !columns.without_uid),
        attributes: columns.attributes.clone(),
        universe: arguments.places.choice()?,
        unknown: arguments.places.unknown(),
        bins: bins(arguments),
        population: arguments.population()?,
    })
}

/// Counts of n-grams are no trajectories: they become a table.
fn ngrams(arguments: &ImportArguments, output: Option<&Path>, terminal: &Terminal) -> Result<()> {
    let grams = read_ngrams(&arguments.input)?;
    if let Some(output) = output {
        let name = output.to_string_lossy().to_lowercase();
        if !name.ends_with(".csv") {
            return Err(
                Error::input("counts of n-grams become a table, not a data file")
                    .in_file(output.display().to_string())
                    .hint("-o counts.csv"),
            );
        }
        write_fragments_csv(output, &grams.grams, arguments.force)?;
    }
    let facts = grams.summary();
    let mut text = format!("n-grams       {}\n", thousands(facts.grams));
    for (length, count) in &facts.by_length {
        text += &format!("  of length {length:<2} {}\n", thousands(*count));
    }
    let written = output.map(|path| path.display().to_string());
    match &written {
        Some(path) => text += &format!("wrote {path}\n"),
        None => text += "dry run: nothing was written\n",
    }
    let object = || {
        json!({
            "internal": true,
            "output": written,
            "ngrams": facts.grams,
            "by_length": facts.by_length,
            "total_of_single": facts.total_of_single,
        })
    };
    terminal.result(object, &text)
}
