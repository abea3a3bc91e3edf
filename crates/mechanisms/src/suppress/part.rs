//! The best part of a record that holds none of some sets of places in full.
//!
//! The sets are those of violating sequences. Taking out one place of each is the problem of the
//! hitting set; records are short, so that branching on the place that is in most of the sets ends
//! soon. A place is left out or kept; a branch is given up when it cannot be better than the best
//! known. Work is bounded: after [`MOST_LOOKS`] the best that was found is taken, and records of more
//! than [`BITS`] places take the first that is found.

use std::cmp::Reverse;

/// Places that a set in one word can have.
const BITS: usize = u64::BITS as usize;
/// How many sets and sequences are looked at before the best known is taken.
const MOST_LOOKS: usize = 1 << 18;

/// What is chosen from, and by what.
pub(super) struct Choice<'a> {
    /// How many places the record has.
    pub(super) length: usize,
    /// The sets of which one place each must go, places rising; none is empty.
    pub(super) violating: &'a [Vec<usize>],
    /// What a part holds that is worth more than its number of places; no part holds more than the
    /// whole.
    pub(super) held: &'a dyn Fn(&[usize]) -> u32,
    /// Decides between parts that hold as much and are as long.
    pub(super) preference: &'a dyn Fn(&[usize]) -> Preference,
    /// How many sequences that looks at.
    pub(super) looks: usize,
}

/// By how many others a part is shared, and what is against keeping it.
pub(super) type Preference = (u32, Reverse<u64>);

/// The places that are kept, rising.
pub(super) fn best_part(choice: &Choice<'_>) -> Vec<usize> {
    if choice.length > BITS {
        return first_part(choice);
    }
    let bits = |set: &Vec<usize>| set.iter().fold(0, |bits, place| bits | 1 << place);
    let mut search = Search {
        choice,
        sets: choice.violating.iter().map(bits).collect(),
        best: None,
        looks: 0,
    };
    search.branch(0, 0);
    let part = search.best.map_or(0, |best| best.part);
    places(part)
}

fn places(mut bits: u64) -> Vec<usize> {
    let mut places = Vec::with_capacity(bits.count_ones() as usize);
    while bits != 0 {
        places.push(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
    places
}

#[derive(Clone, Copy)]
struct Best {
    held: u32,
    preference: Preference,
    part: u64,
}

struct Search<'a> {
    choice: &'a Choice<'a>,
    sets: Vec<u64>,
    best: Option<Best>,
    looks: usize,
}

impl Search<'_> {
    /// Goes on from places that are kept and places that are left out.
    fn branch(&mut self, kept: u64, mut left_out: u64) {
        if self.best.is_some() && self.looks > MOST_LOOKS {
            return;
        }
        // A set with one place that is not kept must lose that.
        loop {
            let before = left_out;
            for &set in &self.sets {
                let open = set & !kept;
                if set & left_out == 0 && open & open.wrapping_sub(1) == 0 {
                    if open == 0 {
                        return;
                    }
                    left_out |= open;
                }
            }
            self.looks += self.sets.len() + self.choice.length;
            if left_out == before {
                break;
            }
        }
        // Sets that share no place lose one each.
        let (mut apart, mut losses) = (0_u64, 0);
        let mut degrees = [0_u32; BITS];
        for &set in self.sets.iter().filter(|&set| set & left_out == 0) {
            let open = set & !kept;
            if open & apart == 0 {
                apart |= open;
                losses += 1;
            }
            for place in places(open) {
                degrees[place] += 1;
            }
        }
        let all = u64::MAX >> (BITS - self.choice.length.max(1));
        let part = all & !left_out;
        let held = (self.choice.held)(&places(part));
        if let Some(best) = &self.best
            && (held, part.count_ones() - losses) < (best.held, best.part.count_ones())
        {
            return;
        }
        if losses == 0 {
            return self.offer(held, part);
        }
        let most = (0..BITS).rev().max_by_key(|&place| degrees[place]);
        if let Some(place) = most {
            self.branch(kept, left_out | 1 << place);
            self.branch(kept | 1 << place, left_out);
        }
    }

    fn offer(&mut self, held: u32, part: u64) {
        self.looks += self.choice.looks;
        let offered = Best {
            held,
            preference: (self.choice.preference)(&places(part)),
            part,
        };
        let value = |best: &Best| (best.held, best.part.count_ones(), best.preference);
        if self.best.is_none_or(|best| value(&offered) > value(&best)) {
            self.best = Some(offered);
        }
    }
}

