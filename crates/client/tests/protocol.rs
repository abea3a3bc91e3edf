//! Every status of the protocol, what is refused before joining, and what is left on the phone.

mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use common::faults::{Fault, Kill, Network};
use common::world::{self, CAMPAIGN, World, error};
use common::{NoSleep, TRAJECTORY, call, settings, until_the_end};
use tempfile::TempDir;
use wayveil_admission::Code;
use wayveil_client::ledger::Ledger;
use wayveil_client::{Disk, Folder, Outcome, Reply, Settings, Tools, take_part};
use wayveil_core::{RandomSource, Result};

fn phone(tokens: bool) -> (TempDir, Rc<RefCell<World>>) {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(tokens, folder.path());
    world.borrow_mut().early = 0;
    (folder, world)
}

fn once(settings: &Settings, folder: &TempDir, world: &Rc<RefCell<World>>) -> Result<Outcome> {
    let kill = Kill::after(None);
    call(
        settings,
        folder.path(),
        &mut Network::sound(world),
        &kill,
        5,
    )
}

fn code(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Stopped { code, .. } => code,
        other => panic!("{other:?} is no end by refusal"),
    }
}

#[test]
fn every_refusal_ends_it_for_good() {
    for (path, status, refused) in [
        ("/v1/answers", 403, "forged"),
        ("/v1/answers", 409, "used"),
        ("/v1/answers", 410, "closed"),
        ("/v1/answers", 413, "too-large"),
        ("/v1/answers", 422, "garbage"),
        ("/v1/answers", 426, "protocol"),
        ("/v1/tokens", 404, "unknown-key"),
        ("/v1/tokens", 409, "used"),
        ("/v1/issuer", 404, "unknown"),
        ("/v1/universe", 404, "unknown"),
    ] {
        let (folder, world) = phone(true);
        world
            .borrow_mut()
            .instead
            .insert(path, error(status, refused));
        let ended = once(&settings(), &folder, &world).unwrap();
        assert_eq!(code(&ended), refused, "{path} {status}");
        // It stays so when the service would take it again, and nothing more is asked.
        world.borrow_mut().instead.clear();
        world.borrow_mut().asked.clear();
        assert_eq!(once(&settings(), &folder, &world).unwrap(), ended);
        assert_eq!(world.borrow().asked, ["/v1/campaign"]);
    }
}

#[test]
fn what_passes_is_tried_again() {
    for status in [301, 401, 408, 425, 429, 500, 502, 503] {
        let (folder, world) = phone(false);
        world
            .borrow_mut()
            .instead
            .insert("/v1/answers", error(status, "x"));
        let later = once(&settings(), &folder, &world).unwrap();
        assert!(
            matches!(later, Outcome::Later { .. }),
            "{status}: {later:?}"
        );
        world.borrow_mut().instead.clear();
        assert_eq!(
            once(&settings(), &folder, &world).unwrap(),
            Outcome::Counted
        );
        assert_eq!(world.borrow().different_answers(), 1);
    }
}

#[test]
fn waits_grow_are_drawn_and_end_with_patience() {
    let (folder, world) = phone(false);
    let busy = Reply {
        retry_after: Some(7),
        ..error(503, "unavailable")
    };
    world.borrow_mut().instead.insert("/v1/campaign", busy);
    let mut settings = settings();
    settings.patience = Duration::from_secs(3600);
    let mut slept = NoSleep(Vec::new());
    let later = take_part(
        &settings,
        &TRAJECTORY,
        Tools {
            disk: &mut Folder::open(folder.path()).unwrap(),
            transport: &mut Network::sound(&world),
            sleeper: &mut slept,
            random: &mut RandomSource::insecure_seed(1),
        },
    );
    assert!(matches!(later.unwrap(), Outcome::Later { .. }));
    let total: Duration = slept.0.iter().sum();
    assert!(
        total <= settings.patience && total > settings.patience / 2,
        "{total:?}"
    );
    let mut longest = 1_000;
    for wait in &slept.0 {
        let drawn = wait.as_millis() as u64 - 7_000;
        assert!(
            (longest / 2..=longest).contains(&drawn),
            "{drawn} of {longest}"
        );
        longest = (longest * 2).min(300_000);
    }
}

#[test]
fn what_the_owner_does_not_accept_is_not_joined() {
    let changes: [fn(&mut Settings); 4] = [
        |s| s.limits.epsilon = "0.99".parse().unwrap(),
        |s| s.limits.per_client = 19,
        |s| s.limits.length = 1,
        |s| s.total = "0.5".parse().unwrap(),
    ];
    for change in changes {
        let (folder, world) = phone(false);
        let mut settings = settings();
        change(&mut settings);
        assert_eq!(once(&settings, &folder, &world).unwrap_err().exit_code(), 1);
        assert_eq!(world.borrow().asked, ["/v1/campaign"]);
        // Nothing was kept: another day the owner may accept it.
        assert_eq!(
            once(&common::settings(), &folder, &world).unwrap(),
            Outcome::Counted
        );
    }
}

