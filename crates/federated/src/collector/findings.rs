//! What a campaign has found.

use rayon::prelude::*;

use crate::campaign::{Form, Parameters};
use crate::decide::consistent::{Estimated, consistent};
use crate::decide::sequential::History;
use crate::message::{Answer, question_bits};

use super::level::{Level, Verdict};
use super::round::{Round, Tally};

/// The confidence of the intervals.
pub const CONFIDENCE: f64 = 0.95;

/// One fragment that was asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its locations.
    pub fragment: Vec<u32>,
    /// How many answered and said yes, phase by phase.
    pub history: History,
    /// The unbiased estimate of how many clients have it; below zero at times.
    pub estimate: f64,
    /// The standard error of the estimate.
    pub standard_error: f64,
    /// For what is released: between so many clients, with [`CONFIDENCE`] for a fragment fixed in
    /// advance.
    pub interval: Option<(u64, u64)>,
    /// The smallest level at which it would be admitted on its own.
    pub p_value: f64,
    /// Whether it is admitted as having at least k clients.
    pub admitted: bool,
    /// Whether it is published.
    pub released: bool,
    /// For what is released: how many clients have it, in agreement with its parts.
    pub count: Option<u64>,
}

/// What was asked about one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The length.
    pub length: usize,
    /// Candidates asked about.
    pub candidates: usize,
    /// Not asked about since a Markov chain expects too few clients to have them.
    pub cleaned: u64,
    /// Not asked about since there were too many candidates.
    pub left_out: u64,
}

/// How much was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Clients that answered.
    pub clients: u64,
    /// The information in all answers, in bits.
    pub answer_bits: f64,
    /// The most information in one answer.
    pub most_answer_bits: f64,
    /// The bytes of all answers.
    pub answer_bytes: u64,
    /// The information in all questions, in bits.
    pub question_bits: f64,
    /// The most information in one question.
    pub most_question_bits: f64,
    /// The bytes of all questions.
    pub question_bytes: u64,
}

impl Traffic {
    /// Adds the messages of a round.
    pub(super) fn add(
        &mut self,
        parameters: &Parameters,
        rounds: usize,
        round: &Round,
        tally: &Tally,
    ) {
        for block in (0..round.blocks()).filter(|&block| tally.answers(block) > 0) {
            let clients = tally.answers(block);
            let question = round.question(block);
            let fragments = question.fragments() as u32;
            let answer = Answer {
                campaign: question.campaign,
                round: question.round,
                block: question.block,
                fragments,
                bits: u64::MAX >> (64 - fragments),
            };
            let (up, down) = (
                f64::from(fragments),
                question_bits(
                    question.codes.len(),
                    parameters.locations,
                    rounds,
                    round.blocks(),
                ),
            );
            self.clients += clients;
            self.answer_bits += up * clients as f64;
            self.question_bits += down * clients as f64;
            self.most_answer_bits = self.most_answer_bits.max(up);
            self.most_question_bits = self.most_question_bits.max(down);
            self.answer_bytes += clients * answer.encode().len() as u64;
            self.question_bytes += clients * question.encode().len() as u64;
        }
    }
}

/// The result of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// Every fragment that was asked about, by length and then by locations.
    pub fragments: Vec<Finding>,
    /// What was asked, by length.
    pub extents: Vec<Extent>,
    /// How much was sent.
    pub traffic: Traffic,
}

impl Findings {
    /// The fragments that are published.
    pub fn released(&self) -> impl Iterator<Item = &Finding> {
        self.fragments.iter().filter(|finding| finding.released)
    }

    pub(super) fn of(parameters: &Parameters, levels: &[Level], traffic: Traffic) -> Self {
        let mut fragments: Vec<Finding> = Vec::new();
        for level in levels {
            let verdicts = level.verdicts(parameters);
            let found = verdicts
                .into_par_iter()
                .enumerate()
                .map(|(at, verdict)| finding(parameters, level, at, &verdict));
            let start = fragments.len();
            fragments.par_extend(found);
            fragments[start..].sort_by(|a, b| a.fragment.cmp(&b.fragment));
        }
        set_counts(&mut fragments, parameters);
        let extent = |level: &Level| Extent {
            length: level.length,
            candidates: level.len(),
            cleaned: level.cleaned,
            left_out: level.left_out,
        };
        Self {
            fragments,
            extents: levels.iter().map(extent).collect(),
            traffic,
        }
    }
}

fn finding(parameters: &Parameters, level: &Level, at: usize, verdict: &Verdict) -> Finding {
    let (history, bar) = (level.history(at), level.bar(at));
    let (yes, asked) = (history.yes(), history.asked());
    // As published only the longest fragments are returned.
    let longest = level.length == parameters.length as usize;
    let released = verdict.admitted && (longest || parameters.form == Form::Repaired);
    Finding {
        fragment: level.fragment(at).to_vec(),
        history: history.clone(),
        estimate: bar.count(yes, asked),
        standard_error: bar.standard_error(yes, asked),
        interval: released.then(|| history.interval(bar, CONFIDENCE)),
        p_value: verdict.p_value,
        admitted: verdict.admitted,
        released,
        count: None,
    }
}

/// Sets the counts of what is released, so that no fragment has more clients than its parts.
fn set_counts(fragments: &mut [Finding], parameters: &Parameters) {
    let released = || fragments.iter().filter(|finding| finding.released);
    let estimated: Vec<Estimated<'_>> = released()
        .map(|finding| Estimated {
            codes: &finding.fragment,
            count: finding.estimate,
            variance: finding.standard_error.powi(2),
        })
        .collect();
    let counts = consistent(&estimated, parameters.population);
    let released = fragments.iter_mut().filter(|finding| finding.released);
    for (finding, count) in released.zip(counts) {
        finding.count = Some(count);
    }
}
