use wayveil_core::{Origin, Silent, Universe};

use super::super::testing::places;
use super::super::{Method, Target};
use super::*;

/// The attack that says whether a record is published, on everyone.
fn seen(scene: &Scene<'_>, settings: &AttackSettings) -> AllTried<Victim, bool> {
    let trials = Trials {
        scene,
        settings,
        progress: &Silent,
        name: "test",
        nobody: "nobody",
    };
    let tried = trials.make(
        |visits| !visits.is_empty(),
        |victim, _| victim,
        |published, victims: &[&Victim]| {
            let published: Vec<Vec<Key>> = (0..published.len())
                .map(|record| visits(&published.sequences, record))
                .collect();
            let seen = victims.iter().map(|it| published.contains(&it.record));
            Ok(seen.collect())
        },
    );
    tried.unwrap().unwrap_or_else(|_| panic!("not possible"))
}

fn scene<'a>(people: &'a People, universe: &'a Universe) -> Scene<'a> {
    Scene {
        people,
        target: Target {
            records: people,
            method: Method::AsTheyAre,
        },
        outsiders: None,
        universe,
        time: None,
    }
}

#[test]
fn those_who_are_in_are_published_and_nobody_else() {
    let people = People::bare(Sequences::from_codes((0..300u32).map(|at| [at])));
    let universe = places(300);
    for (trials, victims) in [(1, 300), (4, 300), (7, 50), (1000, 300)] {
        let settings = AttackSettings {
            trials,
            victims,
            ..AttackSettings::default()
        };
        let all = seen(&scene(&people, &universe), &settings);
        assert_eq!(all.tried.len(), victims);
        assert!(all.tried.iter().all(|it| it.is_in == it.result));
        let mut who: Vec<usize> = all.tried.iter().map(|it| it.victim.person).collect();
        assert!(!who.is_sorted(), "in random order");
        who.sort_unstable();
        who.dedup();
        assert_eq!(who.len(), victims, "nobody twice");
        let found = all.found("", |_, &seen| Some(seen));
        let Control::Outsiders(others) = found.control else {
            panic!("no control");
        };
        assert_eq!((others.successes, found.rate()), (0, Some(1.0)));
        assert_eq!(others.tries + found.members.tries, victims as u64);
        // Six standard deviations.
        let half = victims as f64 / 2.0;
        assert!((others.tries as f64 - half).abs() < 6.0 * (half / 2.0).sqrt());
    }
}

#[test]
fn an_owner_is_in_with_all_records_and_a_victim_once() {
    // Three records each; which one is attacked differs, but all three are in or none is.
    let mut people = People::bare(Sequences::from_codes((0..300u32).map(|at| [at])));
    people.owners = Some((0..300).map(|at| at / 3).collect());
    let universe = places(300);
    let all = seen(&scene(&people, &universe), &AttackSettings::default());
    assert_eq!(all.tried.len(), 100);
    let rows: Vec<usize> = all.tried.iter().map(|it| it.victim.person % 3).collect();
    assert!((0..3).all(|row| rows.contains(&row)));
    let halves = look_at_halves(
        &scene(&people, &universe),
        5,
        &mut RandomSource::insecure_seed(1),
        &Silent,
        |_, is_in, published| {
            assert!(is_in.chunks(3).all(|own| own == [own[0]; 3]));
            let codes: Vec<u32> = (0..300u32).filter(|&at| is_in[at as usize]).collect();
            assert_eq!(published.sequences.codes(), codes);
            Ok(())
        },
    );
    assert!(matches!(halves.unwrap(), Halves::Seen(seen) if seen.len() == 5));
}

#[test]
fn outsiders_are_the_control_where_there_are_any() {
    let people = People::bare(Sequences::from_codes((0..200u32).map(|at| [at])));
    let outsiders = People::bare(Sequences::from_codes((200..300u32).map(|at| [at])));
    let universe = places(300);
    let scene = Scene {
        outsiders: Some(&outsiders),
        target: Target {
            records: &people,
            method: Method::Unknown("made elsewhere".into()),
        },
        ..scene(&people, &universe)
    };
    let all = seen(&scene, &AttackSettings::default());
    assert_eq!(all.tried.len(), 100, "no more than there are of either");
    for tried in &all.tried {
        assert_eq!(
            (tried.is_in, tried.result),
            (!tried.victim.outsider, tried.is_in)
        );
    }
}

#[test]
fn without_anything_to_compare_with_everyone_is_in() {
    let people = People::bare(Sequences::from_codes((0..20u32).map(|at| [at])));
    let universe = Universe::from_labels(["A"], Origin::FromData).unwrap();
    let scene = Scene {
        target: Target {
            records: &people,
            method: Method::Unknown("made elsewhere".into()),
        },
        ..scene(&people, &universe)
    };
    let found = seen(&scene, &AttackSettings::default()).found("x", |_, &seen| Some(seen));
    assert_eq!((found.members.tries, found.control), (20, Control::None));
}

#[test]
fn times_on_one_side_only_are_refused() {
    let (timed, untimed) = (Sequences::empty(true), Sequences::empty(false));
    let (timed, untimed) = (People::bare(timed), People::bare(untimed));
    let universe = places(1);
    let fails = |scene: &Scene<'_>| {
        let trials = Trials {
            scene,
            settings: &AttackSettings::default(),
            progress: &Silent,
            name: "",
            nobody: "",
        };
        let made = trials.make(|_| true, |it, _| it, |_, _| Ok(Vec::<()>::new()));
        made.err().expect("refused").message().contains("time bins")
    };
    let records = Target {
        records: &timed,
        method: Method::AsTheyAre,
    };
    assert!(fails(&Scene {
        target: records,
        ..scene(&untimed, &universe)
    }));
    assert!(fails(&Scene {
        outsiders: Some(&timed),
        ..scene(&untimed, &universe)
    }));
}

#[test]
fn every_order_of_revealing_is_as_likely() {
    let mut random = RandomSource::insecure_seed(1).stream();
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..6000 {
        let order = reveal(vec![4, 5, 6], 2, &mut random);
        *seen.entry(order).or_insert(0) += 1;
    }
    // Six ordered pairs, 1000 each on average, with a standard deviation of 29.
    assert_eq!(seen.len(), 6);
    assert!(seen.values().all(|&count: &i32| (count - 1000).abs() < 180));
    assert_eq!(reveal(vec![], 3, &mut random), Vec::<usize>::new());
    assert_eq!(reveal(vec![9], 3, &mut random), [9]);
}