#[test]
fn the_total_counts_over_campaigns() {
    let (folder, world) = phone(false);
    // Four of ε = 1 fill the 4 that are accepted.
    let mut disk = Folder::open(folder.path()).unwrap();
    let mut ledger = Ledger::read(&disk).unwrap();
    for campaign in 1..=4 {
        ledger
            .book(&mut disk, campaign, &"1".parse().unwrap())
            .unwrap();
    }
    drop(disk);
    let refused = once(&settings(), &folder, &world).unwrap_err();
    assert!(
        refused.message().contains("4 earlier campaigns"),
        "{refused}"
    );
}

#[test]
fn a_token_needs_a_code_and_says_so_before_joining() {
    let (folder, world) = phone(true);
    let mut settings = settings();
    settings.code = None;
    let error = once(&settings, &folder, &world).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.advice().is_some());
    assert_eq!(world.borrow().asked, ["/v1/campaign"]);
}

/// An answer that a token admits waits for a time that is drawn, and one that a ticket admits does not.
#[test]
fn tokens_and_answers_are_spread_in_time() {
    for tokens in [false, true] {
        let (folder, world) = phone(tokens);
        let mut settings = settings();
        settings.spread = Duration::from_secs(600);
        settings.patience = Duration::from_secs(601);
        let mut slept = NoSleep(Vec::new());
        let ended = take_part(
            &settings,
            &TRAJECTORY,
            Tools {
                disk: &mut Folder::open(folder.path()).unwrap(),
                transport: &mut Network::sound(&world),
                sleeper: &mut slept,
                random: &mut RandomSource::insecure_seed(1),
            },
        );
        assert_eq!(ended.unwrap(), Outcome::Counted);
        assert_eq!(slept.0.len(), usize::from(tokens));
        assert!(
            slept
                .0
                .iter()
                .all(|wait| !wait.is_zero() && *wait < settings.spread)
        );
    }
}

#[test]
fn changed_terms_end_it() {
    let (folder, world) = phone(false);
    world.borrow_mut().early = 1;
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    world.borrow_mut().terms.epsilon = "2".parse().unwrap();
    assert_eq!(
        code(&once(&settings(), &folder, &world).unwrap()),
        "changed"
    );
    assert!(world.borrow().answers.is_empty());
}

#[test]
fn another_collector_with_the_same_number_gets_nothing() {
    let (folder, world) = phone(false);
    world.borrow_mut().early = 1;
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    let mut elsewhere = settings();
    elsewhere.collector = common::world::ISSUER.to_owned();
    assert_eq!(
        once(&elsewhere, &folder, &world).unwrap_err().exit_code(),
        1
    );
    assert_eq!(
        once(&settings(), &folder, &world).unwrap(),
        Outcome::Counted
    );
}

#[test]
fn a_key_that_the_issuer_does_not_name_is_not_used() {
    let (folder, world) = phone(true);
    let other = Reply {
        status: 200,
        retry_after: None,
        body: br#"{"keys":[{"id":"00"}]}"#.to_vec(),
    };
    world.borrow_mut().instead.insert("/v1/issuer", other);
    assert_eq!(code(&once(&settings(), &folder, &world).unwrap()), "issuer");
    assert!(world.borrow().blinded.is_empty());
}

/// A code with a slip of the finger goes nowhere, and one that nobody was given ends nothing: the
/// right one can still be given.
#[test]
fn a_wrong_code_can_be_put_right() {
    let (folder, world) = phone(true);
    let mut wrong = settings();
    wrong.code = Some(
        world::code()
            .text()
            .replace(&world::code().text()[..4], "0000"),
    );
    let error = once(&wrong, &folder, &world).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert_eq!(world.borrow().asked, ["/v1/campaign"]);
    let other = Code::draw(&mut RandomSource::insecure_seed(99).stream());
    wrong.code = Some(other.text());
    let error = once(&wrong, &folder, &world).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert!(error.message().contains("nobody"), "{error}");
    assert_eq!(
        once(&settings(), &folder, &world).unwrap(),
        Outcome::Counted
    );
}

