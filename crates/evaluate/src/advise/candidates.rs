//! Which settings of which method are tried: all from public inputs.
//!
//! What moves the error of a tree most is its height: levels share ε, and what lies deeper is lost.
//! Then how low its thresholds are, and how ε is split over levels. `start` holds what is tried at once,
//! heights above all; [`Setting::near`] what differs in one thing, which is tried on those that
//! did well. Inference moves errors by a few per cent and is tried by thorough searches only.

use serde::Serialize;
use wayveil_core::PrivacyUnit;

use super::advice::LeftOut;
use super::facts::Facts;
use super::search::Effort;
use crate::evaluation::Candidate;
use crate::task::Task;

/// The tallest tree that is tried: deeper levels have next to nothing of ε left.
const TALLEST: u32 = 16;
/// The heights that are tried at once.
const HEIGHTS: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
/// Below so many places a tree does not ask for groups first.
const LEAST_GROUPED: usize = 16;
/// The most nodes of a tree with the paper's low thresholds, which would explode without a cap.
const NODE_CAP: &str = "50000";
/// The most clusters that `generalize` takes.
const MOST_CLUSTERS: usize = 2048;
/// What a campaign calls a crowd, as shares of the clients.
const CROWDS: [f64; 6] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1];

/// A method that advice knows to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// `prefix-tree`.
    PrefixTree,
    /// `hybrid-tree`.
    HybridTree,
    /// `generalize`.
    Generalize,
    /// `fastpub`.
    Fastpub,
    /// `suppress`.
    Suppress,
}

impl Method {
    /// All of them, the simpler first: among equals the first is advised.
    pub const ALL: [Self; 5] = [
        Self::PrefixTree,
        Self::HybridTree,
        Self::Generalize,
        Self::Fastpub,
        Self::Suppress,
    ];

    /// Its name in the list of mechanisms.
    pub fn name(self) -> &'static str {
        match self {
            Self::PrefixTree => "prefix-tree",
            Self::HybridTree => "hybrid-tree",
            Self::Generalize => "generalize",
            Self::Fastpub => "fastpub",
            Self::Suppress => "suppress",
        }
    }

    /// The method of a candidate.
    pub(super) fn of(candidate: &Candidate) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|method| method.name() == candidate.method)
    }
}

/// Why a method is left out.
pub type Excluded = LeftOut;

/// How a tree's budget is split over its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Split {
    Uniform,
    Rising,
    Falling,
}

impl Split {
    fn text(self, height: u32) -> Option<String> {
        let parts = |levels: &mut dyn Iterator<Item = u32>| {
            let texts: Vec<String> = levels.map(|it| it.to_string()).collect();
            texts.join(",")
        };
        match self {
            _ if height < 2 => None,
            Self::Uniform => None,
            Self::Rising => Some(parts(&mut (2..height + 2))),
            Self::Falling => Some(parts(&mut (2..height + 2).rev())),
        }
    }
}

/// Which noisy counts a tree keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Keep {
    Usual,
    More,
    Fewer,
    Paper,
}

/// How a tree groups places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Groups {
    None,
    Taxonomy,
    FanOut(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Inference {
    Usual,
    LeastSquares,
    None,
}

/// The setting of a method, without ε.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Setting {
    Tree(Tree),
    Windows(Windows),
    Campaign(Campaign),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    height: u32,
    split: Split,
    keep: Keep,
    groups: Groups,
    even_groups: bool,
    inference: Inference,
}

/// Every place is a cluster of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Windows {
    clusters: usize,
    timed: bool,
    /// None for whole records.
    points: Option<u32>,
    windows: u32,
    choose: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Campaign {
    people: u64,
    /// The longest trajectory that is drawn.
    longest: u32,
    /// Which of [`CROWDS`].
    crowd: usize,
    length: u32,
    loose: bool,
    per_client: u32,
}

/// All settings of one method.
#[derive(Clone, Debug)]
pub struct Space {
    pub(super) method: Method,
    pub(super) start: Vec<Setting>,
    pub(super) bounds: Bounds,
}

/// What settings may be, by public inputs.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    least_height: u32,
    most_height: u32,
    groups: Vec<Groups>,
    inference: bool,
}

