//! A setting of a method: what is told to it, and what lies near.

use super::candidates::{Bounds, Method};
use crate::evaluation::Candidate;
use crate::task::Task;

/// The most nodes of a tree with the paper's low thresholds, which would explode without a cap.
const NODE_CAP: &str = "50000";
/// What a campaign calls a crowd, as shares of the clients.
pub(super) const CROWDS: [f64; 6] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1];

/// How a tree's budget is split over its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Split {
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
pub(super) enum Keep {
    Usual,
    More,
    Fewer,
    Paper,
}

/// How a tree groups places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Groups {
    None,
    Taxonomy,
    FanOut(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Inference {
    Usual,
    LeastSquares,
    None,
}

/// The setting of a method, without ε.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Setting {
    Woven(Woven),
    Tree(Tree),
    Windows(Windows),
    Campaign(Campaign),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Woven {
    /// None for all tasks alike.
    pub(super) task: Option<Task>,
    /// The longest trajectory that counts in full.
    pub(super) longest: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    pub(super) height: u32,
    pub(super) split: Split,
    pub(super) keep: Keep,
    pub(super) groups: Groups,
    pub(super) even_groups: bool,
    pub(super) inference: Inference,
}

/// Every place is a cluster of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Windows {
    pub(super) clusters: usize,
    pub(super) timed: bool,
    /// None for whole records.
    pub(super) points: Option<u32>,
    pub(super) windows: u32,
    pub(super) choose: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Campaign {
    pub(super) people: u64,
    /// The longest trajectory that is drawn.
    pub(super) longest: u32,
    /// Which of [`CROWDS`].
    pub(super) crowd: usize,
    pub(super) length: u32,
    pub(super) loose: bool,
    pub(super) per_client: u32,
}

impl Setting {
    /// The method and its parameters, but for ε; what is at its default is not named.
    pub(super) fn candidate(&self) -> Candidate {
        let mut parameters: Vec<(String, String)> = Vec::new();
        let mut set = |name: &str, value: String| parameters.push((name.into(), value));
        let method = match self {
            Self::Woven(it) => {
                set("max-length", it.longest.to_string());
                if let Some(task) = it.task {
                    set("task", task.name().into());
                }
                Method::Weave
            }
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
            Self::Woven(_) => 0,
            Self::Tree(tree) => tree.height,
            Self::Windows(it) => it.points.unwrap_or(0),
            Self::Campaign(it) => it.length,
        };
        (self.candidate().parameters.len(), size)
    }

    /// What differs from it in one thing.
    pub(super) fn near(&self, bounds: &Bounds) -> Vec<Setting> {
        match self {
            // Both are tried at once.
            Self::Woven(_) => Vec::new(),
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
    use super::*;

    #[test]
    fn crowds_are_round_numbers() {
        for (number, round) in [(0.2, 1), (7.4, 7), (123.4, 120), (98_765.0, 99_000)] {
            assert_eq!(rounded(number), round);
        }
    }
}
