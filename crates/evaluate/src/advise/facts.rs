//! What is known in public about data, and what is assumed where nothing was said.

use std::sync::Arc;

use serde::Serialize;
use wayveil_core::{Dataset, Error, PrivacyUnit, Result, TimeAxis, Universe};

/// Visits of a record where nobody says: there and back, twice.
const TYPICAL_LENGTH: f64 = 4.0;
/// The longest record where nobody says, in typical ones.
const LONGEST_IN_TYPICAL: f64 = 10.0;
/// The most people that are made up or planned for: more than live on earth cannot be meant.
const MOST_PEOPLE: u64 = 10_000_000_000;
/// The longest record that can be asked for.
const MOST_VISITS: u32 = 10_000;

/// Numbers about the data that one would say in public; typed in, never counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// About how many people (or trips, where single trips are protected).
    pub people: Option<u64>,
    /// How many visits a record has on average.
    pub typical_length: Option<f64>,
    /// How many visits the longest record has.
    pub longest: Option<u32>,
}

/// A number that nobody gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assumption {
    /// The flag that gives it.
    pub flag: &'static str,
    /// What was taken instead.
    pub taken: String,
}

/// The public facts: all that advice without a look is made of.
///
/// There is no field for rows, and no method that reads one: [`Facts::of`] takes the public inputs and
/// the names of columns out of a data set and leaves the rest behind.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The set of locations, with coordinates and taxonomy where there are any.
    pub universe: Arc<Universe>,
    /// The axis of time bins, in timed data.
    pub time: Option<TimeAxis>,
    /// Names of the columns beside the trajectory, not their values.
    pub columns: Vec<String>,
    /// Whom a release shall protect.
    pub unit: PrivacyUnit,
    /// Numbers that were typed in.
    pub sizes: Sizes,
}

impl Facts {
    /// The public inputs of a data set, with numbers that were given beside it. Rows, owners and values
    /// are not looked at.
    pub fn of(data: &Dataset, unit: PrivacyUnit, sizes: Sizes) -> Self {
        Self {
            universe: data.universe().clone(),
            time: data.time().cloned(),
            columns: data.attributes().iter().map(|it| it.name.clone()).collect(),
            unit,
            sizes,
        }
    }

    /// Checks the numbers against each other.
    pub fn check(&self) -> Result<()> {
        let Sizes {
            people,
            typical_length,
            longest,
        } = self.sizes;
        if let Some(people) = people.filter(|it| !(1..=MOST_PEOPLE).contains(it)) {
            return Err(Error::input(format!(
                "invalid number of people (got {people}): must be from 1 to {MOST_PEOPLE}"
            ))
            .hint(
                "give --people about how many there are, a number that you would say in public",
            ));
        }
        let most = f64::from(longest.unwrap_or(MOST_VISITS));
        if let Some(typical) = typical_length.filter(|it| !(1.0..=most).contains(it)) {
            return Err(Error::input(format!(
                "invalid typical length (got {typical}): must be from 1 visit to the longest record"
            ))
            .hint("give --typical-length the visits of an average record, such as 4"));
        }
        match longest.filter(|it| !(1..=MOST_VISITS).contains(it)) {
            None => Ok(()),
            Some(longest) => Err(Error::input(format!(
                "invalid longest record (got {longest}): must be from 1 to {MOST_VISITS} visits"
            ))
            .hint("give --longest a public bound on the visits of a record, such as 40")),
        }
    }

    /// Visits of an average record.
    pub fn typical_length(&self) -> f64 {
        let longest = self.sizes.longest.map_or(f64::INFINITY, f64::from);
        self.sizes
            .typical_length
            .unwrap_or(TYPICAL_LENGTH.min(longest))
    }

    /// Visits of the longest record.
    pub fn longest(&self) -> u32 {
        let conventional = (self.typical_length() * LONGEST_IN_TYPICAL).ceil();
        let conventional = conventional.min(f64::from(MOST_VISITS)) as u32;
        self.sizes.longest.unwrap_or(conventional)
    }

    /// What was assumed, to be told beside the advice.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let mut assumed = Vec::new();
        if self.sizes.typical_length.is_none() {
            assumed.push(Assumption {
                flag: "--typical-length",
                taken: format!("{} visits in an average record", self.typical_length()),
            });
        }
        if self.sizes.longest.is_none() {
            assumed.push(Assumption {
                flag: "--longest",
                taken: format!("{} visits in the longest", self.longest()),
            });
        }
        assumed
    }

    /// Whether every location has coordinates.
    pub fn has_coordinates(&self) -> bool {
        self.universe.locations().iter().all(|it| it.at.is_some())
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::Origin;

    use super::*;

    fn facts(people: Option<u64>, typical_length: Option<f64>, longest: Option<u32>) -> Facts {
        let universe = Universe::from_labels(["A"], Origin::Declared("test".into())).unwrap();
        Facts {
            universe: Arc::new(universe),
            time: None,
            columns: Vec::new(),
            unit: PrivacyUnit::Owner,
            sizes: Sizes {
                people,
                typical_length,
                longest,
            },
        }
    }

    #[test]
    fn what_is_not_said_is_assumed_and_told() {
        let silent = facts(Some(10), None, None);
        assert_eq!((silent.typical_length(), silent.longest()), (4.0, 40));
        let flags: Vec<_> = silent.assumptions().iter().map(|it| it.flag).collect();
        assert_eq!(flags, ["--typical-length", "--longest"]);
        let short = facts(Some(10), None, Some(2));
        assert_eq!((short.typical_length(), short.longest()), (2.0, 2));
        assert!(facts(Some(10), Some(2.5), Some(9)).assumptions().is_empty());
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(facts(Some(10), Some(2.5), Some(9)).check().is_ok());
        for bad in [
            facts(Some(0), None, None),
            facts(Some(10), Some(0.5), None),
            facts(Some(10), Some(f64::NAN), None),
            facts(Some(10), Some(10.0), Some(9)),
            facts(Some(10), None, Some(0)),
        ] {
            assert!(bad.check().unwrap_err().advice().is_some());
        }
    }
}
