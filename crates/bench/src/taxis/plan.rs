//! Which runs there are.

use std::num::NonZeroU32;

use wayveil_mechanisms::generalize::windows::Choice;

use crate::benchmarks::Effort;

/// δ of all repaired runs but one: far below one over the number of taxis.
pub(super) const DELTA: &str = "1e-6";

/// One way to release the taxis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Every point's cluster, without leaving out, decoys or noise: what coarser places alone tell.
    ClustersAlone,
    /// As the paper prints it.
    AsPublished,
    /// With a guarantee.
    Repaired(Repaired),
}

/// Parameters of the repaired method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repaired {
    pub(super) centres: Centres,
    /// Whole tracks where there are none.
    pub(super) windows: Option<Windows>,
    pub(super) collapse: bool,
    pub(super) noise: Noise,
    /// Whether there are decoys.
    pub(super) decoys: bool,
    pub(super) epsilon: &'static str,
    pub(super) delta: &'static str,
}

/// What clusters are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Centres {
    /// The cells of the public grid: free.
    Public,
    /// The points of the taxis, with noise, for the mechanism's usual share of ε.
    Private,
}

/// Pieces of tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Windows {
    /// n.
    pub(super) points: u32,
    /// m: at most so many of one taxi.
    pub(super) most: NonZeroU32,
    /// Which of them.
    pub(super) choice: Choice,
}

/// The noise on counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noise {
    Laplace,
    Truncated,
}

impl Windows {
    fn usual(points: u32, most: NonZeroU32) -> Self {
        Self {
            points,
            most,
            choice: Choice::Usual,
        }
    }
}

impl Way {
    /// The way in a few words, without ε.
    pub(super) fn name(&self) -> String {
        match self {
            Self::ClustersAlone => "clusters alone".into(),
            Self::AsPublished => "as published".into(),
            Self::Repaired(repaired) => repaired.name(),
        }
    }

    /// The way in a few words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Repaired(repaired) => format!("{}, ε = {}", repaired.name(), repaired.epsilon),
            _ => self.name(),
        }
    }

    /// What is promised.
    pub(super) fn guarantee(&self) -> String {
        match self {
            Self::Repaired(Repaired { epsilon, delta, .. }) => format!("({epsilon}, {delta})-DP"),
            _ => "none".into(),
        }
    }

    pub(super) fn repaired(&self) -> Option<&Repaired> {
        match self {
            Self::Repaired(repaired) => Some(repaired),
            _ => None,
        }
    }

    /// Whether tracks stay whole.
    pub(super) fn is_whole(&self) -> bool {
        self.repaired().is_none_or(|it| it.windows.is_none())
    }
}

impl Repaired {
    /// Whole tracks at the usual ε.
    pub(super) fn whole(centres: Centres) -> Self {
        Self {
            centres,
            windows: None,
            collapse: false,
            noise: Noise::Laplace,
            decoys: true,
            epsilon: USUAL,
            delta: DELTA,
        }
    }

    /// The parameters as a publisher would give them; what is not named has the mechanism's default.
    pub(super) fn parameters(&self, plan: &Plan) -> Vec<(&'static str, String)> {
        let centres = match self.centres {
            Centres::Public => "public",
            Centres::Private => "private",
        };
        let noise = match self.noise {
            Noise::Laplace => "laplace",
            Noise::Truncated => "truncated",
        };
        let decoys = if self.decoys { plan.decoys } else { 0 };
        let mut given = vec![
            ("epsilon", self.epsilon.to_owned()),
            ("delta", self.delta.to_owned()),
            ("clusters", plan.clusters.to_string()),
            ("decoys", decoys.to_string()),
            ("centres", centres.to_owned()),
            ("noise", noise.to_owned()),
            ("collapse", self.collapse.to_string()),
        ];
        match self.windows {
            None => given.push(("window", "all".to_owned())),
            Some(windows) => given.extend([
                ("window", windows.points.to_string()),
                ("windows", windows.most.to_string()),
                ("choose", windows.choice.name().to_owned()),
            ]),
        }
        given
    }

    /// Whether all but ε, centres, n and m is as in most runs.
    pub(super) fn is_usual(&self) -> bool {
        let usual = Self {
            windows: self
                .windows
                .map(|windows| Windows::usual(windows.points, windows.most)),
            epsilon: self.epsilon,
            ..Self::whole(self.centres)
        };
        *self == usual
    }

    fn name(&self) -> String {
        let mut words = match self.windows {
            None => "whole tracks".to_owned(),
            Some(Windows { points, most, .. }) => format!("n = {points}, m = {most}"),
        };
        words += match self.centres {
            Centres::Public => ", public centres",
            Centres::Private => ", private centres",
        };
        words += match self.windows.map(|windows| windows.choice) {
            None | Some(Choice::Usual) => "",
            Some(Choice::First) => ", first windows",
            Some(Choice::Random) => ", random windows",
        };
        if !self.decoys {
            words += ", no decoys";
        }
        if self.collapse {
            words += ", stays collapsed";
        }
        if self.noise == Noise::Truncated {
            words += ", truncated noise";
        }
        if self.delta != DELTA {
            words += &format!(", δ = {}", self.delta);
        }
        words
    }
}

