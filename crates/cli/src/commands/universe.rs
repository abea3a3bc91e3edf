//! `wayveil universe`: the public table of locations.

use std::path::PathBuf;

use serde_json::{Value, json};
use wayveil_core::{Error, Origin, Result, Universe};
use wayveil_io::feed::Service;
use wayveil_io::output::{check_not_source, check_target};
use wayveil_io::{Feed, FeedUniverse, read_feed_universe, write_aliases, write_universe_table};

use crate::facts::thousands;
use crate::places::{CellArguments, FeedArguments};
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil universe gtfs.zip -o stops.csv
  wayveil universe gtfs.zip --level stations --route-type 1 -o metro.csv
  wayveil universe --area 39.75,116.2,40.05,116.55 --h3 8 -o cells.csv
  wayveil import taps.csv --format events --universe stops.csv -o taps.parquet";

#[derive(clap::Args)]
pub(crate) struct UniverseArguments {
    /// Where the locations come from: a GTFS feed (folder or zip), a list with a label per line,
    /// or a table (.csv, .tsv).
    #[arg(required_unless_present_any = ["grid", "h3"], conflicts_with_all = ["grid", "h3"])]
    source: Option<PathBuf>,

    /// The table to write, with the columns label, name, lat, lng, parent.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Also write the other names of a feed's locations, with the columns alias and label.
    #[arg(long, value_name = "FILE", hide = true)]
    aliases: Option<PathBuf>,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    cells: CellArguments,

    #[command(flatten)]
    feed: FeedArguments,
}

pub(crate) fn run(arguments: &UniverseArguments, terminal: &Terminal) -> Result<()> {
    check_target(&arguments.output, arguments.force)?;
    if let Some(source) = &arguments.source {
        check_not_source(&arguments.output, source)?;
    }
    let name = arguments.output.to_string_lossy().to_lowercase();
    if !name.ends_with(".csv") {
        return Err(
            Error::input("the table must be called by its kind, or it is read as a list")
                .in_file(arguments.output.display().to_string())
                .hint("-o universe.csv"),
        );
    }
    let found = read(arguments)?;
    write_universe_table(&arguments.output, &found.universe, arguments.force)?;
    if let Some(path) = &arguments.aliases {
        write_aliases(path, &found.aliases, arguments.force)?;
    }
    let output = arguments.output.display().to_string();
    let mut object = found.to_json();
    object["output"] = json!(output);
    let text = format!("{}wrote {output}\n", found.describe());
    terminal.result(|| object, &text)
}

/// Locations, and what their source says beside them.
struct Found {
    universe: Universe,
    /// Other names of locations, each with the label that it stands for.
    aliases: Vec<(String, String)>,
    /// Lines of the summary that only this kind of source has: a title and a text.
    lines: Vec<(&'static str, String)>,
    notes: Vec<String>,
    /// The same and more, for machines.
    details: Value,
}

fn read(arguments: &UniverseArguments) -> Result<Found> {
    let plain = |universe: Universe| Found {
        universe,
        aliases: Vec::new(),
        lines: Vec::new(),
        notes: Vec::new(),
        details: json!({}),
    };
    if let Some(places) = arguments.cells.places(None)? {
        arguments.feed.refuse()?;
        return Ok(plain(places.universe().clone()));
    }
    let source = arguments.source.as_deref().ok_or_else(|| {
        Error::input("there is nothing to take locations from")
            .hint("name a GTFS feed, a list or a table, or state --area with --grid or --h3")
    })?;
    if Feed::is_here(source)? {
        return from_feed(&Feed::open(source)?, &arguments.feed.options());
    }
    let listed = arguments.feed.read_universe(source)?.into_declared();
    let universe = listed.ok_or_else(|| Error::input("the locations are not declared"))?;
    Ok(plain(universe))
}

fn from_feed(feed: &Feed, options: &FeedUniverse) -> Result<Found> {
    let locations = read_feed_universe(feed, options)?;
    let agencies = feed.agencies()?;
    let service = feed.service()?;
    let timezone = feed.timezone()?;
    let mut lines = vec![("agency", joined(&agencies))];
    lines.extend(timezone.iter().map(|zone| ("time zone", zone.clone())));
    if let Some(service) = &service {
        lines.extend(describe_service(service));
    }
    let mut notes = locations.notes;
    let counted = [
        (
            locations.merged,
            "stops joined to another one of the same stop_code",
        ),
        (
            locations.left_out,
            "rows of stops.txt left out: no location of this kind",
        ),
        (
            locations.unserved,
            "locations without a scheduled trip, in a group of their own",
        ),
        (
            locations.ambiguous_aliases,
            "other ids or codes could stand for several locations",
        ),
    ];
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    notes.extend(counted.map(|(count, what)| format!("{} {what}", thousands(count))));
    Ok(Found {
        details: json!({
            "agencies": agencies,
            "timezone": timezone,
            "service": service.as_ref().map(|service| json!({
                "first": service.first.to_string(),
                "last": service.last.to_string(),
                "days": service.days,
                "latest_departure": service.latest_departure.map(|time| time.to_string()),
            })),
            "aliases": locations.aliases.len(),
            "ambiguous_aliases": locations.ambiguous_aliases,
            "merged": locations.merged,
            "left_out": locations.left_out,
            "unserved": locations.unserved,
        }),
        universe: locations.universe,
        aliases: locations.aliases,
        lines,
        notes,
    })
}

fn describe_service(service: &Service) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("service days", thousands(service.days)),
        ("dates", format!("{} to {}", service.first, service.last)),
    ];
    if let Some(time) = service.latest_departure {
        lines.push(("last trip", format!("{time} of a service day")));
    }
    lines
}

/// Some names, and how many more there are.
fn joined(names: &[String]) -> String {
    const SHOWN: usize = 5;
    match names.len() {
        0 => "not named".into(),
        count if count > SHOWN => {
            format!("{} and {} more", names[..SHOWN].join(", "), count - SHOWN)
        }
        _ => names.join(", "),
    }
}

impl Found {
    fn with_coordinates(&self) -> u64 {
        let locations = self.universe.locations().iter();
        locations.filter(|location| location.at.is_some()).count() as u64
    }

    fn groups(&self) -> u64 {
        self.universe.taxonomy().map_or(0, |it| it.groups().len()) as u64
    }

    fn describe(&self) -> String {
        let mut text = String::new();
        let mut line = |title: &str, value: &str| text += &format!("{title:<18}{value}\n");
        line("locations", &thousands(self.universe.len() as u64));
        line("with coordinates", &thousands(self.with_coordinates()));
        line("groups", &thousands(self.groups()));
        for (title, value) in &self.lines {
            line(title, value);
        }
        for note in &self.notes {
            line("note", note);
        }
        text
    }

    fn to_json(&self) -> Value {
        let mut object = json!({
            "locations": self.universe.len(),
            "with_coordinates": self.with_coordinates(),
            "groups": self.groups(),
            "notes": self.notes,
            "origin": match self.universe.origin() {
                Origin::Declared(how) => Some(how),
                Origin::FromData => None,
            },
        });
        if let (Some(object), Some(details)) = (object.as_object_mut(), self.details.as_object()) {
            object.extend(details.clone());
        }
        object
    }
}
