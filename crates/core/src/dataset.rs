//! A publisher's data as read: trajectories with their owners and everything public about them.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::attribute::{Attribute, fits};
use crate::error::{Error, Result};
use crate::labels::Labels;
use crate::raw::Raw;
use crate::sequences::Sequences;
use crate::taxonomy::Taxonomy;
use crate::unit::{PrivacyUnit, Records, bound, bound_with};
use crate::universe::{Origin, Universe};

/// The public, ordered axis on which time bins lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeAxis {
    /// How many bins there are.
    pub bins: u32,
    /// Where the number of bins came from.
    pub declared: Origin,
    /// Which time each bin is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// Ties the bins of an axis to the calendar. Public, like the axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// The instant at which bin 0 begins, in RFC 3339 with an offset.
    pub starts: String,
    /// The length of every bin in seconds of elapsed time, also where clocks change.
    pub bin_seconds: u32,
    /// The IANA name of the time zone in which people read the axis.
    pub zone: String,
}

impl TimeAxis {
    /// The most bins that an axis can have: every minute of nearly two years.
    pub const MAX_BINS: u32 = 1_000_000;

    /// An axis of bare numbers.
    pub const fn new(bins: u32, declared: Origin) -> Self {
        Self {
            bins,
            declared,
            clock: None,
        }
    }
}

/// Who each record belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owners {
    /// Every record has an owner of its own, as in formats without an owner column.
    EachRecord,
    /// `of_record[r]` is a position in `labels`.
    Known {
        /// The owner of each record.
        of_record: Vec<u32>,
        /// The owners' ids.
        labels: Labels,
    },
}

/// Trajectories, their owners and attributes, over a universe.
#[derive(Clone, Debug)]
pub struct Dataset {
    universe: Arc<Universe>,
    time: Option<TimeAxis>,
    trips: Sequences,
    owners: Owners,
    attributes: Vec<Attribute>,
    population: String,
}

impl Dataset {
    /// Checks that the parts fit together.
    pub fn new(
        universe: Arc<Universe>,
        time: Option<TimeAxis>,
        trips: Sequences,
        owners: Owners,
        attributes: Vec<Attribute>,
        population: String,
    ) -> Result<Self> {
        if let Some(axis) = &time
            && !(1..=TimeAxis::MAX_BINS).contains(&axis.bins)
        {
            return Err(Error::input(format!(
                "invalid number of time bins (got {}): must be from 1 to {}",
                axis.bins,
                TimeAxis::MAX_BINS
            ))
            .hint("use wider time bins"));
        }
        if u32::try_from(trips.len()).is_err() {
            return Err(Error::input(
                "more than 4,294,967,295 records are not supported",
            ));
        }
        trips.check_ranges(universe.len(), time.as_ref().map(|axis| axis.bins))?;
        if let Owners::Known { of_record, labels } = &owners
            && !fits(of_record, labels.len(), trips.len())
        {
            return Err(Error::input(
                "the owner column does not fit the trajectories",
            ));
        }
        for attribute in &attributes {
            if !attribute.fits(trips.len()) {
                return Err(Error::input(format!(
                    "the attribute column {:?} does not fit the trajectories",
                    attribute.name
                )));
            }
        }
        Ok(Self {
            universe,
            time,
            trips,
            owners,
            attributes,
            population,
        })
    }

    /// The public set of locations.
    pub fn universe(&self) -> &Arc<Universe> {
        &self.universe
    }

    /// The public axis of time bins, in timed data.
    pub fn time(&self) -> Option<&TimeAxis> {
        self.time.as_ref()
    }

    /// The trajectories, one per row of the input.
    pub fn trips(&self) -> &Sequences {
        &self.trips
    }

    /// Whose they are.
    pub fn owners(&self) -> &Owners {
        &self.owners
    }

    /// The columns beside the trajectory.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The records that a mechanism would be given: rows bounded by the unit of privacy. For those
    /// who may look at raw data.
    pub fn bounded(&self, unit: PrivacyUnit) -> Cow<'_, Sequences> {
        bound(self, unit).sequences
    }

    /// The records that a truthful mechanism would be given, with these columns and with owners
    /// where the unit keeps an owner's rows apart. For those who may look at raw data.
    pub fn records(&self, unit: PrivacyUnit, columns: &[String]) -> Result<Records<'_>> {
        bound_with(self, unit, columns)
    }

    /// The name under which spending on these people is kept.
    pub fn population(&self) -> &str {
        &self.population
    }
}

impl Raw<Dataset> {
    /// Puts another taxonomy over the locations; everything else, and the wall, stays.
    ///
    /// The taxonomy is a public input: it must not be made from the data.
    pub fn with_taxonomy(mut self, taxonomy: Taxonomy) -> Result<Self> {
        let universe = self.inner.universe.with_taxonomy(taxonomy)?;
        // Copied only where somebody else holds the data, too.
        Arc::make_mut(&mut self.inner).universe = Arc::new(universe);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_must_fit() {
        let universe =
            Arc::new(Universe::from_labels(["A"], Origin::Declared("test".into())).unwrap());
        let trips = || Sequences::from_codes([[0u32]]);
        let build = |trips: Sequences, owners: Owners, attributes: Vec<Attribute>| {
            Dataset::new(
                universe.clone(),
                None,
                trips,
                owners,
                attributes,
                "p".into(),
            )
        };
        assert!(build(trips(), Owners::EachRecord, vec![]).is_ok());
        assert!(build(Sequences::from_codes([[1u32]]), Owners::EachRecord, vec![]).is_err());
        let stranger = Owners::Known {
            of_record: vec![1],
            labels: ["x"].into_iter().collect(),
        };
        assert!(build(trips(), stranger, vec![]).is_err());
        let short = Attribute {
            name: "age".into(),
            values: Labels::new(),
            of_record: vec![],
        };
        assert!(build(trips(), Owners::EachRecord, vec![short]).is_err());
    }

    #[test]
    fn another_taxonomy_changes_nothing_else() {
        let universe = Universe::from_labels(["A", "B"], Origin::Declared("test".into())).unwrap();
        let data = Dataset::new(
            Arc::new(universe),
            None,
            Sequences::from_codes([[1u32, 0]]),
            Owners::EachRecord,
            vec![],
            "p".into(),
        )
        .unwrap();
        let line = || {
            vec![crate::Group {
                label: "line".into(),
                parent: None,
            }]
        };
        let taxonomy = Taxonomy::new(line(), vec![0, 0]).unwrap();
        let raw = Raw::new(data.clone())
            .with_taxonomy(taxonomy.clone())
            .unwrap();
        assert_eq!(raw.inner.universe.taxonomy(), Some(&taxonomy));
        assert_eq!(raw.inner.trips, data.trips);
        assert_eq!(raw.inner.population, data.population);
        let short = Taxonomy::new(line(), vec![0]).unwrap();
        assert!(Raw::new(data).with_taxonomy(short).is_err());
    }
}
