//! Made-up people and vehicles, for demonstrations, tests and benchmarks.
//!
//! The data sets that methods for trajectories were measured on are seldom public. A [`Preset`]
//! imitates one: the same number of records and locations, the same lengths and shares of
//! sensitive values, and people who behave like people, so that patterns can be found and lost.
//!
//! Networks, layouts, grids and axes are public inputs. They follow from the preset and the
//! sizes asked for by a fixed rule and never from the random source, so that the universe gives
//! nothing away. Only who moves is random. What a random source yields depends on no thread and,
//! because choices are made with integers, on no platform.
//!
//! | module | decides |
//! | --- | --- |
//! | `preset` | the table of presets |
//! | `transit` | metro, bus and stm |
//! | `network` | lines and stations |
//! | `demand` | which stations attract people |
//! | `route` | how a trip runs over the network |
//! | `lengths` | how long the records are |
//! | `rider` | what one passenger does in a week |
//! | `doublets` | city and stm-hours: where people are seen at which hour |
//! | `attribute` | sensitive and other values beside the records |
//! | [`taxi`] | the points of taxis, and their trips over a grid |
//! | `roads` | vehicles on a road network, given or made up |
//! | `grid`, `axis`, `owners` | cells, time bins and ids |

mod attribute;
mod axis;
mod demand;
mod doublets;
mod draw;
mod grid;
mod lengths;
mod network;
mod owners;
mod preset;
mod rider;
mod roads;
mod route;
pub mod taxi;
mod transit;

use std::ops::RangeInclusive;
use std::sync::Arc;

use wayveil_core::{Dataset, Error, Progress, RandomSource, Raw, Result, TimeAxis};

pub use attribute::AttributeInfo;
pub use axis::STARTS;
pub use lengths::Lengths;
pub use preset::{Preset, PresetInfo, Timing};
pub use roads::{LeftOut, RoadNetwork};

/// How many locations can be asked for; one location allows no movement.
const LOCATIONS: RangeInclusive<u32> = 2..=100_000;
/// Records made from one random stream. Changing it changes what every seed yields.
const CHUNK: usize = 4096;

/// What may differ from a preset's defaults.
#[derive(Clone, Debug, Default)]
pub struct GenerateOptions {
    /// How many passengers, people, taxis or vehicles there are; one record each, but for taxis,
    /// which have one for each trip.
    pub records: Option<u64>,
    /// The number of locations of the universe; a grid has about so many cells.
    pub locations: Option<u32>,
    /// The number of time bins.
    pub bins: Option<u32>,
    /// The road network to move on.
    pub network: Option<Arc<RoadNetwork>>,
    /// How long the records of passengers are.
    pub lengths: Option<Lengths>,
}

/// Sizes that were checked.
struct Size {
    records: u64,
    locations: u32,
    /// None for untimed data.
    bins: Option<u32>,
}

/// Makes a data set after a preset.
///
/// Where a preset plans its lengths, the mean is the preset's at any number of records, to the
/// nearest symbol, and so is the greatest length from 1,000 records up.
pub fn generate(
    preset: Preset,
    options: &GenerateOptions,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Raw<Dataset>> {
    let info = preset.info();
    let size = check_sizes(info, options)?;
    if options.network.is_some() && preset != Preset::Oldenburg {
        return Err(
            Error::input(format!("{preset} does not move on a road network"))
                .hint("leave out --network, or choose the preset oldenburg"),
        );
    }
    match (preset, options.lengths.as_ref().or(info.lengths.as_ref())) {
        (Preset::Taxi, _) => taxi::generate(&size, random, progress),
        // Nobody else goes without planned lengths.
        (Preset::Oldenburg, _) | (_, None) => {
            roads::generate(&size, options.network.as_deref(), random, progress)
        }
        (Preset::City | Preset::StmHours, Some(lengths)) => {
            doublets::generate(preset, &size, lengths, random, progress)
        }
        (Preset::Metro | Preset::Bus | Preset::Stm, Some(lengths)) => {
            transit::generate(preset, &size, lengths, random, progress)
        }
    }
}

fn check_sizes(info: &PresetInfo, options: &GenerateOptions) -> Result<Size> {
    let records = options.records.unwrap_or(info.records);
    let locations = options.locations.unwrap_or(info.locations);
    let passengers = matches!(info.preset, Preset::Metro | Preset::Bus | Preset::Stm);
    if let Some(lengths) = &options.lengths
        && !(passengers && lengths.possible())
    {
        return Err(Error::input(
            "lengths are for passengers, with a mean between the shortest and the longest",
        ));
    }
    check("records", records, 1..=info.most_records, &info.records)?;
    check("locations", locations, LOCATIONS, &info.locations)?;
    let bins = match (info.timing, options.bins) {
        (Timing::Untimed, Some(_)) => {
            return Err(
                Error::input(format!("the preset {} has no time bins", info.name))
                    .hint("leave out --bins, or choose city, stm-hours, taxi or oldenburg"),
            );
        }
        (Timing::Untimed | Timing::OnRequest, None) => None,
        (Timing::Always(own), asked) => {
            let bins = asked.unwrap_or(own);
            check("bins", bins, doublets::BINS, &own)?;
            Some(bins)
        }
        (Timing::OnRequest, Some(bins)) => {
            check("bins", bins, 1..=TimeAxis::MAX_BINS, &"none")?;
            Some(bins)
        }
    };
    Ok(Size {
        records,
        locations,
        bins,
    })
}

fn check<T: PartialOrd + std::fmt::Display>(
    what: &str,
    value: T,
    allowed: RangeInclusive<T>,
    default: &dyn std::fmt::Display,
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

/// Where records of these lengths begin and end.
fn offsets(lengths: impl ExactSizeIterator<Item = u64>) -> Vec<u64> {
    let mut offsets = Vec::with_capacity(lengths.len() + 1);
    let mut end = 0;
    offsets.push(end);
    offsets.extend(lengths.map(|length| {
        end += length;
        end
    }));
    offsets
}
