//! `linkage`: can another source with names be joined to the release?
//!
//! **Attacker.** Has, from elsewhere, a random half of the victim's visits (rounded down, at least
//! one) under the victim's name. Links them to the whole record that most published records with
//! these visits have; of several to the first in the order of codes (timed: of bins and codes).
//! Where no record has them all, visits are left out, the last drawn first, until some record has the
//! rest; where none is left, the most frequent record of all is taken. Victims have at least two
//! visits.
//!
//! The curve `points-p` is the same with p known visits. Victims are those of them with more than p
//! visits, so that there is always something to disclose; its tries become fewer.
//!
//! **Success.** The linked record is the victim's whole record: the rest of it is disclosed.
//!
//! **Guesser.** Links to the records of everyone but the victim in the same way.

use std::cmp::Reverse;

use wayveil_core::{Progress, Result};

use super::matching::Side;
use super::stage::{Stage, Victim, reveal};
use super::{Attack, AttackSettings, Found, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "linkage",
    about: "joins a person's visits from another source to their published record",
    question: Question::Linkability,
    definition: "The attacker has a random half of the victim's visits (two or more, half rounded \
                 down) and links them to the most frequent whole record among the published ones \
                 that contain them; where none does, to one that contains fewer of them. Success: \
                 it is the victim's whole record. points-p is the same with p visits of victims \
                 who have more. Guesser: the same among the records of everyone but the victim.",
    source: "the linkability question of Opinion 05/2014; after the record linkage of Sweeney (2002)",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let stage = Stage::of(scene)?;
    let victims = victims(&stage, settings)?;
    if victims.is_empty() {
        let reason = "nobody has two visits, of which one could be disclosed";
        return Ok(Outcome::NotPossible(reason.into()));
    }
    let results = stage.each(&victims, (progress, ATTACK.name), |victim, side| {
        linked(victim, side, settings.points)
    });
    let half = (results.iter()).map(|(attacker, guesser)| (attacker.half, guesser.half));
    let mut found = vec![Found::paired("half", half)];
    for points in 1..=settings.points {
        let pairs = (victims.iter().zip(&results))
            .filter(|(victim, _)| victim.record.len() > points)
            .map(|(_, (attacker, guesser))| {
                (attacker.curve[points - 1], guesser.curve[points - 1])
            });
        found.push(Found::paired(format!("points-{points}"), pairs));
    }
    Ok(Outcome::Found(found))
}

fn half(victim: &Victim) -> usize {
    (victim.record.len() / 2).max(1)
}

fn victims(stage: &Stage, settings: &AttackSettings) -> Result<Vec<Victim>> {
    let truth = stage.truth();
    let drawn = stage.draw(settings, |form| truth.symbols_of(form).len() >= 2)?;
    let known = |(mut victim, mut random): (Victim, _)| {
        let positions = (0..victim.record.len()).collect();
        let most = half(&victim).max(settings.points);
        victim.revealed = reveal(positions, most, &mut random);
        victim
    };
    Ok(drawn.into_iter().map(known).collect())
}

/// Whether the linked record is the victim's.
#[derive(Debug, PartialEq)]
struct Linked {
    half: bool,
    curve: Vec<bool>,
}

fn linked(victim: &Victim, side: Side<'_>, points: usize) -> Linked {
    let levels = victim.levels(side);
    let own = side.crowd.form_of(&victim.record);
    let right = |form: Option<u32>| form.is_some() && form == own;
    let of_level = |forms: &Vec<u32>| right(most_frequent(side, forms.iter().copied()));
    let most = half(victim).max(points).min(levels.len());
    let right_at: Vec<bool> = levels[..most].iter().map(of_level).collect();
    let of_none = right_at.is_empty() && right(most_frequent(side, 0..side.crowd.forms()));
    let with = |points: usize| match points.min(right_at.len()) {
        0 => of_none,
        deepest => right_at[deepest - 1],
    };
    Linked {
        half: with(half(victim)),
        curve: (1..=points).map(with).collect(),
    }
}

