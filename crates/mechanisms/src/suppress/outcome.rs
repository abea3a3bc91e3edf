//! What is left, and what it took.

use wayveil_core::{Result, Sequences};

use super::greedy::Steps;
use super::working::Working;

/// The records that are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Which records are left, by their positions in the data that the table was made from, rising.
    /// Records that hold nothing any more are not among them.
    pub kept: Vec<u32>,
    /// Their doublets, by bin, then location.
    pub trips: Sequences,
    /// What it took.
    pub summary: Summary,
}

/// How many of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Minimal violating sequences of the raw table.
    pub minimal_violating: u64,
    /// Rounds from scratch that found something.
    pub rounds: u32,
    /// Doublets that records gave up by themselves.
    pub record_suppressions: u64,
    /// Suppressions of a doublet in the records of one sequence.
    pub local_suppressions: u64,
    /// Suppressions of a doublet everywhere.
    pub global_suppressions: u64,
    /// Doublets of all records before.
    pub instances_before: u64,
    /// And after.
    pub instances_after: u64,
    /// Maximal frequent sequences of the raw table; 0 unless they are to be preserved.
    pub frequent_before: u64,
    /// How many of them are still frequent.
    pub frequent_after: u64,
    /// Records without a doublet, before or after.
    pub records_dropped: u64,
}

impl Summary {
    pub(super) fn count(&mut self, steps: Steps) {
        self.local_suppressions += steps.local;
        self.global_suppressions += steps.global;
    }
}

impl Outcome {
    pub(super) fn new(working: &Working<'_>, summary: Summary) -> Result<Self> {
        let table = working.table;
        let mut kept: Vec<(u32, u32)> = (0..working.len())
            .filter(|&record| !working.record(record).is_empty())
            .map(|record| (table.original(record), record))
            .collect();
        kept.sort_unstable();
        let mut offsets = vec![0];
        let (mut codes, mut bins) = (Vec::new(), Vec::new());
        for &(_, record) in &kept {
            for &code in working.record(record) {
                let (bin, place) = table.doublet(code);
                codes.push(place);
                bins.push(bin);
            }
            offsets.push(codes.len() as u64);
        }
        Ok(Self {
            summary: Summary {
                instances_before: table.instances() as u64,
                instances_after: codes.len() as u64,
                records_dropped: u64::from(working.len()) - kept.len() as u64,
                ..summary
            },
            kept: kept.into_iter().map(|(original, _)| original).collect(),
            trips: Sequences::new(offsets, codes, Some(bins))?,
        })
    }
}
