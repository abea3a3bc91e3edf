//! How many clients can have been drawn when the last one is asked about a candidate.
//!
//! The test of a candidate pays for clients being drawn without replacement
//! ([`crate::decide::sequential`]), the more the more were drawn before. So it must be known before a
//! length is begun how many that can be, whatever is answered: no block may have more than its part of
//! a phase's clients.

use crate::campaign::Campaign;

/// A block has at most one in so many of a phase's clients, so that it is known beforehand how many
/// clients can have been drawn when the last one is asked about a candidate.
pub(super) const BLOCKS: usize = 4;

/// The number of clients of the rounds so far is expected to within so many standard deviations.
const DEVIATIONS: f64 = 6.0;

/// The share of the heaviest.
pub(super) fn heaviest(weights: &[f64]) -> f64 {
    let heaviest = weights.iter().copied().fold(0.0, f64::max);
    heaviest / weights.iter().sum::<f64>()
}

/// Adds the first fragments of the universe that are not there yet, until there are `least`.
pub(super) fn fill(codes: &mut Vec<u32>, length: usize, locations: u32, least: usize) {
    let mut next = vec![0; length];
    while codes.len() / length < least {
        if !codes.chunks_exact(length).any(|known| known == next) {
            codes.extend_from_slice(&next);
        }
        let Some(at) = next.iter().rposition(|&code| code + 1 < locations) else {
            return;
        };
        next[at] += 1;
        next[at + 1..].fill(0);
    }
}

/// How many clients at most have been drawn, in this and all earlier rounds, when the last client is
/// asked about a candidate of this length: those of all rounds before the last of this length, and of
/// the blocks with that candidate in the last: one, or two where the last question of so many
/// `candidates` has to be filled with some that stand in another. A client is in such a round or block
/// by a coin of its own.
pub(super) fn drawn_at_most(
    campaign: &Campaign,
    length: usize,
    candidates: usize,
    in_block: usize,
) -> u64 {
    let (schedule, population) = (campaign.schedule(), campaign.parameters().population);
    let upto = (0..schedule.rounds())
        .take_while(|&round| schedule.slot(round).length as usize <= length)
        .count();
    let expected = |rounds: std::ops::Range<usize>| -> f64 {
        rounds
            .map(|round| schedule.expected(round, population))
            .sum()
    };
    let last = upto.saturating_sub(1);
    let twice = match candidates.is_multiple_of(in_block) {
        true => 1.0,
        false => 2.0,
    };
    let blocks = candidates.div_ceil(in_block).clamp(1, BLOCKS);
    let part = (twice / blocks as f64).min(1.0);
    let drawn = expected(0..last) + expected(last..upto) * part;
    let share = (drawn / population as f64).min(1.0);
    let margin = DEVIATIONS * (drawn * (1.0 - share)).sqrt();
    ((drawn + margin).ceil() as u64).min(population)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Parameters;

    #[test]
    fn fillers_are_the_first_that_are_not_there() {
        let mut codes = vec![0, 1, 1, 1];
        fill(&mut codes, 2, 2, 4);
        assert_eq!(codes, [0, 1, 1, 1, 0, 0, 1, 0]);
        fill(&mut codes, 2, 2, 9);
        assert_eq!(codes.len(), 8, "there are no more");
        let mut enough = vec![5, 6, 7];
        fill(&mut enough, 1, 9, 3);
        assert_eq!(enough, [5, 6, 7]);
    }

    #[test]
    fn clients_drawn_before_the_last_answer_are_counted() {
        let epsilon = "2".parse().unwrap();
        let mut parameters = Parameters::repaired(9, 2, 1_000_000, 10_000, epsilon);
        parameters.shares = vec![vec![0.1, 0.1], vec![0.2, 0.4]];
        let campaign = Campaign::new(parameters).unwrap();
        // The last phase of a length, but for one block of it, and six deviations of 331, 500, 490.
        assert_eq!(drawn_at_most(&campaign, 1, 9, 1), 125_000 + 1_985);
        assert_eq!(drawn_at_most(&campaign, 2, 9, 1), 500_000 + 3_000);
        assert_eq!(drawn_at_most(&campaign, 2, 2, 1), 600_000 + 2_940);
        // Questions of two: the third has one candidate of another.
        assert_eq!(drawn_at_most(&campaign, 2, 6, 2), 533_333 + 2_994);
        assert_eq!(drawn_at_most(&campaign, 2, 5, 2), 666_667 + 2_829);
        assert!(drawn_at_most(&campaign, 2, 1, 1) >= 800_000);
    }
}
