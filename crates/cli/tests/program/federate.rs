//! Campaigns among simulated clients, as their publisher and recipient meet them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::common::{Place, names, write_timed_data};

/// A folder with a made-up metro.
fn metro(records: u32) -> Place {
    let place = Place::new();
    place.ok(&format!(
        "generate metro --records {records} --insecure-seed 7 -o x.parquet"
    ));
    place
}

const LINE: &str = "federate simulate x.parquet --clients-per-record 100 --k 1000 --length 3 \
                    --epsilon 10 -o f/";

fn fragments(place: &Place, folder: &str) -> Vec<String> {
    let table = std::fs::read_to_string(place.path(folder).join("fragments.csv")).unwrap();
    table.lines().map(str::to_owned).collect()
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn a_campaign_is_released_evaluated_and_booked() {
    let place = metro(3000);
    let (code, out, err) = place.run(LINE);
    assert_eq!(code, 0, "{err}");
    for part in [
        "a factor of e^1000",
        "It holds locally",
        "wrote f/",
        "at least 1,000 of 300,000 clients",
        "precision",
        "1.0 bits up (at most 1.0)",
        "on the wire",
        "internal: computed from raw data",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    for part in ["a record's own epsilon is 1000", "this is a simulation"] {
        assert!(err.contains(part), "{part}: {err}");
    }

    let rows = fragments(&place, "f");
    assert_eq!(rows[0], "fragment,count,length,standard_error,low,high");
    assert!(rows.len() > 1);
    for row in &rows[1..] {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[0].split(' ').count().to_string(), cells[2], "{row}");
        let number = |at: usize| cells[at].parse::<u64>().unwrap();
        assert!(number(4) <= number(1) && number(1) <= number(5), "{row}");
    }
    // Nothing of the evaluation is in the release.
    assert_eq!(
        names(&place.path("f")),
        [
            "README.md",
            "fragments.csv",
            "locations.parquet",
            "manifest.json",
            "trajectories.parquet"
        ]
    );
    let manifest = place.read_json("f/manifest.json").to_string();
    for word in ["precision", "recall", "traffic", "answers"] {
        assert!(
            !manifest.contains(&format!("\"{word}")),
            "{word}: {manifest}"
        );
    }

    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(account["spent"]["epsilon_exact"], "1000");
    assert_eq!(account["presence_not_hidden"], 1);

    // What recipients do with it.
    let info = place.ok("info f");
    assert!(info.contains("fragments"), "{info}");
    place.ok("evaluate x.parquet f --metric count-query-error");
    place.ok("convert f --to seq -o f.seq");
    let lines = std::fs::read_to_string(place.path("f.seq")).unwrap();
    assert_eq!(lines.lines().count(), 3000);
}

#[test]
fn machines_get_the_evaluation_and_the_traffic_beside_what_publish_says() {
    let place = metro(2000);
    let found = place.json(LINE);
    let all = [
        "evaluation",
        "ledger",
        "left",
        "manifest",
        "output",
        "traffic",
        "warnings",
    ];
    assert_eq!(keys(&found), BTreeSet::from(all));
    let evaluation = &found["evaluation"];
    assert_eq!(evaluation["internal"], true);
    assert_eq!(evaluation["clients"], 200_000);
    assert_eq!(evaluation["k"], 1000);
    assert_eq!(evaluation["by_length"].as_array().unwrap().len(), 3);
    let released = fragments(&place, "f").len() as u64 - 1;
    assert_eq!(evaluation["all"]["released"], released);
    let traffic = &found["traffic"];
    assert_eq!(traffic["internal"], true);
    assert_eq!(traffic["bits_up_per_answer"], 1.0);
    let down = |name: &str| traffic[name].as_f64().unwrap();
    // A fragment of up to three of 68 locations, one of twelve rounds, and a block.
    assert!(down("bits_down_per_answer") < down("most_bits_down"));
    assert!(down("most_bits_down") < 60.0, "{traffic}");
    assert!(down("bytes_down_per_answer") * 8.0 > down("bits_down_per_answer"));
    assert!(
        found["warnings"][0]
            .as_str()
            .unwrap()
            .contains("simulation")
    );

    let without = place.json(&LINE.replace("f/", "g/ --no-evaluation"));
    assert_eq!(keys(&without), BTreeSet::from(all));
    assert_eq!(without["evaluation"], Value::Null);
    assert_eq!(without["traffic"], Value::Null);
    let (_, out, _) = place.run(&LINE.replace("f/", "h/ --no-evaluation"));
    assert!(!out.contains("precision"), "{out}");
}

#[test]
fn a_seed_fixes_what_is_released_and_publish_releases_the_same() {
    let place = metro(2000);
    let flags =
        "x.parquet --clients-per-record 100 --k 10000 --length 2 --epsilon 4 --insecure-seed 5";
    place.ok(&format!("federate simulate {flags} -o a"));
    place.ok(&format!("federate simulate {flags} -o b"));
    place.ok(&format!("publish fastpub {flags} -o c"));
    place.ok(&format!("federate simulate {flags} --insecure-seed 6 -o d")
        .replace(" --insecure-seed 5", ""));
    for file in ["fragments.csv", "trajectories.parquet"] {
        let read = |folder: &str| std::fs::read(place.path(folder).join(file)).unwrap();
        assert_eq!(read("a"), read("b"));
        assert_eq!(read("a"), read("c"));
        assert_ne!(read("a"), read("d"));
    }
    assert!(fragments(&place, "a").len() > 1);
}

#[test]
fn baselines_say_what_they_promise() {
    let place = metro(3000);
    let sfp = "federate simulate x.parquet --method sfp --k 200 --length 2 --epsilon 4 --width 64 \
               --functions 16 -o s";
    let found = place.json(sfp);
    assert_eq!(found["manifest"]["guarantee"]["local"], true);
    assert_eq!(found["manifest"]["method"]["name"], "sfp");
    assert_eq!(found["traffic"]["bytes_up_per_answer"], Value::Null);
    assert!(found["traffic"]["bits_up_per_answer"].as_f64().unwrap() > 60.0);

    let votes =
        "federate simulate x.parquet --method triehh --k 200 --length 2 --epsilon 4 --delta 1e-4";
    let found = place.json(&format!("{votes} -o t"));
    assert_ne!(found["manifest"]["guarantee"]["local"], true);
    assert_eq!(found["manifest"]["publishable"], true);
    let spent = &found["ledger"]["account"]["spent"];
    assert_eq!(
        (&spent["epsilon_exact"], &spent["delta_exact"]),
        (&"8".into(), &"1/10000".into())
    );

    for (flag, why) in [
        ("--as-published", "couples the votes"),
        (
            "--clients-per-record 10",
            "each record stands for 10 clients",
        ),
    ] {
        let folder = flag.trim_start_matches('-').split(' ').next().unwrap();
        let found = place.json(&format!("{votes} {flag} -o {folder}"));
        assert_eq!(found["manifest"]["publishable"], false);
        let reason = found["manifest"]["not_publishable_because"]
            .as_str()
            .unwrap();
        assert!(reason.contains(why), "{reason}");
        // Its rows are drawn, whatever is promised.
        assert_eq!(found["left"], Value::Null);
    }
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_spent() {
    let place = metro(500);
    let fails = |flags: &str, says: &[&str]| {
        place.fails(
            &format!("federate simulate x.parquet {flags} -o f"),
            2,
            says,
        );
    };
    fails(
        "--k 501 --epsilon 1",
        &["501 clients", "there are 500", "--k"],
    );
    fails("--epsilon 1", &["--k is missing"]);
    fails("--k 10", &["--epsilon is missing"]);
    fails(
        "--k 10 --epsilon 1 --length 65",
        &["length", "from 1 to 64"],
    );
    fails("--k 10 --epsilon 1 --length 0", &["length"]);
    fails(
        "--k 10 --epsilon 1 --clients-per-record 0",
        &["clients-per-record"],
    );
    fails(
        "--k 10 --epsilon 1 --method laplace",
        &["no simulated method \"laplace\"", "fastpub, sfp, triehh"],
    );
    fails(
        "--k 10 --epsilon 1 --method sfp --xi 0.1",
        &["sfp does not know --xi", "sfp has --epsilon"],
    );
    fails(
        "--k 10 --epsilon 1 --delta 1e-6",
        &["fastpub does not know --delta"],
    );
    fails("--k 10 --epsilon 1 --height 3", &["--height"]);
    fails(
        "--k 10 --epsilon 0.1234567890123456789012 --clients-per-record 3",
        &["too many digits", "epsilon"],
    );
    fails(
        "--k 10 --epsilon 1 --as-published --length 6",
        &["enough for 5 lengths"],
    );
    for method in ["sfp", "triehh"] {
        fails(
            &format!("--k 10 --epsilon 0.0001 --clients-per-record 10000000 --method {method}"),
            &[
                "too many to be simulated",
                "4294967295",
                "--clients-per-record",
            ],
        );
    }
    let shown = place.json("ledger show");
    assert_eq!(shown["populations"], serde_json::json!([]));
    assert_eq!(place.names(), ["x.parquet"]);
}

#[test]
fn empty_data_is_refused_and_times_are_left_out() {
    let place = Place::new();
    place.write("none.seq", "").write("stops.txt", "A\nB\n");
    place.ok("import none.seq --format seq --universe stops.txt -o none.parquet");
    let empty = "federate simulate none.parquet --k 1 --epsilon 1 -o f";
    place.fails(empty, 2, &["no records"]);

    write_timed_data(&place.path("timed.parquet"));
    let (code, out, err) =
        place.run("federate simulate timed.parquet --k 100 --length 2 --epsilon 4 -o f");
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("times are left out"), "{err}");
    assert!(out.contains("at least 100 of 300 clients"), "{out}");
}

#[cfg(not(feature = "collector"))]
#[test]
fn commands_that_are_not_built_in_say_how_to_build_them() {
    let place = Place::new();
    place.write("visits.txt", "A\n");
    for line in [
        "federate serve x.toml -o found",
        "federate status https://x",
        "federate join https://x --trajectory visits.txt",
        "federate keygen -o issuer-1",
        "federate enrol issuer.toml --people 3 -o codes.txt",
        "federate issue issuer.toml",
    ] {
        place.fails(line, 2, &["not part of this build", "--features collector"]);
    }
}

#[cfg(feature = "collector")]
#[test]
fn a_campaign_that_cannot_be_served_is_told_why() {
    let place = Place::new();
    place.write("x.toml", "name = \"x\"\nuniverse = 3\n");
    place.fails(
        "federate serve x.toml -o found",
        2,
        &["x.toml:2, column 12"],
    );
    place.fails(
        "federate serve none.toml -o found",
        2,
        &["none.toml: cannot be read"],
    );
    place.fails("federate status http://127.0.0.1:1", 2, &["https://"]);
    place.fails("federate status https://127.0.0.1:1", 2, &["cannot ask"]);
}
