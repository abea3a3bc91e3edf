//! `wayveil import`: raw data into a data file.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value, json};
use wayveil_core::{Dataset, Error, Internal, Raw, Result};
use wayveil_io::dates::{DateOptions, DateOrder};
use wayveil_io::output::check_target;
use wayveil_io::seq::Bins;
use wayveil_io::{
    EventsOptions, ImportSummary, SeqOptions, UniverseChoice, Unknown, read_events, read_seq,
    read_universe, write_dataset,
};

use crate::facts::thousands;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil import taps.csv --format events --universe stops.txt -o taps.parquet
  wayveil import taps.csv.gz --format events --uid-column card --location-column stop \\
      --datetime-column time --universe stops.csv --dry-run
  wayveil import clicks.seq --format seq --universe-from-data -o clicks.parquet";

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table with one visit a row: person, location, time.
    Events,
    /// One trajectory a line, locations separated by blanks.
    Seq,
}

#[derive(Clone, Copy, ValueEnum)]
enum UnknownLocations {
    /// Stop and name the first one.
    Error,
    /// Leave them out and count them.
    Drop,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// Year, month, day.
    Ymd,
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
}

#[derive(clap::Args)]
pub(crate) struct ImportArguments {
    /// The file to read; gzip and zstd are recognised.
    input: PathBuf,

    /// What kind of file it is.
    #[arg(long, value_enum)]
    format: Format,

    /// The public list of locations: a label per line, a table with the columns label, name, lat,
    /// lng, parent, or a GTFS feed (folder or zip), of which all stops are taken by stop_id.
    #[arg(long, value_name = "FILE", conflicts_with = "universe_from_data")]
    universe: Option<PathBuf>,

    /// Take the list of locations from the data. Publishing then needs the same flag again.
    #[arg(long)]
    universe_from_data: bool,

    /// What to do with locations outside the universe.
    #[arg(long, value_enum, default_value = "error")]
    unknown: UnknownLocations,

    /// The name under which spending on these people is kept; the file's name unless given.
    #[arg(long, value_name = "NAME")]
    population: Option<String>,

    /// Read and report, but write nothing.
    #[arg(long)]
    dry_run: bool,

    /// The data file to write.
    #[arg(long, short, value_name = "FILE", required_unless_present = "dry_run")]
    output: Option<PathBuf>,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    events: EventsArguments,

    #[command(flatten)]
    seq: SeqArguments,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Format events")]
struct EventsArguments {
    /// The column that names the person.
    #[arg(long, value_name = "COLUMN", default_value = "uid")]
    uid_column: String,

    /// The column that names the location.
    #[arg(long, value_name = "COLUMN", default_value = "location")]
    location_column: String,

    /// The column with date and time.
    #[arg(long, value_name = "COLUMN", default_value = "datetime")]
    datetime_column: String,

    /// Further columns to keep, one value per person.
    #[arg(long = "attribute", value_name = "COLUMN", value_delimiter = ',')]
    attributes: Vec<String>,

    /// What separates columns; found from the header unless given. `tab` for a tab.
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<String>,

    /// Which part of a date comes first, for dates such as 03/04/2024.
    #[arg(long, value_enum)]
    date_order: Option<Order>,

    /// The form of dates, in strftime's letters, for instance '%d.%m.%Y %H:%M'.
    #[arg(long, value_name = "FORM")]
    date_format: Option<String>,

    /// The time zone of dates that do not name one.
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    timezone: String,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Format seq")]
struct SeqArguments {
    /// The public number of time bins, for symbols of the form location@bin.
    #[arg(long, value_name = "N")]
    bins: Option<u32>,

