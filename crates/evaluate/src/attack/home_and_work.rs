//! `home-and-work`: where does a person live and work?
//!
//! A public rule says where. With a clock on the time axis, home is the location of most visits in
//! bins that begin from 20 to 6 o'clock, local time, and work that of most visits in bins that begin
//! from 9 to 17 o'clock from Monday to Friday, home left out. Without a clock, home is the location
//! of most visits and work that of the second most. Of several the one that was visited first is
//! taken. A record without such visits has no home, or no work.
//!
//! **Attacker.** Knows 4 (`typical_points`) random visits of the victim that were neither at home nor
//! at work, or all such visits where these are fewer; without any, only that the victim exists.
//! Guesses the most frequent home of the published records that match (for `work` the most frequent
//! work, for `both` the most frequent pair), of several the one with the smallest code. Where no
//! matching record has one, known visits are left out, the last drawn first; at last everyone is
//! asked.
//!
//! **Success.** It is the victim's. Each entry's victims are those who have what it asks for.

use std::cmp::Reverse;
use std::hash::Hash;

use rayon::prelude::*;
use wayveil_core::{Progress, Result};

use super::daytime::{Daytime, daytimes};
use super::matching::{Crowd, Key, bin_of, location_of};
use super::trials::{Trials, Victim, reveal};
use super::votes::{Votes, guess};
use super::{Attack, AttackSettings, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "home-and-work",
    about: "infers where a person lives and works from visits elsewhere",
    question: Question::Inference,
    definition: "Home is where most visits in bins from 20 to 6 o'clock are, work where most from 9 \
                 to 17 o'clock on Monday to Friday are, elsewhere; without a clock the most and the \
                 second most visited location. The attacker knows 4 random visits at neither, or \
                 all of them, and guesses the most frequent home, work, or pair of both among \
                 published records that match; where none does, with fewer points. Success: the \
                 victim's.",
    source: "after Golle, Partridge (2009), on the anonymity of home and work",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let rule = match scene.time {
        Some(axis) if scene.people.sequences.is_timed() => daytimes(axis)?,
        _ => None,
    };
    let rule = rule.as_deref();
    let anchors = |visits: &[Key]| Anchors::of(visits.iter().copied(), rule);
    let trials = Trials {
        scene,
        settings,
        progress,
        name: ATTACK.name,
        nobody: "nobody has a home or a work",
    };
    let tried = trials.make(
        |visits| anchors(visits) != Anchors::default(),
        |mut victim, random| {
            let own = anchors(&victim.record);
            let elsewhere = (0..victim.record.len()).filter(|&at| {
                let location = Some(location_of(victim.record[at]));
                location != own.home && location != own.work
            });
            let elsewhere = elsewhere.collect();
            victim.revealed = reveal(elsewhere, settings.typical_points, random);
            victim
        },
        |published, victims| {
            let crowd = Crowd::new(&published.sequences)?;
            let homes = Homes::of(&crowd, rule);
            let right = |victim: &&Victim| {
                let levels = crowd.narrow(&victim.record, &victim.revealed);
                let (guessed, own) = (inferred(&crowd, &levels, &homes), anchors(&victim.record));
                [
                    own.home.map(|_| guessed.home == own.home),
                    own.work.map(|_| guessed.work == own.work),
                    own.both().map(|_| guessed.both == own.both()),
                ]
            };
            Ok(victims.par_iter().map(right).collect())
        },
    )?;
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| {
            let entries = ["home", "work", "both"].into_iter().enumerate();
            let found = entries
                .map(|(at, name)| tried.found(name, |_, right: &[Option<bool>; 3]| right[at]));
            Outcome::Found(found.collect())
        },
    ))
}

/// Home and work of one record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Anchors {
    home: Option<u32>,
    work: Option<u32>,
}

impl Anchors {
    fn both(&self) -> Option<(u32, u32)> {
        self.home.zip(self.work)
    }

    /// The rule.
    fn of(visits: impl Iterator<Item = Key> + Clone, daytimes: Option<&[Daytime]>) -> Self {
        let during = |part: Daytime| {
            visits
                .clone()
                .filter(move |&visit| match daytimes {
                    Some(daytimes) => daytimes.get(bin_of(visit) as usize) == Some(&part),
                    None => true,
                })
                .map(location_of)
        };
        let home = most_visited(during(Daytime::Night));
        let work = most_visited(during(Daytime::Work).filter(|&at| Some(at) != home));
        Self { home, work }
    }
}

/// The most frequent location; of several the one that comes first.
fn most_visited(locations: impl Iterator<Item = u32>) -> Option<u32> {
    let mut visits: Vec<(u32, usize)> = locations.zip(0..).collect();
    visits.sort_unstable();
    let runs = visits.chunk_by(|a, b| a.0 == b.0);
    let best = runs.max_by_key(|run| (run.len(), Reverse(run[0].1)))?;
    Some(best[0].0)
}

/// Home and work of every form, and the most frequent ones.
struct Homes {
    of_form: Vec<Anchors>,
    overall: Guessed,
}

impl Homes {
    fn of(crowd: &Crowd, daytimes: Option<&[Daytime]>) -> Self {
        let of_form: Vec<Anchors> = (0..crowd.forms())
            .into_par_iter()
            .map(|form| Anchors::of(crowd.visits_of(form), daytimes))
            .collect();
        let (mut home, mut work, mut both) = (Votes::new(), Votes::new(), Votes::new());
        for (form, anchors) in (0..).zip(&of_form) {
            let people = crowd.count(form);
            add(&mut home, anchors.home, people);
            add(&mut work, anchors.work, people);
            add(&mut both, anchors.both(), people);
        }
        Self {
            of_form,
            overall: Guessed {
                home: home.winner(),
                work: work.winner(),
                both: both.winner(),
            },
        }
    }
}

