use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_core::{
    Claim, Cost, Guarantee, Knowledge, Origin, Output, Owners, Progress, PublicInputs,
    RandomSource, Records, SensitiveValues, Sequences, Transcript, Universe,
};

use super::*;

fn column(name: &str, of_record: &[u32]) -> Attribute {
    Attribute {
        name: name.into(),
        values: ["a", "b", "unused"].into_iter().collect(),
        of_record: of_record.to_vec(),
    }
}

#[test]
fn values_come_by_frequency() {
    let columns = [column("age", &[1, 0, 1]), column("none", &[])];
    assert_eq!(
        columns_text(&columns),
        "column        \"age\", 2 values: \"b\" 66.7 %, \"a\" 33.3 %\n\
         column        \"none\", 0 values\n"
    );
    assert_eq!(columns_json(&columns)[0]["top"][0]["value"], "b");
    assert_eq!(columns_text(&[]), "");
}

#[test]
fn what_a_publisher_is_told() {
    let age = column("age", &[1, 0, 1]);
    let said = absent(&age, &["a".into(), "unused".into()]);
    assert!(
        said.len() == 1 && said[0].contains("\"unused\""),
        "{said:?}"
    );
    let word = identifying(&[&age]).unwrap();
    assert!(word.starts_with("1 of 3 people"), "{word}");
    assert!(
        word.contains("leave columns out of --keep, or"),
        "there is no other column: {word}"
    );
    // Together they tell everybody apart; without the second, one person.
    let sex = column("sex", &[0, 0, 1]);
    let word = identifying(&[&age, &sex]).unwrap();
    assert!(word.starts_with("3 of 3 people"), "{word}");
    assert!(
        word.contains("--keep (without \"age\" it is 1), or"),
        "{word}"
    );
    assert_eq!(identifying(&[&column("age", &[1, 0, 1, 0])]), None);
    assert_eq!(identifying(&[]), None);
}

#[test]
fn values_that_differ_in_case_or_blanks_only_are_named() {
    let diagnosis = Attribute {
        name: "diagnosis".into(),
        values: ["Hepatitis B", "hepatitis b", "Flu"].into_iter().collect(),
        of_record: vec![0, 1, 0, 2],
    };
    let said = absent(
        &diagnosis,
        &["HepatitisB".into(), "Flu".into(), "HIV".into()],
    );
    assert_eq!(said.len(), 2, "{said:?}");
    let named = "There is \"Hepatitis B\", \"hepatitis b\"";
    assert!(said[0].ends_with(named), "{said:?}");
    assert!(said[1].contains("\"HIV\"") && said[1].ends_with("spelt so?"));
}

#[test]
fn people_without_a_value_are_counted() {
    let diagnosis = Attribute {
        name: "diagnosis".into(),
        values: ["HIV", "", " "].into_iter().collect(),
        of_record: vec![0, 1, 1, 2],
    };
    let word = without_value(&diagnosis, &["HIV".into()]).unwrap();
    assert!(word.starts_with("3 of 4 people have no value"), "{word}");
    assert!(
        word.contains("\"diagnosis\"") && word.contains("--c"),
        "{word}"
    );
    // Where it is called sensitive it is a value like others.
    let word = without_value(&diagnosis, &["".into()]).unwrap();
    assert!(word.starts_with("1 of 4"), "{word}");
    assert_eq!(without_value(&column("age", &[0, 1]), &["a".into()]), None);
}

#[test]
fn a_bound_needs_values_and_values_a_bound() {
    let values = [SensitiveValues {
        column: "diagnosis".into(),
        values: vec!["a".into()],
    }];
    assert!(unbounded(0.5, &[]).unwrap().contains("--sensitive"));
    let word = unbounded(1.0, &values).unwrap();
    assert!(
        word.contains("\"diagnosis\"") && word.contains("--c 0.5"),
        "{word}"
    );
    assert_eq!(unbounded(0.5, &values), None);
    assert_eq!(unbounded(1.0, &[]), None);
}

/// Would release all columns; some values of the first are sensitive.
struct KeepsAll {
    promises: bool,
}

impl Mechanism for KeepsAll {
    fn name(&self) -> &'static str {
        "keeps-all"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let sensitive = SensitiveValues {
            column: "diagnosis".into(),
            values: vec!["a".into(), "c".into()],
        };
        let k = 2.try_into().unwrap();
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: match self.promises {
                true => Guarantee::kcl(
                    k,
                    &"0.5".parse()?,
                    Knowledge::All,
                    vec![sensitive],
                    public.unit,
                ),
                false => Guarantee::none("for a test", public.unit),
            },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "none".into(),
            columns: public.columns.iter().map(Into::into).collect(),
        })
    }

    fn run(&self, _: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        Ok(Output {
            trajectories: Sequences::empty(false),
            attributes: vec![],
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

#[test]
fn warnings_come_before_anything_is_booked() {
    let universe = Universe::from_labels(["A"], Origin::Declared("test".into())).unwrap();
    // Two rows of one person who has two jobs.
    let owners = Owners::Known {
        of_record: vec![0, 0, 1],
        labels: ["x", "y"].into_iter().collect(),
    };
    let attributes = vec![column("diagnosis", &[0, 0, 1]), column("job", &[0, 1, 0])];
    let trips = Sequences::from_codes([[0u32], [0], [0]]);
    let universe = Arc::new(universe);
    let data = Dataset::new(universe, None, trips, owners, attributes, "p".into()).unwrap();
    let raw = Raw::new(data);
    let said = |promises, unit| warnings(&raw, &KeepsAll { promises }, unit);
    let apart = said(true, PrivacyUnit::Trip);
    assert_eq!(apart.len(), 2, "{apart:?}");
    assert!(apart[0].contains("\"c\" in the column \"diagnosis\""));
    assert!(apart[1].starts_with("1 of 3 people") && apart[1].contains("of \"job\":"));
    // The door will refuse to join the jobs, and nothing is published without a promise.
    assert!(said(true, PrivacyUnit::Owner).is_empty());
    assert!(said(false, PrivacyUnit::Trip).is_empty());
}
