//! Every sequence up to a length, depth first.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Bound;
use super::rows::{Rows, Spot};
use super::verdict::{Tie, Verdict, Violation};

pub(super) struct Settings {
    pub(super) k: u32,
    pub(super) bound: Bound,
    pub(super) length: usize,
    pub(super) list: usize,
    /// How much may be looked at.
    pub(super) most_work: u64,
}

/// How much work is told to others at a time.
const BATCH: u64 = 1 << 16;

/// Walks all sequences in parallel, by first symbol. Nothing where that is more than the most work.
pub(super) fn verify(rows: &Rows, settings: &Settings) -> Option<Verdict> {
    let done = AtomicU64::new(0);
    let mut walk = Walk::new(rows, settings, &done);
    let all: Vec<Spot> = rows.spots().collect();
    let firsts = if settings.length == 0 {
        Vec::new()
    } else {
        walk.extensions(&all)
    };
    drop(all);
    let verdict = firsts
        .into_par_iter()
        .map_init(
            || Walk::new(rows, settings, &done),
            |walk, (symbol, spots)| {
                walk.visit(symbol, &spots);
                walk.tell();
                std::mem::take(&mut walk.verdict)
            },
        )
        .reduce(Verdict::default, |a, b| a.merged(b, settings.list));
    // Whoever stopped early did so because of this.
    (done.into_inner() <= settings.most_work).then_some(verdict)
}

struct Walk<'a> {
    rows: &'a Rows,
    settings: &'a Settings,
    sequence: Vec<u32>,
    /// Which list of extensions each symbol has, counted from 1; all zero between uses.
    slots: Vec<u32>,
    /// How often each sensitive value comes with the present sequence: records, owners, and the
    /// owner counted last.
    ties: Vec<(u64, u64, Option<u32>)>,
    verdict: Verdict,
    /// The work of all walks, and what of this one's is not yet in it.
    done: &'a AtomicU64,
    untold: u64,
}

impl<'a> Walk<'a> {
    fn new(rows: &'a Rows, settings: &'a Settings, done: &'a AtomicU64) -> Self {
        Self {
            rows,
            settings,
            sequence: Vec::new(),
            slots: vec![0; rows.width()],
            ties: vec![(0, 0, None); rows.secrets()],
            verdict: Verdict::default(),
            done,
            untold: 0,
        }
    }

    /// Adds what was done here to the work of all. It cannot overflow: everybody stops soon after the
    /// most is reached.
    fn tell(&mut self) {
        let untold = std::mem::take(&mut self.untold);
        self.done.fetch_add(untold, Ordering::Relaxed);
    }

    /// Counts the work on one sequence; whether there may be more.
    fn may_go_on(&mut self, records: usize) -> bool {
        self.untold += (records + self.ties.len()) as u64;
        if self.untold >= BATCH {
            self.tell();
        }
        self.done.load(Ordering::Relaxed) + self.untold <= self.settings.most_work
    }

    /// What follows these spots, with the spots behind it, in order of rows.
    fn extensions(&mut self, spots: &[Spot]) -> Vec<(u32, Vec<Spot>)> {
        let mut lists: Vec<(u32, Vec<Spot>)> = Vec::new();
        for &spot in spots {
            for (symbol, behind) in self.rows.from(spot) {
                let slot = &mut self.slots[symbol as usize];
                if *slot == 0 {
                    lists.push((symbol, Vec::new()));
                    *slot = lists.len() as u32;
                }
                lists[*slot as usize - 1].1.push(behind);
            }
        }
        for &(symbol, _) in &lists {
            self.slots[symbol as usize] = 0;
        }
        lists
    }

    /// Judges the sequence that ends with a symbol, and everything that begins with it.
    fn visit(&mut self, symbol: u32, spots: &[Spot]) {
        if !self.may_go_on(spots.len()) {
            return;
        }
        self.sequence.push(symbol);
        self.verdict.sequences += 1;
        let owners = self.owners(spots);
        let few = owners < u64::from(self.settings.k);
        let tie = match self.settings.bound.is_free() {
            true => None,
            false => self.strongest_tie(spots, owners),
        };
        let certain = tie.is_some_and(|tie| self.settings.bound.is_exceeded_by(tie.with, tie.of));
        if few || certain {
            let violation = Violation {
                sequence: self.rows.name(&self.sequence),
                owners,
                records: spots.len() as u64,
                tie,
            };
            self.verdict.add(violation, few, self.settings.list);
        }
        // A tie is there where any record has a sensitive value, unless no share is too great.
        let harmless = self.settings.k <= 1 && tie.is_none();
        if !few && !harmless && self.sequence.len() < self.settings.length {
            for (symbol, spots) in self.extensions(spots) {
                self.visit(symbol, &spots);
            }
        }
        self.sequence.pop();
    }

    fn owners(&self, spots: &[Spot]) -> u64 {
        let same = spots.chunk_by(|a, b| self.rows.owner(a.row) == self.rows.owner(b.row));
        same.count() as u64
    }

    /// The sensitive value with the largest share of these records or of their owners.
    fn strongest_tie(&mut self, spots: &[Spot], owners: u64) -> Option<Tie> {
        for spot in spots {
            for &secret in self.rows.secrets_of(spot.row) {
                let owner = Some(self.rows.owner(spot.row));
                let (in_records, in_owners, last) = &mut self.ties[secret as usize];
                *in_records += 1;
                if *last != owner {
                    *last = owner;
                    *in_owners += 1;
                }
            }
        }
        let mut strongest: Option<Tie> = None;
        for (position, tie) in self.ties.iter_mut().enumerate() {
            let (in_records, in_owners, _) = std::mem::take(tie);
            let (column, value) = self.rows.secret(position);
            for (with, of) in [(in_owners, owners), (in_records, spots.len() as u64)] {
                let stronger = match strongest {
                    None => with > 0,
                    Some(tie) => {
                        u128::from(with) * u128::from(tie.of)
                            > u128::from(tie.with) * u128::from(of)
                    }
                };
                if stronger {
                    strongest = Some(Tie {
                        column,
                        value,
                        with,
                        of,
                    });
                }
            }
        }
        strongest
    }
}
