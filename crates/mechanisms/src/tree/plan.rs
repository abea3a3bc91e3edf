//! What is asked at each level, with which noise and threshold: a function of public inputs.
//!
//! Below a node, candidates are asked for in *steps* of the taxonomy: first its top groups, then,
//! under each that passes, what lies in it, down to locations. Without a taxonomy there is one
//! step: all locations. Each candidate has a *share* of the level's budget that follows from its
//! place in the taxonomy alone; the shares on every way from the top to a location sum to one.

use std::sync::OnceLock;

use wayveil_core::{Error, Rational, Result, Taxonomy};
use wayveil_noise::{DiscreteLaplace, EmptyChildren, Rate, auto_threshold, paper_threshold};

use super::count::Alphabet;

/// How thresholds are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// Two standard deviations of the noise for locations, four for groups, as published.
    Paper,
    /// At least two standard deviations of the noise, and high enough that at most this many empty
    /// candidates of a step pass on average.
    Auto(Rational),
    /// This number at every step.
    Fixed(u64),
}

/// What a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A location: a node of the tree.
    Location(u32),
    /// A group: a further step.
    Step(usize),
}

/// The members of a step that have the same share, and so the same noise.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) members: Vec<Target>,
    pub(super) laplace: DiscreteLaplace,
    rule: Rule,
    /// By the number of bins that the candidates may have, less one.
    passing: Vec<OnceLock<Passing>>,
}

#[derive(Clone, Debug)]
enum Rule {
    Fixed(u64),
    /// At most ρ of this many members, times the number of bins.
    Auto {
        members: u64,
        rho: (u64, u64),
        rate: Rate,
    },
}

/// A threshold and the empty candidates that reach it.
#[derive(Debug)]
pub(super) struct Passing {
    pub(super) threshold: u64,
    pub(super) empty: EmptyChildren,
}

impl Class {
    fn asks_for_groups(&self) -> bool {
        self.members
            .iter()
            .any(|target| matches!(target, Target::Step(_)))
    }

    /// Threshold and empty candidates when candidates may lie in so many bins.
    pub(super) fn passing(&self, bins: u32) -> &Passing {
        self.passing[bins as usize - 1].get_or_init(|| {
            let threshold = match &self.rule {
                Rule::Fixed(threshold) => *threshold,
                Rule::Auto { members, rho, rate } => {
                    let candidates = members * u64::from(bins);
                    auto_threshold(rate, candidates, *rho)
                        .expect("rho is checked when the plan is made")
                }
            };
            Passing {
                threshold,
                empty: EmptyChildren::new(self.laplace, threshold),
            }
        })
    }
}

/// Where a location stands in a step: class and member.
pub(super) type Position = (u32, u32);

/// All steps of one level.
#[derive(Debug)]
pub(super) struct LevelPlan {
    pub(super) alphabet: Alphabet,
    /// The first is the step at the top.
    pub(super) steps: Vec<Vec<Class>>,
    /// For each location its positions in the steps on its way, the top first.
    ways: Vec<Vec<Position>>,
}

impl LevelPlan {
    /// Plans a level. `rate` is the level's budget over the records of a unit.
    pub(super) fn new(
        alphabet: Alphabet,
        taxonomy: Option<&Taxonomy>,
        shares: &GroupShare,
        rate: &Rational,
        threshold: &Threshold,
    ) -> Result<Self> {
        let mut builder = Builder {
            plan: Self {
                alphabet,
                steps: Vec::new(),
                ways: vec![Vec::new(); alphabet.locations() as usize],
            },
            below: Vec::new(),
            shares,
            rate,
            threshold,
        };
        let top = match taxonomy {
            None => (0..alphabet.locations()).map(Branch::Location).collect(),
            Some(taxonomy) => {
                let top = builder.read(taxonomy);
                builder.open_single(top)
            }
        };
        builder.step(top, Rational::new(1, 1)?)?;
        Ok(builder.plan)
    }

    /// Where a location stands in the step at `depth` of its way.
    pub(super) fn position(&self, location: u32, depth: usize) -> Position {
        self.ways[location as usize][depth]
    }

    /// Standard deviation of the noise on a symbol's count.
    pub(super) fn deviation_of(&self, symbol: u32) -> f64 {
        let way = &self.ways[self.alphabet.location(symbol) as usize];
        let mut step = 0;
        for &(class, member) in way {
            let class = &self.steps[step][class as usize];
            match class.members[member as usize] {
                Target::Location(_) => return class.laplace.std_dev(),
                Target::Step(next) => step = next,
            }
        }
        unreachable!("every way ends at a location")
    }

