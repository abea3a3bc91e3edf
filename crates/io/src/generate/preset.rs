//! The presets: one table, from which help, documents and the generator take their figures.

use std::fmt;
use std::str::FromStr;

use wayveil_core::Error;

use super::attribute::{AttributeInfo, CITY_DIAGNOSES, STM_DIAGNOSES};
use super::lengths::Lengths;

/// A data set to imitate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// A week of metro passengers.
    Metro,
    /// A week of bus passengers.
    Bus,
    /// A week of passengers who use metro and bus.
    Stm,
    /// A day of people in a city of blocks, by the hour, with a diagnosis: HIV is the sensitive one
    /// of five, in a fifth of the records.
    City,
    /// Two days of metro passengers, by the hour, with a diagnosis: HIV, hepatitis, cancer,
    /// depression, epilepsy and tuberculosis are the sensitive ones of 24, in a quarter of the
    /// records.
    StmHours,
    /// A week of taxis, as points or as trips over a grid.
    Taxi,
    /// Vehicles on a road network, as trips over a grid.
    Oldenburg,
}

/// Whether records carry time bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Never.
    Untimed,
    /// Always; so many unless another number is asked for.
    Always(u32),
    /// When a number is asked for.
    OnRequest,
}

/// What a preset imitates. The figures are those of data sets described in the literature, where
/// there is one.
#[derive(Debug)]
pub struct PresetInfo {
    /// The preset itself.
    pub preset: Preset,
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for help and documents.
    pub description: &'static str,
    /// Who moves, in the plural.
    pub movers: &'static str,
    /// How many of them there are unless another number is asked for.
    pub records: u64,
    /// The most that can be asked for.
    pub most_records: u64,
    /// Locations of the universe unless another number is asked for.
    pub locations: u32,
    /// What the locations are, in the plural.
    pub places: &'static str,
    /// Whether there are time bins.
    pub timing: Timing,
    /// The planned lengths of records; none where records are as long as the way is.
    pub lengths: Option<Lengths>,
    /// The column beside the trajectory.
    pub attribute: Option<&'static AttributeInfo>,
}

/// The most records, where memory is the only limit.
const MOST_RECORDS: u64 = 100_000_000;

/// All presets, in the order of [`Preset`]'s variants.
static PRESETS: &[PresetInfo] = &[
    PresetInfo {
        preset: Preset::Metro,
        name: "metro",
        description: "a week of metro passengers: few stations, short records",
        movers: "passengers",
        records: 847_668,
        most_records: MOST_RECORDS,
        locations: 68,
        places: "stations",
        timing: Timing::Untimed,
        lengths: Some(Lengths::heavy_tailed(421, 90)),
        attribute: None,
    },
    PresetInfo {
        preset: Preset::Bus,
        name: "bus",
        description: "a week of bus passengers: many stops, longer records",
        movers: "passengers",
        records: 778_724,
        most_records: MOST_RECORDS,
        locations: 944,
        places: "stops",
        timing: Timing::Untimed,
        lengths: Some(Lengths::heavy_tailed(567, 121)),
        attribute: None,
    },
    PresetInfo {
        preset: Preset::Stm,
        name: "stm",
        description: "a week of passengers on one network of metro and buses",
        movers: "passengers",
        records: 1_210_096,
        most_records: MOST_RECORDS,
        locations: 1_012,
        places: "stations",
        timing: Timing::Untimed,
        lengths: Some(Lengths::heavy_tailed(670, 121)),
        attribute: None,
    },
    PresetInfo {
        preset: Preset::City,
        name: "city",
        description: "a day of people in a city, each seen in a few blocks at a few hours",
        movers: "people",
        records: 80_000,
        most_records: MOST_RECORDS,
        locations: 26,
        places: "blocks",
        timing: Timing::Always(24),
        lengths: Some(Lengths::SIGHTINGS),
        attribute: Some(&CITY_DIAGNOSES),
    },
    PresetInfo {
        preset: Preset::StmHours,
        name: "stm-hours",
        description: "two days of metro passengers, with the hours of their visits",
        movers: "passengers",
        records: 462_483,
        most_records: MOST_RECORDS,
        locations: 68,
        places: "stations",
        timing: Timing::Always(48),
        lengths: Some(Lengths::SIGHTINGS),
        attribute: Some(&STM_DIAGNOSES),
    },
    PresetInfo {
        preset: Preset::Taxi,
        name: "taxi",
        description: "a week of taxis, about 2,700 points each: the points to a file named .csv or \
                      .csv.gz, else trips over a grid, several to a taxi",
        movers: "taxis",
        records: 500,
        most_records: 1_000_000,
        locations: 1_024,
        places: "cells",
        timing: Timing::OnRequest,
        lengths: None,
        attribute: None,
    },
    PresetInfo {
        preset: Preset::Oldenburg,
        name: "oldenburg",
        description: "vehicles on the shortest ways of a road network, over a grid",
        movers: "vehicles",
        // With a hundred clients to a record, the 20 million of the literature.
        records: 200_000,
        most_records: MOST_RECORDS,
        locations: 64,
        places: "cells",
        timing: Timing::OnRequest,
        lengths: None,
        attribute: None,
    },
];

impl Preset {
    /// All presets.
    pub fn all() -> impl ExactSizeIterator<Item = Preset> {
        PRESETS.iter().map(|info| info.preset)
    }

    /// What it imitates.
    pub fn info(self) -> &'static PresetInfo {
        &PRESETS[self as usize]
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = PRESETS.iter().find(|info| info.name == name);
        known.map(|info| info.preset).ok_or_else(|| {
            let names: Vec<&str> = PRESETS.iter().map(|info| info.name).collect();
            Error::input(format!("unknown preset {name:?}"))
                .hint(format!("choose one of {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_variants_and_names_come_back() {
        for (position, info) in PRESETS.iter().enumerate() {
            assert_eq!(info.preset as usize, position);
            assert_eq!(info.name.parse::<Preset>().unwrap(), info.preset);
            assert_eq!(info.preset.to_string(), info.name);
            assert!(!info.description.is_empty() && !info.description.contains('\n'));
        }
        let error = "tram".parse::<Preset>().unwrap_err();
        assert!(error.advice().unwrap().contains("metro, bus, stm, city"));
    }
}
