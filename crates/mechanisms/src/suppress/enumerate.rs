//! All minimal violating sequences of a table, level by level.
//!
//! A sequence is looked at when everything shorter in it is clean. Of those that occur, the
//! violating ones are minimal, in truth and not only with regard to the level before; the others
//! are clean and are extended, unless nothing longer could violate. Levels are counted in parallel, by first doublet: each clean
//! sequence carries along the places in the records that hold it, and one pass over what follows
//! these places counts all its extensions.

mod kept;

use rayon::prelude::*;
use wayveil_core::{Progress, Result};

use super::clean::{Clean, Node};
use super::projection::{Projection, Rest};
use super::tally::Judge;
use super::violations::Found;
use super::working::Working;
use kept::{Kept, Most, Untold};

/// The minimal violating sequences up to a length, and the clean ones.
pub(super) fn enumerate(
    working: &Working<'_>,
    judge: &Judge,
    length: usize,
    progress: &dyn Progress,
) -> Result<(Found, Clean)> {
    let kept = Kept::new(Most::default());
    enumerate_within(working, judge, length, &kept, progress)
}

fn enumerate_within(
    working: &Working<'_>,
    judge: &Judge,
    length: usize,
    kept: &Kept,
    progress: &dyn Progress,
) -> Result<(Found, Clean)> {
    let mut found = Found::default();
    let mut clean = Clean::new(judge.width());
    for level in 1..=length {
        let before = clean.len();
        let search = Search {
            working,
            judge,
            clean: &clean,
            kept,
            level,
        };
        let parts: Vec<Part> = (0..working.table.doublets() as u32)
            .into_par_iter()
            .map_init(Scratch::default, |scratch, first| {
                progress.advance(1);
                search.run(first, scratch)
            })
            .collect();
        kept.check(level)?;
        clean.reserve(parts.iter().map(|part| part.parents.len()).sum());
        for part in parts {
            found.append(part.found);
            let rows = part.rows.chunks_exact(judge.width());
            for ((&parent, &doublet), row) in part.parents.iter().zip(&part.doublets).zip(rows) {
                clean.insert(parent, doublet, row);
            }
        }
        if clean.len() == before {
            break;
        }
    }
    Ok((found, clean))
}

/// What one first doublet contributes to a level.
#[derive(Default)]
struct Part {
    found: Found,
    parents: Vec<Node>,
    doublets: Vec<u32>,
    rows: Vec<u32>,
    untold: Untold,
}

impl Part {
    fn find(&mut self, sequence: &[u32], records: &[u32]) {
        self.untold.holders += records.len() as u64;
        self.found.push(sequence, records);
    }

    fn keep(&mut self, parent: Node, doublet: u32, row: &[u32]) {
        self.untold.clean += 1;
        self.parents.push(parent);
        self.doublets.push(doublet);
        self.rows.extend_from_slice(row);
    }
}

/// What is known of an extension by a doublet.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unseen,
    /// Something shorter in it is not clean.
    Ignored,
    /// It is the so-many-th that is counted or followed.
    Seen(u32),
}

#[derive(Default)]
struct Scratch {
    projection: Projection,
    states: Vec<State>,
    touched: Vec<u32>,
    /// The sequence in progress.
    sequence: Vec<u32>,
    /// The extensions that are counted, their counts, and what counting has to remember.
    extensions: Vec<u32>,
    rows: Vec<u32>,
    last: Vec<u32>,
}

impl Scratch {
    fn forget(&mut self) {
        for &symbol in &self.touched {
            self.states[symbol as usize] = State::Unseen;
        }
        self.touched.clear();
    }
}

struct Search<'a> {
    working: &'a Working<'a>,
    judge: &'a Judge,
    clean: &'a Clean,
    kept: &'a Kept,
    level: usize,
}

