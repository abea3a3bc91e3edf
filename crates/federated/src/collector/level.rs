//! The candidates of one length: what is known about each, what to ask next, and what to keep.

use rayon::prelude::*;
use wayveil_core::Result;

use super::candidates::{Candidates, Kept};
use super::drawn::{BLOCKS, drawn_at_most, fill, heaviest};
use super::round::{Blocks, Round, Tally};
use crate::campaign::{Campaign, Control, Form, Parameters};
use crate::decide::bar::Bar;
use crate::decide::multiple::{benjamini_yekutieli, holm};
use crate::decide::sequential::{History, Phase};

/// A candidate is asked about no more when its estimate lies so many standard errors below k, or when
/// less than this part of its level is left: it is hopeless. This costs recall alone, never the
/// promise.
const BELOW: f64 = 2.5;
const HOPELESS: f64 = 0.1;

/// With more than this left of its level a candidate is nearly admitted, and needs few more clients.
const NEARLY: f64 = 0.5;
const FEW: f64 = 0.1;

/// A candidate that is not admitted is extended when its estimate lies at most so many standard errors
/// below k.
const EXTENDS: f64 = 1.0;

/// The part of ξ that pays for clients being drawn without replacement; the rest is for the test.
const FOR_DRAWING: f64 = 0.05;

/// What is still to be done about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It may or may not reach k.
    Open,
    /// It is nearly admitted.
    Nearly,
    /// It is admitted whatever further answers say.
    Settled,
    /// It is not asked about any more, unless to fill a question.
    Hopeless,
}

impl State {
    /// How many clients a candidate is worth, beside others.
    fn weight(self) -> f64 {
        match self {
            Self::Nearly => FEW,
            _ => 1.0,
        }
    }

    fn is_undecided(self) -> bool {
        matches!(self, Self::Open | Self::Nearly)
    }
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
    /// From here on they only fill questions: never published, never extended.
    fillers_from: usize,
    /// For the candidates of full questions, and of one that is not full.
    bars: [Bar; 2],
    /// The probability of a yes that a fragment below k has at most, and with what probability that
    /// fails.
    below: f64,
    fails: f64,
    in_block: usize,
    /// How many further answers are planned for each candidate after the round that is open.
    rests: Vec<u64>,
}

