//! `hidden-visit`: where was a person on an occasion that the attacker does not know?
//!
//! **Attacker.** One visit of the victim, drawn at random, is withheld. Of the others 4
//! (`typical_points`) are known, or all where these are fewer.
//!
//! - Untimed: the attacker asks for the visit right after a known one. That one is the first of the
//!   known visits; the others are drawn at random. Where the hidden visit is the first of the
//!   record, the attacker knows that, and all known visits are drawn. A record answers if it has the
//!   known visits up to the one before the hidden one, as early as they can be, then some visit, the
//!   answer, and after it the other known visits. Each record has one vote.
//! - Timed: the attacker asks for a location in the hidden visit's bin; the known visits are drawn
//!   at random. A record answers with every visit in that bin beside the known ones.
//!
//! The answer with the most votes is the guess; of several the location of the smallest code. Where
//! no record answers, known visits are left out, the last first. At last the most frequent first
//! location, or location in that bin, is taken, and then the most frequent of all locations.
//! Victims have at least two visits.
//!
//! **Success.** It is the hidden visit's location.

use std::num::NonZeroU64;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Progress, Result};
use wayveil_noise::{Stream, below};

use super::matching::{Crowd, bin_of, contains, location_of};
use super::trials::{Trials, Victim, reveal};
use super::votes::{Votes, guess};
use super::{Attack, AttackSettings, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "hidden-visit",
    about: "infers a withheld visit from a few known ones",
    question: Question::Inference,
    definition: "One random visit of the victim (two or more visits) is withheld; 4 others are known, \
                 or all. Untimed, the visit before it is one of them, and the guess is what most \
                 often follows it in published records with the known visits; timed, it is the most \
                 frequent location in the hidden visit's bin, beside the known visits, of records \
                 that have them. Without such records fewer points are used. Success: the right \
                 location.",
    source: "the inference question of Opinion 05/2014; after next-place prediction, Song et al. (2010)",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let (points, timed) = (settings.typical_points, scene.people.sequences.is_timed());
    let trials = Trials {
        scene,
        settings,
        progress,
        name: ATTACK.name,
        nobody: "nobody has two visits, one to know and one to ask for",
    };
    let tried = trials.make(
        |visits| visits.len() >= 2,
        |victim, random| Asked::draw(victim, points, timed, random),
        |published, victims| {
            let crowd = Crowd::new(&published.sequences)?;
            let overall = Overall::of(&crowd);
            let right = |asked: &&Asked| {
                let answer = inferred(asked, &crowd).or_else(|| overall.guess(asked, timed));
                answer == Some(asked.location())
            };
            Ok(victims.par_iter().map(right).collect())
        },
    )?;
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| Outcome::Found(vec![tried.found("", |_, &right| Some(right))]),
    ))
}

/// A victim and the position of the visit that is asked for.
struct Asked {
    victim: Victim,
    hidden: usize,
}

impl Asked {
    fn location(&self) -> u32 {
        location_of(self.victim.record[self.hidden])
    }

    /// Draws the hidden visit and the known ones.
    fn draw(mut victim: Victim, points: usize, timed: bool, random: &mut Stream) -> Self {
        let visits = victim.record.len();
        let hidden = NonZeroU64::new(visits as u64).map_or(0, |visits| below(visits, random));
        let hidden = hidden as usize;
        let before = (!timed && hidden > 0).then(|| hidden - 1);
        let others = (0..visits).filter(|&at| at != hidden && Some(at) != before);
        let drawn = points - usize::from(before.is_some());
        let drawn = reveal(others.collect(), drawn, random);
        victim.revealed = before.into_iter().chain(drawn).collect();
        Self { victim, hidden }
    }
}

/// The answer of records that have a known point.
fn inferred(asked: &Asked, crowd: &Crowd) -> Option<u32> {
    let victim = &asked.victim;
    let levels = crowd.narrow(&victim.record, &victim.revealed);
    // The known symbols before and after the hidden visit, for each number of points.
    let known: Vec<(Vec<u32>, Vec<u32>)> = (1..=levels.len())
        .map(|points| {
            let (before, after): (Vec<usize>, Vec<usize>) =
                (victim.known(points).iter()).partition(|&&at| at < asked.hidden);
            let symbol = |at: usize| crowd.symbol(victim.record[at]);
            let symbols = |at: Vec<usize>| at.into_iter().filter_map(symbol).collect();
            (symbols(before), symbols(after))
        })
        .collect();
    let bin = bin_of(victim.record[asked.hidden]);
    guess(&levels, |points, form, votes| {
        let (before, after) = &known[points - 1];
        let symbols = crowd.symbols_of(form);
        let mut vote = |symbol| {
            votes.add(location_of(crowd.key_of(symbol)), crowd.count(form));
        };
        if crowd.is_timed() {
            let known = before.iter().chain(after);
            let left = left_over(symbols, known.copied());
            left.filter(|&symbol| bin_of(crowd.key_of(symbol)) == bin)
                .for_each(vote);
        } else if let Some(next) = next_visit(symbols, before, after) {
            vote(next);
        }
    })
}