/// Everything that is run.
pub(super) struct Plan {
    /// Where they are generated.
    pub(super) taxis: u32,
    pub(super) clusters: usize,
    pub(super) decoys: u32,
    pub(super) repeats: usize,
    pub(super) epsilons: Vec<&'static str>,
    /// Lengths of windows.
    pub(super) points: Vec<u32>,
    /// Windows of one taxi.
    pub(super) most: Vec<NonZeroU32>,
    pub(super) ways: Vec<Way>,
}

/// Where the other parameters are tried out, and what the map shows.
pub(super) const USUAL: &str = "1";

impl Plan {
    pub(super) fn new(effort: Effort) -> Self {
        let some = |numbers: &[u32]| {
            numbers
                .iter()
                .copied()
                .filter_map(NonZeroU32::new)
                .collect()
        };
        let mut plan = match effort {
            Effort::Full => Self {
                taxis: 200,
                clusters: 20,
                decoys: 50,
                repeats: 10,
                epsilons: vec!["0.5", USUAL, "2"],
                points: vec![2, 3, 4, 5],
                most: some(&[1, 2, 5]),
                ways: Vec::new(),
            },
            Effort::Quick => Self {
                taxis: 60,
                clusters: 6,
                decoys: 10,
                repeats: 2,
                epsilons: vec![USUAL, "2"],
                points: vec![2],
                most: some(&[1]),
                ways: Vec::new(),
            },
        };
        plan.ways = plan.all_ways();
        plan
    }

    fn all_ways(&self) -> Vec<Way> {
        let mut ways = vec![Way::ClustersAlone, Way::AsPublished];
        let both = [Centres::Public, Centres::Private];
        let whole = [None].into_iter();
        let windows = self.most.iter().flat_map(|&most| {
            let lengths = self.points.iter();
            lengths.map(move |&points| Some(Windows::usual(points, most)))
        });
        for windows in whole.chain(windows) {
            for centres in both {
                for &epsilon in &self.epsilons {
                    ways.push(Way::Repaired(Repaired {
                        windows,
                        epsilon,
                        ..Repaired::whole(centres)
                    }));
                }
            }
        }
        let others = self.points.iter().flat_map(|&points| self.others(points));
        ways.extend(others.map(Way::Repaired));
        ways
    }

    /// What else can be chosen, for one window of each taxi and public centres.
    fn others(&self, points: u32) -> Vec<Repaired> {
        let windows = Windows::usual(points, NonZeroU32::MIN);
        let usual = Repaired {
            windows: Some(windows),
            ..Repaired::whole(Centres::Public)
        };
        let mut others = vec![
            Repaired {
                noise: Noise::Truncated,
                ..usual.clone()
            },
            Repaired {
                delta: "1e-9",
                ..usual.clone()
            },
            Repaired {
                collapse: true,
                ..usual.clone()
            },
        ];
        let chosen = |choice| Repaired {
            windows: Some(Windows { choice, ..windows }),
            ..usual.clone()
        };
        let undisguised = Repaired {
            decoys: false,
            ..usual.clone()
        };
        for other in [undisguised, chosen(Choice::First), chosen(Choice::Random)] {
            others.extend(self.epsilons.iter().map(|&epsilon| Repaired {
                epsilon,
                ..other.clone()
            }));
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_experiment_is_the_papers_and_every_run_is_another() {
        let plan = Plan::new(Effort::Full);
        assert_eq!((plan.taxis, plan.clusters, plan.decoys), (200, 20, 50));
        // Two without a guarantee; (1 + 4 · 3) · 2 · 3 repaired ones; 4 · (3 + 3 · 3) others.
        assert_eq!(plan.ways.len(), 2 + 78 + 48);
        let mut words: Vec<String> = plan.ways.iter().map(Way::words).collect();
        assert_eq!(words[8], "n = 2, m = 1, public centres, ε = 0.5");
        words.sort();
        words.dedup();
        assert_eq!(words.len(), plan.ways.len());
    }

    #[test]
    fn every_parameter_is_given_as_a_publisher_would() {
        let plan = Plan::new(Effort::Full);
        let way = Repaired {
            windows: Some(Windows::usual(3, NonZeroU32::MIN)),
            ..Repaired::whole(Centres::Private)
        };
        let given = way.parameters(&plan);
        let line: Vec<String> = given
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let expected = "epsilon=1 delta=1e-6 clusters=20 decoys=50 centres=private noise=laplace \
                        collapse=false window=3 windows=1 choose=usual";
        assert_eq!(line.join(" "), expected);
        assert!(way.is_usual());
        assert!(
            !Repaired {
                decoys: false,
                ..way
            }
            .is_usual()
        );
    }
}
