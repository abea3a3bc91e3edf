//! Releases whose promise has a δ, as their publisher and recipient meet them.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_core::{
    Claim, Cost, Dataset, Epsilon, Guarantee, Mechanism, Origin, Output, Owners, Progress,
    PublicInputs, RandomSource, Raw, Records, Result, Sequences, Silent, Terms, Transcript,
    Universe, publish_booked,
};
use wayveil_io::write_release;
use wayveil_ledger::Ledger;

use super::common::Place;

/// Releases nothing, which keeps every promise.
struct Silence {
    delta: &'static str,
}

impl Mechanism for Silence {
    fn name(&self) -> &'static str {
        "silence"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let (epsilon, delta): (Epsilon, _) = ("1/2".parse()?, self.delta.parse()?);
        Ok(Claim {
            guarantee: Guarantee::differential_privacy(&epsilon, &delta, public.unit),
            cost: Cost::DifferentialPrivacy { epsilon, delta },
            variant: "repaired",
            parameters: BTreeMap::from([("delta".into(), self.delta.into())]),
            limits: vec![],
            noise: "none".into(),
            columns: vec![],
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

fn publish(place: &Place, delta: &'static str, output: &str) -> Result<()> {
    let universe = Universe::from_labels(["A"], Origin::Declared("test".into()))?;
    let data = Dataset::new(
        Arc::new(universe),
        None,
        Sequences::empty(false),
        Owners::EachRecord,
        vec![],
        "riders".into(),
    );
    let raw = Raw::new(data?);
    let mut ledger = Ledger::open(&place.ledger())?;
    let mut random = RandomSource::os().expect("randomness");
    let (silence, terms) = (Silence { delta }, Terms::default());
    let booked = publish_booked(&raw, &silence, &terms, &mut ledger, &mut random, &Silent)?;
    write_release(&place.path(output), &booked, None, &mut ledger, false).map(|_| ())
}

#[test]
fn a_delta_is_booked_shown_and_limited() {
    let place = Place::new();
    place.ok("ledger allow riders --epsilon 2 --delta 1.5e-6");
    publish(&place, "1e-6", "a").unwrap();
    let refusal = publish(&place, "1e-6", "b").unwrap_err();
    assert_eq!(refusal.exit_code(), 1);
    assert!(
        refusal.message().contains(
            "this release costs epsilon 0.5 and delta 1e-6, but epsilon 0.5 and delta 1e-6 of \
             epsilon 2 and delta 1.5e-6 are spent already"
        ),
        "{refusal}"
    );
    assert!(!place.path("b").exists());
    publish(&place, "5e-7", "b").expect("exactly what is left");

    let shown = place.ok("ledger show");
    assert!(shown.contains("1 (delta 1.5e-6)"), "{shown}");
    assert!(shown.contains("2 (delta 1.5e-6)"), "{shown}");
    let history = place.ok("ledger history riders");
    assert!(history.contains("0.5 (delta 1e-6)"), "{history}");
    assert!(history.contains("0.5 (delta 5e-7)"), "{history}");
    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(account["spent"]["delta_exact"], "3/2000000");
    assert_eq!(account["left"]["epsilon_exact"], "1");
    assert_eq!(account["left"]["delta_exact"], "0");
    let entries = &place.json("ledger history riders")["history"];
    assert_eq!(entries[1]["amount"]["delta_exact"], "1/1000000");
    place.ok("ledger verify");

    let refusal = publish(&place, "1e-9", "c").unwrap_err();
    let advice = refusal.advice().unwrap();
    let command = advice.split("on purpose: wayveil ").nth(1).unwrap();
    assert!(command.contains("--epsilon 2 --delta 1.501e-6"), "{advice}");
    place.ok(command);
    publish(&place, "1e-9", "c").unwrap();
    for (delta, says) in [("1", "below 1"), ("-1", "negative"), ("x", "digits")] {
        let line = format!("ledger allow riders --epsilon 2 --delta {delta}");
        place.fails(&line, 2, &["--delta", says]);
    }
}

#[test]
fn the_recipient_is_told() {
    let place = Place::new();
    publish(&place, "2.5e-7", "r").unwrap();
    let text = place.ok("info r");
    assert!(
        text.contains("differential privacy, epsilon 0.5, delta 2.5e-7"),
        "{text}"
    );
    let words = "With a probability of at most 2.5e-7 (delta) it may instead give away anything";
    assert!(text.contains(words), "{text}");
    let page = std::fs::read_to_string(place.path("r/README.md")).unwrap();
    assert!(page.contains(words), "{page}");
    let mut manifest = place.read_json("r/manifest.json");
    let guarantee = manifest["guarantee"].as_object_mut().unwrap();
    assert_eq!(guarantee["delta"], 2.5e-7);
    assert_eq!(guarantee["delta_exact"], "1/4000000");
    // As manifests were before there was a δ: it is zero.
    guarantee.remove("delta");
    guarantee.remove("delta_exact");
    place.write("r/manifest.json", manifest.to_string());
    let text = place.ok("info r");
    assert!(
        text.contains("differential privacy, epsilon 0.5\n"),
        "{text}"
    );
}

#[test]
fn a_pure_method_takes_no_delta() {
    let place = Place::new();
    place.fails(
        "publish prefix-tree x.parquet --epsilon 1 --height 2 --delta 1e-6 -o r",
        2,
        &["unexpected argument '--delta'"],
    );
    place.fails(
        "audit hybrid-tree --epsilon 1 --delta 1e-6",
        2,
        &["unexpected argument '--delta'"],
    );
}
