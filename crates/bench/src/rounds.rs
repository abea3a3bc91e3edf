//! Two pieces of work, timed in turn.

use std::time::Instant;

/// Something to time, and how many units one run of it does.
pub struct Work<'a> {
    /// One run.
    pub run: &'a mut dyn FnMut() -> Result<(), String>,
    /// Units (draws, rows) in one run, at least 1.
    pub units: u64,
}

impl<'a> Work<'a> {
    /// Work that is told in milliseconds a run.
    pub fn in_milliseconds(run: &'a mut dyn FnMut() -> Result<(), String>) -> Self {
        Self {
            run,
            units: 1_000_000,
        }
    }

    fn nanoseconds_per_unit(&mut self) -> Result<f64, String> {
        let start = Instant::now();
        (self.run)()?;
        Ok(start.elapsed().as_nanos() as f64 / self.units.max(1) as f64)
    }
}

/// The times of one side, in nanoseconds per unit; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    /// As the rounds came.
    in_order: Vec<f64>,
    /// Smallest first.
    sorted: Vec<f64>,
}

impl Times {
    /// The times of at least one round.
    pub fn new(in_order: Vec<f64>) -> Option<Times> {
        let mut sorted = in_order.clone();
        sorted.sort_by(f64::total_cmp);
        (!sorted.is_empty()).then_some(Times { in_order, sorted })
    }

    /// One amount of memory in place of times.
    pub fn mebibytes(bytes: u64) -> Times {
        let value = bytes as f64 / f64::from(1 << 20);
        Times {
            in_order: vec![value],
            sorted: vec![value],
        }
    }

    /// The middle time, or the mean of the two middle ones.
    pub fn median(&self) -> f64 {
        let n = self.sorted.len();
        (self.sorted[(n - 1) / 2] + self.sorted[n / 2]) / 2.0
    }

    /// The shortest time.
    pub fn min(&self) -> f64 {
        self.sorted[0]
    }

    /// The longest time.
    pub fn max(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.sorted.len()
    }

    /// By how much the other side took longer in each round.
    pub fn ratios(&self, other: &Times) -> Option<Times> {
        let pairs = self.in_order.iter().zip(&other.in_order);
        Times::new(pairs.map(|(own, other)| other / own).collect())
    }
}

/// Runs both sides once to warm up, then `rounds` times in turn, changing who goes first.
pub fn interleaved(
    rounds: usize,
    mut ours: Work<'_>,
    mut peer: Work<'_>,
) -> Result<(Times, Times), String> {
    (ours.run)()?;
    (peer.run)()?;
    let (mut our_times, mut peer_times) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        if round % 2 == 0 {
            our_times.push(ours.nanoseconds_per_unit()?);
            peer_times.push(peer.nanoseconds_per_unit()?);
        } else {
            peer_times.push(peer.nanoseconds_per_unit()?);
            our_times.push(ours.nanoseconds_per_unit()?);
        }
    }
    Times::new(our_times)
        .zip(Times::new(peer_times))
        .ok_or_else(|| "no rounds to run".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_statistics() {
        let odd = Times::new(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!(
            (odd.min(), odd.median(), odd.max(), odd.rounds()),
            (1.0, 2.0, 3.0, 3)
        );
        assert_eq!(Times::new(vec![4.0, 1.0, 2.0, 3.0]).unwrap().median(), 2.5);
        assert_eq!(Times::new(vec![]), None);
    }

    #[test]
    fn ratios_are_those_of_rounds() {
        let ours = Times::new(vec![4.0, 1.0]).unwrap();
        let other = Times::new(vec![2.0, 3.0, 9.0]).unwrap();
        let ratios = ours.ratios(&other).unwrap();
        assert_eq!((ratios.min(), ratios.max(), ratios.rounds()), (0.5, 3.0, 2));
    }

    #[test]
    fn sides_take_turns_and_failures_come_out() {
        let order = std::cell::RefCell::new(String::new());
        let mut ours = || {
            order.borrow_mut().push('o');
            Ok(())
        };
        let mut peer = || {
            order.borrow_mut().push('p');
            Ok(())
        };
        let work = Work {
            run: &mut ours,
            units: 1,
        };
        interleaved(
            3,
            work,
            Work {
                run: &mut peer,
                units: 1,
            },
        )
        .unwrap();
        assert_eq!(order.into_inner(), "opoppoop");

        let mut fine = || Ok(());
        let mut broken = || Err("broken".to_owned());
        let work = Work {
            run: &mut fine,
            units: 1,
        };
        let failed = interleaved(
            1,
            work,
            Work {
                run: &mut broken,
                units: 1,
            },
        );
        assert_eq!(failed.unwrap_err(), "broken");
    }
}
