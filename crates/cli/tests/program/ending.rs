//! The end of a campaign, by the program: published once, whatever comes between, and stopped in good order.

mod hall;
#[cfg(unix)]
mod request;

use std::time::Duration;

use rusqlite::Connection;

use super::phone::EPSILON;
use hall::{Hall, SERVE};

/// So small that the page of a release does not fit, and large enough for the ledger.
const NEARLY_FULL: u32 = 72;

/// There is no folder, then no room, then a kill at any moment; in the end there is one release and one entry, and an
/// allowance of exactly one ε was enough.
#[test]
fn a_campaign_is_booked_once_whatever_stops_its_publication() {
    let mut hall = Hall::new("Harbour city");
    let out = hall.place.path("out");
    std::fs::create_dir(&out).unwrap();
    let mut allow = hall.place.command("ledger allow");
    let allowed = allow.args(["Harbour city", "--epsilon", EPSILON]).output();
    let allowed = allowed.unwrap();
    assert!(allowed.status.success(), "{allowed:?}");
    hall.start();
    assert_eq!(hall.status()["published"], "waiting");
    std::fs::remove_dir(&out).unwrap();
    hall.complete();
    let status = hall.until_published_is("no");
    assert_eq!(status["state"], "complete");
    let why = status["not_published_because"].as_str().unwrap();
    assert!(why.contains("no folder") && !why.contains("out"), "{why}");
    assert_eq!(hall.entries(), (vec![], vec![]), "nothing was spent");
    let in_words = hall.place.ok(&format!(
        "federate status {} --root-certificate cert.pem",
        hall.url()
    ));
    assert!(
        in_words.contains("not published yet: there is no folder"),
        "{in_words}"
    );
    // Who stops it now is told by the exit code.
    hall.terminate();
    assert_eq!(hall.ended(), 2, "{}", hall.log());

    std::fs::create_dir(&out).unwrap();
    let mut entry = None;
    for _ in 0..2 {
        hall.start_nearly_full(NEARLY_FULL);
        let why = hall.until_published_is("no")["not_published_because"].clone();
        let why = why.as_str().unwrap();
        assert!(why.starts_with("cannot write: File too large"), "{why}");
        hall.kill();
        let (booked, done) = hall.entries();
        assert_eq!((booked.len(), done.len()), (1, 0));
        assert_eq!(*entry.get_or_insert(booked[0].clone()), booked[0]);
        assert!(!out.join("found").exists());
    }
    for at in 0..6 {
        hall.start();
        std::thread::sleep(Duration::from_millis(at * 30));
        hall.kill();
        assert_eq!(hall.entries().0.len(), 1, "kill {at}");
    }
    hall.start();
    hall.until_published_is("yes");
    hall.assert_published_once();
    assert_eq!(hall.entries().0, [entry.unwrap()]);
    let account = &hall.place.json("ledger show")["populations"][0];
    assert_eq!(account["spent"], account["allowance"]);
    hall.terminate();
    assert_eq!(hall.ended(), 0, "{}", hall.log());
}

/// What a kill between the renaming and the mark leaves is put right; a release of something else is not taken for this
/// campaign's.
#[test]
fn a_release_that_is_there_is_known_by_its_entry() {
    let mut hall = Hall::new("Harbour city");
    std::fs::create_dir(hall.place.path("out")).unwrap();
    hall.start();
    hall.complete();
    hall.until_published_is("yes");
    hall.assert_published_once();
    hall.kill();
    forget_the_last_entry(&hall);
    assert_eq!(hall.entries().1, [""; 0]);
    hall.start();
    hall.until_published_is("yes");
    hall.assert_published_once();
    assert!(hall.log().contains("published already"), "{}", hall.log());
    hall.kill();

    let before = hall.entries();
    hall.write("Another city");
    let says = ["not known to be of this campaign", "-o", "--ledger"];
    hall.place.fails(SERVE, 1, &says);
    hall.write("Harbour city");
    hall.place
        .fails(&format!("{SERVE} --ledger other.sqlite"), 1, &says);
    assert_eq!(hall.entries(), before);
}

/// Takes the last entry from the books, as if the program had been killed before it was made.
fn forget_the_last_entry(hall: &Hall) {
    let connection = Connection::open(hall.place.ledger()).unwrap();
    let trigger = "SELECT sql FROM sqlite_schema WHERE name = 'never_removed'";
    let trigger: String = connection.query_row(trigger, [], |row| row.get(0)).unwrap();
    let forget = "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)";
    connection
        .execute_batch(&format!("DROP TRIGGER never_removed; {forget}; {trigger}"))
        .unwrap();
}

/// An answer of which a half was sent when the service is asked to end is counted, and said to be; then it ends well.
#[cfg(unix)]
#[test]
fn requests_that_have_begun_are_finished() {
    let mut hall = Hall::new("Harbour city");
    std::fs::create_dir(hall.place.path("out")).unwrap();
    hall.start();
    let mut phones = hall.phones.iter_mut();
    let body = phones
        .find_map(|it| it.would_post())
        .expect("somebody is in the first round");
    let certificate = std::fs::read(hall.place.path("cert.pem")).unwrap();
    let request = request::Begun::post(hall.port, &certificate, &body);
    hall.terminate();
    // New connections are refused when it has heard that; the one that is there stays.
    request::until_refused(hall.port);
    let reply = request.finish();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    assert!(reply.contains("\"counted\""), "{reply}");
    assert_eq!(hall.ended(), 0, "{}", hall.log());
    hall.start();
    assert_eq!(hall.status()["round"]["answers"], 1);
}
