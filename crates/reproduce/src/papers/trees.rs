//! What both papers about trees measure: count queries, frequent patterns, and time.

use wayveil_evaluate::Settings;
use wayveil_evaluate::metrics::Better;
use wayveil_io::generate::Preset;

use super::{candidate, publish, series};
use crate::entry::{Form, Panel, Point, Run, Series, Task};
use crate::scale::{Scale, Source};

pub(super) const EPSILONS: [&str; 5] = ["0.5", "0.75", "1", "1.25", "1.5"];
pub(super) const HEIGHTS: [&str; 8] = ["6", "8", "10", "12", "14", "16", "18", "20"];
const METRICS: &[&str] = &["count-query-error", "top-patterns"];

/// A method of a figure: its line, and its parameters without ε and height.
pub(super) struct Way {
    pub(super) line: Series,
    pub(super) method: &'static str,
    /// Whether it has a height.
    pub(super) tree: bool,
}

/// A published form that may refuse, one that is capped, and so on.
pub(super) const fn way(
    name: &'static str,
    form: Form,
    beside: Option<&'static str>,
    method: &'static str,
) -> Way {
    Way {
        line: series(name, form, beside),
        method,
        tree: true,
    }
}

/// Our own method, which has no height.
pub(super) const WEAVE: Way = Way {
    line: series("weave", Form::Weave, None),
    method: "weave",
    tree: false,
};

impl Way {
    fn words(&self, epsilon: &str, height: &str) -> String {
        match self.tree {
            true => format!("{} epsilon={epsilon} height={height}", self.method),
            false => format!("{} epsilon={epsilon}", self.method),
        }
    }
}

/// What a paper about trees has in common in all of its experiments.
pub(super) struct Trees {
    pub(super) ways: &'static [Way],
    /// Data sets, each with a few records for quick runs.
    pub(super) presets: &'static [(Preset, u64)],
    /// The numbers of patterns in its tables.
    pub(super) tops: &'static [usize],
    /// The shortest pattern.
    pub(super) shortest: usize,
}

impl Trees {
    fn settings(&self, scale: &Scale) -> Settings {
        Settings {
            count_queries: scale.either(40_000, 8_000),
            top_patterns: self.tops.to_vec(),
            pattern_min_length: self.shortest,
            ..Settings::default()
        }
    }

    /// True positives among the top k, against k.
    pub(super) fn by_top(&self, scale: &Scale) -> Vec<Point> {
        self.points(scale, |settings, source, way| {
            let tops = self.tops.iter();
            let point = |top: &usize| {
                let run = publish(source, &way.words("1", "12"), METRICS, settings);
                (top.to_string(), run, found(*top))
            };
            tops.map(point).collect()
        })
    }

    /// True positives among the top k, against ε.
    pub(super) fn found_by_epsilon(&self, scale: &Scale, top: usize) -> Vec<Point> {
        let values = scale.values(&EPSILONS);
        self.points(scale, |settings, source, way| {
            let point = |epsilon: &&str| {
                let run = publish(source, &way.words(epsilon, "12"), METRICS, settings);
                ((*epsilon).to_owned(), run, found(top))
            };
            values.iter().map(point).collect()
        })
    }

    /// True positives among the top k, against h.
    pub(super) fn found_by_height(&self, scale: &Scale, top: usize) -> Vec<Point> {
        let values = scale.values(&HEIGHTS);
        self.points(scale, |settings, source, way| {
            let point = |height: &&str| {
                let run = publish(source, &way.words("1", height), METRICS, settings);
                ((*height).to_owned(), run, found(top))
            };
            match way.tree {
                true => values.iter().map(point).collect(),
                false => Vec::new(),
            }
        })
    }

