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
mod tests {
    use super::super::{
        Group, attribute_inference, hidden_visit, home_and_work, linkage, rough_knowledge,
        singling_out,
    };
    use super::*;

    static MEMBERSHIP: Attack = Attack {
        name: "membership-test",
        about: "",
        question: Question::Membership,
        definition: "",
        source: "",
        run: |_, _, _| Ok(Outcome::NotPossible("never run".into())),
    };

    /// Of a hundred each, who are in and who are not.
    fn found(name: &str, members: u64, others: u64) -> Found {
        let group = |successes| Group {
            tries: 100,
            successes,
        };
        Found {
            name: name.into(),
            members: group(members),
            control: Control::Outsiders(group(others)),
            independent: None,
        }
    }

    fn coin(successes: u64) -> Found {
        Found {
            members: Group {
                tries: 1000,
                successes,
            },
            control: Control::Coin(0.5),
            ..found("", 0, 0)
        }
    }

    fn nobody(name: &str) -> Found {
        Found {
            members: Group::default(),
            control: Control::Outsiders(Group::default()),
            ..found(name, 0, 0)
        }
    }

    fn answers(results: &[Made<'_>]) -> Vec<Answer> {
        super::answers(results, PrivacyUnit::Owner, &AttackSettings::default())
    }

    #[test]
    fn each_question_has_its_headline() {
        let results = [
            (
                &singling_out::ATTACK,
                Outcome::Found(vec![found("points-3", 99, 0), found("points-4", 83, 2)]),
            ),
            (
                &rough_knowledge::ATTACK,
                Outcome::Found(vec![found("places-2", 100, 0)]),
            ),
            (
                &linkage::ATTACK,
                Outcome::Found(vec![found("points-4", 2, 1), found("half", 3, 1)]),
            ),
            (
                &hidden_visit::ATTACK,
                Outcome::Found(vec![found("", 90, 85)]),
            ),
            (
                &home_and_work::ATTACK,
                Outcome::Found(vec![found("home", 30, 10), found("work", 20, 1)]),
            ),
            (
                &attribute_inference::ATTACK,
                Outcome::Found(vec![nobody("age")]),
            ),
            (&MEMBERSHIP, Outcome::Found(vec![coin(500), coin(700)])),
        ];
        let results: Vec<Made<'_>> = results.iter().map(|(a, o)| (*a, o)).collect();
        let answers = answers(&results);
        let sentences: Vec<&str> = answers.iter().map(|it| it.sentence.as_str()).collect();
        assert_eq!(
            sentences,
            [
                "Someone who knows 4 visits of a person (or all, if fewer) isolates that person's \
                 record in 83 of 100 cases; of people who are not in the data, in 2.",
                "Someone who has half of the visits of a person from another source finds that \
                 person's whole record in 3 of 100 cases; of people who are not in the data, in 1. \
                 The difference may be chance.",
                "Someone who knows 4 visits of a person elsewhere (or all, if fewer) tells where \
                 that person lives in 30 of 100 cases; of people who are not in the data, in 10.",
                "Someone who knows a person's record tells whether that person was in, in 70 of \
                 100 cases; a coin does in 50.",
            ]
        );
        let headline = answers[0].headline.as_ref().unwrap();
        assert_eq!((headline.rate, headline.control_rate), (0.83, Some(0.02)));
        assert_eq!(headline.interval, headline.found.interval(0.05));
        let verdicts = answers
            .iter()
            .map(|it| it.headline.as_ref().unwrap().verdict);
        let better = verdicts.map(|it| it == Verdict::BetterThanChance);
        assert_eq!(better.collect::<Vec<_>>(), [true, false, true, true]);
    }

    #[test]
    fn the_usual_figure_does_not_hide_a_worse_one() {
        let figures = |usual| {
            Outcome::Found(vec![
                found("points-4", usual, 0),
                found("points-9", 30, 0),
                found("points-10", 40, 0),
            ])
        };
        let named = |usual: u64| {
            let outcome = figures(usual);
            let made = [(&singling_out::ATTACK, &outcome)];
            let answer = answers(&made).swap_remove(0);
            (answer.headline.unwrap().found.name, answer.sentence)
        };
        assert_eq!(named(20).0, "points-4");
        let (name, sentence) = named(1);
        assert_eq!(name, "points-10");
        assert!(
            sentence.starts_with("Someone who knows 10 visits"),
            "{sentence}"
        );
    }

    #[test]
    fn many_figures_are_judged_more_strictly() {
        // Six of 100 in, none of 100 out: a chance of 0.0144, enough for three figures, not for four.
        let figures = |count: usize| {
            let outcome = Outcome::Found(vec![found("", 6, 0); count]);
            let answers = answers(&[(&hidden_visit::ATTACK, &outcome)]);
            answers[2].headline.as_ref().unwrap().verdict
        };
        assert_eq!(figures(3), Verdict::BetterThanChance);
        assert_eq!(figures(4), Verdict::NotShown);
    }

    #[test]
    fn a_figure_without_a_control_has_no_verdict() {
        let alone = Found {
            control: Control::None,
            ..found("half", 90, 0)
        };
        let outcome = Outcome::Found(vec![alone, found("points-1", 1, 0)]);
        let made = [(&linkage::ATTACK, &outcome)];
        assert_eq!(level(&made, &AttackSettings::default()), 0.05);
        let trip = super::answers(&made, PrivacyUnit::Trip, &AttackSettings::default());
        let headline = trip[1].headline.as_ref().unwrap();
        assert_eq!(
            (headline.verdict, headline.control_rate),
            (Verdict::NoControl, None)
        );
        assert_eq!(
            trip[1].sentence,
            "Someone who has half of the visits of a trip of a person from another source finds \
             that whole trip in 90 of 100 cases; there is nobody to compare with who is not in the \
             data."
        );
    }

    #[test]
    fn what_was_not_possible_is_said() {
        let reason = Outcome::NotPossible("nobody has a visit".into());
        let answers = answers(&[(&singling_out::ATTACK, &reason)]);
        assert!(answers.iter().all(|it| it.headline.is_none()));
        assert_eq!(
            answers[0].sentence,
            "This could not be tried: nobody has a visit."
        );
        assert_eq!(answers[1].sentence, "This was not tried.");
    }

    #[test]
    fn shares_are_rounded_but_not_to_none_or_all() {
        let shares = [0.0, 0.001, 0.0099, 0.01, 0.126, 0.99, 0.9901, 1.0];
        let words = shares.map(of_100);
        let expected = [
            "none",
            "fewer than 1",
            "fewer than 1",
            "1",
            "13",
            "99",
            "more than 99",
            "100",
        ];
        assert_eq!(words, expected);
    }
}
