//! The attacks' results as answers to the questions that regulators ask.
//!
//! Each question has one headline figure: for singling out that of the typical number of known
//! points, for linkability that of half of a person's visits. Where there is no such figure, or it is
//! not better than chance while another one is, and for the other questions always, it is the one
//! with the greatest gain over its control.
//!
//! As many figures are looked at, each is judged at [`level`], `alpha` divided by their number
//! (Bonferroni): with confidence 1 − `alpha` no verdict [`Verdict::BetterThanChance`] on a release
//! is due to chance. Intervals are those of one figure alone.

use wayveil_core::PrivacyUnit;

use super::{Attack, AttackSettings, Control, Found, Outcome, Question};

/// Whether an attack does better on people who are in than on people who are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Better than its control, beyond chance.
    BetterThanChance,
    /// No better, or not so that it could be told from chance with so much data. Other attacks
    /// might be.
    NotShown,
    /// There is nothing to compare with.
    NoControl,
}

impl Verdict {
    /// The verdict on a figure that is judged at this level.
    pub fn of(found: &Found, level: f64) -> Self {
        match found.control_rate() {
            None => Self::NoControl,
            Some(_) if found.better_than_chance(level) => Self::BetterThanChance,
            Some(_) => Self::NotShown,
        }
    }

    /// In a few words.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::BetterThanChance => "better than chance",
            Self::NotShown => "not shown to be better than chance",
            Self::NoControl => "no control",
        }
    }
}

/// The figure that answers a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// The attack's name.
    pub attack: &'static str,
    /// Which of its figures.
    pub found: Found,
    /// How often the attacker succeeded.
    pub rate: f64,
    /// The interval of that.
    pub interval: (f64, f64),
    /// How often it did on the control.
    pub control_rate: Option<f64>,
    /// Whether that is less, beyond chance.
    pub verdict: Verdict,
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Which question.
    pub question: Question,
    /// The figure; none where no attack could be made.
    pub headline: Option<Headline>,
    /// The answer in plain English.
    pub sentence: String,
}

/// Every question, in the order in which they are asked.
pub const QUESTIONS: [Question; 4] = [
    Question::SinglingOut,
    Question::Linkability,
    Question::Inference,
    Question::Membership,
];

/// An attack and what came of it on one release.
pub type Made<'a> = (&'static Attack, &'a Outcome);

/// The level at which each figure of the attacks on one release is judged.
pub fn level(results: &[Made<'_>], settings: &AttackSettings) -> f64 {
    let figures = results.iter().flat_map(|(_, outcome)| outcome.figures());
    let judged = figures.filter(|found| found.rate().and(found.control_rate()).is_some());
    settings.alpha / judged.count().max(1) as f64
}

/// Answers every question from what came of the attacks on one release.
pub fn answers(results: &[Made<'_>], unit: PrivacyUnit, settings: &AttackSettings) -> Vec<Answer> {
    let picked = QUESTIONS.map(|question| candidates(question, results));
    let alpha = level(results, settings);
    let answer = |(question, figures): (Question, Vec<Figure<'_>>)| {
        let usual = usual_name(question, settings);
        let usual = figures
            .iter()
            .find(|it| Some(&it.found.name) == usual.as_ref());
        let better = |it: &&Figure<'_>| it.found.better_than_chance(alpha);
        let picked = usual
            .filter(better)
            .or_else(|| worst(figures.iter().filter(better)))
            .or(usual)
            .or_else(|| worst(figures.iter()));
        let headline = picked.map(|figure| Headline {
            attack: figure.attack.name,
            found: figure.found.clone(),
            rate: figure.rate,
            interval: figure.found.interval(settings.alpha),
            control_rate: figure.found.control_rate(),
            verdict: Verdict::of(figure.found, alpha),
        });
        let sentence = match &headline {
            Some(headline) => sentence(question, headline, unit, settings),
            None => why_not(question, results),
        };
        Answer {
            question,
            headline,
            sentence,
        }
    };
    QUESTIONS.into_iter().zip(picked).map(answer).collect()
}

/// A figure that may become a headline.
struct Figure<'a> {
    attack: &'static Attack,
    found: &'a Found,
    rate: f64,
}

impl Figure<'_> {
    fn gain(&self) -> f64 {
        self.rate - self.found.control_rate().unwrap_or(0.0)
    }
}

/// The figure that is looked at first.
fn usual_name(question: Question, settings: &AttackSettings) -> Option<String> {
    match question {
        Question::SinglingOut => {
            let points = settings.typical_points.min(settings.points);
            Some(format!("points-{points}"))
        }
        Question::Linkability => Some("half".into()),
        Question::Inference | Question::Membership => None,
    }
}

