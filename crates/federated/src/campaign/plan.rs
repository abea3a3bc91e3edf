//! Which clients are asked when: the shares of the rounds, fixed before the campaign.

use wayveil_core::{Error, Result};

/// The phases of each length in the repaired form, as parts of that length's clients: few at
/// first, to find what is hopeless or clear, and more as fewer candidates are left. More phases
/// find little more.
const PHASES: [f64; 4] = [0.15, 0.2, 0.3, 0.35];

/// How much each length counts among the repaired form's clients: the first two, which have few
/// candidates in small universes and mostly lead to longer ones; those between; and the longest, which
/// have most.
const FIRST: std::ops::RangeInclusive<f64> = 0.05..=0.4;
const SECOND: std::ops::RangeInclusive<f64> = 0.2..=0.6;
const BETWEEN: f64 = 0.4;
const LONGEST: f64 = 1.5;

/// So many locations make the first lengths count 1, within their ranges.
const LOCATIONS: [f64; 2] = [340.0, 85.0];

/// The share of clients asked about each length as published.
pub(crate) const PUBLISHED_SHARE: f64 = 0.2;

/// What rounding may add to the sum of the shares.
const TOLERANCE: f64 = 1e-9;

/// Default shares of the repaired form: for each length the shares of its phases, all together 1.
///
/// A function of public sizes alone, so that it may be tuned without a thought for privacy.
pub(crate) fn repaired_shares(length: u32, locations: u32) -> Vec<Vec<f64>> {
    let within = |range: &std::ops::RangeInclusive<f64>, one: f64| {
        (f64::from(locations) / one).clamp(*range.start(), *range.end())
    };
    let weight = |at: u32| match at {
        at if at == length => LONGEST,
        1 => within(&FIRST, LOCATIONS[0]),
        2 => within(&SECOND, LOCATIONS[1]),
        _ => BETWEEN,
    };
    let total: f64 = (1..=length).map(weight).sum();
    (1..=length)
        .map(|at| PHASES.map(|part| part * weight(at) / total).to_vec())
        .collect()
}

/// Shares as published: one phase for each length.
pub(crate) fn published_shares(length: u32, share: f64) -> Vec<Vec<f64>> {
    vec![vec![share]; length as usize]
}

/// One round: a phase of the questions about fragments of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The length of the fragments asked about, from 1.
    pub length: u32,
    /// The phase, from 0.
    pub phase: u32,
}

/// The rounds in order, and the part of all clients that each has.
///
/// A client's round is a function of one uniform word that it draws before the campaign begins. So
/// the clients of every round are a uniform sample, whatever is asked and answered in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    slots: Vec<Slot>,
    /// Parts of 2^64; together below 2^64.
    widths: Vec<u64>,
    /// Sums of the widths.
    ends: Vec<u64>,
}

impl Schedule {
    /// From the share of each phase of each length.
    pub(crate) fn from_shares(shares: &[Vec<f64>]) -> Result<Self> {
        let all = || shares.iter().flatten();
        if let Some(share) = all().find(|share| !(0.0..=1.0).contains(*share)) {
            return Err(
                Error::input(format!("invalid share of clients (got {share})"))
                    .hint("a share lies between 0 and 1"),
            );
        }
        let sum: f64 = all().sum();
        if sum > 1.0 + TOLERANCE {
            return Err(Error::input(format!(
                "the shares of all rounds sum to {sum:.4}, and each client can be asked once"
            ))
            .hint("choose a share of at most 1 divided by the greatest length"));
        }
        let scale = 2_f64.powi(64);
        let widths = shares
            .iter()
            .map(|phases| phases.iter().map(|share| (share * scale) as u64).collect())
            .collect::<Vec<Vec<u64>>>();
        Self::from_widths(&widths)
    }

    /// From parts of 2^64 for each phase of each length; what rounding adds beyond is cut off the
    /// last rounds.
    pub(crate) fn from_widths(widths: &[Vec<u64>]) -> Result<Self> {
        let mut schedule = Self {
            slots: Vec::new(),
            widths: Vec::new(),
            ends: Vec::new(),
        };
        let mut end = 0_u64;
        for (length, phases) in (1..).zip(widths) {
            if phases.is_empty() {
                return Err(Error::input(format!("length {length} has no phase")));
            }
            for (phase, &width) in (0..).zip(phases) {
                let width = width.min(u64::MAX - end);
                end += width;
                schedule.slots.push(Slot { length, phase });
                schedule.widths.push(width);
                schedule.ends.push(end);
            }
        }
        Ok(schedule)
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        self.slots.len()
    }

