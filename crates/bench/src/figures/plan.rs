//! Which runs a figure needs.

use std::num::NonZeroU32;

use wayveil_core::Rational;
use wayveil_mechanisms::suppress::{Mode, Options, Preserve, Requirement, Variant};

use crate::benchmarks::Effort;

const KNOWLEDGE: u32 = 3;

/// What is to be lost as little as possible, and what is therefore reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Instances,
    Frequent,
}

impl Measure {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Instances => "instances lost",
            Self::Frequent => "MFS lost",
        }
    }
}

/// A line of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scheme {
    /// Whether (K, C)_L-privacy is promised, or the older promise beside it.
    pub(super) bounded_knowledge: bool,
    pub(super) mode: Mode,
}

/// All of them: ours, then the paper's two.
pub(super) const SCHEMES: [Scheme; 6] = [
    Scheme::new(true, Mode::Record),
    Scheme::new(true, Mode::Local),
    Scheme::new(true, Mode::Global),
    Scheme::new(false, Mode::Record),
    Scheme::new(false, Mode::Local),
    Scheme::new(false, Mode::Global),
];

impl Scheme {
    const fn new(bounded_knowledge: bool, mode: Mode) -> Self {
        Self {
            bounded_knowledge,
            mode,
        }
    }
}

/// The promise that came before (K, C)_L-privacy; an adversary may know everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traditional {
    /// C = 1.
    KAnonymity,
    /// K = 1.
    ConfidenceBounding,
}

/// K, C in tenths, and K′.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) k: u32,
    pub(super) tenths: u64,
    pub(super) support: u32,
}

impl Setting {
    /// (K, C)_L-privacy.
    pub(super) fn requirement(self) -> Requirement {
        Requirement {
            k: self.k,
            c: confidence(self.tenths),
            l: NonZeroU32::new(KNOWLEDGE),
        }
    }
}

/// A number of tenths; ten is not zero, so that there is one.
fn confidence(tenths: u64) -> Rational {
    Rational::new(tenths, 10).unwrap_or_else(|_| Rational::zero())
}

/// One figure of the paper.
pub(super) struct Figure {
    pub(super) number: u32,
    /// What is varied.
    pub(super) parameter: &'static str,
    /// Its values, and the settings that go with them.
    pub(super) points: Vec<(String, Setting)>,
    /// What is not varied.
    pub(super) fixed: String,
    pub(super) traditional: Traditional,
    pub(super) measures: &'static [Measure],
}

impl Figure {
    pub(super) fn title(&self) -> String {
        let Self {
            number,
            parameter,
            fixed,
            ..
        } = self;
        format!("Figure {number}: loss against {parameter} ({fixed})")
    }

    /// The file that it is drawn into.
    pub(super) fn picture(&self) -> String {
        format!("suppress-figure-{}.svg", self.number)
    }

    /// The name of a line.
    pub(super) fn name(&self, scheme: Scheme) -> String {
        let promise = self.promise(scheme.bounded_knowledge);
        format!("{promise}, {}", mode_words(scheme.mode))
    }

    pub(super) fn promise(&self, bounded_knowledge: bool) -> &'static str {
        match (bounded_knowledge, self.traditional) {
            (true, _) => "(K, C)_L",
            (false, Traditional::KAnonymity) => "k-anonymity",
            (false, Traditional::ConfidenceBounding) => "confidence bounding",
        }
    }

    /// What a point of a line is made by.
    pub(super) fn options(&self, measure: Measure, scheme: Scheme, setting: Setting) -> Options {
        let (k, tenths) = match self.traditional {
            Traditional::KAnonymity => (setting.k, 10),
            Traditional::ConfidenceBounding => (1, setting.tenths),
        };
        let requirement = match scheme.bounded_knowledge {
            true => setting.requirement(),
            false => Requirement {
                k,
                c: confidence(tenths),
                l: None,
            },
        };
        Options {
            requirement,
            mode: scheme.mode,
            preserve: match measure {
                Measure::Instances => Preserve::Instances,
                Measure::Frequent => Preserve::MaximalFrequent {
                    min_support: setting.support,
                },
            },
            variant: Variant::Repaired,
        }
    }

    pub(super) fn all_options(&self) -> impl Iterator<Item = Options> {
        self.measures.iter().flat_map(move |&measure| {
            self.points.iter().flat_map(move |&(_, setting)| {
                SCHEMES.map(|scheme| self.options(measure, scheme, setting))
            })
        })
    }
}

pub(super) fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Record => "record",
        Mode::Local => "local",
        Mode::Global => "global",
    }
}

