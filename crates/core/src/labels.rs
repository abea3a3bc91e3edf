//! A column of strings in two allocations, for the ids of a million owners.

/// An append-only column of strings: one buffer and the ends of its entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    text: String,
    ends: Vec<usize>,
}

impl Labels {
    /// An empty column.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an entry and returns its position.
    pub fn push(&mut self, label: &str) -> usize {
        self.text.push_str(label);
        self.ends.push(self.text.len());
        self.ends.len() - 1
    }

    /// The entry at `index`; panics when out of range, like indexing a slice.
    pub fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }
}

impl<S: AsRef<str>> FromIterator<S> for Labels {
    fn from_iter<I: IntoIterator<Item = S>>(labels: I) -> Self {
        let mut column = Self::new();
        for label in labels {
            column.push(label.as_ref());
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_pushed() {
        let labels: Labels = ["a", "", "été"].into_iter().collect();
        assert_eq!(labels.iter().collect::<Vec<_>>(), ["a", "", "été"]);
        assert_eq!(labels.len(), 3);
    }
}
