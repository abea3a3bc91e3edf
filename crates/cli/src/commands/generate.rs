//! `wayveil generate`: data sets made up on this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use wayveil_core::{Dataset, Error, NonPrivate, Origin, RandomSource, Raw, Result};
use wayveil_io::generate::{
    GenerateOptions, Preset, PresetInfo, RoadNetwork, Timing, generate, taxi,
};
use wayveil_io::output::check_target;

use super::random_source;
use crate::facts::thousands;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil generate metro --records 50000 -o metro.parquet
  wayveil generate city --locations 200 --bins 40 -o city.parquet
  wayveil generate taxi --records 100 -o taxi.csv";

#[derive(clap::Args)]
pub(crate) struct GenerateArguments {
    /// What to imitate.
    #[arg(value_parser = preset_parser())]
    preset: String,

    /// How many records, one per person or vehicle, or how many taxis, which have one for each of
    /// their trips; the preset's own number unless given.
    #[arg(long, value_name = "N")]
    records: Option<u64>,

    /// How many locations; the preset's own number unless given. The grids of taxi and oldenburg
    /// have about so many cells.
    #[arg(long, value_name = "N")]
    locations: Option<u32>,

    /// How many time bins: hours of city and stm-hours, equal parts of the week of taxi, steps of a
    /// minute of oldenburg. The last two have none unless asked for; metro, bus and stm never do.
    #[arg(long, value_name = "N")]
    bins: Option<u32>,

    /// The road network of oldenburg: a folder with vertices.txt (id x y) and edges.txt
    /// (id from to length). Without it one of that size is made up.
    #[arg(long, value_name = "FOLDER")]
    network: Option<PathBuf>,

    /// Make the same data every time. For tests and figures.
    #[arg(long, value_name = "SEED")]
    insecure_seed: Option<u64>,

    /// The data file to write; for taxi also a table of points, named .csv or .csv.gz.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
}

fn preset_parser() -> clap::builder::PossibleValuesParser {
    Preset::all()
        .map(|preset| {
            let info = preset.info();
            let help = format!("{} ({})", info.description, figures(info));
            clap::builder::PossibleValue::new(info.name).help(help)
        })
        .collect::<Vec<_>>()
        .into()
}

/// The preset's own numbers.
fn figures(info: &PresetInfo) -> String {
    let mut figures = format!(
        "{} {}, {} {}",
        thousands(info.records),
        info.movers,
        thousands(u64::from(info.locations)),
        info.places
    );
    if let Timing::Always(bins) = info.timing {
        figures += &format!(", {bins} hours");
    }
    if let Some(attribute) = info.attribute {
        figures += &format!(
            "; {} of {} values, sensitive in {} % of the records: {}",
            attribute.name,
            attribute.values().count(),
            attribute.sensitive_percent,
            attribute.sensitive.join(", ")
        );
    }
    figures
}

pub(crate) fn run(arguments: &GenerateArguments, terminal: &Terminal) -> Result<()> {
    check_target(&arguments.output, arguments.force)?;
    let preset: Preset = arguments.preset.parse()?;
    let mut random = random_source("generate", arguments.insecure_seed)?;
    if names_a_table(&arguments.output) {
        return write_points(preset, arguments, &mut random, terminal);
    }
    let network = match &arguments.network {
        Some(folder) if preset == Preset::Oldenburg => Some(read_network(folder, terminal)?),
        Some(_) => {
            return Err(
                Error::input(format!("{preset} does not move on a road network"))
                    .hint("leave out --network, or choose the preset oldenburg"),
            );
        }
        None => None,
    };
    let options = GenerateOptions {
        records: arguments.records,
        locations: arguments.locations,
        bins: arguments.bins,
        network,
        ..GenerateOptions::default()
    };
    let raw = generate(preset, &options, &mut random, terminal)?;
    terminal.save(&arguments.output, &raw, arguments.force)?;
    let path = arguments.output.display().to_string();
    let machine = || describe(&path, preset, &raw, options.network.as_deref());
    terminal.result(machine, &format!("wrote {path}\n"))
}

