//! The presets: one table, from which help, documents and the generator take their figures.

use std::fmt;
use std::str::FromStr;

use wayveil_core::Error;

use super::network::Mode;

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
}

/// What a preset imitates. The figures are those of data sets described in the literature.
#[derive(Debug)]
pub struct PresetInfo {
    /// The preset itself.
    pub preset: Preset,
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for help and documents.
    pub description: &'static str,
    /// Records made unless another number is asked for.
    pub records: u64,
    /// The longest record.
    pub longest: u16,
    /// The mean length of a record, in hundredths of a symbol: the total is then an integer sum.
    pub mean_hundredths: u32,
    /// How many stations of each mode there are.
    pub(super) stations: &'static [(Mode, u32)],
}

/// All presets, in the order of [`Preset`]'s variants.
static PRESETS: &[PresetInfo] = &[
    PresetInfo {
        preset: Preset::Metro,
        name: "metro",
        description: "a week of metro passengers: few stations, short records",
        records: 847_668,
        longest: 90,
        mean_hundredths: 421,
        stations: &[(Mode::Metro, 68)],
    },
    PresetInfo {
        preset: Preset::Bus,
        name: "bus",
        description: "a week of bus passengers: many stops, longer records",
        records: 778_724,
        longest: 121,
        mean_hundredths: 567,
        stations: &[(Mode::Bus, 944)],
    },
    PresetInfo {
        preset: Preset::Stm,
        name: "stm",
        description: "a week of passengers on one network of metro and buses",
        records: 1_210_096,
        longest: 121,
        mean_hundredths: 670,
        stations: &[(Mode::Metro, 68), (Mode::Bus, 944)],
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

impl PresetInfo {
    /// Locations of the universe unless another number is asked for.
    pub fn locations(&self) -> u32 {
        self.stations.iter().map(|&(_, count)| count).sum()
    }

    /// The mean length of a record.
    pub fn mean_length(&self) -> f64 {
        f64::from(self.mean_hundredths) / 100.0
    }

    /// Spreads a number of locations over the modes as the preset does, at least one each.
    pub(super) fn stations_by_mode(&self, locations: u32) -> Vec<(Mode, u32)> {
        let all = u64::from(self.locations());
        let mut left = locations;
        let mut modes_left = self.stations.len() as u32;
        let mut spread = Vec::new();
        for &(mode, count) in self.stations {
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
        assert!(error.advice().unwrap().contains("metro, bus, stm"));
    }

    #[test]
    fn locations_are_spread_exactly_and_no_mode_is_left_out() {
        let info = Preset::Stm.info();
        assert_eq!(info.stations_by_mode(1_012), info.stations);
        for locations in [2, 3, 17, 500, 5_000, 100_000] {
            let spread = info.stations_by_mode(locations);
            assert_eq!(spread.iter().map(|&(_, n)| n).sum::<u32>(), locations);
            assert!(spread.iter().all(|&(_, n)| n > 0));
        }
    }
}
