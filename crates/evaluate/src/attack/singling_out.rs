//! `singling-out`: is a person's record the only one with the few visits that are known?
//!
//! **Attacker.** Knows p visits of the victim, drawn at random: untimed, their locations and their
//! order; timed, their locations and bins. Of a victim with fewer visits all are known, so that the
//! victims are the same for every p. People without visits are not attacked.
//!
//! **Success.** Exactly one published record matches what is known, and it is the victim's: the
//! same visits from first to last.
//!
//! A victim who is not in what was published is isolated where somebody else's record is.
//!
//! On raw data under pseudonyms the rate is the unicity of de Montjoye et al. (2013).

use rayon::prelude::*;
use wayveil_core::{Progress, Result};

use super::matching::{Crowd, Matches};
use super::trials::{Trials, Victim};
use super::{Attack, AttackSettings, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "singling-out",
    about: "isolates a person's record by a few known visits",
    question: Question::SinglingOut,
    definition: "The attacker knows p random visits of the victim (untimed: locations in their \
                 order; timed: locations and bins), or all where these are fewer, for p from 1 to \
                 10. Success: exactly one published record matches, and it is the victim's whole \
                 record.",
    source: "de Montjoye, Hidalgo, Verleysen, Blondel (2013), unicity",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let trials = Trials {
        scene,
        settings,
        progress,
        name: ATTACK.name,
        nobody: "nobody has a visit",
    };
    let tried = trials.make(
        |visits| !visits.is_empty(),
        |victim, random| victim.reveal(settings.points, random),
        |published, victims| {
            let crowd = Crowd::new(&published.sequences)?;
            let curve = |victim: &&Victim| {
                let isolated = |points| isolated(victim, &crowd, points);
                (1..=settings.points).map(isolated).collect::<Vec<bool>>()
            };
            Ok(victims.par_iter().map(curve).collect())
        },
    )?;
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| {
            let at = |points: usize| {
                let name = format!("points-{points}");
                tried.found(name, |_, isolated| Some(isolated[points - 1]))
            };
            Outcome::Found((1..=settings.points).map(at).collect())
        },
    ))
}

/// Whether the first so many known points isolate the victim's record.
pub(super) fn isolated(victim: &Victim, crowd: &Crowd, points: usize) -> bool {
    match crowd.matches(&victim.record, &victim.known(points)) {
        Matches::One(form) => crowd.form_of(&victim.record) == Some(form),
        Matches::Nobody | Matches::Several => false,
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;

    use super::super::testing::{attack, every_subset, found, random_records, successes};
    use super::super::{Found, People};
    use super::*;

    fn run_on(people: &Sequences, published: &Sequences) -> Vec<Found> {
        let (people, published) = (
            People::bare(people.clone()),
            People::bare(published.clone()),
        );
        found(attack(
            &ATTACK,
            &people,
            &published,
            &AttackSettings::default(),
        ))
    }

    #[test]
    fn people_with_places_of_their_own_are_unique_at_once() {
        let records = Sequences::from_codes((0..30u32).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]));
        for curve in successes(&run_on(&records, &records)) {
            assert_eq!((curve.1, curve.2), (30, 30));
        }
    }

    #[test]
    fn equal_people_hide_each_other() {
        let crowd = Sequences::from_codes(vec![[1, 2, 3]; 9]);
        for curve in successes(&run_on(&crowd, &crowd)) {
            assert_eq!((curve.1, curve.2), (9, 0));
        }
    }

    #[test]
    fn one_match_that_is_not_the_victims_record_is_no_success() {
        let raw = Sequences::from_codes([[1, 2]]);
        let published = Sequences::from_codes([[1, 2, 3]]);
        for curve in successes(&run_on(&raw, &published)) {
            assert_eq!((curve.1, curve.2), (1, 0));
        }
    }

    #[test]
    fn everything_known_isolates_exactly_the_unique_supersequence() {
        // Longest records have four visits: with ten known points all are known.
        for seed in 0..200 {
            let records = random_records(seed, 14, 4, 3, (seed % 2 == 0).then_some(2));
            let visits = |person: usize| {
                let bins = records.bins_of(person).iter().map(Some);
                let bins = bins.chain(std::iter::repeat(None));
                let mut visits: Vec<_> = bins.zip(records.codes_of(person)).collect();
                if records.is_timed() {
                    visits.sort_unstable();
                }
                visits
            };
            let victims = (0..records.len()).filter(|&it| records.length(it) > 0);
            let isolated = |victim: usize| {
                let matching: Vec<usize> = (0..records.len())
                    .filter(|&it| every_subset(&visits(it)).any(|some| some == visits(victim)))
                    .collect();
                matching.len() == 1 && visits(matching[0]) == visits(victim)
            };
            let attacker = victims.clone().filter(|&it| isolated(it)).count();
            if victims.count() == 0 {
                continue;
            }
            let all = run_on(&records, &records);
            assert_eq!(successes(&all)[9].2, attacker as u64, "{seed}");
        }
    }

    #[test]
    fn nobody_can_be_attacked_without_visits() {
        let none = People::bare(Sequences::from_codes([[0u32; 0]]));
        let outcome = attack(&ATTACK, &none, &none, &AttackSettings::default());
        assert!(matches!(outcome, Outcome::NotPossible(_)));
    }
}
