//! The experiments of the paper about suppression.

use wayveil_evaluate::Settings;
use wayveil_evaluate::metrics::Better;
use wayveil_io::generate::Preset;

use super::publish;
use crate::entry::{Form, Panel, Point, Run, Series};
use crate::measure::FEWER_SEQUENCES;
use crate::scale::{Scale, Source};

pub(super) const PRESETS: &[(Preset, u64)] = &[(Preset::City, 1_000), (Preset::StmHours, 1_000)];

/// Where K′ is varied, so many records of the larger data set that its share of them is more than 2, the least K′.
const BY_SUPPORT: &[(Preset, u64)] = &[(Preset::City, 1_000), (Preset::StmHours, 5_000)];

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
        line: Series {
            name,
            form,
            beside: None,
            promise: if bounded { "(K, C)_L" } else { "all visits" },
        },
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
pub(super) struct Setting {
    pub(super) k: u64,
    tenths: u32,
    pub(super) support: u64,
}

pub(super) const FIXED: Setting = Setting {
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

/// What is measured of an output.
#[derive(Clone, Copy)]
enum Loss {
    /// Instances of doublets that are lost.
    Instances,
    /// By how many there are fewer maximal frequent sequences, as the paper counts.
    Fewer,
    /// The raw data's own maximal frequent sequences that are lost.
    Gone,
}

/// Both are numbers of the same runs.
const SEQUENCES: &[&str] = &[FEWER_SEQUENCES, "lost-maximal-sequences"];

impl Loss {
    const ALL: [Self; 3] = [Self::Instances, Self::Fewer, Self::Gone];

    fn metrics(self) -> &'static [&'static str] {
        match self {
            Self::Instances => &["lost-instances"],
            Self::Fewer | Self::Gone => SEQUENCES,
        }
    }

    fn number(self) -> &'static str {
        match self {
            Self::Instances | Self::Fewer => self.metrics()[0],
            Self::Gone => self.metrics()[1],
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Instances => "share of instances lost",
            Self::Fewer => "by which share there are fewer maximal frequent sequences",
            Self::Gone => "share of the raw data's maximal frequent sequences that are lost",
        }
    }

    /// What the paper does not measure does not stand beside its numbers.
    fn reported(self, panel: &'static str) -> &'static str {
        match self {
            Self::Instances | Self::Fewer => panel,
            Self::Gone => "",
        }
    }
}

pub(super) fn by_k(scale: &Scale) -> Vec<Point> {
    let values = scale.values(&[10, 20, 30, 40, 50]);
    let setting = |&k: &u64| (k.to_string(), Setting { k, ..FIXED });
    let settings: Vec<_> = values.iter().map(setting).collect();
    points(scale, PRESETS, &settings, (Older::KAnonymity, &Loss::ALL))
}

pub(super) fn by_c(scale: &Scale) -> Vec<Point> {
    let values = scale.values(&[1, 3, 5, 7, 9]);
    let setting = |&tenths: &u32| (format!("0.{tenths}"), Setting { tenths, ..FIXED });
    let settings: Vec<_> = values.iter().map(setting).collect();
    points(
        scale,
        PRESETS,
        &settings,
        (Older::ConfidenceBounding, &Loss::ALL),
    )
}

pub(super) fn by_support(scale: &Scale) -> Vec<Point> {
    let values = scale.values(&[600, 700, 800, 900, 1000]);
    let setting = |&support: &u64| (support.to_string(), Setting { support, ..FIXED });
    let settings: Vec<_> = values.iter().map(setting).collect();
    points(
        scale,
        BY_SUPPORT,
        &settings,
        (Older::KAnonymity, &Loss::ALL[1..]),
    )
}

fn points(
    scale: &Scale,
    presets: &[(Preset, u64)],
    settings: &[(String, Setting)],
    (older, losses): (Older, &[Loss]),
) -> Vec<Point> {
    let mut points = Vec::new();
    for (name, source) in scale.sources(presets) {
        for loss in losses {
            let panel = Panel {
                title: format!("{}: {}", source.name(), loss.words()),
                reported: loss.reported(name),
                better: Some(Better::Lower),
            };
            for way in WAYS.iter().filter(|way| way.runs_on(scale, source)) {
                for (at, setting) in settings {
                    points.push(Point {
                        panel: panel.clone(),
                        series: way.line.clone(),
                        at: at.clone(),
                        runs: vec![run(scale, source, way, *setting, (older, *loss))],
                        number: loss.number().to_owned(),
                    });
                }
            }
        }
    }
    points
}

fn run(
    scale: &Scale,
    source: Source,
    way: &Way,
    setting: Setting,
    (older, loss): (Older, Loss),
) -> Run {
    let sized = Sized::new(scale, source, setting);
    let (k, c, l) = match (way.bounded, older) {
        (true, _) => (sized.k, sized.c.as_str(), "3"),
        (false, Older::KAnonymity) => (sized.k, "1", "all"),
        (false, Older::ConfidenceBounding) => (1, sized.c.as_str(), "all"),
    };
    let mut text = format!("suppress k={k} c={c} l={l} {}{}", way.how, sized.sensitive);
    if let Loss::Fewer | Loss::Gone = loss {
        text += &format!(" preserve=mfs min-support={}", sized.support);
    }
    let settings = Settings {
        // A little less, so that rounding up gives the support itself.
        frequent: (sized.support as f64 - 0.5) / sized.records as f64,
        pattern_max_length: 16,
        ..Settings::default()
    };
    publish(source, &text, loss.metrics(), &settings)
}

/// A setting for as many records as there are.
pub(super) struct Sized {
    records: u64,
    k: u64,
    pub(super) c: String,
    support: u64,
    /// Which values are sensitive, as a parameter.
    pub(super) sensitive: String,
}

impl Sized {
    pub(super) fn new(scale: &Scale, source: Source, setting: Setting) -> Self {
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
                // The same share of the records as in the paper.
                true => ((setting.support * records + all / 2) / all).max(2),
                false => setting.support,
            },
            sensitive,
        }
    }
}
