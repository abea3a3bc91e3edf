//! Vehicles on a road network, as the data of moving objects are usually made: each starts at a
//! crossing, goes the shortest way to another, and is seen once in a step of time.
//!
//! The network is a public input: read from files, or made up by a fixed rule. A record is the
//! sequence of the cells of a grid over the network's box in which the vehicle was seen; staying
//! in a cell counts once. With time bins, a bin is a step of a minute, vehicles start at any of
//! them, and a record ends with the axis.

mod made_up;
mod network;
mod read;
mod shortest;

use std::sync::Arc;

use rayon::prelude::*;
use wayveil_core::{Dataset, Progress, RandomSource, Raw, Result, Sequences};

use super::axis::axis;
use super::grid::Grid;
use super::{CHUNK, Preset, Size, draw, offsets, owners};
pub use network::{LeftOut, RoadNetwork};
use shortest::Ways;

/// A bin is a step of a minute.
const BIN_SECONDS: u32 = 60;
/// How far vehicles get in a step, in tenths of the mean length of an edge.
const SPEEDS: [u64; 3] = [15, 30, 60];
/// Vertices looked at for all destinations together, about: it bounds the time for shortest ways.
/// A network of up to 8,192 vertices has its destinations everywhere; a larger one has fewer,
/// spread evenly over the order of its vertices.
const EFFORT: usize = 1 << 26;
/// The fewest destinations, however large the network is.
const DESTINATIONS: usize = 64;

/// What was drawn for a vehicle.
#[derive(Clone, Copy)]
struct Journey {
    start: u32,
    destination: u32,
    step: u64,
    first_bin: u32,
}

/// What one vehicle after another visits.
#[derive(Default)]
struct Visits {
    records: Vec<(u32, u32)>,
    codes: Vec<u32>,
    bins: Vec<u32>,
}

pub(super) fn generate(
    size: &Size,
    network: Option<&RoadNetwork>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    let made_up;
    let network = match network {
        Some(given) => given,
        None => {
            made_up = made_up::network()?;
            &made_up
        }
    };
    let grid = Grid::about(size.locations);
    let universe = Arc::new(grid.universe(network.area(), network.origin(grid))?);
    let journeys = draw_journeys(network, size, random);
    progress.begin("driving on roads", Some(size.records));
    let trips = drive(network, grid, size, &journeys, progress)?;
    progress.end();
    Dataset::new(
        universe,
        size.bins
            .map(|bins| axis(Preset::Oldenburg, bins, BIN_SECONDS)),
        trips,
        owners::one_per_record(journeys.len()),
        Vec::new(),
        "generated-oldenburg".to_owned(),
    )
    .map(Raw::new)
}

/// Where every vehicle starts, where it goes and how fast.
fn draw_journeys(network: &RoadNetwork, size: &Size, random: &mut RandomSource) -> Vec<Journey> {
    let vertices = network.vertices() as u64;
    let destinations = (EFFORT / network.vertices())
        .max(DESTINATIONS)
        .min(network.vertices()) as u64;
    let records = size.records as usize;
    let streams = random.streams(records.div_ceil(CHUNK));
    let pieces = streams.into_par_iter().enumerate().map(|(piece, mut rng)| {
        let count = CHUNK.min(records - piece * CHUNK);
        let one = |_| {
            let destination = draw::below(destinations, &mut rng) * vertices / destinations;
            // Any other vertex.
            let steps = 1 + draw::below(vertices - 1, &mut rng);
            let speed = SPEEDS[draw::below(SPEEDS.len() as u64, &mut rng) as usize];
            let bins = u64::from(size.bins.unwrap_or(0));
            Journey {
                start: ((destination + steps) % vertices) as u32,
                destination: destination as u32,
                step: (network.mean_edge() * speed / 10).max(1),
                first_bin: draw::below(bins, &mut rng) as u32,
            }
        };
        (0..count).map(one).collect::<Vec<_>>()
    });
    pieces.collect::<Vec<_>>().concat()
}

/// Lets every vehicle drive. Those with one destination share its shortest ways, so that no table
/// of all pairs is needed.
fn drive(
    network: &RoadNetwork,
    grid: Grid,
    size: &Size,
    journeys: &[Journey],
    progress: &dyn Progress,
) -> Result<Sequences> {
    let mut order: Vec<u32> = (0..journeys.len() as u32).collect();
    order.sort_unstable_by_key(|&record| (journeys[record as usize].destination, record));
    let same = |one: &u32, other: &u32| {
        journeys[*one as usize].destination == journeys[*other as usize].destination
    };
    let cells = network.cells(grid);
    let groups: Vec<&[u32]> = order.chunk_by(same).collect();
    let visits: Vec<Visits> = groups
        .into_par_iter()
        .map_init(
            || Ways::new(network),
            |ways, group| {
                let mut visits = Visits::default();
                ways.lead_to(journeys[group[0] as usize].destination);
                for &record in group {
                    let journey = &journeys[record as usize];
                    let before = visits.codes.len();
                    follow(network, grid, &cells, ways, journey, size.bins, &mut visits);
                    let length = (visits.codes.len() - before) as u32;
                    visits.records.push((record, length));
                }
                progress.advance(group.len() as u64);
                visits
            },
        )
        .collect();
    in_order(journeys.len(), &visits, size.bins.is_some())
}

/// Puts records in the order of their numbers.
fn in_order(records: usize, visits: &[Visits], timed: bool) -> Result<Sequences> {
    let mut lengths = vec![0; records];
    for &(record, length) in visits.iter().flat_map(|visits| &visits.records) {
        lengths[record as usize] = u64::from(length);
    }
    let offsets = offsets(lengths.into_iter());
    let symbols = offsets.last().map_or(0, |&end| end as usize);
    let mut codes = vec![0; symbols];
    let mut bins = vec![0; if timed { symbols } else { 0 }];
    for visits in visits {
        let mut from = 0;
        for &(record, length) in &visits.records {
            let to = from + length as usize;
            let start = offsets[record as usize] as usize;
            let place = start..start + length as usize;
            codes[place.clone()].copy_from_slice(&visits.codes[from..to]);
            if timed {
                bins[place].copy_from_slice(&visits.bins[from..to]);
            }
            from = to;
        }
    }
    Sequences::new(offsets, codes, timed.then_some(bins))
}

/// Follows a vehicle to its destination, or to the end of the axis.
fn follow(
    network: &RoadNetwork,
    grid: Grid,
    cells: &[u32],
    ways: &Ways,
    journey: &Journey,
    bins: Option<u32>,
    visits: &mut Visits,
) {
    let first = visits.codes.len();
    let mut bin = journey.first_bin;
    let mut see = |cell: u32, bin: u32| {
        let stays = visits.codes.len() > first && visits.codes.last() == Some(&cell);
        if !stays {
            visits.codes.push(cell);
            visits.bins.push(bin);
        }
    };
    let mut here = journey.start;
    let mut until_seen = 0;
    while let Some((next, length)) = ways.onward(here) {
        while until_seen < length {
            if bins.is_some_and(|bins| bin >= bins) {
                return;
            }
            let cell = match cells[here as usize] == cells[next as usize] {
                // An edge between two vertices of a cell lies in it.
                true => cells[here as usize],
                false => network.cell_between(grid, here, next, until_seen, length),
            };
            see(cell, bin);
            bin += 1;
            until_seen += journey.step;
        }
        until_seen -= length;
        here = next;
    }
    if bins.is_none_or(|bins| bin < bins) {
        see(cells[here as usize], bin);
    }
}

#[cfg(test)]
mod tests;
