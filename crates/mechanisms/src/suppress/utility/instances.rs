//! Counts lost instances of doublets.

use super::Utility;
use crate::suppress::working::Working;

/// Every instance is worth the same.
pub(in crate::suppress) struct Instances;

impl Utility for Instances {
    fn loss(&self, _: &Working<'_>, _: u32, records: &[u32]) -> u32 {
        records.len() as u32
    }

    fn loss_everywhere(&self, working: &Working<'_>, doublet: u32) -> u32 {
        working.held(doublet)
    }

    fn worth(&self, _: &[u32]) -> u32 {
        0
    }

    fn removing(&mut self, _: &Working<'_>, _: u32, _: &[u32]) -> Vec<u32> {
        Vec::new()
    }
}