/// Leaves out the place that is in most of the sets, again and again, then puts back what can be.
fn first_part(choice: &Choice<'_>) -> Vec<usize> {
    let mut left_out = Vec::new();
    let mut degrees = vec![0_u32; choice.length];
    let mut open: Vec<&Vec<usize>> = choice.violating.iter().collect();
    while !open.is_empty() {
        degrees.fill(0);
        for &place in open.iter().copied().flatten() {
            degrees[place] += 1;
        }
        let Some(most) = (0..choice.length).rev().max_by_key(|&place| degrees[place]) else {
            break;
        };
        open.retain(|set| !set.contains(&most));
        left_out.push(most);
    }
    for place in left_out.clone() {
        let others = |other: &usize| *other != place && left_out.contains(other);
        if choice.violating.iter().all(|set| set.iter().any(others)) {
            left_out.retain(|&other| other != place);
        }
    }
    (0..choice.length)
        .filter(|place| !left_out.contains(place))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any made-up worth will do, so long as parts hold no more than the whole.
    fn held(part: &[usize]) -> u32 {
        let pairs = [(0, 3), (1, 4), (2, 5)];
        let holds = |&(a, b): &(usize, usize)| part.contains(&a) && part.contains(&b);
        pairs.iter().filter(|&pair| holds(pair)).count() as u32
    }

    fn preference(part: &[usize]) -> Preference {
        let blame = part.iter().map(|&place| place as u64);
        (u32::from(part.contains(&1)), Reverse(blame.sum()))
    }

    fn holds_none(part: &[usize], violating: &[Vec<usize>]) -> bool {
        let all = |set: &Vec<usize>| set.iter().all(|place| part.contains(place));
        !violating.iter().any(all)
    }

    fn sets(length: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
        let set = proptest::collection::btree_set(0..length, 1..=3.min(length));
        let set = set.prop_map(|set| set.into_iter().collect::<Vec<usize>>());
        proptest::collection::vec(set, 1..12)
    }

    proptest! {
        #[test]
        fn no_other_part_is_better((length, violating) in (1..10_usize).prop_flat_map(|length| {
            (Just(length), sets(length))
        })) {
            let choice = Choice {
                length,
                violating: &violating,
                held: &held,
                preference: &preference,
                looks: 1,
            };
            let value = |part: &[usize]| (held(part), part.len(), preference(part));
            let part = best_part(&choice);
            prop_assert!(holds_none(&part, &violating));
            for bits in 0..1_u64 << length {
                let other = places(bits);
                if holds_none(&other, &violating) {
                    prop_assert!(value(&other) <= value(&part), "{other:?} {part:?}");
                }
            }
        }

        #[test]
        fn long_records_lose_what_they_must_and_nothing_that_could_be_put_back(
            violating in sets(150)
        ) {
            let choice = Choice {
                length: 150,
                violating: &violating,
                held: &held,
                preference: &preference,
                looks: 1,
            };
            let part = best_part(&choice);
            prop_assert!(holds_none(&part, &violating));
            for place in (0..150).filter(|place| !part.contains(place)) {
                let more: Vec<usize> = part.iter().copied().chain([place]).collect();
                prop_assert!(!holds_none(&more, &violating), "{place} could be put back");
            }
        }
    }

    #[test]
    fn work_is_bounded_where_every_pair_of_many_places_violates() {
        let violating: Vec<Vec<usize>> = (0..BITS)
            .flat_map(|a| (a + 1..BITS).map(move |b| vec![a, b]))
            .collect();
        let choice = Choice {
            length: BITS,
            violating: &violating,
            held: &|_| 0,
            preference: &preference,
            looks: 1,
        };
        assert_eq!(best_part(&choice).len(), 1);
    }
}
