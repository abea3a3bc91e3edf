//! What the methods that release fragments have in common: the order of fragments, and trajectories
//! drawn from them.

use std::cmp::Reverse;

use wayveil_core::{FragmentCounts, RandomSource, Records, Result, Sequences};
use wayveil_federated::synthesis::{Public, synthesise};

/// A fragment, its count, standard error and interval.
pub(crate) type Row<'a> = (&'a [u32], u64, f64, u64, u64);

/// Released fragments in their order. An interval that does not hold its count, which was made to
/// agree with other counts, is widened to it.
pub(crate) fn from_rows(mut rows: Vec<Row<'_>>) -> FragmentCounts {
    rows.sort_by_key(|&(codes, count, ..)| (codes.len(), Reverse(count), codes));
    let mut all = FragmentCounts::empty();
    for (codes, count, error, low, high) in rows {
        all.fragments.push(codes, &[]);
        all.count.push(count);
        all.standard_error.push(error);
        all.low.push(low.min(count));
        all.high.push(high.max(count));
    }
    all
}

/// As many trajectories as there are records, drawn from released fragments of so many clients; in
/// canonical order. In a timed release every bin is the first.
pub(crate) fn trajectories(
    fragments: &FragmentCounts,
    clients: u64,
    records: &Records<'_>,
    longest: usize,
    random: &mut RandomSource,
) -> Result<Sequences> {
    let public = Public {
        clients,
        records: records.sequences.len(),
        locations: records.public.universe.len(),
        longest,
    };
    let drawn = synthesise(&fragments.fragments, &fragments.count, &public, random)?;
    let mut order: Vec<&[u32]> = drawn.iter().collect();
    order.sort_unstable();
    let mut all = Sequences::empty(records.public.time.is_some());
    for codes in order {
        let bins = match all.is_timed() {
            true => vec![0; codes.len()],
            false => Vec::new(),
        };
        all.push(codes, &bins);
    }
    Ok(all)
}
