//! The experiments of the paper about FASTPub.

use wayveil_evaluate::metrics::Better;

use super::fastpub::WAYS;
use super::town::{KS, Town};
use crate::campaigns::Method;
use crate::entry::{Changed, Form, Point, Run, Series};
use crate::scale::Scale;

const EPSILON: &str = "10";

fn lengths(scale: &Scale) -> &'static [u32] {
    scale.either(&[3, 4, 5], &[3, 4])
}

/// The lines; SFP takes longest by far, and is left out where it should be quick.
fn ways(scale: &Scale) -> impl Iterator<Item = &'static (Series, Method)> {
    let all = if scale.quick { &WAYS[..4] } else { &WAYS[..] };
    all.iter()
}

/// How many settings the paper takes the mean of: three lengths, and five k.
const SETTINGS: usize = 15;

/// Where the paper's numbers stand for the mean of all its settings.
pub(super) const MEAN: &str = "mean of all settings";
/// Where its numbers of fragments stand.
pub(super) const TO_FIND: &str = "to find";
/// Where its share of what was cleaned rightly stands.
pub(super) const RIGHTLY: &str = "cleaned rightly";
/// Where its bits stand.
pub(super) const BITS: &str = "bits";

/// How many there are to find; precision, recall and F1 on average, and F1 by k.
pub(super) fn found(scale: &Scale, town: Town) -> Vec<Point> {
    let mut points = mean(scale, town, &["precision", "recall", "f1"], Better::Higher);
    points.extend(by_k(scale, town, "f1", "F1", Better::Higher));
    points.extend(to_find(scale, town));
    points
}

/// Query errors, on average and by k.
pub(super) fn errors(scale: &Scale, town: Town) -> Vec<Point> {
    let mut points = mean(scale, town, &["query-error"], Better::Lower);
    points.extend(by_k(
        scale,
        town,
        "query-error",
        "median query error",
        Better::Lower,
    ));
    points
}

