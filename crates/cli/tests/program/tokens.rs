//! Tokens from a key to a release: the programs of an issuer, of a collector and of people, over TLS
//! on the loopback.

mod people;
mod town;

use serde_json::Value;

use super::logs::{everything_said, identifiers};
use people::OnACommandLine;
use town::{ENOUGH, Town};

/// Keys are made and people enrolled; some take part, the issuer is killed, keys change in the middle,
/// others take part, and what is released is what everybody did.
#[test]
fn from_keys_to_a_release() {
    let mut town = Town::new(&["issuer-1"]);
    let codes = town.enrol(180, "codes.txt");
    town.start();
    refuse_wrong_codes(&town, &codes[0]);
    let (early, late) = codes.split_at(110);
    let mut typed: Vec<_> = (early[..3].iter().enumerate())
        .map(|(at, code)| OnACommandLine::new(at, code))
        .collect();
    let mut phones: Vec<_> = (early[3..].iter().enumerate())
        .map(|(at, code)| town.phone(at, code))
        .collect();
    town.take_part(&mut typed, &mut phones, 2 * ENOUGH);
    assert_eq!(town.status()["round"]["index"], 2);

    town.kill_issuer();
    let mut newcomers: Vec<_> = (late.iter().enumerate())
        .map(|(at, code)| town.phone(1000 + at, code))
        .collect();
    assert!(!newcomers[0].call(), "nobody gives it a token");
    town.rotate("issuer-2", "issuer-1", 2);
    // Nobody gets a second token by coming again with another phone, or for another key.
    // One whose round is over asks for nothing; 60 in a row draw such a round with probability below 10^-15.
    let asks = (0..60)
        .map(|at| OnACommandLine::new(10_000 + at, &early[0]).join(&town))
        .inspect(|(code, out)| assert_eq!(*code, 1, "{out}"))
        .find(|(_, out)| !out.contains("(closed)"));
    let (_, out) = asks.expect("somebody whose round is still to come");
    assert!(
        out.contains("used") && out.contains("has had its token"),
        "{out}"
    );

    phones.append(&mut newcomers);
    town.take_part(&mut typed, &mut phones, 4 * ENOUGH);
    // Their rounds are drawn by the system's generator: in the last one their tokens are too old, and are not sent.
    for person in &typed {
        let ended = person.ended.as_deref();
        assert!(matches!(ended, Some("counted" | "expired")), "{ended:?}");
    }
    let stopped = |code: &str| phones.iter().filter(|it| it.stopped_as(code)).count();
    let expired: Vec<_> = phones
        .iter()
        .filter(|it| it.stopped_as("expired"))
        .collect();
    assert!(
        !expired.is_empty(),
        "old tokens are not good in the last round"
    );
    // They belong to those who came before the key changed, and no answer was given away for nothing.
    assert!(expired.iter().all(|it| it.number < 1000));
    assert!(expired.iter().all(|it| it.sent.len() == 1), "a token alone");
    assert_eq!(stopped("forged"), 0);
    assert_eq!(stopped("used") + stopped("issuer") + stopped("garbage"), 0);

    let found = town.release();
    let clients = town::CLIENTS.to_string();
    assert_eq!(
        found,
        [
            ("mill".to_owned(), clients.clone()),
            ("quay".to_owned(), clients)
        ]
    );
    // Whoever has answered keeps to it.
    for person in &typed {
        let (code, out) = person.join(&town);
        let counted = person.ended.as_deref() == Some("counted");
        assert_eq!(code == 0, counted, "{out}");
    }
}

