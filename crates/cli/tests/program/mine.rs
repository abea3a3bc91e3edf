//! `wayveil mine` on data small enough to count by hand.

use super::common::Place;
use serde_json::json;

fn place(records: &str) -> Place {
    let place = Place::new();
    place.write("x.seq", records);
    place.ok("import x.seq --format seq --universe-from-data -o x.parquet");
    place
}

#[test]
fn machines_get_an_array() {
    let place = place("A B C\nA C B\nB A C A\nC\n");
    assert_eq!(
        place.json("mine x.parquet --top 3 --min-length 2 --max-length 5"),
        json!([
            { "pattern": ["A", "C"], "support": 3 },
            { "pattern": ["A", "B"], "support": 2 },
            { "pattern": ["B", "C"], "support": 2 },
        ])
    );
    assert_eq!(
        place.json("mine x.parquet --min-support 50% --contiguous --min-length 2"),
        json!([{ "pattern": ["A", "C"], "support": 2 }])
    );
    assert_eq!(
        place.json("mine x.parquet --min-support 2 --maximal"),
        json!([
            { "pattern": ["A", "C"], "support": 3 },
            { "pattern": ["A", "B"], "support": 2 },
            { "pattern": ["B", "C"], "support": 2 },
        ])
    );
    let closed = place.json("mine x.parquet --min-support 2 --closed --max-length 1");
    assert_eq!(closed[0], json!({ "pattern": ["C"], "support": 4 }));
    assert_eq!(place.json("mine x.parquet --min-support 5"), json!([]));
}

#[test]
fn people_get_a_table_and_are_told_that_it_is_internal() {
    let place = place("A B\nA B\nB\n");
    let (code, out, err) = place.run("mine x.parquet --top 2");
    assert_eq!(code, 0);
    assert_eq!(
        out,
        "rank  support   share  pattern\n   1        3  100.0%  B\n   2        2   66.7%  A\n"
    );
    assert!(err.contains("internal"), "{err}");
    let (_, out, err) = place.run("mine x.parquet --top 1 --min-length 2 --csv");
    assert_eq!(
        out,
        "rank,pattern,length,support,share\n1,A B,2,2,0.6666666666666666\n"
    );
    assert!(err.contains("not for publication"), "{err}");
    assert_eq!(
        place.ok("mine x.parquet --min-support 9"),
        "no pattern fits\n"
    );
}

#[test]
fn times_are_part_of_timed_patterns() {
    let place = place("A@0 B@1\nA@0 B@2\n");
    assert_eq!(
        place.json("mine x.parquet --top 1"),
        json!([{ "pattern": ["A@0"], "support": 2 }])
    );
}

#[test]
fn a_release_needs_no_warning() {
    let place = Place::new();
    place.ok("generate metro --records 2000 -o m.parquet");
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 3 -o r");
    let (code, out, err) = place.run("mine r --top 5 --max-length 2");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out.lines().count(), 6, "{out}");
}

#[test]
fn bad_arguments() {
    let place = place("A B\n");
    for (flags, says) in [
        ("", "--top"),
        ("--top 0", "--top"),
        ("--top x", "--top"),
        ("--top 1 --min-support 1", "--min-support"),
        ("--top 1 --maximal", "--maximal"),
        ("--min-support 1 --closed --maximal", "--closed"),
        ("--min-support 0", "from 1 on"),
        ("--min-support 0%", "above 0%"),
        ("--min-support 120%", "at most 100%"),
        ("--top 1 --min-length 4 --max-length 3", "from 4 to 3"),
        ("--top 1 --min-length 0", "at least one symbol"),
    ] {
        place.fails(&format!("mine x.parquet {flags}"), 2, &[says]);
    }
    place.fails("mine nowhere.parquet --top 1", 2, &["nowhere.parquet"]);
    assert_eq!(place.names(), ["x.parquet", "x.seq"]);
}
