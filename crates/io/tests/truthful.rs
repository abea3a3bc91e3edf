//! Releases that keep columns beside the trajectory: to disk and back, and to other formats.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use wayveil_core::{
    Attribute, Booked, Booking, Books, Claim, Coordinate, Cost, Dataset, Guarantee, Knowledge,
    Location, Mechanism, Origin, Output, Owners, Progress, PublicInputs, RandomSource, Raw,
    Records, Result, SensitiveValues, Sequences, Silent, Spend, Terms, TimeAxis, Transcript,
    Universe, UniverseDocument, publish_booked,
};
use wayveil_io::{
    GeoJson, Published, export_published_csv, export_published_geojson, read_release,
    write_published_seq, write_release,
};

/// Releases everything as it is, and says that it promises something.
struct Identity;

impl Mechanism for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let columns: Vec<String> = public.columns.iter().map(Into::into).collect();
        let sensitive = columns.first().map(|column| SensitiveValues {
            column: column.clone(),
            values: vec!["HIV".into()],
        });
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: match public.time {
                None => Guarantee::none("made up for a test", public.unit),
                // Every table keeps this promise.
                Some(_) => Guarantee::kcl(
                    1.try_into().unwrap(),
                    &"1".parse()?,
                    Knowledge::AtMost(3.try_into().unwrap()),
                    sensitive.into_iter().collect(),
                    public.unit,
                ),
            },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "none".into(),
            columns,
        })
    }

    fn run(&self, records: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        let columns = records.attributes.iter();
        Ok(Output {
            trajectories: records.sequences.clone().into_owned(),
            attributes: columns.map(|it| it.clone().into_owned()).collect(),
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

struct NoBooks;

impl Books for NoBooks {
    fn book(&mut self, _: &Spend<'_>) -> Result<Booking> {
        Ok(Booking {
            entry: "entry-1".into(),
            warnings: vec![],
        })
    }

    fn done(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
}

fn release(timed: bool, names: [&str; 2]) -> Booked {
    let origin = Origin::Declared("test".into());
    let location = |label: &str| Location {
        label: label.into(),
        name: None,
        at: Some(Coordinate {
            lat: 45.1,
            lng: -73.7,
        }),
        group: None,
    };
    let universe = Universe::try_from(UniverseDocument {
        origin: origin.clone(),
        locations: vec![location("A"), location("B b")],
        groups: vec![],
    });
    let bins = timed.then(|| vec![0, 1, 2, 2]);
    let trips = Sequences::new(vec![0, 2, 3, 4], vec![1, 0, 0, 0], bins).unwrap();
    let column = |name: &str, values: &[&str], of_record: &[u32]| Attribute {
        name: name.into(),
        values: values.iter().collect(),
        of_record: of_record.to_vec(),
    };
    let attributes = vec![
        column(
            names[0],
            &["HIV", "not released", "a\tb, \"c\""],
            &[2, 0, 2],
        ),
        column(names[1], &["", "%", "z"], &[0, 1, 1]),
    ];
    let time = timed.then(|| TimeAxis::new(3, origin));
    let universe = Arc::new(universe.unwrap());
    let owners = Owners::EachRecord;
    let data = Dataset::new(universe, time, trips, owners, attributes, "p".into()).unwrap();
    let mut random = RandomSource::os().unwrap();
    let terms = Terms::default();
    publish_booked(
        &Raw::new(data),
        &Identity,
        &terms,
        &mut NoBooks,
        &mut random,
        &Silent,
    )
    .unwrap()
}

fn written(folder: &Path, timed: bool) -> Published {
    let booked = release(timed, ["diagnosis", "job"]);
    let manifest = write_release(folder, &booked, None, &mut NoBooks, false).unwrap();
    let back = read_release(folder).unwrap();
    assert_eq!(back.manifest(), &manifest);
    assert_eq!(back.trajectories(), booked.release().trajectories());
    assert_eq!(back.attributes(), booked.release().attributes());
    back
}

#[test]
fn columns_come_back_as_they_were() {
    for timed in [false, true] {
        let parent = tempfile::tempdir().unwrap();
        let back = written(&parent.path().join("r"), timed);
        let names: Vec<&str> = back
            .attributes()
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        assert_eq!(names, ["diagnosis", "job"]);
        assert_eq!(back.manifest().attributes, names);
        let values: Vec<&str> = back.attributes()[0].values.iter().collect();
        assert_eq!(values, ["HIV", "a\tb, \"c\""]);
        assert_eq!(back.attributes()[1].value(2), "");
    }
}

#[test]
fn columns_go_along_to_other_formats() {
    let parent = tempfile::tempdir().unwrap();
    let back = written(&parent.path().join("r"), true);
    let text = |name: &str, write: &dyn Fn(&Path) -> Result<()>| {
        let path = parent.path().join(name);
        write(&path).unwrap();
        fs::read_to_string(path).unwrap()
    };
    let seq = text("r.seq", &|path| write_published_seq(path, &back, false));
    assert_eq!(
        seq,
        "A@2\tHIV\t%25\nA@2\ta%09b,%20\"c\"\t%25\nB%20b@0 A@1\ta%09b,%20\"c\"\t\n"
    );
    let csv = text("r.csv", &|path| export_published_csv(path, &back, false));
    assert_eq!(
        csv,
        "trajectory,position,location,bin,diagnosis,job\n\
         1,1,A,2,HIV,%\n\
         2,1,A,2,\"a\tb, \"\"c\"\"\",%\n\
         3,1,B b,0,\"a\tb, \"\"c\"\"\",\n\
         3,2,A,1,\"a\tb, \"\"c\"\"\",\n"
    );
    let map = text("r.geojson", &|path| {
        export_published_geojson(path, &back, GeoJson::Trajectories, false)
    });
    assert!(map.contains("\"diagnosis\":\"HIV\""), "{map}");
}

#[test]
fn names_that_collide_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    for names in [
        ["uid", "job"],
        ["diagnosis", "Locations"],
        ["bins", "job"],
        ["Job", "job"],
        ["", "job"],
    ] {
        let booked = release(false, names);
        let folder = parent.path().join("r");
        let error = write_release(&folder, &booked, None, &mut NoBooks, false).unwrap_err();
        assert!(
            error.message().contains("cannot be in a release"),
            "{error}"
        );
        assert!(!folder.exists(), "nothing half-written");
    }
}

#[test]
fn a_manifest_names_exactly_the_columns_that_are_there() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    written(&folder, false);
    let path = folder.join("manifest.json");
    let good: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    for names in [
        vec!["diagnosis"],
        vec!["job", "diagnosis"],
        vec![],
        vec!["diagnosis", "job", "age"],
        vec!["diagnosis", "diagnosis"],
        vec!["diagnosis", "locations"],
    ] {
        let mut other = good.clone();
        other["attributes"] = names.clone().into();
        fs::write(&path, other.to_string()).unwrap();
        let error = read_release(&folder).unwrap_err();
        assert!(error.message().contains("damaged"), "{names:?}: {error}");
    }
    fs::write(&path, good.to_string()).unwrap();
    assert!(read_release(&folder).is_ok());
}

#[test]
fn the_page_says_that_rows_are_truthful_and_names_the_columns() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    written(&folder, true);
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    for part in [
        "rows are true rows of people",
        "`diagnosis` (of the person), `job` (of the person)",
        "not differential privacy",
        "Four points identify 95 %",
        "does not add up",
    ] {
        assert!(page.contains(part), "{part} is missing from {page}");
    }
    assert!(!page.contains("synthetic") && !page.contains("adding up"));
}
