//! Attacks beside their control: what does not tell anything is not called a leak, what does is.

use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use wayveil_core::{
    Dataset, Labels, Origin, Owners, PrivacyUnit, RandomSource, Sequences, Silent, Universe,
};
use wayveil_evaluate::attack::{
    ALL, AttackSettings, Column, Control, Found, Made, Method, Outcome, People, Question, Scene,
    Target, find, level,
};
use wayveil_noise::below;
use wayveil_noise::statistics::incomplete_beta;

const LOCATIONS: u64 = 6;
const SEEDS: u64 = 240;
/// A test fails with this probability over the choice of its seeds, if alarms are as rare as they
/// must be.
const FALSE_ALARM: f64 = 1e-9;

fn universe(locations: u64) -> Universe {
    let labels = (0..locations).map(|number| format!("L{number}"));
    Universe::from_labels(labels, Origin::Declared("test".into())).unwrap()
}

/// People who go to few places, some more often than others, with a column.
fn people(count: usize, seed: u64) -> People {
    let mut random = RandomSource::insecure_seed(seed).stream();
    let mut draw = |most: u64| below(NonZeroU64::new(most).unwrap(), &mut random);
    let mut records = Vec::new();
    let mut of_record = Vec::new();
    for _ in 0..count {
        let length = 1 + draw(5);
        let place = |draw: &mut dyn FnMut(u64) -> u64| draw(LOCATIONS).min(draw(LOCATIONS)) as u32;
        records.push((0..length).map(|_| place(&mut draw)).collect::<Vec<u32>>());
        of_record.push(["full", "half", "free"][draw(3) as usize].into());
    }
    People {
        sequences: Sequences::from_codes(records),
        columns: vec![Column {
            name: "fare".into(),
            of_record,
        }],
        owners: None,
    }
}

fn settings(seed: u64) -> AttackSettings {
    AttackSettings {
        seed,
        points: 4,
        shadows: 8,
        shadow_targets: 10,
        ..AttackSettings::default()
    }
}

/// Every attack on a scene.
fn attack_all(scene: &Scene<'_>, settings: &AttackSettings) -> Vec<Outcome> {
    let run = |attack: &&'static wayveil_evaluate::attack::Attack| {
        (attack.run)(scene, settings, &Silent).unwrap()
    };
    ALL.iter().map(run).collect()
}

/// Whether any figure is called better than chance.
fn alarm(outcomes: &[Outcome], settings: &AttackSettings) -> bool {
    let made: Vec<Made<'_>> = ALL.iter().copied().zip(outcomes).collect();
    let level = level(&made, settings);
    let mut figures = outcomes.iter().flat_map(Outcome::figures);
    figures.any(|found| found.better_than_chance(level))
}

/// So many alarms of all seeds are compatible with a probability of at most alpha each.
fn assert_rare(alarms: u64, what: &str) {
    let by_chance = match alarms {
        0 => 1.0,
        some => incomplete_beta(some as f64, (SEEDS - some) as f64 + 1.0, 0.05),
    };
    assert!(by_chance > FALSE_ALARM, "{what}: {alarms} of {SEEDS}");
}

fn scene<'a>(people: &'a People, universe: &'a Universe, method: Method<'a>) -> Scene<'a> {
    Scene {
        people,
        target: Target {
            records: people,
            method,
        },
        outsiders: None,
        universe,
        time: None,
    }
}

#[test]
fn a_file_of_other_people_is_no_leak() {
    let universe = universe(LOCATIONS);
    for size in [1, 8, 60, 300] {
        let mut alarms = 0;
        for seed in 0..SEEDS {
            let [ours, others, published] =
                [(60, 0), (60, 1), (size, 2)].map(|(count, of)| people(count, 3 * seed + of));
            let scene = Scene {
                outsiders: Some(&others),
                target: Target {
                    records: &published,
                    method: Method::Unknown("made of others".into()),
                },
                ..scene(&ours, &universe, Method::AsTheyAre)
            };
            let settings = settings(seed);
            let outcomes = attack_all(&scene, &settings);
            let made = outcomes.iter().filter(|it| !it.figures().is_empty());
            assert_eq!(made.count(), ALL.len() - 1, "all but shadows");
            alarms += u64::from(alarm(&outcomes, &settings));
        }
        assert_rare(alarms, &format!("{size} others"));
    }
}

