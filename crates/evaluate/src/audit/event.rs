//! Events, and which of them tells two data sets apart best.

use super::distinguisher::Distinguisher;
use super::observation::{Observation, Origin};
use super::tally::{Histogram, Sides, Tally};

/// What must hold of a named integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Present,
    AtLeast(i64),
    AtMost(i64),
    Equals(i64),
}

/// Something that a run shows or does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    origin: Origin,
    name: String,
    holds: Holds,
    negated: bool,
}

impl Event {
    pub(super) fn occurs(&self, seen: &Observation) -> bool {
        let value = seen.value(self.origin, &self.name);
        let holds = match (self.holds, value) {
            (_, None) => false,
            (Holds::Present, Some(_)) => true,
            (Holds::AtLeast(least), Some(value)) => value >= least,
            (Holds::AtMost(most), Some(value)) => value <= most,
            (Holds::Equals(one), Some(value)) => value == one,
        };
        holds != self.negated
    }

    pub(super) fn needs_release(&self) -> bool {
        match self.origin {
            Origin::Transcript => false,
            Origin::Release => true,
            Origin::Distinguisher => Distinguisher::reads_release(&self.name),
        }
    }

    /// Where it is seen.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The event in words.
    pub fn in_words(&self) -> String {
        let name = &self.name;
        let held = match self.holds {
            Holds::Present => format!("there is: {name}"),
            Holds::AtLeast(least) => format!("{name} is at least {least}"),
            Holds::AtMost(most) => format!("{name} is at most {most}"),
            Holds::Equals(one) => format!("{name} is {one}"),
        };
        match (self.negated, self.holds) {
            (false, _) => held,
            (true, Holds::Present) => format!("there is no: {name}"),
            (true, _) => format!("not: {held}"),
        }
    }
}

/// Which data set an event is likelier on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Likelier without the extra owner, or before the replacement.
    Without,
    /// Likelier with the extra owner, or after the replacement.
    With,
}

/// An event with what the learning runs promise of it.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) event: Event,
    pub(super) promise: f64,
}

/// The event with the greatest promised bound in a direction, among all names of all tallies.
/// `delta` is the δ that is claimed; `z` is how many standard deviations the test's confidence
/// corresponds to.
pub(super) fn choose(
    tallies: &[(&Tally, &[Origin])],
    direction: Direction,
    delta: f64,
    z: f64,
) -> Option<Choice> {
    let mut best: Option<Choice> = None;
    for &(tally, origins) in tallies {
        for &origin in origins {
            // In the order of names, so that the first of equals is always the same.
            let mut names: Vec<_> = tally.parts[origin as usize].iter().collect();
            names.sort_unstable_by_key(|(name, _)| name.as_str());
            for (name, histogram) in names {
                candidates(histogram, |holds, hits| {
                    for negated in [false, true] {
                        let hits = match negated {
                            false => hits,
                            true => [0, 1].map(|side| tally.runs[side] - hits[side]),
                        };
                        let promise = promised(hits, tally.runs, direction, delta, z);
                        let better = |best: &Choice| {
                            let plainer = best.event.negated && !negated;
                            promise > best.promise || (promise == best.promise && plainer)
                        };
                        if best.as_ref().is_none_or(better) {
                            let name = name.clone();
                            let event = Event {
                                origin,
                                name,
                                holds,
                                negated,
                            };
                            best = Some(Choice { event, promise });
                        }
                    }
                });
            }
        }
    }
    best
}

/// Of a name with very many values, about so many thresholds are tried, and single values only
/// that are not rarer than that.
const FINENESS: u64 = 500;

/// The events of one name, with how often each occurred.
fn candidates(histogram: &Histogram, mut try_out: impl FnMut(Holds, Sides)) {
    try_out(Holds::Present, histogram.present);
    let enough = (histogram.present[0] + histogram.present[1]) / FINENESS;
    let mut up_to: Sides = [0, 0];
    let mut since = 0;
    for (&value, &counts) in &histogram.values {
        if counts[0] + counts[1] >= enough {
            try_out(Holds::Equals(value), counts);
        }
        since += counts[0] + counts[1];
        let tried = since >= enough;
        if tried {
            let from = [0, 1].map(|side| histogram.present[side] - up_to[side]);
            try_out(Holds::AtLeast(value), from);
            since = 0;
        }
        up_to = [up_to[0] + counts[0], up_to[1] + counts[1]];
        if tried {
            try_out(Holds::AtMost(value), up_to);
        }
    }
}

