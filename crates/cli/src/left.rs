//! How much of the raw data a release of true records still holds, for its publisher.

use serde_json::{Value, json};
use wayveil_core::{Dataset, NonPrivate, PrivacyUnit, Raw, Release, Result};

use crate::facts::thousands;

/// What a publisher should know of an empty release.
pub(crate) const NOTHING_LEFT: &str = "nothing is left: the release is empty. Ask for less (a smaller \
                                       --k or --l, a greater --c), or make places and time bins \
                                       coarser, so that more people share them";

/// People and visits, before and after.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Left {
    people: [u64; 2],
    visits: [u64; 2],
}

impl Left {
    /// Counts both; nothing where no released row is a person's.
    pub(crate) fn of(
        raw: &Raw<Dataset>,
        release: &Release,
        unit: PrivacyUnit,
    ) -> Result<Option<Self>> {
        if !release.manifest().rows_are_true() {
            return Ok(None);
        }
        let because = NonPrivate::because("the publisher is told how much was suppressed");
        let before = raw.inspect(because, |data| -> Result<_> {
            let records = data.records(unit, &[])?;
            Ok([records.sequences.len(), records.sequences.symbols()])
        });
        let [people, visits] = before.for_publisher_only()?;
        let after = release.trajectories();
        Ok(Some(Self {
            people: [people as u64, after.len() as u64],
            visits: [visits as u64, after.symbols() as u64],
        }))
    }

    /// Whether the release is empty.
    pub(crate) fn is_nothing(&self) -> bool {
        self.visits[1] == 0
    }

    /// In one line.
    pub(crate) fn in_words(&self) -> String {
        let share = |[before, after]: [u64; 2], what: &str| {
            let percent = 100.0 * after as f64 / before.max(1) as f64;
            let (after, before) = (thousands(after), thousands(before));
            format!("{after} of {before} {what} ({percent:.1} %)")
        };
        format!(
            "left in the release: {}, {}; internal, since the raw numbers are not for publication",
            share(self.people, "people"),
            share(self.visits, "visits")
        )
    }

    /// For machines.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "internal": true,
            "people": self.people[1],
            "visits": self.visits[1],
            "raw_people": self.people[0],
            "raw_visits": self.visits[0],
        })
    }
}
