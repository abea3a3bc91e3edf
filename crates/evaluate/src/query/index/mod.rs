//! Many questions about sets of locations.
//!
//! For each location the index knows which records visit it. Records are cut into blocks of 65,536,
//! so that a record is two bytes within its block, all of a block stays in a core's cache, and
//! blocks are built in parallel. Within a block a rare location is a sorted list of records and a
//! frequent one a bitmap.
//!
//! Random sets are mostly contained in few records or none. A question therefore starts at its
//! rarest location, keeps those records that also visit the next rarest, and stops when none is
//! left. Of the two lists the second is looked up as a bitmap, made when needed and used for all
//! questions that share it; for this, questions are sorted by it.

mod block;
mod scratch;

use rayon::prelude::*;
use wayveil_core::{Error, Result, Sequences};

use block::{BLOCK, Block};
use scratch::Scratch;

/// Questions that one thread answers in one go. Enough to share bitmaps and the cache, few enough
/// to keep many threads busy.
const PIECE: usize = 1024;

/// How a location's records are kept, the same in every block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Sorted lists.
    List,
    /// Bitmaps, and which of them.
    Bitmap(u32),
}

/// Which records visit which locations.
#[derive(Debug)]
pub struct SetIndex {
    records: u64,
    /// How many records visit each location.
    totals: Vec<u64>,
    forms: Vec<Form>,
    blocks: Vec<Block>,
}

/// A question of at least two locations that all occur.
#[derive(Debug, Default)]
struct Question {
    /// Where its answer goes.
    at: usize,
    /// Its locations that are kept as lists, rarest first.
    lists: Vec<u32>,
    /// The bitmaps of the others, rarest first.
    bitmaps: Vec<u32>,
}

impl Question {
    /// The list that is looked up as a bitmap.
    fn pivot(&self) -> Option<u32> {
        self.lists.get(1).copied()
    }
}

impl SetIndex {
    /// Indexes the records over a universe of so many locations.
    pub fn new(sequences: &Sequences, locations: usize) -> Result<Self> {
        let records = sequences.len();
        let pieces: Vec<_> = (0..records)
            .step_by(BLOCK)
            .map(|start| start..records.min(start + BLOCK))
            .collect();
        let visits = pieces
            .par_iter()
            .map(|piece| block::visits(sequences, piece.clone(), locations))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| {
                Error::input(format!(
                    "a trajectory leaves the universe of {locations} locations"
                ))
            })?;
        let forms = forms(&visits, locations, records);
        let blocks: Vec<Block> = pieces
            .into_par_iter()
            .zip(visits)
            .map(|(piece, visits)| Block::new(sequences, piece, &visits, &forms))
            .collect();
        let totals = forms
            .par_iter()
            .enumerate()
            .map(|(location, &form)| blocks.iter().map(|block| block.total(location, form)).sum())
            .collect();
        Ok(Self {
            records: records as u64,
            totals,
            forms,
            blocks,
        })
    }

    /// How many records contain all of these locations. One that is not in the universe is
    /// contained in none.
    pub fn count(&self, set: &[u32]) -> u64 {
        self.counts(&[set]).first().copied().unwrap_or(0)
    }

    /// The answers to many questions, in their order.
    pub fn counts<S: AsRef<[u32]> + Sync>(&self, sets: &[S]) -> Vec<u64> {
        let mut answers = vec![0; sets.len()];
        let mut questions = Vec::new();
        for (at, set) in sets.iter().enumerate() {
            let locations = self.rarest_first(set.as_ref());
            match locations.as_slice() {
                [] => answers[at] = self.records,
                [only] => answers[at] = self.total(*only),
                [rarest, ..] if self.total(*rarest) == 0 => {}
                _ => questions.push(self.question(at, &locations)),
            }
        }
        questions.par_sort_unstable_by_key(|question| (question.pivot(), question.at));
        let found: Vec<u64> = questions
            .par_chunks(PIECE)
            .flat_map_iter(|piece| self.answer(piece))
            .collect();
        for (question, count) in questions.iter().zip(found) {
            answers[question.at] = count;
        }
        answers
    }

    fn total(&self, location: u32) -> u64 {
        self.totals.get(location as usize).copied().unwrap_or(0)
    }

    fn rarest_first(&self, set: &[u32]) -> Vec<u32> {
        let mut locations = set.to_vec();
        locations.sort_unstable_by_key(|&location| (self.total(location), location));
        locations.dedup();
        locations
    }

    fn question(&self, at: usize, locations: &[u32]) -> Question {
        let mut question = Question {
            at,
            ..Question::default()
        };
        for &location in locations {
            match self.forms[location as usize] {
                Form::List => question.lists.push(location),
                Form::Bitmap(bitmap) => question.bitmaps.push(bitmap),
            }
        }
        question
    }

    /// Answers questions that are sorted by their pivots.
    fn answer(&self, piece: &[Question]) -> Vec<u64> {
        let mut scratch = Scratch::default();
        let mut answers = vec![0; piece.len()];
        for block in &self.blocks {
            let mut answers = answers.iter_mut();
            for group in piece.chunk_by(|a, b| a.pivot() == b.pivot()) {
                let pivot = group[0].pivot().map_or(&[][..], |list| block.list(list));
                scratch.mark(pivot);
                for (question, answer) in group.iter().zip(&mut answers) {
                    *answer += scratch.count(block, &question.lists, &question.bitmaps);
                }
                scratch.unmark(pivot);
            }
        }
        answers
    }
}

/// Gives bitmaps to locations whose lists would be longer than a bitmap has words: going through
/// the words is then the shorter way.
fn forms(visits: &[Vec<u32>], locations: usize, records: usize) -> Vec<Form> {
    let mut bitmaps = 0;
    (0..locations)
        .map(|location| {
            let visits: u64 = visits.iter().map(|block| u64::from(block[location])).sum();
            if visits <= records.div_ceil(64) as u64 {
                return Form::List;
            }
            bitmaps += 1;
            Form::Bitmap(bitmaps - 1)
        })
        .collect()
}
