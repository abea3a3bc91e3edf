//! Made-up measurements, attacks and books.

use wayveil_core::{Released, Sequences};
use wayveil_evaluate::metrics::{self, Better};
use wayveil_evaluate::{Portrait, Task};
use wayveil_report::page::{
    BudgetEntry, BudgetFacts, ComparedRelease, InternalPart, Interval, ReleaseComparison,
    TaskError, UtilityRow,
};
use wayveil_report::{
    AttackBar, AttackChart, AttackControl, AttackRow, AttackVerdict, KnowledgeCurve, QuestionGroup,
    Rate,
};

use super::MadeUp;

pub fn rate(share: f64) -> Rate {
    Rate {
        share,
        low: (share - 0.04).max(0.0),
        high: (share + 0.05).min(1.0),
    }
}

pub fn internal(release: &MadeUp, raw: &Sequences) -> InternalPart {
    let raw = Portrait::of(raw, &release.universe, release.time()).unwrap();
    let task = |(task, error): (Task, f64)| TaskError {
        task,
        error: Some(error),
        interval: Some(Interval {
            low: 0.85 * error,
            high: 1.2 * error,
        }),
        nothing: Some(0.9),
    };
    InternalPart {
        raw,
        tasks: Task::ALL
            .into_iter()
            .zip([0.034, 0.18, 0.093, 0.71])
            .map(task)
            .collect(),
        utility: utility(),
        repeats: 20,
        no_intervals_because: None,
        attacks: Some(attacks()),
        no_attacks_because: None,
        budget: Some(budget()),
    }
}

/// A row for every metric, between its references, some without them.
fn utility() -> Vec<UtilityRow> {
    let row = |(index, metric): (usize, &&metrics::Metric)| {
        let part = 0.04 + 0.055 * index as f64;
        let (raw, nothing) = match metric.better {
            Better::Lower => (0.02, 0.8),
            Better::Higher => (0.97, 0.1),
        };
        let at = |part: f64| raw + part * (nothing - raw);
        UtilityRow {
            metric: metric.name.into(),
            value_name: if index % 5 == 0 {
                "top-100".into()
            } else {
                String::new()
            },
            about: metric.about.into(),
            better: metric.better,
            value: (index != 7).then(|| at(part)),
            interval: (index % 3 != 2).then(|| Interval {
                low: at(0.7 * part),
                high: at(1.3 * part),
            }),
            as_good_as_raw: Some(raw),
            as_good_as_nothing: (index != 4).then_some(nothing),
        }
    };
    metrics::ALL.iter().enumerate().map(row).collect()
}

pub fn attacks() -> AttackChart {
    let found = |share: f64, control: f64, verdict| AttackBar::Found {
        rate: rate(share),
        control: Some(AttackControl::NotIn(rate(control))),
        verdict,
    };
    let row = |label: &str, raw, release| AttackRow {
        label: label.into(),
        bars: vec![raw, release],
    };
    let coin = |share, verdict| AttackBar::Found {
        rate: rate(share),
        control: Some(AttackControl::Coin(0.5)),
        verdict,
    };
    let line = |top: f64| {
        (1..=6)
            .map(|known| (known, rate(top * (1.0 - 0.6_f64.powi(known as i32)))))
            .collect()
    };
    AttackChart {
        title: "Attacks".into(),
        note: "On the raw data most people can be told apart by four visits; on the release no attack is shown to be better than chance.".into(),
        who: "people".into(),
        confidence: 0.95,
        published: vec!["raw data".into(), "release".into()],
        groups: vec![
            QuestionGroup {
                question: "Can a person be singled out?".into(),
                rows: vec![
                    row("four known visits", found(0.93, 0.04, AttackVerdict::Better), found(0.05, 0.04, AttackVerdict::NotShown)),
                    row("home and work", found(0.61, 0.03, AttackVerdict::Better), found(0.02, 0.03, AttackVerdict::NotShown)),
                ],
            },
            QuestionGroup {
                question: "Can it be seen who is in the data?".into(),
                rows: vec![
                    row("nearest record", coin(0.97, AttackVerdict::Better), coin(0.52, AttackVerdict::NotShown)),
                    row("shadow releases", AttackBar::NotPossible("too few people".into()), coin(0.58, AttackVerdict::Better)),
                ],
            },
        ],
        curve: Some(KnowledgeCurve {
            title: "Success by what is known".into(),
            known: "known visits".into(),
            lines: vec![line(0.97), line(0.06)],
            not_in: vec![line(0.05), line(0.05)],
        }),
    }
}

pub fn budget() -> BudgetFacts {
    let entry = |date: &str, method: &str, epsilon: Option<f64>, this_one| BudgetEntry {
        date: date.into(),
        method: method.into(),
        cost: epsilon.map_or("does not add up".into(), |it| format!("epsilon {it}")),
        epsilon,
        this_one,
    };
    BudgetFacts {
        population: "metro riders 2026".into(),
        spent: "epsilon 2.5".into(),
        spent_epsilon: 2.5,
        allowance: Some("epsilon 4".into()),
        allowance_epsilon: Some(4.0),
        left: Some("epsilon 1.5".into()),
        entries: vec![
            entry("2026-05-02", "prefix-tree", Some(1.5), false),
            entry("2026-08-11", "suppress", None, false),
            entry("2026-11-16", "hybrid-tree", Some(1.0), true),
        ],
    }
}

pub fn comparison(internal: bool) -> ReleaseComparison {
    let made = [
        ("tree-0.5", "hybrid-tree, height 12", Some(0.5)),
        ("tree-1", "hybrid-tree, height 12", Some(1.0)),
        ("tree-4", "hybrid-tree, height 12", Some(4.0)),
        ("prefix-1", "prefix-tree, height 8", Some(1.0)),
        ("prefix-4", "prefix-tree, height 8", Some(4.0)),
        ("suppressed", "suppress, K = 5", None),
    ];
    let releases = made.into_iter().enumerate().map(|(index, (name, method, epsilon))| {
        let error = |task: Task| {
            let scale = 0.05 + 0.04 * task as u8 as f64 + if method.starts_with('p') { 0.06 } else { 0.0 };
            let error = scale / epsilon.unwrap_or(2.0_f64).sqrt();
            TaskError {
                task,
                error: (index != 3 || task != Task::Flows).then_some(error),
                interval: Some(Interval {
                    low: 0.8 * error,
                    high: 1.25 * error,
                }),
                nothing: Some(0.8),
            }
        };
        ComparedRelease {
            name: name.into(),
            method: method.into(),
            guarantee: match epsilon {
                Some(epsilon) => format!("Whatever it shows, it would have shown with nearly the same probability (within a factor of e^{epsilon}) without any one person."),
                None => "Whoever knows at most 2 visits of a person finds them in the records of at least 5 people or of nobody.".into(),
            },
            promise: epsilon.map_or("K = 5, C = 0.5, L = 2".into(), |it| format!("ε = {it}")),
            epsilon,
            records: 6000 - 37 * index as u64,
            symbols: 31_000 - 500 * index as u64,
            standard_error: epsilon.map(|it| 4.5 / it),
            errors: if internal { Task::ALL.map(error).into() } else { Vec::new() },
            attack_advantage: internal.then_some(0.01 + epsilon.map_or(0.31, |it| 0.02 * it)),
            attack_name: internal.then(|| "home and work".into()),
            attack_shown: internal && index > 2,
            remarks: vec!["Trajectories are cut after 12 visits.".into()],
        }
    });
    ReleaseComparison {
        releases: releases.collect(),
        internal,
    }
}
