//! The most frequent answer among those who match.

use std::cmp::Reverse;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// How often each answer was given.
#[derive(Clone, Debug)]
pub(super) struct Votes<T>(FxHashMap<T, u64>);

impl<T: Copy + Ord + Hash> Votes<T> {
    /// No votes.
    pub(super) fn new() -> Self {
        Self(FxHashMap::default())
    }

    /// So many votes for an answer.
    pub(super) fn add(&mut self, answer: T, votes: usize) {
        if votes > 0 {
            *self.0.entry(answer).or_default() += votes as u64;
        }
    }

    /// The answer with the most votes; of several, the smallest.
    pub(super) fn winner(&self) -> Option<T> {
        let votes = self
            .0
            .iter()
            .map(|(&answer, &votes)| (votes, Reverse(answer)));
        votes.max().map(|(_, Reverse(answer))| answer)
    }
}

/// Asks those who match the most known points, then those who match fewer, until someone answers.
/// `vote` is given the number of points that a form matches, and the form.
pub(super) fn guess<T: Copy + Ord + Hash>(
    levels: &[Vec<u32>],
    mut vote: impl FnMut(usize, u32, &mut Votes<T>),
) -> Option<T> {
    levels.iter().enumerate().rev().find_map(|(at, forms)| {
        let mut votes = Votes::new();
        for &form in forms {
            vote(at + 1, form, &mut votes);
        }
        votes.winner()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_votes_win_and_the_smallest_of_equals() {
        let mut votes = Votes::new();
        assert_eq!(votes.winner(), None);
        for (answer, count) in [(7, 2), (3, 1), (3, 1), (9, 0), (1, 1)] {
            votes.add(answer, count);
        }
        assert_eq!(votes.winner(), Some(3));
    }

    #[test]
    fn fewer_points_are_asked_only_where_more_have_no_answer() {
        let levels = [vec![1, 2, 3], vec![1, 2], vec![1]];
        let mut asked = Vec::new();
        let answer = guess(&levels, |points, form, votes| {
            asked.push((points, form));
            votes.add(form, usize::from(form == 2));
        });
        assert_eq!(answer, Some(2));
        assert_eq!(asked, [(3, 1), (2, 1), (2, 2)]);
        assert_eq!(guess::<u32>(&[], |_, _, _| ()), None);
    }
}
