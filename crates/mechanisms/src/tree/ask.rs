//! Who adds noise below one node: asks for all candidates and returns the locations that pass.

use std::ops::Range;

use rand_core::Rng;

use super::count::Level;
use super::plan::{Class, LevelPlan, Position, Target};

/// A location that passed: its symbol, its noisy count, and its position in the exact answer if
/// it holds records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    pub(super) symbol: u32,
    pub(super) noisy: i64,
    pub(super) held: Option<usize>,
}

/// A group that passed and was asked further: its step, its bin, its noisy count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassedGroup {
    pub(super) step: usize,
    pub(super) bin: u32,
    pub(super) noisy: i64,
}

/// All that passed below one node.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) passed: Vec<Passed>,
    /// Told to the auditor; forgotten otherwise.
    pub(super) groups: Vec<PassedGroup>,
}

/// A child that holds records.
#[derive(Clone, Copy, Debug)]
struct Held {
    symbol: u32,
    count: u64,
    child: usize,
}

/// Draws the noise of all candidates below one node and returns the locations that pass, by
/// ascending symbol. Candidates that hold records are visited; the others are not, and yet the
/// result has the distribution of visiting every one (see [`wayveil_noise::EmptyChildren`]).
pub(super) fn ask(
    node: Option<u32>,
    exact: &Level,
    children: Range<usize>,
    plan: &LevelPlan,
    rng: &mut (impl Rng + ?Sized),
) -> Asked {
    let mut held: Vec<Held> = children
        .map(|child| Held {
            symbol: exact.symbols[child],
            count: exact.counts[child],
            child,
        })
        .collect();
    let mut asked = Asked::default();
    let bins = plan.alphabet.first_bin(node)..plan.alphabet.bins();
    Asker {
        plan,
        rng,
        asked: &mut asked,
    }
    .step(0, 0, bins, &mut held);
    asked.passed.sort_unstable_by_key(|child| child.symbol);
    asked
}

struct Asker<'a, R: Rng + ?Sized> {
    plan: &'a LevelPlan,
    rng: &'a mut R,
    asked: &'a mut Asked,
}

impl<R: Rng + ?Sized> Asker<'_, R> {
    /// Asks for the members of a step in each of the bins. `depth` counts the steps above it.
    fn step(&mut self, step: usize, depth: usize, bins: Range<u32>, held: &mut [Held]) {
        let plan = self.plan;
        let classes = &plan.steps[step];
        // Children by class and candidate; in the one step of a plain tree they stand so already.
        let key = |held: &Held| {
            let (class, member) = place(plan, held, depth);
            (class, plan.alphabet.bin(held.symbol), member)
        };
        if !held.is_sorted_by_key(key) {
            held.sort_unstable_by_key(key);
        }
        let mut rest = held;
        for (number, class) in classes.iter().enumerate() {
            let size = rest.partition_point(|held| place(plan, held, depth).0 == number as u32);
            let (own, others) = rest.split_at_mut(size);
            self.class(class, depth, &bins, own);
            rest = others;
        }
    }

    /// Asks for the members of a class. A candidate's number counts members bin by bin.
    fn class(&mut self, class: &Class, depth: usize, bins: &Range<u32>, mut held: &mut [Held]) {
        let plan = self.plan;
        let members = class.members.len() as u64;
        let candidate_of = |held: &Held| {
            let bin = plan.alphabet.bin(held.symbol) - bins.start;
            u64::from(bin) * members + u64::from(place(plan, held, depth).1)
        };
        let passing = class.passing(bins.end - bins.start);
        let mut holding = Vec::new();
        while let Some(first) = held.first() {
            let candidate = candidate_of(first);
            let size = held.partition_point(|held| candidate_of(held) == candidate);
            let (own, others) = held.split_at_mut(size);
            holding.push(candidate);
            let count = own
                .iter()
                .fold(0u64, |sum, held| sum.saturating_add(held.count));
            let noisy = saturating(count).saturating_add(class.laplace.sample(self.rng));
            if noisy >= saturating(passing.threshold) {
                self.pass(class, depth, bins, candidate, noisy, own);
            }
            held = others;
        }
        let candidates = u64::from(bins.end - bins.start) * members;
        let empty = passing
            .empty
            .draw(candidates - holding.len() as u64, self.rng);
        // The r-th empty candidate: skip the candidates that hold records, which are sorted.
        let mut skipped = 0;
        for (rank, noisy) in empty {
            let mut candidate = rank + skipped as u64;
            while skipped < holding.len() && holding[skipped] <= candidate {
                skipped += 1;
                candidate += 1;
            }
            self.pass(class, depth, bins, candidate, noisy, &mut []);
        }
    }

    /// A location that passes is kept; below a group that passes, the next step is asked.
    fn pass(
        &mut self,
        class: &Class,
        depth: usize,
        bins: &Range<u32>,
        candidate: u64,
        noisy: i64,
        held: &mut [Held],
    ) {
        let members = class.members.len() as u64;
        let bin = bins.start + (candidate / members) as u32;
        match class.members[(candidate % members) as usize] {
            Target::Location(location) => self.asked.passed.push(Passed {
                symbol: self.plan.alphabet.symbol(location, bin),
                noisy,
                held: held.first().map(|held| held.child),
            }),
            Target::Step(step) => {
                self.asked.groups.push(PassedGroup { step, bin, noisy });
                self.step(step, depth + 1, bin..bin + 1, held);
            }
        }
    }
}

fn place(plan: &LevelPlan, held: &Held, depth: usize) -> Position {
    plan.position(plan.alphabet.location(held.symbol), depth)
}

/// Counts beyond 2⁶³ do not occur; clamping is per count, and moves no count by more than the
/// record that was added.
fn saturating(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "ask_tests.rs"]
mod tests;