    /// The length and phase of a round.
    pub fn slot(&self, round: usize) -> Slot {
        self.slots[round]
    }

    /// The part of all clients that a round has, of 2^64.
    pub fn width(&self, round: usize) -> u64 {
        self.widths[round]
    }

    /// The round of a client that drew this word; none for the clients that are left over.
    pub fn round_of(&self, drawn: u64) -> Option<u32> {
        let round = self.ends.partition_point(|&end| end <= drawn);
        (round < self.slots.len()).then_some(round as u32)
    }

    /// The expected number of a population's clients in a round.
    pub(crate) fn expected(&self, round: usize, population: u64) -> f64 {
        self.widths[round] as f64 / 2_f64.powi(64) * population as f64
    }

    /// The parts of 2^64 for each phase of each length.
    pub(crate) fn widths_by_length(&self) -> Vec<Vec<u64>> {
        let mut by_length: Vec<Vec<u64>> = Vec::new();
        for (slot, &width) in self.slots.iter().zip(&self.widths) {
            match slot.phase {
                0 => by_length.push(vec![width]),
                _ => by_length.last_mut().into_iter().for_each(|w| w.push(width)),
            }
        }
        by_length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_locations_leave_more_clients_to_short_fragments() {
        let sums = |length, locations| -> Vec<f64> {
            let shares = repaired_shares(length, locations);
            shares.iter().map(|phases| phases.iter().sum()).collect()
        };
        for (length, locations) in [(1, 5), (3, 17), (3, 68), (5, 1000), (9, 2)] {
            let all = sums(length, locations);
            assert_eq!(all.len(), length as usize);
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let (few, many) = (sums(3, 17), sums(3, 680));
        assert!((few[0] - 0.05 / 1.75).abs() < 1e-12, "{few:?}");
        assert!((many[0] - 0.4 / 2.5).abs() < 1e-12, "{many:?}");
        assert!(few[0] < many[0] && few[1] < many[1] && few[2] > many[2]);
    }

    #[test]
    fn every_word_has_the_round_of_its_share() {
        let schedule = Schedule::from_shares(&[vec![0.25, 0.25], vec![0.125]]).unwrap();
        assert_eq!(schedule.rounds(), 3);
        let quarter = 1_u64 << 62;
        for (word, round) in [
            (0, Some(0)),
            (quarter - 1, Some(0)),
            (quarter, Some(1)),
            (2 * quarter - 1, Some(1)),
            (2 * quarter, Some(2)),
            (2 * quarter + quarter / 2, None),
            (u64::MAX, None),
        ] {
            assert_eq!(schedule.round_of(word), round, "{word:x}");
        }
        assert_eq!(
            schedule.slot(2),
            Slot {
                length: 2,
                phase: 0
            }
        );
        assert_eq!(
            Schedule::from_widths(&schedule.widths_by_length()).unwrap(),
            schedule
        );
    }

    #[test]
    fn a_round_without_clients_has_none() {
        let schedule = Schedule::from_shares(&[vec![0.0, 0.5], vec![0.5]]).unwrap();
        assert_eq!(schedule.round_of(0), Some(1));
    }

    #[test]
    fn default_shares_use_every_client_once() {
        for length in 1..=12 {
            let shares = repaired_shares(length);
            assert_eq!(shares.len(), length as usize);
            let sum: f64 = shares.iter().flatten().sum();
            assert!((sum - 1.0).abs() < 1e-9);
            assert!(Schedule::from_shares(&shares).is_ok());
        }
    }

    #[test]
    fn shares_that_ask_a_client_twice_are_refused() {
        assert!(Schedule::from_shares(&published_shares(6, 0.2)).is_err());
        assert!(Schedule::from_shares(&published_shares(5, 0.2)).is_ok());
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Schedule::from_shares(&[vec![bad]]).is_err(), "{bad}");
        }
        assert!(Schedule::from_shares(&[vec![]]).is_err());
    }
}
