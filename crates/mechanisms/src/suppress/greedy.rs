//! Suppresses doublets, best score first, until no minimal violating sequence is left.
//!
//! Score = gain / (loss + 1): minimal violating sequences that go, by what is lost. A step takes a
//! doublet out of the records of one minimal violating sequence (locally, only where that makes no
//! new one) or out of all records (globally, which never does).
//!
//! Scores wait in a heap. One that may have risen is put in again; one that may have fallen is
//! left, and worked out anew when it comes to the top. So what is at the top with its true value is
//! the best of all. A local step that is not valid when its turn comes is put off until the records
//! of its sequence change.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use wayveil_core::Progress;

use super::clean::Clean;
use super::tally::Judge;
use super::utility::Utility;
use super::validity::{Consequences, Losses, View};
use super::violations::{Found, Mvs, Violations, is_subset};
use super::working::Working;

/// Turns between two words of progress.
const TURNS_PER_WORD: u64 = 64;

/// Stands for all records in place of a sequence's.
pub(super) const EVERYWHERE: Mvs = Mvs::MAX;

/// How many steps were taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) local: u64,
    pub(super) global: u64,
}

/// A step and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) gain: u32,
    pub(super) loss: u32,
    /// Out of whose records.
    pub(super) mvs: Mvs,
    pub(super) doublet: u32,
}

impl Ord for Step {
    /// By score, then the cheaper, then fixed.
    fn cmp(&self, other: &Self) -> Ordering {
        let score = |gain: u32, loss: u32| u64::from(gain) * (u64::from(loss) + 1);
        score(self.gain, other.loss)
            .cmp(&score(other.gain, self.loss))
            .then(other.loss.cmp(&self.loss))
            .then(other.mvs.cmp(&self.mvs))
            .then(other.doublet.cmp(&self.doublet))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What has become of the step at the top of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It was the best; it was taken where it was valid.
    Tried(Step),
    /// Its score was not true any more.
    PutOff,
    /// There was none, or nothing is left to do.
    Done,
}

/// One run from the sequences found to none left.
pub(super) struct Greedy<'a, 'w> {
    pub(super) working: &'a mut Working<'w>,
    pub(super) judge: &'a Judge,
    pub(super) clean: Clean,
    pub(super) violations: Violations,
    pub(super) utility: &'a mut dyn Utility,
    pub(super) length: usize,
    local: bool,
    heap: BinaryHeap<Step>,
    pub(super) losses: Losses,
    pub(super) steps: Steps,
}

impl<'a, 'w> Greedy<'a, 'w> {
    pub(super) fn new(
        working: &'a mut Working<'w>,
        judge: &'a Judge,
        (found, clean): (Found, Clean),
        utility: &'a mut dyn Utility,
        length: usize,
        local: bool,
    ) -> Self {
        Self {
            violations: Violations::new(found, working),
            working,
            judge,
            clean,
            utility,
            length,
            local,
            heap: BinaryHeap::new(),
            losses: Losses::default(),
            steps: Steps::default(),
        }
    }

    pub(super) fn run(mut self, progress: &dyn Progress) -> Steps {
        self.start();
        let mut turns = 0_u64;
        while self.advance() != Turn::Done {
            turns += 1;
            if turns.is_multiple_of(TURNS_PER_WORD) {
                progress.advance(TURNS_PER_WORD);
            }
        }
        self.steps
    }

    pub(super) fn start(&mut self) {
        self.suppress_single_ones();
        self.fill();
    }

    /// Looks at the top of the heap.
    pub(super) fn advance(&mut self) -> Turn {
        if self.violations.is_empty() {
            return Turn::Done;
        }
        let Some(step) = self.heap.pop() else {
            return Turn::Done;
        };
        match self.score(step.doublet, step.mvs) {
            Some(now) if now == step => {
                self.attempt(step);
                return Turn::Tried(step);
            }
            Some(now) if now < step => self.heap.push(now),
            _ => {}
        }
        Turn::PutOff
    }

    /// A doublet that violates by itself must go, whatever it costs.
    fn suppress_single_ones(&mut self) {
        for mvs in self.violations.all() {
            if let &[doublet] = self.violations.sequence(mvs) {
                self.remove_everywhere(doublet);
            }
        }
    }

