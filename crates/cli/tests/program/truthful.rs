//! Releases that keep columns beside the trajectory, as their publisher and recipient meet them.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_core::{
    Attribute, Claim, Cost, Dataset, Guarantee, Knowledge, Mechanism, Origin, Output, Owners,
    Progress, PublicInputs, RandomSource, Raw, Records, Result, SensitiveValues, Sequences, Silent,
    Terms, TimeAxis, Transcript, Universe, publish_booked,
};
use wayveil_io::{write_dataset, write_release};
use wayveil_ledger::Ledger;

use super::common::Place;

/// Releases everything as it is, whatever it promises.
struct Identity {
    k: u32,
}

impl Mechanism for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: Guarantee::kcl(
                self.k.try_into().unwrap(),
                &"1/2".parse()?,
                Knowledge::AtMost(2.try_into().unwrap()),
                vec![SensitiveValues {
                    column: "diagnosis".into(),
                    values: vec!["HIV".into(), "Hepatitis".into()],
                }],
                public.unit,
            ),
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "none".into(),
            columns: public.columns.iter().map(Into::into).collect(),
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

/// Six rows at A and B in the hours 1 and 2. The owners are `owners`; one in three has HIV.
fn data(owners: Owners) -> Raw<Dataset> {
    let origin = Origin::Declared("test".into());
    let universe = Universe::from_labels(["A", "B"], origin.clone()).unwrap();
    let mut trips = Sequences::empty(true);
    for _ in 0..6 {
        trips.push(&[0, 1], &[1, 2]);
    }
    let column = |name: &str, values: &[&str], of_record: &[u32]| Attribute {
        name: name.into(),
        values: values.iter().collect(),
        of_record: of_record.to_vec(),
    };
    let attributes = vec![
        column("diagnosis", &["HIV", "Flu"], &[0, 0, 1, 1, 1, 1]),
        column("job", &["nurse", "clerk"], &[0, 0, 0, 0, 0, 1]),
    ];
    let time = Some(TimeAxis::new(3, origin));
    Dataset::new(
        Arc::new(universe),
        time,
        trips,
        owners,
        attributes,
        "patients".into(),
    )
    .map(Raw::new)
    .unwrap()
}

/// A folder with the release `r`, booked in the place's own ledger, and the data file `x.parquet`.
fn published() -> Place {
    let place = Place::new();
    let raw = data(Owners::EachRecord);
    write_dataset(&place.path("x.parquet"), &raw, false).unwrap();
    let mut ledger = Ledger::open(&place.ledger()).unwrap();
    let mut random = RandomSource::os().unwrap();
    let terms = Terms::default();
    let identity = Identity { k: 5 };
    let booked = publish_booked(&raw, &identity, &terms, &mut ledger, &mut random, &Silent);
    write_release(&place.path("r"), &booked.unwrap(), None, &mut ledger, false).unwrap();
    place
}

#[test]
fn a_promise_that_does_not_hold_leaves_nothing_to_write() {
    let place = Place::new();
    let mut ledger = Ledger::open(&place.ledger()).unwrap();
    let mut random = RandomSource::os().unwrap();
    let (raw, terms) = (data(Owners::EachRecord), Terms::default());
    // Six people share everything.
    for (k, holds) in [(6, true), (7, false)] {
        let identity = Identity { k };
        let booked = publish_booked(&raw, &identity, &terms, &mut ledger, &mut random, &Silent);
        let refusal = booked.err().map(|error| error.to_string());
        assert_eq!(refusal.is_none(), holds, "{refusal:?}");
        assert!(refusal.is_none_or(|it| it.contains("breaks its promise")));
    }
    assert!(place.names().is_empty());
    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(
        (&account["releases"], &account["done"]),
        (&2.into(), &0.into())
    );
}