#[test]
fn what_does_not_depend_on_the_members_is_no_leak() {
    let universe = universe(LOCATIONS);
    for size in [1, 30, 300] {
        for owned in [false, true] {
            let mut alarms = 0;
            for seed in 0..SEEDS {
                let mut ours = people(90, 2 * seed);
                if owned {
                    // Three records in a row are alike, and of one person.
                    let alike = |at: u32| ours.sequences.codes_of((at - at % 3) as usize).to_vec();
                    ours.sequences = Sequences::from_codes((0..90).map(alike));
                    ours.owners = Some((0..90).map(|at| at / 3).collect());
                }
                let fixed = people(size, 2 * seed + 1);
                let publish = |_: &[u32], _: &mut RandomSource| Ok(fixed.clone());
                let scene = scene(&ours, &universe, Method::Again(&publish));
                let settings = settings(seed);
                let outcomes = attack_all(&scene, &settings);
                assert!(outcomes.iter().all(|it| !it.figures().is_empty()));
                alarms += u64::from(alarm(&outcomes, &settings));
            }
            assert_rare(alarms, &format!("{size} fixed, owned {owned}"));
        }
    }
}

/// What an attack finds on records as they are, or on what was published.
fn found(name: &str, scene: &Scene<'_>) -> Vec<Found> {
    let attack = find(name).unwrap();
    let outcome = (attack.run)(scene, &AttackSettings::default(), &Silent).unwrap();
    assert!(!outcome.figures().is_empty(), "{name} was not possible");
    outcome.figures().to_vec()
}

#[test]
fn records_that_nobody_else_has_give_everyone_away() {
    let records = (0..400u32).map(|at| [4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]);
    let mut ours = People::bare(Sequences::from_codes(records));
    ours.columns.push(Column {
        name: "id".into(),
        of_record: (0..400).map(|at| at.to_string().into()).collect(),
    });
    let universe = universe(1600);
    let scene = scene(&ours, &universe, Method::AsTheyAre);
    for attack in ALL {
        for found in found(attack.name, &scene) {
            // Nobody has more than four visits; a home is known from other visits at least.
            if found.rate().is_none() {
                continue;
            }
            assert!(found.better_than_chance(1e-9), "{}: {found:?}", attack.name);
            assert_eq!(found.rate(), Some(1.0), "{}: {found:?}", attack.name);
            if attack.question != Question::Membership {
                let Control::Outsiders(others) = found.control else {
                    panic!("no control");
                };
                assert!(others.tries > 100 && others.successes == 0);
            }
        }
    }
}

#[test]
fn one_line_that_half_of_the_people_have_is_no_leak() {
    // A hundred times A A and a hundred times B B, beside a file with the single line A A.
    let ours = People::bare(Sequences::from_codes((0..200u32).map(|at| [at / 100; 2])));
    let published = People::bare(Sequences::from_codes([[0u32, 0]]));
    let universe = universe(2);
    let target = || Target {
        records: &published,
        method: Method::Unknown("made elsewhere".into()),
    };
    let outsiders = ours.clone();
    for outsiders in [Some(&outsiders), None] {
        let scene = Scene {
            target: target(),
            outsiders,
            ..scene(&ours, &universe, Method::AsTheyAre)
        };
        let settings = AttackSettings::default();
        assert!(!alarm(&attack_all(&scene, &settings), &settings));
    }
    // Nor where it is what is published of whichever half.
    let publish = |_: &[u32], _: &mut RandomSource| Ok(published.clone());
    let scene = scene(&ours, &universe, Method::Again(&publish));
    let settings = AttackSettings::default();
    assert!(!alarm(&attack_all(&scene, &settings), &settings));
}

#[test]
fn several_trips_of_a_person_do_not_hide_each_other() {
    // Two stations of their own each, and three trips between them.
    let trips = (0..600u32).map(|row| {
        let person = row / 3;
        [2 * person, 2 * person + 1, 2 * person]
    });
    let labels: Vec<String> = (0..200).map(|person| format!("p{person}")).collect();
    let data = Dataset::new(
        Arc::new(universe(400)),
        None,
        Sequences::from_codes(trips),
        Owners::Known {
            of_record: (0..600).map(|row| row / 3).collect(),
            labels: labels.iter().map(String::as_str).collect::<Labels>(),
        },
        vec![],
        "p".into(),
    )
    .unwrap();
    for unit in [
        PrivacyUnit::OwnerBounded(NonZeroU32::new(3).unwrap()),
        PrivacyUnit::Trip,
    ] {
        let ours = People::of(&data, unit);
        let scene = scene(&ours, data.universe(), Method::AsTheyAre);
        for name in ["linkage", "hidden-visit"] {
            let found = found(name, &scene);
            assert_eq!(found[0].rate(), Some(1.0), "{name}");
            assert_eq!(found[0].control_rate(), Some(0.0), "{name}: {found:?}");
            assert!(found[0].better_than_chance(1e-9), "{name}: {found:?}");
        }
        // Three times the same trip: nobody's record is isolated, and nobody is called so.
        assert_eq!(found("singling-out", &scene)[3].rate(), Some(0.0));
    }
}
