//! Made-up passengers, for demonstrations, tests and benchmarks.
//!
//! The data sets that methods for trajectories were measured on are seldom public. A [`Preset`]
//! imitates one: the same number of records and locations, the same mean and greatest length, and
//! passengers who behave like passengers, so that patterns can be found and lost.
//!
//! The network is a public input. It follows from the preset and the number of locations by a
//! fixed rule and never from the random source, so that the universe gives nothing away. Only the
//! riders are random. What a random source yields depends on no thread and, because choices are
//! made with integers, on no platform.
//!
//! | module | decides |
//! | --- | --- |
//! | `preset` | the table of presets |
//! | `network` | lines and stations |
//! | `demand` | which stations attract people |
//! | `route` | how a trip runs over the network |
//! | `lengths` | how long the records are |
//! | `rider` | what one passenger does in a week |

mod demand;
mod draw;
mod lengths;
mod network;
mod preset;
mod rider;
mod route;

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rayon::prelude::*;
use wayveil_core::{
    Dataset, Error, Labels, Owners, Progress, RandomSource, Raw, Result, Sequences,
};
use wayveil_noise::Stream;

pub use preset::{Preset, PresetInfo};

use demand::Demand;
use network::Network;

/// How many records can be asked for.
const RECORDS: RangeInclusive<u64> = 1..=100_000_000;
/// How many locations can be asked for; one location allows no movement.
const LOCATIONS: RangeInclusive<u32> = 2..=100_000;
/// Records made from one random stream. Changing it changes what every seed yields.
const CHUNK: usize = 4096;

/// What may differ from a preset's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GenerateOptions {
    /// The number of records, one per passenger.
    pub records: Option<u64>,
    /// The number of locations of the universe.
    pub locations: Option<u32>,
}

/// Makes a data set after a preset, one record per passenger.
///
/// The mean length is the preset's at any number of records, to the nearest symbol; from 1,000
/// records up so is the greatest length.
pub fn generate(
    preset: Preset,
    options: &GenerateOptions,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    let info = preset.info();
    let records = options.records.unwrap_or(info.records);
    let locations = options.locations.unwrap_or(info.locations());
    check("records", records, RECORDS, info.records)?;
    check("locations", locations, LOCATIONS, info.locations())?;

    let network = Network::build(&info.stations_by_mode(locations));
    let universe = Arc::new(network.universe(preset)?);
    let lengths = lengths::shuffled(info, records, &mut random.stream());
    let streams = random.streams(lengths.len().div_ceil(CHUNK));
    progress.begin("generating passengers", Some(records));
    let trips = ride(&network, &lengths, streams, progress)?;
    progress.end();
    let owners = passengers(lengths.len());
    let population = format!("generated-{preset}");
    Dataset::new(universe, None, trips, owners, Vec::new(), population).map(Raw::new)
}

fn check<T: PartialOrd + std::fmt::Display>(
    what: &str,
    value: T,
    allowed: RangeInclusive<T>,
    default: T,
) -> Result<()> {
    if allowed.contains(&value) {
        return Ok(());
    }
    let (least, most) = allowed.into_inner();
    Err(Error::input(format!(
        "invalid number of {what} (got {value}): it lies between {least} and {most}"
    ))
    .hint(format!("leave it out for this preset's own, {default}")))
}

/// Lets every passenger ride, in pieces that do not depend on the number of threads.
fn ride(
    network: &Network,
    lengths: &[u16],
    streams: Vec<Stream>,
    progress: &dyn Progress,
) -> Result<Sequences> {
    let demand = Demand::of(network);
    let mut offsets = Vec::with_capacity(lengths.len() + 1);
    let mut end = 0;
    offsets.push(end);
    offsets.extend(lengths.iter().map(|&length| {
        end += u64::from(length);
        end
    }));

    let mut codes = vec![0; end as usize];
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

/// One owner per record, numbered in order.
fn passengers(count: usize) -> Owners {
    let mut labels = Labels::new();
    let mut label = String::new();
    for number in 1..=count {
        label.clear();
        write!(label, "p{number:07}").expect("a string takes any text");
        labels.push(&label);
    }
    Owners::Known {
        of_record: (0..count as u32).collect(),
        labels,
    }
}