    /// All scores.
    fn fill(&mut self) {
        let this = &*self;
        let local = this.violations.all().into_par_iter().flat_map_iter(|mvs| {
            let doublets = match this.local {
                true => this.violations.sequence(mvs),
                false => &[],
            };
            doublets
                .iter()
                .filter_map(move |&doublet| this.score(doublet, mvs))
        });
        let global = (0..this.working.table.doublets() as u32).into_par_iter();
        let global = global.filter_map(|doublet| this.score(doublet, EVERYWHERE));
        let all: Vec<Step> = local.chain(global).collect();
        self.heap = all.into();
    }

    /// The score that a step has now; none where there is nothing to gain.
    pub(super) fn score(&self, doublet: u32, mvs: Mvs) -> Option<Step> {
        let (gain, loss) = if mvs == EVERYWHERE {
            let gain = self.violations.global_gain(doublet);
            (gain, self.utility.loss_everywhere(self.working, doublet))
        } else {
            let records = self.violations.records(mvs);
            let gain = self.violations.local_gain(self.working.table, doublet, mvs);
            (gain, self.utility.loss(self.working, doublet, records))
        };
        (gain > 0).then_some(Step {
            gain,
            loss,
            mvs,
            doublet,
        })
    }

    fn push(&mut self, doublet: u32, mvs: Mvs) {
        let step = self.score(doublet, mvs);
        self.heap.extend(step);
    }

    /// Takes a step, unless it is not valid.
    fn attempt(&mut self, step: Step) {
        if step.mvs == EVERYWHERE {
            self.suppress_everywhere(step.doublet);
        } else {
            self.suppress_locally(step.doublet, step.mvs);
        }
    }

    fn suppress_everywhere(&mut self, doublet: u32) {
        let cheaper = self.remove_everywhere(doublet);
        self.reconsider(&cheaper);
    }

    /// Returns what has become cheaper to suppress.
    fn remove_everywhere(&mut self, doublet: u32) -> Vec<u32> {
        let records: Vec<u32> = self.working.holders(doublet).collect();
        let touched: Vec<Mvs> = self.violations.with_doublet(doublet).collect();
        self.steps.global += 1;
        let cheaper = self.utility.removing(self.working, doublet, &records);
        self.working.remove(doublet, &records);
        self.violations
            .remove(self.working.table, &touched, doublet, &records, &[]);
        cheaper
    }

    /// What taking a doublet out of these records does; nothing where that is not valid.
    pub(super) fn check(&mut self, doublet: u32, records: &[u32]) -> Option<Consequences> {
        let view = View {
            working: self.working,
            judge: self.judge,
            clean: &self.clean,
            violations: &self.violations,
            length: self.length,
        };
        view.check(doublet, records, &mut self.losses)
    }

    fn suppress_locally(&mut self, doublet: u32, mvs: Mvs) {
        let records = self.violations.records(mvs).to_vec();
        let Some(consequences) = self.check(doublet, &records) else {
            return;
        };
        self.steps.local += 1;
        let cheaper = self.utility.removing(self.working, doublet, &records);
        self.working.remove(doublet, &records);
        self.losses.apply(&mut self.clean, &consequences);
        let touched = &consequences.touched;
        self.violations.remove(
            self.working.table,
            touched,
            doublet,
            &records,
            &consequences.vanished,
        );
        for &mvs in touched {
            self.has_fewer_records(mvs);
        }
        self.push(doublet, EVERYWHERE);
        self.reconsider(&cheaper);
    }

    /// Puts in again what may have risen as a sequence lost records: its own steps, and those of
    /// others that would now take it along.
    fn has_fewer_records(&mut self, mvs: Mvs) {
        let Some(&first) = self.violations.records(mvs).first() else {
            return;
        };
        let records = self.violations.records(mvs);
        let mut risen = vec![];
        for &doublet in self.violations.sequence(mvs) {
            for &other in self.violations.at(self.working.table, first, doublet) {
                if is_subset(records, self.violations.records(other)) {
                    risen.push((doublet, other));
                }
            }
        }
        for (doublet, mvs) in risen {
            self.push(doublet, mvs);
        }
    }

    /// Puts in again all steps with doublets that have become cheaper to suppress.
    fn reconsider(&mut self, doublets: &[u32]) {
        for &doublet in doublets {
            self.push(doublet, EVERYWHERE);
            if self.local {
                let with: Vec<Mvs> = self.violations.with_doublet(doublet).collect();
                for mvs in with {
                    self.push(doublet, mvs);
                }
            }
        }
    }
}