/// What a test would give if it went as the learning did, by Wilson's intervals: quick to compute,
/// and only used to choose. Where that is nothing, a negative number that grows with how clear the
/// difference is: a longer test may show it.
fn promised(hits: Sides, runs: Sides, direction: Direction, delta: f64, z: f64) -> f64 {
    let (likely, other) = match direction {
        Direction::Without => (0, 1),
        Direction::With => (1, 0),
    };
    let low = wilson(hits[likely], runs[likely], -z);
    let high = wilson(hits[other], runs[other], z);
    if low - delta > high {
        return ((low - delta) / high).ln();
    }
    let share = |side: usize| hits[side] as f64 / runs[side].max(1) as f64;
    let variance = |side: usize| share(side) * (1.0 - share(side)) / runs[side].max(1) as f64;
    let least = 1.0 / runs[other].max(1) as f64;
    let deviation = (variance(likely) + variance(other) + least * least).sqrt();
    -1.0 / (1.0 + ((share(likely) - delta - share(other)) / deviation).max(0.0))
}

fn wilson(hits: u64, runs: u64, z: f64) -> f64 {
    if runs == 0 {
        return if z < 0.0 { 0.0 } else { 1.0 };
    }
    let n = runs as f64;
    let share = hits as f64 / n;
    let z2 = z * z / n;
    let spread = z * (share * (1.0 - share) / n + z2 / (4.0 * n)).sqrt();
    ((share + z2 / 2.0 + spread) / (1.0 + z2)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(values: [&[(Option<i64>, u64)]; 2]) -> Tally {
        let mut tally = Tally::default();
        for (side, values) in values.into_iter().enumerate() {
            for &(value, count) in values {
                let mut seen = Observation::default();
                seen.parts[0] = value
                    .map(|value| ("x".to_owned(), value))
                    .into_iter()
                    .collect();
                (0..count).for_each(|_| tally.see(side, &seen));
            }
        }
        tally
    }

    fn chosen(tally: &Tally, direction: Direction) -> String {
        chosen_beside(tally, direction, 0.0)
    }

    fn chosen_beside(tally: &Tally, direction: Direction, delta: f64) -> String {
        let choice = choose(&[(tally, &[Origin::Transcript])], direction, delta, 2.0);
        choice.expect("some event").event.in_words()
    }

    #[test]
    fn the_sharpest_event_is_chosen() {
        let shifted = tally([
            &[(Some(1), 700), (Some(2), 200), (Some(3), 100)],
            &[(Some(1), 100), (Some(2), 200), (Some(3), 700)],
        ]);
        assert_eq!(chosen(&shifted, Direction::With), "x is 3");
        assert_eq!(chosen(&shifted, Direction::Without), "x is 1");
        let tail = tally([
            &[(Some(1), 700), (Some(2), 150), (Some(3), 150)],
            &[(Some(1), 100), (Some(2), 450), (Some(3), 450)],
        ]);
        assert_eq!(chosen(&tail, Direction::With), "x is at least 2");
        let present = tally([
            &[(None, 990), (Some(1), 5), (Some(2), 5)],
            &[(None, 400), (Some(1), 300), (Some(2), 300)],
        ]);
        assert_eq!(chosen(&present, Direction::With), "there is: x");
        assert_eq!(chosen(&present, Direction::Without), "there is no: x");
        // Too small a difference for a bound: the clearest one, not a trivial event.
        let small = tally([
            &[(Some(1), 520), (Some(2), 480), (Some(9), 1)],
            &[(Some(1), 480), (Some(2), 520)],
        ]);
        assert_eq!(chosen(&small, Direction::With), "x is 2");
        let single = tally([
            &[(Some(7), 1000)],
            &[(Some(7), 500), (Some(5), 250), (Some(9), 250)],
        ]);
        assert_eq!(chosen(&single, Direction::Without), "x is 7");
        assert_eq!(chosen(&single, Direction::With), "not: x is 7");
    }

    #[test]
    fn what_delta_allows_is_no_evidence() {
        // Value 9 occurs on one side only, and may; that 3 is three times likelier may not be.
        let tally = tally([
            &[(Some(1), 900), (Some(3), 100)],
            &[(Some(1), 650), (Some(3), 300), (Some(9), 50)],
        ]);
        assert_eq!(chosen_beside(&tally, Direction::With, 0.0), "x is 9");
        let beside = chosen_beside(&tally, Direction::With, 0.06);
        assert_eq!(beside, "x is at least 3");
    }

    #[test]
    fn events_occur_as_they_are_counted() {
        let runs = [(None, 3), (Some(-2), 2), (Some(0), 4), (Some(5), 1)];
        let tally = tally([&runs, &[]]);
        let mut tried = 0;
        candidates(&tally.parts[0]["x"], |holds, hits| {
            for negated in [false, true] {
                let name = "x".to_owned();
                let event = Event {
                    origin: Origin::Transcript,
                    name,
                    holds,
                    negated,
                };
                let occurs = runs.iter().filter(|(value, _)| {
                    let mut seen = Observation::default();
                    seen.parts[0] = value.map(|v| ("x".to_owned(), v)).into_iter().collect();
                    event.occurs(&seen)
                });
                let counted: u64 = occurs.map(|(_, count)| count).sum();
                let expected = if negated { 10 - hits[0] } else { hits[0] };
                assert_eq!(counted, expected, "{}", event.in_words());
                tried += 1;
            }
        });
        assert_eq!(tried, 2 * (1 + 3 * 3));
    }
}
