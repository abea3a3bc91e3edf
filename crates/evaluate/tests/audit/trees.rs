//! The real mechanisms: not refuted, and bounded from below sharply.
//!
//! With bounds at α = 10⁻⁹ a mechanism that keeps its promise fails one of these tests once in
//! 10⁹ runs.

use std::num::NonZeroU32;

use wayveil_core::{Mechanism, PrivacyUnit, RandomSource, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, Report, audit};
use wayveil_mechanisms::{Parameters, find};

use super::leaks::{settings, shown};

pub(crate) fn built(method: &str, parameters: &[(&str, &str)]) -> Box<dyn Mechanism> {
    let entry = find(method).expect("a method");
    let values = Parameters::new(entry.parameters, parameters.iter().copied());
    (entry.build)(&values.expect("parameters")).expect("a mechanism")
}

fn audited(method: &str, parameters: &[(&str, &str)], settings: &AuditSettings) -> Report {
    let mut random = RandomSource::os().expect("randomness");
    let mechanism = built(method, parameters);
    let report = audit(mechanism.as_ref(), settings, &mut random, &Silent).expect("an audit");
    println!(
        "{method} {parameters:?} {:?}: {}",
        settings.unit,
        shown(&report)
    );
    report
}

#[test]
fn a_prefix_tree_is_not_refuted() {
    let parameters = [("epsilon", "1"), ("height", "1")];
    let report = audited("prefix-tree", &parameters, &settings(PrivacyUnit::Owner));
    assert!(!report.refuted, "{}", shown(&report));
}

#[test]
fn the_bound_is_sharp() {
    // With the command's confidence, and far fewer runs than the command makes. The seed is fixed,
    // so that this cannot fail by chance.
    let settings = AuditSettings {
        alpha: 0.05,
        effort: Effort::Runs(2_000),
        ..settings(PrivacyUnit::Owner)
    };
    let mut random = RandomSource::insecure_seed(1);
    let mechanism = built("prefix-tree", &[("epsilon", "1"), ("height", "1")]);
    let report = audit(mechanism.as_ref(), &settings, &mut random, &Silent).expect("an audit");
    assert!(report.epsilon_lower > 0.8, "{}", shown(&report));
    assert!(!report.refuted, "{}", shown(&report));
    assert_eq!(report.delta_lower, Some(0.0));
}

#[test]
fn a_taller_prefix_tree_is_not_refuted() {
    let parameters = [("epsilon", "1"), ("height", "3")];
    let report = audited("prefix-tree", &parameters, &settings(PrivacyUnit::Owner));
    assert!(!report.refuted, "{}", shown(&report));
}

#[test]
fn a_hybrid_tree_is_not_refuted() {
    let parameters = [("epsilon", "1"), ("height", "2")];
    let report = audited("hybrid-tree", &parameters, &settings(PrivacyUnit::Owner));
    assert!(!report.refuted, "{}", shown(&report));
}

#[test]
fn several_trips_of_an_owner_are_hidden() {
    let unit = PrivacyUnit::OwnerBounded(NonZeroU32::new(3).expect("not zero"));
    let parameters = [("epsilon", "1"), ("height", "1")];
    let report = audited("prefix-tree", &parameters, &settings(unit));
    assert!(!report.refuted, "{}", shown(&report));
    // Three trips to one place shift its count by three: as sharp as one trip with its noise.
    assert!(report.epsilon_lower > 0.5, "{}", shown(&report));
}

#[test]
fn a_seed_fixes_the_report_whatever_the_threads() {
    let mechanism = built("prefix-tree", &[("epsilon", "1"), ("height", "2")]);
    let report = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let settings = AuditSettings {
                effort: Effort::Runs(300),
                ..settings(PrivacyUnit::Owner)
            };
            let mut random = RandomSource::insecure_seed(3);
            audit(mechanism.as_ref(), &settings, &mut random, &Silent).expect("an audit")
        })
    };
    let one = report(1);
    assert_eq!(one, report(5));
    assert_eq!(one.test_runs, 300);
    assert!(one.runs > 0 && one.pairs.iter().any(|pair| !pair.findings.is_empty()));
}
