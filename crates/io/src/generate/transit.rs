//! Passengers of metro and buses, one record each: the presets without time.

use std::sync::Arc;

use rayon::prelude::*;
use wayveil_core::{Dataset, Progress, RandomSource, Raw, Result, Sequences};
use wayveil_noise::Stream;

use super::demand::Demand;
use super::lengths::Lengths;
use super::network::{Mode, Network};
use super::{CHUNK, Preset, Size, offsets, owners, rider};

/// How many stations of each mode a network of so many has: the preset's own proportions.
pub(super) fn stations_by_mode(preset: Preset, locations: u32) -> Vec<(Mode, u32)> {
    match preset {
        Preset::Bus => vec![(Mode::Bus, locations)],
        Preset::Stm => spread(&[(Mode::Metro, 68), (Mode::Bus, 944)], locations),
        _ => vec![(Mode::Metro, locations)],
    }
}

/// Spreads a number of locations over modes in given proportions, at least one each.
fn spread(proportions: &[(Mode, u32)], locations: u32) -> Vec<(Mode, u32)> {
    let all: u64 = proportions.iter().map(|&(_, count)| u64::from(count)).sum();
    let mut left = locations;
    let mut modes_left = proportions.len() as u32;
    let mut spread = Vec::new();
    for &(mode, count) in proportions {
        modes_left -= 1;
        let share = (u64::from(locations) * u64::from(count) + all / 2) / all;
        let most = left.saturating_sub(modes_left);
        let stations = match modes_left {
            0 => left,
            _ => (share as u32).max(1).min(most),
        };
        left -= stations;
        spread.push((mode, stations));
    }
    spread
}

pub(super) fn generate(
    preset: Preset,
    size: &Size,
    lengths: &Lengths,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    let network = Network::build(&stations_by_mode(preset, size.locations));
    let universe = Arc::new(network.universe(preset)?);
    let lengths = lengths.shuffled(size.records, &mut random.stream());
    let streams = random.streams(lengths.len().div_ceil(CHUNK));
    progress.begin("generating passengers", Some(size.records));
    let trips = ride(&network, &lengths, streams, progress)?;
    progress.end();
    let owners = owners::one_per_record(lengths.len());
    let population = format!("generated-{preset}");
    Dataset::new(universe, None, trips, owners, Vec::new(), population).map(Raw::new)
}

/// Lets every passenger ride, in pieces that do not depend on the number of threads.
fn ride(
    network: &Network,
    lengths: &[u16],
    streams: Vec<Stream>,
    progress: &dyn Progress,
) -> Result<Sequences> {
    let demand = Demand::of(network);
    let offsets = offsets(lengths.iter().map(|&length| length.into()));
    let mut codes = vec![0; offsets.last().map_or(0, |&end| end as usize)];
    let mut rest = codes.as_mut_slice();
    let mut pieces = Vec::with_capacity(streams.len());
    for (lengths, stream) in lengths.chunks(CHUNK).zip(streams) {
        let symbols = lengths.iter().map(|&length| usize::from(length)).sum();
        let (piece, after) = std::mem::take(&mut rest).split_at_mut(symbols);
        rest = after;
        pieces.push((lengths, piece, stream));
    }
    pieces
        .into_par_iter()
        .for_each(|(lengths, mut codes, mut stream)| {
            for &length in lengths {
                let (week, after) = codes.split_at_mut(usize::from(length));
                rider::ride(network, &demand, &mut stream, week);
                codes = after;
            }
            progress.advance(lengths.len() as u64);
        });
    Sequences::new(offsets, codes, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_spread_exactly_and_no_mode_is_left_out() {
        for preset in [Preset::Metro, Preset::Bus, Preset::Stm] {
            let own = stations_by_mode(preset, preset.info().locations);
            let total: u32 = own.iter().map(|&(_, count)| count).sum();
            assert_eq!(total, preset.info().locations);
        }
        let own = stations_by_mode(Preset::Stm, 1_012);
        assert_eq!(own, [(Mode::Metro, 68), (Mode::Bus, 944)]);
        for locations in [2, 3, 17, 500, 5_000, 100_000] {
            let spread = stations_by_mode(Preset::Stm, locations);
            assert_eq!(spread.iter().map(|&(_, n)| n).sum::<u32>(), locations);
            assert!(spread.iter().all(|&(_, n)| n > 0));
        }
    }
}
