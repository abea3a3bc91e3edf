//! Trials: something published, and victims each of whom is in it or not by a fair coin.
//!
//! An attempt is given what was published and what is known about a victim, and nothing else: it
//! cannot depend on whether the victim is in but through what was published. If that does not
//! depend on the coins, then given all outcomes those who are in are a uniformly random subset of
//! the victims, which is what Fisher's exact test asks for ([`super::Found::p_value`]).

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Error, Progress, RandomSource, Result, Sequences};
use wayveil_noise::{Stream, below, choose_distinct};

use super::halves::{Halves, look_at_halves};
use super::matching::{Key, key};
use super::{Approach, AttackSettings, Control, Found, Group, Outcome, People, Scene};

/// A person who is attacked, and what is known about them.
pub(super) struct Victim {
    /// Whether the number is one among the outsiders.
    pub(super) outsider: bool,
    /// Who: a number among the people, or among the outsiders.
    pub(super) person: usize,
    /// Their visits, in their own order, or in timed data by bin and location.
    pub(super) record: Vec<Key>,
    /// Positions in `record` in the order in which they become known.
    pub(super) revealed: Vec<usize>,
}

impl Victim {
    /// The sorted positions of the first so many known points.
    pub(super) fn known(&self, points: usize) -> Vec<usize> {
        let mut known = self.revealed[..points.min(self.revealed.len())].to_vec();
        known.sort_unstable();
        known
    }

    /// Lets so many of all visits become known.
    pub(super) fn reveal(mut self, most: usize, random: &mut Stream) -> Self {
        self.revealed = reveal((0..self.record.len()).collect(), most, random);
        self
    }

    /// The people among whom the victim is counted.
    pub(super) fn among<'a>(&self, scene: &Scene<'a>) -> &'a People {
        match scene.outsiders {
            Some(outsiders) if self.outsider => outsiders,
            _ => scene.people,
        }
    }
}

/// What came of one victim.
pub(super) struct Tried<V, R> {
    pub(super) victim: V,
    /// Whether the victim is in what was published.
    pub(super) is_in: bool,
    pub(super) result: R,
}

/// What came of all victims.
pub(super) struct AllTried<V, R> {
    /// In the order in which they were drawn.
    pub(super) tried: Vec<Tried<V, R>>,
    /// Whether some victims are not in by their coins.
    control: bool,
}

impl<V, R> AllTried<V, R> {
    /// Counts successes; victims of whom nothing is asked are left out.
    pub(super) fn found(
        &self,
        name: impl Into<String>,
        right: impl Fn(&V, &R) -> Option<bool>,
    ) -> Found {
        let (mut members, mut others) = (Group::default(), Group::default());
        for tried in &self.tried {
            if let Some(right) = right(&tried.victim, &tried.result) {
                let group = if tried.is_in {
                    &mut members
                } else {
                    &mut others
                };
                group.tries += 1;
                group.successes += u64::from(right);
            }
        }
        Found {
            name: name.into(),
            members,
            control: match self.control {
                true => Control::Outsiders(others),
                false => Control::None,
            },
            independent: None,
        }
    }
}

/// An attack on a scene.
pub(super) struct Trials<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) settings: &'a AttackSettings,
    pub(super) progress: &'a dyn Progress,
    /// The attack's name.
    pub(super) name: &'static str,
    /// Said where nobody can be a victim.
    pub(super) nobody: &'static str,
}

/// Who is drawn: a victim, and the coin where it was tossed already.
type Drawn = (Victim, Option<bool>);

