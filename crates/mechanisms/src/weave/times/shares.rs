//! The budget of timed data: what untimed data would spend, scaled down, and the rest for time.

use super::super::features::Kind;
use super::super::shares::{PARTS, TOTAL};
use super::Times;

/// The groups that tell of time, in the order in which they are measured, with their shares in thousandths.
const TIMED: [(Kind, u64); 4] = [
    (Kind::Start, 20),
    (Kind::Gap, 60),
    (Kind::When, 120),
    (Kind::Move, 150),
];

/// Shares for this resolution of time, from those of untimed data; with the total's they are all of the budget.
/// Where nothing can be told of time they stay as they are.
pub(in super::super) fn shares(untimed: &[(Kind, u64)], times: &Times) -> Vec<(Kind, u64)> {
    if !times.pass() {
        return untimed.to_vec();
    }
    let told = |kind: Kind| kind != Kind::Move || times.moves_pass();
    let timed: Vec<(Kind, u64)> = TIMED.into_iter().filter(|(kind, _)| told(*kind)).collect();
    let left = PARTS - TOTAL - timed.iter().map(|(_, share)| share).sum::<u64>();
    let scaled = |&(kind, share): &(Kind, u64)| (kind, (share * left / (PARTS - TOTAL)).max(1));
    let mut all: Vec<(Kind, u64)> = untimed.iter().map(scaled).collect();
    // What rounding left over goes to the largest share, which also gives where shares were raised to one.
    let spent: u64 = all.iter().map(|(_, share)| share).sum();
    if let Some((_, largest)) = all.iter_mut().max_by_key(|(_, share)| *share) {
        *largest = (*largest + left).saturating_sub(spent);
    }
    all.extend(timed);
    all
}
