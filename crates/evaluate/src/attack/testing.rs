//! Small data for the attacks' tests.

use std::num::NonZeroU64;

use wayveil_core::{Origin, RandomSource, Sequences, TimeAxis, Universe};
use wayveil_noise::below;

use super::trials::{Victim, visits};
use super::{Attack, AttackSettings, Found, Method, Outcome, People, Scene, Target};

/// Up to `most` records of up to `longest` visits to so many locations, in so many bins if timed.
pub(super) fn random_records(
    seed: u64,
    most: u64,
    longest: u64,
    locations: u64,
    bins: Option<u64>,
) -> Sequences {
    let mut random = RandomSource::insecure_seed(seed).stream();
    let mut below = |n: u64| below(NonZeroU64::new(n).unwrap(), &mut random) as u32;
    let mut records = Sequences::empty(bins.is_some());
    for _ in 0..=below(most) {
        let visits = below(longest + 1);
        let codes: Vec<u32> = (0..visits).map(|_| below(locations)).collect();
        let times = bins.map_or_else(Vec::new, |bins| codes.iter().map(|_| below(bins)).collect());
        records.push(&codes, &times);
    }
    records
}

/// Every way to leave some out, in order.
pub(super) fn every_subset<T: Copy>(all: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..1u32 << all.len()).map(move |mask| {
        (all.iter().enumerate())
            .filter(|(at, _)| mask >> at & 1 == 1)
            .map(|(_, &it)| it)
            .collect()
    })
}

/// Everyone as a victim of whom nothing is known.
pub(super) fn victims_of(records: &Sequences) -> Vec<Victim> {
    let victim = |person| Victim {
        outsider: false,
        person,
        record: visits(records, person),
        revealed: Vec::new(),
    };
    (0..records.len()).map(victim).collect()
}

/// Locations without coordinates.
pub(super) fn places(count: u32) -> Universe {
    Universe::from_labels(
        (0..count).map(|at| at.to_string()),
        Origin::Declared("test".into()),
    )
    .unwrap()
}

/// Attacks everyone in what was published of these people, without a control, in a universe of 100 locations and 100 bins.
pub(super) fn attack(
    attack: &Attack,
    people: &People,
    published: &People,
    settings: &AttackSettings,
) -> Outcome {
    let universe = places(100);
    let axis = TimeAxis::new(100, Origin::Declared("test".into()));
    let scene = Scene {
        people,
        target: Target {
            records: published,
            method: Method::Unknown("made elsewhere".into()),
        },
        outsiders: None,
        universe: &universe,
        time: people.sequences.is_timed().then_some(&axis),
    };
    (attack.run)(&scene, settings, &wayveil_core::Silent).unwrap()
}

/// What it found.
pub(super) fn found(outcome: Outcome) -> Vec<Found> {
    match outcome {
        Outcome::Found(found) => found,
        Outcome::NotPossible(reason) => panic!("{reason}"),
    }
}

/// Tries and successes by name.
pub(super) fn successes(found: &[Found]) -> Vec<(&str, u64, u64)> {
    (found.iter())
        .map(|it| (it.name.as_str(), it.members.tries, it.members.successes))
        .collect()
}
