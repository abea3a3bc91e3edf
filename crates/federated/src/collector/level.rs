//! The candidates of one length: what is known about each, what to ask next, and what to keep.

use rayon::prelude::*;
use wayveil_core::Result;

use super::candidates::{Candidates, Kept};
use super::round::{Blocks, Round, Tally};
use crate::campaign::{Campaign, Control, Form, Parameters};
use crate::decide::bar::Bar;
use crate::decide::multiple::{benjamini_yekutieli, holm};
use crate::decide::sequential::{History, Phase};

/// A candidate is refuted when its estimate lies so many standard errors below k: it is neither
/// asked about nor extended any more. This costs recall alone, never the promise.
const REFUTED: f64 = 3.0;

/// What is still to be done about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It may or may not reach k.
    Open,
    /// It is admitted whatever further answers say.
    Settled,
    /// Too few clients can have it.
    Refuted,
}

#[derive(Clone, Debug)]
struct Candidate {
    history: History,
    state: State,
    /// Which of the level's bars it is measured by.
    bar: usize,
}

/// What a level says about one of its candidates at the end.
pub(super) struct Verdict {
    pub(super) p_value: f64,
    pub(super) admitted: bool,
}

/// All candidates of one length.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) length: usize,
    /// One fragment after the other.
    pub(super) codes: Vec<u32>,
    pub(super) cleaned: u64,
    pub(super) left_out: u64,
    candidates: Vec<Candidate>,
    /// For the candidates of full questions, and of one that is not full.
    bars: [Bar; 2],
    in_block: usize,
    /// How many further answers are planned for each candidate after the round that is open.
    rests: Vec<u64>,
}

impl Level {
    /// `candidates` has at least one.
    pub(super) fn new(campaign: &Campaign, length: usize, candidates: Candidates) -> Result<Self> {
        let parameters = campaign.parameters();
        let number = candidates.codes.len() / length;
        let in_block = number.min(parameters.per_client as usize);
        let last = match number % in_block {
            0 => in_block,
            some => some,
        };
        let bar = |asked| {
            let flip = campaign.response(asked).flip().as_f64();
            Bar::new(parameters.population, parameters.k, flip)
        };
        // The repaired form fills the last question up, so that a candidate's answers all have one
        // law; as published the last question may be short, with less noise.
        let short_from = match parameters.form {
            Form::AsPublished => number - last,
            Form::Repaired => number,
        };
        let candidate = |at| Candidate {
            history: History::default(),
            state: State::Open,
            bar: usize::from(at >= short_from),
        };
        Ok(Self {
            length,
            codes: candidates.codes,
            cleaned: candidates.cleaned,
            left_out: candidates.left_out,
            candidates: (0..number).map(candidate).collect(),
            bars: [bar(in_block)?, bar(last)?],
            in_block,
            rests: vec![0; number],
        })
    }

