//! A week of taxis in a made-up city: their positions as points, or their trips over a grid.
//!
//! A taxi works six days of the week by day or by night, eight to eleven hours each. It waits,
//! drives to a passenger, and takes the passenger along the streets of a grid to where they want
//! to go, often to the centre, the station or the airport. Every 30 to 120 s it tells where it is,
//! give or take a few metres: about 2,700 points in a week. A *trip* lasts from one passenger's
//! leaving to the next one's, so that every point belongs to one.
//!
//! Positions are integers from beginning to end, in centimetres and then in millionths of a
//! degree, and a stream of random words belongs to one taxi: the same seed yields the same points
//! everywhere, as a file and as a data set.

mod csv;
mod driver;
mod streets;

use std::sync::Arc;

use rayon::prelude::*;
use wayveil_core::{Dataset, Origin, Owners, Progress, RandomSource, Raw, Result, Sequences};

use super::axis::{STARTS_SECONDS, axis};
use super::grid::Grid;
use super::{Preset, Size, offsets, owners};
pub use csv::{save_points_csv, write_points_csv};
use driver::WEEK_SECONDS;
pub use streets::AREA;

/// Taxis that are worked on at a time: what bounds the memory of a stream of points.
const BATCH: u64 = 64;

/// Where a taxi was at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The number of the taxi, from 0; its id in files counts from 1.
    pub taxi: u32,
    /// The number of the trip among the taxi's, from 0.
    pub trip: u32,
    /// Latitude in millionths of a degree.
    pub lat_micro: i32,
    /// Longitude in millionths of a degree.
    pub lng_micro: i32,
    /// Seconds since 1970.
    pub seconds: i64,
}

impl Fix {
    /// Latitude in degrees.
    pub fn lat(&self) -> f64 {
        f64::from(self.lat_micro) / 1e6
    }

    /// Longitude in degrees.
    pub fn lng(&self) -> f64 {
        f64::from(self.lng_micro) / 1e6
    }
}

/// The points of so many taxis, one taxi after the other, each in order of time. No more than one
/// taxi's are in memory.
pub fn points(taxis: u32, random: &mut RandomSource) -> impl Iterator<Item = Fix> + '_ {
    (0..taxis).flat_map(|taxi| driver::week(taxi, &mut random.stream()))
}

/// What a taxi does to a data set: its trips over the grid.
#[derive(Default)]
struct Trips {
    lengths: Vec<u64>,
    codes: Vec<u32>,
    bins: Vec<u32>,
}

impl Trips {
    /// Stays are collapsed: a visit to a cell counts once, at the time of its beginning.
    fn of(fixes: impl Iterator<Item = Fix>, grid: Grid, bin_seconds: u32) -> Self {
        let mut trips = Self::default();
        let mut current = None;
        for fix in fixes {
            let cell = streets::cell(grid, &fix);
            if current != Some(fix.trip) {
                current = Some(fix.trip);
                trips.lengths.push(0);
            } else if trips.codes.last() == Some(&cell) {
                continue;
            }
            trips.codes.push(cell);
            trips
                .bins
                .push(((fix.seconds - STARTS_SECONDS) / i64::from(bin_seconds)) as u32);
            if let Some(length) = trips.lengths.last_mut() {
                *length += 1;
            }
        }
        trips
    }
}

/// The trips of `size.records` taxis over a grid of about `size.locations` cells; bins divide the
/// week.
pub(super) fn generate(
    size: &Size,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    let grid = Grid::about(size.locations);
    let origin = format!(
        "generator taxi, {} rows and {} columns",
        grid.rows, grid.columns
    );
    let universe = Arc::new(grid.universe(AREA, Origin::Declared(origin))?);
    let bin_seconds = WEEK_SECONDS.div_ceil(size.bins.unwrap_or(1));
    let taxis = size.records as u32;
    progress.begin("driving taxis", Some(size.records));
    let streams = random.streams(taxis as usize);
    let by_taxi: Vec<Trips> = (0..taxis)
        .into_par_iter()
        .zip(streams)
        .map(|(taxi, mut rng)| {
            let week = driver::week(taxi, &mut rng).into_iter();
            progress.advance(1);
            Trips::of(week, grid, bin_seconds)
        })
        .collect();
    progress.end();

    let of_record = (0u32..).zip(&by_taxi);
    let of_record = of_record
        .flat_map(|(taxi, trips)| std::iter::repeat_n(taxi, trips.lengths.len()))
        .collect();
    let lengths: Vec<u64> = by_taxi
        .iter()
        .flat_map(|trips| &trips.lengths)
        .copied()
        .collect();
    let codes = by_taxi
        .iter()
        .flat_map(|trips| &trips.codes)
        .copied()
        .collect();
    let bins = by_taxi.iter().flat_map(|trips| &trips.bins).copied();
    let bins = size.bins.map(|_| bins.collect());
    Dataset::new(
        universe,
        size.bins.map(|bins| axis(Preset::Taxi, bins, bin_seconds)),
        Sequences::new(offsets(lengths.into_iter()), codes, bins)?,
        Owners::Known {
            of_record,
            labels: owners::numbered('t', taxis as usize),
        },
        Vec::new(),
        "generated-taxi".to_owned(),
    )
    .map(Raw::new)
}
