//! How large an experiment is made, and on which data.

use wayveil_io::generate::{Lengths, Preset};

/// Where data comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Made up.
    Generated {
        /// What it imitates.
        preset: Preset,
        /// How many records, or taxis.
        records: u64,
        /// Locations, where not the preset's own number.
        locations: Option<u32>,
        /// Time bins, where not the preset's own number.
        bins: Option<u32>,
        /// How long records are, where not as the preset's own.
        lengths: Option<Lengths>,
    },
    /// As it was given.
    Given,
}

impl Source {
    /// A preset with so many records.
    pub fn generated(preset: Preset, records: u64) -> Self {
        Self::Generated {
            preset,
            records,
            locations: None,
            bins: None,
            lengths: None,
        }
    }

    /// Its name in titles.
    pub fn name(&self) -> String {
        match self {
            Self::Generated { preset, .. } => preset.to_string(),
            Self::Given => "given data".into(),
        }
    }
}

/// What an experiment may know before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Whether it should take minutes, not a night.
    pub quick: bool,
    /// How many records generated data has, where that is asked for.
    pub records: Option<u64>,
    /// How many records the given data has, where it is given.
    pub given: Option<u64>,
}

impl Scale {
    /// A preset with its own number of records, or few of them; or what is given instead.
    pub fn source(&self, preset: Preset, few: u64) -> Source {
        match self.given {
            Some(_) => Source::Given,
            None => Source::generated(preset, self.sized(preset.info().records, few)),
        }
    }

    /// Several presets; what is given stands for all of them.
    pub fn sources(&self, presets: &[(Preset, u64)]) -> Vec<(&'static str, Source)> {
        let presets = match self.given {
            Some(_) => &presets[..presets.len().min(1)],
            None => presets,
        };
        presets
            .iter()
            .map(|&(preset, few)| (preset.info().name, self.source(preset, few)))
            .collect()
    }

    /// A number of records: all, few where it should be quick, or what was asked for.
    pub fn sized(&self, all: u64, few: u64) -> u64 {
        self.records
            .unwrap_or(if self.quick { few.min(all) } else { all })
    }

    /// Sizes at which time is taken: all, a twentieth of them where it should be quick, or the one that was asked for.
    pub fn sizes(&self, all: &[u64]) -> Vec<u64> {
        match self.records {
            Some(records) => vec![records],
            None => all
                .iter()
                .map(|&size| self.either(size, size / 20))
                .collect(),
        }
    }

    /// A panel's name among the paper's numbers; none where there are fewer records than the paper has, whose
    /// seconds would say nothing.
    pub fn unless_smaller(&self, panel: &'static str) -> &'static str {
        match self.quick || self.records.is_some() || self.given.is_some() {
            true => "",
            false => panel,
        }
    }

    /// One of two numbers.
    pub fn either<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The values of a parameter: all, or where it should be quick the first, the middle and the last.
    pub fn values<T: Clone>(&self, all: &[T]) -> Vec<T> {
        match (self.quick, all) {
            (true, [first, .., last]) if all.len() > 3 => {
                vec![first.clone(), all[all.len() / 2].clone(), last.clone()]
            }
            _ => all.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(quick: bool, records: Option<u64>, given: Option<u64>) -> Scale {
        Scale {
            quick,
            records,
            given,
        }
    }

    #[test]
    fn quick_is_smaller_and_what_is_asked_for_counts() {
        let full = scale(false, None, None);
        assert_eq!(
            full.source(Preset::City, 100),
            Source::generated(Preset::City, 80_000)
        );
        let quick = scale(true, None, None);
        assert_eq!(
            quick.source(Preset::City, 100),
            Source::generated(Preset::City, 100)
        );
        assert_eq!(scale(true, Some(7), None).sized(80_000, 100), 7);
        assert_eq!(full.values(&[1, 2, 3, 4, 5]), [1, 2, 3, 4, 5]);
        assert_eq!(quick.values(&[1, 2, 3, 4, 5]), [1, 3, 5]);
        assert_eq!(quick.values(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(quick.values(&[1, 2]), [1, 2]);
    }

    #[test]
    fn time_is_taken_at_each_size_once() {
        assert_eq!(scale(false, None, None).sizes(&[400, 800]), [400, 800]);
        assert_eq!(scale(true, None, None).sizes(&[400, 800]), [20, 40]);
        assert_eq!(scale(true, Some(7), None).sizes(&[400, 800]), [7]);
    }

    #[test]
    fn given_data_stands_for_all() {
        let given = scale(false, None, Some(5));
        let sources = given.sources(&[(Preset::Metro, 10), (Preset::Bus, 10)]);
        assert_eq!(sources, [("metro", Source::Given)]);
        let generated = scale(true, None, None).sources(&[(Preset::Metro, 10), (Preset::Bus, 10)]);
        assert_eq!(generated.len(), 2);
    }
}
