//! Maximal frequent sequences: depth first, in the manner of MAFIA (Burdick et al., 2001).
//!
//! A sequence grows at its end. Doublets that every record of a sequence goes on to hold join it at
//! once, and a sequence is left alone when it and all that could follow are in one already found.

use rayon::prelude::*;

use crate::suppress::working::{Working, contains_all};

/// The sequences that at least `min_support` records hold and that no longer such one contains,
/// rising, with their supports.
pub(in crate::suppress) fn mine(working: &Working<'_>, min_support: u32) -> Vec<(Vec<u32>, u32)> {
    let doublets = working.table.doublets();
    let candidates: Vec<(Vec<u32>, u32)> = (0..doublets as u32)
        .into_par_iter()
        .filter(|&first| working.held(first) >= min_support.max(1))
        .flat_map_iter(|first| {
            let mut search = Search {
                working,
                min_support: min_support.max(1),
                counts: vec![0; doublets],
                found: Vec::new(),
            };
            let rests = working.holders(first).map(|record| {
                let row = working.record(record);
                (record, row.partition_point(|&code| code <= first) as u32)
            });
            search.grow(&mut vec![first], &rests.collect::<Vec<_>>());
            search.found
        })
        .collect();
    keep_maximal(candidates, doublets)
}

struct Search<'a> {
    working: &'a Working<'a>,
    min_support: u32,
    /// All zero between uses.
    counts: Vec<u32>,
    found: Vec<(Vec<u32>, u32)>,
}

impl Search<'_> {
    /// Finds the maximal sequences that begin with `head`; doublets that joined it at once may be
    /// out of order. `rests` are the records that hold it, and where in them it can be extended.
    fn grow(&mut self, head: &mut Vec<u32>, rests: &[(u32, u32)]) {
        let known = head.len();
        let mut tail = self.extensions(head, rests);
        tail.retain(|&(doublet, support)| {
            let always = support as usize == rests.len();
            if always {
                head.push(doublet);
            }
            !always
        });
        let mut all: Vec<u32> = head.clone();
        all.extend(tail.iter().map(|&(doublet, _)| doublet));
        all.sort_unstable();
        if !self
            .found
            .iter()
            .any(|(longer, _)| contains_all(longer, &all))
        {
            if tail.is_empty() {
                self.found.push((all, rests.len() as u32));
            }
            for (doublet, _) in tail {
                let child: Vec<(u32, u32)> = rests
                    .iter()
                    .filter_map(|&(record, from)| {
                        let rest = &self.working.record(record)[from as usize..];
                        let at = rest.binary_search(&doublet).ok()?;
                        Some((record, from + at as u32 + 1))
                    })
                    .collect();
                head.push(doublet);
                self.grow(head, &child);
                head.pop();
            }
        }
        head.truncate(known);
    }

    /// The frequent doublets behind `head` that are not in it, rising, with their supports.
    fn extensions(&mut self, head: &[u32], rests: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut seen = Vec::new();
        for &(record, from) in rests {
            for &doublet in &self.working.record(record)[from as usize..] {
                if self.counts[doublet as usize] == 0 {
                    seen.push(doublet);
                }
                self.counts[doublet as usize] += 1;
            }
        }
        seen.sort_unstable();
        let mut frequent = Vec::new();
        for doublet in seen {
            let support = std::mem::take(&mut self.counts[doublet as usize]);
            if support >= self.min_support && !head.contains(&doublet) {
                frequent.push((doublet, support));
            }
        }
        frequent
    }
}

/// Drops what another candidate contains.
fn keep_maximal(mut candidates: Vec<(Vec<u32>, u32)>, doublets: usize) -> Vec<(Vec<u32>, u32)> {
    candidates.sort_unstable_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let mut with_doublet: Vec<Vec<u32>> = vec![Vec::new(); doublets];
    let mut kept: Vec<(Vec<u32>, u32)> = Vec::new();
    for (sequence, support) in candidates {
        let rarest = sequence
            .iter()
            .map(|&doublet| &with_doublet[doublet as usize]);
        let rarest = rarest.min_by_key(|list| list.len());
        let contained = rarest.is_some_and(|list| {
            list.iter()
                .any(|&at| contains_all(&kept[at as usize].0, &sequence))
        });
        if !contained {
            for &doublet in &sequence {
                with_doublet[doublet as usize].push(kept.len() as u32);
            }
            kept.push((sequence, support));
        }
    }
    kept.sort_unstable();
    kept
}
