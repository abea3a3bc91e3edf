//! `wayveil compare`: releases side by side.

use serde_json::Value;

use super::common::{Place, write_timed_data};

/// Data of so many people that no release of them is empty by chance (below 1e-100), and two releases of it.
fn with_releases() -> Place {
    let place = Place::new();
    place.ok("generate metro --records 2000 --insecure-seed 1 -o m.parquet");
    for (name, epsilon) in [("r1", "1"), ("r8", "8")] {
        place.ok(&format!(
            "publish prefix-tree m.parquet --epsilon {epsilon} --height 3 -o {name}"
        ));
    }
    place
}

fn remarks(release: &Value) -> String {
    release["remarks"].to_string()
}

#[test]
fn without_raw_data_releases_speak_for_themselves() {
    let place = with_releases();
    let text = place.ok("compare r1 r8 -o c.html");
    for part in [
        "r1",
        "prefix-tree, height 3",
        "ε\u{a0}=\u{a0}8",
        "wrote c.html",
    ] {
        assert!(text.contains(part), "{text}\nlacks {part:?}");
    }
    assert!(!text.contains("internal"), "{text}");
    let object = place.json("compare r1 r8");
    assert_eq!(object["internal"], false);
    assert_eq!(object["note"], Value::Null);
    let [one, eight] = [&object["releases"][0], &object["releases"][1]];
    assert_eq!(
        (one["epsilon"].as_f64(), eight["epsilon"].as_f64()),
        (Some(1.0), Some(8.0))
    );
    assert_eq!(one["records"], place.json("info r1")["records"]);
    let error = |release: &Value| release["standard_error"].as_f64().expect("counts have one");
    assert!(error(one) > 4.0 * error(eight), "noise falls with epsilon");
    assert_eq!(one["errors"], Value::Array(vec![]));
    assert_eq!(one["attack_advantage"], Value::Null);
    assert!(place.path("c.html").exists());
}

#[test]
fn with_raw_data_there_are_errors_by_task() {
    let place = with_releases();
    let object = place.json("compare r1 r8 --raw m.parquet -o c.html");
    assert_eq!(object["internal"], true);
    assert!(object["note"].as_str().unwrap().contains("internal"));
    let report = place.json("report m.parquet r1 -o r.html --repeats 0 --no-attacks");
    // Made-up rows have no error of true ones.
    let errors = |release: &Value| -> Vec<f64> {
        let errors = release["errors"].as_array().unwrap().iter();
        errors.filter_map(|it| it["error"].as_f64()).collect()
    };
    let tasks = report["tasks"].as_array().unwrap().iter();
    let expected: Vec<f64> = tasks.map(|it| it["error"].as_f64().unwrap()).collect();
    assert_eq!(errors(&object["releases"][0]), expected, "as in the report");
    assert!(
        errors(&object["releases"][1])[0] < expected[0],
        "less noise, less error"
    );
    let text = place.ok("compare r1 r8 --raw m.parquet");
    assert!(
        text.contains("flows") && text.contains("internal"),
        "{text}"
    );

    assert!(text.contains("an empty release: counts "), "{text}");
    assert!(text.contains("patterns 100 %, flows 100 %"), "{text}");

    let object = place.json("compare r1 r8 --raw m.parquet --attacks --victims 20");
    for release in object["releases"].as_array().unwrap() {
        let advantage = release["attack_advantage"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&advantage), "{release}");
        assert!(release["attack"].is_string() && release["attack_shown"].is_boolean());
        assert_eq!(release["errors"][2]["error_of_nothing"], 1.0, "{release}");
    }
}

#[test]
fn a_release_is_not_compared_with_itself() {
    let place = with_releases();
    place.fails("compare r1 r8 r1", 2, &["same release as r1", "once"]);
}

