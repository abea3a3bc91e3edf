//! Which ε are tried and which is advised.

use wayveil_core::Silent;

use super::*;
use crate::advise::search::{Trial, Tried};

fn question(most: &str, effort: Effort) -> Question {
    Question {
        task: Task::Counts,
        tolerance: Some(0.05),
        epsilon: None,
        most_epsilon: most.parse().unwrap(),
        methods: Vec::new(),
        nobody_trusted: false,
        effort,
        seed: 1,
    }
}

fn texts(rungs: &[Rational]) -> Vec<String> {
    rungs.iter().map(ToString::to_string).collect()
}

#[test]
fn rungs_end_at_the_greatest() {
    let of = |most, effort| texts(&rungs(&question(most, effort)).unwrap());
    assert_eq!(of("1", Effort::Normal), ["0.05", "0.1", "0.25", "0.5", "1"]);
    assert_eq!(of("0.7", Effort::Quick), ["0.25", "0.5", "0.7"]);
    assert_eq!(of("0.001", Effort::Normal), ["0.001"]);
    let fixed = Question {
        epsilon: Some("0.3".parse().unwrap()),
        ..question("1", Effort::Normal)
    };
    assert_eq!(texts(&rungs(&fixed).unwrap()), ["0.3"]);
}

#[test]
fn a_middle_has_two_digits_or_is_none() {
    let of = |low: &str, high: &str| {
        let middle = between(&low.parse().unwrap(), &high.parse().unwrap()).unwrap();
        middle.map(|it| it.to_string())
    };
    assert_eq!(of("0.1", "0.25").as_deref(), Some("0.16"));
    assert_eq!(of("2", "8").as_deref(), Some("4"));
    assert_eq!(of("0.10", "0.11"), None);
    assert_eq!(of("16", "4000").as_deref(), Some("253"));
}

#[test]
fn nonsense_is_no_tolerance() {
    for bad in [0.0, 1.0, -0.1, f64::NAN, 20.0] {
        assert!(check_tolerance(Some(bad)).is_err(), "{bad}");
    }
    assert!(check_tolerance(Some(0.05)).is_ok() && check_tolerance(None).is_ok());
}

