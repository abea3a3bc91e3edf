//! What a release says of its own error, wherever it is shown.

use crate::common::Place;

#[test]
fn a_woven_release_tells_its_own_error() {
    let place = Place::new();
    place.ok("generate metro --records 2000 --insecure-seed 1 -o metro.parquet");
    let text = place.ok("publish weave metro.parquet --epsilon 1 -o release --report");
    for part in [
        "its own error",
        "counts of sets of up to 3 locations",
        "true ones among the 300 most frequent patterns",
        "the raw data and the true error were not looked at",
    ] {
        assert!(text.contains(part), "{text}\nlacks {part:?}");
    }
    let manifest = place.read_json("release/manifest.json");
    let estimates = manifest["expected_error"]["estimates"].as_array();
    let estimates = estimates.expect("a list of estimates");
    assert_eq!(estimates.len(), 13);
    assert_eq!(estimates[0]["name"], "records");
    // ε/100 for the total, hence noise of scale 100.
    assert_eq!(estimates[0]["value"], 100.0);
    for page in ["release/README.md", "release/report.html"] {
        let page = std::fs::read_to_string(place.path(page)).expect("a page");
        assert!(page.contains("How wrong it is, as it estimates itself"));
        assert!(page.contains("the raw data and the true error were not looked at"));
    }
    place.ok("info release");
}

#[test]
fn other_methods_tell_none() {
    let place = Place::new();
    place.ok("generate metro --records 500 --insecure-seed 1 -o metro.parquet");
    let text = place.ok("publish prefix-tree metro.parquet --epsilon 1 --height 4 -o release");
    assert!(!text.contains("its own error"), "{text}");
    let manifest = place.read_json("release/manifest.json");
    assert!(manifest.get("expected_error").is_none());
}