    /// The expected number of locations that pass below a node without records.
    pub(super) fn false_children(&self) -> f64 {
        self.false_below(0, self.alphabet.bins())
    }

    fn false_below(&self, step: usize, bins: u32) -> f64 {
        self.steps[step]
            .iter()
            .map(|class| {
                let each = class.passing(bins).empty.pass_probability().as_f64() * f64::from(bins);
                let targets = class.members.iter().map(|target| match target {
                    Target::Location(_) => 1.0,
                    Target::Step(next) => self.false_below(*next, 1),
                });
                each * targets.sum::<f64>()
            })
            .sum()
    }

    /// The least and the greatest threshold of steps that ask for locations (or for groups),
    /// whatever bins are left; none where there is no such step.
    pub(super) fn thresholds(&self, groups: bool) -> Option<(u64, u64)> {
        let all = self.steps.iter().enumerate().flat_map(|(step, classes)| {
            // A threshold rises with the bins that are left.
            let bins = if step == 0 { self.alphabet.bins() } else { 1 };
            classes
                .iter()
                .filter(|class| class.asks_for_groups() == groups)
                .flat_map(move |class| [1, bins].map(|bins| class.passing(bins).threshold))
        });
        all.fold(None, |range, threshold| {
            let (least, greatest) = range.unwrap_or((threshold, threshold));
            Some((least.min(threshold), greatest.max(threshold)))
        })
    }

    /// The largest standard deviation of the noise on any count.
    pub(super) fn largest_deviation(&self) -> f64 {
        let classes = self.steps.iter().flatten();
        classes
            .map(|class| class.laplace.std_dev())
            .fold(0.0, f64::max)
    }
}

/// A branch of the taxonomy, without branches that hold a single one.
enum Branch {
    Location(u32),
    Group(usize),
}

struct Builder<'a> {
    plan: LevelPlan,
    /// What lies in each group.
    below: Vec<Vec<Branch>>,
    shares: &'a GroupShare,
    rate: &'a Rational,
    threshold: &'a Threshold,
}

