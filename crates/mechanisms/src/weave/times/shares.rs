//! The budget of timed data: what untimed data would spend, scaled down, and the rest for time.

use super::super::features::Kind;
use super::super::shares::{PARTS, TOTAL};
use super::Times;

/// The groups that tell of time, in the order in which they are measured, with their shares in thousandths.
const TIMED: [(Kind, u64); 5] = [
    (Kind::Start, 20),
    (Kind::Span, 40),
    (Kind::Gap, 120),
    (Kind::When, 120),
    (Kind::Move, 150),
];

/// Shares for this resolution of time, from those of untimed data; with the total's they are all of the budget.
/// Where nothing can be told of time they stay as they are.
pub(in super::super) fn shares(untimed: &[(Kind, u64)], times: &Times) -> Vec<(Kind, u64)> {
    let timed = times.told();
    if timed.is_empty() {
        return untimed.to_vec();
    }
    let left = PARTS - TOTAL - timed.iter().map(|(_, share)| share).sum::<u64>();
    // Lengths keep theirs: noise that looks like a few very long records would spoil every count.
    let scaled = |&(kind, share): &(Kind, u64)| match kind {
        Kind::Length => (kind, share),
        _ => (kind, (share * left / (PARTS - TOTAL)).max(1)),
    };
    let mut all: Vec<(Kind, u64)> = untimed.iter().map(scaled).collect();
    // What rounding left over goes to the largest share, which also gives where shares were raised to one.
    let spent: u64 = all.iter().map(|(_, share)| share).sum();
    if let Some((_, largest)) = all.iter_mut().max_by_key(|(_, share)| *share) {
        *largest = (*largest + left).saturating_sub(spent);
    }
    all.extend(timed);
    all
}

impl Times {
    /// The groups that tell of time at this resolution, with their shares: none on an axis of one bin, and no
    /// steps by time where there are too many of them.
    fn told(&self) -> Vec<(Kind, u64)> {
        let told = |kind: Kind| self.bins > 1 && (kind != Kind::Move || self.moves > 1);
        TIMED.into_iter().filter(|(kind, _)| told(*kind)).collect()
    }

    /// How many groups those are.
    pub(in super::super) fn groups(&self) -> usize {
        self.told().len()
    }

    /// What a manifest says of time.
    pub(in super::super) fn limits(&self) -> Vec<String> {
        if self.bins == 1 {
            return Vec::new();
        }
        let mut limits = vec![
            "A record that goes back in time is cut there.".to_owned(),
            "Times are drawn from noisy counts of first and last bins, of gaps between visits and of \
             locations in bins; what else times have to do with each other is guessed."
                .to_owned(),
        ];
        if self.when < self.bins {
            limits.push(format!(
                "Locations are told apart by time in {} equal parts of the axis; within a part, bins \
                 are guessed.",
                self.when
            ));
        }
        if self.moves < self.bins {
            let steps = match self.moves {
                1 => "not told apart by time".to_owned(),
                parts => format!("told apart by time in {parts} equal parts of the axis"),
            };
            limits.push(format!("Steps between locations are {steps}."));
        }
        limits
    }
}