/// The form that the most people have; of several, the first.
fn most_frequent(side: Side<'_>, forms: impl Iterator<Item = u32>) -> Option<u32> {
    (forms.map(|form| (side.count(form), Reverse(form))))
        .filter(|&(count, _)| count > 0)
        .max()
        .map(|(_, Reverse(form))| form)
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;

    use super::super::People;
    use super::super::testing::{attack, found, random_records, successes, without};
    use super::*;

    fn run_on(people: &Sequences, published: &Sequences, points: usize) -> Vec<Found> {
        let settings = AttackSettings {
            points,
            ..AttackSettings::default()
        };
        let (people, published) = (
            People::bare(people.clone()),
            People::bare(published.clone()),
        );
        found(attack(&ATTACK, &people, &published, &settings))
    }

    #[test]
    fn the_most_frequent_record_that_fits_is_taken() {
        // Everyone knows A or C of A-B-C: two do A-B-C, one does A-C-D.
        let raw = Sequences::from_codes([vec![0, 1, 2], vec![0, 1, 2], vec![0, 2, 3]]);
        let result = run_on(&raw, &raw, 3);
        let result = successes(&result);
        let names: Vec<&str> = result.iter().map(|it| it.0).collect();
        assert_eq!(names, ["half", "points-1", "points-2", "points-3"]);
        // Both of the two are always linked rightly; without one of them the other is left, but
        // with A or C known it is a tie, which the smaller record wins.
        assert!(result[0].1 == 3 && result[0].2 >= 2 && result[0].3 == 2);
        // Two known visits of the third: A-C is in both records, A-D and C-D in one only.
        assert_eq!(result[2].1, 3);
        assert_eq!(result[3].1, 0, "nobody has more than three visits");
    }

    #[test]
    fn nothing_in_common_links_to_the_most_frequent_record() {
        let raw = Sequences::from_codes([[5, 6], [8, 9]]);
        let published = Sequences::from_codes([[1, 2], [8, 9], [8, 9]]);
        let result = run_on(&raw, &published, 1);
        // The first victim is linked to 8-9, wrongly; the second rightly. Nobody else is like them.
        assert_eq!(
            successes(&result),
            [("half", 2, 1, 0), ("points-1", 2, 1, 0)]
        );
    }

    #[test]
    fn what_does_not_fit_is_left_out_from_the_last_drawn() {
        let published = Sequences::from_codes([[1, 2], [3, 4]]);
        let stage = Stage::new(&Sequences::from_codes([[1, 2, 3, 4]]), Some(&published)).unwrap();
        let victim = Victim {
            person: 0,
            record: vec![1, 2, 3, 4],
            revealed: vec![2, 1],
        };
        let levels = victim.levels(stage.attacker());
        assert_eq!(levels, [vec![1]], "3 is kept and 2 left out");
    }

    #[test]
    fn linking_is_what_a_search_of_every_record_finds() {
        for seed in 0..150 {
            let raw = random_records(seed, 12, 5, 3, (seed % 2 == 0).then_some(2));
            let published = random_records(seed + 1000, 12, 5, 3, (seed % 2 == 0).then_some(2));
            let stage = Stage::new(&raw, Some(&published)).unwrap();
            let settings = AttackSettings::default();
            for victim in victims(&stage, &settings).unwrap() {
                for side in [stage.attacker(), stage.guesser(victim.person)] {
                    let all: Vec<Vec<u64>> = (0..side.crowd.len())
                        .filter(|&it| Some(it) != side.exclude)
                        .map(|it| {
                            side.crowd
                                .visits_of(side.crowd.form_of_person(it))
                                .collect()
                        })
                        .collect();
                    let fits = |points: usize| {
                        let known = victim.known(points);
                        let fits = all.iter().filter(|other| {
                            let mut rest = other.iter();
                            known
                                .iter()
                                .all(|&at| rest.any(|it| *it == victim.record[at]))
                        });
                        fits.collect::<Vec<_>>()
                    };
                    let linked_by_search = |points: usize| {
                        let matching = (0..=points).rev().map(fits).find(|it| !it.is_empty())?;
                        let often =
                            |one: &Vec<u64>| matching.iter().filter(|it| **it == one).count();
                        let best = matching.iter().map(|it| often(it)).max()?;
                        let mut best = matching.iter().filter(|it| often(it) == best);
                        best.next().map(|first| *best.fold(first, |a, b| a.min(b)))
                    };
                    let right = |points| linked_by_search(points) == Some(&victim.record);
                    let linked = linked(&victim, side, 4);
                    assert_eq!(linked.half, right(half(&victim)), "{seed}");
                    let known = victim.revealed.len();
                    for points in 1..=4 {
                        assert_eq!(linked.curve[points - 1], right(points.min(known)), "{seed}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_attacker_without_the_victim_is_the_guesser() {
        for seed in 0..60 {
            let people = People::bare(random_records(seed, 12, 5, 3, None));
            for person in 0..people.len() {
                let others = without(&people, person);
                let stage = Stage::new(&people.sequences, Some(&others.sequences)).unwrap();
                for victim in victims(&stage, &AttackSettings::default()).unwrap() {
                    if victim.person == person {
                        let attacker = linked(&victim, stage.attacker(), 6);
                        assert_eq!(attacker, linked(&victim, stage.guesser(person), 6));
                    }
                }
            }
        }
    }
}
