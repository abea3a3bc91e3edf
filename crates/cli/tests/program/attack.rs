//! `wayveil attack` as publishers and scripts meet it, whatever attacks there are.

use serde_json::Value;

use super::common::Place;

/// Data of 400 people, two releases of it, and one that protects single trips only.
fn with_releases() -> Place {
    let place = Place::new();
    place.ok("generate metro --records 400 --insecure-seed 1 -o m.parquet");
    for (name, flags) in [
        ("r1", "--epsilon 1"),
        ("r4", "--epsilon 4"),
        ("trips", "--epsilon 1 --trip-level"),
    ] {
        place.ok(&format!(
            "publish prefix-tree m.parquet {flags} --height 3 --insecure-seed 2 -o {name}"
        ));
    }
    place
}

/// Small enough for every attack.
const SMALL: &str = "--victims 30 --points 4 --shadows 4";

#[test]
fn attacks_are_listed_with_their_definitions() {
    let place = Place::new();
    for attack in place.json("attack --list").as_array().expect("a list") {
        for part in ["name", "about", "question", "definition", "source"] {
            let text = attack[part].as_str().expect("a text");
            assert!(text.len() > 3, "{attack} lacks its {part}");
        }
    }
    let text = place.ok("attack --list");
    assert!(
        text.contains("Settings") && text.contains("\"victims\":2000"),
        "{text}"
    );
}

#[test]
fn raw_data_and_releases_are_attacked_and_drawn() {
    let place = with_releases();
    let line = format!("attack m.parquet r1 r4 {SMALL} --seed 7 --plot a.svg");
    let object = place.json(&line);
    assert_eq!(object["internal"], true);
    assert_eq!(object["records"], 400);
    assert_eq!(object["confidence"], 0.95);
    assert_eq!(object["unit"]["unit"], "owner");
    assert_eq!(object["settings"]["seed"], 7);
    assert_eq!(object["settings"]["typical_points"], 4);
    let names = |list: &Value, key: &str| -> Vec<String> {
        let list = list.as_array().expect("a list");
        let name = |entry: &Value| entry[key].as_str().expect("a name").to_owned();
        list.iter().map(name).collect()
    };
    assert_eq!(names(&object["published"], "name"), ["raw", "r1", "r4"]);
    assert_eq!(object["published"][2]["guarantee"]["epsilon"], 4.0);
    let attacks = object["attacks"].as_array().expect("a list");
    let list = place.json("attack --list");
    assert_eq!(
        names(&object["attacks"], "name"),
        names(&list, "name"),
        "all that are listed are made"
    );
    for attack in attacks {
        assert_eq!(
            names(&attack["results"], "published"),
            ["raw", "r1", "r4"],
            "{attack}"
        );
        for result in attack["results"].as_array().expect("a list") {
            let possible = result["found"].is_array();
            assert_ne!(possible, result["not_possible"].is_string(), "{result}");
        }
    }
    let page = std::fs::read_to_string(place.path("a.svg")).expect("a plot");
    assert!(page.contains("Do not publish it") && !page.contains("NaN"));

    place.fails(&line, 2, &["a.svg", "--force"]);
    let again = place.json(&format!("{line} --force"));
    assert_eq!(again, object, "the same seed, the same figures");
    let text = place.ok(&format!("attack m.parquet trips {SMALL}"));
    assert!(
        text.contains("not for publication") && text.contains("proves nothing"),
        "{text}"
    );
}

#[test]
fn files_made_elsewhere_and_outsiders_are_taken() {
    let place = with_releases();
    place.ok("generate metro --records 50 --insecure-seed 9 -o others.parquet");
    let line = format!("attack m.parquet m.parquet {SMALL} --outsiders others.parquet");
    let object = place.json(&line);
    assert_eq!(object["published"][1]["made"], "elsewhere");
    place.fails(
        "attack m.parquet r1 --outsiders r4",
        2,
        &["outsiders", "not a release"],
    );
    place.fails(
        "attack m.parquet r1 --outsiders gone.parquet",
        2,
        &["gone.parquet"],
    );
}

