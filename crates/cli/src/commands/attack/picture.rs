//! Attacks as a picture.

use wayveil_core::PrivacyUnit;
use wayveil_evaluate::attack::{Control, Found, Outcome, QUESTIONS, Question, Verdict};
use wayveil_report::{
    AttackBar, AttackChart, AttackControl, AttackRow, AttackVerdict, KnowledgeCurve, QuestionGroup,
    Rate,
};

use super::answers::{answers, level_on};
use super::results::{Attacked, Results};

/// Names of numbers that an attack has for each number of known points.
const POINTS: &str = "points-";

/// Everything that the picture needs.
pub(super) fn chart(results: &Results) -> AttackChart {
    let groups = QUESTIONS
        .into_iter()
        .map(|question| QuestionGroup {
            question: in_words(results, question),
            rows: results
                .attacked
                .iter()
                .filter(|attacked| attacked.attack.question == question)
                .map(|attacked| row(results, attacked))
                .collect(),
        })
        .filter(|group| !group.rows.is_empty())
        .collect();
    AttackChart {
        title: "What an attacker could find out".into(),
        note: summary(results),
        who: results.who().into(),
        confidence: 1.0 - results.settings.alpha,
        published: results
            .published
            .iter()
            .map(|published| published.title.clone())
            .collect(),
        groups,
        curve: curve(results),
    }
}

fn in_words(results: &Results, question: Question) -> String {
    let (victim, whose) = match results.unit {
        PrivacyUnit::Owner => ("person", "their"),
        PrivacyUnit::OwnerBounded(_) | PrivacyUnit::Trip => ("trip of a person", "its"),
    };
    match question {
        Question::SinglingOut => {
            format!("Can a {victim} be singled out by someone who knows a few of {whose} visits?")
        }
        Question::Linkability => {
            format!("Can a known part of the visits of a {victim} be linked to the rest?")
        }
        Question::Inference => "Can a visit, a home or a workplace be inferred?".into(),
        Question::Membership => "Can one tell whether a person is in the data?".into(),
    }
}

/// For each published thing, the questions on which someone does better than chance, and what was
/// attacked.
fn summary(results: &Results) -> String {
    let answers = answers(results);
    let about = |position: usize| {
        let of = answers.iter().filter(|answer| answer.position == position);
        let better: Vec<&str> = of
            .filter(|answer| answer.verdict == Some(Verdict::BetterThanChance))
            .map(|answer| answer.question.name())
            .collect();
        let on = match (better.as_slice(), &results.no_control[position]) {
            ([], Some(_)) => "not known, as there is no control".into(),
            ([], None) => "nowhere shown".into(),
            ([one], _) => (*one).to_owned(),
            ([rest @ .., last], _) => format!("{} and {last}", rest.join(", ")),
        };
        format!("{}: {on}", results.published[position].title)
    };
    let parts: Vec<String> = (0..results.published.len()).map(about).collect();
    let mut made_on: Vec<&str> = (results.attacked.iter())
        .flat_map(|attacked| attacked.made_on.iter().copied())
        .collect();
    made_on.sort_unstable();
    made_on.dedup();
    format!(
        "Where attackers did better than on people who are not in the data: {}. Attacked: {}.",
        parts.join("; "),
        made_on.join(", or ")
    )
}

/// A number's name in words: `points-4` is "4 visits known".
fn plain(name: &str) -> String {
    let mut words = Vec::new();
    let mut parts = name.split('-').peekable();
    while let Some(part) = parts.next() {
        let number = parts.next_if(|next| next.parse::<u32>().is_ok());
        words.push(match (part, number) {
            ("points", Some("1")) => "1 visit known".into(),
            ("points", Some(count)) => format!("{count} visits known"),
            ("places" | "times", Some("1")) => format!("{part} known exactly,"),
            ("places", Some(count)) => format!("{count} places taken for one,"),
            ("times", Some(count)) => format!("{count} time bins taken for one,"),
            (part, Some(number)) => format!("{part} {number}"),
            (part, None) => part.to_owned(),
        });
    }
    words.join(" ").trim_end_matches(',').to_owned()
}

