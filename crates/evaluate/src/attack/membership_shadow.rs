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
//! Coins are independent of each other and of everything else. If releases do not depend on
//! whether a target is in, then whatever the attacker says, being right about each target in each
//! judged shadow is exactly an independent fair coin, and the interval of Clopper and Pearson and the
//! binomial test are exact.

use wayveil_core::{Error, Progress, RandomSource, Result, Sequences};
use wayveil_noise::choose_distinct;

use super::exposure::Rarity;
use super::halves::{Halves, look_at_halves};
use super::nearest::nearness;
use super::presence::{Numbers, Presence, Seen};
use super::probe::{Counts, Places, Probe};
use super::{Attack, AttackSettings, Found, Guesser, Outcome, Question, Scene};

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
                 The guesser tosses a coin, and without a leak every try is exactly an \
                 independent fair coin.",
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
    let people = &scene.people.sequences;
    let targets = settings.shadow_targets.min(people.len());
    if targets == 0 {
        return Ok(Outcome::NotPossible("there is nobody to attack".into()));
    }
    if settings.shadows < FEWEST_SHADOWS {
        return Ok(Outcome::NotPossible(format!(
            "{} shadows are too few to learn from: there must be {FEWEST_SHADOWS}",
            settings.shadows
        )));
    }
    let mut random = RandomSource::insecure_seed_for(NAME, settings.seed);
    let drawn = choose_distinct(people.len() as u64, targets as u64, &mut random.stream())
        .map_err(|cause| Error::input(cause.to_string()))?;
    let rarity = Rarity::among(people);
    let mut records = rarity.most_exposed(people, targets);
    records.extend(drawn.into_iter().map(|record| record as usize));
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
    let look = |is_in: &[bool], released: &Sequences| -> Vec<Seen> {
        let counts = probe.count(released);
        let nearness = nearness(&probe, &counts, released);
        let targets = records.iter().zip(&asked).zip(nearness);
        targets
            .map(|((&record, asked), nearness)| Seen {
                is_in: is_in[record],
                numbers: asked.numbers(&counts, released.len(), nearness),
            })
            .collect()
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
    let (mut tries, mut successes) = (0, 0);
    for shadow in every_second(1) {
        for (target, seen) in shadow.iter().enumerate() {
            tries += 1;
            successes += u64::from(learned.says_in(target, &seen.numbers) == seen.is_in);
        }
    }
    Found {
        name: name.into(),
        tries,
        successes,
        guesser: Guesser::Coin(0.5),
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
    fn nothing_is_judged_that_was_learned_from() {
        let found = judge("", &turned(1), 0..1);
        assert_eq!((found.tries, found.successes), (4, 0));
        let found = judge("", &turned(2), 0..1);
        assert_eq!((found.tries, found.successes), (4, 4));
    }
}