/// What comes right after `before`, as early as that can be, with `after` still to follow.
fn next_visit(symbols: &[u32], before: &[u32], after: &[u32]) -> Option<u32> {
    let mut rest = symbols.iter();
    if !(before.iter()).all(|known| rest.any(|here| here == known)) {
        return None;
    }
    let next = *rest.next()?;
    contains(rest.as_slice(), after.iter().copied()).then_some(next)
}

/// The symbols of a sorted record that are not needed for the known ones.
fn left_over(symbols: &[u32], known: impl IntoIterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut known = known.into_iter().peekable();
    (symbols.iter().copied()).filter(move |&symbol| known.next_if_eq(&symbol).is_none())
}

/// What is known about everyone, for victims of whom no known point helps.
struct Overall {
    first: Option<u32>,
    in_bin: FxHashMap<u32, Option<u32>>,
    anywhere: Option<u32>,
}

impl Overall {
    fn of(crowd: &Crowd) -> Self {
        let (mut first, mut anywhere) = (Votes::new(), Votes::new());
        let mut in_bin: FxHashMap<u32, Votes<u32>> = FxHashMap::default();
        for form in 0..crowd.forms() {
            let people = crowd.count(form);
            for (at, visit) in crowd.visits_of(form).enumerate() {
                let (location, bin) = (location_of(visit), bin_of(visit));
                if at == 0 {
                    first.add(location, people);
                }
                anywhere.add(location, people);
                if crowd.is_timed() {
                    let votes = in_bin.entry(bin).or_insert_with(Votes::new);
                    votes.add(location, people);
                }
            }
        }
        let in_bin = in_bin.into_iter();
        Self {
            first: first.winner(),
            in_bin: in_bin.map(|(bin, votes)| (bin, votes.winner())).collect(),
            anywhere: anywhere.winner(),
        }
    }

