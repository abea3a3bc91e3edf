//! Whatever is written in one of the text forms, or as a data file, is read back the same.

use std::sync::Arc;

use proptest::prelude::*;
use wayveil_core::{
    Attribute, Dataset, NonPrivate, Origin, Owners, Raw, Result, Sequences, TimeAxis, Universe,
};
use wayveil_io::{
    Bins, SeqOptions, UniverseChoice, VisitsOptions, export_raw_csv, read_dataset, read_seq,
    read_visits, write_dataset, write_raw_seq,
};

const BINS: u32 = 9;
/// Names that need quotes, or look like another delimiter.
const ATTRIBUTES: [&str; 4] = ["age", "x,y", "say \"when\"", ";;;;;;;;;;;;\té"];
/// Text with everything that one of the forms takes for syntax; also labels that are numbers.
const TEXT: &str = "[a-c0-3 ,;\"@%#<>\t\n\r\u{feff}é\u{1f687}-]{1,4}|[0-9]{1,3}|-1|-2";
/// The same without control characters, and not blank.
const PLAIN: &str = "[a-c0-3 ,;\"@%#é\u{1f687}-]{0,3}[a-c0-3,;\"@%é]";

/// Visits as codes and bins, an owner, and the values of attributes.
type Record = (Vec<(u32, u32)>, u32, Vec<String>);

fn any_data(label: &'static str) -> impl Strategy<Value = Dataset> {
    let labels = prop::collection::btree_set(label, 1..6);
    let owners = prop::option::of(prop::collection::btree_set(PLAIN, 1..4));
    let width = 0..=ATTRIBUTES.len();
    (labels, owners, any::<bool>(), width).prop_flat_map(|(labels, owners, timed, width)| {
        let labels: Vec<String> = labels.into_iter().collect();
        let owners: Option<Vec<String>> = owners.map(|owners| owners.into_iter().collect());
        let visit = (0..labels.len() as u32, 0..BINS);
        let owner = 0..owners.as_ref().map_or(1, |owners| owners.len() as u32);
        let values = prop::collection::vec(prop_oneof![Just(String::new()), TEXT], width);
        let record = (prop::collection::vec(visit, 0..5), owner, values);
        prop::collection::vec(record, 0..8)
            .prop_map(move |records| build(&labels, owners.as_deref(), timed, width, &records))
    })
}

fn build(
    labels: &[String],
    owners: Option<&[String]>,
    timed: bool,
    width: usize,
    records: &[Record],
) -> Dataset {
    let origin = || Origin::Declared("test".into());
    let mut trips = Sequences::empty(timed);
    for (visits, _, _) in records {
        let (codes, mut bins): (Vec<u32>, Vec<u32>) = visits.iter().copied().unzip();
        bins.truncate(if timed { bins.len() } else { 0 });
        trips.push(&codes, &bins);
    }
    let attributes = (0..width).map(|column| Attribute {
        name: ATTRIBUTES[column].into(),
        values: records.iter().map(|record| &record.2[column]).collect(),
        of_record: (0..records.len() as u32).collect(),
    });
    let owners = match owners {
        Some(owners) => Owners::Known {
            of_record: records.iter().map(|record| record.1).collect(),
            labels: owners.iter().collect(),
        },
        None => Owners::EachRecord,
    };
    Dataset::new(
        Arc::new(Universe::from_labels(labels.to_vec(), origin()).unwrap()),
        timed.then(|| TimeAxis::new(BINS, origin())),
        trips,
        owners,
        attributes.collect(),
        "p".into(),
    )
    .unwrap()
}

/// Labels of each trajectory.
fn labels(data: &Dataset) -> Vec<Vec<&str>> {
    let label = |&code: &u32| data.universe().label(code);
    let trips = data.trips().iter();
    trips
        .map(|codes| codes.iter().map(label).collect())
        .collect()
}

/// The owner's id of each trajectory.
fn owners(data: &Dataset) -> Option<Vec<&str>> {
    match data.owners() {
        Owners::EachRecord => None,
        Owners::Known { of_record, labels } => Some(
            of_record
                .iter()
                .map(|&it| labels.get(it as usize))
                .collect(),
        ),
    }
}

/// The attributes' names and values.
fn attributes(data: &Dataset) -> Vec<(String, Vec<String>)> {
    let column = |it: &Attribute| {
        let codes = it.of_record.iter();
        let values = codes.map(|&code| it.values.get(code as usize));
        (it.name.clone(), values.map(str::to_owned).collect())
    };
    data.attributes().iter().map(column).collect()
}

fn opened(raw: &Raw<Dataset>) -> Dataset {
    raw.inspect(NonPrivate::because("a test compares"), Clone::clone)
        .for_publisher_only()
}

