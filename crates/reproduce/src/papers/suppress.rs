//! Chen, Fung, Mohammed, Desai and Wang 2013: (K, C)_L-privacy by local suppression.

use wayveil_evaluate::Settings;
use wayveil_evaluate::metrics::Better;
use wayveil_io::generate::Preset;

use super::{candidate, publish, series};
use crate::entry::{Bound, Entry, Form, Made, Panel, Paper, Point, Reported, Run, Series, Task};
use crate::examples;
use crate::scale::{Scale, Source};

const PRESETS: &[(Preset, u64)] = &[(Preset::City, 1_000), (Preset::StmHours, 1_000)];

/// Local suppression as published is written down plainly, to be compared with, and takes minutes for a few thousand
/// records: where there are more, it is left out.
const PLAIN: u64 = 1_000;

/// A line of a figure: whether an attacker knows L visits or everything, and the method's parameters.
struct Way {
    line: Series,
    bounded: bool,
    how: &'static str,
}

impl Way {
    fn runs_on(&self, scale: &Scale, source: Source) -> bool {
        let records = match source {
            Source::Generated { records, .. } => records,
            Source::Given => scale.given.unwrap_or(0),
        };
        records <= PLAIN || self.how != "mode=local as-published"
    }
}

const fn way(name: &'static str, form: Form, bounded: bool, how: &'static str) -> Way {
    Way {
        line: series(name, form, None),
        bounded,
        how,
    }
}

const WAYS: [Way; 8] = [
    way(
        "KCL-Local as published",
        Form::AsPublished,
        true,
        "mode=local as-published",
    ),
    way(
        "KCL-Global as published",
        Form::AsPublished,
        true,
        "mode=global as-published",
    ),
    way("KCL, local, repaired", Form::Repaired, true, "mode=local"),
    way("KCL, global, repaired", Form::Repaired, true, "mode=global"),
    way(
        "KCL, by record, repaired",
        Form::Repaired,
        true,
        "mode=record",
    ),
    way(
        "Trad-Local as published",
        Form::AsPublished,
        false,
        "mode=local as-published",
    ),
    way(
        "Trad-Global as published",
        Form::AsPublished,
        false,
        "mode=global as-published",
    ),
    way(
        "Trad, by record, repaired",
        Form::Repaired,
        false,
        "mode=record",
    ),
];

/// K, C in tenths, and K′, as the paper has them for all records.
#[derive(Clone, Copy)]
struct Setting {
    k: u64,
    tenths: u32,
    support: u64,
}

const FIXED: Setting = Setting {
    k: 30,
    tenths: 6,
    support: 800,
};

/// What the older promise beside (K, C)_L-privacy is.
#[derive(Clone, Copy)]
enum Older {
    /// C = 1.
    KAnonymity,
    /// K = 1.
    ConfidenceBounding,
}

const NOTE: &str = "City80K and STM460K are not public: `city` and `stm-hours` are made up with their numbers of records, places, \
                    hours and sensitive values. With fewer records K is a tenth of what is written, at least 2, and K′ = 800 \
                    stands for a hundredth of them. Local suppression as published is written down plainly here and is left out \
                    above 1,000 records; repaired, it makes the same choices with checks that hold. As published, an output may \
                    break its promise (errata 1 and 2). Lost sequences are those of the raw data that are not maximal frequent any \
                    more; the paper counts how many fewer there are, which is less. On given data no value is sensitive, so that \
                    C has no effect.";