    fn guess(&self, asked: &Asked, timed: bool) -> Option<u32> {
        let narrow = if timed {
            let bin = bin_of(asked.victim.record[asked.hidden]);
            self.in_bin.get(&bin).copied().flatten()
        } else if asked.hidden == 0 {
            self.first
        } else {
            None
        };
        narrow.or(self.anywhere)
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::{RandomSource, Sequences};

    use super::super::People;
    use super::super::matching::{Key, key};
    use super::super::testing::{
        attack, every_subset, found, random_records, successes, victims_of,
    };
    use super::super::trials::visits;
    use super::*;

    fn ask(
        published: &Sequences,
        record: &[Key],
        revealed: &[usize],
        hidden: usize,
    ) -> Option<u32> {
        let crowd = Crowd::new(published).unwrap();
        let asked = Asked {
            victim: Victim {
                outsider: false,
                person: 0,
                record: record.to_vec(),
                revealed: revealed.to_vec(),
            },
            hidden,
        };
        inferred(&asked, &crowd).or_else(|| Overall::of(&crowd).guess(&asked, crowd.is_timed()))
    }

    fn all_asked(records: &Sequences, seed: u64) -> impl Iterator<Item = Asked> {
        let mut random = RandomSource::insecure_seed(seed).stream();
        let timed = records.is_timed();
        let victims = victims_of(records).into_iter();
        victims
            .filter(|victim| victim.record.len() >= 2)
            .map(move |victim| Asked::draw(victim, 4, timed, &mut random))
    }

    #[test]
    fn what_follows_the_known_visit_is_guessed() {
        let published = Sequences::from_codes([
            vec![1, 2, 3],
            vec![1, 2, 3],
            vec![1, 9, 3],
            vec![1, 3],
            vec![9, 4],
            vec![9, 4],
        ]);
        // 1, then what?, then 3: twice 2, once 9; 1-3 has nothing between.
        assert_eq!(ask(&published, &[1, 9, 3], &[0, 2], 1), Some(2));
        // 9, then what? 4 twice, 3 once.
        assert_eq!(ask(&published, &[9, 3], &[0], 1), Some(4));
        // First, with 3 to follow: 1 before 3 four times. Alone: 1 of four, 9 of two.
        assert_eq!(ask(&published, &[8, 3], &[1], 0), Some(1));
        assert_eq!(ask(&published, &[8, 7], &[1], 0), Some(1));
        // 4 is never followed by anything: the most visited place is 1 or 3, four times.
        assert_eq!(ask(&published, &[4, 9], &[0], 1), Some(1));
        // 2 is known too but never with 9 in front: it is left out.
        assert_eq!(ask(&published, &[9, 3, 2], &[0, 2], 1), Some(4));
    }

    #[test]
    fn in_timed_data_the_bin_is_asked_for() {
        let published = Sequences::new(
            vec![0, 2, 4, 6, 7],
            vec![1, 5, 1, 6, 1, 6, 5],
            Some(vec![0, 3, 0, 3, 0, 4, 3]),
        )
        .unwrap();
        // With location 1 in bin 0: 5 and 6 in bin 3, a tie; everyone: 5 twice.
        assert_eq!(ask(&published, &[key(0, 1), key(3, 6)], &[0], 1), Some(5));
        assert_eq!(ask(&published, &[key(0, 1), key(4, 9)], &[0], 1), Some(6));
        assert_eq!(ask(&published, &[key(0, 8), key(3, 9)], &[0], 1), Some(5));
        assert_eq!(ask(&published, &[key(0, 8), key(9, 9)], &[0], 1), Some(1));
        // A known visit is no answer: who has 5 in bin 3 once has nothing else there.
        assert_eq!(ask(&published, &[key(3, 5), key(3, 6)], &[0], 1), Some(5));
        let twice = Sequences::new(vec![0, 2, 3], vec![5, 7, 5], Some(vec![3, 3, 3])).unwrap();
        assert_eq!(ask(&twice, &[key(3, 5), key(3, 6)], &[0], 1), Some(7));
    }

    #[test]
    fn the_only_record_of_its_kind_gives_the_visit_away() {
        let raw = Sequences::from_codes((0..30u32).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]));
        let people = People::bare(raw);
        let result = found(attack(
            &ATTACK,
            &people,
            &people,
            &AttackSettings::default(),
        ));
        assert_eq!(successes(&result), [("", 30, 30)]);
        let crowd = People::bare(Sequences::from_codes(vec![[1, 2, 3]; 5]));
        let result = found(attack(&ATTACK, &crowd, &crowd, &AttackSettings::default()));
        assert_eq!(successes(&result), [("", 5, 5)]);
    }

    #[test]
    fn hidden_and_known_visits_are_apart() {
        let raw = random_records(3, 40, 6, 4, None);
        for asked in all_asked(&raw, 1) {
            let (hidden, known) = (asked.hidden, &asked.victim.revealed);
            assert!(!known.contains(&hidden));
            assert_eq!(known.len(), 4.min(asked.victim.record.len() - 1));
            assert!(hidden == 0 || known[0] == hidden - 1);
        }
    }

    /// The votes of one record, by trying everything.
    fn votes_of(other: &[Key], asked: &Asked, points: usize, timed: bool) -> Vec<u32> {
        let (record, hidden) = (&asked.victim.record, asked.hidden);
        let known = asked.victim.known(points);
        if timed {
            let mut left = other.to_vec();
            for at in known {
                match left.iter().position(|&it| it == record[at]) {
                    Some(found) => left.swap_remove(found),
                    None => return vec![],
                };
            }
            left.retain(|&it| bin_of(it) == bin_of(record[hidden]));
            return left.into_iter().map(location_of).collect();
        }
        let visits = |part: &[usize]| part.iter().map(|&at| record[at]).collect::<Vec<_>>();
        let (before, after) = known.split_at(known.partition_point(|&at| at < hidden));
        let (before, after) = (visits(before), visits(after));
        let positions: Vec<usize> = (0..other.len()).collect();
        let earliest = every_subset(&positions)
            .filter(|some| some.iter().map(|&at| other[at]).eq(before.iter().copied()))
            .min();
        let next = earliest.map(|some| some.last().map_or(0, |last| last + 1));
        match next {
            Some(next) if next < other.len() => every_subset(&other[next + 1..])
                .any(|some| some == after)
                .then(|| location_of(other[next]))
                .into_iter()
                .collect(),
            _ => vec![],
        }
    }

    #[test]
    fn the_answer_is_what_a_search_of_every_record_finds() {
        for seed in 0..200 {
            let timed = seed % 2 == 0;
            let records = |seed| random_records(seed, 10, 6, 3, timed.then_some(3));
            let published = records(seed + 5000);
            let crowd = Crowd::new(&published).unwrap();
            for asked in all_asked(&records(seed), seed) {
                let searched = (1..=asked.victim.revealed.len()).rev().find_map(|points| {
                    let mut votes = std::collections::BTreeMap::new();
                    for person in 0..published.len() {
                        let other = visits(&published, person);
                        for location in votes_of(&other, &asked, points, timed) {
                            *votes.entry(location).or_insert(0) += 1;
                        }
                    }
                    let most = votes.values().copied().max()?;
                    votes.into_iter().find(|it| it.1 == most).map(|it| it.0)
                });
                assert_eq!(inferred(&asked, &crowd), searched, "seed {seed}");
            }
        }
    }
}
