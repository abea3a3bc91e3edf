//! Records that are here, for mechanisms that need nothing but counts of them.

use wayveil_core::counting::{Alphabet, PrefixCounts};
use wayveil_core::{Counting, Records, Result};
use wayveil_federated::simulate::{Clients, Supports};

use crate::tree::InMemory;

/// Records in memory, already bounded by the unit of privacy.
pub(crate) struct Here<'a, 'd>(pub(crate) &'a Records<'d>);

impl Counting for Here<'_, '_> {
    fn prefixes(&self, alphabet: Alphabet, height: u32) -> Result<Box<dyn PrefixCounts + '_>> {
        Ok(Box::new(InMemory::new(self.0, alphabet, height)))
    }

    fn records(&self) -> Result<u64> {
        Ok(self.0.sequences.len() as u64)
    }

    fn fragments(&self, length: usize, codes: &[u32]) -> Result<Vec<u64>> {
        let clients = Clients {
            records: &self.0.sequences,
            per_record: 1,
        };
        Ok(Supports::new(clients).of(length, codes))
    }
}
