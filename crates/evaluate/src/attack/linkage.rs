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

use std::cmp::Reverse;

use rayon::prelude::*;
use wayveil_core::{Progress, Result};

use super::matching::Crowd;
use super::trials::{Trials, Victim};
use super::{Attack, AttackSettings, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "linkage",
    about: "joins a person's visits from another source to their published record",
    question: Question::Linkability,
    definition: "The attacker has a random half of the victim's visits (two or more, half rounded \
                 down) and links them to the most frequent whole record among the published ones \
                 that contain them; where none does, to one that contains fewer of them. Success: \
                 it is the victim's whole record. points-p is the same with p visits of victims \
                 who have more.",
    source: "the linkability question of Opinion 05/2014; after the record linkage of Sweeney (2002)",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let trials = Trials {
        scene,
        settings,
        progress,
        name: ATTACK.name,
        nobody: "nobody has two visits, of which one could be disclosed",
    };
    let tried = trials.make(
        |visits| visits.len() >= 2,
        |victim, random| {
            let most = half(&victim).max(settings.points);
            victim.reveal(most, random)
        },
        |published, victims| {
            let crowd = Crowd::new(&published.sequences)?;
            let overall = most_frequent(&crowd, 0..crowd.forms());
            let linked = |victim: &&Victim| linked(victim, &crowd, overall, settings.points);
            Ok(victims.par_iter().map(linked).collect())
        },
    )?;
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| {
            let mut found = vec![tried.found("half", |_, linked| Some(linked.half))];
            found.extend((1..=settings.points).map(|points| {
                tried.found(format!("points-{points}"), |victim, linked| {
                    (victim.record.len() > points).then(|| linked.curve[points - 1])
                })
            }));
            Outcome::Found(found)
        },
    ))
}

fn half(victim: &Victim) -> usize {
    (victim.record.len() / 2).max(1)
}

/// Whether the linked record is the victim's.
#[derive(Debug, PartialEq)]
struct Linked {
    half: bool,
    curve: Vec<bool>,
}

/// `overall` is the form that the most people have.
fn linked(victim: &Victim, crowd: &Crowd, overall: Option<u32>, points: usize) -> Linked {
    let levels = crowd.narrow(&victim.record, &victim.revealed);
    let own = crowd.form_of(&victim.record);
    let right = |form: Option<u32>| form.is_some() && form == own;
    let of_level = |forms: &Vec<u32>| right(most_frequent(crowd, forms.iter().copied()));
    let most = half(victim).max(points).min(levels.len());
    let right_at: Vec<bool> = levels[..most].iter().map(of_level).collect();
    let of_none = right_at.is_empty() && right(overall);
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
fn most_frequent(crowd: &Crowd, forms: impl Iterator<Item = u32>) -> Option<u32> {
    (forms.map(|form| (crowd.count(form), Reverse(form))))
        .max()
        .map(|(_, Reverse(form))| form)
}

#[cfg(test)]
mod tests {
    use wayveil_core::{RandomSource, Sequences};

    use super::super::testing::{attack, found, random_records, successes, victims_of};
    use super::super::trials::visits;
    use super::super::{Found, People};
    use super::*;

    fn run_on(people: &Sequences, published: &Sequences, points: usize) -> Vec<Found> {
        let settings = AttackSettings {
            points,
            typical_points: 1,
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
        // Both of the two are always linked rightly.
        assert!(result[0].1 == 3 && result[0].2 >= 2);
        // Two known visits of the third: A-C is in both records, A-D and C-D in one only.
        assert_eq!(result[2].1, 3);
        assert_eq!(result[3].1, 0, "nobody has more than three visits");
    }

    #[test]
    fn nothing_in_common_links_to_the_most_frequent_record() {
        let raw = Sequences::from_codes([[5, 6], [8, 9]]);
        let published = Sequences::from_codes([[1, 2], [8, 9], [8, 9]]);
        let result = run_on(&raw, &published, 1);
        // The first victim is linked to 8-9, wrongly; the second rightly.
        assert_eq!(successes(&result), [("half", 2, 1), ("points-1", 2, 1)]);
    }

    #[test]
    fn what_does_not_fit_is_left_out_from_the_last_drawn() {
        let published = Crowd::new(&Sequences::from_codes([[1, 2], [3, 4]])).unwrap();
        let levels = published.narrow(&[1, 2, 3, 4], &[2, 1]);
        assert_eq!(levels, [vec![1]], "3 is kept and 2 left out");
    }

    #[test]
    fn linking_is_what_a_search_of_every_record_finds() {
        for seed in 0..150 {
            let raw = random_records(seed, 12, 5, 3, (seed % 2 == 0).then_some(2));
            let published = random_records(seed + 1000, 12, 5, 3, (seed % 2 == 0).then_some(2));
            let crowd = Crowd::new(&published).unwrap();
            let overall = most_frequent(&crowd, 0..crowd.forms());
            let mut random = RandomSource::insecure_seed(seed).stream();
            for victim in victims_of(&raw) {
                let victim = victim.reveal(4, &mut random);
                if victim.record.len() < 2 {
                    continue;
                }
                let all: Vec<Vec<u64>> = (0..published.len())
                    .map(|it| visits(&published, it))
                    .collect();
                let fits = |points: usize| {
                    let known = victim.known(points);
                    let fits = all.iter().filter(|other| {
                        let mut rest = other.iter();
                        (known.iter()).all(|&at| rest.any(|it| *it == victim.record[at]))
                    });
                    fits.collect::<Vec<_>>()
                };
                let linked_by_search = |points: usize| {
                    let matching = (0..=points).rev().map(fits).find(|it| !it.is_empty())?;
                    let often = |one: &Vec<u64>| matching.iter().filter(|it| **it == one).count();
                    let best = matching.iter().map(|it| often(it)).max()?;
                    let mut best = matching.iter().filter(|it| often(it) == best);
                    best.next().map(|first| *best.fold(first, |a, b| a.min(b)))
                };
                let right = |points| linked_by_search(points) == Some(&victim.record);
                let linked = linked(&victim, &crowd, overall, 4);
                assert_eq!(linked.half, right(half(&victim)), "{seed}");
                let known = victim.revealed.len();
                for points in 1..=4 {
                    assert_eq!(linked.curve[points - 1], right(points.min(known)), "{seed}");
                }
            }
        }
    }
}
