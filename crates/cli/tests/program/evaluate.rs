//! What releases are good for, as the publisher asks it.

use super::common::Place;

fn with_release() -> Place {
    let place = Place::new();
    place.ok("generate metro --records 5000 --insecure-seed 1 -o m.parquet");
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 4 --insecure-seed 2 -o r");
    place
}

#[test]
fn a_release_is_measured_by_every_metric() {
    let place = with_release();
    let object = place.json("evaluate m.parquet r");
    assert_eq!(object["internal"], true);
    let metrics = object["metrics"].as_object().unwrap();
    for name in [
        "count-query-error.group-1",
        "top-patterns.true-positives-100",
        "length-divergence",
        "transition-divergence",
        "kendall-tau.tau-b",
        "earth-movers-distance.metres",
    ] {
        assert!(metrics[name].is_number(), "{name}: {:?}", metrics.get(name));
    }
    let list = place.json("evaluate --list");
    for metric in list.as_array().unwrap() {
        let name = metric["name"].as_str().unwrap();
        assert!(
            metrics
                .keys()
                .any(|key| key.split('.').next() == Some(name)),
            "{name} is listed but gave nothing"
        );
        for part in ["about", "definition", "source"] {
            assert!(
                metric[part].as_str().unwrap().len() > 10,
                "{name} lacks its {part}"
            );
        }
    }
    let (_, text, _) = place.run("evaluate m.parquet r --metric length-divergence");
    assert!(
        text.contains("length-divergence") && text.contains("internal"),
        "{text}"
    );
}

#[test]
fn a_copy_is_perfect_and_a_plain_file_can_be_compared() {
    let place = with_release();
    let metrics = place.json("evaluate m.parquet m.parquet")["metrics"].clone();
    assert_eq!(metrics["count-query-error.group-4"], 0.0);
    assert_eq!(metrics["top-patterns.true-positives-300"], 300.0);
    assert_eq!(metrics["transition-divergence"], 0.0);
    assert_eq!(metrics["lost-maximal-sequences"], 0.0);
}

#[test]
fn methods_are_tried_out_in_memory_over_a_sweep() {
    let place = with_release();
    place.write(
        "settings.json",
        r#"{ "count_queries": 400, "top_patterns": [20] }"#,
    );
    let before = place.names();
    let object = place
        .command("evaluate m.parquet --sweep epsilon=0.5,2 --repeats 3 --settings settings.json")
        .args(["--metric", "count-query-error", "--metric", "top-patterns"])
        .args(["--publish", "prefix-tree height=3"])
        .args(["--publish", "prefix-tree height=3 as-published"])
        .args(["--plot", "sweep.svg", "--json"])
        .output()
        .unwrap();
    assert!(
        object.status.success(),
        "{}",
        String::from_utf8_lossy(&object.stderr)
    );
    let object: serde_json::Value = serde_json::from_slice(&object.stdout).unwrap();
    let candidates = object["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 4);
    let repaired = &candidates[1]["metrics"]["count-query-error.group-1"];
    assert_eq!(repaired["runs"], 3);
    assert!(repaired["mean"].is_number() && repaired["half_width"].is_number());
    assert!(
        candidates[2]["refused"]
            .as_str()
            .unwrap()
            .contains("explode")
    );
    let mut after = place.names();
    after.retain(|name| name != "sweep.svg");
    assert_eq!(after, before, "a sweep writes no release");
    let plot = std::fs::read_to_string(place.path("sweep.svg")).unwrap();
    assert!(plot.contains("count-query-error.group-1") && !plot.contains("NaN"));
}

#[test]
fn odd_releases_have_defined_values_or_clear_errors() {
    let place = with_release();
    place
        .write("empty.seq", "")
        .write("labels.txt", "A\nB\n")
        .write("ab.seq", "A B\nB\n")
        .write("timed.seq", "A@0 B@1\n");
    for (name, flags) in [("empty", ""), ("ab", ""), ("timed", "--bins 2")] {
        place.ok(&format!(
            "import {name}.seq --format seq --universe labels.txt {flags} -o {name}.parquet"
        ));
    }
    for (raw, released) in [("ab", "empty"), ("empty", "ab"), ("empty", "empty")] {
        let object = place.json(&format!("evaluate {raw}.parquet {released}.parquet"));
        let text = object.to_string();
        assert!(!text.contains("NaN") && !text.contains("inf\""), "{text}");
    }
    place.fails("evaluate ab.parquet timed.parquet", 2, &["time bins"]);
    place.fails("evaluate m.parquet ab.parquet", 2, &["does not know"]);
    place.fails("evaluate r r", 2, &["raw data"]);
    place.fails(
        "evaluate m.parquet r --metric nonsense",
        2,
        &["nonsense", "count-query-error"],
    );
    place.write("bad.json", "{ \"queries\": 1 }");
    place.fails(
        "evaluate m.parquet r --settings bad.json",
        2,
        &["bad.json:1", "queries"],
    );
    place.fails("evaluate m.parquet", 2, &["RELEASE"]);
}