/// One run in a line.
pub(super) fn describe(options: &Options) -> String {
    let Requirement { k, c, l } = &options.requirement;
    let knowledge = l.map_or("all".to_owned(), |l| l.to_string());
    let mode = mode_words(options.mode);
    let preserve = match options.preserve {
        Preserve::Instances => "instances".to_owned(),
        Preserve::MaximalFrequent { min_support } => format!("MFS, K′ = {min_support}"),
    };
    format!("K = {k}, C = {c}, L = {knowledge}, {mode}, {preserve}")
}

/// The values of all figures.
pub(super) struct Plan {
    /// Of each data set; all of a preset's unless given.
    pub(super) records: Option<u64>,
    fixed: Setting,
    ks: Vec<u32>,
    tenths: Vec<u64>,
    supports: Vec<u32>,
}

impl Plan {
    pub(super) fn new(effort: Effort) -> Self {
        match effort {
            Effort::Full => Self {
                records: None,
                fixed: Setting {
                    k: 30,
                    tenths: 6,
                    support: 800,
                },
                ks: vec![10, 20, 30, 40, 50],
                tenths: vec![1, 3, 5, 7, 9],
                supports: vec![600, 700, 800, 900, 1000],
            },
            Effort::Quick => Self {
                records: Some(2_000),
                fixed: Setting {
                    k: 4,
                    tenths: 6,
                    support: 20,
                },
                ks: vec![2, 4],
                tenths: vec![3, 9],
                supports: vec![20, 40],
            },
        }
    }

    pub(super) fn figures(&self) -> Vec<Figure> {
        const BOTH: &[Measure] = &[Measure::Instances, Measure::Frequent];
        let Setting { k, tenths, support } = self.fixed;
        let c = tenths as f64 / 10.0;
        let with_k = |&k: &u32| (k.to_string(), Setting { k, ..self.fixed });
        let with_c = |&tenths: &u64| {
            let setting = Setting {
                tenths,
                ..self.fixed
            };
            (format!("{:.1}", tenths as f64 / 10.0), setting)
        };
        let with_support = |&support: &u32| {
            let setting = Setting {
                support,
                ..self.fixed
            };
            (support.to_string(), setting)
        };
        vec![
            Figure {
                number: 2,
                parameter: "K",
                points: self.ks.iter().map(with_k).collect(),
                fixed: format!("L = {KNOWLEDGE}, C = {c}, K′ = {support}"),
                traditional: Traditional::KAnonymity,
                measures: BOTH,
            },
            Figure {
                number: 3,
                parameter: "C",
                points: self.tenths.iter().map(with_c).collect(),
                fixed: format!("L = {KNOWLEDGE}, K = {k}, K′ = {support}"),
                traditional: Traditional::ConfidenceBounding,
                measures: BOTH,
            },
            Figure {
                number: 4,
                parameter: "K′",
                points: self.supports.iter().map(with_support).collect(),
                fixed: format!("L = {KNOWLEDGE}, K = {k}, C = {c}"),
                traditional: Traditional::KAnonymity,
                measures: &[Measure::Frequent],
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_the_papers() {
        let figures = Plan::new(Effort::Full).figures();
        let runs: Vec<usize> = figures.iter().map(|f| f.all_options().count()).collect();
        assert_eq!(runs, [60, 60, 30]);
        assert_eq!(
            figures[0].title(),
            "Figure 2: loss against K (L = 3, C = 0.6, K′ = 800)"
        );
        let told: Vec<String> = figures[0]
            .all_options()
            .map(|options| describe(&options))
            .take(6)
            .collect();
        assert_eq!(
            told,
            [
                "K = 10, C = 0.6, L = 3, record, instances",
                "K = 10, C = 0.6, L = 3, local, instances",
                "K = 10, C = 0.6, L = 3, global, instances",
                "K = 10, C = 1, L = all, record, instances",
                "K = 10, C = 1, L = all, local, instances",
                "K = 10, C = 1, L = all, global, instances",
            ]
        );
        let told: Vec<String> = figures[1].all_options().map(|o| describe(&o)).collect();
        assert_eq!(told[0], "K = 30, C = 0.1, L = 3, record, instances");
        assert_eq!(told[59], "K = 1, C = 0.9, L = all, global, MFS, K′ = 800");
        // What figure 4 shares with figure 2 is run once.
        let shared = figures[2].all_options();
        let shared = shared.filter(|o| figures[0].all_options().any(|other| other == *o));
        assert_eq!(shared.count(), 6);
    }
}
