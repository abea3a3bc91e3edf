//! What a set of trajectories shows at a glance, in plain numbers: what pictures are drawn from.
//!
//! The portrait of a release is public; that of raw data is not, and the caller keeps it
//! [`wayveil_core::Internal`].

use std::cmp::Reverse;

use rayon::prelude::*;
use wayveil_core::{Result, Sequences, Silent, TimeAxis, Universe};

use crate::clock;
use crate::mine::{Pattern, top_k};

/// Flows and trips kept of each kind, the strongest.
pub const MOST_FLOWS: usize = 2_000;
/// Patterns kept, the most frequent.
pub const MOST_PATTERNS: usize = 100;
/// Lengths of the patterns.
const PATTERN_LENGTHS: std::ops::RangeInclusive<usize> = 2..=5;
/// Hours of a day.
pub const HOURS: usize = 24;

/// Figures of a set of trajectories. Locations are codes of its universe.
#[derive(Clone, Debug, PartialEq)]
pub struct Portrait {
    /// Trajectories.
    pub records: u64,
    /// Visits in all of them.
    pub symbols: u64,
    /// How many records have each length, from zero on.
    pub lengths: Vec<u64>,
    /// How many visits each location has, by code.
    pub visits: Vec<u64>,
    /// When visits take place, in timed data.
    pub times: Option<Times>,
    /// Moves from one location to the next, the strongest first; staying is no move.
    pub flows: Flows,
    /// From the first to the last location of records of two or more visits, the most frequent first.
    pub trips: Flows,
    /// The most frequent sequential patterns of two to five locations, with the records that hold them.
    pub patterns: Vec<Pattern>,
}

/// Flows between locations, the strongest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flows {
    /// The strongest of them.
    pub strongest: Vec<Flow>,
    /// How much flows in all, also in those that are left out.
    pub all: u64,
    /// How many different flows there are.
    pub different: u64,
}

/// How many went from one location to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Code of the location it begins at.
    pub from: u32,
    /// Code of the location it ends at.
    pub to: u32,
    /// How many.
    pub count: u64,
}

/// When visits take place.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// By the hour of the day at which their bin begins.
    Hours {
        /// The time zone of the hours.
        zone: String,
        /// Visits of each hour.
        visits: [u64; HOURS],
    },
    /// By bin, where bins are bare numbers or whole days.
    Bins(Vec<u64>),
}

impl Portrait {
    /// Counts everything once.
    pub fn of(sequences: &Sequences, universe: &Universe, time: Option<&TimeAxis>) -> Result<Self> {
        let mut lengths = vec![0];
        for record in 0..sequences.len() {
            let length = sequences.length(record);
            if lengths.len() <= length {
                lengths.resize(length + 1, 0);
            }
            lengths[length] += 1;
        }
        let mut visits = vec![0; universe.len()];
        for &code in sequences.codes() {
            visits[code as usize] += 1;
        }
        let moves = sequences.iter().flat_map(|codes| {
            let pairs = codes.windows(2).map(|pair| (pair[0], pair[1]));
            pairs.filter(|(from, to)| from != to)
        });
        let ends = sequences.iter().filter_map(|codes| match codes {
            [first, .., last] => Some((*first, *last)),
            _ => None,
        });
        Ok(Self {
            records: sequences.len() as u64,
            symbols: sequences.symbols() as u64,
            lengths,
            visits,
            times: time.map(|axis| Times::of(sequences, axis)).transpose()?,
            flows: Flows::of(moves.collect()),
            trips: Flows::of(ends.collect()),
            patterns: top_k(sequences, MOST_PATTERNS, PATTERN_LENGTHS, &Silent)?,
        })
    }

    /// The mean number of visits of a record; 0 where there is none.
    pub fn mean_length(&self) -> f64 {
        match self.records {
            0 => 0.0,
            records => self.symbols as f64 / records as f64,
        }
    }

