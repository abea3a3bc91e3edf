//! Many short lists in one piece of memory.

#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: usize,
    length: u32,
}

/// Lists of numbers, one after the other, that only become shorter.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    spans: Vec<Span>,
    items: Vec<u32>,
}

impl Lists {
    /// Adds a list.
    pub(super) fn push(&mut self, items: &[u32]) {
        self.spans.push(Span {
            start: self.items.len(),
            length: items.len() as u32,
        });
        self.items.extend_from_slice(items);
    }

    /// Adds all lists of another.
    pub(super) fn append(&mut self, other: Self) {
        let shift = self.items.len();
        let spans = other.spans.into_iter();
        self.spans.extend(spans.map(|span| Span {
            start: span.start + shift,
            ..span
        }));
        self.items.extend(other.items);
    }

    /// So many lists from pairs of list and item, in the order in which `pairs` brings them, twice.
    pub(super) fn gather<I: Iterator<Item = (u32, u32)>>(
        lists: usize,
        pairs: impl Fn() -> I,
    ) -> Self {
        let mut spans = vec![Span::default(); lists];
        for (list, _) in pairs() {
            spans[list as usize].length += 1;
        }
        let mut end = 0;
        for span in &mut spans {
            span.start = end;
            end += span.length as usize;
            span.length = 0;
        }
        let mut items = vec![0; end];
        for (list, item) in pairs() {
            let span = &mut spans[list as usize];
            items[span.start + span.length as usize] = item;
            span.length += 1;
        }
        Self { spans, items }
    }

    #[inline]
    pub(super) fn get(&self, list: u32) -> &[u32] {
        let Span { start, length } = self.spans[list as usize];
        &self.items[start..start + length as usize]
    }

    /// Drops the items that `keep` does not want.
    pub(super) fn retain(&mut self, list: u32, mut keep: impl FnMut(u32) -> bool) {
        let span = &mut self.spans[list as usize];
        let items = &mut self.items[span.start..span.start + span.length as usize];
        let mut kept = 0;
        for at in 0..items.len() {
            if keep(items[at]) {
                items[kept] = items[at];
                kept += 1;
            }
        }
        span.length = kept as u32;
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }
}