/// The settings of every method that fits a task, and why others do not. `methods` names those that may
/// be advised; empty for all. With `nobody_trusted`, only methods in which the collector learns nothing
/// either.
pub fn spaces(
    facts: &Facts,
    people: u64,
    task: Task,
    nobody_trusted: bool,
    methods: &[Method],
    effort: Effort,
) -> (Vec<Space>, Vec<Excluded>) {
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    let bounds = bounds(facts, task, effort);
    for method in Method::ALL {
        let asked = methods.is_empty() || methods.contains(&method);
        let start = match asked {
            false => continue,
            true => start(method, &bounds, facts, people, task, nobody_trusted),
        };
        match start {
            Ok(start) => found.push(Space {
                method,
                start,
                bounds: bounds.clone(),
            }),
            Err(reason) => left_out.push(LeftOut {
                method: method.name().into(),
                reason,
            }),
        }
    }
    (found, left_out)
}

fn bounds(facts: &Facts, task: Task, effort: Effort) -> Bounds {
    let places = facts.universe.len();
    let mut groups = Vec::new();
    if facts.universe.taxonomy().is_some() {
        groups.push(Groups::Taxonomy);
    }
    if places >= LEAST_GROUPED {
        groups.push(Groups::FanOut((places as f64).sqrt().round() as u32));
    }
    let most_height = facts.longest().clamp(1, TALLEST);
    Bounds {
        // A single visit is neither a pattern nor a flow.
        least_height: if task == Task::Counts {
            1
        } else {
            2.min(most_height)
        },
        most_height,
        groups,
        inference: effort == Effort::Thorough,
    }
}

fn start(
    method: Method,
    bounds: &Bounds,
    facts: &Facts,
    people: u64,
    task: Task,
    nobody_trusted: bool,
) -> Result<Vec<Setting>, String> {
    if method == Method::Suppress {
        return Err("it adds no noise and has no epsilon; it serves --task truthful".into());
    }
    if nobody_trusted != (method == Method::Fastpub) {
        return Err(match nobody_trusted {
            true => "it needs a collector who may see the raw data".into(),
            false => "it is for campaigns in which nobody is trusted: --nobody-trusted".into(),
        });
    }
    let heights = HEIGHTS
        .into_iter()
        .filter(|height| (bounds.least_height..=bounds.most_height).contains(height));
    let tree = |height, groups| {
        Setting::Tree(Tree {
            height,
            split: Split::Uniform,
            keep: Keep::Usual,
            groups,
            even_groups: false,
            inference: Inference::Usual,
        })
    };
    match method {
        Method::PrefixTree => Ok(heights.map(|it| tree(it, Groups::None)).collect()),
        Method::HybridTree => {
            let Some(&groups) = bounds.groups.first() else {
                return Err(format!(
                    "{} places without a taxonomy are too few to ask for groups first",
                    facts.universe.len()
                ));
            };
            Ok(heights.map(|it| tree(it, groups)).collect())
        }
        Method::Generalize => windows(facts),
        Method::Fastpub => campaigns(facts, people, task),
        Method::Suppress => Ok(Vec::new()),
    }
}

fn windows(facts: &Facts) -> Result<Vec<Setting>, String> {
    let places = facts.universe.len();
    if !facts.has_coordinates() {
        return Err("it puts places into clusters, and these have no coordinates".into());
    }
    if places > MOST_CLUSTERS {
        return Err(format!(
            "it would put {places} places into at most {MOST_CLUSTERS} clusters, and what is said of \
             clusters cannot be compared with what is asked about places"
        ));
    }
    let setting = |points| {
        Setting::Windows(Windows {
            clusters: places,
            timed: facts.time.is_some(),
            points,
            windows: 1,
            choose: "usual",
        })
    };
    let points = [1, 2, 3, 4].into_iter().filter(|it| *it <= facts.longest());
    Ok(points.map(Some).chain([None]).map(setting).collect())
}

fn campaigns(facts: &Facts, people: u64, task: Task) -> Result<Vec<Setting>, String> {
    if task != Task::Patterns {
        return Err("it publishes fragments of trajectories, which serve --task patterns".into());
    }
    if facts.time.is_some() {
        return Err(
            "it leaves times out, and patterns of timed data are of places at times".into(),
        );
    }
    if facts.unit.records() > 1 || facts.unit == PrivacyUnit::Trip {
        return Err("each client holds all of a person's trips as one record".into());
    }
    let setting = |crowd, length| {
        Setting::Campaign(Campaign {
            people,
            longest: facts.longest(),
            crowd,
            length,
            loose: false,
            per_client: 1,
        })
    };
    // A campaign takes long to simulate: the ends of the list and longer fragments are found from here.
    let crowds = 1..CROWDS.len() - 1;
    Ok(crowds.map(|crowd| setting(crowd, 2)).collect())
}

