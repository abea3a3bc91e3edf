//! Membership attacks: leaks are found, and where there is none, nothing is.

use std::num::NonZeroU64;
use std::sync::Arc;

use wayveil_core::{
    Budget, Dataset, Error, Manifest, Origin, Owners, RandomSource, Raw, Result, Sequences, Silent,
    Terms, Universe, publish,
};
use wayveil_evaluate::attack::{
    Again, AttackSettings, Found, Method, Outcome, People, Question, Scene, Target, find,
};
use wayveil_mechanisms::Parameters;
use wayveil_noise::below;

/// A leak must be this improbable by chance.
const CERTAIN: f64 = 1e-9;
/// Without a leak, a test fails with this probability over the choice of its seed.
const FALSE_ALARM: f64 = 1e-9;
const BOTH: [&str; 2] = ["membership-nearest", "membership-shadow"];
const LOCATIONS: u64 = 30;

fn universe() -> Arc<Universe> {
    let labels = (0..LOCATIONS).map(|number| format!("L{number}"));
    Arc::new(Universe::from_labels(labels, Origin::Declared("test".into())).unwrap())
}

/// Random walks of 4 to 8 locations: nearly all different.
fn walks(people: usize, seed: u64) -> People {
    let mut random = RandomSource::insecure_seed(seed).stream();
    let mut draw = |most: u64| below(NonZeroU64::new(most).unwrap(), &mut random);
    let records = (0..people).map(|_| {
        let length = 4 + draw(5);
        (0..length)
            .map(|_| draw(LOCATIONS) as u32)
            .collect::<Vec<_>>()
    });
    People::bare(Sequences::from_codes(records))
}

/// Few ways that many take: whoever is in, the same ways are released.
fn crowd(people: usize) -> People {
    let records = (0..people as u32).map(|person| vec![person % 5, person % 3]);
    People::bare(Sequences::from_codes(records))
}

fn settings() -> AttackSettings {
    AttackSettings {
        victims: 1000,
        shadow_targets: 20,
        ..AttackSettings::default()
    }
}

struct Setting<'a> {
    people: &'a People,
    released: &'a People,
    outsiders: Option<&'a People>,
}

fn attack(name: &str, setting: &Setting<'_>, method: Method<'_>) -> Result<Outcome> {
    attack_with(name, setting, method, &settings())
}

fn attack_with(
    name: &str,
    setting: &Setting<'_>,
    method: Method<'_>,
    settings: &AttackSettings,
) -> Result<Outcome> {
    let scene = Scene {
        people: setting.people,
        target: Target {
            records: setting.released,
            method,
        },
        outsiders: setting.outsiders,
        universe: &universe(),
        time: None,
    };
    let attack = find(name).unwrap();
    assert_eq!(attack.question, Question::Membership);
    (attack.run)(&scene, settings, &Silent)
}

fn alone(people: &People) -> Setting<'_> {
    Setting {
        people,
        released: people,
        outsiders: None,
    }
}

fn found(outcome: Result<Outcome>) -> Vec<Found> {
    match outcome.unwrap() {
        Outcome::Found(found) => found,
        Outcome::NotPossible(reason) => panic!("not possible: {reason}"),
    }
}

fn reason(outcome: Result<Outcome>) -> String {
    match outcome.unwrap() {
        Outcome::Found(found) => panic!("made: {found:?}"),
        Outcome::NotPossible(reason) => reason,
    }
}

fn of<'a>(found: &'a [Found], name: &str) -> &'a Found {
    found.iter().find(|found| found.name == name).unwrap()
}

fn assert_no_better_than_a_coin(found: &[Found]) {
    for found in found {
        assert!(found.members.tries > 0);
        assert!(!found.better_than_chance(FALSE_ALARM), "{found:?}");
    }
}

