//! One step of pattern growth: from the places where records go on after a pattern to those after
//! each of its extensions.

use super::columns::{Columns, END, FEW_END, Places};

/// What to do with an extension, seeing its support.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Forget it.
    Drop,
    /// Report it, but do not grow it.
    Count,
    /// Report it with its places.
    Grow,
}

/// A pattern's extension by one symbol.
pub(super) struct Child {
    /// The symbol's rank.
    pub(super) symbol: u32,
    /// How many records hold the extended pattern.
    pub(super) support: u64,
    /// Where the records that have anything left go on; empty unless it is to grow.
    pub(super) starts: Vec<u32>,
}

/// Tables that are clean between expansions, kept to be used again.
pub(super) struct Scratch {
    counts: Vec<u32>,
    /// The symbols with a count.
    touched: Vec<u32>,
    /// One more than the position of the symbol's child that grows, or 0.
    growing: Vec<u32>,
    buffer: Vec<u32>,
    /// The last visit that met each symbol.
    seen: Vec<u32>,
    visit: u32,
}

impl Scratch {
    pub(super) fn new(columns: &Columns) -> Self {
        let symbols = columns.names.len().max(64);
        Self {
            counts: vec![0; symbols],
            touched: Vec::new(),
            growing: vec![0; symbols],
            buffer: Vec::new(),
            seen: vec![0; symbols],
            visit: 0,
        }
    }

    /// A number that no symbol was seen with.
    fn next_visit(&mut self) -> u32 {
        if self.visit == u32::MAX {
            self.seen.fill(0);
            self.visit = 0;
        }
        self.visit += 1;
        self.visit
    }
}

impl Columns {
    /// The extensions of the pattern after which records go on at `starts`.
    pub(super) fn expand(
        &self,
        starts: &[u32],
        scratch: &mut Scratch,
        verdict: impl Fn(u64) -> Verdict,
    ) -> Vec<Child> {
        match &self.places {
            Places::Few { sets, .. } => count_few(sets, starts, scratch),
            Places::Many(ranks) => count_many(ranks, starts, scratch),
        }
        let mut children = Vec::new();
        let mut grows = false;
        for &symbol in &scratch.touched {
            let support = std::mem::take(&mut scratch.counts[symbol as usize]);
            let verdict = verdict(u64::from(support));
            if verdict == Verdict::Drop {
                continue;
            }
            let room = if verdict == Verdict::Grow { support } else { 0 };
            children.push(Child {
                symbol,
                support: u64::from(support),
                starts: Vec::with_capacity(room as usize),
            });
            if verdict == Verdict::Grow {
                scratch.growing[symbol as usize] = children.len() as u32;
                grows = true;
            }
        }
        scratch.touched.clear();
        if grows {
            match &self.places {
                Places::Few { ranks, sets } => {
                    project_few(ranks, sets, starts, scratch, &mut children);
                }
                Places::Many(ranks) => project_many(ranks, starts, scratch, &mut children),
            }
            for child in &children {
                scratch.growing[child.symbol as usize] = 0;
            }
        }
        children
    }
}

/// Starts handled together.
const BLOCK: usize = 64;

/// Reads what is at the starts, so that it is in the cache when it is needed: the starts lie far
/// apart, and reads that wait for nothing overlap.
fn fetch<T: Copy + Into<u64>>(column: &[T], starts: &[u32]) {
    let sum = |sum: u64, &start: &u32| sum ^ column[start as usize].into();
    std::hint::black_box(starts.iter().fold(0, sum));
}

fn count_many(ranks: &[u32], starts: &[u32], scratch: &mut Scratch) {
    for block in starts.chunks(BLOCK) {
        fetch(ranks, block);
        for &start in block {
            let visit = scratch.next_visit();
            for &rank in &ranks[start as usize..] {
                if rank == END {
                    break;
                }
                // A symbol counts where it comes first.
                let at = rank as usize;
                if scratch.seen[at] != visit {
                    scratch.seen[at] = visit;
                    if scratch.counts[at] == 0 {
                        scratch.touched.push(rank);
                    }
                    scratch.counts[at] += 1;
                }
            }
        }
    }
}

