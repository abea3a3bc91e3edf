//! The questions of the European guidance, each answered for everything that was published.

use wayveil_evaluate::attack::{Found, Question};

use super::results::Results;

/// Every question, in the order in which they are asked.
pub(super) const QUESTIONS: [Question; 4] = [
    Question::SinglingOut,
    Question::Linkability,
    Question::Inference,
    Question::Membership,
];

/// The answer to a question for one published thing.
pub(super) struct Answer {
    pub(super) question: Question,
    /// Position of the published thing.
    pub(super) position: usize,
    /// Whether some attack was better than guessing; none where no attack could be made.
    pub(super) better: Option<bool>,
    pub(super) text: String,
}

/// An answer for every question that some attack asks, and every published thing.
pub(super) fn answers(results: &Results) -> Vec<Answer> {
    let asked = |question: &Question| {
        let mut attacks = results.attacked.iter();
        attacks.any(|attacked| attacked.attack.question == *question)
    };
    let mut answers = Vec::new();
    for question in QUESTIONS.into_iter().filter(asked) {
        for position in 0..results.published.len() {
            answers.push(answer(results, question, position));
        }
    }
    answers
}

/// Many attacks are made for one question, so that one may be lucky: each must be as unlikely as
/// all together may be (Bonferroni).
fn answer(results: &Results, question: Question, position: usize) -> Answer {
    let found: Vec<(&str, &Found)> = results
        .attacked
        .iter()
        .filter(|attacked| attacked.attack.question == question)
        .flat_map(|attacked| {
            let found = attacked.found(position).iter();
            found.map(move |found| (attacked.attack.name, found))
        })
        .filter(|(_, found)| found.tries > 0)
        .collect();
    let alpha = results.settings.alpha / found.len().max(1) as f64;
    let lead = |found: &Found| found.rate().unwrap_or(0.0) - found.guesser_rate().unwrap_or(0.0);
    let best = found
        .iter()
        .filter(|(_, found)| found.better_than_guessing(alpha))
        .max_by(|a, b| lead(a.1).total_cmp(&lead(b.1)));
    let title = &results.published[position].title;
    let text = match best {
        _ if found.is_empty() => format!("{title}: no attack could be made"),
        None => format!("{title}: no attack was better than guessing"),
        Some((name, best)) => {
            let percent = |share: Option<f64>| format!("{:.1}", 100.0 * share.unwrap_or(0.0));
            let number = match best.name.as_str() {
                "" => String::new(),
                number => format!(" {number}"),
            };
            format!(
                "{title}: yes, better than guessing; {name}{number} succeeds on {} of 100 {}, a \
                 guesser on {}",
                percent(best.rate()),
                results.who(),
                percent(best.guesser_rate())
            )
        }
    };
    Answer {
        question,
        position,
        better: (!found.is_empty()).then_some(best.is_some()),
        text,
    }
}
