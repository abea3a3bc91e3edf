//! `singling-out`: is a person's record the only one with the few visits that are known?
//!
//! **Attacker.** Knows p visits of the victim, drawn at random: untimed, their locations and their
//! order; timed, their locations and bins. Of a victim with fewer visits all are known, so that the
//! victims are the same for every p. People without visits are not attacked.
//!
//! **Success.** Exactly one published record matches what is known, and it is the victim's: the
//! same visits from first to last.
//!
//! **Guesser.** Looks for one such record among those of everyone but the victim; right where
//! exactly one other person matches who did the same as the victim.
//!
//! On raw data under pseudonyms the rate is the unicity of de Montjoye et al. (2013).

use wayveil_core::{Progress, Result};

use super::matching::{Matches, Side};
use super::stage::{Stage, Victim, reveal};
use super::{Attack, AttackSettings, Found, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "singling-out",
    about: "isolates a person's record by a few known visits",
    question: Question::SinglingOut,
    definition: "The attacker knows p random visits of the victim (untimed: locations in their \
                 order; timed: locations and bins), or all where these are fewer, for p from 1 to \
                 10. Success: exactly one published record matches, and it is the victim's whole \
                 record. Guesser: the same among the records of everyone but the victim.",
    source: "de Montjoye, Hidalgo, Verleysen, Blondel (2013), unicity",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let stage = Stage::of(scene)?;
    let victims = victims(&stage, settings, settings.points)?;
    if victims.is_empty() {
        return Ok(Outcome::NotPossible("nobody has a visit".into()));
    }
    let results = stage.each(&victims, (progress, ATTACK.name), |victim, side| {
        let isolated = |points| isolated(victim, side, points);
        (1..=settings.points).map(isolated).collect::<Vec<bool>>()
    });
    let curve = (1..=settings.points).map(|points| {
        let at = points - 1;
        let pairs = (results.iter()).map(|(attacker, guesser)| (attacker[at], guesser[at]));
        Found::paired(format!("points-{points}"), pairs)
    });
    Ok(Outcome::Found(curve.collect()))
}

/// Victims with up to so many visits that become known in random order.
pub(super) fn victims(
    stage: &Stage,
    settings: &AttackSettings,
    points: usize,
) -> Result<Vec<Victim>> {
    let truth = stage.truth();
    let drawn = stage.draw(settings, |form| !truth.symbols_of(form).is_empty())?;
    let known = |(mut victim, mut random): (Victim, _)| {
        let positions = (0..victim.record.len()).collect();
        victim.revealed = reveal(positions, points, &mut random);
        victim
    };
    Ok(drawn.into_iter().map(known).collect())
}

/// Whether the first so many known points isolate the victim's record.
pub(super) fn isolated(victim: &Victim, side: Side<'_>, points: usize) -> bool {
    match side.matches(&victim.record, &victim.known(points)) {
        Matches::One(form) => side.crowd.form_of(&victim.record) == Some(form),
        Matches::Nobody | Matches::Several => false,
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;

    use super::super::People;
    use super::super::testing::{attack, every_subset, found, random_records, successes, without};
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
            assert_eq!((curve.1, curve.2, curve.3), (30, 30, 0));
        }
    }

    #[test]
    fn equal_people_hide_each_other_but_two_do_not_hide_from_a_guesser() {
        let crowd = Sequences::from_codes(vec![[1, 2, 3]; 9]);
        for curve in successes(&run_on(&crowd, &crowd)) {
            assert_eq!((curve.1, curve.2, curve.3), (9, 0, 0));
        }
        let pair = Sequences::from_codes(vec![[1, 2, 3]; 2]);
        for curve in successes(&run_on(&pair, &pair)) {
            assert_eq!((curve.1, curve.2, curve.3), (2, 0, 2));
        }
    }

    #[test]
    fn one_match_that_is_not_the_victims_record_is_no_success() {
        let raw = Sequences::from_codes([[1, 2]]);
        let published = Sequences::from_codes([[1, 2, 3]]);
        for curve in successes(&run_on(&raw, &published)) {
            assert_eq!((curve.1, curve.2, curve.3), (1, 0, 0));
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
            let isolated = |victim: usize, exclude: Option<usize>| {
                let matching: Vec<usize> = (0..records.len())
                    .filter(|&it| Some(it) != exclude)
                    .filter(|&it| every_subset(&visits(it)).any(|some| some == visits(victim)))
                    .collect();
                matching.len() == 1 && visits(matching[0]) == visits(victim)
            };
            let attacker = victims.clone().filter(|&it| isolated(it, None)).count();
            let guesser = victims.clone().filter(|&it| isolated(it, Some(it))).count();
            if victims.count() == 0 {
                continue;
            }
            let all = run_on(&records, &records);
            let last = successes(&all)[9];
            assert_eq!(
                (last.2, last.3),
                (attacker as u64, guesser as u64),
                "{seed}"
            );
        }
    }

    #[test]
    fn an_attacker_without_the_victim_is_the_guesser() {
        for seed in 0..60 {
            let records = random_records(seed, 12, 5, 3, (seed % 2 == 0).then_some(3));
            let people = People::bare(records);
            let settings = AttackSettings::default();
            for person in 0..people.len() {
                let others = without(&people, person);
                let stage = Stage::new(&people.sequences, Some(&others.sequences)).unwrap();
                for victim in victims(&stage, &settings, 6).unwrap() {
                    if victim.person == person {
                        for points in 1..=6 {
                            let guesser = isolated(&victim, stage.guesser(person), points);
                            assert_eq!(isolated(&victim, stage.attacker(), points), guesser);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn nobody_can_be_attacked_without_visits() {
        let none = People::bare(Sequences::from_codes([[0u32; 0]]));
        let outcome = attack(&ATTACK, &none, &none, &AttackSettings::default());
        assert!(matches!(outcome, Outcome::NotPossible(_)));
    }
}
