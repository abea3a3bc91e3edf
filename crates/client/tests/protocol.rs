//! Every status of the protocol, what is refused before joining, and what is left on the phone.

mod common;

use std::time::Duration;

use common::faults::Network;
use common::world::{self, CAMPAIGN, error};
use common::{NoSleep, TRAJECTORY, code, once, phone, settings, until_the_end};
use wayveil_client::ledger::Ledger;
use wayveil_client::{Disk, Folder, Outcome, Reply, Settings, Tools, take_part};
use wayveil_core::RandomSource;

#[test]
fn every_refusal_ends_it_for_good() {
    for (path, status, refused) in [
        ("/v1/answers", 403, "forged"),
        ("/v1/answers", 409, "used"),
        ("/v1/answers", 410, "closed"),
        ("/v1/answers", 413, "too-large"),
        ("/v1/answers", 422, "garbage"),
        ("/v1/answers", 426, "upgrade"),
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

/// What a gateway, a proxy or another server says, with a status that would end it from the service. What
/// is kept and paid for is sent again.
#[test]
fn only_the_codes_of_the_protocol_end_it() {
    let said = |status: u16, body: &str| Reply {
        status,
        retry_after: None,
        body: body.as_bytes().to_vec(),
    };
    for (status, body) in [
        (404, r#"{"error":"Not Found"}"#),
        (403, r#"{"error":"Forbidden"}"#),
        (400, r#"{"error":"Bad Request","code":"400"}"#),
        (403, r#"{"error":"blocked","code":"denied"}"#),
        (404, r#"{"error":"no route","code":"unknown"}"#),
        (
            404,
            r#"{"error":"a code with another status","code":"closed"}"#,
        ),
        (410, r#"{"error":null,"code":"closed"}"#),
        (410, r#"{"error":"gone","code":410}"#),
        (425, r#"{"error":"Too Early"}"#),
    ] {
        let (folder, world) = phone(true);
        let other = said(status, body);
        world.borrow_mut().instead.insert("/v1/answers", other);
        let later = once(&settings(), &folder, &world).unwrap();
        assert!(!later.is_final(), "{body}: {later:?}");
        assert_eq!(world.borrow().answers.len(), 1);
        world.borrow_mut().instead.clear();
        assert_eq!(
            once(&settings(), &folder, &world).unwrap(),
            Outcome::Counted,
            "{body}"
        );
        assert_eq!(world.borrow().different_answers(), 1);
    }
}

/// The last answer of a campaign is counted and the reply lost; when it is sent again all is over. The
/// owner is told that it may have been counted. Who comes too late for the question has answered nothing.
#[test]
fn who_comes_too_late_is_told_what_may_have_been() {
    let why = |outcome: Outcome| match outcome {
        Outcome::Stopped { code, why } if code == "closed" => why,
        other => panic!("{other:?}"),
    };
    let (folder, world) = phone(true);
    let busy = error(503, "unavailable");
    world.borrow_mut().instead.insert("/v1/answers", busy);
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    assert_eq!(world.borrow().counted(), 1);
    world.borrow_mut().instead.clear();
    world.borrow_mut().closed = true;
    let told = why(once(&settings(), &folder, &world).unwrap());
    assert!(told.contains("may have been counted"), "{told}");

    let (folder, world) = phone(true);
    world.borrow_mut().open = vec![0, 1];
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    world.borrow_mut().closed = true;
    let told = why(once(&settings(), &folder, &world).unwrap());
    assert!(told.contains("nothing was spent"), "{told}");
    let ledger = Ledger::read(&Folder::open(folder.path()).unwrap()).unwrap();
    assert_eq!(ledger.len(), 0);
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
    let mut slept = NoSleep::default();
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
    let total: Duration = slept.slept.iter().sum();
    assert!(
        total <= settings.patience && total > settings.patience / 2,
        "{total:?}"
    );
    let mut longest = 1_000;
    for wait in &slept.slept {
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
    type Change = fn(&mut Settings);
    let changes: [(Change, &str); 4] = [
        (
            |s| s.limits.epsilon = "0.99".parse().unwrap(),
            "--accept-epsilon",
        ),
        (|s| s.limits.per_client = 19, "--accept-fragments"),
        (|s| s.limits.length = 1, "--accept-length"),
        (|s| s.total = "0.5".parse().unwrap(), "--accept-total"),
    ];
    for (change, flag) in changes {
        let (folder, world) = phone(false);
        let mut settings = settings();
        change(&mut settings);
        let refused = once(&settings, &folder, &world).unwrap_err();
        assert_eq!(refused.exit_code(), 1);
        assert!(
            refused.advice().is_some_and(|it| it.contains(flag)),
            "{refused}"
        );
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
fn changed_terms_end_it() {
    let (folder, world) = phone(false);
    world.borrow_mut().open = vec![0, 1];
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
    world.borrow_mut().open = vec![0, 1];
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
    world.borrow_mut().open = vec![0, 1];
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
