//! Every sequence up to a length, depth first.

use rayon::prelude::*;

use super::Bound;
use super::rows::{Rows, Spot};
use super::verdict::{Tie, Verdict, Violation};

pub(super) struct Settings {
    pub(super) k: u32,
    pub(super) bound: Bound,
    pub(super) length: usize,
    pub(super) list: usize,
}

/// Walks all sequences in parallel, by first symbol.
pub(super) fn verify(rows: &Rows, settings: &Settings) -> Verdict {
    let mut walk = Walk::new(rows, settings);
    let all: Vec<Spot> = rows.spots().collect();
    let firsts = if settings.length == 0 {
        Vec::new()
    } else {
        walk.extensions(&all)
    };
    drop(all);
    firsts
        .into_par_iter()
        .map_init(
            || Walk::new(rows, settings),
            |walk, (symbol, spots)| {
                walk.visit(symbol, &spots);
                std::mem::take(&mut walk.verdict)
            },
        )
        .reduce(Verdict::default, |a, b| a.merged(b, settings.list))
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
}

impl<'a> Walk<'a> {
    fn new(rows: &'a Rows, settings: &'a Settings) -> Self {
        Self {
            rows,
            settings,
            sequence: Vec::new(),
            slots: vec![0; rows.width()],
            ties: vec![(0, 0, None); rows.secrets()],
            verdict: Verdict::default(),
        }
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
        if !few && self.sequence.len() < self.settings.length {
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