impl Search<'_> {
    fn run(&self, first: u32, scratch: &mut Scratch) -> Part {
        let mut part = Part::default();
        if self.kept.is_too_much() {
            return part;
        }
        if self.level == 1 {
            let records: Vec<u32> = self.working.holders(first).collect();
            let row = self.judge.tally(self.working.table, &records);
            if self.judge.violates(&row) {
                part.find(&[first], &records);
            } else if !records.is_empty() && !self.judge.harmless(&row) {
                part.keep(Clean::ROOT, first, &row);
            }
        } else if let Some(node) = self.clean.child(Clean::ROOT, first) {
            // A pair's doublets are clean; of anything longer, so is every pair.
            let parent = if self.level == 2 { Clean::ROOT } else { node };
            let joins = |doublet| self.clean.child(parent, doublet).is_some();
            scratch.projection.fill(self.working, first, joins);
            scratch
                .states
                .resize(scratch.projection.names.len(), State::Unseen);
            scratch.sequence.clear();
            scratch.sequence.push(first);
            let rests: Vec<Rest> = scratch.projection.rests().collect();
            self.descend(&mut part, node, &rests, scratch);
        }
        self.kept.add(&mut part.untold);
        part
    }

    fn descend(&self, part: &mut Part, node: Node, rests: &[Rest], scratch: &mut Scratch) {
        if scratch.sequence.len() + 1 == self.level {
            return self.extend(part, node, rests, scratch);
        }
        for (doublet, child, rests) in self.follow(node, rests, scratch) {
            if self.kept.is_too_much() {
                return;
            }
            scratch.sequence.push(doublet);
            self.descend(part, child, &rests, scratch);
            scratch.sequence.pop();
        }
    }

    /// The clean extensions of a node, with what is left of the records behind each.
    fn follow(
        &self,
        node: Node,
        rests: &[Rest],
        scratch: &mut Scratch,
    ) -> Vec<(u32, Node, Vec<Rest>)> {
        let mut children: Vec<(u32, Node, Vec<Rest>)> = Vec::new();
        for &rest in rests {
            for (&symbol, from) in scratch.projection.behind(rest).iter().zip(rest.from + 1..) {
                let state = &mut scratch.states[symbol as usize];
                if *state == State::Unseen {
                    scratch.touched.push(symbol);
                    let doublet = scratch.projection.names[symbol as usize];
                    *state = match self.clean.child(node, doublet) {
                        None => State::Ignored,
                        Some(child) => {
                            children.push((doublet, child, Vec::new()));
                            State::Seen(children.len() as u32 - 1)
                        }
                    };
                }
                if let State::Seen(at) = *state {
                    let line = rest.line;
                    children[at as usize].2.push(Rest { line, from });
                }
            }
        }
        scratch.forget();
        children.sort_unstable_by_key(|&(doublet, ..)| doublet);
        children
    }

    /// Counts all extensions of a node by one doublet and puts them where they belong.
    fn extend(&self, part: &mut Part, node: Node, rests: &[Rest], scratch: &mut Scratch) {
        let width = self.judge.width();
        self.count(rests, scratch);
        let rows = scratch.rows.chunks_exact(width);
        let violating: Vec<bool> = rows.clone().map(|row| self.judge.violates(row)).collect();
        let sizes = rows
            .clone()
            .zip(&violating)
            .map(|(row, &violating)| match violating {
                true => self.judge.records(row) as usize,
                false => 0,
            });
        let (starts, holders) = holders(rests, scratch, &violating, sizes);
        let mut order: Vec<usize> = (0..scratch.extensions.len()).collect();
        order.sort_unstable_by_key(|&at| scratch.extensions[at]);
        for at in order {
            let doublet = scratch.extensions[at];
            if violating[at] {
                scratch.sequence.push(doublet);
                part.find(&scratch.sequence, &holders[starts[at]..starts[at + 1]]);
                scratch.sequence.pop();
                continue;
            }
            let row = &scratch.rows[at * width..(at + 1) * width];
            if !self.judge.harmless(row) {
                part.keep(node, doublet, row);
            }
        }
        if part.untold.is_much() {
            self.kept.add(&mut part.untold);
        }
        scratch.forget();
    }

    /// Fills the rows of all extensions in which everything shorter is clean.
    fn count(&self, rests: &[Rest], scratch: &mut Scratch) {
        let (width, memory) = (self.judge.width(), self.judge.memory());
        scratch.extensions.clear();
        scratch.rows.clear();
        scratch.last.clear();
        for &rest in rests {
            let owner = scratch.projection.owners[rest.line as usize];
            let secrets = scratch.projection.secrets_of(rest);
            for &symbol in scratch.projection.behind(rest) {
                let mut state = scratch.states[symbol as usize];
                if state == State::Unseen {
                    scratch.touched.push(symbol);
                    let doublet = scratch.projection.names[symbol as usize];
                    state = State::Ignored;
                    if self.all_shorter_are_clean(&scratch.sequence, doublet) {
                        state = State::Seen(scratch.extensions.len() as u32);
                        scratch.extensions.push(doublet);
                        scratch.rows.resize(scratch.rows.len() + width, 0);
                        scratch.last.resize(scratch.last.len() + memory, u32::MAX);
                    }
                    scratch.states[symbol as usize] = state;
                }
                if let State::Seen(at) = state {
                    let at = at as usize;
                    let row = &mut scratch.rows[at * width..(at + 1) * width];
                    let last = &mut scratch.last[at * memory..(at + 1) * memory];
                    self.judge.add(owner, secrets, row, last);
                }
            }
        }
    }

    /// Whether every sequence that lacks one doublet of this one is clean. That is known of the one
    /// that lacks the last, and of all pairs with the first.
    fn all_shorter_are_clean(&self, sequence: &[u32], last: u32) -> bool {
        let known = match sequence.len() {
            1 => return true,
            2 => 1,
            _ => sequence.len(),
        };
        (0..known).all(|left_out| {
            let (before, behind) = sequence.split_at(left_out);
            let kept = before.iter().chain(&behind[1..]).copied();
            self.clean.find(kept.chain([last])).is_some()
        })
    }
}

/// The records that hold each violating extension, one list after the other, and where each begins.
fn holders(
    rests: &[Rest],
    scratch: &Scratch,
    violating: &[bool],
    sizes: impl Iterator<Item = usize>,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0];
    let mut end = 0;
    for size in sizes {
        end += size;
        starts.push(end);
    }
    let mut holders = vec![0; end];
    if end > 0 {
        let mut next = starts.clone();
        for &rest in rests {
            for &symbol in scratch.projection.behind(rest) {
                if let State::Seen(at) = scratch.states[symbol as usize]
                    && violating[at as usize]
                {
                    let slot = &mut next[at as usize];
                    holders[*slot] = scratch.projection.records[rest.line as usize];
                    *slot += 1;
                }
            }
        }
    }
    (starts, holders)
}