pub(super) const PAPER: Paper = Paper {
    id: "002",
    cited: "Chen, Fung, Mohammed, Desai and Wang 2013",
    title: "(K, C)_L-privacy by local suppression",
    method: "suppress",
    entries: &[
        Entry {
            name: "table-1",
            title: "the raw table of eight patients, and what violates (2, 50 %)_2-privacy in it",
            says: "The text names two attacks, and example 4.3 the minimal violating sequences.",
            reported: &[],
            note: "By the verifier, which shares no code with the method.",
            made: Made::Checked(examples::hospital),
        },
        Entry {
            name: "table-2",
            title: "a table of the same patients that meets (2, 50 %)_2-privacy",
            says: "One valid output.",
            reported: &[],
            note: "The paper's table is verified, and ours keep at least as many visits.",
            made: Made::Checked(examples::protected),
        },
        Entry {
            name: "figure-1",
            title: "the tree of maximal frequent sequences of the raw table (K′ = 2)",
            says: "Only drawn.",
            reported: &[],
            note: "The number of sequences, by the method and by trying all.",
            made: Made::Checked(examples::frequent_sequences),
        },
        Entry {
            name: "table-3",
            title: "the two data sets in numbers",
            says: "",
            reported: &[
                Reported {
                    panel: "city",
                    series: "City80K",
                    bound: Bound::Is,
                    values: &[("records", 80_000.0), ("doublets", 624.0)],
                },
                Reported {
                    panel: "stm-hours",
                    series: "STM460K",
                    bound: Bound::Is,
                    values: &[("records", 462_483.0), ("doublets", 3_264.0)],
                },
            ],
            note: "Of the made-up data.",
            made: Made::Measured {
                parameter: "number",
                points: sizes,
            },
        },
        Entry {
            name: "figure-2",
            title: "what is lost against K (L = 3, C = 60 %, K′ = 800)",
            says: "Only drawn. On STM460K local suppression loses 75 % fewer instances than global suppression and 68 % fewer \
                   maximal frequent sequences.",
            reported: &[],
            note: NOTE,
            made: Made::Measured {
                parameter: "K",
                points: by_k,
            },
        },
        Entry {
            name: "figure-3",
            title: "what is lost against C (L = 3, K = 30, K′ = 800)",
            says: "Only drawn.",
            reported: &[],
            note: NOTE,
            made: Made::Measured {
                parameter: "C",
                points: by_c,
            },
        },
        Entry {
            name: "figure-4",
            title: "maximal frequent sequences lost against K′ (L = 3, K = 30, C = 60 %)",
            says: "Only drawn. The text says that less is lost the greater K′ is.",
            reported: &[],
            note: NOTE,
            made: Made::Measured {
                parameter: "K′",
                points: by_support,
            },
        },
        Entry {
            name: "figure-5",
            title: "run time against the number of records and of doublets (L = 3, K = 30, C = 60 %, K′ = 800)",
            says: "Less than 300 s for 1,000,000 records with 8,000 doublets. The rest is only drawn.",
            reported: &[Reported {
                panel: "doublets",
                series: "KCL-Local",
                bound: Bound::Below,
                values: &[("8000", 300.0)],
            }],
            note: "The paper's seconds include reading and writing, ours do not; its machine is not ours. docs/benchmarks.md has \
                   ratios. With --quick there is a twentieth of the records and K and K′ are smaller in proportion.",
            made: Made::Measured {
                parameter: "size",
                points: times,
            },
        },
        Entry {
            name: "erratum-1",
            title: "the published validity check is unsound for L ≥ 3",
            says: "A local suppression that passes the check is said to create no new violation.",
            reported: &[],
            note: "Four records, L = 3, K = 2: {b1 a2 a3}, {b1 a3}, {a1 a2 a3}, {b1 a2}.",
            made: Made::Checked(examples::unsound_check),
        },
        Entry {
            name: "erratum-2",
            title: "results of the published check go stale, for L = 2 already",
            says: "Validity is looked up in a table that is not renewed.",
            reported: &[],
            note: "Five records, L = 2, K = 2: {b1 a3 b4}, {b1 b4}, {a3 b4}, {b1 b3}, {b1 b3 b4}.",
            made: Made::Checked(examples::stale_check),
        },
    ],
};

fn sizes(scale: &Scale) -> Vec<Point> {
    let numbers = ["records", "doublets", "mean-length", "longest"];
    let of = |(panel, source)| {
        let all = numbers.map(|number| (panel, number.to_owned(), number.to_owned()));
        let series = if panel == "city" {
            "City80K"
        } else {
            "STM460K"
        };
        super::described(source, series, all.into_iter())
    };
    scale.sources(PRESETS).into_iter().flat_map(of).collect()
}

fn by_k(scale: &Scale) -> Vec<Point> {
    let values = scale.values(&[10, 20, 30, 40, 50]);
    let settings = values
        .iter()
        .map(|&k| (k.to_string(), Setting { k, ..FIXED }));
    points(
        scale,
        &settings.collect::<Vec<_>>(),
        Older::KAnonymity,
        true,
    )
}

fn by_c(scale: &Scale) -> Vec<Point> {
    let values = scale.values(&[1, 3, 5, 7, 9]);
    let settings = values.iter().map(|&tenths| {
        let setting = Setting { tenths, ..FIXED };
        (format!("0.{tenths}"), setting)
    });
    let settings: Vec<_> = settings.collect();
    points(scale, &settings, Older::ConfidenceBounding, true)
}

fn by_support(scale: &Scale) -> Vec<Point> {
    let values = scale.values(&[600, 700, 800, 900, 1000]);
    let settings = values
        .iter()
        .map(|&support| (support.to_string(), Setting { support, ..FIXED }));
    points(
        scale,
        &settings.collect::<Vec<_>>(),
        Older::KAnonymity,
        false,
    )
}

fn points(
    scale: &Scale,
    settings: &[(String, Setting)],
    older: Older,
    instances: bool,
) -> Vec<Point> {
    let measures: &[bool] = if instances { &[false, true] } else { &[true] };
    let mut points = Vec::new();
    for (reported, source) in scale.sources(PRESETS) {
        for &sequences in measures {
            for way in WAYS.iter().filter(|way| way.runs_on(scale, source)) {
                for (at, setting) in settings {
                    points.push(point(
                        scale,
                        (reported, source),
                        way,
                        at,
                        *setting,
                        (older, sequences),
                    ));
                }
            }
        }
    }
    points
}