/// A real release by `prefix-tree`, and its manifest.
fn tree(people: &People, epsilon: &str) -> (People, Manifest) {
    let entry = wayveil_mechanisms::find("prefix-tree").unwrap();
    let given = [("epsilon", epsilon), ("height", "3")];
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, given).unwrap()).unwrap();
    let data = Dataset::new(
        universe(),
        None,
        people.sequences.clone(),
        Owners::EachRecord,
        vec![],
        "p".into(),
    );
    let release = publish(
        &Raw::new(data.unwrap()),
        mechanism.as_ref(),
        &Terms::default(),
        &mut Budget::without_allowance(),
        &mut RandomSource::insecure_seed(5),
        &Silent,
    )
    .unwrap();
    let released = People::bare(release.trajectories().clone());
    (released, release.manifest().clone())
}

#[test]
fn records_as_they_are_tell_who_is_in() {
    let people = walks(2000, 1);
    let nearest = found(attack(BOTH[0], &alone(&people), Method::AsTheyAre));
    let (nearest, shadow) = (
        of(&nearest, "nearest").clone(),
        found(attack(BOTH[1], &alone(&people), Method::AsTheyAre)),
    );
    assert_eq!((nearest.members.tries, nearest.rate()), (500, Some(1.0)));
    for name in ["exposed", "random"] {
        let found = of(&shadow, name);
        assert_eq!(
            (found.members.tries, found.rate()),
            (20 * 32, Some(1.0)),
            "{name}"
        );
        assert_eq!(found.independent, Some(20));
    }
}

#[test]
fn a_lost_symbol_does_not_hide_anyone() {
    let people = walks(2000, 2);
    // One symbol of each record is left out: the first, the last, or one in between.
    for lost in [0, 1, 2] {
        let leaky = |numbers: &[u32], _: &mut RandomSource| {
            let records = numbers.iter().map(|&number| {
                let mut codes = people.sequences.codes_of(number as usize).to_vec();
                codes.remove([0, codes.len() - 1, codes.len() / 2][lost]);
                codes
            });
            Ok(People::bare(Sequences::from_codes(records)))
        };
        for name in BOTH {
            for found in found(attack(name, &alone(&people), Method::Again(&leaky))) {
                assert!(found.better_than_chance(CERTAIN), "{lost}: {found:?}");
                assert!(found.rate().unwrap() > 0.8, "{lost}: {found:?}");
            }
        }
    }
}

#[test]
fn a_leak_about_every_second_target_is_found() {
    let people = walks(1000, 3);
    let leaky = |numbers: &[u32], _: &mut RandomSource| {
        let records = numbers.iter().filter(|&number| number % 2 == 0);
        let records = records.map(|&number| people.sequences.codes_of(number as usize));
        Ok(People::bare(Sequences::from_codes(records)))
    };
    for name in BOTH {
        for found in found(attack(name, &alone(&people), Method::Again(&leaky))) {
            assert!(found.better_than_chance(CERTAIN), "{found:?}");
        }
    }
}

#[test]
fn a_private_release_tells_nothing() {
    for people in [walks(3000, 4), crowd(3000)] {
        let (released, manifest) = tree(&people, "0.1");
        let again = Again::from_manifest(&manifest, &people, &universe(), None).unwrap();
        let publish =
            |numbers: &[u32], random: &mut RandomSource| again.publish(numbers, random, &Silent);
        let setting = Setting {
            released: &released,
            ..alone(&people)
        };
        for name in BOTH {
            let found = found(attack(name, &setting, Method::Again(&publish)));
            assert_no_better_than_a_coin(&found);
            // Seeds are fixed, so this can be strict without ever failing by chance.
            assert!(
                found.iter().all(|found| !found.better_than_chance(1e-6)),
                "{found:?}"
            );
        }
    }
}

#[test]
fn what_does_not_depend_on_the_people_tells_nothing() {
    let people = walks(1000, 5);
    // Noise that differs from release to release, so that there is something to learn by mistake.
    let noise = |_: &[u32], random: &mut RandomSource| {
        let mut random = random.stream();
        let records =
            (0..1000).filter(|_| below(NonZeroU64::MIN.saturating_add(1), &mut random) == 1);
        let records = records.map(|number| people.sequences.codes_of(number));
        Ok(People::bare(Sequences::from_codes(records)))
    };
    for seed in 0..10 {
        let settings = AttackSettings { seed, ..settings() };
        for name in BOTH {
            let outcome = attack_with(name, &alone(&people), Method::Again(&noise), &settings);
            assert_no_better_than_a_coin(&found(outcome));
        }
    }
}