impl Builder<'_> {
    /// Reads the taxonomy and returns its top branches.
    fn read(&mut self, taxonomy: &Taxonomy) -> Vec<Branch> {
        let mut top = Vec::new();
        self.below = taxonomy.groups().iter().map(|_| Vec::new()).collect();
        for (group, entry) in taxonomy.groups().iter().enumerate() {
            match entry.parent {
                Some(parent) => self.below[parent as usize].push(Branch::Group(group)),
                None => top.push(Branch::Group(group)),
            }
        }
        for (location, &group) in taxonomy.group_of_location().iter().enumerate() {
            self.below[group as usize].push(Branch::Location(location as u32));
        }
        top
    }

    /// Follows a branch through groups that hold a single branch: asking there tells nothing new.
    /// A group that holds nothing disappears.
    fn settle(&mut self, mut branch: Branch) -> Option<Branch> {
        while let Branch::Group(group) = branch {
            let inside = std::mem::take(&mut self.below[group]);
            let mut settled: Vec<Branch> = inside
                .into_iter()
                .filter_map(|branch| self.settle(branch))
                .collect();
            match settled.len() {
                0 => return None,
                1 => branch = settled.remove(0),
                _ => {
                    self.below[group] = settled;
                    return Some(Branch::Group(group));
                }
            }
        }
        Some(branch)
    }

    /// What lies in the only group of the top, if there is only one: asking for it tells nothing.
    fn open_single(&mut self, top: Vec<Branch>) -> Vec<Branch> {
        let mut settled: Vec<Branch> = top
            .into_iter()
            .filter_map(|branch| self.settle(branch))
            .collect();
        match settled.as_slice() {
            [Branch::Group(group)] => std::mem::take(&mut self.below[*group]),
            _ => std::mem::take(&mut settled),
        }
    }

    /// Plans the step over these branches, with what is left of the level's budget, and
    /// everything below. Returns its number.
    fn step(&mut self, branches: Vec<Branch>, left: Rational) -> Result<usize> {
        let number = self.plan.steps.len();
        self.plan.steps.push(Vec::new());
        let branches: Vec<Branch> = branches
            .into_iter()
            .filter_map(|branch| self.settle(branch))
            .collect();
        let count = branches.len() as u64;
        let mut classes: Vec<(Rational, Vec<Target>)> = Vec::new();
        for branch in branches {
            let (share, target) = match branch {
                Branch::Location(location) => (left.clone(), Target::Location(location)),
                Branch::Group(group) => {
                    let inside = std::mem::take(&mut self.below[group]);
                    let share = self.shares.of(&left, inside.len())?;
                    let rest = left.minus(&share).unwrap_or_else(Rational::zero);
                    (share, Target::Step(self.step(inside, rest)?))
                }
            };
            let class = match classes.iter().position(|(other, _)| *other == share) {
                Some(class) => class,
                None => {
                    classes.push((share, Vec::new()));
                    classes.len() - 1
                }
            };
            classes[class].1.push(target);
        }
        for (class, (share, members)) in classes.into_iter().enumerate() {
            for (member, target) in members.iter().enumerate() {
                self.mark(*target, (class as u32, member as u32));
            }
            let class = self.class(number, &share, members, count)?;
            self.plan.steps[number].push(class);
        }
        Ok(number)
    }

    /// Notes the position for every location at or below the target, in front of what is noted.
    fn mark(&mut self, target: Target, position: Position) {
        match target {
            Target::Location(location) => self.plan.ways[location as usize].insert(0, position),
            Target::Step(step) => {
                let inside: Vec<Target> = self.plan.steps[step]
                    .iter()
                    .flat_map(|c| c.members.iter().copied())
                    .collect();
                for target in inside {
                    self.mark(target, position);
                }
            }
        }
    }

    fn class(
        &self,
        step: usize,
        share: &Rational,
        members: Vec<Target>,
        count: u64,
    ) -> Result<Class> {
        let budget = self.rate.times(share);
        let rate = budget
            .to_u64_parts()
            .and_then(|(numerator, denominator)| Rate::new(numerator, denominator).ok())
            .ok_or_else(|| {
                Error::input(format!(
                    "a share of {} of the budget cannot be sampled exactly",
                    budget.exact_text()
                ))
                .hint("give epsilon with fewer digits, a smaller height or a flatter taxonomy")
            })?;
        let groups = members
            .iter()
            .any(|target| matches!(target, Target::Step(_)));
        // Four standard deviations for groups: twice the paper's rule, rounded up once.
        let published = if groups {
            rate.checked_div(2)
                .map_or(paper_threshold(&rate) * 2, |half| paper_threshold(&half))
        } else {
            paper_threshold(&rate)
        };
        let rule = match self.threshold {
            Threshold::Paper => Rule::Fixed(published),
            Threshold::Fixed(threshold) => Rule::Fixed(*threshold),
            Threshold::Auto(rho) => {
                let rho = rho.to_u64_parts().filter(|&(numerator, _)| numerator > 0);
                let rho = rho.ok_or_else(|| Error::input("invalid rho: too many digits"))?;
                Rule::Auto {
                    members: count,
                    rho,
                    rate,
                }
            }
        };
        // Only at the top may candidates lie in several bins.
        let bins = if step == 0 {
            self.plan.alphabet.bins()
        } else {
            1
        };
        Ok(Class {
            members,
            laplace: DiscreteLaplace::new(rate),
            rule,
            passing: (0..bins).map(|_| OnceLock::new()).collect(),
        })
    }
}

/// How a group's share follows from what is left of a level's budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupShare {
    /// This part of what is left asks for the group, the rest for what lies in it.
    Part(Rational),
    /// With f branches in a group, 2/f of what is left. As printed, f = 2 would leave nothing for
    /// locations; up to 2 it is halved.
    Paper,
    /// The same with one f for all groups, as published.
    PaperWith(usize),
}

impl GroupShare {
    /// What remains is above zero, so that every location has some budget.
    fn of(&self, left: &Rational, inside: usize) -> Result<Rational> {
        let part = match self {
            Self::Part(part) => part.clone(),
            Self::Paper if inside <= 2 => Rational::new(1, 2)?,
            Self::Paper => Rational::new(2, inside as u64)?,
            Self::PaperWith(fan_out) => Rational::new(2, *fan_out as u64)?,
        };
        let share = left.times(&part);
        if share.is_zero() || share >= *left {
            return Err(Error::input(format!(
                "invalid group share (got {part}): must be above 0 and below 1"
            )));
        }
        Ok(share)
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