/// Numbers over all settings; the paper's stand beside them only where the settings are the paper's.
fn mean(scale: &Scale, town: Town, numbers: &[&'static str], better: Better) -> Vec<Point> {
    let ks = scale.values(&KS);
    let lengths = lengths(scale).iter();
    let settings: Vec<(u32, u64)> = lengths
        .flat_map(|&length| ks.iter().map(move |&k| (length, k)))
        .collect();
    let (title, reported) = match settings.len() {
        SETTINGS => (MEAN.to_owned(), MEAN),
        fewer => (format!("mean of {fewer} settings"), ""),
    };
    let mut points = Vec::new();
    for (line, method) in ways(scale) {
        let settings = settings.iter();
        let runs: Vec<Run> = settings
            .map(|&setting| town.run(scale, *method, setting, EPSILON, Changed::default()))
            .collect();
        for &number in numbers {
            points.push(Point {
                panel: town.panel(scale, &title, reported, Some(better)),
                series: line.clone(),
                at: number.to_owned(),
                runs: runs.clone(),
                number: number.to_owned(),
            });
        }
    }
    points
}

/// How many fragments of each length at least k clients have. Every campaign is compared with them, so that one is
/// asked that is run anyway.
fn to_find(scale: &Scale, town: Town) -> Vec<Point> {
    let mut points = Vec::new();
    for &length in lengths(scale) {
        let words = format!("fragments to find, length {length}");
        let reported = match (town, length) {
            (Town::Vehicles, 5) => TO_FIND,
            _ => "",
        };
        for k in scale.values(&KS) {
            let (method, setting) = (Method::AsPublished, (length, k));
            points.push(Point {
                panel: town.panel(scale, &words, reported, None),
                series: super::series("this data", Form::Data, Some(town.paper())),
                at: k.to_string(),
                runs: vec![town.run(scale, method, setting, EPSILON, Changed::default())],
                number: "to-find".into(),
            });
        }
    }
    points
}

/// A number of each length against k.
fn by_k(
    scale: &Scale,
    town: Town,
    number: &'static str,
    words: &str,
    better: Better,
) -> Vec<Point> {
    let mut points = Vec::new();
    for &length in lengths(scale) {
        for (line, method) in ways(scale) {
            for k in scale.values(&KS) {
                let run = town.run(scale, *method, (length, k), EPSILON, Changed::default());
                points.push(Point {
                    panel: town.panel(
                        scale,
                        &format!("{words}, length {length}"),
                        "",
                        Some(better),
                    ),
                    series: line.clone(),
                    at: k.to_string(),
                    runs: vec![run],
                    number: number.to_owned(),
                });
            }
        }
    }
    points
}

/// F1 and query error over all k of length 3, for values of a parameter, by some of the lines.
fn varied(
    scale: &Scale,
    values: &[(&'static str, &'static str, Changed)],
    has: fn(Method) -> bool,
) -> Vec<Point> {
    let towns = match scale.given {
        Some(_) => &Town::ALL[..1],
        None => &Town::ALL[..],
    };
    let ks = scale.values(&KS);
    let mut points = Vec::new();
    for &town in towns {
        for (number, words, better) in [
            ("f1", "F1 of length 3, mean over k", Better::Higher),
            (
                "query-error",
                "median query error of length 3, mean over k",
                Better::Lower,
            ),
        ] {
            for (line, method) in ways(scale).filter(|(_, method)| has(*method)) {
                for &(at, epsilon, changed) in values {
                    let run = |&k: &u64| town.run(scale, *method, (3, k), epsilon, changed);
                    points.push(Point {
                        panel: town.panel(scale, words, "", Some(better)),
                        series: line.clone(),
                        at: at.to_owned(),
                        runs: ks.iter().map(run).collect(),
                        number: number.to_owned(),
                    });
                }
            }
        }
    }
    points
}

/// TrieHH has no ε of its own here: it follows from its samples.
pub(super) fn by_epsilon(scale: &Scale) -> Vec<Point> {
    let values = ["2", "5", "10"].map(|epsilon| (epsilon, epsilon, Changed::default()));
    varied(scale, &values, |method| method != Method::TrieHhPublished)
}

/// SFP has one round, of so many clients.
pub(super) fn by_share(scale: &Scale) -> Vec<Point> {
    let values = [("0.05", 0.05), ("0.1", 0.1), ("0.2", 0.2)].map(|(at, share)| {
        let changed = Changed {
            share: Some(share),
            ..Changed::default()
        };
        (at, EPSILON, changed)
    });
    varied(scale, &values, |_| true)
}

pub(super) fn by_per_client(scale: &Scale) -> Vec<Point> {
    let values = [("1", 1), ("3", 3), ("5", 5), ("10", 10), ("20", 20)].map(|(at, most)| {
        let changed = Changed {
            per_client: Some(most),
            ..Changed::default()
        };
        (at, EPSILON, changed)
    });
    varied(scale, &values, Method::is_fastpub)
}

pub(super) fn by_lambda(scale: &Scale) -> Vec<Point> {
    let values = [
        ("0.4", 0.4),
        ("0.6", 0.6),
        ("0.8", 0.8),
        ("1.0", 1.0),
        ("1.2", 1.2),
    ];
    let town = Town::Visits;
    let higher = Some(Better::Higher);
    let mut points = Vec::new();
    for (number, words, reported, better) in [
        ("cleaned", "cleaning ratio", "", None),
        ("cleaned-rightly", "cleaning accuracy", RIGHTLY, higher),
        ("f1", "F1 of length 4", "", higher),
    ] {
        for (line, method) in ways(scale).filter(|(_, method)| method.is_fastpub()) {
            for (at, lambda) in values {
                let changed = Changed {
                    lambda: Some(lambda),
                    ..Changed::default()
                };
                points.push(Point {
                    panel: town.panel(scale, words, reported, better),
                    series: line.clone(),
                    at: at.to_owned(),
                    runs: vec![town.run(scale, *method, (4, KS[2]), EPSILON, changed)],
                    number: number.to_owned(),
                });
            }
        }
    }
    points
}

/// Bits as the paper counts them, where a location is an integer; and the information in them.
pub(super) fn bits(scale: &Scale) -> Vec<Point> {
    let town = Town::Visits;
    let mut points = Vec::new();
    for (words, reported, down) in [
        (
            "bits for each answer, a location having 32",
            BITS,
            "bits-down-integers",
        ),
        ("bits for each answer, information alone", "", "bits-down"),
    ] {
        for (line, method) in ways(scale) {
            for (at, number) in [("bits-down", down), ("bits-up", "bits-up")] {
                points.push(Point {
                    panel: town.panel(scale, words, reported, Some(Better::Lower)),
                    series: line.clone(),
                    at: at.to_owned(),
                    runs: vec![town.run(scale, *method, (4, KS[2]), EPSILON, Changed::default())],
                    number: number.to_owned(),
                });
            }
        }
    }
    points
}
