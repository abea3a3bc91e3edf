//! What is lost when a doublet is suppressed. A measure is one type with [`Utility`].

pub(super) mod instances;
pub(super) mod maximal;
pub(super) mod mfs;

use super::working::Working;

/// A measure of what suppressing costs, which tells the cost of a step before it is taken and hears
/// of every step.
pub(super) trait Utility: Sync {
    /// What is lost when a doublet is taken out of these records, all of which hold it.
    fn loss(&self, working: &Working<'_>, doublet: u32, records: &[u32]) -> u32;

    /// What is lost when it is taken out everywhere.
    fn loss_everywhere(&self, working: &Working<'_>, doublet: u32) -> u32;

    /// What a part of a record holds of the measure's own that is worth more than any number of
    /// doublets; no part holds more than the whole.
    fn worth(&self, part: &[u32]) -> u32;

    /// Hears that a doublet is about to be taken out of these records. Returns the doublets that
    /// have become cheaper to suppress for a reason that lies in the measure.
    fn removing(&mut self, working: &Working<'_>, doublet: u32, records: &[u32]) -> Vec<u32>;

    /// How many maximal frequent sequences of the raw table are still frequent; 0 where the measure
    /// does not know them.
    fn frequent_left(&self) -> u64 {
        0
    }
}
