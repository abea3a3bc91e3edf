//! The experiments of the paper about FASTPub.

use wayveil_evaluate::metrics::Better;
use wayveil_io::generate::Preset;

use super::fastpub::WAYS;
use crate::campaigns::{Method, Setting};
use crate::entry::{Changed, Form, Panel, Point, Run, Series, Task};
use crate::scale::{Scale, Source};

const KS: [u64; 5] = [100_000, 200_000, 300_000, 400_000, 500_000];
const EPSILON: &str = "10";

/// Whose fragments are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Town {
    /// MSNBC, or what stands for it.
    Visits,
    /// Oldenburg.
    Vehicles,
}

impl Town {
    pub(super) const ALL: [Self; 2] = [Self::Visits, Self::Vehicles];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Visits => "msnbc",
            Self::Vehicles => "oldenburg",
        }
    }

    /// The paper's name for it.
    pub(super) fn paper(self) -> &'static str {
        match self {
            Self::Visits => "MSNBC",
            Self::Vehicles => "Oldenburg",
        }
    }

    pub(super) fn source(self, scale: &Scale) -> Source {
        if scale.given.is_some() {
            return Source::Given;
        }
        match self {
            Self::Visits => Source::Generated {
                preset: Preset::Stm,
                records: scale.sized(31_790, 10_000),
                locations: Some(17),
                bins: None,
            },
            Self::Vehicles => Source::generated(Preset::Oldenburg, scale.sized(200_000, 20_000)),
        }
    }

    /// How many clients the paper has.
    fn clients(self) -> u64 {
        match self {
            Self::Visits => 47_685_000,
            Self::Vehicles => 20_000_000,
        }
    }

    /// How many clients a record stands for.
    fn per_record(self, scale: &Scale) -> u64 {
        let records = match self.source(scale) {
            Source::Generated { records, .. } => records,
            Source::Given => scale.given.unwrap_or(1),
        };
        let clients = self.clients() / Self::smaller(scale);
        ((clients + records / 2) / records.max(1)).max(1)
    }

    /// By how much everything is smaller than in the paper.
    fn smaller(scale: &Scale) -> u64 {
        scale.either(1, 10)
    }

    fn run(
        self,
        scale: &Scale,
        method: Method,
        (length, k): (u32, u64),
        epsilon: &'static str,
        changed: Changed,
    ) -> Run {
        Run {
            source: self.source(scale),
            task: Task::Campaign {
                method,
                setting: Setting {
                    length,
                    k: k / Self::smaller(scale),
                },
                per_record: self.per_record(scale),
                epsilon,
                changed,
            },
        }
    }

    fn panel(self, scale: &Scale, words: &str, reported: &'static str, better: Better) -> Panel {
        let name = match self.source(scale) {
            Source::Given => "given data".to_owned(),
            source => match self {
                Self::Visits => format!("{} with 17 locations", source.name()),
                Self::Vehicles => source.name(),
            },
        };
        Panel {
            title: format!("{name}: {words}"),
            reported,
            better: Some(better),
        }
    }
}

fn lengths(scale: &Scale) -> &'static [u32] {
    scale.either(&[3, 4, 5], &[3, 4])
}

/// The lines; SFP takes longest by far, and is left out where it should be quick.
fn ways(scale: &Scale) -> impl Iterator<Item = &'static (Series, Method)> {
    let all = if scale.quick { &WAYS[..4] } else { &WAYS[..] };
    all.iter()
}

const MEAN: &str = "mean of all settings";

/// Precision, recall and F1, on average and F1 by k.
pub(super) fn found(scale: &Scale, town: Town) -> Vec<Point> {
    let mut points = mean(scale, town, &["precision", "recall", "f1"], Better::Higher);
    points.extend(by_k(scale, town, "f1", "F1", Better::Higher));
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

/// Numbers over all settings.
fn mean(scale: &Scale, town: Town, numbers: &[&'static str], better: Better) -> Vec<Point> {
    let ks = scale.values(&KS);
    let mut points = Vec::new();
    for (line, method) in ways(scale) {
        let settings = lengths(scale).iter();
        let settings = settings.flat_map(|&length| ks.iter().map(move |&k| (length, k)));
        let runs: Vec<Run> = settings
            .map(|setting| town.run(scale, *method, setting, EPSILON, Changed::default()))
            .collect();
        for &number in numbers {
            points.push(Point {
                panel: town.panel(scale, MEAN, MEAN, better),
                series: line.clone(),
                at: number.to_owned(),
                runs: runs.clone(),
                number: number.to_owned(),
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
                    panel: town.panel(scale, &format!("{words}, length {length}"), "", better),
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

/// F1 and query error over all k of length 3, for values of a parameter.
fn varied(
    scale: &Scale,
    values: &[(&'static str, &'static str, Changed)],
    only_fastpub: bool,
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
            for (line, method) in ways(scale) {
                if only_fastpub && line.form == Form::Peer {
                    continue;
                }
                for &(at, epsilon, changed) in values {
                    let run = |&k: &u64| town.run(scale, *method, (3, k), epsilon, changed);
                    points.push(Point {
                        panel: town.panel(scale, words, "", better),
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

pub(super) fn by_epsilon(scale: &Scale) -> Vec<Point> {
    let values = ["2", "5", "10"].map(|epsilon| (epsilon, epsilon, Changed::default()));
    varied(scale, &values, false)
}

pub(super) fn by_share(scale: &Scale) -> Vec<Point> {
    let values = [("0.05", 0.05), ("0.1", 0.1), ("0.2", 0.2)].map(|(at, share)| {
        let changed = Changed {
            share: Some(share),
            ..Changed::default()
        };
        (at, EPSILON, changed)
    });
    varied(scale, &values, true)
}

pub(super) fn by_per_client(scale: &Scale) -> Vec<Point> {
    let values = [("1", 1), ("3", 3), ("5", 5), ("10", 10), ("20", 20)].map(|(at, most)| {
        let changed = Changed {
            per_client: Some(most),
            ..Changed::default()
        };
        (at, EPSILON, changed)
    });
    varied(scale, &values, true)
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
    let mut points = Vec::new();
    for (number, words, better) in [
        ("cleaned", "share of candidates that are cleaned", None),
        ("f1", "F1 of length 4", Some(Better::Higher)),
    ] {
        for (line, method) in ways(scale).filter(|(line, _)| line.form != Form::Peer) {
            for (at, lambda) in values {
                let changed = Changed {
                    lambda: Some(lambda),
                    ..Changed::default()
                };
                let panel = town.panel(scale, words, "", Better::Higher);
                points.push(Point {
                    panel: Panel { better, ..panel },
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

pub(super) fn bits(scale: &Scale) -> Vec<Point> {
    let town = Town::Visits;
    let mut points = Vec::new();
    for (line, method) in ways(scale) {
        for number in ["bits-down", "bits-up"] {
            points.push(Point {
                panel: town.panel(scale, "bits for each answer", "bits", Better::Lower),
                series: line.clone(),
                at: number.to_owned(),
                runs: vec![town.run(scale, *method, (3, KS[2]), EPSILON, Changed::default())],
                number: number.to_owned(),
            });
        }
    }
    points
}
