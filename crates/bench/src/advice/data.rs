//! Generated data that the adviser was not made with.

use wayveil_core::{
    Budget, Dataset, NonPrivate, PrivacyUnit, RandomSource, Raw, Release, Result, Silent, Terms,
    publish,
};
use wayveil_evaluate::advise::{Facts, Sizes};
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_mechanisms::{Parameters, find};

/// Data of this month, and of the month before.
const SEED: u64 = 7;
const LAST_MONTH: u64 = 8;

/// The data sets of all tasks but truthful ones.
pub(super) const PRESETS: [Preset; 5] = [
    Preset::Metro,
    Preset::Bus,
    Preset::Stm,
    Preset::City,
    Preset::Oldenburg,
];
/// Those with times and a sensitive column.
pub(super) const TIMED: [Preset; 2] = [Preset::City, Preset::StmHours];

/// A data set, what a publisher would say of it, and a release of the month before.
pub(super) struct Data {
    pub(super) preset: Preset,
    pub(super) raw: Raw<Dataset>,
    pub(super) facts: Facts,
    pub(super) last_month: Release,
}

impl Data {
    pub(super) fn generate(preset: Preset, records: u64) -> Result<Self> {
        let options = GenerateOptions {
            records: Some(records),
            ..GenerateOptions::default()
        };
        let made = |seed| {
            let mut random = RandomSource::insecure_seed_for("generate", seed);
            generate(preset, &options, &mut random, &Silent)
        };
        let raw = made(SEED)?;
        let last_month = small_release(&made(LAST_MONTH)?, "1", "4")?;
        let because = NonPrivate::because("what is said in public of generated data");
        let facts = raw.inspect(because, |data| {
            let mean = data.trips().symbols() as f64 / data.trips().len().max(1) as f64;
            let sizes = Sizes {
                people: Some(records),
                typical_length: Some(mean.round().max(1.0)),
                longest: None,
            };
            Facts::of(data, PrivacyUnit::Owner, sizes)
        });
        Ok(Self {
            preset,
            facts: facts.for_publisher_only(),
            raw,
            last_month,
        })
    }
}

/// A release by a prefix tree, in memory.
pub(super) fn small_release(raw: &Raw<Dataset>, epsilon: &str, height: &str) -> Result<Release> {
    let entry = find("prefix-tree")?;
    let given = [("epsilon", epsilon), ("height", height)];
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, given)?)?;
    let mut random = RandomSource::insecure_seed_for("a release to learn from", SEED);
    publish(
        raw,
        mechanism.as_ref(),
        &Terms::default(),
        &mut Budget::without_allowance(),
        &mut random,
        &Silent,
    )
}