/// Writes and reads in a folder of its own.
fn through<T>(
    data: &Dataset,
    write: impl FnOnce(&std::path::Path, &Raw<Dataset>) -> Result<()>,
    read: impl FnOnce(&std::path::Path) -> Result<T>,
) -> T {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    write(&path, &Raw::new(data.clone())).unwrap();
    read(&path).unwrap()
}

fn declared(data: &Dataset) -> UniverseChoice {
    UniverseChoice::Declared((**data.universe()).clone())
}

fn visits_options(data: &Dataset, universe: UniverseChoice) -> VisitsOptions {
    VisitsOptions {
        bins: data.time().map(|axis| Bins::Declared(axis.bins)),
        ..VisitsOptions::new(universe, "p")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_table_of_visits_comes_back(data in any_data(TEXT)) {
        let options = visits_options(&data, declared(&data));
        let (raw, summary) = through(
            &data,
            |path, raw| export_raw_csv(path, raw, false),
            |path| read_visits(path, &options),
        );
        let back = opened(&raw);
        prop_assert_eq!(back.trips(), data.trips());
        prop_assert_eq!(owners(&back), owners(&data));
        prop_assert_eq!(attributes(&back), attributes(&data));
        prop_assert_eq!(back.universe().digest(), data.universe().digest());
        prop_assert_eq!(back.universe().origin(), data.universe().origin());
        prop_assert_eq!(
            back.time().map(|axis| axis.bins),
            data.time().map(|axis| axis.bins)
        );
        let rows = (0..data.trips().len()).map(|record| data.trips().length(record).max(1));
        let summary = summary.for_publisher_only();
        prop_assert_eq!(summary.rows, rows.sum::<usize>() as u64);
        prop_assert_eq!(summary.blank_lines, 0);
    }

    #[test]
    fn a_table_of_visits_gives_its_own_locations(data in any_data(PLAIN)) {
        prop_assume!(data.trips().symbols() > 0);
        let options = visits_options(&data, UniverseChoice::FromData);
        let (raw, _) = through(
            &data,
            |path, raw| export_raw_csv(path, raw, false),
            |path| read_visits(path, &options),
        );
        let back = opened(&raw);
        prop_assert_eq!(labels(&back), labels(&data));
        prop_assert_eq!(back.trips().bins(), data.trips().bins());
    }

    #[test]
    fn lines_of_symbols_come_back(data in any_data(TEXT)) {
        let options = SeqOptions {
            bins: data.time().map(|axis| Bins::Declared(axis.bins)),
            attributes: attributes(&data).iter().map(|it| it.0.clone()).collect(),
            ..SeqOptions::new(declared(&data), "p")
        };
        let (raw, _) = through(
            &data,
            |path, raw| write_raw_seq(path, raw, false),
            |path| read_seq(path, &options),
        );
        let back = opened(&raw);
        prop_assert_eq!(back.trips(), data.trips());
        prop_assert_eq!(back.owners(), &Owners::EachRecord);
        prop_assert_eq!(attributes(&back), attributes(&data));
        prop_assert_eq!(back.universe().digest(), data.universe().digest());
    }

    #[test]
    fn a_data_file_comes_back(data in any_data(TEXT)) {
        let raw = through(
            &data,
            |path, raw| write_dataset(path, raw, false),
            read_dataset,
        );
        let back = opened(&raw);
        prop_assert_eq!(back.trips(), data.trips());
        prop_assert_eq!(owners(&back), owners(&data));
        prop_assert_eq!(attributes(&back), attributes(&data));
        prop_assert_eq!(back.time(), data.time());
        prop_assert_eq!(back.population(), data.population());
        prop_assert_eq!(back.universe().digest(), data.universe().digest());
        prop_assert_eq!(back.universe().origin(), data.universe().origin());
    }
}

#[test]
fn a_name_that_the_table_has_already_is_refused() {
    for name in [
        "uid",
        "trajectory",
        "position",
        "location",
        "bin",
        " age",
        "a\nb",
    ] {
        let attribute = Attribute {
            name: name.into(),
            values: ["x"].into_iter().collect(),
            of_record: vec![0],
        };
        let universe = Universe::from_labels(["A"], Origin::FromData).unwrap();
        let data = Dataset::new(
            Arc::new(universe),
            None,
            Sequences::from_codes([[0u32]]),
            Owners::EachRecord,
            vec![attribute],
            "p".into(),
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        let error = export_raw_csv(&path, &Raw::new(data.unwrap()), false).unwrap_err();
        assert!(error.message().contains("cannot be a column"), "{name:?}");
        assert!(!path.exists());
    }
}
