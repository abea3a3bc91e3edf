//! People who are seen at a few places at a few hours: doublets of location and hour, with an
//! attribute beside them.
//!
//! Bins never go back within a record and no doublet occurs twice. Two places in one hour do
//! occur: whoever moves within an hour is seen at both ends, or on the way.

mod blocks;
mod diary;
mod stations;

use std::ops::RangeInclusive;
use std::sync::Arc;

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Dataset, Progress, RandomSource, Raw, Result, Sequences, TimeAxis, Universe};
use wayveil_noise::Stream;

use super::axis::axis;
use super::lengths::Lengths;
use super::route::Route;
use super::{CHUNK, Preset, Size, offsets, owners};
use blocks::Blocks;
use diary::Person;
use stations::Stations;

/// How many bins can be asked for. Half a day has room for the longest record.
pub(super) const BINS: RangeInclusive<u32> = 12..=TimeAxis::MAX_BINS;
/// Every bin is an hour.
const BIN_SECONDS: u32 = 3600;

/// A place to live and move in.
trait Town: Sync {
    /// The public set of locations.
    fn universe(&self, preset: Preset) -> Result<Universe>;

    /// Where somebody lives.
    fn home<R: Rng>(&self, rng: &mut R) -> u32;

    /// The way from a place to one where people work or spend time, all places different.
    fn way<R: Rng>(&self, from: u32, rng: &mut R) -> Route;

    /// How readily somebody is seen who stays where they are, in daytime; who moves counts
    /// [`diary::MOVING`].
    const STAYING: u64;
}

pub(super) fn generate(
    preset: Preset,
    size: &Size,
    lengths: &Lengths,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    match preset {
        Preset::StmHours => {
            let town = Stations::new(size.locations);
            populate(preset, &town, size, lengths, random, progress)
        }
        _ => {
            let town = Blocks::new(size.locations);
            populate(preset, &town, size, lengths, random, progress)
        }
    }
}

fn populate<T: Town>(
    preset: Preset,
    town: &T,
    size: &Size,
    lengths: &Lengths,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    let bins = size.bins.unwrap_or(*BINS.start());
    let universe = Arc::new(town.universe(preset)?);
    let lengths = lengths.shuffled(size.records, &mut random.stream());
    let attributes = preset.info().attribute.iter();
    let attributes = attributes.map(|info| info.column(lengths.len(), &mut random.stream()));
    let attributes = attributes.collect();
    let streams = random.streams(lengths.len().div_ceil(CHUNK));
    progress.begin(
        &format!("generating {}", preset.info().movers),
        Some(size.records),
    );
    let trips = live(town, bins, &lengths, streams, progress)?;
    progress.end();
    Dataset::new(
        universe,
        Some(axis(preset, bins, BIN_SECONDS)),
        trips,
        owners::one_per_record(lengths.len()),
        attributes,
        format!("generated-{preset}"),
    )
    .map(Raw::new)
}

/// Lets everybody live, in pieces that do not depend on the number of threads.
fn live<T: Town>(
    town: &T,
    bins: u32,
    lengths: &[u16],
    streams: Vec<Stream>,
    progress: &dyn Progress,
) -> Result<Sequences> {
    let pieces: Vec<(Vec<u32>, Vec<u32>)> = lengths
        .par_chunks(CHUNK)
        .zip(streams)
        .map(|(lengths, mut rng)| {
            let (mut codes, mut hours) = (Vec::new(), Vec::new());
            let mut person = Person::default();
            for &length in lengths {
                person.live(town, bins, &mut rng);
                for sighting in person.seen(length.into(), &mut rng) {
                    codes.push(sighting.place);
                    hours.push(sighting.hour);
                }
            }
            progress.advance(lengths.len() as u64);
            (codes, hours)
        })
        .collect();
    let (codes, hours): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
    let offsets = offsets(lengths.iter().map(|&length| length.into()));
    Sequences::new(offsets, codes.concat(), Some(hours.concat()))
}