/// Who takes part is not told by what the issuer and the collector write about themselves.
#[test]
fn logs_name_nobody() {
    let mut town = Town::new(&["issuer-1"]);
    let codes = town.enrol(120, "codes.txt");
    town.start();
    let phones = codes.iter().enumerate();
    let mut phones: Vec<_> = phones.map(|(at, code)| town.phone(at, code)).collect();
    town.take_part(&mut [], &mut phones, 2 * ENOUGH);
    let posted: Vec<&[u8]> = (phones.iter().flat_map(|it| &it.sent))
        .map(Vec::as_slice)
        .collect();
    assert!(posted.len() as u64 > 2 * ENOUGH, "tokens and answers");
    let logs = town.logs();
    for ((service, log), begins) in logs.iter().zip(["issuing", "serving"]) {
        let said = everything_said(log);
        assert!(said.iter().any(|it| it == begins), "{service}: {log}");
        let found = identifiers(log, &codes, &posted, &town.addresses());
        assert_eq!(found, [""; 0], "{service}: {log}");
    }
    let said = everything_said(&logs[1].1);
    let closed = said.iter().filter(|it| *it == "round closed");
    assert_eq!(closed.count(), 2);
}

/// What is typed wrongly goes nowhere; what nobody was given here is refused; neither ends anything.
fn refuse_wrong_codes(town: &Town, good: &str) {
    let slip = good.replacen(&good[..4], "0000", 1);
    let (code, err) = OnACommandLine::new(901, &slip).fails(town);
    assert_eq!(code, 2, "{err}");
    assert!(
        err.contains("no enrolment code") && err.contains("help:"),
        "{err}"
    );
    assert!(!err.contains(&slip[10..]), "a code is not repeated: {err}");
    let elsewhere = Town::new(&["other"]);
    // The code of another issuer, given with that one's address, is not shown to this collector's.
    let mut careful = OnACommandLine::new(903, good);
    careful.issuer = Some(elsewhere.issuer());
    let (code, err) = careful.fails(town);
    assert_eq!(code, 1, "{err}");
    assert!(
        err.contains("names the issuer") && err.contains(&elsewhere.issuer()),
        "{err}"
    );
    let foreign = elsewhere.enrol(1, "codes.txt");
    let (code, err) = OnACommandLine::new(902, &foreign[0]).fails(town);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("to nobody"), "{err}");
}

#[test]
fn files_are_private_and_never_overwritten() {
    let town = Town::new(&["issuer-1"]);
    let place = &town.place;
    let made = place.json("federate enrol issuer.toml --people 5 -o codes.txt");
    assert_eq!((&made["people"], &made["known"]), (&5.into(), &5.into()));
    let codes = std::fs::read(place.path("codes.txt")).unwrap();
    let before = place.names();
    place.fails(
        "federate enrol issuer.toml --people 5 -o codes.txt",
        1,
        &["codes.txt", "nothing is overwritten"],
    );
    place.fails("federate keygen -o issuer-1 --bits 2048", 1, &["issuer-1"]);
    place.fails(
        "federate keygen -o issuer-2 --bits 2000",
        2,
        &["2048, 3072 or 4096"],
    );
    place.fails("federate enrol issuer.toml --people 0 -o x", 2, &["people"]);
    assert_eq!(std::fs::read(place.path("codes.txt")).unwrap(), codes);
    assert_eq!(place.names(), before);
    #[cfg(unix)]
    for name in ["codes.txt", "issuer-1.secret.pem", "issuer.db"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = place.path(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn an_issuer_that_cannot_run_is_told_why() {
    let town = Town::new(&["issuer-1"]);
    let place = &town.place;
    place.write("bad.toml", "[[campaign]]\nname = 3\n");
    place.fails("federate issue bad.toml", 2, &["bad.toml:2, column 8"]);
    place.fails(
        "federate enrol bad.toml --people 1 -o x",
        2,
        &["bad.toml:2, column 8"],
    );
    place.fails(
        "federate issue none.toml",
        2,
        &["none.toml: cannot be read"],
    );
    let text = std::fs::read_to_string(place.path("issuer.toml")).unwrap();
    place.write("keyless.toml", text.replace("issuer-1.secret", "gone"));
    place.fails("federate issue keyless.toml", 2, &["gone.pem"]);
    let made: Value = place.json("federate keygen -o issuer-9 --bits 2048");
    assert_eq!(made["key"].as_str().unwrap().len(), 64);
    assert_eq!(made["bits"], 2048);
}