#[test]
fn what_cannot_be_compared_is_explained() {
    let place = with_releases();
    place.ok("generate city --records 300 --insecure-seed 1 -o c.parquet");
    place.ok("publish suppress c.parquet --k 3 --c 0.5 --l 1 --sensitive diagnosis=HIV -o s");
    place.ok("generate oldenburg --records 2000 --insecure-seed 1 -o v.parquet");
    place.ok("publish fastpub v.parquet --epsilon 4 --k 100 --length 2 --insecure-seed 1 -o f");
    let object = place.json("compare r1 s f");
    let releases = object["releases"].as_array().unwrap();
    assert_eq!(
        releases[1]["promise"],
        "K\u{a0}=\u{a0}3, C\u{a0}=\u{a0}0.5, L\u{a0}=\u{a0}1"
    );
    assert_eq!(releases[1]["epsilon"], Value::Null);
    assert!(remarks(&releases[1]).contains("another set of locations than r1"));
    assert!(remarks(&releases[2]).contains("made of fragments"));
    assert!(remarks(&releases[2]).contains("Not to be published"));
    assert!(releases[2]["promise"].as_str().unwrap().contains("local"));

    let object = place.json("compare r1 s f --raw m.parquet");
    let releases = object["releases"].as_array().unwrap();
    assert!(releases[0]["errors"][0]["error"].is_number());
    for other in &releases[1..] {
        assert_eq!(other["errors"][0]["error"], Value::Null, "{other}");
    }
    assert!(
        remarks(&releases[1]).contains("Not comparable"),
        "{releases:?}"
    );
    assert!(
        !place
            .ok("compare s f --raw m.parquet --attacks")
            .contains("NaN")
    );
}

#[test]
fn a_release_without_times_is_compared_with_timed_data() {
    let place = Place::new();
    write_timed_data(&place.path("timed.parquet"));
    // Below this threshold noise alone would add rows of the place where nobody was, in one run of four, and one
    // such row counts as a large error; with it the rate is below 1e-20.
    place.ok("publish prefix-tree timed.parquet --epsilon 8 --height 3 --threshold 20 -o timed");
    place
        .write("labels.txt", "A\nB\nC\nD\n")
        .write("x.seq", "A B C\n".repeat(300));
    place.ok("import x.seq --format seq --universe labels.txt -o untimed.parquet");
    place
        .ok("publish prefix-tree untimed.parquet --epsilon 8 --height 3 --threshold 20 -o untimed");
    let object = place.json("compare timed untimed --raw timed.parquet --attacks --victims 20");
    for release in object["releases"].as_array().unwrap() {
        assert!(
            release["errors"][0]["error"].as_f64().unwrap() < 0.1,
            "{release}"
        );
    }
    let [timed, untimed] = [&object["releases"][0], &object["releases"][1]];
    assert!(remarks(untimed).contains("without them") && !remarks(timed).contains("without them"));
    // A timed release says more than untimed data can check.
    let object = place.json("compare timed --raw untimed.parquet");
    assert!(
        remarks(&object["releases"][0]).contains("time bins"),
        "{object}"
    );
}

#[test]
fn refusals_leave_nothing() {
    let place = with_releases();
    place.write("kept.html", "kept");
    let before = place.names();
    for (line, says) in [
        ("compare", &["RELEASE"][..]),
        ("compare r1 m.parquet", &["must be a release", "--raw"]),
        ("compare r1 --raw r8", &["must be raw data"]),
        ("compare r1 r8 --attacks", &["--raw"]),
        ("compare r1 r8 --raw m.parquet --victims 9", &["--attacks"]),
        (
            "compare r1 r8 --raw m.parquet --attacks --victims 0",
            &["victims"],
        ),
        ("compare r1 r8 -o kept.html", &["exists already"]),
        ("compare r1 r8 -o r1/c.html", &["within the release r1"]),
        (
            "compare r1 r8 --raw m.parquet -o r8/c.html --force",
            &["within the release r8"],
        ),
        (
            "compare r1 r8 --raw m.parquet -o m.parquet --force",
            &["this is the input"],
        ),
        ("compare r1 nowhere", &["nowhere"]),
    ] {
        place.fails(line, 2, says);
        assert_eq!(place.names(), before, "{line}");
    }
    place.ok("compare r1 r8 -o kept.html --force");
    std::fs::write(place.path("r8/README.md"), "changed").unwrap();
    place.fails("compare r1 r8", 1, &["README.md", "changed"]);
}