#[test]
fn what_cannot_be_attacked_is_an_error() {
    let place = with_releases();
    place
        .write("labels.txt", "A\nB\n")
        .write("ab.seq", "A B\nB\n")
        .write("timed.seq", "A@0 B@1\n")
        .write("bad.json", "{ \"victim\": 1 }")
        .write("alpha.json", "{ \"alpha\": 1 }")
        .write("good.json", "{ \"points\": 5 }")
        .write("typical.json", "{ \"points\": 2 }");
    for (name, flags) in [("ab", ""), ("timed", "--bins 2")] {
        place.ok(&format!(
            "import {name}.seq --format seq --universe labels.txt {flags} -o {name}.parquet"
        ));
    }
    for (line, says) in [
        ("attack", &["RELEASE"][..]),
        ("attack m.parquet", &["RELEASE"]),
        ("attack r1 r1", &["raw data", "RAW RELEASE"]),
        ("attack m.parquet gone", &["gone"]),
        (
            "attack m.parquet r1 --attack nonsense",
            &["nonsense", "--list"],
        ),
        (
            "attack m.parquet ab.parquet",
            &["ab.parquet", "does not know"],
        ),
        (
            "attack m.parquet r1 --outsiders ab.parquet",
            &["ab.parquet"],
        ),
        (
            "attack ab.parquet timed.parquet",
            &["timed.parquet", "time bins"],
        ),
        ("attack m.parquet r1 trips", &["trips", "one by one"]),
        ("attack m.parquet r1 --seed=-1", &["--seed"]),
        ("attack m.parquet r1 --seed one", &["--seed"]),
        (
            "attack m.parquet r1 --victims 0",
            &["victims", "at least 1"],
        ),
        ("attack m.parquet r1 --points 0", &["points", "at least 1"]),
        (
            "attack m.parquet r1 --settings bad.json",
            &["bad.json:1", "victim", "--list"],
        ),
        (
            "attack m.parquet r1 --settings alpha.json",
            &["alpha", "below 1"],
        ),
        (
            "attack m.parquet r1 --settings typical.json",
            &["typical_points"],
        ),
        ("attack m.parquet r1 --settings gone.json", &["gone.json"]),
        (
            "attack m.parquet r1 --plot gone/a.svg",
            &["gone/a.svg", "mkdir"],
        ),
        (
            "attack m.parquet r1 --points 18446744073709551615",
            &["points", "at most 1000"],
        ),
        (
            "attack m.parquet r1 --shadows 1000000000000",
            &["shadows", "at most 10000"],
        ),
        (
            "attack m.parquet r1 --victims 10000001",
            &["victims", "at most"],
        ),
        ("attack m.parquet r1 --trials 0", &["trials", "at least 1"]),
        (
            "attack m.parquet r1 --plot m.parquet --force",
            &["overwritten"],
        ),
        (
            "attack m.parquet ab.parquet --plot ab.parquet --force",
            &["overwritten"],
        ),
        (
            "attack m.parquet r1 --outsiders ab.parquet --plot ab.parquet --force",
            &["overwritten"],
        ),
        (
            "attack m.parquet r1 --settings alpha.json --plot alpha.json --force",
            &["below 1"],
        ),
        (
            "attack m.parquet r1 --settings good.json --plot good.json --force",
            &["overwritten"],
        ),
        (
            "attack m.parquet r1 r4 --plot r4/manifest.json --force",
            &["within the release r4"],
        ),
        (
            "attack m.parquet r1 --plot r1/new.svg",
            &["within the release r1"],
        ),
        (
            "attack m.parquet r1 --outsiders ./m.parquet",
            &["raw data itself", "--outsiders"],
        ),
    ] {
        place.fails(line, 2, says);
    }
}

#[test]
fn few_people_are_no_reason_to_fail() {
    let place = Place::new();
    place
        .write("labels.txt", "A\nB\n")
        .write("empty.seq", "")
        .write("ab.seq", "A B\nB\n");
    for name in ["empty", "ab"] {
        place.ok(&format!(
            "import {name}.seq --format seq --universe labels.txt -o {name}.parquet"
        ));
    }
    for (raw, released) in [("ab", "empty"), ("empty", "ab"), ("empty", "empty")] {
        let line = format!("attack {raw}.parquet {released}.parquet {SMALL}");
        let object = place.json(&format!("{line} --plot p.svg --force"));
        let page = std::fs::read_to_string(place.path("p.svg")).expect("a plot");
        assert!(!object.to_string().contains("NaN") && !page.contains("NaN"));
    }
}
