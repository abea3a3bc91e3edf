//! The records of one block, location by location.

use std::ops::Range;

use wayveil_core::Sequences;

use super::Form;

/// Records in a block: as many as two bytes can number.
pub(super) const BLOCK: usize = 1 << 16;

/// Which records of a block visit which locations.
#[derive(Debug)]
pub(super) struct Block {
    /// Words in a bitmap.
    words: usize,
    /// Where each location's list begins and ends.
    lists: Vec<(u32, u32)>,
    /// All lists. There is room for every visit, but a record stands in a list once.
    ids: Vec<u16>,
    /// All bitmaps.
    bits: Vec<u64>,
}

/// How often each location is visited in these records; none if one lies outside the universe.
pub(super) fn visits(
    sequences: &Sequences,
    records: Range<usize>,
    locations: usize,
) -> Option<Vec<u32>> {
    let mut visits = vec![0; locations];
    for record in records {
        for &code in sequences.codes_of(record) {
            *visits.get_mut(code as usize)? += 1;
        }
    }
    Some(visits)
}

impl Block {
    pub(super) fn new(
        sequences: &Sequences,
        records: Range<usize>,
        visits: &[u32],
        forms: &[Form],
    ) -> Self {
        let words = records.len().div_ceil(64);
        let (mut room, mut bitmaps) = (0, 0);
        let mut lists = Vec::with_capacity(forms.len());
        for (visits, form) in visits.iter().zip(forms) {
            lists.push((room, room));
            match form {
                Form::List => room += visits,
                Form::Bitmap(_) => bitmaps += 1,
            }
        }
        let mut ids = vec![0; room as usize];
        let mut bits = vec![0; bitmaps * words];
        for (id, record) in (0..=u16::MAX).zip(records) {
            for &code in sequences.codes_of(record) {
                match forms[code as usize] {
                    Form::List => {
                        let (start, end) = &mut lists[code as usize];
                        let known = *end > *start && ids[*end as usize - 1] == id;
                        if !known {
                            ids[*end as usize] = id;
                            *end += 1;
                        }
                    }
                    Form::Bitmap(bitmap) => set(&mut bits[bitmap as usize * words..], id),
                }
            }
        }
        Self {
            words,
            lists,
            ids,
            bits,
        }
    }

    /// How many records visit a location of this form.
    pub(super) fn total(&self, location: usize, form: Form) -> u64 {
        match form {
            Form::List => self.list(location as u32).len() as u64,
            Form::Bitmap(bitmap) => ones(self.bitmap(bitmap)),
        }
    }

    /// The records that visit a location, in order.
    pub(super) fn list(&self, location: u32) -> &[u16] {
        let (start, end) = self.lists[location as usize];
        &self.ids[start as usize..end as usize]
    }

    /// A bitmap.
    pub(super) fn bitmap(&self, bitmap: u32) -> &[u64] {
        let start = bitmap as usize * self.words;
        &self.bits[start..start + self.words]
    }
}

/// How many bits are set.
pub(super) fn ones(bits: &[u64]) -> u64 {
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Whether a record's bit is set.
pub(super) fn has(bits: &[u64], id: u16) -> bool {
    bits[usize::from(id / 64)] >> (id % 64) & 1 == 1
}

/// Sets a record's bit.
pub(super) fn set(bits: &mut [u64], id: u16) {
    bits[usize::from(id / 64)] |= 1 << (id % 64);
}