impl Setting {
    /// The method and its parameters, but for ε; what is at its default is not named.
    pub(super) fn candidate(&self) -> Candidate {
        let mut parameters: Vec<(String, String)> = Vec::new();
        let mut set = |name: &str, value: String| parameters.push((name.into(), value));
        let method = match self {
            Self::Tree(tree) => {
                set("height", tree.height.to_string());
                if let Some(split) = tree.split.text(tree.height) {
                    set("split", split);
                }
                match tree.keep {
                    Keep::Usual => {}
                    Keep::More => set("rho", "9/10".into()),
                    Keep::Fewer => set("rho", "1/10".into()),
                    Keep::Paper => {
                        set("threshold", "paper".into());
                        set("node-cap", NODE_CAP.into());
                    }
                }
                match tree.inference {
                    Inference::Usual => {}
                    Inference::LeastSquares => set("inference", "least-squares".into()),
                    Inference::None => set("inference", "none".into()),
                }
                if let Groups::FanOut(places) = tree.groups {
                    set("fan-out", places.to_string());
                }
                if tree.even_groups {
                    set("group-share", "1/2".into());
                }
                match tree.groups {
                    Groups::None => Method::PrefixTree,
                    Groups::Taxonomy | Groups::FanOut(_) => Method::HybridTree,
                }
            }
            Self::Windows(it) => {
                set("clusters", it.clusters.to_string());
                set("decoys", "0".into());
                set(
                    "window",
                    it.points.map_or("all".into(), |it| it.to_string()),
                );
                if it.windows > 1 {
                    set("windows", it.windows.to_string());
                }
                if it.choose != "usual" {
                    set("choose", it.choose.into());
                }
                if it.timed {
                    set("bins-together", "1".into());
                }
                Method::Generalize
            }
            Self::Campaign(it) => {
                set(
                    "k",
                    rounded(it.people as f64 * CROWDS[it.crowd]).to_string(),
                );
                set("length", it.length.to_string());
                set("longest", it.longest.to_string());
                if it.loose {
                    set("xi", "0.05".into());
                }
                if it.per_client > 1 {
                    set("per-client", it.per_client.to_string());
                }
                Method::Fastpub
            }
        };
        Candidate {
            method: method.name().into(),
            parameters,
        }
    }

    /// How much there is to explain: among equals the simpler is advised.
    pub(super) fn complexity(&self) -> (usize, u32) {
        let size = match self {
            Self::Tree(tree) => tree.height,
            Self::Windows(it) => it.points.unwrap_or(0),
            Self::Campaign(it) => it.length,
        };
        (self.candidate().parameters.len(), size)
    }

    /// What differs from it in one thing.
    pub(super) fn near(&self, bounds: &Bounds) -> Vec<Setting> {
        match self {
            Self::Tree(tree) => tree.near(bounds).into_iter().map(Self::Tree).collect(),
            Self::Windows(it) => it.near().into_iter().map(Self::Windows).collect(),
            Self::Campaign(it) => it.near().into_iter().map(Self::Campaign).collect(),
        }
    }
}

impl Tree {
    fn near(self, bounds: &Bounds) -> Vec<Self> {
        let mut near = Vec::new();
        for height in [self.height.saturating_sub(1), self.height + 1] {
            if (bounds.least_height..=bounds.most_height).contains(&height) {
                near.push(Self { height, ..self });
            }
        }
        let keep = [Keep::Usual, Keep::More, Keep::Fewer, Keep::Paper];
        near.extend(keep.map(|keep| Self { keep, ..self }));
        if self.height > 1 {
            let splits = [Split::Uniform, Split::Rising, Split::Falling];
            near.extend(splits.map(|split| Self { split, ..self }));
        }
        if self.groups != Groups::None {
            let groups = bounds.groups.iter();
            near.extend(groups.map(|&groups| Self { groups, ..self }));
            let even_groups = !self.even_groups;
            near.push(Self {
                even_groups,
                ..self
            });
        }
        if bounds.inference {
            let ways = [Inference::Usual, Inference::LeastSquares, Inference::None];
            near.extend(ways.map(|inference| Self { inference, ..self }));
        }
        near.retain(|other| *other != self);
        near
    }
}

impl Windows {
    fn near(self) -> Vec<Self> {
        let mut near = Vec::new();
        if let Some(points) = self.points {
            for points in [points.saturating_sub(1).max(1), points + 1] {
                near.push(Self {
                    points: Some(points),
                    ..self
                });
            }
            for windows in [1, 2, 4] {
                near.push(Self { windows, ..self });
            }
            for choose in ["usual", "first", "random"] {
                near.push(Self { choose, ..self });
            }
        }
        near.retain(|other| *other != self);
        near
    }
}

