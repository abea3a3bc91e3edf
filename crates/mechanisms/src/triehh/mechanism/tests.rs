use crate::baseline::testing::{crowds, public, run, universe};

use super::*;

fn mechanism(given: &[(&str, &str)]) -> TrieHh {
    let mut all = vec![("epsilon", "4"), ("k", "10000"), ("delta", "1e-6")];
    all.retain(|(name, _)| given.iter().all(|(other, _)| other != name));
    all.extend_from_slice(given);
    TrieHh::read(&Parameters::new(TrieHh::PARAMETERS, all).unwrap()).unwrap()
}

#[test]
fn what_crowds_do_is_published_with_its_count_and_nothing_else() {
    let universe = universe(6);
    let (out, warned) = run(&mechanism(&[]), public(&universe), crowds(30_000));
    let fragments = out.fragments.unwrap();
    fragments.check(6).unwrap();
    assert_eq!(warned, Vec::<String>::new());
    assert_eq!(fragments.len(), 10, "{fragments:?}");
    for (&count, &error) in fragments.count.iter().zip(&fragments.standard_error) {
        assert!(
            count.abs_diff(30_000) as f64 <= 6.0 * error,
            "{count} {error}"
        );
    }
}

#[test]
fn the_promise_names_whom_to_trust() {
    let universe = universe(6);
    let claim = mechanism(&[]).claim(&public(&universe)).unwrap();
    let cost = Cost::DifferentialPrivacy {
        epsilon: "4".parse().unwrap(),
        delta: "1e-6".parse().unwrap(),
    };
    assert_eq!(claim.cost, cost);
    assert!(!claim.guarantee.in_words.contains("locally"));
    assert!(claim.guarantee.model.units_are_public());
    let rests = claim.guarantee.rests_on.join(" ");
    assert!(rests.contains("counts their votes is trusted"), "{rests}");
    assert!(
        claim.limits[0].contains("Nothing bounds"),
        "{:?}",
        claim.limits
    );
    // What is stated is what the parameters keep.
    let baseline = mechanism(&[]).baseline(6, 1).unwrap();
    assert!(baseline.proved_delta().unwrap() <= 1e-6);
}

#[test]
fn nothing_is_promised_as_published_nor_for_records_that_are_many_clients() {
    let universe = universe(6);
    for (given, why) in [
        (("as-published", "true"), "0.0238 where 0.0125"),
        (("clients-per-record", "2"), "2 clients"),
    ] {
        let claim = mechanism(&[given]).claim(&public(&universe)).unwrap();
        assert_eq!(claim.cost, Cost::NotComposing);
        assert_eq!(claim.guarantee.model.name(), "none");
        assert!(claim.guarantee.in_words.contains(why), "{why}");
        // "none" is what methods say whose rows are true.
        assert!(!claim.noise.starts_with("none"), "{}", claim.noise);
    }
}

#[test]
fn too_few_clients_and_no_clients_release_nothing() {
    let universe = universe(6);
    for given in [("as-published", "false"), ("as-published", "true")] {
        let (out, warned) = run(&mechanism(&[given]), public(&universe), crowds(3));
        assert!(out.fragments.unwrap().is_empty());
        assert_eq!(warned.len(), 1, "{warned:?}");
    }
}

#[test]
fn a_delta_of_zero_is_refused() {
    let universe = universe(6);
    let claim = mechanism(&[("delta", "0")]).claim(&public(&universe));
    assert!(claim.unwrap_err().to_string().contains("delta"));
}