    /// Locations by falling visits, those without a visit left out.
    pub fn most_visited(&self) -> Vec<u32> {
        let visited = (0..self.visits.len() as u32).filter(|&code| self.visits[code as usize] > 0);
        let mut order: Vec<u32> = visited.collect();
        order.sort_by_key(|&code| (Reverse(self.visits[code as usize]), code));
        order
    }
}

impl Flows {
    fn of(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.par_sort_unstable();
        let mut strongest: Vec<Flow> = pairs
            .chunk_by(|a, b| a == b)
            .map(|run| Flow {
                from: run[0].0,
                to: run[0].1,
                count: run.len() as u64,
            })
            .collect();
        let different = strongest.len() as u64;
        strongest.par_sort_unstable_by_key(|flow| (Reverse(flow.count), flow.from, flow.to));
        strongest.truncate(MOST_FLOWS);
        Self {
            strongest,
            all: pairs.len() as u64,
            different,
        }
    }
}

impl Times {
    /// Counts the visits of timed trajectories.
    pub fn of(sequences: &Sequences, axis: &TimeAxis) -> Result<Self> {
        let mut of_bin = vec![0; axis.bins as usize];
        for &bin in sequences.bins().unwrap_or_default() {
            of_bin[bin as usize] += 1;
        }
        Ok(match clock::hours(axis)? {
            Some((zone, hours)) => {
                let mut visits = [0; HOURS];
                for (hour, count) in hours.into_iter().zip(of_bin) {
                    visits[usize::from(hour) % HOURS] += count;
                }
                Self::Hours { zone, visits }
            }
            None => Self::Bins(of_bin),
        })
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Clock, Origin};

    use super::*;

    fn universe() -> Universe {
        Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap()
    }

    #[test]
    fn everything_is_counted_by_hand() {
        let sequences = Sequences::from_codes([vec![0, 1, 1, 2], vec![], vec![0, 1], vec![2]]);
        let portrait = Portrait::of(&sequences, &universe(), None).unwrap();
        assert_eq!((portrait.records, portrait.symbols), (4, 7));
        assert_eq!(portrait.lengths, [1, 1, 1, 0, 1]);
        assert_eq!(portrait.visits, [2, 3, 2]);
        assert_eq!(portrait.most_visited(), [1, 0, 2]);
        let flow = |from, to, count| Flow { from, to, count };
        assert_eq!(portrait.flows.strongest, [flow(0, 1, 2), flow(1, 2, 1)]);
        assert_eq!((portrait.flows.all, portrait.flows.different), (3, 2));
        assert_eq!(portrait.trips.strongest, [flow(0, 1, 1), flow(0, 2, 1)]);
        assert_eq!(portrait.patterns[0].codes, [0, 1]);
        assert_eq!(portrait.patterns[0].support, 2);
        assert_eq!(portrait.times, None);
        assert!((portrait.mean_length() - 1.75).abs() < 1e-12);
        let nothing = Portrait::of(&Sequences::empty(false), &universe(), None).unwrap();
        assert_eq!((nothing.records, nothing.mean_length()), (0, 0.0));
    }

    #[test]
    fn visits_fall_into_hours_where_there_is_a_clock() {
        let sequences = Sequences::new(vec![0, 3], vec![0, 1, 2], Some(vec![0, 1, 24])).unwrap();
        let mut axis = TimeAxis::new(30, Origin::FromData);
        let of = |axis: &TimeAxis| {
            Portrait::of(&sequences, &universe(), Some(axis))
                .unwrap()
                .times
        };
        let Some(Times::Bins(bins)) = of(&axis) else {
            panic!("bins without a clock");
        };
        assert_eq!((bins.len(), bins[0], bins[24]), (30, 1, 1));
        axis.clock = Some(Clock {
            starts: "2024-03-04T05:00:00Z".into(),
            bin_seconds: 3600,
            zone: "UTC".into(),
        });
        let Some(Times::Hours { zone, visits }) = of(&axis) else {
            panic!("hours with a clock");
        };
        assert_eq!((zone.as_str(), visits[5], visits[6]), ("UTC", 2, 1));
    }
}
