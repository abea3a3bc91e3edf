//! `membership-shadow`: learns from releases made again what somebody's presence changes.
//!
//! # The attacker
//! knows the method, its parameters and a population from which the data was drawn, and makes many
//! releases of random halves of it (shadows). In each, everybody is in by a fair coin of their
//! own; all targets share the shadows. The attacker learns on every second one and is judged on the
//! others.
//!
//! # The targets
//! `exposed`: those whose record the fewest others have too; among them those whose rarest pair of
//! neighbouring symbols (for a record of one symbol, that symbol) occurs in the fewest records of
//! the people; then those with longer records. What is rare is hardest to hide. `random`: drawn
//! uniformly.
//!
//! # What is looked at
//! For each target, numbers of released records: equal to the target's; beginning with all of it,
//! and with its first 1, 2, … 16 symbols; having its rarest pairs, and its rarest symbols; all. And
//! how near the nearest released record is ([`super::nearest`]), for records that were changed a
//! little. What is made of these numbers stands in [`super::presence`].
//!
//! # Confidence
//! Targets are different people, and coins are independent of each other and of everything else. If
//! releases do not depend on whether a target is in, then whatever the attacker says, being right
//! about each target in each judged shadow is exactly an independent fair coin, and the binomial
//! test is exact. Where there is a leak, tries of one target, and tries on one shadow, hang
//! together: the interval counts no more of them than there are targets, or judged shadows.

use wayveil_core::{Error, Progress, RandomSource, Result};
use wayveil_noise::choose_distinct;

use super::exposure::Rarity;
use super::halves::{Halves, look_at_halves};
use super::nearest::nearness;
use super::presence::{Numbers, Presence, Seen};
use super::probe::{Counts, Places, Probe};
use super::{Attack, AttackSettings, Control, Found, Group, Outcome, People, Question, Scene};

/// The attack.
pub(super) static ATTACK: Attack = Attack {
    name: NAME,
    about: "learns from releases made again, with a person and without, whether they were in",
    question: Question::Membership,
    definition: "The release is made again (shadows times) from random halves of the people, \
                 everybody being in by a fair coin. For shadow_targets people, the most exposed \
                 (whose record the fewest have, then whose rarest pair of neighbouring symbols \
                 is rarest, then whose record is longest) and as many drawn at random, the \
                 attacker learns on half of these releases how the numbers of released records \
                 that are equal to theirs, begin like it, or have its rarest pairs and symbols, \
                 and how near the nearest is, shift with presence (a Gaussian likelihood ratio \
                 with a mean and spread for each target and one shift for each kind of number), \
                 and says for each of the other half who was in. Success: membership told right. \
                 Without a leak every try is exactly an independent fair coin.",
    source: "R. Shokri, M. Stronati, C. Song, V. Shmatikov: Membership inference attacks against \
             machine learning models, 2017 (shadows); A. Pyrgelis, C. Troncoso, E. De Cristofaro: \
             Knock knock, who's there? Membership inference on aggregate location data, 2018 \
             (counts of locations, with and without a person); N. Carlini, S. Chien, M. Nasr, \
             S. Song, A. Terzis, F. Tramèr: Membership inference attacks from first principles, \
             2022 (likelihood ratios for each target).",
    run,
};

const NAME: &str = "membership-shadow";
/// Beginnings up to this length are looked at one by one.
const BEGINNINGS: usize = 16;
const RAREST_PAIRS: usize = 4;
const RAREST_SYMBOLS: usize = 3;
/// Two to learn from, with and without, and as many to be judged on.
const FEWEST_SHADOWS: usize = 4;

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    settings.check()?;
    if settings.shadows < FEWEST_SHADOWS {
        return Ok(Outcome::NotPossible(format!(
            "{} shadows are too few to learn from: there must be {FEWEST_SHADOWS}",
            settings.shadows
        )));
    }
    let mut random = RandomSource::insecure_seed_for(NAME, settings.seed);
    let one_of_each = scene.people.one_of_each(|_| true, &mut random.stream());
    let targets = settings.shadow_targets.min(one_of_each.len());
    if targets == 0 {
        return Ok(Outcome::NotPossible("there is nobody to attack".into()));
    }
    let many = one_of_each.len() as u64;
    let drawn = choose_distinct(many, targets as u64, &mut random.stream())
        .map_err(|cause| Error::input(cause.to_string()))?;
    let people = &scene.people.sequences;
    let rarity = Rarity::among(people);
    let mut records = most_exposed(scene.people, &rarity, targets);
    records.extend(drawn.into_iter().map(|at| one_of_each[at as usize]));
    let probe = Probe::new(people, records.iter().copied());
    let asked: Vec<Asked<'_>> = records
        .iter()
        .zip(&probe.places)
        .map(|(&record, places)| Asked {
            places,
            pairs: rarity
                .rarest_pairs(people, record, RAREST_PAIRS)
                .into_iter()
                .filter_map(|pair| probe.place_of_pair(pair))
                .collect(),
            symbols: rarity
                .rarest_symbols(people, record, RAREST_SYMBOLS)
                .into_iter()
                .filter_map(|symbol| probe.place_of_symbol(symbol))
                .collect(),
        })
        .collect();
    let look = |_, is_in: &[bool], released: &People| -> Result<Vec<Seen>> {
        let released = &released.sequences;
        let counts = probe.count(released);
        let nearness = nearness(&probe, &counts, released);
        let targets = records.iter().zip(&asked).zip(nearness);
        let seen = targets.map(|((&record, asked), nearness)| Seen {
            is_in: is_in[record],
            numbers: asked.numbers(&counts, released.len(), nearness),
        });
        Ok(seen.collect())
    };
    let shadows = look_at_halves(scene, settings.shadows, &mut random, progress, look)?;
    Ok(match shadows {
        Halves::NotPossible(reason) => Outcome::NotPossible(reason),
        Halves::Seen(shadows) => Outcome::Found(vec![
            judge("exposed", &shadows, 0..targets),
            judge("random", &shadows, targets..2 * targets),
        ]),
    })
}

