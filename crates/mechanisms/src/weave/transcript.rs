//! What `weave` tells the auditor: every noisy count, of cells that were visited one by one or passed.

use wayveil_core::Transcript;

use super::measure::{Counts, Measured};
use super::paid::Paid;

/// Names are made of the group and the number of the cell.
pub(super) fn transcript(paid: Paid) -> Transcript {
    Transcript::told_by(move || {
        let mut told = Vec::new();
        for group in std::iter::once(&paid.total).chain(&paid.groups) {
            tell(group, &mut told);
        }
        told
    })
}

fn tell(group: &Measured, told: &mut Vec<(String, i64)>) {
    let name = group.kind().name();
    match &group.counts {
        Counts::Dense(noisy) => {
            let cells = noisy.iter().enumerate();
            told.extend(cells.map(|(cell, &noisy)| (format!("{name} {cell}"), noisy)));
        }
        Counts::Sparse { cells, noisy } => {
            let cells = cells.iter().zip(noisy);
            told.extend(cells.map(|(cell, &noisy)| (format!("{name} {cell}"), noisy)));
        }
    }
}
