//! `weave` on GPS trips beside AdaTrace: the same trips, unit, ε and metric code.
//!
//! | module | |
//! | --- | --- |
//! | `data` | the trips, and what AdaTrace made of them |
//! | `views` | grids and forms in which the metrics see trips |
//! | `table` | what came of it, as Markdown |
//! | `map` | where the points are, as a picture |

mod data;
mod map;
mod table;
mod views;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_core::{
    Dataset, NonPrivate, Owners, PrivacyUnit, RandomSource, Raw, Rehearsal, Sequences, Terms,
};
use wayveil_evaluate::samples::Samples;
use wayveil_io::Places;
use wayveil_io::generate::Preset;
use wayveil_mechanisms::{Parameters, find};

use data::{Data, Point};
use table::Row;
use views::{Seen, VIEWS};

/// The name of the experiment on the command line.
pub const NAME: &str = "weave-gps";

/// Cells at each side of the public grid that is published over.
const SIDE: u32 = 64;
/// Seeds from here on: none of them was looked at while settings were chosen.
const FIRST_SEED: u64 = 1_000;
/// The longest trip that counts: how the trips were cut.
const MAX_LENGTH: &str = "200";

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The folder of T-Drive trips.
    pub folder: Option<PathBuf>,
    /// A generated preset instead, with a number of vehicles after a colon where it is not its own.
    pub preset: Option<String>,
    /// The budget.
    pub epsilon: String,
    /// How often it is published.
    pub repeats: usize,
    /// Where the picture goes.
    pub picture: Option<PathBuf>,
}

/// Publishes and compares, and returns the table.
pub fn run(plan: &Plan) -> Result<String, String> {
    let Some(data) = data_of(plan)? else {
        return Ok(
            "The T-Drive trips are not at hand; name their folder with --data, or a \
                   generated preset such as oldenburg.\n"
                .into(),
        );
    };

    let grid = data.grid(SIDE)?;
    let seen: Vec<Seen> = VIEWS
        .iter()
        .map(|view| Seen::new(view, &data))
        .collect::<Result<_, _>>()?;
    let mut rows: Vec<Row> = seen
        .iter()
        .flat_map(Seen::names)
        .map(|(number, about)| Row::new(number, about))
        .collect();
    let all = |trips: &[Vec<Point>]| -> Result<Vec<Option<f64>>, String> {
        let numbers: Result<Vec<_>, _> = seen.iter().map(|it| it.numbers(trips)).collect();
        Ok(numbers?.concat())
    };
    let cells = on(&grid, &data.trips);
    let rounded = data::points(&cells, grid.universe());
    for (row, number) in rows.iter_mut().zip(all(&rounded)?) {
        row.rounded = number;
    }
    if let Some(peer) = &data.peer {
        for (row, number) in rows.iter_mut().zip(all(peer)?) {
            row.peer = number;
        }
    }
    let mut last = Vec::new();
    let mut ours = vec![Samples::default(); rows.len()];
    for repeat in 0..plan.repeats {
        let released = publish(plan, &data, &grid, &cells, repeat as u64)?;
        last = data::points(&released, grid.universe());
        for (samples, number) in ours.iter_mut().zip(all(&last)?) {
            samples.push(number);
        }
        eprintln!("{}: {} of {}", data.name, repeat + 1, plan.repeats);
    }
    for (row, samples) in rows.iter_mut().zip(ours) {
        row.ours = samples;
    }
    if let Some(path) = &plan.picture {
        let peer = data.peer.as_deref();
        let drawn = map::svg(
            &grid,
            &[("the trips", &data.trips[..]), ("weave", &last)],
            peer,
        );
        std::fs::write(path, drawn)
            .map_err(|cause| format!("cannot write {}: {cause}", path.display()))?;
    }
    Ok(table::markdown(&data, SIDE, plan, &rows))
}

fn data_of(plan: &Plan) -> Result<Option<Data>, String> {
    let Some(preset) = &plan.preset else {
        let folder = match &plan.folder {
            Some(folder) => folder.clone(),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tdrive-trips"),
        };
        return Data::tdrive(&folder);
    };
    let (name, records) = match preset.split_once(':') {
        Some((name, records)) => {
            let records = records
                .parse()
                .map_err(|_| format!("{preset}: no number"))?;
            (name, Some(records))
        }
        None => (&preset[..], None),
    };
    let preset = Preset::all()
        .find(|preset| preset.to_string() == name)
        .ok_or_else(|| format!("unknown preset {name}"))?;
    Data::generated(preset, records).map(Some)
}

/// Trips over the cells of a grid; what lies outside is left out.
fn on(grid: &Places, trips: &[Vec<Point>]) -> Sequences {
    let codes = |trip: &Vec<Point>| -> Vec<u32> {
        trip.iter()
            .filter_map(|&(lat, lng)| grid.code(lat, lng))
            .collect()
    };
    Sequences::from_codes(trips.iter().map(codes))
}

fn publish(
    plan: &Plan,
    data: &Data,
    grid: &Places,
    cells: &Sequences,
    seed: u64,
) -> Result<Sequences, String> {
    let told = |it: wayveil_core::Error| it.to_string();
    let universe = Arc::new(grid.universe().clone());
    let dataset = Dataset::new(
        universe,
        None,
        cells.clone(),
        Owners::EachRecord,
        Vec::new(),
        data.name.clone(),
    );
    let raw = Raw::new(dataset.map_err(told)?);
    let entry = find("weave").map_err(told)?;
    let given = [("epsilon", &plan.epsilon[..]), ("max-length", MAX_LENGTH)];
    let parameters = Parameters::new(entry.parameters, given).map_err(told)?;
    let mechanism = (entry.build)(&parameters).map_err(told)?;
    let terms = Terms {
        unit: PrivacyUnit::Trip,
        ..Terms::default()
    };
    let because = NonPrivate::because("compares releases of public research data");
    let mut random = RandomSource::insecure_seed_for("weave on the ground", FIRST_SEED + seed);
    let rehearsal = Rehearsal::new(&raw, &*mechanism, &terms, &random, because).map_err(told)?;
    let released = rehearsal.run(&mut random).for_publisher_only();
    Ok(released.map_err(told)?.trajectories)
}
