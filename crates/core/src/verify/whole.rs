//! Whole records, where an adversary may know all of one and confidence is free.

use rayon::prelude::*;

use super::rows::Rows;
use super::verdict::{Verdict, Violation};

pub(super) fn verify(rows: &Rows, k: u32, list: usize) -> Verdict {
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); rows.width()];
    for row in 0..rows.len() as u32 {
        for &symbol in rows.row(row) {
            holders[symbol as usize].push(row);
        }
    }
    // Equal rows side by side, each group in order of rows.
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.par_sort_by(|&a, &b| rows.row(a).cmp(rows.row(b)));
    let groups: Vec<&[u32]> = order
        .chunk_by(|&a, &b| rows.row(a) == rows.row(b))
        .filter(|group| !rows.row(group[0]).is_empty())
        .collect();
    groups
        .into_par_iter()
        .map(|group| {
            let mut verdict = Verdict {
                sequences: 1,
                ..Verdict::default()
            };
            if owners(rows, group) >= u64::from(k) {
                return verdict;
            }
            let record = rows.row(group[0]);
            let sharing = sharing(rows, record, &holders);
            let owners = owners(rows, &sharing);
            if owners < u64::from(k) {
                let violation = Violation {
                    sequence: rows.name(record),
                    owners,
                    records: sharing.len() as u64,
                    tie: None,
                };
                verdict.add(violation, true, list);
            }
            verdict
        })
        .reduce(Verdict::default, |a, b| a.merged(b, list))
}

fn owners(rows: &Rows, sorted: &[u32]) -> u64 {
    let same = sorted.chunk_by(|&a, &b| rows.owner(a) == rows.owner(b));
    same.count() as u64
}

/// The rows that hold everything that one holds.
fn sharing(rows: &Rows, record: &[u32], holders: &[Vec<u32>]) -> Vec<u32> {
    let rarest = record.iter().map(|&symbol| &holders[symbol as usize]);
    let Some(rarest) = rarest.min_by_key(|list| list.len()) else {
        return Vec::new();
    };
    let holds = |row: &u32| {
        let row = rows.row(*row);
        record
            .iter()
            .all(|symbol| row.binary_search(symbol).is_ok())
    };
    rarest.iter().copied().filter(holds).collect()
}
