use crate::baseline::testing::{crowds, public, run, universe};

use super::*;

fn mechanism(given: &[(&str, &str)]) -> Sfp {
    let mut all = vec![
        ("epsilon", "4"),
        ("k", "10000"),
        ("width", "256"),
        ("functions", "64"),
    ];
    all.retain(|(name, _)| given.iter().all(|(other, _)| other != name));
    all.extend_from_slice(given);
    Sfp::read(&Parameters::new(Sfp::PARAMETERS, all).unwrap()).unwrap()
}

#[test]
fn what_crowds_do_is_published_with_about_its_count() {
    let universe = universe(6);
    let (out, warned) = run(&mechanism(&[]), public(&universe), crowds(30_000));
    let fragments = out.fragments.unwrap();
    fragments.check(6).unwrap();
    assert_eq!(warned, Vec::<String>::new());
    let found: Vec<&[u32]> = fragments.fragments.iter().collect();
    for expected in [&[0][..], &[5], &[0, 1], &[3, 4], &[0, 1, 2]] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    // The only fragment of three: nothing is drawn there, and nothing scaled.
    let last = fragments.len() - 1;
    assert_eq!(found[last], [0, 1, 2]);
    let error = fragments.count[last].abs_diff(30_000) as f64;
    assert!(error < 6.0 * fragments.standard_error[last], "{error}");
    assert!(fragments.low[last] < fragments.count[last]);
    assert!(fragments.count[last] < fragments.high[last]);
    assert_eq!(out.trajectories.len(), 90_002);
    assert!(out.trajectories.iter().is_sorted());
}

#[test]
fn it_is_local_in_both_forms_and_a_record_pays_for_all_its_clients() {
    let universe = universe(6);
    for (as_published, variant) in [("false", "repaired"), ("true", "as-published")] {
        let given = [("clients-per-record", "50"), ("as-published", as_published)];
        let claim = mechanism(&given).claim(&public(&universe)).unwrap();
        assert_eq!(claim.variant, variant);
        assert_eq!(claim.cost, Cost::pure("200".parse().unwrap()));
        assert!(claim.guarantee.in_words.contains("locally"));
        assert!(claim.guarantee.model.units_are_public());
        let rests = claim.guarantee.rests_on.join(" ");
        assert!(rests.contains("50 simulated clients"), "{rests}");
        assert!(
            claim.limits[0].contains("Nothing bounds"),
            "{:?}",
            claim.limits
        );
    }
}

#[test]
fn too_few_clients_release_nothing_and_say_so() {
    let universe = universe(6);
    let (out, warned) = run(&mechanism(&[]), public(&universe), crowds(3));
    assert!(out.fragments.unwrap().is_empty());
    assert_eq!(out.trajectories.len(), 11);
    assert!(
        warned[0].contains("11 clients, fewer than k = 10000"),
        "{warned:?}"
    );
}

#[test]
fn what_would_take_too_long_is_refused() {
    let large = universe(MOST_LOCATIONS + 1);
    let error = mechanism(&[]).claim(&public(&large)).unwrap_err();
    assert!(error.advice().unwrap().contains("fastpub"), "{error}");
    let long = mechanism(&[("length", "64")]);
    assert!(long.claim(&public(&universe(6))).is_err());
}