/// Whether an output is a table of points, by its name.
fn names_a_table(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    name.ends_with(".csv") || name.ends_with(".csv.gz")
}

fn write_points(
    preset: Preset,
    arguments: &GenerateArguments,
    random: &mut RandomSource,
    terminal: &Terminal,
) -> Result<()> {
    let path = arguments.output.display().to_string();
    if preset != Preset::Taxi {
        return Err(
            Error::input(format!("{preset} has no points to write as a table"))
                .in_file(path)
                .hint(format!(
                    "wayveil generate {preset} -o {preset}.parquet, then wayveil convert \
                 {preset}.parquet --to csv -o {preset}.csv"
                )),
        );
    }
    let of_a_grid = [
        ("--locations", arguments.locations.is_some()),
        ("--bins", arguments.bins.is_some()),
        ("--network", arguments.network.is_some()),
    ];
    if let Some((flag, _)) = of_a_grid.iter().find(|(_, given)| *given) {
        return Err(Error::input(format!("points of taxis do not take {flag}"))
            .in_file(path)
            .hint("leave it out, or write trips over a grid with -o taxi.parquet"));
    }
    let taxis = arguments.records.unwrap_or(preset.info().records);
    let force = arguments.force;
    let points = taxi::save_points_csv(&arguments.output, taxis, random, force, terminal)?;
    let machine = || {
        json!({
            "output": path,
            "preset": preset.info().name,
            "taxis": taxis,
            "points": points,
            "area": taxi::AREA,
        })
    };
    let person = format!(
        "wrote {path}: {} points of {} taxis\n",
        thousands(points),
        thousands(taxis)
    );
    terminal.result(machine, &person)
}

/// Reads a road network and says what of it is of no use.
fn read_network(folder: &Path, terminal: &Terminal) -> Result<Arc<RoadNetwork>> {
    let network = RoadNetwork::read(folder)?;
    let left_out = network.left_out();
    for (count, what) in [
        (left_out.self_loops, "edges from a vertex to itself"),
        (left_out.parallel_edges, "edges beside a shorter one"),
        (
            left_out.vertices_apart,
            "vertices apart from the largest piece",
        ),
        (left_out.edges_apart, "edges between those"),
    ] {
        if count > 0 {
            terminal.say(&format!(
                "left out of the network: {} {what}",
                thousands(count)
            ));
        }
    }
    Ok(Arc::new(network))
}

/// What was made, for machines.
fn describe(
    path: &str,
    preset: Preset,
    raw: &Raw<Dataset>,
    network: Option<&RoadNetwork>,
) -> Value {
    let because = NonPrivate::because("the sizes of made-up data are told to who made them");
    let sizes = |data: &Dataset| {
        let universe = match data.universe().origin() {
            Origin::Declared(how) => Some(how.clone()),
            Origin::FromData => None,
        };
        let records = data.trips().len();
        let bins = data.time().map(|axis| axis.bins);
        (records, data.universe().len(), bins, universe)
    };
    let (records, locations, bins, universe) = raw.inspect(because, sizes).for_publisher_only();
    let attribute = preset.info().attribute;
    json!({
        "output": path,
        "preset": preset.info().name,
        "records": records,
        "locations": locations,
        "bins": bins,
        "universe": universe,
        "attribute": attribute.map(|info| json!({
            "name": info.name,
            "values": info.values().collect::<Vec<_>>(),
            "sensitive": info.sensitive,
        })),
        "network": network.map(|network| {
            let left_out = network.left_out();
            json!({
                "vertices": network.vertices(),
                "edges": network.edges(),
                "left_out": {
                    "self_loops": left_out.self_loops,
                    "parallel_edges": left_out.parallel_edges,
                    "vertices_apart": left_out.vertices_apart,
                    "edges_apart": left_out.edges_apart,
                },
            })
        }),
    })
}
