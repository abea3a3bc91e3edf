//! The pages of a campaign while it runs: one for everybody, one for its operator.
//!
//! Both are whole as they are served. The script asks for the status from time to time, writes the
//! numbers of the open round into their places, and when anything else has changed fetches the page
//! again and takes over the parts that differ.

mod map;
mod model;
mod now;
mod operator;
mod terms;
mod tree;

use sha2::{Digest, Sha256};
use wayveil_core::Result;

pub use self::model::{
    AskedFacts, CampaignFacts, CampaignStanding, FragmentFacts, FragmentsFacts, LengthFacts,
    OpenFacts, OperatorFacts, ReleaseStanding, RoundFacts, RoundRow,
};
use super::html::Html;
use super::shell::{self, Shell};
use crate::words::harmless;

/// The most fragments on a page: more make it slow, and nobody reads them.
pub const MOST_FRAGMENTS: usize = 2000;

const FOR_ALL: [(&str, &str); 4] = [
    ("now", "How it stands"),
    ("rounds", "Rounds"),
    ("promise", "What is promised"),
    ("terms", "What is asked"),
];

const FOR_OPERATORS: [(&str, &str); 3] = [
    ("service", "The service"),
    ("fragments", "Fragments"),
    ("where", "Where they are"),
];

/// The page for everybody: numbers alone.
pub fn campaign_page(facts: &CampaignFacts) -> Result<String> {
    let parts = [
        now::part(facts)?,
        now::rounds(facts)?,
        terms::promise(facts)?,
        terms::asked(facts)?,
    ];
    page(facts, "/v1/status", &FOR_ALL, Html::default(), &parts)
}

/// The page for the operator, with what is not published yet.
pub fn operator_page(facts: &CampaignFacts, more: &OperatorFacts<'_>) -> Result<String> {
    let [first, second, rest @ ..] = FOR_ALL;
    let contents: Vec<_> = ([first].into_iter().chain(FOR_OPERATORS))
        .chain([second])
        .chain(rest)
        .collect();
    let parts = [
        now::part(facts)?,
        operator::service(more)?,
        operator::fragments(more)?,
        operator::places(more)?,
        now::rounds(facts)?,
        terms::promise(facts)?,
        terms::asked(facts)?,
    ];
    let internal = Html::trusted(operator::INTERNAL.to_owned());
    page(facts, "/operator/status.json", &contents, internal, &parts)
}

/// What a page of a campaign may load and do, as a header says it.
pub fn campaign_policy() -> String {
    format!("{}; frame-ancestors 'none'", shell::policy(true))
}

/// A part of a page that is taken over when it has changed.
struct Part {
    id: &'static str,
    body: Html,
}

fn page(
    facts: &CampaignFacts,
    poll: &str,
    contents: &[(&'static str, &'static str)],
    banner: Html,
    parts: &[Part],
) -> Result<String> {
    let name = harmless(&facts.name);
    let title = format!("{} · {name}", now::headline(facts));
    let parts: String = parts.iter().map(marked).collect();
    let body = format!(
        "<div id=\"live\" data-poll=\"{poll}\" data-revision=\"{}\" data-campaign=\"{}\">\n{banner}\
         <div class=\"banner alarm\" id=\"unreached\" role=\"alert\" hidden><p></p></div>\n\
         <p class=\"unseen\" id=\"said\" role=\"status\"></p>\n{parts}</div>",
        crate::svg::escape(&facts.revision),
        crate::svg::escape(&facts.number),
    );
    shell::page(Shell {
        title: &title,
        heading: &name,
        contents,
        foot: "A campaign of Wayveil. This page asks its own service for news and nobody else; nothing \
               is stored about who looks at it.",
        body: Html::trusted(body),
        live: true,
    })
}

/// A part with a mark that tells whether it is the same as before.
fn marked(part: &Part) -> String {
    let body = part.body.to_string();
    let mark: String = (Sha256::digest(body.as_bytes()).iter().take(8))
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let id = part.id;
    format!(
        "<section id=\"{id}\" data-part=\"{mark}\" aria-labelledby=\"{id}-title\">\n{body}\n</section>\n"
    )
}

/// Seconds as people say them.
fn duration(seconds: u64) -> String {
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{rest}\u{a0}s"),
        (0, 0, _) => format!("{minutes}\u{a0}min {rest}\u{a0}s"),
        (0, ..) => format!("{hours}\u{a0}h {minutes}\u{a0}min"),
        _ => format!("{days}\u{a0}d {hours}\u{a0}h"),
    }
}

#[cfg(test)]
mod tests;
