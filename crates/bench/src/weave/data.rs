//! The data sets of the experiment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_core::{Dataset, Origin, Owners, RandomSource, Raw, Sequences, Silent, Universe};
use wayveil_io::generate::{GenerateOptions, Preset, generate};

/// The seed of all generated data.
const SEED: u64 = 7;

/// A data set.
pub(crate) struct Data {
    pub(crate) raw: Raw<Dataset>,
}

/// A data set by name, which is made or read when it is first asked for.
pub(crate) struct Source {
    /// Such as `metro`, `metro:50000` or `bike`.
    pub(crate) name: String,
    from: From,
    data: Option<Data>,
}

enum From {
    Preset(Preset, Option<u64>),
    File(PathBuf),
    /// Runs are kept, and that is all there is.
    Nowhere,
}

impl Source {
    /// The data set of a name; nothing comes of it where its file is not at hand.
    pub(crate) fn find(name: &str, folder: Option<&Path>) -> Result<Self, String> {
        let (kind, records) = match name.split_once(':') {
            Some((kind, number)) => {
                let number = number.parse().map_err(|_| format!("{name}: no number"))?;
                (kind, Some(number))
            }
            None => (name, None),
        };
        let from = match preset(kind) {
            Some(preset) => From::Preset(preset, records),
            None => {
                let folder = folder.map_or_else(beside_workspace, Path::to_path_buf);
                let path = folder.join(match kind {
                    "msnbc" => "msnbc/msnbc.seq",
                    "bike" => "bike/bike.txt",
                    "bms1" => "bms1/bms1.seq",
                    _ => return Err(format!("unknown data set {name}")),
                });
                match path.exists() {
                    true => From::File(path),
                    false => {
                        eprintln!("{name}: not at hand, only what is kept counts");
                        From::Nowhere
                    }
                }
            }
        };
        Ok(Self {
            name: name.to_owned(),
            from,
            data: None,
        })
    }

    /// A data set that is never made or read.
    pub(crate) fn kept_only(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            from: From::Nowhere,
            data: None,
        }
    }

    /// The name without a number of records.
    pub(crate) fn kind(&self) -> &str {
        self.name.split(':').next().unwrap_or(&self.name)
    }

    /// Whether its universe has a taxonomy: generated data does.
    pub(crate) fn taxonomy(&self) -> bool {
        preset(self.kind()).is_some()
    }

    /// The data; none where it is not at hand.
    pub(crate) fn data(&mut self) -> Result<Option<&Data>, String> {
        if self.data.is_none() {
            self.data = match &self.from {
                From::Preset(preset, records) => Some(Data::generated(*preset, *records)?),
                From::File(path) => Some(Data::read(&self.name, path)?),
                From::Nowhere => None,
            };
        }
        Ok(self.data.as_ref())
    }
}

fn preset(kind: &str) -> Option<Preset> {
    Preset::all().find(|preset| preset.to_string() == kind)
}

impl Data {
    fn generated(preset: Preset, records: Option<u64>) -> Result<Self, String> {
        let options = GenerateOptions {
            records,
            ..GenerateOptions::default()
        };
        let mut random = RandomSource::insecure_seed_for("generate", SEED);
        let raw = generate(preset, &options, &mut random, &Silent).map_err(|it| it.to_string())?;
        Ok(Self { raw })
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
            raw: Raw::new(dataset.map_err(|it| it.to_string())?),
        })
    }
}

fn beside_workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}