fn add<T: Copy + Ord + Hash>(votes: &mut Votes<T>, answer: Option<T>, people: usize) {
    if let Some(answer) = answer {
        votes.add(answer, people);
    }
}

/// What is guessed; for both of them together apart from each alone.
#[derive(Debug, PartialEq)]
struct Guessed {
    home: Option<u32>,
    work: Option<u32>,
    both: Option<(u32, u32)>,
}

/// The guess, from the forms that match the known points.
fn inferred(crowd: &Crowd, levels: &[Vec<u32>], homes: &Homes) -> Guessed {
    let overall = &homes.overall;
    Guessed {
        home: answer(crowd, levels, homes, |it| it.home).or(overall.home),
        work: answer(crowd, levels, homes, |it| it.work).or(overall.work),
        both: answer(crowd, levels, homes, Anchors::both).or(overall.both),
    }
}

fn answer<T: Copy + Ord + Hash>(
    crowd: &Crowd,
    levels: &[Vec<u32>],
    homes: &Homes,
    asked: impl Fn(&Anchors) -> Option<T>,
) -> Option<T> {
    guess(levels, |_, form, votes| {
        let answer = asked(&homes.of_form[form as usize]);
        add(votes, answer, crowd.count(form));
    })
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Clock, Origin, Sequences, Silent, TimeAxis};

    use super::super::testing::{attack, found, places, successes};
    use super::super::{Method, People, Target};
    use super::*;

    #[test]
    fn without_a_clock_the_most_visited_places_are_home_and_work() {
        let of = |visits: &[Key]| Anchors::of(visits.iter().copied(), None);
        let anchors = of(&[9, 4, 4, 7, 9, 9, 7]);
        assert_eq!((anchors.home, anchors.work), (Some(9), Some(4)));
        let anchors = of(&[7, 4, 7]);
        assert_eq!((anchors.home, anchors.work), (Some(7), Some(4)));
        assert_eq!(of(&[4]).both(), None);
        assert_eq!(of(&[]), Anchors::default());
    }

    #[test]
    fn with_a_clock_nights_and_working_hours_tell() {
        use super::super::matching::key;
        use Daytime::{Night, Other, Work};
        let of = |visits: &[Key]| {
            let daytimes = [Night, Work, Other, Work];
            Anchors::of(visits.iter().copied(), Some(&daytimes))
        };
        // One night at 5; at work three times at 5, once at 6; ever so often at 7 otherwise.
        let visits = [
            key(0, 5),
            key(1, 5),
            key(1, 5),
            key(1, 6),
            key(2, 7),
            key(2, 7),
            key(3, 5),
        ];
        assert_eq!(of(&visits).both(), Some((5, 6)));
        let never = of(&[key(2, 7), key(3, 1)]);
        assert_eq!((never.home, never.work), (None, Some(1)));
    }

    #[test]
    fn visits_elsewhere_give_a_home_away() {
        // Everyone has two places of their own and one that nobody else goes to.
        let records = (0..10u32).map(|at| [at, at, at, at + 10, at + 10, at + 20]);
        let people = People::bare(Sequences::from_codes(records));
        let settings = AttackSettings::default();
        let result = found(attack(&ATTACK, &people, &people, &settings));
        let all = [("home", 10, 10), ("work", 10, 10), ("both", 10, 10)];
        assert_eq!(successes(&result), all);
        // Without anything elsewhere only the overall answer is left: the smallest of ten.
        let records = (0..10u32).map(|at| [at, at, at + 10]);
        let people = People::bare(Sequences::from_codes(records));
        let result = found(attack(&ATTACK, &people, &people, &settings));
        let all = [("home", 10, 1), ("work", 10, 1), ("both", 10, 1)];
        assert_eq!(successes(&result), all);
    }

    #[test]
    fn the_clock_of_the_axis_is_used() {
        // A Monday by the hour. At 23 o'clock at 1, at 10 o'clock at 2, at 18 o'clock often at 3.
        let mut records = Sequences::empty(true);
        for _ in 0..3 {
            records.push(&[2, 3, 3, 1], &[10, 18, 18, 23]);
        }
        let people = People::bare(records);
        let universe = places(4);
        let axis = TimeAxis {
            clock: Some(Clock {
                starts: "2024-03-04T00:00:00Z".into(),
                bin_seconds: 3600,
                zone: "UTC".into(),
            }),
            ..TimeAxis::new(24, Origin::Declared("test".into()))
        };
        // A release that sends everyone home to 1 and to work at 0.
        let released = Sequences::new(vec![0, 3], vec![0, 3, 1], Some(vec![10, 18, 23])).unwrap();
        let scene = Scene {
            people: &people,
            target: Target {
                records: &People::bare(released),
                method: Method::Unknown("made elsewhere".into()),
            },
            outsiders: None,
            universe: &universe,
            time: Some(&axis),
        };
        let result = found(run(&scene, &AttackSettings::default(), &Silent).unwrap());
        let all = [("home", 3, 3), ("work", 3, 0), ("both", 3, 0)];
        assert_eq!(successes(&result), all);
    }
}
