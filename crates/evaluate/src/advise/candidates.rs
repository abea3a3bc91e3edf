//! Which settings of which method are tried: all from public inputs.
//!
//! `weave` chooses its bounds and shares itself; it is told its task and the longest record, and no more.
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
use super::setting::{
    CROWDS, Campaign, Groups, Inference, Keep, Setting, Split, Tree, Windows, Woven,
};
use crate::evaluation::Candidate;
use crate::task::Task;

/// The tallest tree that is tried: deeper levels have next to nothing of ε left.
const TALLEST: u32 = 16;
/// The heights that are tried at once.
const HEIGHTS: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
/// Below so many places a tree does not ask for groups first.
const LEAST_GROUPED: usize = 16;
/// The most clusters that `generalize` takes.
const MOST_CLUSTERS: usize = 2048;
/// The longest record that `weave` takes.
const LONGEST_WOVEN: u32 = 1000;

/// A method that advice knows to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// `weave`.
    Weave,
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
    /// All of them: among equals the first is advised, which is ours, and then the simpler.
    pub const ALL: [Self; 6] = [
        Self::Weave,
        Self::PrefixTree,
        Self::HybridTree,
        Self::Generalize,
        Self::Fastpub,
        Self::Suppress,
    ];

    /// Its name in the list of mechanisms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weave => "weave",
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
    pub(super) least_height: u32,
    pub(super) most_height: u32,
    pub(super) groups: Vec<Groups>,
    pub(super) inference: bool,
    /// Whether few settings shall be tried.
    pub(super) few: bool,
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
        few: effort == Effort::Quick,
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
        Method::Weave => woven(facts, task, bounds.few),
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

/// For all tasks alike, and unless there shall be few, for its own. What it refuses (too many places, say) it refuses
/// itself, when it is tried.
fn woven(facts: &Facts, task: Task, few: bool) -> Result<Vec<Setting>, String> {
    let setting = |task| {
        Setting::Woven(Woven {
            task,
            longest: facts.longest().min(LONGEST_WOVEN),
        })
    };
    let own = (!few).then_some(Some(task));
    Ok([None].into_iter().chain(own).map(setting).collect())
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
        assert_eq!(fit, [Weave, PrefixTree, HybridTree, Generalize]);
        assert_eq!(out, ["fastpub", "suppress"]);
        assert_eq!(
            methods(&facts(5, false, false), Task::Counts, false).0,
            [Weave, PrefixTree]
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
                // Ours has little to set.
                let least = if space.method == Method::Weave { 2 } else { 20 };
                assert!(all.len() >= least);
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
}