impl Campaign {
    fn near(self) -> Vec<Self> {
        let crowds = [self.crowd.saturating_sub(1), self.crowd + 1];
        let mut near: Vec<Self> = crowds
            .into_iter()
            .filter(|&crowd| crowd < CROWDS.len())
            .map(|crowd| Self { crowd, ..self })
            .collect();
        for length in [self.length - 1, self.length + 1] {
            if (2..=5).contains(&length) {
                near.push(Self { length, ..self });
            }
        }
        near.push(Self {
            loose: !self.loose,
            ..self
        });
        near.push(Self {
            per_client: 3 - self.per_client,
            ..self
        });
        near.retain(|other| *other != self);
        near
    }
}

/// A whole number from 1 on, with two digits that count.
fn rounded(number: f64) -> u64 {
    let mut scale = 1.0;
    while number / scale >= 100.0 {
        scale *= 10.0;
    }
    ((number / scale).round() * scale).max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use wayveil_core::{Coordinate, Location, Origin, TimeAxis, Universe, UniverseDocument};
    use wayveil_mechanisms::{Parameters, find};

    use super::*;
    use crate::advise::Sizes;

    fn facts(places: usize, coordinates: bool, timed: bool) -> Facts {
        let origin = Origin::Declared("test".into());
        let location = |at: usize| Location {
            label: at.to_string(),
            at: coordinates.then_some(Coordinate {
                lat: at as f64 / 100.0,
                lng: 0.0,
            }),
            ..Location::default()
        };
        let universe = Universe::try_from(UniverseDocument {
            origin: origin.clone(),
            locations: (0..places).map(location).collect(),
            groups: Vec::new(),
        });
        Facts {
            universe: Arc::new(universe.unwrap()),
            time: timed.then(|| TimeAxis::new(24, origin)),
            columns: Vec::new(),
            unit: PrivacyUnit::Owner,
            sizes: Sizes::default(),
        }
    }

    fn methods(facts: &Facts, task: Task, nobody: bool) -> (Vec<Method>, Vec<String>) {
        let (spaces, out) = spaces(facts, 50_000, task, nobody, &[], Effort::Normal);
        let names = out.into_iter().map(|it| it.method).collect();
        (spaces.iter().map(|it| it.method).collect(), names)
    }

    #[test]
    fn what_fits_depends_on_public_inputs_and_the_task() {
        use Method::*;
        let (fit, out) = methods(&facts(30, true, false), Task::Counts, false);
        assert_eq!(fit, [PrefixTree, HybridTree, Generalize]);
        assert_eq!(out, ["fastpub", "suppress"]);
        assert_eq!(
            methods(&facts(5, false, false), Task::Counts, false).0,
            [PrefixTree]
        );
        assert_eq!(
            methods(&facts(5, true, false), Task::Patterns, true).0,
            [Fastpub]
        );
        assert!(
            methods(&facts(5, true, false), Task::Flows, true)
                .0
                .is_empty()
        );
        assert!(
            methods(&facts(5, true, true), Task::Patterns, true)
                .0
                .is_empty()
        );
        assert!(
            !methods(&facts(3000, true, false), Task::Counts, false)
                .0
                .contains(&Generalize)
        );
    }

    #[test]
    fn every_setting_and_its_neighbours_can_be_built() {
        for (facts, task, nobody) in [
            (facts(30, true, true), Task::Flows, false),
            (facts(30, false, false), Task::Patterns, true),
        ] {
            let (spaces, _) = spaces(&facts, 50_000, task, nobody, &[], Effort::Thorough);
            for space in spaces {
                let mut all: HashSet<Setting> = space.start.iter().cloned().collect();
                for _ in 0..2 {
                    let near: Vec<Setting> =
                        all.iter().flat_map(|it| it.near(&space.bounds)).collect();
                    all.extend(near);
                }
                assert!(all.len() > 20);
                for setting in all {
                    let candidate = setting.candidate().with("epsilon", "1");
                    let entry = find(&candidate.method).unwrap();
                    assert_eq!(entry.name, space.method.name());
                    let given = candidate.parameters.iter().map(|(n, v)| (n, v.as_str()));
                    let parameters = Parameters::new(entry.parameters, given).unwrap();
                    assert!((entry.build)(&parameters).is_ok(), "{candidate:?}");
                    assert!(!setting.near(&space.bounds).contains(&setting));
                }
            }
        }
    }

    #[test]
    fn crowds_are_round_numbers() {
        for (number, round) in [(0.2, 1), (7.4, 7), (123.4, 120), (98_765.0, 99_000)] {
            assert_eq!(rounded(number), round);
        }
    }
}