    /// Names of the columns that follow the trajectory after tabs.
    #[arg(long = "attribute-name", value_name = "NAME", value_delimiter = ',')]
    attribute_names: Vec<String>,
}

pub(crate) fn run(arguments: &ImportArguments, terminal: &Terminal) -> Result<()> {
    if let Some(output) = &arguments.output
        && !arguments.dry_run
    {
        check_target(output, arguments.force)?;
    }
    let (raw, summary) = read(arguments, terminal)?;
    let written = match &arguments.output {
        Some(output) if !arguments.dry_run => {
            write_dataset(output, &raw, arguments.force)?;
            Some(output.display().to_string())
        }
        _ => None,
    };
    let summary = summary.for_publisher_only();
    let mut text = describe(&summary, arguments.format);
    match &written {
        Some(path) => text += &format!("wrote {path}\n"),
        None => text += "dry run: nothing was written\n",
    }
    terminal.result(|| to_json(&summary, written.as_deref()), &text)
}

fn read(
    arguments: &ImportArguments,
    terminal: &Terminal,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    let universe = match (&arguments.universe, arguments.universe_from_data) {
        (Some(path), _) => UniverseChoice::Declared(read_universe(path)?),
        (None, true) => UniverseChoice::FromData,
        (None, false) => {
            return Err(
                Error::input("the set of locations is a public input and must be given").hint(
                    "add --universe FILE with one label per line, or --universe-from-data if the \
                     list may be revealed",
                ),
            );
        }
    };
    let population = arguments.population.clone().unwrap_or_else(|| {
        let name = arguments
            .input
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        name.split('.').next().unwrap_or_default().to_owned()
    });
    let unknown = match arguments.unknown {
        UnknownLocations::Error => Unknown::Error,
        UnknownLocations::Drop => Unknown::Drop,
    };
    match arguments.format {
        Format::Events => {
            let options = arguments.events.options(universe, unknown, population)?;
            read_events(&arguments.input, &options, terminal)
        }
        Format::Seq => {
            let options = SeqOptions {
                universe,
                bins: arguments.seq.bins.map(Bins::Declared),
                attributes: arguments.seq.attribute_names.clone(),
                unknown,
                population,
            };
            read_seq(&arguments.input, &options)
        }
    }
}

impl EventsArguments {
    fn options(
        &self,
        universe: UniverseChoice,
        unknown: Unknown,
        population: String,
    ) -> Result<EventsOptions> {
        let delimiter = match self.delimiter.as_deref() {
            None => None,
            Some("tab" | "\\t") => Some(b'\t'),
            Some(text) => match text.as_bytes() {
                [byte] if byte.is_ascii() => Some(*byte),
                _ => {
                    return Err(Error::input(format!(
                        "invalid delimiter (got {text:?}): must be one ASCII character or `tab`"
                    )));
                }
            },
        };
        Ok(EventsOptions {
            uid: self.uid_column.clone(),
            location: self.location_column.clone(),
            datetime: self.datetime_column.clone(),
            attributes: self.attributes.clone(),
            delimiter,
            dates: DateOptions {
                order: self.date_order.map(|order| match order {
                    Order::Ymd => DateOrder::Ymd,
                    Order::Dmy => DateOrder::Dmy,
                    Order::Mdy => DateOrder::Mdy,
                }),
                format: self.date_format.clone(),
                zone: self.timezone.clone(),
            },
            unknown,
            universe,
            population,
        })
    }
}

fn describe(summary: &ImportSummary, format: Format) -> String {
    let mut text = format!(
        "rows          {}\nrecords       {}\nowners        {}\nsymbols       {}\n\
         locations     {}\n",
        thousands(summary.rows),
        thousands(summary.records),
        thousands(summary.owners),
        thousands(summary.symbols),
        thousands(summary.locations),
    );
    if let (Some(first), Some(last)) = (summary.first, summary.last) {
        text += &format!("dates         {first} to {last}\n");
    }
    let counted = [
        (
            summary.unknown.visits,
            "visits to unknown locations left out",
        ),
        (
            summary.owners_without_known_location,
            "people left out, at unknown locations only",
        ),
        (summary.duplicates, "rows left out that repeat another"),
        (
            summary.out_of_order,
            match format {
                Format::Events => "rows put into the order of time",
                Format::Seq => "visits that go back in time; publishing cuts the record there",
            },
        ),
        (summary.blank_lines, "blank lines skipped"),
    ];
    for (count, what) in counted.into_iter().filter(|(count, _)| *count > 0) {
        text += &format!("{:<13} {what}\n", thousands(count));
    }
    let examples: Vec<String> = summary
        .unknown
        .examples
        .iter()
        .map(|(label, count)| format!("{label} ({})", thousands(*count)))
        .collect();
    if !examples.is_empty() {
        text += &format!("unknown       {}\n", examples.join(", "));
    }
    text
}

fn to_json(summary: &ImportSummary, output: Option<&str>) -> Value {
    json!({
        "internal": true,
        "output": output,
        "rows": summary.rows,
        "records": summary.records,
        "owners": summary.owners,
        "symbols": summary.symbols,
        "locations": summary.locations,
        "unknown_visits": summary.unknown.visits,
        "unknown_examples": summary.unknown.examples,
        "owners_without_known_location": summary.owners_without_known_location,
        "duplicates": summary.duplicates,
        "out_of_order": summary.out_of_order,
        "blank_lines": summary.blank_lines,
        "first": summary.first.map(|date| date.to_string()),
        "last": summary.last.map(|date| date.to_string()),
    })
}
