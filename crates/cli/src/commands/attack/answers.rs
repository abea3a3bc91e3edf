//! The questions of the European guidance, each answered for everything that was published.

use wayveil_evaluate::attack::{Made, Question, Verdict, answers as of_one, level};

use super::results::Results;

/// The answer to a question for one published thing.
pub(super) struct Answer {
    pub(super) question: Question,
    /// Position of the published thing.
    pub(super) position: usize,
    /// What is said of it; none where no attack could be made.
    pub(super) verdict: Option<Verdict>,
    pub(super) text: String,
}

/// An answer for every question that some attack asks, and every published thing.
pub(super) fn answers(results: &Results) -> Vec<Answer> {
    let mut answers = Vec::new();
    for position in 0..results.published.len() {
        for answer in of_one(&made(results, position), results.unit, &results.settings) {
            answers.push(Answer {
                question: answer.question,
                position,
                verdict: answer.headline.map(|headline| headline.verdict),
                text: answer.sentence,
            });
        }
    }
    let asked = |answer: &Answer| {
        let mut attacks = results.attacked.iter();
        attacks.any(|attacked| attacked.attack.question == answer.question)
    };
    answers.retain(asked);
    answers.sort_by_key(|answer| (answer.question, answer.position));
    answers
}

/// The level at which each figure on one published thing is judged.
pub(super) fn level_on(results: &Results, position: usize) -> f64 {
    level(&made(results, position), &results.settings)
}

fn made(results: &Results, position: usize) -> Vec<Made<'_>> {
    let attacked = results.attacked.iter();
    attacked
        .map(|attacked| (attacked.attack, &attacked.outcomes[position]))
        .collect()
}
