//! Sorts rows by owner (counting) and each owner's rows by time, and removes duplicates.

use rustc_hash::FxHashSet;
use wayveil_core::{Attribute, Labels};

use super::gather::{Chunk, Gathered, OwnerAttribute};

/// From this many visits at one instant on, a set finds duplicates instead of a walk.
const CROWD: usize = 32;

#[derive(Clone, Copy, Default)]
struct Visit {
    time: i64,
    code: u32,
}

/// Records in the order in which their owners first came.
pub(super) struct Arranged {
    pub(super) offsets: Vec<u64>,
    pub(super) codes: Vec<u32>,
    pub(super) owners: Labels,
    pub(super) attributes: Vec<Attribute>,
    pub(super) owners_left_out: u64,
    pub(super) duplicates: u64,
    pub(super) out_of_order: u64,
    /// The first and the last time.
    pub(super) span: Option<(i64, i64)>,
}

/// Arranges all rows. `code_of` gives locations their final codes.
pub(super) fn arrange(gathered: Gathered, code_of: Option<&[u32]>) -> Arranged {
    let Gathered {
        chunks,
        owners,
        attributes,
        ..
    } = gathered;
    let (mut visits, starts) = by_owner(chunks, owners.len(), code_of);
    let mut arranged = Arranged {
        offsets: Vec::with_capacity(owners.len() + 1),
        codes: Vec::with_capacity(visits.len()),
        owners: Labels::new(),
        attributes: Vec::new(),
        owners_left_out: 0,
        duplicates: 0,
        out_of_order: 0,
        span: None,
    };
    arranged.offsets.push(0);
    let mut crowd = FxHashSet::default();
    for bounds in starts.windows(2) {
        let own = &mut visits[bounds[0]..bounds[1]];
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            arranged.owners_left_out += 1;
            continue;
        };
        let (mut low, mut high) = (first.time, last.time);
        let late = late_rows(own);
        if late > 0 {
            arranged.out_of_order += late;
            own.sort_by_key(|visit| visit.time);
            (low, high) = (own[0].time, own[own.len() - 1].time);
        }
        let (first, last) = arranged.span.unwrap_or((low, high));
        arranged.span = Some((first.min(low), last.max(high)));
        arranged.duplicates += append_distinct(own, &mut arranged.codes, &mut crowd);
        arranged.offsets.push(arranged.codes.len() as u64);
    }
    drop(visits);
    let kept: Vec<usize> = (0..owners.len())
        .filter(|&owner| starts[owner] < starts[owner + 1])
        .collect();
    arranged.attributes = attributes
        .into_iter()
        .map(|attribute| per_record(attribute, &kept))
        .collect();
    arranged.owners = if kept.len() == owners.len() {
        owners
    } else {
        kept.iter().map(|&owner| owners.get(owner)).collect()
    };
    arranged
}

/// All rows, owner after owner, in the order of the file; chunks are freed on the way.
fn by_owner(
    chunks: Vec<Chunk>,
    owners: usize,
    code_of: Option<&[u32]>,
) -> (Vec<Visit>, Vec<usize>) {
    let mut starts = vec![0usize; owners + 1];
    for chunk in &chunks {
        for &owner in &chunk.owners {
            starts[owner as usize + 1] += 1;
        }
    }
    for owner in 0..owners {
        starts[owner + 1] += starts[owner];
    }
    let mut next = starts.clone();
    let mut visits = vec![Visit::default(); starts[owners]];
    for chunk in chunks {
        let rows = chunk.owners.iter().zip(&chunk.times).zip(&chunk.codes);
        for ((&owner, &time), &code) in rows {
            let at = &mut next[owner as usize];
            let code = code_of.map_or(code, |code_of| code_of[code as usize]);
            visits[*at] = Visit { time, code };
            *at += 1;
        }
    }
    (visits, starts)
}

/// Rows that stand after a later one.
fn late_rows(own: &[Visit]) -> u64 {
    let mut latest = i64::MIN;
    let mut late = 0;
    for visit in own {
        late += u64::from(visit.time < latest);
        latest = latest.max(visit.time);
    }
    late
}

/// Appends the locations of visits sorted by time, each once per instant; returns how many were
/// left out.
fn append_distinct(own: &[Visit], codes: &mut Vec<u32>, crowd: &mut FxHashSet<u32>) -> u64 {
    let before = codes.len();
    for same_time in own.chunk_by(|one, other| one.time == other.time) {
        let start = codes.len();
        if same_time.len() <= CROWD {
            for visit in same_time {
                if !codes[start..].contains(&visit.code) {
                    codes.push(visit.code);
                }
            }
        } else {
            crowd.clear();
            codes.extend(
                same_time
                    .iter()
                    .map(|it| it.code)
                    .filter(|&code| crowd.insert(code)),
            );
        }
    }
    (own.len() - (codes.len() - before)) as u64
}

fn per_record(attribute: OwnerAttribute, kept: &[usize]) -> Attribute {
    Attribute {
        name: attribute.name,
        values: attribute.values.into_labels(),
        of_record: kept
            .iter()
            .map(|&owner| attribute.of_owner[owner])
            .collect(),
    }
}
