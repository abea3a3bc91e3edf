//! All minimal violating sequences of a table, level by level.
//!
//! A sequence is looked at when everything shorter in it is clean. Of those that occur, the
//! violating ones are minimal, in truth and not only with regard to the level before; the others
//! are clean and are extended. Levels are counted in parallel, by first doublet: each clean
//! sequence carries along the places in the records that hold it, and one pass over what follows
//! these places counts all its extensions.

use rayon::prelude::*;
use wayveil_core::{Error, Result};

use super::clean::{Clean, Node};
use super::tally::Judge;
use super::violations::Found;
use super::working::Working;

/// The most clean sequences that are kept; beyond, memory would be the limit.
const MAX_CLEAN: usize = 1 << 26;

/// The minimal violating sequences up to a length, and the clean ones.
pub(super) fn enumerate(
    working: &Working<'_>,
    judge: &Judge,
    length: usize,
) -> Result<(Found, Clean)> {
    let mut found = Found::default();
    let mut clean = Clean::new(judge.width());
    for level in 1..=length {
        let before = clean.len();
        let search = Search {
            working,
            judge,
            clean: &clean,
            level,
        };
        let parts: Vec<Part> = (0..working.table.doublets() as u32)
            .into_par_iter()
            .map_init(
                || Scratch::new(working),
                |scratch, first| search.run(first, scratch),
            )
            .collect();
        let more = parts.iter().map(|part| part.parents.len()).sum();
        if before + more > MAX_CLEAN {
            return Err(Error::input(format!(
                "more than {MAX_CLEAN} sequences of up to {level} doublets are shared by enough \
                 people"
            ))
            .hint("give --l a smaller number, or cut the trajectories into shorter ones"));
        }
        clean.reserve(more);
        for part in &parts {
            found.append(&part.found);
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
}

impl Part {
    fn keep(&mut self, parent: Node, doublet: u32, row: &[u32]) {
        self.parents.push(parent);
        self.doublets.push(doublet);
        self.rows.extend_from_slice(row);
    }
}

/// A record and the place in it behind the last doublet of a sequence.
#[derive(Clone, Copy)]
struct Rest {
    record: u32,
    from: u32,
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

struct Scratch {
    states: Vec<State>,
    touched: Vec<u32>,
    /// Sequences in progress.
    sequence: Vec<u32>,
}

impl Scratch {
    fn new(working: &Working<'_>) -> Self {
        Self {
            states: vec![State::Unseen; working.table.doublets()],
            touched: Vec::new(),
            sequence: Vec::new(),
        }
    }

    fn forget(&mut self) {
        for &doublet in &self.touched {
            self.states[doublet as usize] = State::Unseen;
        }
        self.touched.clear();
    }
}

struct Search<'a> {
    working: &'a Working<'a>,
    judge: &'a Judge,
    clean: &'a Clean,
    level: usize,
}

impl Search<'_> {
    fn run(&self, first: u32, scratch: &mut Scratch) -> Part {
        let mut part = Part::default();
        if self.level == 1 {
            let records: Vec<u32> = self.working.holders(first).collect();
            let row = self.judge.tally(self.working.table, &records);
            if self.judge.violates(&row) {
                part.found.push(&[first], &records);
            } else if !records.is_empty() {
                part.keep(Clean::ROOT, first, &row);
            }
        } else if let Some(node) = self.clean.child(Clean::ROOT, first) {
            scratch.sequence.clear();
            scratch.sequence.push(first);
            let behind = |record| {
                let row = self.working.record(record);
                Rest {
                    record,
                    from: row.partition_point(|&code| code <= first) as u32,
                }
            };
            let rests: Vec<Rest> = self.working.holders(first).map(behind).collect();
            self.descend(&mut part, node, &rests, scratch);
        }
        part
    }

    fn descend(&self, part: &mut Part, node: Node, rests: &[Rest], scratch: &mut Scratch) {
        if scratch.sequence.len() + 1 == self.level {
            return self.extend(part, node, rests, scratch);
        }
        let children = self.follow(node, rests, scratch);
        for (doublet, child, rests) in children {
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
        for rest in rests {
            let row = &self.working.record(rest.record)[rest.from as usize..];
            for (&doublet, from) in row.iter().zip(rest.from + 1..) {
                let state = &mut scratch.states[doublet as usize];
                if *state == State::Unseen {
                    scratch.touched.push(doublet);
                    *state = match self.clean.child(node, doublet) {
                        None => State::Ignored,
                        Some(child) => {
                            children.push((doublet, child, Vec::new()));
                            State::Seen(children.len() as u32 - 1)
                        }
                    };
                }
                if let State::Seen(at) = *state {
                    children[at as usize].2.push(Rest {
                        record: rest.record,
                        from,
                    });
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
        let memory = if self.judge.both { self.judge.part } else { 0 };
        let (mut rows, mut last): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut extensions = Vec::new();
        for rest in rests {
            let row = &self.working.record(rest.record)[rest.from as usize..];
            for &doublet in row {
                let mut state = scratch.states[doublet as usize];
                if state == State::Unseen {
                    scratch.touched.push(doublet);
                    state = State::Ignored;
                    if self.all_shorter_are_clean(&scratch.sequence, doublet) {
                        state = State::Seen(extensions.len() as u32);
                        extensions.push(doublet);
                        rows.resize(rows.len() + width, 0);
                        last.resize(last.len() + memory, u32::MAX);
                    }
                    scratch.states[doublet as usize] = state;
                }
                if let State::Seen(at) = state {
                    let at = at as usize;
                    self.judge.add(
                        self.working.table,
                        rest.record,
                        &mut rows[at * width..(at + 1) * width],
                        &mut last[at * memory..(at + 1) * memory],
                    );
                }
            }
        }
        let violating: Vec<bool> = rows
            .chunks_exact(width)
            .map(|row| self.judge.violates(row))
            .collect();
        let holders = self.holders(rests, scratch, &violating);
        scratch.forget();
        let mut order: Vec<usize> = (0..extensions.len()).collect();
        order.sort_unstable_by_key(|&at| extensions[at]);
        for at in order {
            if violating[at] {
                scratch.sequence.push(extensions[at]);
                part.found.push(&scratch.sequence, &holders[at]);
                scratch.sequence.pop();
            } else {
                part.keep(node, extensions[at], &rows[at * width..(at + 1) * width]);
            }
        }
    }

    /// The records that hold each violating extension.
    fn holders(&self, rests: &[Rest], scratch: &Scratch, violating: &[bool]) -> Vec<Vec<u32>> {
        let mut holders = vec![Vec::new(); violating.len()];
        if !violating.contains(&true) {
            return holders;
        }
        for rest in rests {
            for &doublet in &self.working.record(rest.record)[rest.from as usize..] {
                if let State::Seen(at) = scratch.states[doublet as usize]
                    && violating[at as usize]
                {
                    holders[at as usize].push(rest.record);
                }
            }
        }
        holders
    }

    /// Whether every sequence that lacks one doublet of this one is clean; of the one that lacks
    /// the last that is known.
    fn all_shorter_are_clean(&self, sequence: &[u32], last: u32) -> bool {
        (0..sequence.len()).all(|left_out| {
            let kept = sequence.iter().enumerate();
            let kept = kept
                .filter(|&(at, _)| at != left_out)
                .map(|(_, &doublet)| doublet);
            self.clean.find(kept.chain([last])).is_some()
        })
    }
}
