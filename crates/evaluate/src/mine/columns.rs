//! The trajectories, rewritten for mining.
//!
//! Symbols become ranks by falling support, symbols that are too rare are left out, and every
//! record ends with [`END`]. A projected record is then one number, the place where its rest
//! begins, and a projected database is a list of such numbers.

use wayveil_core::{Error, Result, Sequences};

/// Stands behind each record.
pub(super) const END: u32 = u32::MAX;
/// The same, cut to a byte.
pub(super) const FEW_END: u8 = u8::MAX;

/// The records, one after the other.
pub(super) enum Places {
    /// At most 64 symbols: small enough for sets.
    Few {
        /// The rank at each place; [`FEW_END`] behind each record.
        ranks: Vec<u8>,
        /// The set of the ranks from each place to the record's end.
        sets: Vec<u64>,
    },
    /// Any number of symbols: the rank at each place; [`END`] behind each record.
    Many(Vec<u32>),
}

/// The trajectories over ranks.
pub(super) struct Columns {
    pub(super) places: Places,
    /// Where records begin.
    pub(super) starts: Vec<u32>,
    /// The code of each rank.
    pub(super) names: Vec<u32>,
}

impl Columns {
    /// Keeps what can be part of a pattern of at least `min_length` symbols, each of which
    /// `min_support` records hold.
    pub(super) fn new(sequences: &Sequences, min_support: u64, min_length: usize) -> Result<Self> {
        if sequences.symbols() as u64 + sequences.len() as u64 >= u64::from(END) {
            return Err(Error::input(
                "patterns are mined in at most 4 billion symbols and records",
            ));
        }
        let dense = Dense::of(sequences.codes());
        let supports = supports(sequences, &dense);
        let mut order: Vec<u32> = (0..supports.len() as u32)
            .filter(|&id| u64::from(supports[id as usize]) >= min_support.max(1))
            .collect();
        order.sort_unstable_by_key(|&id| (std::cmp::Reverse(supports[id as usize]), id));
        let mut rank_of = vec![END; supports.len()];
        for (rank, &id) in order.iter().enumerate() {
            rank_of[id as usize] = rank as u32;
        }

        let mut ranks = Vec::with_capacity(sequences.symbols() + sequences.len());
        let mut starts = Vec::with_capacity(sequences.len());
        for record in sequences.iter() {
            let start = ranks.len();
            let known = record.iter().map(|&code| rank_of[dense.id(code)]);
            ranks.extend(known.filter(|&rank| rank != END));
            if ranks.len() - start < min_length {
                ranks.truncate(start);
            } else {
                starts.push(start as u32);
                ranks.push(END);
            }
        }
        Ok(Self {
            places: places(ranks, order.len()),
            starts,
            names: order.into_iter().map(|id| dense.code(id)).collect(),
        })
    }
}

fn places(ranks: Vec<u32>, symbols: usize) -> Places {
    if symbols > 64 {
        return Places::Many(ranks);
    }
    let mut sets = vec![0; ranks.len()];
    let mut set = 0_u64;
    for (&rank, slot) in ranks.iter().zip(&mut sets).rev() {
        set = if rank == END { 0 } else { set | 1 << rank };
        *slot = set;
    }
    // Cutting to a byte takes END to FEW_END.
    let ranks = ranks.into_iter().map(|rank| rank as u8).collect();
    Places::Few { ranks, sets }
}

/// How many records hold each symbol, by dense id.
fn supports(sequences: &Sequences, dense: &Dense) -> Vec<u32> {
    // The last record that held the symbol, counted from 1, beside the support.
    let mut seen = vec![(0_u32, 0_u32); dense.len()];
    for (at, record) in sequences.iter().enumerate() {
        let stamp = at as u32 + 1;
        for &code in record {
            let (last, support) = &mut seen[dense.id(code)];
            *support += u32::from(*last != stamp);
            *last = stamp;
        }
    }
    seen.into_iter().map(|(_, support)| support).collect()
}

/// Codes as small numbers, to index tables with.
enum Dense {
    /// Codes are small numbers already, below this.
    Below(usize),
    /// The codes that occur, sorted.
    Listed(Vec<u32>),
}

impl Dense {
    fn of(codes: &[u32]) -> Self {
        let below = codes.iter().max().map_or(0, |&code| code as usize + 1);
        if below <= codes.len().max(1 << 16) {
            return Self::Below(below);
        }
        let mut list = codes.to_vec();
        list.sort_unstable();
        list.dedup();
        Self::Listed(list)
    }

    fn len(&self) -> usize {
        match self {
            Self::Below(below) => *below,
            Self::Listed(list) => list.len(),
        }
    }

    fn id(&self, code: u32) -> usize {
        match self {
            Self::Below(_) => code as usize,
            Self::Listed(list) => list.partition_point(|&listed| listed < code),
        }
    }

    fn code(&self, id: u32) -> u32 {
        match self {
            Self::Below(_) => id,
            Self::Listed(list) => list[id as usize],
        }
    }
}
