//! Releases of fragments under a local promise, as their publisher and recipient meet them.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_core::{
    Claim, Cost, Dataset, Epsilon, FragmentCounts, Guarantee, Mechanism, Origin, Output, Owners,
    Progress, PublicInputs, RandomSource, Raw, Records, Result, Sequences, Silent, Terms,
    Transcript, Universe, publish_booked,
};
use wayveil_io::write_release;
use wayveil_ledger::Ledger;

use super::common::Place;

/// Releases the same fragments whatever the data, which keeps every promise.
struct Constant;

impl Mechanism for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let epsilon: Epsilon = "1/2".parse()?;
        Ok(Claim {
            guarantee: Guarantee::local(&epsilon, public.unit),
            cost: Cost::pure(epsilon),
            variant: "repaired",
            parameters: BTreeMap::new(),
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
            fragments: Some(FragmentCounts {
                fragments: Sequences::from_codes([vec![0], vec![0, 1]]),
                count: vec![2, 1],
                standard_error: vec![0.5, 0.5],
                low: vec![1, 0],
                high: vec![2, 2],
            }),
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

#[test]
fn fragments_and_what_is_not_hidden_are_shown() {
    let place = Place::new();
    place.ok("ledger allow riders --epsilon 1");
    let universe = Universe::from_labels(["A", "B b"], Origin::Declared("test".into()));
    let data = Dataset::new(
        Arc::new(universe.unwrap()),
        None,
        Sequences::from_codes([vec![0], vec![], vec![0, 1]]),
        Owners::EachRecord,
        vec![],
        "riders".into(),
    );
    let raw = Raw::new(data.unwrap());
    let mut ledger = Ledger::open(&place.ledger()).unwrap();
    let (mut random, terms) = (RandomSource::os().unwrap(), Terms::default());
    let booked = publish_booked(&raw, &Constant, &terms, &mut ledger, &mut random, &Silent);
    write_release(&place.path("r"), &booked.unwrap(), None, &mut ledger, false).unwrap();
    drop(ledger);

    let said = place.ok("info r");
    for part in [
        "local differential privacy, epsilon 0.5",
        "That the person takes part is not hidden.",
        "fragments     2 with their counts, of up to 2 locations",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let found = place.json("info r");
    assert_eq!(found["fragments"], 2);
    assert_eq!(found["manifest"]["public_inputs"]["units"], 3);
    assert_eq!(found["manifest"]["guarantee"]["local"], true);

    let shown = place.ok("ledger show");
    assert!(
        shown.contains("riders: 1 hiding what people did, not who takes part"),
        "{shown}"
    );
    let history = place.ok("ledger history riders");
    assert!(history.contains("0.5, by replacement"), "{history}");
    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(account["presence_not_hidden"], 1);
    assert_eq!(account["spent"]["epsilon_exact"], "1/2");
    let entries = &place.json("ledger history riders")["history"];
    assert_eq!(entries[1]["neighbouring"], "replace-one-unit");
}
