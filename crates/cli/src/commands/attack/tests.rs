//! The command with small attacks of its own, so that it is tested whatever attacks there are.

use std::sync::Arc;

use wayveil_core::{Origin, Owners, PrivacyUnit, Progress, Sequences, Silent, Universe};
use wayveil_evaluate::attack::{Control, Found, Group, Method, Outcome, Question, Scene};

use super::*;

/// Finds who stands at the same place with the same record: everyone in the raw data, in a release
/// those whom it did not touch. Of two who are not in, it never finds one.
static SAME: Attack = Attack {
    name: "same",
    about: "finds equal records <&>",
    question: Question::SinglingOut,
    definition: "the record at a person's place is theirs",
    source: "this test",
    run: |scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress| {
        progress.begin("comparing", Some(1));
        let found = (1..=settings.points).map(|known| {
            let mut records = scene.target.records.sequences.iter();
            let people = scene.people.sequences.iter();
            let equal = people.map(move |theirs| records.next() == Some(theirs));
            Found {
                name: format!("points-{known}"),
                members: Group {
                    tries: scene.people.len() as u64,
                    successes: equal.filter(|&equal| equal).count() as u64,
                },
                control: Control::Outsiders(Group {
                    tries: 2,
                    successes: 0,
                }),
                independent: None,
            }
        });
        let found = found.collect();
        progress.end();
        Ok(Outcome::Found(found))
    },
};

/// Says how the target was made, and counts the outsiders.
static MADE: Attack = Attack {
    name: "made",
    about: "needs the method and outsiders",
    question: Question::Membership,
    definition: "none",
    source: "this test",
    run: |scene: &Scene<'_>, _: &AttackSettings, _: &dyn Progress| {
        Ok(match (&scene.target.method, scene.outsiders) {
            (Method::AsTheyAre, Some(outsiders)) => Outcome::Found(vec![Found {
                name: String::new(),
                members: Group {
                    tries: 100,
                    successes: 98 + outsiders.len() as u64,
                },
                control: Control::Coin(0.5),
                independent: None,
            }]),
            _ => Outcome::NotPossible("the method is not known".into()),
        })
    },
};

/// Records over these labels; the people are the first letters of their labels.
fn data(labels: &[&str], records: &[&[u32]], owners: &[u32]) -> Dataset {
    let universe = Universe::from_labels(labels.iter().copied(), Origin::FromData);
    Dataset::new(
        Arc::new(universe.expect("labels")),
        None,
        Sequences::from_codes(records.iter().map(|codes| codes.to_vec())),
        Owners::Known {
            of_record: owners.to_vec(),
            labels: ["p", "q", "r"].into_iter().collect(),
        },
        Vec::new(),
        "test".into(),
    )
    .expect("fitting columns")
}

fn results() -> Results {
    let raw = data(&["A", "B"], &[&[0], &[1], &[0, 1], &[1]], &[0, 1, 2, 0]);
    // The same places in another order: p and q are as they were, r is gone.
    let other = data(&["B", "A"], &[&[1, 0], &[0]], &[0, 1]);
    let strangers = data(&["B"], &[&[0], &[0]], &[0, 1]);
    let releases = [(
        PathBuf::from("folder/other.parquet"),
        Subject::Loaded(Loaded::Data(Raw::new(other))),
    )];
    let outsiders = (PathBuf::from("strangers.parquet"), Raw::new(strangers));
    let stage = Stage::set(&raw, &releases, Some(&outsiders), &Silent).expect("one universe");
    assert_eq!(stage.unit, PrivacyUnit::Owner);
    let settings = AttackSettings {
        points: 5,
        ..AttackSettings::default()
    };
    let terminal = Terminal::new(false, true);
    results::attack_all(&[&SAME, &MADE], &stage, &settings, None, &terminal).expect("they run")
}

#[test]
fn raw_data_comes_first_and_others_are_brought_into_its_codes() {
    let object = json::object(&results(), NOTE);
    assert_eq!(object["records"], 3, "three people, one with two rows");
    assert_eq!(object["published"][0]["name"], "raw");
    assert_eq!(object["published"][1]["name"], "folder/other.parquet");
    assert_eq!(object["published"][1]["made"], "elsewhere");
    let same = &object["attacks"][0];
    assert_eq!(
        (&same["name"], &same["question"]),
        (&json!("same"), &json!("singling out"))
    );
    let found = |at: usize| &same["results"][at]["found"][3];
    assert_eq!(found(0)["name"], "points-4");
    assert_eq!(found(0)["successes"], 3);
    assert_eq!(found(1)["successes"], 2);
    assert_eq!(found(1)["tries"], 3);
    let p_value = found(1)["p_value"].as_f64().expect("a number");
    assert!(
        (p_value - 0.3).abs() < 1e-9,
        "three pairs of ten: {p_value}"
    );
    assert_eq!(found(1)["verdict"], "not shown to be better than chance");
    assert_eq!(found(1)["control"]["tries"], 2);
    assert_eq!(found(1)["control"]["rate"], 0.0);
    assert_eq!(same["results"][1]["attacked"], "the release itself");
    assert!(found(1)["low"].as_f64() < found(1)["rate"].as_f64());
    let made = &object["attacks"][1]["results"];
    assert_eq!(made[0]["found"][0]["rate"], 1.0);
    assert_eq!(
        made[0]["found"][0]["control"],
        json!({ "kind": "coin", "rate": 0.5 })
    );
    assert_eq!(made[1]["not_possible"], "the method is not known");
}

