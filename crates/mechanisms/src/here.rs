//! Records that are here, for mechanisms that need nothing but counts of them.

use wayveil_core::counting::{Alphabet, Part, PrefixCounts, Question, Tally, What, tally};
use wayveil_core::{Counting, Owners, PrivacyUnit, Records, Result};

use crate::tree::InMemory;

/// Records in memory, already bounded by the unit of privacy.
pub(crate) struct Here<'a, 'd>(pub(crate) &'a Records<'d>);

impl Counting for Here<'_, '_> {
    fn prefixes(&self, alphabet: Alphabet, height: u32) -> Result<Box<dyn PrefixCounts + '_>> {
        Ok(Box::new(InMemory::new(self.0, alphabet, height)))
    }

    fn ask(&self, what: What) -> Result<Tally> {
        let public = &self.0.public;
        let question = Question {
            // They are bounded: each is a record of its own.
            unit: PrivacyUnit::Trip,
            locations: public.universe.len() as u32,
            bins: public.time.map(|axis| axis.bins),
            columns: Vec::new(),
            what,
        };
        let part = Part {
            trips: &self.0.sequences,
            owners: &Owners::EachRecord,
            attributes: &[],
        };
        tally(&question, &part)
    }
}