/// One row of an attack: for known points the typical number of them, else, or where only others are
/// better than chance, the figure with the greatest gain over its control on anything published. The
/// table has them all.
fn row(results: &Results, attacked: &Attacked) -> AttackRow {
    let typical = format!("{POINTS}{}", results.settings.typical_points);
    let names = attacked.names();
    let usual = match names.contains(&typical.as_str()) {
        true if names.contains(&"half") => Some("half"),
        true => Some(typical.as_str()),
        false => None,
    };
    let better = |name: &str| {
        (0..results.published.len()).any(|position| {
            let found = attacked.named(position, name);
            found.is_some_and(|found| found.better_than_chance(level_on(results, position)))
        })
    };
    let hides_another =
        |usual: &str| !better(usual) && names.iter().any(|&name| name != usual && better(name));
    let name = match usual {
        Some(usual) if !hides_another(usual) => usual,
        _ => worst(results, attacked).unwrap_or_default(),
    };
    let mut label = attacked.attack.about.to_owned();
    if !name.is_empty() {
        label += &format!(": {}", plain(name));
    }
    AttackRow {
        label,
        bars: (0..results.published.len())
            .map(|position| bar(results, attacked, position, name))
            .collect(),
    }
}

/// The figure with the greatest gain over its control, but of rough knowledge never the exact one.
fn worst<'a>(results: &Results, attacked: &'a Attacked) -> Option<&'a str> {
    let exact = |found: &Found| ["places-1", "places-1-times-1"].contains(&found.name.as_str());
    (0..results.published.len())
        .flat_map(|position| attacked.found(position))
        .filter(|found| !exact(found))
        .filter_map(|found| Some((found, found.rate()? - found.control_rate().unwrap_or(0.0))))
        .max_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(found, _)| found.name.as_str())
}

fn bar(results: &Results, attacked: &Attacked, position: usize, name: &str) -> AttackBar {
    let alpha = results.settings.alpha;
    match &attacked.outcomes[position] {
        Outcome::NotPossible(reason) => AttackBar::NotPossible(reason.clone()),
        Outcome::Found(_) => {
            let found = attacked.named(position, name);
            match found.and_then(|found| Some((found, rate(found, alpha)?))) {
                None => AttackBar::NotPossible("nothing to attack".into()),
                Some((found, rate)) => AttackBar::Found {
                    rate,
                    control: match found.control {
                        Control::Coin(share) => Some(AttackControl::Coin(share)),
                        _ => not_in(found, alpha).map(AttackControl::NotIn),
                    },
                    verdict: match Verdict::of(found, level_on(results, position)) {
                        Verdict::BetterThanChance => AttackVerdict::Better,
                        Verdict::NotShown => AttackVerdict::NotShown,
                        Verdict::NoControl => AttackVerdict::NoControl,
                    },
                },
            }
        }
    }
}

fn rate(found: &Found, alpha: f64) -> Option<Rate> {
    let (low, high) = found.interval(alpha);
    let share = found.rate()?;
    Some(Rate { share, low, high })
}

/// The same on people who are not in.
fn not_in(found: &Found, alpha: f64) -> Option<Rate> {
    let Control::Outsiders(group) = found.control else {
        return None;
    };
    let share = group.rate()?;
    let (low, high) = group.interval(alpha);
    Some(Rate { share, low, high })
}

/// How many known points a number's name stands for.
fn points(name: &str) -> Option<u32> {
    name.strip_prefix(POINTS)?.parse().ok()
}

/// The first attack that has a curve, one that singles out before others.
fn curve(results: &Results) -> Option<KnowledgeCurve> {
    let has_curve = |attacked: &&Attacked| {
        let names = attacked.names();
        names.iter().filter(|name| points(name).is_some()).count() > 1
    };
    let singles_out = |attacked: &&Attacked| attacked.attack.question == Question::SinglingOut;
    let mut candidates = results.attacked.iter().filter(has_curve);
    let first = candidates.clone().find(singles_out);
    let attacked = first.or_else(|| candidates.next())?;
    let alpha = results.settings.alpha;
    let line = |position: usize, of: fn(&Found, f64) -> Option<Rate>| {
        let found = attacked.found(position).iter();
        found
            .filter_map(|found| Some((points(&found.name)?, of(found, alpha)?)))
            .collect::<Vec<_>>()
    };
    let positions = 0..results.published.len();
    Some(KnowledgeCurve {
        title: format!(
            "What more knowledge brings ({})",
            attacked.attack.about.trim_end_matches('.')
        ),
        known: "visits that the attacker knows".into(),
        not_in: (positions.clone())
            .map(|position| line(position, not_in))
            .collect(),
        lines: positions.map(|position| line(position, rate)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_become_words() {
        for (name, words) in [
            ("points-4", "4 visits known"),
            ("places-1", "places known exactly"),
            (
                "places-8-times-1",
                "8 places taken for one, times known exactly",
            ),
            (
                "places-1-times-2",
                "places known exactly, 2 time bins taken for one",
            ),
            ("home", "home"),
            ("first-name", "first name"),
            ("", ""),
        ] {
            assert_eq!(plain(name), words);
        }
    }
}