#[test]
fn questions_are_answered_for_everything_published() {
    let object = json::object(&results(), NOTE);
    let answers: Vec<_> = object["answers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|answer| (answer["question"].as_str(), answer["verdict"].clone()))
        .collect();
    // Three of three, and none of two, has the probability 1/10 by chance.
    let not_shown = json!("not shown to be better than chance");
    assert_eq!(
        answers,
        [
            (Some("singling out"), not_shown.clone()),
            (Some("singling out"), not_shown.clone()),
            (Some("membership"), json!("better than chance")),
            (Some("membership"), json!(null)),
        ]
    );
}

#[test]
fn tables_have_a_column_for_each_with_its_control() {
    let text = results().text();
    let head = text.lines().nth(1).expect("a header");
    for title in ["raw, under pseudonyms", "other.parquet"] {
        assert!(head.contains(title), "{text}");
    }
    for part in [
        "points-4",
        "100.0 % (29.2–100.0), not in it 0.0 %",
        "66.7 % (9.4–99.2)",
        "other.parquet: not possible: the method is not known",
        "100.0 % (96.4–100.0) *, coin 50.0 %",
        "attacked: the release itself\n",
        "  other.parquet: Not shown to be better than chance. Someone",
        "membership\n  raw, under pseudonyms: BETTER THAN CHANCE. Someone who knows",
        "with 95 % intervals",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn the_picture_has_a_row_for_the_typical_points_and_the_curve_for_all() {
    let chart = picture::chart(&results());
    assert_eq!(chart.groups.len(), 2);
    assert_eq!(chart.groups[0].rows.len(), 1);
    let label = &chart.groups[0].rows[0].label;
    assert!(label.contains("4 visits known"), "{label}");
    assert!(
        chart
            .note
            .contains("raw, under pseudonyms: membership; other.parquet: nowhere shown")
    );
    let curve = chart.curve.as_ref().expect("a curve");
    assert_eq!(curve.lines.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5]);
    let page = attack_chart(&chart);
    assert!(page.contains("&lt;&amp;&gt;") && !page.contains("NaN"));
    assert!(page.contains("not possible: the method is not known"));
}

#[test]
fn other_places_are_named_with_their_file() {
    let raw = data(&["A"], &[&[0]], &[0]);
    let other = || Raw::new(data(&["A", "Z"], &[&[1]], &[0]));
    let releases = [(
        PathBuf::from("z.parquet"),
        Subject::Loaded(Loaded::Data(other())),
    )];
    let fault = Stage::set(&raw, &releases, None, &Silent)
        .err()
        .expect("an error");
    assert!(fault.to_string().contains("z.parquet") && fault.to_string().contains("\"Z\""));
    let outsiders = (PathBuf::from("out.parquet"), other());
    let none: &[(PathBuf, Loaded)] = &[];
    let fault = Stage::set(&raw, none, Some(&outsiders), &Silent)
        .err()
        .expect("an error");
    assert!(fault.to_string().contains("out.parquet"), "{fault}");
}

#[test]
fn attacks_are_found_by_name() {
    let all: &[&'static Attack] = &[&SAME, &MADE];
    let names = |given: &[&str]| {
        let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
        chosen(&given, all).map(|found| found.iter().map(|it| it.name).collect::<Vec<_>>())
    };
    assert_eq!(names(&[]).expect("all"), ["same", "made"]);
    assert_eq!(names(&["made"]).expect("one"), ["made"]);
    let twice = names(&["made", "same", "made"]);
    assert_eq!(twice.expect("each once"), ["made", "same"]);
    let fault = names(&["nonsense"]).expect_err("unknown");
    assert!(fault.to_string().contains("nonsense"), "{fault}");
    let advice = fault.advice().expect("a hint");
    assert!(
        advice.contains("same, made") && advice.contains("--list"),
        "{advice}"
    );
}

#[test]
fn files_of_one_name_are_told_apart() {
    let raw = data(&["A"], &[&[0]], &[0]);
    let other = |path: &str| {
        let data = Raw::new(data(&["A"], &[&[0]], &[0]));
        (PathBuf::from(path), Subject::Loaded(Loaded::Data(data)))
    };
    let releases = ["a/x.parquet", "b/x.parquet", "b/y.parquet"].map(other);
    let stage = Stage::set(&raw, &releases, None, &Silent).expect("a stage");
    let titles: Vec<&str> = stage.published().map(|it| it.title.as_str()).collect();
    assert_eq!(titles[1..], ["a/x.parquet", "b/x.parquet", "y.parquet"]);
}

#[test]
fn why_there_is_no_control_is_said() {
    let raw = data(&["A"], &[&[0], &[0]], &[0, 1]);
    let other = Raw::new(data(&["A"], &[&[0]], &[0]));
    let releases = [(
        PathBuf::from("x.parquet"),
        Subject::Loaded(Loaded::Data(other)),
    )];
    let stage = Stage::set(&raw, &releases, None, &Silent).expect("a stage");
    let attacks: &[&'static Attack] = &[attack::find("singling-out").expect("there")];
    let settings = AttackSettings::default();
    let results = results::attack_all(
        attacks,
        &stage,
        &settings,
        None,
        &Terminal::new(false, true),
    );
    let results = results.expect("they run");
    let text = results.text();
    for part in [
        "no control",
        "x.parquet: no control, because it cannot be made again (it was made elsewhere)",
        "--outsiders FILE",
        "attacked: made again from random halves (raw, under pseudonyms); the release itself \
         (x.parquet)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let object = json::object(&results, NOTE);
    assert_eq!(
        object["published"][1]["no_control"],
        "it was made elsewhere"
    );
    assert_eq!(object["published"][0]["no_control"], json!(null));
    assert_eq!(
        object["attacks"][0]["results"][1]["found"][0]["p_value"],
        json!(null)
    );
}
