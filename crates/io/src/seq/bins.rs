//! Which time bins a file may name.

use wayveil_core::{Error, Origin, Result, TimeAxis};

use super::Bins;
use crate::universe::UniverseChoice;

/// The bins that were stated, or those met so far.
pub(crate) struct BinRule {
    declared: Option<u32>,
    /// Whether bins may be read off the data.
    free: bool,
    most: u32,
}

impl BinRule {
    pub(crate) fn new(bins: Option<Bins>, universe: &UniverseChoice) -> Self {
        let from_data = matches!(universe, UniverseChoice::FromData);
        Self {
            declared: match bins {
                Some(Bins::Declared(bins)) => Some(bins),
                _ => None,
            },
            free: bins == Some(Bins::FromData) || (bins.is_none() && from_data),
            most: 0,
        }
    }

    /// Refuses a bin outside the stated ones, with an error without a place.
    pub(crate) fn check(&self, bin: u32) -> Result<u32> {
        match self.declared {
            Some(bins) if bin >= bins => Err(Error::input(format!(
                "the time bin {bin} lies outside the declared {bins} bins, which are 0 to {}",
                i64::from(bins) - 1
            ))
            .hint(
                "state with --bins how many there are by the public time axis, not by what the \
                 data holds; cut records that leave it",
            )),
            None if !self.free => {
                Err(Error::input("the number of time bins is not stated").hint("--bins N"))
            }
            _ => Ok(bin),
        }
    }

    /// Remembers a bin that is kept; it lies below `u32::MAX`.
    pub(crate) fn met(&mut self, bin: u32) {
        self.most = self.most.max(bin + 1);
    }

    pub(crate) fn axis(&self) -> TimeAxis {
        match self.declared {
            Some(bins) => TimeAxis::new(bins, Origin::Declared("number of bins".into())),
            None => TimeAxis::new(self.most, Origin::FromData),
        }
    }
}