/// The first of those with the greatest gain.
fn worst<'f, 'a>(figures: impl Iterator<Item = &'f Figure<'a>>) -> Option<&'f Figure<'a>> {
    figures.reduce(|worst, figure| match figure.gain() > worst.gain() {
        true => figure,
        false => worst,
    })
}

/// The figures that a question's headline is picked from; those without tries tell nothing.
fn candidates<'a>(question: Question, results: &[Made<'a>]) -> Vec<Figure<'a>> {
    let figures = results.iter().flat_map(|&(attack, outcome)| {
        let figures = outcome.figures().iter();
        figures.map(move |found| (attack, found))
    });
    figures
        .filter(|(attack, _)| attack.question == question)
        .filter_map(|(attack, found)| {
            Some(Figure {
                attack,
                found,
                rate: found.rate()?,
            })
        })
        .collect()
}

fn why_not(question: Question, results: &[Made<'_>]) -> String {
    let reason = results.iter().find_map(|(attack, outcome)| match outcome {
        Outcome::NotPossible(reason) if attack.question == question => Some(reason),
        _ => None,
    });
    match reason {
        Some(reason) => format!("This could not be tried: {reason}."),
        None => "This was not tried.".into(),
    }
}

fn sentence(
    question: Question,
    headline: &Headline,
    unit: PrivacyUnit,
    settings: &AttackSettings,
) -> String {
    let name = headline.found.name.as_str();
    let points = name.strip_prefix("points-").and_then(|it| it.parse().ok());
    let visits = match points.unwrap_or(settings.typical_points) {
        1 => "one visit".to_owned(),
        points => format!("{points} visits"),
    };
    let (whose, record, whole) = match unit {
        PrivacyUnit::Owner => (
            "a person",
            "that person's record",
            "that person's whole record",
        ),
        PrivacyUnit::OwnerBounded(_) | PrivacyUnit::Trip => {
            ("a trip of a person", "that trip", "that whole trip")
        }
    };
    let all = match visits.as_str() {
        "one visit" => "",
        _ => " (or all, if fewer)",
    };
    let knows = format!("who knows {visits} of {whose}{all}");
    let does = match (question, headline.attack, name) {
        (Question::SinglingOut, "rough-knowledge", _) => {
            format!("{knows} roughly isolates {record}")
        }
        (Question::SinglingOut, ..) => format!("{knows} isolates {record}"),
        (Question::Linkability, _, "half") => {
            format!("who has half of the visits of {whose} from another source finds {whole}")
        }
        (Question::Linkability, ..) => {
            format!("who has {visits} of {whose} from another source finds {whole}")
        }
        (Question::Membership, ..) => {
            "who knows a person's record tells whether that person was in,".into()
        }
        (Question::Inference, "hidden-visit", _) => {
            format!("{knows} tells where another one was")
        }
        (Question::Inference, "attribute-inference", column) => {
            format!("{knows} tells that person's {column:?}")
        }
        (Question::Inference, "home-and-work", what) => {
            let lives = match what {
                "home" => "lives",
                "work" => "works",
                _ => "lives and works",
            };
            format!("who knows {visits} of {whose} elsewhere{all} tells where that person {lives}")
        }
        (Question::Inference, attack, _) => format!("who makes the attack {attack} succeeds"),
    };
    let control = match (headline.found.control, headline.control_rate) {
        (Control::Coin(_), Some(rate)) => format!("a coin does in {}", of_100(rate)),
        (_, Some(rate)) => format!("of people who are not in the data, in {}", of_100(rate)),
        (_, None) => "there is nobody to compare with who is not in the data".into(),
    };
    let doubt = match (headline.verdict, headline.control_rate) {
        (Verdict::NotShown, Some(control)) if headline.rate > control => {
            " The difference may be chance."
        }
        _ => "",
    };
    format!(
        "Someone {does} in {} of 100 cases; {control}.{doubt}",
        of_100(headline.rate),
    )
}

/// A share in words, never rounded to none or all.
fn of_100(share: f64) -> String {
    match 100.0 * share {
        none if none <= 0.0 => "none".into(),
        few if few < 1.0 => "fewer than 1".into(),
        all if all >= 100.0 => "100".into(),
        most if most > 99.0 => "more than 99".into(),
        some => format!("{some:.0}"),
    }
}

#[cfg(test)]
mod tests;
