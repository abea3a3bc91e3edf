//! What the operator sees besides: requests, and fragments before they are published.
//!
//! Fragments are those of closed rounds. What a round says is decided when it closes, from all of its
//! answers; half of them would show other numbers than those that are decided with, and invite whoever
//! looks at them to stop or to go on as they please, which the level of the tests does not allow for.

use askama::Template;
use wayveil_core::Result;

use super::model::{FragmentFacts, FragmentsFacts, OperatorFacts};
use super::{Part, map, tree};
use crate::page::figure::{Cell, Table};
use crate::page::html::Html;
use crate::page::wording::{counted, grouped, number, path};

pub(super) const INTERNAL: &str = "<div class=\"banner alarm\" id=\"internal-note\"><p><strong>Internal \
    until published.</strong> This page shows fragments that are not published, some of which never will \
    be. Keep it to yourself: people were promised that only what at least k of them share comes out.</p>\
    </div>\n";

/// Outcomes that are worth a look, with what they mean.
const OUTCOMES: [(&str, &str); 13] = [
    ("counted", "answers counted"),
    ("repeated", "sent again, counted once"),
    ("ok", "questions and documents"),
    ("early", "425: before their round"),
    ("closed", "410: after their round"),
    ("slow-down", "429: too often from one address"),
    ("unavailable", "503: the store or the queue has no room"),
    ("timed-out", "503: took too long"),
    ("used", "409: token used before"),
    ("forged", "403: token not the issuer's"),
    ("garbage", "422: no answer of this campaign"),
    ("too-large", "413: too long"),
    ("upgrade", "426: another version"),
];

#[derive(Template)]
#[template(path = "campaign-service.html")]
struct Service {
    rate: String,
    counted: u64,
    uptime: u64,
    tiles: Vec<Outcome>,
    rows: Vec<Outcome>,
}

struct Outcome {
    name: &'static str,
    words: &'static str,
    count: String,
    alarm: bool,
}

pub(super) fn service(more: &OperatorFacts<'_>) -> Result<Part> {
    let count = |name: &str| {
        let mut all = more.outcomes.iter();
        all.find(|(it, _)| *it == name)
            .map_or(0, |(_, count)| *count)
    };
    let outcome = |&(name, words): &(&'static str, &'static str)| Outcome {
        name,
        words,
        count: grouped(count(name)),
        alarm: count(name) > 0,
    };
    let tiles = [
        ("slow-down", "sent away: too often (429)"),
        ("unavailable", "sent away: no room (503)"),
    ];
    let seconds = more.uptime.max(1) as f64 / 1000.0;
    let service = Service {
        rate: number(count("counted") as f64 / seconds),
        counted: count("counted"),
        uptime: more.uptime,
        tiles: tiles.iter().map(outcome).collect(),
        rows: OUTCOMES.iter().map(outcome).collect(),
    };
    Ok(Part {
        id: "service",
        body: Html::of(&service)?,
    })
}

#[derive(Template)]
#[template(path = "campaign-fragments.html")]
struct Fragments {
    lead: String,
    /// Whether anything is known of them.
    known: bool,
    lengths: Html,
    tree: Html,
    table: Html,
}

pub(super) fn fragments(more: &OperatorFacts<'_>) -> Result<Part> {
    let fragments = Fragments {
        lead: lead(more.fragments),
        known: more.fragments.is_some(),
        lengths: match more.fragments {
            Some(all) if !all.lengths.is_empty() => Html::of(&lengths(all))?,
            _ => Html::default(),
        },
        tree: more.fragments.map_or_else(Html::default, |all| {
            tree::drawn(more.universe, &all.survivors)
        }),
        table: match more.fragments {
            Some(all) if !all.survivors.is_empty() => Html::of(&numbers(more, all))?,
            _ => Html::default(),
        },
    };
    Ok(Part {
        id: "fragments",
        body: Html::of(&fragments)?,
    })
}

fn lead(fragments: Option<&FragmentsFacts>) -> String {
    let Some(all) = fragments else {
        return "The campaign failed, and its counts were removed: nothing is known of any fragment."
            .into();
    };
    let shown = all.survivors.len() as u64;
    let admitted: u64 = all.lengths.iter().map(|it| it.admitted).sum();
    let asked_now: u64 = all.lengths.iter().map(|it| it.asked_now).sum();
    let open = match asked_now {
        0 => String::new(),
        _ => format!(
            ", {} asked about in the open round",
            counted(asked_now, "is", "are")
        ),
    };
    let mut words = format!(
        "After the closed rounds {} admitted{open}.",
        counted(admitted, "fragment is", "fragments are")
    );
    if shown < all.all {
        words += &format!(
            " The first {} of {} are shown, the admitted and the largest first.",
            grouped(shown),
            grouped(all.all)
        );
    }
    words
}

fn lengths(all: &FragmentsFacts) -> Table {
    let titles = [
        "#length",
        "#candidates asked about",
        "#admitted",
        "#asked about now",
        "#dropped",
        "#not asked: unlikely",
        "#not asked: too many",
    ];
    let mut table = Table::new("Candidates by length", &titles);
    for it in &all.lengths {
        let dropped = it.candidates.saturating_sub(it.admitted + it.asked_now);
        let numbers = [
            it.length.into(),
            it.candidates,
            it.admitted,
            it.asked_now,
            dropped,
            it.cleaned,
            it.left_out,
        ];
        table.row(numbers.map(Cell::count));
    }
    table
}

fn numbers(more: &OperatorFacts<'_>, all: &FragmentsFacts) -> Table {
    let titles = [
        "fragment",
        "#length",
        "#people, estimated",
        "#from",
        "#to",
        "#answers",
        "state",
    ];
    let mut table = Table::new("Fragments that survive", &titles);
    for it in &all.survivors {
        let (low, high) = it.range;
        table.row([
            path(more.universe, &it.codes).into(),
            Cell::count(it.codes.len() as u64),
            Cell::count(it.people()),
            Cell::count(low),
            Cell::count(high),
            Cell::count(it.answers),
            state(it).into(),
        ]);
    }
    table.capped()
}

/// How a fragment stands, in a word.
pub(super) fn state(fragment: &FragmentFacts) -> &'static str {
    match fragment.admitted {
        true => "admitted",
        false => "asked about",
    }
}

pub(super) fn places(more: &OperatorFacts<'_>) -> Result<Part> {
    let note = |words: &str| Html::trusted(format!("<p class=\"note\">{words}</p>"));
    let figure = (more.fragments).map(|all| map::of(more.universe, &all.survivors));
    let drawn = match figure {
        Some(Some(figure)) => figure.html()?,
        Some(None) => note("No fragment is admitted yet."),
        None => note("Nothing is known of any fragment."),
    };
    let body =
        format!("<h2 id=\"where-title\">Where they are</h2>\n<div class=\"grid\">{drawn}</div>");
    Ok(Part {
        id: "where",
        body: Html::trusted(body),
    })
}