fn point(
    scale: &Scale,
    (reported, source): (&'static str, Source),
    way: &Way,
    at: &str,
    setting: Setting,
    (older, sequences): (Older, bool),
) -> Point {
    let sized = Sized::new(scale, source, setting);
    let (k, c, l) = match (way.bounded, older) {
        (true, _) => (sized.k, sized.c.as_str(), "3"),
        (false, Older::KAnonymity) => (sized.k, "1", "all"),
        (false, Older::ConfidenceBounding) => (1, sized.c.as_str(), "all"),
    };
    let mut text = format!("suppress k={k} c={c} l={l} {}{}", way.how, sized.sensitive);
    let (metric, words): (&'static [&'static str], _) = match sequences {
        true => (
            &["lost-maximal-sequences"],
            "lost maximal frequent sequences",
        ),
        false => (&["lost-instances"], "lost instances"),
    };
    if sequences {
        text += &format!(" preserve=mfs min-support={}", sized.support);
    }
    let metrics_settings = Settings {
        // A little less, so that rounding up gives the support itself.
        frequent: (sized.support as f64 - 0.5) / sized.records as f64,
        pattern_max_length: 16,
        ..Settings::default()
    };
    Point {
        panel: Panel {
            title: format!("{}: share of {words}", source.name()),
            reported,
            better: Some(Better::Lower),
        },
        series: way.line.clone(),
        at: at.to_owned(),
        runs: vec![publish(source, &text, metric, &metrics_settings)],
        number: metric[0].to_owned(),
    }
}

/// A setting for as many records as there are.
struct Sized {
    records: u64,
    k: u64,
    c: String,
    support: u64,
    /// Which values are sensitive, as a parameter.
    sensitive: String,
}

impl Sized {
    fn new(scale: &Scale, source: Source, setting: Setting) -> Self {
        let (records, all, sensitive) = match source {
            Source::Generated {
                preset, records, ..
            } => {
                let info = preset.info();
                let values = info.attribute.map(|it| it.sensitive.join(","));
                let values = values.unwrap_or_default();
                (records, info.records, format!(" sensitive={values}"))
            }
            Source::Given => {
                let records = scale.given.unwrap_or(1);
                (records, records, String::new())
            }
        };
        let few = records < all;
        Self {
            records,
            k: if few {
                (setting.k / 10).max(2)
            } else {
                setting.k
            },
            c: match sensitive.is_empty() {
                true => "1".into(),
                false => format!("{}/10", setting.tenths),
            },
            support: match few {
                true => (setting.support * records / 80_000).max(2),
                false => setting.support,
            },
            sensitive,
        }
    }
}

fn times(scale: &Scale) -> Vec<Point> {
    // 26 blocks in 24 hours are 624 doublets; so many blocks make about as many as the paper has.
    let generated = |records: u64, doublets: u32| Source::Generated {
        preset: Preset::City,
        records: scale.records.unwrap_or(scale.either(records, records / 20)),
        locations: Some(doublets.div_ceil(24)),
        bins: None,
    };
    let mut all: Vec<(&'static str, String, Source)> = Vec::new();
    if scale.given.is_some() {
        all.push(("records", "all".into(), Source::Given));
    } else {
        for records in [400_000, 800_000, 1_200_000] {
            let source = generated(records, 4_000);
            let at = match source {
                Source::Generated { records, .. } => records.to_string(),
                Source::Given => String::new(),
            };
            all.push(("records", at, source));
        }
        for doublets in [2_000, 4_000, 8_000] {
            all.push((
                "doublets",
                doublets.to_string(),
                generated(1_000_000, doublets),
            ));
        }
    }
    let ways = [
        (
            series("by record, repaired", Form::Repaired, Some("KCL-Local")),
            "mode=record",
        ),
        (
            series("local, repaired", Form::Repaired, Some("KCL-Local")),
            "mode=local",
        ),
    ];
    let mut points = Vec::new();
    for (what, at, source) in all {
        for (line, how) in &ways {
            let share = match source {
                Source::Generated { records, .. } if scale.quick || scale.records.is_some() => {
                    records as f64 / 1_000_000.0
                }
                _ => 1.0,
            };
            let k = ((30.0 * share).round() as u64).max(2);
            let support = ((800.0 * share).round() as u64).max(2);
            let sized = Sized::new(scale, source, FIXED);
            let text = format!(
                "suppress k={k} c={} l=3 {how}{} preserve=mfs min-support={support}",
                sized.c, sized.sensitive
            );
            points.push(Point {
                panel: Panel {
                    title: format!("{}: seconds by number of {what}", source.name()),
                    reported: scale.unless_smaller(what),
                    better: Some(Better::Lower),
                },
                series: line.clone(),
                at: at.clone(),
                runs: vec![Run {
                    source,
                    task: Task::Time(candidate(&text)),
                }],
                number: "seconds".into(),
            });
        }
    }
    points
}
