//! How a campaign stands, and its rounds.

use askama::Template;
use wayveil_core::Result;

use super::model::{
    CampaignFacts, CampaignStanding, OpenFacts, ReleaseStanding, RoundFacts, RoundRow,
};
use super::{Part, duration};
use crate::page::html::Html;
use crate::page::wording::{counted, grouped};
use crate::words::harmless;

#[derive(Template)]
#[template(path = "campaign-now.html")]
struct Now {
    headline: String,
    lead: String,
    failed: Option<String>,
    not_published: Option<String>,
    store_works: bool,
    open: Option<Open>,
    all: String,
    found: Option<String>,
}

/// The round that is open, ready to be shown.
struct Open {
    asks_about: String,
    answers: String,
    plain_answers: u64,
    /// The end of the bar.
    most: u64,
    /// Where the quorum lies on it, and how far answers reach, of 1000.
    quorum_at: u64,
    reached: u64,
    quorum: u64,
    towards: String,
    closes_in: String,
    ends: String,
}

/// One sentence that says it all.
pub(super) fn headline(facts: &CampaignFacts) -> String {
    match (&facts.standing, &facts.open) {
        (CampaignStanding::Failed(_), _) => "Failed".into(),
        (CampaignStanding::Complete, _) => "Complete".into(),
        (CampaignStanding::Running, Some(open)) => {
            format!("Round {}", open.index)
        }
        (CampaignStanding::Running, None) => "Running".into(),
    }
}

fn lead(facts: &CampaignFacts) -> String {
    let asked = counted(facts.asked.clients, "person was", "people were");
    match &facts.standing {
        CampaignStanding::Running => {
            format!("{asked} asked to take part; each answers in one round at most.")
        }
        CampaignStanding::Complete => {
            let release = match facts.release {
                ReleaseStanding::Published => "What was found is published in a release.",
                _ => "What was found goes into a release.",
            };
            format!("All rounds are closed, and no more answers are taken. {release}")
        }
        CampaignStanding::Failed(_) => {
            "No more answers are taken. Nothing is published, and the counts were removed.".into()
        }
    }
}

pub(super) fn part(facts: &CampaignFacts) -> Result<Part> {
    let all: u64 = facts.rounds.iter().filter_map(|it| it.answers).sum();
    let why = match &facts.standing {
        CampaignStanding::Failed(why) => Some(harmless(why)),
        _ => None,
    };
    let not_published = match &facts.release {
        ReleaseStanding::NotPublished(why) => Some(harmless(why)),
        _ => None,
    };
    let now = Now {
        headline: headline(facts),
        lead: lead(facts),
        failed: why,
        not_published,
        store_works: facts.store_works,
        open: facts.open.and_then(|open| shown(facts, &open)),
        all: grouped(all),
        found: (facts.found).map(|it| counted(it, "fragment was found", "fragments were found")),
    };
    Ok(Part {
        id: "now",
        body: Html::of(&now)?,
    })
}

fn shown(facts: &CampaignFacts, open: &OpenFacts) -> Option<Open> {
    let row = facts.rounds.iter().find(|it| it.index == open.index)?;
    let (rules, expected) = (&row.rule, row.expected);
    let most = rules.enough.unwrap_or(expected.max(rules.quorum)).max(1);
    let of_a_thousand = |value: u64| (value.min(most) as u128 * 1000 / u128::from(most)) as u64;
    let ends = match rules.enough {
        Some(enough) => format!("closes with {}, or when its time is over", grouped(enough)),
        None => format!("about {} people are in it", grouped(expected)),
    };
    Some(Open {
        asks_about: asks_about(facts, row),
        answers: grouped(open.answers),
        plain_answers: open.answers,
        most,
        quorum_at: of_a_thousand(rules.quorum),
        reached: of_a_thousand(open.answers),
        quorum: rules.quorum,
        towards: towards(open.answers, rules.quorum),
        closes_in: duration(open.closes_in),
        ends,
    })
}

/// How far the quorum is; the script says it in the same words.
fn towards(answers: u64, quorum: u64) -> String {
    let all = grouped(quorum);
    match quorum.checked_sub(answers) {
        None | Some(0) => format!("the quorum of {all} is reached"),
        Some(missing) => format!("{} more for the quorum of {all}", grouped(missing)),
    }
}

fn asks_about(facts: &CampaignFacts, row: &RoundRow) -> String {
    let phases = facts.rounds.iter().filter(|it| it.length == row.length);
    let what = match row.length {
        1 => "single places".to_owned(),
        length => format!("fragments of {length} places"),
    };
    format!("{what}, phase {} of {}", row.phase + 1, phases.count())
}

#[derive(Template)]
#[template(path = "campaign-rounds.html")]
struct Rounds {
    words: String,
    rules_differ: bool,
    rows: Vec<Row>,
}

struct Row {
    number: u32,
    asks_about: String,
    expected: String,
    answers: String,
    rule: String,
    state: &'static str,
    open: bool,
}

pub(super) fn rounds(facts: &CampaignFacts) -> Result<Part> {
    let rows = facts.rounds.iter().map(|row| {
        let open = facts.open.is_some_and(|open| open.index == row.index);
        Row {
            number: row.index,
            asks_about: asks_about(facts, row),
            expected: grouped(row.expected),
            answers: row.answers.map_or("–".into(), grouped),
            rule: in_short(&row.rule),
            state: match (open, row.answers) {
                (true, _) => "open",
                (false, Some(answers)) if answers >= row.rule.quorum => "closed",
                (false, Some(_)) => "below the quorum",
                (false, None) if later(facts, row) => "to come",
                (false, None) => "not held",
            },
            open,
        }
    });
    let common = facts.common_rule();
    let when = match &common {
        Some(rule) => format!(
            "{} With fewer than {} answers when its time is over",
            sentence(rule),
            grouped(rule.quorum)
        ),
        None => {
            "Each round has its own rule. With fewer answers than its quorum when its time is over"
                .into()
        }
    };
    let words = format!(
        "{when}, the campaign fails and nothing is published. A round with nothing left to ask is not held. \
         Rounds are counted from 0."
    );
    let rounds = Rounds {
        words,
        rules_differ: common.is_none(),
        rows: rows.collect(),
    };
    Ok(Part {
        id: "rounds",
        body: Html::of(&rounds)?,
    })
}

/// Whether a round may still be held.
fn later(facts: &CampaignFacts, row: &RoundRow) -> bool {
    facts.open.is_some_and(|open| open.index < row.index)
}

/// When rounds close, as a sentence or two.
fn sentence(rule: &RoundFacts) -> String {
    let enough = rule.enough.map_or_else(String::new, |enough| {
        format!(" It closes early with {} answers.", grouped(enough))
    });
    format!(
        "A round is open for {} at most.{enough}",
        duration(rule.open_for)
    )
}

/// When one round closes, as a cell of a table.
fn in_short(rule: &RoundFacts) -> String {
    let enough = rule.enough.map_or_else(String::new, |enough| {
        format!(", enough {}", grouped(enough))
    });
    format!(
        "{}, quorum {}{enough}",
        duration(rule.open_for),
        grouped(rule.quorum)
    )
}
