use std::collections::BTreeMap;
use std::num::NonZeroU64;

use wayveil_core::{
    Claim, Cost, Epsilon, Guarantee, Mechanism, NoisyCounts, Output, Progress, PublicInputs,
    RandomSource, Records, Sequences, Silent, Transcript,
};
use wayveil_noise::bernoulli;

use super::*;

#[test]
fn confidence_reads_well() {
    for (alpha, text) in [
        (0.05, "95 %"),
        (0.7, "30 %"),
        (1e-6, "99.9999 %"),
        (1e-20, "1 − 1e-20"),
    ] {
        assert_eq!(confidence(alpha), text);
    }
}

const HALF: NonZeroU64 = NonZeroU64::new(2).unwrap();

/// Gives away with a probability of one half whether the first location occurs, and nothing else.
struct Sometimes {
    delta: &'static str,
    replacing: bool,
}

impl Mechanism for Sometimes {
    fn name(&self) -> &'static str {
        "sometimes"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let (epsilon, delta): (Epsilon, _) = ("1".parse()?, self.delta.parse()?);
        Ok(Claim {
            guarantee: match self.replacing {
                true => Guarantee::replacing(&epsilon, &delta, public.unit),
                false => Guarantee::differential_privacy(&epsilon, &delta, public.unit),
            },
            cost: Cost::DifferentialPrivacy { epsilon, delta },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: Vec::new(),
            noise: "a coin".into(),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        _: &dyn Progress,
    ) -> Result<Output> {
        let timed = records.public.time.is_some();
        let mut prefixes = Sequences::empty(timed);
        let occurs = records
            .sequences
            .iter()
            .any(|record| record.first() == Some(&0));
        if occurs && bernoulli(1, HALF, &mut random.stream()) {
            prefixes.push(&[0], &vec![0; usize::from(timed)]);
        }
        let counts = NoisyCounts {
            noisy: vec![1; prefixes.len()],
            estimate: vec![1.0; prefixes.len()],
            standard_error: vec![0.0; prefixes.len()],
            prefixes,
        };
        Ok(Output {
            trajectories: Sequences::empty(timed),
            attributes: Vec::new(),
            counts: Some(counts),
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

fn audited(delta: &'static str, replacing: bool) -> Report {
    let settings = AuditSettings {
        unit: PrivacyUnit::Owner,
        alpha: 0.05,
        effort: Effort::Runs(1000),
        against: None,
    };
    let mut random = RandomSource::insecure_seed(1);
    let mechanism = Sometimes { delta, replacing };
    audit(&mechanism, &settings, &mut random, &Silent).unwrap()
}

#[test]
fn a_claimed_delta_is_named_and_decides_the_verdict() {
    let kept = audited("0.51", false);
    assert!(!kept.refuted);
    let said = text(&kept, false);
    assert!(
        said.contains(
            "Not refuted: with confidence 95 %, epsilon is at least 0.0000 with the claimed delta \
             of 5.1e-1; 1 is claimed."
        ),
        "{said}"
    );
    let broken = audited("0.25", false);
    assert!(broken.refuted);
    let against = text(&kept, true);
    assert!(
        against.contains("held against it") && !against.contains("; 1 is claimed"),
        "{against}"
    );
    let said = text(&broken, false);
    assert!(said.contains("REFUTED: with confidence 95 %"), "{said}");
    assert!(
        said.contains("At the claimed epsilon, delta is at least 4."),
        "{said}"
    );
    assert!(said.contains("; 2.5e-1 is claimed."), "{said}");
    assert!(said.contains("extra owner"), "{said}");
    assert_eq!(object(&broken)["delta_claimed"], 0.25);
    assert_eq!(object(&broken)["neighbouring"], "add-or-remove-one-unit");
    assert!(object(&broken)["best"]["extra_owner"].is_string());
    assert_eq!(object(&broken)["refuted"], true);
}

#[test]
fn a_replaced_owner_is_called_so() {
    assert!(!audited("0.51", true).refuted);
    let broken = audited("0.25", true);
    assert!(broken.refuted);
    let said = text(&broken, false);
    assert!(said.contains("replaced owner"), "{said}");
    assert!(!said.contains("extra owner"), "{said}");
    let object = object(&broken);
    assert_eq!(object["neighbouring"], "replace-one-unit");
    assert!(object["best"]["replaced_owner"].is_string(), "{object}");
    assert_eq!(object["best"]["likelier"], "before", "{object}");
}