/// An error of c/ε for each method, whatever the setting; others refuse.
struct Inverse(Vec<(&'static str, f64)>);

impl Trials for Inverse {
    fn arenas(&self) -> usize {
        1
    }

    fn run(&self, trial: &Trial<'_>) -> wayveil_core::Result<Tried> {
        let known = self.0.iter().find(|it| it.0 == trial.candidate.method);
        Ok(match known {
            Some((_, scale)) => Tried::Error(scale / trial.epsilon.to_f64()),
            None => Tried::Refused("not asked about".into()),
        })
    }
}

fn climb(
    scales: &[(&'static str, f64)],
    tolerance: Option<f64>,
    nothing: f64,
) -> (String, String, bool) {
    climb_from("1", Effort::Normal, scales, tolerance, nothing)
}

fn climb_from(
    most: &str,
    effort: Effort,
    scales: &[(&'static str, f64)],
    tolerance: Option<f64>,
    nothing: f64,
) -> (String, String, bool) {
    use std::sync::Arc;
    use wayveil_core::{Origin, PrivacyUnit, Universe};
    let labels = (0..40).map(|it| it.to_string());
    let universe = Universe::from_labels(labels, Origin::Declared("test".into())).unwrap();
    let facts = Facts {
        universe: Arc::new(universe),
        time: None,
        columns: Vec::new(),
        unit: PrivacyUnit::Owner,
        sizes: crate::advise::Sizes::default(),
    };
    let question = Question {
        tolerance,
        ..question(most, effort)
    };
    let (spaces, _) = spaces(&facts, 1000, Task::Counts, false, &[], effort);
    let trials = Inverse(scales.to_vec());
    let names = ["only".to_owned()];
    let mut climb = Climb {
        search: Search::new(&trials, effort, 1),
        spaces: &spaces,
        wanted: Wanted { tolerance, nothing },
        names: &names,
        found: Vec::new(),
        progress: &Silent,
    };
    climb.all_rungs(&question).unwrap();
    if tolerance.is_some() {
        climb.descend().unwrap();
        climb.narrow(steps(effort)).unwrap();
    }
    let (points, advised, meets) = climb.verdict();
    let point = &points[advised.unwrap()];
    (point.method.clone(), point.epsilon.clone().unwrap(), meets)
}

#[test]
fn the_least_epsilon_that_meets_a_tolerance_is_advised_with_the_method_that_does() {
    // 0.02/ε ≤ 0.05 from ε = 0.4 on: 0.35 fails, 0.42 meets.
    let (method, epsilon, meets) = climb(
        &[("prefix-tree", 0.04), ("hybrid-tree", 0.02)],
        Some(0.05),
        1.0,
    );
    assert_eq!(
        (method.as_str(), epsilon.as_str(), meets),
        ("hybrid-tree", "0.42", true)
    );
}

#[test]
fn the_simpler_method_is_advised_among_equals_and_the_best_where_none_will_do() {
    let equal = [("prefix-tree", 0.02), ("hybrid-tree", 0.02)];
    assert_eq!(climb(&equal, Some(0.05), 1.0).0, "prefix-tree");
    let (method, epsilon, meets) = climb(
        &[("prefix-tree", 0.9), ("hybrid-tree", 0.8)],
        Some(0.05),
        1.0,
    );
    assert_eq!(
        (method.as_str(), epsilon.as_str(), meets),
        ("hybrid-tree", "1", false)
    );
}

#[test]
fn a_tolerance_that_nothing_meets_as_well_is_not_met_by_next_to_nothing() {
    // Releasing nothing errs by 2.5 %: three quarters of that are asked for, and reached at ε = 1 only.
    let (_, epsilon, meets) = climb(
        &[("prefix-tree", 0.018), ("hybrid-tree", 0.018)],
        Some(0.05),
        0.0245,
    );
    assert_eq!((epsilon.as_str(), meets), ("1", true));
}

#[test]
fn without_a_tolerance_the_least_error_counts() {
    let (method, epsilon, meets) = climb(&[("prefix-tree", 0.2), ("hybrid-tree", 0.3)], None, 1.0);
    assert_eq!(
        (method.as_str(), epsilon.as_str(), meets),
        ("prefix-tree", "1", true)
    );
}

#[test]
fn a_larger_greatest_epsilon_never_raises_what_is_advised() {
    for effort in [Effort::Quick, Effort::Normal] {
        for scale in [0.000_2, 0.001, 0.004, 0.02, 0.06] {
            let scales = [("prefix-tree", scale), ("hybrid-tree", 2.0 * scale)];
            let mut before = f64::INFINITY;
            for most in RUNGS {
                let (_, epsilon, meets) = climb_from(most, effort, &scales, Some(0.05), 1.0);
                if meets {
                    let epsilon: f64 = epsilon.parse().unwrap();
                    assert!(
                        epsilon <= before,
                        "{scale}, {most}: {epsilon} after {before}"
                    );
                    before = epsilon;
                }
            }
            // At most half as much again as what would do, or the least that is tried.
            let truly = (scale / 0.05_f64).max(0.01);
            assert!(
                before >= truly && before <= truly * 1.6,
                "{scale}: {before}"
            );
        }
    }
}

#[test]
fn without_a_tolerance_what_is_little_better_than_nothing_is_not_worth_publishing() {
    let scales = [("prefix-tree", 0.8), ("hybrid-tree", 0.9)];
    assert!(!climb(&scales, None, 1.0).2);
    assert!(climb(&scales, None, 1.1).2);
}

#[test]
fn ours_is_advised_unless_another_does_better() {
    let with = |weave: f64| {
        let scales = [
            ("weave", weave),
            ("prefix-tree", 0.02),
            ("hybrid-tree", 0.03),
        ];
        climb(&scales, None, 1.0).0
    };
    assert_eq!(with(0.005), "weave");
    assert_eq!(with(0.02), "weave");
    assert_eq!(with(0.04), "prefix-tree");
}
