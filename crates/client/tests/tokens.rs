//! Tokens: whom the code is shown to, and which key is used.

mod common;

use common::faults::{Fault, Kill, Network};
use common::world::{self, ISSUER, error};
use common::{call, code, once, phone, settings};
use wayveil_admission::Code;
use wayveil_client::{Outcome, Reply};
use wayveil_core::RandomSource;

/// A collector that would be the issuer too. Services panic when anybody but the two is asked.
const EVIL: &str = "https://evil.example.org";

/// A collector names itself as the issuer: it could match code and answer, and use the code elsewhere.
#[test]
fn another_issuer_gets_no_code() {
    let (folder, world) = phone(true);
    world.borrow_mut().issuer = EVIL.to_owned();
    let refused = once(&settings(), &folder, &world).unwrap_err();
    assert_eq!(refused.exit_code(), 1);
    assert!(
        refused.message().contains(EVIL) && refused.message().contains(ISSUER),
        "{refused}"
    );
    assert_eq!(world.borrow().asked, ["/v1/campaign"]);
    // Nothing was kept: with the right one it can be joined.
    world.borrow_mut().issuer = ISSUER.to_owned();
    assert_eq!(
        once(&settings(), &folder, &world).unwrap(),
        Outcome::Counted
    );
}

/// The request for a token is kept and did not arrive; another issuer that is announced then gets
/// neither it nor the code. The same where a request is not made yet, and where a token is had.
#[test]
fn a_changed_issuer_gets_no_kept_request() {
    for until in ["/v1/issuer", "/v1/tokens", "/v1/answers"] {
        for other in [Some(EVIL), None] {
            let (folder, world) = phone(true);
            let faults = match until {
                "/v1/tokens" => vec![Fault::None, Fault::None, Fault::LostRequest],
                "/v1/issuer" => vec![Fault::None, Fault::LostRequest],
                _ => Vec::new(),
            };
            world.borrow_mut().open = vec![0, 1];
            let mut network = Network::with_faults(&world, &faults);
            let kill = Kill::after(None);
            let later = call(&settings(), folder.path(), &mut network, &kill, 5).unwrap();
            assert!(!later.is_final(), "{later:?}");
            match other {
                Some(other) => world.borrow_mut().issuer = other.to_owned(),
                None => world.borrow_mut().tokens = false,
            }
            world.borrow_mut().asked.clear();
            let ended = once(&settings(), &folder, &world).unwrap();
            assert_eq!(code(&ended), "changed", "{until}, {other:?}");
            assert_eq!(world.borrow().asked, ["/v1/campaign"]);
        }
    }
}

/// What an owner gives wrongly after joining is an error that ends nothing.
#[test]
fn a_kept_request_goes_to_the_issuer_that_the_owner_names() {
    let (folder, world) = phone(true);
    let kill = Kill::after(None);
    let mut network = Network::with_faults(&world, &[Fault::None, Fault::None, Fault::LostRequest]);
    let later = call(&settings(), folder.path(), &mut network, &kill, 5).unwrap();
    assert!(!later.is_final());
    let mut other = settings();
    other.issuer = Some(EVIL.to_owned());
    assert_eq!(once(&other, &folder, &world).unwrap_err().exit_code(), 1);
    assert!(world.borrow().blinded.is_empty());
    assert_eq!(
        once(&settings(), &folder, &world).unwrap(),
        Outcome::Counted
    );
}

#[test]
fn one_address_may_be_written_in_several_ways() {
    let (folder, world) = phone(true);
    let mut shouted = settings();
    shouted.issuer = Some(format!("{}:443/", ISSUER.to_uppercase()));
    assert_eq!(once(&shouted, &folder, &world).unwrap(), Outcome::Counted);
}

#[test]
fn a_code_without_its_issuer_is_shown_to_nobody() {
    let (folder, world) = phone(true);
    let mut settings = settings();
    settings.issuer = None;
    let error = once(&settings, &folder, &world).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.advice().is_some());
    assert!(world.borrow().asked.is_empty());
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

/// The operator leaves a key out by mistake, after its tokens were had: that passes, and nothing is asked meanwhile.
#[test]
fn a_key_that_is_left_out_is_waited_for() {
    let (folder, world) = phone(true);
    world.borrow_mut().open = vec![0];
    assert!(!once(&settings(), &folder, &world).unwrap().is_final());
    world.borrow_mut().open = vec![1];
    world.borrow_mut().announced = vec![(1, None)];
    world.borrow_mut().asked.clear();
    let later = once(&settings(), &folder, &world).unwrap();
    assert!(!later.is_final(), "{later:?}");
    assert_eq!(world.borrow().asked, ["/v1/campaign"]);
    world.borrow_mut().announced = vec![(1, None), (0, Some(1))];
    assert_eq!(
        once(&settings(), &folder, &world).unwrap(),
        Outcome::Counted
    );
    assert_eq!(world.borrow().admitted_by, Some(world::key_id(0)));
    assert_eq!(world.borrow().blinded.len(), 1);
}