impl Level {
    /// `candidates` has at least one.
    pub(super) fn new(campaign: &Campaign, length: usize, candidates: Candidates) -> Result<Self> {
        let parameters = campaign.parameters();
        let mut codes = candidates.codes;
        let fillers_from = codes.len() / length;
        let per_client = parameters.per_client as usize;
        if parameters.form == Form::Repaired {
            // Whole questions, so that none has to be filled with a candidate of another.
            let least = fillers_from
                .next_multiple_of(per_client)
                .max(BLOCKS * per_client);
            fill(&mut codes, length, parameters.locations, least);
        }
        let number = codes.len() / length;
        let in_block = number.min(per_client);
        let last = match number % in_block {
            0 => in_block,
            some => some,
        };
        let bar = |asked| {
            let flip = campaign.response(asked).flip().as_f64();
            Bar::new(parameters.population, parameters.k, flip)
        };
        let bars = [bar(in_block)?, bar(last)?];
        // The repaired form fills the last question up, so that a candidate's answers all have one
        // law; as published the last question may be short, with less noise.
        let short_from = match parameters.form {
            Form::AsPublished => number - last,
            Form::Repaired => number,
        };
        let candidate = |at| Candidate {
            history: History::default(),
            state: match at < fillers_from {
                true => State::Open,
                false => State::Hopeless,
            },
            bar: usize::from(at >= short_from),
        };
        // For many fragments at once it is paid for every one that there could be, as which are
        // candidates depends on earlier answers.
        let possible = f64::from(parameters.locations).powi(length as i32);
        let fails = FOR_DRAWING * parameters.xi / shared_by(parameters, possible);
        let drawn = drawn_at_most(campaign, length, number, in_block);
        Ok(Self {
            length,
            codes,
            cleaned: candidates.cleaned,
            left_out: candidates.left_out,
            candidates: (0..number).map(candidate).collect(),
            fillers_from,
            below: bars[0].yes_probability_after(drawn, fails),
            fails,
            bars,
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
        let state = |at: u32| self.candidates[at as usize].state;
        let chosen = |wanted: &dyn Fn(State) -> bool| -> Vec<u32> {
            (0..self.len() as u32)
                .filter(|&at| wanted(state(at)))
                .collect()
        };
        let mut members = chosen(&State::is_undecided);
        if members.is_empty() {
            members = chosen(&|state| state == State::Settled);
        }
        if members.is_empty() {
            return None;
        }
        if form == Form::AsPublished {
            let blocks = members.len().div_ceil(self.in_block);
            return Some(Blocks {
                in_block: self.in_block,
                members,
                weights: vec![1.0; blocks],
            });
        }
        // Candidates of one weight stand together.
        members.sort_by(|&a, &b| state(b).weight().total_cmp(&state(a).weight()));
        let asked_for = state(members[0]).is_undecided();
        let mut others: Vec<u32> = match asked_for {
            true => chosen(&|state| !state.is_undecided()),
            false => chosen(&|state| state == State::Hopeless),
        };
        others.sort_by_key(|&at| state(at) != State::Settled);
        let mut others = others.into_iter();
        let weights = |members: &[u32]| -> Vec<f64> {
            let questions = members.chunks(self.in_block);
            questions
                .map(|question| state(question[0]).weight())
                .collect()
        };
        let most = 1.0 / self.len().div_ceil(self.in_block).min(BLOCKS) as f64;
        // Filled up to whole questions, and to so many that none has more than its part of the
        // clients. Where candidates run out, the first ones of all fill the last question.
        loop {
            let short = members.len() % self.in_block;
            if short == 0 && heaviest(&weights(&members)) <= most {
                break;
            }
            match others.next() {
                Some(other) => members.push(other),
                None if short == 0 => break,
                None => {
                    let question = &members[members.len() - short..];
                    let free = (0..self.len() as u32).find(|at| !question.contains(at));
                    members.push(free?);
                }
            }
        }
        let mut weights = weights(&members);
        if heaviest(&weights) > most {
            weights.fill(1.0);
        }
        Some(Blocks {
            in_block: self.in_block,
            weights,
            members,
        })
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
        let (bars, below) = (self.bars, self.below);
        let updates = asked.into_par_iter().zip(&self.rests);
        self.candidates
            .par_iter_mut()
            .zip(updates)
            .filter(|(_, ((asked, _), _))| *asked > 0)
            .for_each(|(candidate, ((asked, yes), &rest))| {
                candidate.history.phases.push(Phase { asked, yes, rest });
                if candidate.state.is_undecided() {
                    let bar = &bars[candidate.bar];
                    candidate.state = state(bar, &candidate.history, level, below);
                }
            });
    }

    /// A level at which an admitted candidate is admitted under the control, whatever becomes of the
    /// others.
    fn working_level(&self, parameters: &Parameters) -> f64 {
        let number = self.fillers_from;
        let harmonic: f64 = match parameters.control {
            Control::FalseDiscovery => (1..=number).map(|i| 1.0 / i as f64).sum(),
            _ => 1.0,
        };
        for_the_test(parameters) / (shared_by(parameters, number as f64) * harmonic)
    }

    /// Which candidates are admitted.
    pub(super) fn verdicts(&self, parameters: &Parameters) -> Vec<Verdict> {
        let p_value = |at: usize| match parameters.form {
            Form::AsPublished => self.history(at).p_value(self.bar(at).yes_probability()),
            Form::Repaired => self.history(at).p_value(self.below),
        };
        let p: Vec<f64> = (0..self.fillers_from)
            .into_par_iter()
            .map(p_value)
            .collect();
        let level = for_the_test(parameters);
        let admitted = match (parameters.form, parameters.control) {
            (Form::AsPublished, _) => (0..self.fillers_from)
                .map(|at| self.passes(at, parameters))
                .collect(),
            (_, Control::PerCandidate) => p.iter().map(|&p| p <= level).collect(),
            (_, Control::FamilyWise) => holm(&p, level),
            (_, Control::FalseDiscovery) => benjamini_yekutieli(&p, level),
        };
        let verdict = |(p_value, admitted): (f64, bool)| Verdict {
            p_value: match parameters.form {
                Form::AsPublished => p_value,
                Form::Repaired => (p_value + self.fails).min(1.0),
            },
            admitted,
        };
        let fillers = self.len() - self.fillers_from;
        let none = (0..fillers).map(|_| (1.0, false));
        let all = p.into_iter().zip(admitted).chain(none);
        all.map(verdict).collect()
    }

    /// The published rule.
    fn passes(&self, at: usize, parameters: &Parameters) -> bool {
        let history = self.history(at);
        let asked = history.asked();
        asked > 0 && history.yes() >= self.bar(at).published_threshold(asked, parameters.xi)
    }

    /// Whether k lies at most so many standard errors above the estimate.
    fn may_reach(&self, at: usize, errors: f64) -> bool {
        may_reach(self.bar(at), self.history(at), errors)
    }

    /// What longer fragments may be made of: as published the admitted, repaired all that may well
    /// reach k.
    pub(super) fn kept(&self, parameters: &Parameters) -> Kept {
        let keeps = |&at: &usize| match parameters.form {
            Form::AsPublished => self.passes(at, parameters),
            Form::Repaired => {
                self.candidates[at].state == State::Settled || self.may_reach(at, EXTENDS)
            }
        };
        let mut kept = Kept {
            length: self.length,
            ..Kept::default()
        };
        for at in (0..self.fillers_from).filter(keeps) {
            kept.codes.extend_from_slice(self.fragment(at));
            kept.counts.push(self.count(at));
        }
        kept
    }
}

fn may_reach(bar: &Bar, history: &History, errors: f64) -> bool {
    let (asked, yes) = (history.asked(), history.yes());
    bar.count(yes, asked) + errors * bar.standard_error(yes, asked) >= bar.k() as f64
}

fn state(bar: &Bar, history: &History, level: f64, below: f64) -> State {
    let left = history.remaining_level(level, below);
    match left {
        left if left >= 1.0 => State::Settled,
        left if left < HOPELESS * level || !may_reach(bar, history, BELOW) => State::Hopeless,
        left if left > NEARLY => State::Nearly,
        _ => State::Open,
    }
}

/// The level of the test.
fn for_the_test(parameters: &Parameters) -> f64 {
    (1.0 - FOR_DRAWING) * parameters.xi
}

/// Among how many a level is shared, of so many.
fn shared_by(parameters: &Parameters, number: f64) -> f64 {
    match parameters.control {
        Control::PerCandidate => 1.0,
        Control::FamilyWise | Control::FalseDiscovery => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(control: Control) -> Campaign {
        let epsilon = "2".parse().unwrap();
        let mut parameters = Parameters::repaired(9, 2, 1_000_000, 10_000, epsilon);
        parameters.shares = vec![vec![0.1, 0.1], vec![0.2, 0.4]];
        parameters.control = control;
        Campaign::new(parameters).unwrap()
    }

    #[test]
    fn no_block_has_more_than_its_part_of_the_clients() {
        let campaign = campaign(Control::PerCandidate);
        let candidates = || Candidates {
            codes: (0..9).collect(),
            ..Candidates::default()
        };
        let states = [State::Open, State::Nearly, State::Settled, State::Hopeless];
        // Every pattern of states of nine candidates that the base-4 digits of a number spell.
        for pattern in (0..4_u32.pow(9)).step_by(97) {
            let mut level = Level::new(&campaign, 1, candidates()).unwrap();
            for (at, candidate) in level.candidates.iter_mut().enumerate() {
                candidate.state = states[(pattern >> (2 * at) & 3) as usize];
            }
            let Some(blocks) = level.blocks(Form::Repaired) else {
                assert!(
                    level
                        .candidates
                        .iter()
                        .all(|it| it.state == State::Hopeless)
                );
                continue;
            };
            assert!(heaviest(&blocks.weights) <= 0.25 + 1e-12, "{pattern}");
            let asked = |at| blocks.members.contains(&(at as u32));
            for (at, candidate) in level.candidates.iter().enumerate() {
                assert!(asked(at) || !candidate.state.is_undecided(), "{pattern}");
            }
        }
    }

    #[test]
    fn no_candidate_stands_in_two_questions_where_there_are_enough() {
        for (per_client, open) in [(2, 9), (3, 11), (5, 21), (5, 1)] {
            let mut parameters = campaign(Control::PerCandidate).parameters().clone();
            parameters.per_client = per_client;
            let campaign = Campaign::new(parameters).unwrap();
            let codes = (0..open).flat_map(|at| [at / 9, at % 9]).collect();
            let candidates = Candidates {
                codes,
                ..Candidates::default()
            };
            let level = Level::new(&campaign, 2, candidates).unwrap();
            let blocks = level.blocks(Form::Repaired).unwrap();
            let mut asked = blocks.members.clone();
            asked.sort_unstable();
            asked.dedup();
            assert_eq!(asked.len(), blocks.members.len(), "{per_client} {open}");
            assert_eq!(asked.len() % per_client as usize, 0);
            assert!(asked.len() >= open as usize);
        }
    }

    #[test]
    fn drawing_without_replacement_is_paid_for_within_the_level() {
        for control in [Control::PerCandidate, Control::FamilyWise] {
            let campaign = campaign(control);
            let codes = Candidates {
                codes: (0..18).map(|at| at % 9).collect(),
                ..Candidates::default()
            };
            let level = Level::new(&campaign, 2, codes).unwrap();
            let parameters = campaign.parameters();
            // Nine candidates of 81 fragments.
            let (candidates, possible) = match control {
                Control::FamilyWise => (9.0, 81.0),
                _ => (1.0, 1.0),
            };
            let paid = level.working_level(parameters) * candidates + level.fails * possible;
            assert!((paid - parameters.xi).abs() < 1e-12);
            assert!(level.below > level.bar(0).yes_probability());
        }
    }
}
