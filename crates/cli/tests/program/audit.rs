//! `wayveil audit` as scripts meet it.

use crate::common::Place;

#[test]
fn an_audit_answers_in_figures_and_is_repeatable() {
    let place = Place::new();
    let line = "audit prefix-tree --epsilon 1 --runs 600 --insecure-seed 4";
    let found = place.json(line);
    assert_eq!(found["refuted"], false);
    assert_eq!(found["epsilon_claimed"], 1.0);
    let lower = found["epsilon_lower"].as_f64().expect("a number");
    assert!(lower > 0.5 && lower <= 1.0, "{lower}");
    assert_eq!(found["confidence"], 0.95);
    assert_eq!(found["test_runs"], 600);
    assert!(found["best"]["event"].is_string(), "{found}");
    assert_eq!(found, place.json(line), "the same seed, the same report");
    let text = place.ok("audit hybrid-tree --epsilon 1 --height 2 --runs 100 --alpha 1e-9");
    assert!(text.contains("Not refuted"), "{text}");
    assert!(text.contains("proves nothing"), "{text}");
}

#[test]
fn a_length_of_time_and_units_are_accepted() {
    let place = Place::new();
    let found =
        place.json("audit prefix-tree --epsilon 1/2 --seconds 1 --max-trips 2 --alpha 1e-9");
    assert_eq!(found["refuted"], false);
    assert_eq!(found["epsilon_claimed"], 0.5);
    let line = "audit prefix-tree --epsilon 1 --as-published --trip-level --runs 100 --alpha 1e-9";
    place.ok(line);
}

#[test]
fn what_cannot_be_audited_is_an_error() {
    let place = Place::new();
    place.fails("audit prefix-tree", 2, &["--epsilon"]);
    place.fails(
        "audit suppress --k 2 --l 2",
        1,
        &["no epsilon to refute", "wayveil verify", "wayveil attack"],
    );
    place.fails("audit nonsense --epsilon 1", 2, &["nonsense"]);
    place.fails("audit prefix-tree --epsilon 0", 2, &["epsilon"]);
    place.fails(
        "audit prefix-tree --epsilon 1 --alpha 1",
        2,
        &["alpha", "0.05"],
    );
    place.fails("audit prefix-tree --epsilon 1 --runs 5", 2, &["runs"]);
    place.fails(
        "audit prefix-tree --epsilon 0.00001",
        1,
        &["nothing but noise"],
    );
}