#[test]
fn info_shows_the_promise_and_the_columns() {
    let place = published();
    let text = place.ok("info r");
    for part in [
        "(K, C)_L-privacy with K = 5, C = 1/2, L = 2; not differential privacy, does not compose",
        "Four points identify 95 %",
        "column        \"diagnosis\", 2 values: \"Flu\" 66.7 %, \"HIV\" 33.3 %",
    ] {
        assert!(text.contains(part), "{part} is missing from\n{text}");
    }
    let object = place.json("info r");
    assert_eq!(object["attributes"][1]["name"], "job");
    assert_eq!(object["attributes"][1]["top"][0]["records"], 5);
    assert_eq!(object["manifest"]["guarantee"]["model"], "k-c-l-privacy");
    assert_eq!(
        place.json("info x.parquet")["attributes"],
        object["attributes"]
    );
}

#[test]
fn columns_survive_conversion_and_import() {
    let place = published();
    place.ok("convert r --to seq -o r.seq");
    let text = std::fs::read_to_string(place.path("r.seq")).unwrap();
    assert_eq!(text.lines().next(), Some("A@1 B@2\tFlu\tclerk"));
    place.write("labels.txt", "A\nB\n");
    place.ok("import r.seq --format seq --universe labels.txt --bins 3 -o y.parquet");
    let found = &place.json("info y.parquet")["attributes"];
    assert_eq!(
        found[0]["top"],
        place.json("info r")["attributes"][0]["top"]
    );
    place.ok("convert r --to csv -o r.csv");
    let text = std::fs::read_to_string(place.path("r.csv")).unwrap();
    assert!(
        text.starts_with("trajectory,position,location,bin,diagnosis,job\n1,1,A,1,Flu,clerk\n")
    );
}

#[test]
fn the_books_say_that_it_does_not_add_up() {
    let place = published();
    let history = place.json("ledger history patients");
    assert_eq!(history["history"][0]["not_composing"], "k-c-l-privacy");
    assert!(history["history"][0].get("amount").is_none());
    assert_eq!(
        history["history"][0]["entry"],
        place.read_json("r/manifest.json")["id"]
    );
    assert!(
        place
            .ok("ledger history")
            .contains("not composing: k-c-l-privacy")
    );
    let shown = place.ok("ledger show");
    assert!(
        shown.contains("1 with a guarantee that does not add up"),
        "{shown}"
    );
    place.ok("ledger verify");
}

#[test]
fn a_release_is_held_against_its_own_promise() {
    let place = published();
    assert!(place.ok("verify r").contains("K = 5, C = 0.5, L = 2 holds"));
    assert_eq!(place.json("verify r")["internal"], false);
    place.fails("verify r --k 7 --l 1", 1, &[]);
    place.fails(
        "verify r --k 2 --c 0.3 --l 1 --sensitive diagnosis=HIV",
        1,
        &[],
    );
    place.fails(
        "verify r --k 2 --l 1 --sensitive HIV",
        2,
        &["there are diagnosis, job", "COLUMN=HIV"],
    );
    place.ok("publish prefix-tree x.parquet --epsilon 1 --height 2 --trip-level -o t");
    let (code, _, said) = place.run("verify t --k 1 --l 1");
    assert_eq!(code, 0);
    assert!(said.contains("each row is counted as a person"), "{said}");
}

#[test]
fn people_are_counted_not_rows() {
    let place = Place::new();
    let owners = Owners::Known {
        of_record: vec![0, 0, 1, 1, 2, 2],
        labels: ["x", "y", "z"].into_iter().collect(),
    };
    write_dataset(&place.path("x.parquet"), &data(owners), false).unwrap();
    for apart in ["", "--trip-level", "--max-trips 2"] {
        place.ok(&format!("verify x.parquet --k 3 --l 2 {apart}"));
        place.fails(&format!("verify x.parquet --k 4 --l 2 {apart}"), 1, &[]);
    }
    // x has one diagnosis; z has two jobs.
    let asked = "verify x.parquet --k 3 --c 0.5 --l 2 --sensitive";
    place.ok(&format!("{asked} diagnosis=HIV"));
    place.fails(
        &format!("{asked} job=clerk"),
        2,
        &["\"job\"", "--trip-level"],
    );
    place.ok(&format!("{asked} job=clerk --trip-level"));
}