#[test]
fn outsiders_stand_for_those_who_are_not_in() {
    let (people, outsiders) = (walks(1000, 6), walks(1000, 7));
    let setting = Setting {
        outsiders: Some(&outsiders),
        ..alone(&people)
    };
    let told = found(attack(
        BOTH[0],
        &setting,
        Method::Unknown("made elsewhere".into()),
    ));
    assert_eq!((told[0].members.tries, told[0].rate()), (500, Some(1.0)));
    // A release of neither tells nothing, nor does an empty one.
    for released in [walks(1000, 8), People::bare(Sequences::empty(false))] {
        let setting = Setting {
            released: &released,
            ..setting
        };
        assert_no_better_than_a_coin(&found(attack(
            BOTH[0],
            &setting,
            Method::Unknown("made elsewhere".into()),
        )));
    }
}

#[test]
fn outsiders_without_time_are_refused_where_people_have_it() {
    let outsiders = walks(10, 1);
    let mut timed = Sequences::empty(true);
    timed.push(&[1], &[1]);
    let people = People::bare(timed);
    let setting = Setting {
        outsiders: Some(&outsiders),
        ..alone(&people)
    };
    let error = attack(BOTH[0], &setting, Method::Unknown("made elsewhere".into()))
        .err()
        .unwrap();
    assert!(error.message().contains("time bins"), "{error}");
}

#[test]
fn what_cannot_be_attacked_has_a_reason() {
    let people = walks(50, 9);
    for name in BOTH {
        let unknown = reason(attack(
            name,
            &alone(&people),
            Method::Unknown("made elsewhere".into()),
        ));
        assert!(unknown.contains("--outsiders"), "{unknown}");
        let refuses = |_: &[u32], _: &mut RandomSource| Err(Error::refused("only noise is left"));
        let refused = reason(attack(name, &alone(&people), Method::Again(&refuses)));
        assert!(refused.contains("only noise is left"), "{refused}");
        let fails = |_: &[u32], _: &mut RandomSource| Err(Error::input("broken"));
        assert!(attack(name, &alone(&people), Method::Again(&fails)).is_err());
    }
    let few = AttackSettings {
        shadows: 3,
        ..settings()
    };
    let few = attack_with(BOTH[1], &alone(&people), Method::AsTheyAre, &few);
    assert!(reason(few).contains("3 shadows are too few"));
}

#[test]
fn few_people_and_empty_releases_are_no_trouble() {
    let nothing = |_: &[u32], _: &mut RandomSource| Ok(People::bare(Sequences::empty(false)));
    for number in 0..4 {
        let walked = walks(number, 10);
        let still = People::bare(Sequences::from_codes(vec![[0u32; 0]; number]));
        for people in [walked, still] {
            for name in BOTH {
                attack(name, &alone(&people), Method::AsTheyAre).unwrap();
                let outcome = attack(name, &alone(&people), Method::Again(&nothing));
                if let Outcome::Found(found) = outcome.unwrap() {
                    assert_no_better_than_a_coin(&found);
                }
            }
        }
    }
    let pair = crowd(2);
    let (_, manifest) = tree(&pair, "0.1");
    let again = Again::from_manifest(&manifest, &pair, &universe(), None).unwrap();
    let publish =
        |numbers: &[u32], random: &mut RandomSource| again.publish(numbers, random, &Silent);
    for name in BOTH {
        let found = found(attack(name, &alone(&pair), Method::Again(&publish)));
        assert_no_better_than_a_coin(&found);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let people = walks(500, 11);
    let (_, manifest) = tree(&people, "2");
    let again = Again::from_manifest(&manifest, &people, &universe(), None).unwrap();
    let publish =
        |numbers: &[u32], random: &mut RandomSource| again.publish(numbers, random, &Silent);
    let results = [1, 3, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            BOTH.map(|name| found(attack(name, &alone(&people), Method::Again(&publish))))
        })
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[1], results[2]);
    let other = AttackSettings {
        seed: 2,
        ..settings()
    };
    let other = attack_with(BOTH[1], &alone(&people), Method::Again(&publish), &other);
    assert_ne!(found(other), results[0][1]);
}