/// Keys change while a phone has asked for a token and not got it: one that was signed is still had,
/// and else a token of the new key is.
#[test]
fn a_phone_follows_when_keys_change() {
    for signed_before in [false, true] {
        let (folder, world) = phone(true);
        let unreachable = match signed_before {
            // The request arrives and is signed, and the reply is lost.
            true => "/v1/tokens",
            false => "/v1/issuer",
        };
        let busy = error(503, "unavailable");
        world.borrow_mut().instead.insert(unreachable, busy);
        assert!(!once(&settings(), &folder, &world).unwrap().is_final());
        world.borrow_mut().instead.clear();
        // The issuer has retired the old key before the collector announces the new one.
        world.borrow_mut().retired = vec![0];
        let key = match signed_before {
            true => 0,
            false => {
                let later = once(&settings(), &folder, &world).unwrap();
                assert!(!later.is_final(), "{later:?}");
                assert!(world.borrow().blinded.is_empty());
                1
            }
        };
        world.borrow_mut().announced = vec![(1, None), (0, Some(1))];
        assert_eq!(
            once(&settings(), &folder, &world).unwrap(),
            Outcome::Counted
        );
        assert_eq!(world.borrow().admitted_by, Some(world::key_id(key)));
    }
}

/// The request was kept and never arrived; when it is sent at last its key is retired.
#[test]
fn a_request_of_a_retired_key_is_made_anew() {
    let (folder, world) = phone(true);
    let kill = Kill::after(None);
    // Announcement, keys, and then the request for a token is lost.
    let mut network = Network::with_faults(&world, &[Fault::None, Fault::None, Fault::LostRequest]);
    let later = call(&settings(), folder.path(), &mut network, &kill, 5).unwrap();
    assert!(!later.is_final() && world.borrow().blinded.is_empty());
    world.borrow_mut().retired = vec![0];
    // The collector still announces the old key: nobody is sent to another one.
    let later = once(&settings(), &folder, &world).unwrap();
    assert!(!later.is_final() && world.borrow().blinded.is_empty());
    world.borrow_mut().announced = vec![(1, None), (0, Some(1))];
    assert_eq!(
        once(&settings(), &folder, &world).unwrap(),
        Outcome::Counted
    );
    assert_eq!(world.borrow().admitted_by, Some(world::key_id(1)));
}

/// The first key that is good in the phone's round, which is 1, is used.
#[test]
fn a_key_whose_rounds_are_over_is_not_used() {
    for (announced, used) in [
        (vec![(0, Some(0)), (1, None)], 1),
        (vec![(0, Some(1)), (1, None)], 0),
        (vec![(1, None), (0, Some(1))], 1),
    ] {
        let (folder, world) = phone(true);
        world.borrow_mut().announced = announced;
        assert_eq!(
            once(&settings(), &folder, &world).unwrap(),
            Outcome::Counted
        );
        assert_eq!(world.borrow().admitted_by, Some(world::key_id(used)));
    }
}

#[test]
fn other_locations_than_announced_are_not_used() {
    let (folder, world) = phone(false);
    let other = Reply {
        status: 200,
        retry_after: None,
        body: b"{}".to_vec(),
    };
    world.borrow_mut().instead.insert("/v1/universe", other);
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    assert!(world.borrow().answers.is_empty());
}

/// While it waits the phone keeps what it must, and at the end only that it took part. The
/// trajectory is in no file at any time.
#[test]
fn little_is_kept_and_less_at_the_end() {
    let (folder, world) = phone(true);
    world
        .borrow_mut()
        .instead
        .insert("/v1/answers", error(503, "unavailable"));
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    let state = format!("campaign-{CAMPAIGN:016x}");
    let read = || {
        let bytes = Folder::open(folder.path()).unwrap().read(&state).unwrap();
        String::from_utf8(bytes.unwrap()).unwrap()
    };
    let waiting = read();
    assert!(waiting.contains("submission") && !waiting.contains("asked"));
    world.borrow_mut().instead.clear();
    let mut network = Network::sound(&world);
    until_the_end(&settings(), folder.path(), &mut network, &[], 6);
    let ended = read();
    assert!(ended.contains("counted") && ended.len() < 250, "{ended}");
    let code = world::code().text();
    for word in TRAJECTORY.iter().chain(&[code.as_str(), &code[..9]]) {
        assert!(!waiting.contains(word) && !ended.contains(word), "{word}");
    }
}

#[test]
fn a_damaged_state_is_not_guessed_at() {
    let (folder, world) = phone(false);
    world.borrow_mut().early = 1;
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    let state = format!("campaign-{CAMPAIGN:016x}");
    let sound = Folder::open(folder.path())
        .unwrap()
        .read(&state)
        .unwrap()
        .unwrap();
    for at in (0..sound.len()).step_by(7) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        Folder::open(folder.path())
            .unwrap()
            .replace(&state, &bytes)
            .unwrap();
        assert_eq!(
            once(&settings(), &folder, &world).unwrap_err().exit_code(),
            2,
            "{at}"
        );
    }
    assert!(world.borrow().answers.is_empty());
}
