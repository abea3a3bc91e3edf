//! A taxonomy of locations: a tree, because parallel composition over its branches needs one.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A group of locations, for instance a metro line or a borough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its label, unique among groups.
    pub label: String,
    /// The group it lies in; none for a group at the top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
}

/// A tree of groups in which every location lies in exactly one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taxonomy {
    groups: Vec<Group>,
    group_of_location: Vec<u32>,
}

impl Taxonomy {
    /// Checks that labels are unique, that parents form a tree, and that every location's group
    /// exists.
    pub fn new(groups: Vec<Group>, group_of_location: Vec<u32>) -> Result<Self> {
        let count = groups.len();
        let mut seen = rustc_hash::FxHashSet::default();
        for (index, group) in groups.iter().enumerate() {
            if group.label.is_empty() {
                return Err(Error::input(format!(
                    "taxonomy group {index} has an empty label"
                )));
            }
            if !seen.insert(group.label.as_str()) {
                return Err(Error::input(format!(
                    "taxonomy group {:?} appears twice",
                    group.label
                )));
            }
            if group.parent.is_some_and(|parent| parent as usize >= count) {
                return Err(Error::input(format!(
                    "taxonomy group {:?} has a parent that does not exist",
                    group.label
                )));
            }
        }
        if let Some(group) = own_ancestor(&groups) {
            return Err(Error::input(format!(
                "taxonomy group {:?} is its own ancestor",
                groups[group as usize].label
            )));
        }
        if let Some(deep) = (0..count).find(|&group| depth(&groups, group) > Self::MAX_DEPTH) {
            return Err(Error::input(format!(
                "taxonomy group {:?} is nested more than {} groups deep",
                groups[deep].label,
                Self::MAX_DEPTH
            )));
        }
        if let Some(location) = group_of_location
            .iter()
            .position(|&group| group as usize >= count)
        {
            return Err(Error::input(format!(
                "location number {location} lies in a taxonomy group that does not exist"
            )));
        }
        Ok(Self {
            groups,
            group_of_location,
        })
    }

    /// The deepest nesting of groups.
    pub const MAX_DEPTH: usize = 64;

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The group that a location lies in.
    pub fn group_of(&self, location: u32) -> u32 {
        self.group_of_location[location as usize]
    }

    /// The group of every location, in the universe's order.
    pub fn group_of_location(&self) -> &[u32] {
        &self.group_of_location
    }
}

/// A group that is its own ancestor, if there is one.
///
/// Readers ask this before they build a [`Taxonomy`], because they know the line at fault. A parent
/// that does not exist counts as the top.
pub fn own_ancestor(groups: &[Group]) -> Option<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut walk_of = vec![UNSEEN; groups.len()];
    for start in 0..groups.len() as u32 {
        let mut at = Some(start);
        // Marks what is known to end at the top; a walk that meets itself is a cycle.
        while let Some(group) = at.filter(|&group| (group as usize) < groups.len()) {
            if walk_of[group as usize] == start {
                return Some(group);
            }
            if walk_of[group as usize] != UNSEEN {
                break;
            }
            walk_of[group as usize] = start;
            at = groups[group as usize].parent;
        }
    }
    None
}

/// How many groups a group lies in, itself included; counted no further than matters.
fn depth(groups: &[Group], group: usize) -> usize {
    let ancestors = std::iter::successors(Some(group), |&at| {
        groups[at].parent.map(|parent| parent as usize)
    });
    ancestors.take(Taxonomy::MAX_DEPTH + 1).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(label: &str, parent: Option<u32>) -> Group {
        Group {
            label: label.into(),
            parent,
        }
    }

    #[test]
    fn accepts_a_forest() {
        let groups = vec![
            group("metro", None),
            group("green", Some(0)),
            group("bus", None),
        ];
        let taxonomy = Taxonomy::new(groups, vec![1, 1, 2]).unwrap();
        assert_eq!(taxonomy.group_of(2), 2);
    }

    #[test]
    fn refuses_cycles_doubles_and_strangers() {
        let cycle = vec![group("a", Some(1)), group("b", Some(0))];
        assert!(Taxonomy::new(cycle, vec![]).is_err());
        assert!(Taxonomy::new(vec![group("a", Some(0))], vec![]).is_err());
        assert!(Taxonomy::new(vec![group("a", None), group("a", None)], vec![]).is_err());
        assert!(Taxonomy::new(vec![group("a", Some(7))], vec![]).is_err());
        assert!(Taxonomy::new(vec![group("a", None)], vec![1]).is_err());
        assert!(Taxonomy::new(vec![group("", None)], vec![]).is_err());
        let chain = |length: u32| {
            let parent = |at: u32| at.checked_sub(1);
            let groups = (0..length).map(|at| group(&at.to_string(), parent(at)));
            Taxonomy::new(groups.collect(), vec![])
        };
        assert!(chain(64).is_ok() && chain(65).is_err());
    }

    #[test]
    fn finds_a_group_on_the_cycle_not_one_that_leads_to_it() {
        let lasso = [
            group("tail", Some(1)),
            group("a", Some(2)),
            group("b", Some(1)),
        ];
        assert_eq!(own_ancestor(&lasso), Some(1));
        assert_eq!(own_ancestor(&lasso[..1]), None);
        assert_eq!(own_ancestor(&[]), None);
    }
}
