//! `weave`: not refuted, and its counts are seen.

use std::num::NonZeroU32;

use wayveil_core::{PrivacyUnit, RandomSource, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, audit};

use super::leaks::{settings, shown};
use super::trees::built;

#[test]
fn weave_is_not_refuted() {
    not_refuted(&[("epsilon", "1"), ("max-length", "12")]);
}

#[test]
fn weave_with_a_delta_is_not_refuted() {
    not_refuted(&[("epsilon", "1"), ("delta", "1e-3"), ("max-length", "12")]);
}

fn not_refuted(parameters: &[(&str, &str)]) {
    let trips = NonZeroU32::new(2).expect("not zero");
    for unit in [PrivacyUnit::Owner, PrivacyUnit::OwnerBounded(trips)] {
        let settings = AuditSettings {
            effort: Effort::Runs(60),
            ..settings(unit)
        };
        let mechanism = built("weave", parameters);
        let mut random = RandomSource::os().expect("randomness");
        let report = audit(mechanism.as_ref(), &settings, &mut random, &Silent).expect("an audit");
        assert!(!report.refuted, "{}", shown(&report));
        assert!(report.pairs.iter().any(|pair| !pair.findings.is_empty()));
    }
}
