//! Where attacker and guesser meet the same victims.

use std::borrow::Borrow;

use rayon::prelude::*;
use wayveil_core::{Error, Progress, RandomSource, Result, Sequences};
use wayveil_noise::{Stream, below, choose_distinct};

use super::matching::{Crowd, Key, Side};
use super::{AttackSettings, Scene};

/// The truth and what was published of it, ready to be searched.
pub(super) struct Stage {
    truth: Crowd,
    /// None where it is the truth itself.
    published: Option<Crowd>,
}

impl Stage {
    /// The stage of a scene.
    pub(super) fn of(scene: &Scene<'_>) -> Result<Self> {
        let published = (!std::ptr::eq(scene.people, scene.target.records))
            .then_some(&scene.target.records.sequences);
        Self::new(&scene.people.sequences, published)
    }

    /// A stage of its own; nothing published stands for the truth itself.
    pub(super) fn new(truth: &Sequences, published: Option<&Sequences>) -> Result<Self> {
        if published.is_some_and(|published| published.is_timed() != truth.is_timed()) {
            return Err(
                Error::input("one side has time bins and the other has none")
                    .hint("attack a release of this very data"),
            );
        }
        Ok(Self {
            truth: Crowd::new(truth)?,
            published: published.map(Crowd::new).transpose()?,
        })
    }

    /// Everyone's true records.
    pub(super) fn truth(&self) -> &Crowd {
        &self.truth
    }

    /// The attacker's side: everything that was published.
    pub(super) fn attacker(&self) -> Side<'_> {
        Side {
            crowd: self.published.as_ref().unwrap_or(&self.truth),
            exclude: None,
        }
    }

    /// The guesser's side: everyone but the victim.
    pub(super) fn guesser(&self, victim: usize) -> Side<'_> {
        Side {
            crowd: &self.truth,
            exclude: Some(victim),
        }
    }

    /// Makes something of each side's records, once where they are the same.
    pub(super) fn of_sides<T>(&self, make: impl Fn(&Crowd) -> T) -> OfSides<T> {
        OfSides {
            truth: make(&self.truth),
            published: self.published.as_ref().map(make),
        }
    }

    /// Draws victims among those whose records are eligible, each with a stream of its own.
    ///
    /// The same settings and people give the same victims, whatever was published.
    pub(super) fn draw(
        &self,
        settings: &AttackSettings,
        eligible: impl Fn(u32) -> bool,
    ) -> Result<Vec<(Victim, Stream)>> {
        settings.check()?;
        let truth = &self.truth;
        let people: Vec<usize> = (0..truth.len())
            .filter(|&person| eligible(truth.form_of_person(person)))
            .collect();
        let mut source = RandomSource::insecure_seed_for("victims of attacks", settings.seed);
        let many = people.len() as u64;
        let victims = (settings.victims as u64).min(many);
        let chosen = choose_distinct(many, victims, &mut source.stream())
            .map_err(|cause| Error::input(cause.to_string()))?;
        let victim = |at: u64| {
            let person = people[at as usize];
            let victim = Victim {
                person,
                record: truth.visits_of(truth.form_of_person(person)).collect(),
                revealed: Vec::new(),
            };
            (victim, source.stream())
        };
        Ok(chosen.into_iter().map(victim).collect())
    }

    /// Lets attacker and guesser try on every victim: what each of them gets.
    pub(super) fn each<V: Borrow<Victim> + Sync, R: Send>(
        &self,
        victims: &[V],
        (progress, step): (&dyn Progress, &str),
        attempt: impl Fn(&V, Side<'_>) -> R + Sync,
    ) -> Vec<(R, R)> {
        progress.begin(step, Some(victims.len() as u64));
        let results = victims
            .par_iter()
            .map(|victim| {
                let guesser = self.guesser(victim.borrow().person);
                let results = (attempt(victim, self.attacker()), attempt(victim, guesser));
                progress.advance(1);
                results
            })
            .collect();
        progress.end();
        results
    }
}

/// What was made of each side's records.
pub(super) struct OfSides<T> {
    truth: T,
    published: Option<T>,
}

impl<T> OfSides<T> {
    /// What was made of everyone's true records.
    pub(super) fn truth(&self) -> &T {
        &self.truth
    }

    /// What was made of the records that a side looks at: the guesser's are the true ones.
    pub(super) fn of(&self, side: Side<'_>) -> &T {
        match &self.published {
            Some(published) if side.exclude.is_none() => published,
            _ => &self.truth,
        }
    }
}

/// A person who is attacked, and what is known about them.
pub(super) struct Victim {
    /// Who: a number in the truth.
    pub(super) person: usize,
    /// Their visits, in their own order, or in timed data by bin and location.
    pub(super) record: Vec<Key>,
    /// Positions in `record` in the order in which they become known.
    pub(super) revealed: Vec<usize>,
}

impl Victim {
    /// The forms that match the points known so far, see [`Side::narrow`].
    pub(super) fn levels(&self, side: Side<'_>) -> Vec<Vec<u32>> {
        side.narrow(&self.record, &self.revealed)
    }

    /// The sorted positions of the first so many known points.
    pub(super) fn known(&self, points: usize) -> Vec<usize> {
        let mut known = self.revealed[..points.min(self.revealed.len())].to_vec();
        known.sort_unstable();
        known
    }
}

/// So many of these positions, or all of them where there are fewer, in random order.
pub(super) fn reveal(mut positions: Vec<usize>, most: usize, random: &mut Stream) -> Vec<usize> {
    let many = positions.len();
    for at in 0..most.min(many) {
        // There is at least one position from here to the end.
        if let Some(rest) = std::num::NonZeroU64::new((many - at) as u64) {
            positions.swap(at, at + below(rest, random) as usize);
        }
    }
    positions.truncate(most);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn victims_are_drawn_once_and_from_the_seed() {
        let records = Sequences::from_codes((0..50u32).map(|at| vec![at; (at % 3) as usize]));
        let stage = Stage::new(&records, None).unwrap();
        let people = |seed, victims| {
            let settings = AttackSettings {
                seed,
                victims,
                ..AttackSettings::default()
            };
            let eligible = |form| stage.truth().symbols_of(form).len() == 2;
            let drawn = stage.draw(&settings, eligible).unwrap();
            (drawn.iter())
                .map(|(victim, _)| victim.person)
                .collect::<Vec<_>>()
        };
        assert_eq!(people(1, 100), (2..50).step_by(3).collect::<Vec<_>>());
        assert_eq!(people(1, 5), people(1, 5));
        assert_ne!(people(1, 5), people(2, 5));
        assert!(people(1, 5).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_order_of_revealing_is_as_likely() {
        let mut random = RandomSource::insecure_seed(1).stream();
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            *seen
                .entry(reveal(vec![4, 5, 6], 2, &mut random))
                .or_insert(0) += 1;
        }
        // Six ordered pairs, 1000 each on average, with a standard deviation of 29.
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|&count: &i32| (count - 1000).abs() < 180));
        assert_eq!(reveal(vec![], 3, &mut random), Vec::<usize>::new());
        assert_eq!(reveal(vec![9], 3, &mut random), [9]);
    }

    #[test]
    fn times_on_one_side_only_are_refused() {
        let timed = Sequences::empty(true);
        assert!(Stage::new(&Sequences::empty(false), Some(&timed)).is_err());
        assert!(Stage::new(&timed, Some(&timed)).is_ok());
    }
}