impl Trials<'_> {
    /// Makes the trials. `eligible` says by a person's visits whether they can be a victim, `know`
    /// draws what is known, and `attempt` tries on victims together, without knowing who is in.
    pub(super) fn make<V: Send + Sync, R: Send>(
        &self,
        eligible: impl Fn(&[Key]) -> bool + Sync,
        know: impl Fn(Victim, &mut Stream) -> V,
        attempt: impl Fn(&People, &[&V]) -> Result<Vec<R>> + Sync,
    ) -> Result<Result<AllTried<V, R>, Outcome>> {
        self.settings.check()?;
        self.check_times()?;
        let purpose = "victims of attacks";
        let mut source = RandomSource::insecure_seed_for(purpose, self.settings.seed);
        let drawn = self.draw(eligible, &mut source)?;
        if drawn.is_empty() {
            return Ok(Err(Outcome::NotPossible(self.nobody.into())));
        }
        let (victims, tossed): (Vec<V>, Vec<(usize, Option<bool>)>) = drawn
            .into_iter()
            .map(|(victim, tossed)| {
                let person = victim.person;
                (know(victim, &mut source.stream()), (person, tossed))
            })
            .unzip();
        let (coins, results) = match self.scene.approach() {
            Approach::Outsiders(_) | Approach::NoControl(_) => {
                self.progress.begin(self.name, Some(1));
                let all: Vec<&V> = victims.iter().collect();
                let results = attempt(self.scene.target.records, &all)?;
                self.progress.advance(1);
                self.progress.end();
                let coins = tossed.iter().map(|&(_, tossed)| tossed.unwrap_or(true));
                (coins.collect(), results)
            }
            Approach::Halves => match self.in_halves(&victims, &tossed, attempt)? {
                Halves::Seen(seen) => dealt_back(seen),
                Halves::NotPossible(reason) => return Ok(Err(Outcome::NotPossible(reason))),
            },
        };
        let coins: Vec<bool> = coins;
        let tried = (victims.into_iter().zip(coins).zip(results))
            .map(|((victim, is_in), result)| Tried {
                victim,
                is_in,
                result,
            })
            .collect();
        let control = !matches!(self.scene.approach(), Approach::NoControl(_));
        Ok(Ok(AllTried { tried, control }))
    }

    /// Every victim in one of the halves, in turn: nobody is attacked twice.
    fn in_halves<V: Sync, R: Send>(
        &self,
        victims: &[V],
        tossed: &[(usize, Option<bool>)],
        attempt: impl Fn(&People, &[&V]) -> Result<Vec<R>> + Sync,
    ) -> Result<Halves<(Vec<bool>, Vec<R>)>> {
        let trials = self.settings.trials.min(victims.len());
        let mut source = RandomSource::insecure_seed_for("halves of people", self.settings.seed);
        let look = |trial: usize, is_in: &[bool], published: &People| {
            let mine = || (trial..victims.len()).step_by(trials);
            let coins = mine().map(|at| is_in[tossed[at].0]).collect();
            let mine: Vec<&V> = mine().map(|at| &victims[at]).collect();
            Ok((coins, attempt(published, &mine)?))
        };
        look_at_halves(self.scene, trials, &mut source, self.progress, look)
    }

    fn check_times(&self) -> Result<()> {
        let timed = |people: &People| people.sequences.is_timed();
        let (people, published) = (self.scene.people, self.scene.target.records);
        if timed(people) != timed(published) {
            return Err(
                Error::input("one side has time bins and the other has none")
                    .hint("attack a release of this very data"),
            );
        }
        match self.scene.outsiders {
            Some(outsiders) if timed(outsiders) != timed(people) => Err(Error::input(
                "only one of the people and the outsiders have time bins",
            )
            .hint("import the outsiders in the same way as the data")),
            _ => Ok(()),
        }
    }

    /// Draws victims: of each owner at most one record. With outsiders, a coin says for each from
    /// where, and there are no more than there are of either, whichever way the coins fall.
    fn draw(
        &self,
        eligible: impl Fn(&[Key]) -> bool + Sync,
        source: &mut RandomSource,
    ) -> Result<Vec<Drawn>> {
        let mut candidates = |people: &People| {
            let records = 0..people.len();
            let eligible: Vec<bool> = (records.into_par_iter())
                .map(|person| eligible(&visits(&people.sequences, person)))
                .collect();
            people.one_of_each(|person| eligible[person], &mut source.stream())
        };
        let people = candidates(self.scene.people);
        let outsiders = self.scene.outsiders.map(candidates);
        let most = outsiders
            .as_ref()
            .map_or(people.len(), |outsiders| people.len().min(outsiders.len()));
        let most = most.min(self.settings.victims);
        let coins: Option<Vec<bool>> = outsiders.as_ref().map(|_| {
            let mut stream = source.stream();
            (0..most).map(|_| stream.next_u32() & 1 == 1).collect()
        });
        let members = match &coins {
            Some(coins) => coins.iter().filter(|&&is_in| is_in).count(),
            None => most,
        };
        let mut choose = |from: &[usize], count: usize| -> Result<std::vec::IntoIter<usize>> {
            let chosen = choose_distinct(from.len() as u64, count as u64, &mut source.stream())
                .map_err(|cause| Error::input(cause.to_string()))?;
            let chosen: Vec<usize> = chosen.into_iter().map(|at| from[at as usize]).collect();
            // In random order: who is in which trial, and who is learned from, must not hang on it.
            Ok(reveal(chosen, count, &mut source.stream()).into_iter())
        };
        let mut inside = choose(&people, members)?;
        let mut outside = choose(outsiders.as_deref().unwrap_or_default(), most - members)?;
        let drawn = (0..most).filter_map(|at| {
            let coin = coins.as_ref().map(|coins| coins[at]);
            let outsider = coin == Some(false);
            let person = if outsider {
                outside.next()?
            } else {
                inside.next()?
            };
            let mut victim = Victim {
                outsider,
                person,
                record: Vec::new(),
                revealed: Vec::new(),
            };
            victim.record = visits(&victim.among(self.scene).sequences, person);
            Some((victim, coin))
        });
        Ok(drawn.collect())
    }
}

/// What was dealt to the trials in turn, in its first order.
fn dealt_back<R>(seen: Vec<(Vec<bool>, Vec<R>)>) -> (Vec<bool>, Vec<R>) {
    let mut trials: Vec<_> = seen
        .into_iter()
        .map(|(coins, results)| coins.into_iter().zip(results))
        .collect();
    let (mut coins, mut results) = (Vec::new(), Vec::new());
    loop {
        let before = coins.len();
        for (coin, result) in trials.iter_mut().filter_map(Iterator::next) {
            coins.push(coin);
            results.push(result);
        }
        if coins.len() == before {
            return (coins, results);
        }
    }
}

/// A record's visits, in their own order, or in timed data by bin and location.
pub(super) fn visits(sequences: &Sequences, record: usize) -> Vec<Key> {
    let codes = sequences.codes_of(record).iter();
    if !sequences.is_timed() {
        return codes.map(|&location| key(0, location)).collect();
    }
    let timed = codes.zip(sequences.bins_of(record));
    let mut visits: Vec<Key> = timed.map(|(&location, &bin)| key(bin, location)).collect();
    visits.sort_unstable();
    visits
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
mod tests;