    /// Errors of count queries of each group, against ε.
    pub(super) fn errors_by_epsilon(&self, scale: &Scale) -> Vec<Point> {
        let values = scale.values(&EPSILONS);
        let groups = (1..=4).map(|group| (group, 3 * group));
        groups
            .flat_map(|(group, longest)| {
                self.points(scale, |settings, source, way| {
                    let point = |epsilon: &&str| {
                        let run = publish(source, &way.words(epsilon, "12"), METRICS, settings);
                        ((*epsilon).to_owned(), run, error(group, longest))
                    };
                    values.iter().map(point).collect()
                })
            })
            .collect()
    }

    /// Errors of count queries of up to six locations, against h, for each ε.
    pub(super) fn errors_by_height(&self, scale: &Scale) -> Vec<Point> {
        let values = scale.values(&HEIGHTS);
        let epsilons = scale.either(&EPSILONS[..4], &EPSILONS[2..3]);
        epsilons
            .iter()
            .flat_map(|epsilon| {
                self.points(scale, |settings, source, way| {
                    let point = |height: &&str| {
                        let run = publish(source, &way.words(epsilon, height), METRICS, settings);
                        let (number, words, better) = error(2, 6);
                        let words = format!("{words}, ε = {epsilon}");
                        ((*height).to_owned(), run, (number, words, better))
                    };
                    match way.tree {
                        true => values.iter().map(point).collect(),
                        false => Vec::new(),
                    }
                })
            })
            .collect()
    }

    /// All points of all data sets and ways.
    fn points(
        &self,
        scale: &Scale,
        of: impl Fn(&Settings, Source, &Way) -> Vec<(String, Run, Number)>,
    ) -> Vec<Point> {
        let settings = self.settings(scale);
        let mut points = Vec::new();
        for (reported, source) in scale.sources(self.presets) {
            for way in self.ways {
                for (at, run, (number, words, better)) in of(&settings, source, way) {
                    points.push(Point {
                        panel: Panel {
                            title: format!("{}: {words}", source.name()),
                            reported,
                            better: Some(better),
                        },
                        series: way.line.clone(),
                        at,
                        runs: vec![run],
                        number,
                    });
                }
            }
        }
        points
    }

    /// Seconds at height 20: of data sets by their number of records, and of one of them by that of locations.
    pub(super) fn times(
        &self,
        scale: &Scale,
        presets: &[Preset],
        sizes: &[u64],
        (preset, fixed, universes): (Preset, u64, &[u32]),
    ) -> Vec<Point> {
        let generated = |preset: Preset, records: u64, locations: u32| Source::Generated {
            preset,
            records,
            locations: Some(locations),
            bins: None,
            lengths: None,
        };
        let mut all: Vec<(&'static str, String, Source)> = Vec::new();
        if scale.given.is_some() {
            all.push(("records", "all".into(), Source::Given));
        } else {
            for &preset in presets {
                for records in scale.sizes(sizes) {
                    let source = generated(preset, records, preset.info().locations);
                    all.push(("records", records.to_string(), source));
                }
            }
            for &locations in universes {
                for records in scale.sizes(&[fixed]) {
                    let source = generated(preset, records, locations);
                    all.push(("locations", locations.to_string(), source));
                }
            }
        }
        let mut points = Vec::new();
        for (what, at, source) in all {
            for way in self.ways.iter().filter(|way| way.tree) {
                points.push(Point {
                    panel: Panel {
                        title: format!("{}: seconds by number of {what}", source.name()),
                        reported: scale.unless_smaller(what),
                        // Their machine was another: nobody's seconds are beaten.
                        better: None,
                    },
                    series: way.line.clone(),
                    at: at.clone(),
                    runs: vec![Run {
                        source,
                        task: Task::Time(candidate(&way.words("1", "20"))),
                    }],
                    number: "seconds".into(),
                });
            }
        }
        points
    }
}

/// The name of a number, what it is in words, and which way is better.
type Number = (String, String, Better);

fn found(top: usize) -> Number {
    let number = format!("top-patterns.true-positives-{top}");
    (number, "true positives".into(), Better::Higher)
}

fn error(group: usize, longest: usize) -> Number {
    let number = format!("count-query-error.group-{group}");
    let words = format!("relative error, up to {longest} locations");
    (number, words, Better::Lower)
}