/// The most exposed records of different owners.
fn most_exposed(people: &People, rarity: &Rarity, targets: usize) -> Vec<usize> {
    if people.owners.is_none() {
        return rarity.most_exposed(&people.sequences, targets);
    }
    let all = rarity.most_exposed(&people.sequences, people.len());
    let mut taken = vec![false; people.owners_end()];
    let first = |record: &usize| !std::mem::replace(&mut taken[people.owner(*record)], true);
    all.into_iter().filter(first).take(targets).collect()
}

/// Where the numbers about a target stand.
struct Asked<'a> {
    places: &'a Places,
    pairs: Vec<u32>,
    symbols: Vec<u32>,
}

impl Asked<'_> {
    /// By kind, in a fixed order.
    fn numbers(&self, counts: &Counts, records: usize, nearness: f64) -> Numbers {
        let whole = self.places.whole() as usize;
        let first = [counts.equal[whole], counts.beginning[whole]];
        let lists = [
            (&self.places.beginnings, &counts.beginning, BEGINNINGS),
            (&self.pairs, &counts.with_pair, RAREST_PAIRS),
            (&self.symbols, &counts.with_symbol, RAREST_SYMBOLS),
        ];
        let others = lists.into_iter().flat_map(|(places, counts, kinds)| {
            (0..kinds).map(move |kind| places.get(kind).map(|&place| counts[place as usize]))
        });
        first
            .into_iter()
            .map(Some)
            .chain(others)
            .map(|count| count.map(f64::from))
            .chain([Some(records as f64), Some(nearness)])
            .collect()
    }
}

/// Learns on every second shadow and judges on the others.
fn judge(name: &str, shadows: &[Vec<Seen>], targets: std::ops::Range<usize>) -> Found {
    let every_second = |first: usize| -> Vec<&[Seen]> {
        let shadows = shadows.iter().skip(first).step_by(2);
        shadows.map(|shadow| &shadow[targets.clone()]).collect()
    };
    let learned = Presence::learn(&every_second(0));
    let judged = every_second(1);
    let mut members = Group::default();
    for shadow in &judged {
        for (target, seen) in shadow.iter().enumerate() {
            members.tries += 1;
            members.successes += u64::from(learned.says_in(target, &seen.numbers) == seen.is_in);
        }
    }
    Found {
        name: name.into(),
        members,
        control: Control::Coin(0.5),
        independent: Some(targets.len().min(judged.len()) as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presence shows in one number, but in the shadows to be judged by the opposite.
    fn turned(judged: usize) -> Vec<Vec<Seen>> {
        let is_in = |shadow: usize| shadow & 2 == 0;
        let seen = |shadow: usize| Seen {
            is_in: is_in(shadow),
            numbers: vec![Some(f64::from(u8::from(
                is_in(shadow) == (shadow % 2 != judged),
            )))],
        };
        (0..8).map(|shadow| vec![seen(shadow)]).collect()
    }

    #[test]
    fn exposed_targets_are_different_people() {
        let records: [&[u32]; 4] = [&[1, 2, 3], &[4, 5], &[6, 7], &[6, 7]];
        let mut people = People::bare(wayveil_core::Sequences::from_codes(records));
        let rarity = Rarity::among(&people.sequences);
        assert_eq!(most_exposed(&people, &rarity, 3), [0, 1, 2]);
        people.owners = Some(vec![0, 0, 1, 2]);
        assert_eq!(most_exposed(&people, &rarity, 3), [0, 2, 3]);
    }

    #[test]
    fn nothing_is_judged_that_was_learned_from() {
        for (shadows, successes) in [(turned(1), 0), (turned(2), 4)] {
            let found = judge("", &shadows, 0..1);
            assert_eq!(
                found.members,
                Group {
                    tries: 4,
                    successes
                }
            );
            assert_eq!(found.independent, Some(1));
        }
    }
}
