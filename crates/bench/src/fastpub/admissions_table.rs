//! False admissions and coverage, as Markdown.

use std::fmt::Write;

use wayveil_noise::statistics::{probability_at_least, probability_at_most};

use super::planted::{Row, XI};
use super::table::{cell, thousands};
use wayveil_reproduce::campaigns::Method;

/// How often an interval of the table fails.
const ALPHA: f64 = 0.05;

impl Row {
    /// Whether the campaigns do not contradict the level for each fragment. The fragments of one
    /// campaign are taken as independent.
    pub(super) fn keeps_per_candidate(&self) -> bool {
        let found = &self.admissions;
        probability_at_least(found.near_released, found.near, ALPHA / 2.0) <= XI
    }

    /// The same for any fragment of a length.
    pub(super) fn keeps_family_wise(&self) -> bool {
        let found = &self.admissions;
        probability_at_least(found.with_any, found.campaigns, ALPHA / 2.0) <= XI
    }

    /// The same for the mean share of the false among the released.
    pub(super) fn keeps_false_discovery(&self) -> bool {
        let share = &self.admissions.false_share;
        let low = share.mean().unwrap_or(0.0) - share.half_width().unwrap_or(0.0);
        low <= XI
    }

    /// What the form promises.
    fn promises(&self) -> Promise {
        match self.method {
            Method::FamilyWise => Promise::Any,
            Method::FalseDiscovery => Promise::Share,
            _ => Promise::Candidate,
        }
    }
}

/// Over what ξ is promised.
#[derive(PartialEq, Eq)]
enum Promise {
    Candidate,
    Any,
    Share,
}

/// The table of planted populations.
pub(super) fn markdown(rows: &[Row]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let campaigns = first.admissions.campaigns;
    let mut text = format!(
        "## False admissions\n\n{} clients, {campaigns} campaigns of each row, every client by its own code, ξ = {XI}. \
         900 fragments are held by exactly k − 1 clients (a tenth of all), 20 by 1.25 to 2 times k; either \
         single locations (l = 1), or pairs (l = 2), found after the locations they are made of, beside others far \
         below k or above. In brackets the exact 95 % interval (Clopper and Pearson).\n\n\
         - *per candidate*: of the fragments at k − 1, those released. *Any*: campaigns that released a \
         fragment below k of that length. *Share*: of what was released of that length, the part below k; mean \
         over campaigns. What each form promises to keep at ξ is in bold.\n\
         - *intervals that cover*: 95 % intervals of released counts that hold the truth: of fragments with at least 1.4 k \
         clients, which the repaired forms nearly always release, as if fixed in advance; and of everything \
         released, where false admissions are hardly ever covered, and what a form seldom releases neither.\n\n\
         | fragments | ε | method | per candidate | any | share | of the 20 above, found | intervals that \
         cover: far above k | all released |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        thousands(first.clients)
    );
    for row in rows {
        let found = &row.admissions;
        let promised = |part, text: String| match row.promises() == part {
            true => format!("**{text}**"),
            false => text,
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.kind.words(),
            row.epsilon,
            row.method.words(),
            promised(Promise::Candidate, rate(found.near_released, found.near)),
            promised(Promise::Any, rate(found.with_any, found.campaigns)),
            promised(Promise::Share, cell(&found.false_share, 3)),
            percent(found.above_released, found.above),
            percent(found.clear_covered, found.clear),
            percent(found.covered, found.intervals),
        );
    }
    text + "\n"
}

fn rate(some: u64, of: u64) -> String {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    format!(
        "{} of {}: {} % [{}, {}]",
        thousands(some),
        thousands(of),
        percent(some as f64 / of.max(1) as f64),
        percent(probability_at_least(some, of, ALPHA / 2.0)),
        percent(probability_at_most(some, of, ALPHA / 2.0)),
    )
}

fn percent(some: u64, of: u64) -> String {
    match of {
        0 => "–".into(),
        _ => format!("{:.1} %", 100.0 * some as f64 / of as f64),
    }
}
