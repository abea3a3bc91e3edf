//! Whose the records are.

use std::fmt::Write;

use wayveil_core::{Labels, Owners};

/// Ids of so many owners: a letter and a number from 1.
pub(super) fn numbered(letter: char, count: usize) -> Labels {
    let mut labels = Labels::new();
    let mut label = String::new();
    for number in 1..=count {
        label.clear();
        write!(label, "{letter}{number:07}").expect("a string takes any text");
        labels.push(&label);
    }
    labels
}

/// One owner per record, numbered in order.
pub(super) fn one_per_record(records: usize) -> Owners {
    Owners::Known {
        of_record: (0..records as u32).collect(),
        labels: numbered('p', records),
    }
}
