//! How often each named integer had each value, on either data set of a pair.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::observation::Observation;

/// So many different values of one name are kept apart, and so many names. What comes later is
/// counted as present only, or not at all: an audit may miss something by it, never invent it.
const MOST_VALUES: usize = 20_000;
const MOST_NAMES: usize = 4_000;

/// Numbers of runs on the data set without the extra owner, and with.
pub(super) type Sides = [u64; 2];

#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    /// Runs that had the name.
    pub(super) present: Sides,
    /// Runs by value.
    pub(super) values: BTreeMap<i64, Sides>,
}

/// All values of all names, by origin.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) runs: Sides,
    pub(super) parts: [FxHashMap<String, Histogram>; 3],
}

impl Tally {
    pub(super) fn see(&mut self, side: usize, seen: &Observation) {
        self.runs[side] += 1;
        for (part, names) in seen.parts.iter().zip(&mut self.parts) {
            for (name, value) in part {
                if !names.contains_key(name) {
                    if names.len() >= MOST_NAMES {
                        continue;
                    }
                    names.insert(name.clone(), Histogram::default());
                }
                let Some(histogram) = names.get_mut(name) else {
                    continue;
                };
                histogram.present[side] += 1;
                histogram.add(*value, side, 1);
            }
        }
    }

    /// Adds another tally of the same pair; `origins` of it only.
    pub(super) fn merge(&mut self, other: &Tally, origins: std::ops::Range<usize>) {
        add(&mut self.runs, other.runs);
        for at in origins {
            let names = &mut self.parts[at];
            // In a fixed order, so that what is left out does not depend on the hash map.
            let mut new: Vec<_> = other.parts[at].iter().collect();
            new.sort_unstable_by_key(|(name, _)| name.as_str());
            for (name, histogram) in new {
                if names.len() >= MOST_NAMES && !names.contains_key(name) {
                    continue;
                }
                let own = names.entry(name.clone()).or_default();
                add(&mut own.present, histogram.present);
                for (&value, counts) in &histogram.values {
                    for (side, &count) in counts.iter().enumerate() {
                        if count > 0 {
                            own.add(value, side, count);
                        }
                    }
                }
            }
        }
    }
}

impl Histogram {
    fn add(&mut self, value: i64, side: usize, count: u64) {
        if self.values.len() >= MOST_VALUES && !self.values.contains_key(&value) {
            return;
        }
        self.values.entry(value).or_default()[side] += count;
    }
}

fn add(to: &mut Sides, more: Sides) {
    to[0] += more[0];
    to[1] += more[1];
}
