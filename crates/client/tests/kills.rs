//! Kills between any two steps, and a network that fails in every way.

mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use common::faults::{Fault, Kill, Network};
use common::world::World;
use common::{call, settings, until_the_end};
use proptest::prelude::*;
use tempfile::TempDir;
use wayveil_client::{Outcome, Settings};

fn phone(tokens: bool) -> (TempDir, Rc<RefCell<World>>) {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(tokens, folder.path());
    (folder, world)
}

/// With time between token and question, which a call may wait for.
fn spread() -> Settings {
    let ten_minutes = Duration::from_secs(600);
    Settings {
        spread: ten_minutes,
        patience: ten_minutes,
        ..settings()
    }
}

/// How many points a call that is not killed passes, all in one.
fn points(tokens: bool) -> u32 {
    points_of(&settings(), tokens)
}

fn points_of(settings: &Settings, tokens: bool) -> u32 {
    let (folder, world) = phone(tokens);
    world.borrow_mut().early = 0;
    let kill = Kill::after(None);
    let mut network = Network::sound(&world);
    network.kill = kill.clone();
    let outcome = call(settings, folder.path(), &mut network, &kill, 1).unwrap();
    assert_eq!(outcome, Outcome::Counted);
    kill.passed()
}

fn assert_one_answer(world: &Rc<RefCell<World>>, case: impl std::fmt::Debug) {
    let world = world.borrow();
    assert_eq!(world.different_answers(), 1, "{case:?}");
    assert_eq!(world.counted(), 1, "{case:?}");
    let mut blinded = world.blinded.clone();
    blinded.dedup();
    assert_eq!(blinded.len(), usize::from(world.tokens), "{case:?}");
}

#[test]
fn a_kill_at_any_point_leaves_one_answer_that_is_counted_at_last() {
    let cases = [(settings(), false), (settings(), true), (spread(), true)];
    let [open, tokens, spread] = cases.map(|(settings, tokens)| {
        let points = points_of(&settings, tokens);
        for at in 0..points {
            let (folder, world) = phone(tokens);
            let mut network = Network::sound(&world);
            let ended = until_the_end(&settings, folder.path(), &mut network, &[at], 7);
            assert_eq!(ended, Outcome::Counted, "killed at {at}");
            assert_one_answer(&world, at);
        }
        points
    });
    let points = [open, tokens, spread];
    assert!(open > 20, "{points:?} are too few to be all");
    assert!(open < tokens && tokens < spread, "{points:?}");
}

#[test]
fn two_kills_too() {
    let points = points(false);
    for (first, second) in
        (0..points).flat_map(|at| (at % 3..points).step_by(3).map(move |then| (at, then)))
    {
        let (folder, world) = phone(false);
        let mut network = Network::sound(&world);
        let ended = until_the_end(
            &settings(),
            folder.path(),
            &mut network,
            &[first, second],
            8,
        );
        assert_eq!(ended, Outcome::Counted);
        assert_one_answer(&world, (first, second));
    }
}

#[test]
fn each_fault_at_each_request_is_survived() {
    for fault in Fault::ALL {
        for at in 0..10 {
            let (folder, world) = phone(true);
            let mut faults = vec![Fault::None; at];
            faults.push(fault);
            let mut network = Network::with_faults(&world, &faults);
            let ended = until_the_end(&settings(), folder.path(), &mut network, &[], 9);
            assert_eq!(ended, Outcome::Counted, "{fault:?} at {at}");
            assert_one_answer(&world, (fault, at));
        }
    }
}

/// The same where the phone's round comes later than the one that is open.
#[test]
fn kills_and_faults_while_the_round_is_waited_for() {
    let later = |tokens| {
        let (folder, world) = phone(tokens);
        world.borrow_mut().early = 0;
        world.borrow_mut().open = vec![0, 0, 1];
        (folder, world)
    };
    let patient = Settings {
        patience: Duration::from_secs(600),
        ..settings()
    };
    for tokens in [false, true] {
        for at in 0..points_of(&patient, tokens) + 4 {
            // Those who wait in one call pass the same points.
            for settings in [&settings(), &patient]
                .into_iter()
                .take(1 + at as usize % 2)
            {
                let (folder, world) = later(tokens);
                let mut network = Network::sound(&world);
                let ended = until_the_end(settings, folder.path(), &mut network, &[at], 7);
                assert_eq!(ended, Outcome::Counted, "killed at {at}");
                assert_one_answer(&world, at);
            }
        }
    }
    for fault in Fault::ALL {
        for at in 0..12 {
            let (folder, world) = later(true);
            let mut faults = vec![Fault::None; at];
            faults.push(fault);
            let mut network = Network::with_faults(&world, &faults);
            let ended = until_the_end(&settings(), folder.path(), &mut network, &[], 9);
            assert_eq!(ended, Outcome::Counted, "{fault:?} at {at}");
            assert_one_answer(&world, (fault, at));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn many_kills_and_faults_leave_one_answer(
        tokens: bool,
        kills in proptest::collection::vec(0_u32..40, 0..12),
        faults in proptest::collection::vec(0_usize..Fault::ALL.len(), 0..30),
        early in 0_u32..5,
        rounds_before in 0_usize..5,
        seed in 0_u64..1_000_000,
    ) {
        let (folder, world) = phone(tokens);
        world.borrow_mut().early = early;
        let mut open = vec![0; rounds_before];
        open.push(1);
        world.borrow_mut().open = open;
        let faults: Vec<_> = faults.iter().map(|&at| Fault::ALL[at]).collect();
        let mut network = Network::with_faults(&world, &faults);
        let ended = until_the_end(&settings(), folder.path(), &mut network, &kills, seed);
        prop_assert_eq!(ended, Outcome::Counted);
        assert_one_answer(&world, (kills, faults));
    }
}

/// What this test relies on: without a kept state, another call gives another answer. So an answer
/// that was not kept would be seen.
#[test]
fn a_phone_that_forgets_everything_is_caught() {
    let (folder, world) = phone(false);
    for seed in [1, 2] {
        let mut network = Network::sound(&world);
        let ended = until_the_end(&settings(), folder.path(), &mut network, &[], seed);
        assert_eq!(ended, Outcome::Counted);
        std::fs::remove_dir_all(folder.path()).unwrap();
    }
    assert_eq!(world.borrow().different_answers(), 2);
}

#[test]
fn a_lost_state_after_booking_ends_it_for_good() {
    for tokens in [false, true] {
        for at in 0..points(tokens) {
            let (folder, world) = phone(tokens);
            world.borrow_mut().early = 0;
            let kill = Kill::after(Some(at));
            let mut network = Network::sound(&world);
            network.kill = kill.clone();
            let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                call(&settings(), folder.path(), &mut network, &kill, 3)
            }));
            assert!(killed.is_err());
            let state = folder.path().join("campaign-0000000000001092");
            let had_state = std::fs::remove_file(state).is_ok();
            let mut network = Network::sound(&world);
            let ended = until_the_end(&settings(), folder.path(), &mut network, &[], 4);
            let different = world.borrow().different_answers();
            assert!(different <= 1, "lost at {at}: {different} answers");
            if let Outcome::Stopped { code, .. } = &ended {
                // Booked, or asked for a token whose blinding is lost.
                assert!(
                    had_state && ["lost", "used"].contains(&code.as_str()),
                    "{ended:?}"
                );
            }
        }
    }
}
