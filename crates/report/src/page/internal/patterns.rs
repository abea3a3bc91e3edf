//! Frequent patterns: found, missed, made up.

use std::collections::BTreeMap;

use wayveil_core::Universe;
use wayveil_evaluate::Portrait;
use wayveil_evaluate::mine::Pattern;

use crate::page::charts::slopes::{self, Entry};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::wording::{counted, grouped, path, percent};

const SHOWN: usize = 16;

/// The most frequent patterns of both sides; none where there are none at all.
pub(super) fn figure(universe: &Universe, raw: &Portrait, release: &Portrait) -> Option<Figure> {
    let (before, after) = (&raw.patterns, &release.patterns);
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let (rank_before, rank_after) = (ranks(before), ranks(after));
    let left = entries(universe, before, &rank_after, after, "raw data");
    let right = entries(universe, after, &rank_before, before, "release");
    let heading = "Most frequent patterns";
    let drawing = slopes::draw(&left, &right, ("raw data", "release")).finish(heading, "");

    let found = before
        .iter()
        .filter(|it| rank_after.contains_key(it.codes.as_slice()))
        .count();
    let made_up = after
        .iter()
        .filter(|it| !rank_before.contains_key(it.codes.as_slice()))
        .count();
    let mut table = Table::new(
        "The most frequent patterns of both sides",
        &[
            "pattern",
            "outcome",
            "#rank, raw",
            "#rank, release",
            "#records, raw",
            "#records, release",
        ],
    );
    let rank =
        |ranks: &BTreeMap<&[u32], usize>, codes: &[u32]| ranks.get(codes).map(|at| (at + 1) as f64);
    let support = |patterns: &[Pattern], ranks: &BTreeMap<&[u32], usize>, codes: &[u32]| {
        ranks.get(codes).map(|&at| patterns[at].support as f64)
    };
    let only_after = after
        .iter()
        .filter(|it| !rank_before.contains_key(it.codes.as_slice()));
    for pattern in before.iter().chain(only_after) {
        let codes = pattern.codes.as_slice();
        let (a, b) = (rank(&rank_before, codes), rank(&rank_after, codes));
        let outcome = match (a, b) {
            (Some(_), Some(_)) => "found",
            (Some(_), None) => "missed",
            _ => "made up",
        };
        table.row([
            path(universe, codes).into(),
            outcome.into(),
            Cell::number(a),
            Cell::number(b),
            Cell::number(support(before, &rank_before, codes)),
            Cell::number(support(after, &rank_after, codes)),
        ]);
    }
    let caption = format!(
        "Of the {} most frequent patterns of the raw data the release has {} ({}) among its own {}; {} of its \
         own are not among those of the raw data. The first {SHOWN} of each are drawn.",
        before.len(),
        found,
        percent(found as f64 / before.len().max(1) as f64),
        after.len(),
        made_up
    );
    Some(
        Figure::new("internal-patterns", heading, caption, drawing, table).keys([
            Key::new("circle place", "on both sides"),
            Key::new("hollow", "missed, or made up"),
        ]),
    )
}

fn ranks(patterns: &[Pattern]) -> BTreeMap<&[u32], usize> {
    patterns
        .iter()
        .enumerate()
        .map(|(at, it)| (it.codes.as_slice(), at))
        .collect()
}

fn entries(
    universe: &Universe,
    own: &[Pattern],
    other_ranks: &BTreeMap<&[u32], usize>,
    other: &[Pattern],
    side: &str,
) -> Vec<Entry> {
    let entry = |(at, pattern): (usize, &Pattern)| {
        let words = path(universe, &pattern.codes);
        let rank = other_ranks.get(pattern.codes.as_slice()).copied();
        let beside = match rank {
            Some(rank) => format!(
                "number {} with {} on the other side",
                rank + 1,
                grouped(other[rank].support)
            ),
            None => "not among the most frequent on the other side".into(),
        };
        Entry {
            tip: format!(
                "{words}: number {} of the {side} with {}; {beside}",
                at + 1,
                counted(pattern.support, "record", "records")
            ),
            words,
            other: rank.filter(|&rank| rank < SHOWN),
            known: rank.is_some(),
        }
    };
    own.iter().take(SHOWN).enumerate().map(entry).collect()
}