fn project_many(ranks: &[u32], starts: &[u32], scratch: &mut Scratch, children: &mut [Child]) {
    for block in starts.chunks(BLOCK) {
        fetch(ranks, block);
        for &start in block {
            let visit = scratch.next_visit();
            for (next, pair) in (start + 1..).zip(ranks[start as usize..].windows(2)) {
                // Nothing goes on after a record's last symbol.
                if pair[1] == END || pair[0] == END {
                    break;
                }
                let at = pair[0] as usize;
                let child = scratch.growing[at] as usize;
                if child != 0 && scratch.seen[at] != visit {
                    scratch.seen[at] = visit;
                    children[child - 1].starts.push(next);
                }
            }
        }
    }
}

/// Each child's places are written into a stretch of one buffer. Whether a place counts only
/// decides how far the stretch has come, so that there is nothing for the processor to guess
/// but where a record's last wanted symbol is.
fn project_few(
    ranks: &[u8],
    sets: &[u64],
    starts: &[u32],
    scratch: &mut Scratch,
    children: &mut [Child],
) {
    let mut wanted = 0_u64;
    let mut ends = [0_usize; 64];
    let mut size = 1;
    for child in children.iter() {
        if scratch.growing[child.symbol as usize] != 0 {
            wanted |= 1 << child.symbol;
            ends[child.symbol as usize] = size;
            // One more than can count: a full stretch is still written to.
            size += child.support as usize + 1;
        }
    }
    let buffer = &mut scratch.buffer;
    if buffer.len() < size {
        buffer.resize(size, 0);
    }
    for block in starts.chunks(BLOCK) {
        fetch(sets, block);
        for &start in block {
            let mut place = start as usize;
            let mut left = sets[place] & wanted;
            // Every wanted symbol that is in the set comes before the record's end.
            while left != 0 {
                let rank = ranks[place] as usize & 63;
                place += 1;
                let counts = left >> rank & 1;
                buffer[ends[rank]] = place as u32;
                ends[rank] += counts as usize;
                left &= !(1 << rank);
            }
        }
    }
    let mut begin = 1;
    for child in children {
        if scratch.growing[child.symbol as usize] != 0 {
            let end = ends[child.symbol as usize];
            let places = &scratch.buffer[begin..end];
            let goes_on = |&&place: &&u32| ranks[place as usize] != FEW_END;
            child.starts.extend(places.iter().filter(goes_on));
            begin += child.support as usize + 1;
        }
    }
}

/// Counts how many sets hold each symbol.
///
/// Eight sets at a time are added up in binary, one bit of the sums in each word; only what
/// carries over eight is added to counters, which are bytes of words and are emptied before they
/// overflow.
fn count_few(sets: &[u64], starts: &[u32], scratch: &mut Scratch) {
    let counts = &mut scratch.counts;
    for block in starts.chunks(8 * 255) {
        let mut eights = Lanes::default();
        let (mut ones, mut twos, mut fours) = (0, 0, 0);
        let mut groups = block.chunks_exact(8);
        for group in &mut groups {
            let set = |at: usize| sets[group[at] as usize];
            let (a, b, c, d, e, f, g);
            (ones, a) = add(ones, set(0), set(1));
            (ones, b) = add(ones, set(2), set(3));
            (twos, e) = add(twos, a, b);
            (ones, c) = add(ones, set(4), set(5));
            (ones, d) = add(ones, set(6), set(7));
            (twos, f) = add(twos, c, d);
            (fours, g) = add(fours, e, f);
            eights.add(g);
        }
        eights.empty_into(counts, 8);
        for (weight, bits) in [(1, ones), (2, twos), (4, fours)] {
            let mut lanes = Lanes::default();
            lanes.add(bits);
            lanes.empty_into(counts, weight);
        }
        let mut lanes = Lanes::default();
        for &start in groups.remainder() {
            lanes.add(sets[start as usize]);
        }
        lanes.empty_into(counts, 1);
    }
    let counted = (0..64).filter(|&symbol| counts[symbol as usize] != 0);
    scratch.touched.extend(counted);
}

/// Three bits at each position as a sum and a carry.
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

/// Counters up to 255 for 64 symbols.
#[derive(Default)]
struct Lanes([u64; 8]);

impl Lanes {
    fn add(&mut self, set: u64) {
        for (shift, lane) in self.0.iter_mut().enumerate() {
            *lane = lane.wrapping_add((set >> shift) & 0x0101_0101_0101_0101);
        }
    }

    fn empty_into(self, counts: &mut [u32], weight: u32) {
        for (shift, lane) in self.0.into_iter().enumerate() {
            for (byte, count) in lane.to_le_bytes().into_iter().enumerate() {
                counts[8 * byte + shift] += weight * u32::from(count);
            }
        }
    }
}
