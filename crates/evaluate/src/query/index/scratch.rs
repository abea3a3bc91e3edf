//! Intersections within a block.

use super::block::{BLOCK, Block, has, ones, set};

/// Room for one thread's work.
pub(super) struct Scratch {
    /// The bitmap of a list that several questions share.
    marks: Vec<u64>,
    /// What is left of bitmaps.
    words: Vec<u64>,
    /// What is left of lists.
    ids: Vec<u16>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            marks: vec![0; BLOCK / 64],
            words: Vec::new(),
            ids: Vec::new(),
        }
    }
}

impl Scratch {
    /// Makes a list's bitmap.
    pub(super) fn mark(&mut self, list: &[u16]) {
        for &id in list {
            set(&mut self.marks, id);
        }
    }

    /// Clears what [`mark`](Self::mark) set.
    pub(super) fn unmark(&mut self, list: &[u16]) {
        for &id in list {
            self.marks[usize::from(id / 64)] = 0;
        }
    }

    /// How many records are in all of these lists and bitmaps. The second list is marked.
    pub(super) fn count(&mut self, block: &Block, lists: &[u32], bitmaps: &[u32]) -> u64 {
        let Some((&first, others)) = lists.split_first() else {
            return self.count_bitmaps(block, bitmaps);
        };
        let first = block.list(first);
        let mut bitmaps = bitmaps.iter().map(|&bitmap| block.bitmap(bitmap));
        let (bits, others) = match others.split_first() {
            Some((_, others)) => (&self.marks[..], others),
            None => match bitmaps.next() {
                Some(bits) => (bits, others),
                None => return first.len() as u64,
            },
        };
        self.ids.clear();
        self.ids.extend(first.iter().filter(|&&id| has(bits, id)));
        for &list in others {
            if self.ids.is_empty() {
                return 0;
            }
            let list = block.list(list);
            self.ids.retain(|id| list.binary_search(id).is_ok());
        }
        for bits in bitmaps {
            self.ids.retain(|&id| has(bits, id));
        }
        self.ids.len() as u64
    }

    fn count_bitmaps(&mut self, block: &Block, bitmaps: &[u32]) -> u64 {
        let Some((&first, others)) = bitmaps.split_first() else {
            return 0;
        };
        self.words.clear();
        self.words.extend_from_slice(block.bitmap(first));
        for &other in others {
            for (word, other) in self.words.iter_mut().zip(block.bitmap(other)) {
                *word &= other;
            }
        }
        ones(&self.words)
    }
}
