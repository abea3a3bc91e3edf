//! Small data sets and a release to begin with, the same in every process.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use wayveil_core::{
    Attribute, Booking, Books, Claim, Coordinate, Cost, Dataset, Group, Guarantee, Knowledge,
    Location, Mechanism, NoisyCounts, Origin, Output, Owners, Progress, PublicInputs, RandomSource,
    Raw, Records, Result, SensitiveValues, Sequences, Silent, Spend, Terms, TimeAxis, Transcript,
    Universe, UniverseDocument, publish_booked,
};
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_io::{write_dataset, write_release};
use wayveil_mechanisms::{Parameters, find};

use crate::scratch;

/// Three locations in two groups.
pub(crate) fn universe() -> Universe {
    let location = |label: &str, group: u32| Location {
        label: label.into(),
        name: Some(format!("{label} station")),
        at: Some(Coordinate {
            lat: 45.5,
            lng: -73.56,
        }),
        group: Some(group),
    };
    let group = |label: &str, parent: Option<u32>| Group {
        label: label.into(),
        parent,
    };
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("seed".into()),
        locations: vec![location("A", 1), location("B b", 1), location("Été", 0)],
        groups: vec![group("metro", None), group("green", Some(0))],
    })
    .expect("a sound universe")
}

/// Bare labels, as a declared universe.
pub(crate) fn labels(labels: &[&str]) -> Universe {
    Universe::from_labels(labels.iter().copied(), Origin::Declared("seed".into()))
        .expect("sound labels")
}

/// A data set with everything that one can have, timed or not.
fn dataset(timed: bool) -> Raw<Dataset> {
    let owners = Owners::Known {
        of_record: vec![0, 1, 2, 1],
        labels: ["x", "y", "z"].into_iter().collect(),
    };
    dataset_of(timed, owners)
}

fn dataset_of(timed: bool, owners: Owners) -> Raw<Dataset> {
    let bins = timed.then(|| vec![0, 1, 1, 2, 0]);
    let trips = Sequences::new(vec![0, 2, 2, 4, 5], vec![0, 1, 2, 0, 1], bins);
    let attribute = Attribute {
        name: "fare".into(),
        values: ["adult", "", "child, under 6"].into_iter().collect(),
        of_record: vec![0, 1, 2, 0],
    };
    let time = timed.then(|| TimeAxis::new(3, Origin::Declared("seed".into())));
    let trips = trips.expect("sound columns");
    let universe = Arc::new(universe());
    Dataset::new(
        universe,
        time,
        trips,
        owners,
        vec![attribute],
        "riders".into(),
    )
    .map(Raw::new)
    .expect("a sound data set")
}

fn generated(records: u64) -> Raw<Dataset> {
    let options = GenerateOptions {
        records: Some(records),
        locations: Some(12),
        ..GenerateOptions::default()
    };
    let mut random = RandomSource::insecure_seed_for("fuzzing", 1);
    generate(Preset::Metro, &options, &mut random, &Silent).expect("a preset generates")
}

/// Data files as bytes.
pub(crate) fn data_files() -> Vec<Vec<u8>> {
    scratch::with(|folder| {
        let path = folder.join("sample.parquet");
        [dataset(false), dataset(true), generated(1), generated(40)]
            .iter()
            .map(|raw| {
                write_dataset(&path, raw, true).expect("a data set can be written");
                fs::read(&path).expect("it was written")
            })
            .collect()
    })
}

/// Books for made-up data, on which nothing can be spent.
struct NoBooks;

impl Books for NoBooks {
    fn book(&mut self, _spend: &Spend<'_>) -> Result<Booking> {
        Ok(Booking {
            entry: "0".repeat(32),
            warnings: Vec::new(),
        })
    }

    fn done(&mut self, _entry: &str) -> Result<()> {
        Ok(())
    }
}

/// Releases made-up records as they are, with their columns, under parameters that ask for nothing;
/// without times nothing can be promised of this kind.
struct Unchanged;

impl Mechanism for Unchanged {
    fn name(&self) -> &'static str {
        "unchanged"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let sensitive = public.columns.iter().map(|column| SensitiveValues {
            column: column.into(),
            values: vec!["adult".into()],
        });
        let (nobody, anything) = (NonZeroU32::MIN, "1".parse()?);
        let sensitive = sensitive.collect();
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: match public.time {
                Some(_) => {
                    Guarantee::kcl(nobody, &anything, Knowledge::All, sensitive, public.unit)
                }
                None => Guarantee::none("records are released as they are", public.unit),
            },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: Vec::new(),
            noise: "none".into(),
            columns: public.columns.iter().map(Into::into).collect(),
        })
    }

    fn run(&self, records: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        let sequences = records.sequences.as_ref();
        let columns = records.attributes.iter();
        Ok(Output {
            trajectories: sequences.clone(),
            attributes: columns.map(|it| it.clone().into_owned()).collect(),
            // A promise about records leaves no room for counts.
            counts: records.public.time.is_none().then(|| NoisyCounts {
                prefixes: sequences.clone(),
                noisy: vec![1; sequences.len()],
                estimate: vec![1.0; sequences.len()],
                standard_error: vec![0.0; sequences.len()],
            }),
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

/// Writes a release into `folder`: of a tree, with counts, or of records as they are with a column
/// beside them, with counts where nothing is promised.
pub(crate) fn write_sample_release(folder: &Path, timed: bool, columns: bool) {
    let method = find("prefix-tree").expect("in the list of mechanisms");
    let values = [("epsilon", "10"), ("height", "3")];
    let parameters = Parameters::new(method.parameters, values).expect("sound parameters");
    let tree = (method.build)(&parameters).expect("sound parameters");
    let mechanism: &dyn Mechanism = if columns { &Unchanged } else { &*tree };
    // The column has several values for one of the people, so that each row is taken for another.
    let data = match columns {
        true => dataset_of(timed, Owners::EachRecord),
        false => dataset(timed),
    };
    let release = publish_booked(
        &data,
        mechanism,
        &Terms::default(),
        &mut NoBooks,
        &mut RandomSource::insecure_seed_for("fuzzing", 2),
        &Silent,
    );
    let release = release.expect("the data set can be published");
    write_release(folder, &release, None, &mut NoBooks, true).expect("a release can be written");
}
