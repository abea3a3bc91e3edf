//! Releases of random halves of the people: of whom it is known who was in.
//!
//! Every person is in with all their records by a fair coin of their own, tossed independently of
//! everything else. So whoever guesses from a release that tells nothing is right by independent
//! fair coins, exactly, and the tests of [`super::Found`] hold without any approximation.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Progress, RandomSource, Result};

use super::{Method, People, Scene};

/// What came of making releases again.
pub(super) enum Halves<T> {
    /// What was seen in each, in order.
    Seen(Vec<T>),
    /// They cannot be made, for this reason.
    NotPossible(String),
}

/// Makes `count` releases of random halves and looks at each together with which records are in. One
/// source for each release: the result does not depend on the number of threads.
pub(super) fn look_at_halves<T: Send>(
    scene: &Scene<'_>,
    count: usize,
    random: &mut RandomSource,
    progress: &dyn Progress,
    look: impl Fn(usize, &[bool], &People) -> Result<T> + Sync,
) -> Result<Halves<T>> {
    if let Method::Unknown(reason) = &scene.target.method {
        return Ok(Halves::NotPossible(cannot_be_made_again(reason)));
    }
    progress.begin("making releases of random halves", Some(count as u64));
    let sources: Vec<RandomSource> = (0..count).map(|_| random.split()).collect();
    let seen: Vec<Result<T>> = sources
        .into_par_iter()
        .enumerate()
        .map(|(at, mut source)| {
            let people = scene.people;
            let coins = coins(people.owners_end(), &mut source);
            let records = 0..people.len();
            let is_in: Vec<bool> = records.map(|record| coins[people.owner(record)]).collect();
            let numbers: Vec<u32> = (0u32..)
                .zip(&is_in)
                .filter_map(|(number, &is_in)| is_in.then_some(number))
                .collect();
            let published = match &scene.target.method {
                Method::Again(publish) => publish(&numbers, &mut source)?,
                Method::AsTheyAre | Method::Unknown(_) => people.only(&numbers),
            };
            let seen = look(at, &is_in, &published)?;
            progress.advance(1);
            Ok(seen)
        })
        .collect();
    progress.end();
    match seen.into_iter().collect() {
        Ok(seen) => Ok(Halves::Seen(seen)),
        Err(error) if error.exit_code() == 1 => Ok(Halves::NotPossible(format!(
            "a release of half the people is refused: {}",
            error.message()
        ))),
        Err(error) => Err(error),
    }
}

/// What is said where halves are needed.
pub(super) fn cannot_be_made_again(reason: &str) -> String {
    format!(
        "it cannot be made again from a part of the people ({reason}); all attacks but \
         membership-shadow can do with people like them whose records were not used: --outsiders \
         FILE"
    )
}

/// So many fair coins.
fn coins(people: usize, source: &mut RandomSource) -> Vec<bool> {
    let mut stream = source.stream();
    let mut coins = Vec::with_capacity(people.next_multiple_of(64));
    while coins.len() < people {
        let word = stream.next_u64();
        coins.extend((0..64).map(|bit| word >> bit & 1 == 1));
    }
    coins.truncate(people);
    coins
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Origin, Sequences, Silent, Universe};

    use super::super::Target;
    use super::*;

    #[test]
    fn coins_are_fair_and_have_one_for_each() {
        let mut source = RandomSource::insecure_seed(1);
        for people in [0, 1, 63, 64, 65, 100_000] {
            let heads = coins(people, &mut source).iter().filter(|&&c| c).count();
            assert!(heads <= people);
            if people == 100_000 {
                // Seven standard deviations: a false alarm of less than 1e-11.
                assert!(heads.abs_diff(50_000) < 7 * 159, "{heads} heads");
            }
        }
    }

    #[test]
    fn every_half_has_randomness_and_members_of_its_own() {
        let universe = Universe::from_labels(["A"], Origin::FromData).unwrap();
        let people = People::bare(Sequences::from_codes(vec![[0u32]; 100]));
        // What is released is who was asked for, and a random word.
        let publish = |numbers: &[u32], random: &mut RandomSource| {
            let word = random.stream().next_u32();
            Ok(People::bare(Sequences::from_codes([numbers, &[word]])))
        };
        let scene = Scene {
            people: &people,
            target: Target {
                records: &people,
                method: Method::Again(&publish),
            },
            outsiders: None,
            universe: &universe,
            time: None,
        };
        let mut random = RandomSource::insecure_seed(1);
        let seen = look_at_halves(&scene, 20, &mut random, &Silent, |_, is_in, released| {
            let members = (0..100).filter(|&number| is_in[number as usize]);
            assert_eq!(
                members.collect::<Vec<u32>>(),
                released.sequences.codes_of(0)
            );
            Ok((is_in.to_vec(), released.sequences.codes_of(1)[0]))
        });
        let Halves::Seen(mut seen) = seen.unwrap() else {
            panic!("not possible");
        };
        seen.sort();
        seen.dedup_by_key(|(members, _)| members.clone());
        seen.sort_by_key(|(_, word)| *word);
        seen.dedup_by_key(|(_, word)| *word);
        assert_eq!(seen.len(), 20);
    }
}
