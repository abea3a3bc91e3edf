//! The data sets of the experiment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_core::{Dataset, Origin, Owners, RandomSource, Raw, Sequences, Silent, Universe};
use wayveil_io::generate::{GenerateOptions, Preset, generate};

/// The seed of all generated data.
const SEED: u64 = 7;

/// A data set with a name.
pub(crate) struct Data {
    pub(crate) name: String,
    pub(crate) raw: Raw<Dataset>,
    /// Whether its universe has a taxonomy.
    pub(crate) taxonomy: bool,
}

impl Data {
    /// The data set of a name such as `metro`, `metro:50000` or `bike`; none where it is not at hand.
    pub(crate) fn find(name: &str, folder: Option<&Path>) -> Result<Option<Self>, String> {
        let (kind, records) = match name.split_once(':') {
            Some((kind, number)) => {
                let number = number.parse().map_err(|_| format!("{name}: no number"))?;
                (kind, Some(number))
            }
            None => (name, None),
        };
        let preset = Preset::all().find(|preset| preset.to_string() == kind);
        if let Some(preset) = preset {
            return Self::generated(name, preset, records).map(Some);
        }
        let folder = folder.map_or_else(beside_workspace, Path::to_path_buf);
        let file = match kind {
            "msnbc" => "msnbc/msnbc.seq",
            "bike" => "bike/bike.txt",
            "bms1" => "bms1/bms1.seq",
            _ => return Err(format!("unknown data set {name}")),
        };
        let path = folder.join(file);
        match path.exists() {
            true => Self::read(name, &path).map(Some),
            false => Ok(None),
        }
    }

    fn generated(name: &str, preset: Preset, records: Option<u64>) -> Result<Self, String> {
        let options = GenerateOptions {
            records,
            ..GenerateOptions::default()
        };
        let mut random = RandomSource::insecure_seed_for("generate", SEED);
        let raw = generate(preset, &options, &mut random, &Silent).map_err(|it| it.to_string())?;
        Ok(Self {
            name: name.to_owned(),
            raw,
            taxonomy: true,
        })
    }

    /// One record a line; numbers separated by blanks, negative ones (SPMF's ends) skipped.
    fn read(name: &str, path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| format!("cannot read {}: {cause}", path.display()))?;
        let mut records: Vec<Vec<i64>> = Vec::new();
        for line in text.lines() {
            let numbers: Result<Vec<i64>, _> = line.split_whitespace().map(str::parse).collect();
            let mut numbers = numbers.map_err(|cause| format!("{line:?}: {cause}"))?;
            numbers.retain(|&number| number >= 0);
            records.push(numbers);
        }
        let mut labels: Vec<i64> = records.iter().flatten().copied().collect();
        labels.sort_unstable();
        labels.dedup();
        let code = |label: &i64| labels.partition_point(|other| other < label) as u32;
        let trips = Sequences::from_codes(
            records
                .iter()
                .map(|record| record.iter().map(code).collect::<Vec<u32>>()),
        );
        let names = labels.iter().map(i64::to_string);
        let universe =
            Universe::from_labels(names, Origin::FromData).map_err(|it| it.to_string())?;
        let dataset = Dataset::new(
            Arc::new(universe),
            None,
            trips,
            Owners::EachRecord,
            Vec::new(),
            name.to_owned(),
        );
        Ok(Self {
            name: name.to_owned(),
            raw: Raw::new(dataset.map_err(|it| it.to_string())?),
            taxonomy: false,
        })
    }
}

fn beside_workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}