    /// How many candidates there are.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    pub(super) fn fragment(&self, at: usize) -> &[u32] {
        &self.codes[at * self.length..(at + 1) * self.length]
    }

    pub(super) fn bar(&self, at: usize) -> &Bar {
        &self.bars[self.candidates[at].bar]
    }

    pub(super) fn history(&self, at: usize) -> &History {
        &self.candidates[at].history
    }

    /// The unbiased estimate of how many clients have a candidate.
    fn count(&self, at: usize) -> f64 {
        let history = self.history(at);
        self.bar(at).count(history.yes(), history.asked())
    }

    /// The next round of this level; none if there is nothing to ask. `later` is how many clients
    /// the rounds of this length after this one are expected to have.
    pub(super) fn plan(&mut self, campaign: &Campaign, round: usize, later: f64) -> Option<Round> {
        let blocks = self.blocks(campaign.parameters().form)?;
        self.rests.fill(0);
        let total: f64 = blocks.weights.iter().sum();
        for (members, weight) in blocks.members.chunks(blocks.in_block).zip(&blocks.weights) {
            for &member in members {
                self.rests[member as usize] += (later * weight / total) as u64;
            }
        }
        Some(Round::new(campaign, round, blocks, &self.codes))
    }

    /// Whom to ask about: the undecided; where none is left the admitted, for better counts.
    fn blocks(&self, form: Form) -> Option<Blocks> {
        let in_state = |state| {
            (0..self.len() as u32).filter(move |&at| self.candidates[at as usize].state == state)
        };
        let mut members: Vec<u32> = in_state(State::Open).collect();
        if members.is_empty() {
            members = in_state(State::Settled).collect();
        }
        if members.is_empty() {
            return None;
        }
        if form == Form::Repaired {
            self.fill_up(&mut members);
        }
        let blocks = members.len().div_ceil(self.in_block);
        Some(Blocks {
            in_block: self.in_block,
            members,
            weights: vec![1.0; blocks],
        })
    }

    /// Fills the last question with candidates that it does not have yet, admitted ones first.
    fn fill_up(&self, members: &mut Vec<u32>) {
        let short = members.len().next_multiple_of(self.in_block) - members.len();
        let last_from = members.len() - (self.in_block - short);
        let last = members[last_from..].to_vec();
        let rank = |&at: &u32| match self.candidates[at as usize].state {
            State::Settled => 0,
            State::Open => 1,
            State::Refuted => 2,
        };
        if short > 0 {
            let mut others: Vec<u32> = (0..self.len() as u32)
                .filter(|at| !last.contains(at))
                .collect();
            others.sort_by_key(rank);
            members.extend(others.into_iter().take(short));
        }
    }

    /// Takes in the answers of a round and decides what is still open.
    pub(super) fn close(&mut self, parameters: &Parameters, round: &Round, tally: &Tally) {
        let mut asked = vec![(0, 0); self.len()];
        for block in 0..round.blocks() {
            for (&member, &yes) in round.members(block).iter().zip(tally.yes(block)) {
                let sums = &mut asked[member as usize];
                *sums = (sums.0 + tally.answers(block), sums.1 + yes);
            }
        }
        let level = self.working_level(parameters);
        let bars = self.bars;
        let updates = asked.into_par_iter().zip(&self.rests);
        self.candidates
            .par_iter_mut()
            .zip(updates)
            .filter(|(_, ((asked, _), _))| *asked > 0)
            .for_each(|(candidate, ((asked, yes), &rest))| {
                candidate.history.phases.push(Phase { asked, yes, rest });
                candidate.state = state(&bars[candidate.bar], &candidate.history, level);
            });
    }

    /// A level at which an admitted candidate is admitted under the control, whatever becomes of the
    /// others.
    fn working_level(&self, parameters: &Parameters) -> f64 {
        let number = self.len() as f64;
        match parameters.control {
            Control::PerCandidate => parameters.xi,
            Control::FamilyWise => parameters.xi / number,
            Control::FalseDiscovery => {
                let harmonic: f64 = (1..=self.len()).map(|i| 1.0 / i as f64).sum();
                parameters.xi / (number * harmonic)
            }
        }
    }

    /// Which candidates are admitted.
    pub(super) fn verdicts(&self, parameters: &Parameters) -> Vec<Verdict> {
        let p_value = |at| self.history(at).p_value(self.bar(at).yes_probability());
        let p: Vec<f64> = (0..self.len()).into_par_iter().map(p_value).collect();
        let admitted = match (parameters.form, parameters.control) {
            (Form::AsPublished, _) => (0..self.len())
                .map(|at| self.passes(at, parameters))
                .collect(),
            (_, Control::PerCandidate) => p.iter().map(|&p| p <= parameters.xi).collect(),
            (_, Control::FamilyWise) => holm(&p, parameters.xi),
            (_, Control::FalseDiscovery) => benjamini_yekutieli(&p, parameters.xi),
        };
        let verdict = |(p_value, admitted)| Verdict { p_value, admitted };
        p.into_iter().zip(admitted).map(verdict).collect()
    }

    /// The published rule.
    fn passes(&self, at: usize, parameters: &Parameters) -> bool {
        let history = self.history(at);
        let asked = history.asked();
        asked > 0 && history.yes() >= self.bar(at).published_threshold(asked, parameters.xi)
    }

    /// What longer fragments may be made of: as published the admitted, repaired all that are not
    /// refuted.
    pub(super) fn kept(&self, parameters: &Parameters) -> Kept {
        let keeps = |&at: &usize| match parameters.form {
            Form::AsPublished => self.passes(at, parameters),
            Form::Repaired => self.candidates[at].state != State::Refuted,
        };
        let mut kept = Kept {
            length: self.length,
            ..Kept::default()
        };
        for at in (0..self.len()).filter(keeps) {
            kept.codes.extend_from_slice(self.fragment(at));
            kept.counts.push(self.count(at));
        }
        kept
    }
}

fn state(bar: &Bar, history: &History, level: f64) -> State {
    if history.admitted(level, bar.yes_probability()) {
        return State::Settled;
    }
    let (asked, yes) = (history.asked(), history.yes());
    let highest = bar.count(yes, asked) + REFUTED * bar.standard_error(yes, asked);
    match highest < bar.k() as f64 {
        true => State::Refuted,
        false => State::Open,
    }
}
