//! The data set that most benchmarks share: generated passengers of metro and buses.

use wayveil_core::{Dataset, RandomSource, Raw, Silent};
use wayveil_io::generate::{GenerateOptions, Preset, generate};

use super::Effort;

/// Rounds, and the records of the whole data set.
pub(super) fn size(effort: Effort) -> (usize, u64) {
    match effort {
        Effort::Quick => (3, 100_000),
        Effort::Full => (9, 1_210_096),
    }
}

/// The same data on every machine.
pub(super) fn stm(records: u64, locations: Option<u32>) -> Result<Raw<Dataset>, String> {
    let options = GenerateOptions {
        records: Some(records),
        locations,
        ..GenerateOptions::default()
    };
    let mut random = RandomSource::insecure_seed(7);
    generate(Preset::Stm, &options, &mut random, &Silent).map_err(|e| e.to_string())
}
