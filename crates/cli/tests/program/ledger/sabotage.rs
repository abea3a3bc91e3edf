//! Books that cannot be written, and books that someone has cooked: nothing is published on them.

use std::fs;

use rusqlite::Connection;
use wayveil_ledger::Ledger;

use super::{publish, riders};
use crate::common::Place;

/// A ledger with three releases, and its head.
fn kept() -> (Place, String) {
    let place = riders();
    for output in ["a", "b", "c"] {
        place.ok(&publish("1", output));
    }
    let head = place.json("ledger show")["head"]
        .as_str()
        .unwrap()
        .to_owned();
    (place, head)
}

/// Changes the file as a careful saboteur does: the triggers are taken out and put back.
fn change(place: &Place, statements: &str) {
    let connection = Connection::open(place.ledger()).unwrap();
    let triggers: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    for (name, _) in &triggers {
        connection
            .execute_batch(&format!("DROP TRIGGER {name}"))
            .unwrap();
    }
    connection.execute_batch(statements).unwrap();
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
}

#[test]
fn a_changed_removed_or_moved_entry_is_named() {
    for (statements, says) in [
        (
            "UPDATE entries SET epsilon = '1/2' WHERE number = 4",
            "entry 4 was changed",
        ),
        (
            "UPDATE entries SET population = 'others' WHERE number = 2",
            "entry 2 was changed",
        ),
        (
            "DELETE FROM entries WHERE number = 3",
            "entry 3 was removed",
        ),
        (
            "UPDATE entries SET number = -1 WHERE number = 2;
             UPDATE entries SET number = 2 WHERE number = 4;
             UPDATE entries SET number = 4 WHERE number = -1;",
            "entry 2 was changed",
        ),
        (
            "UPDATE entries SET hash = substr(hash, 2) || '0' WHERE number = 5",
            "entry 5 was changed",
        ),
    ] {
        let (place, head) = kept();
        place.ok(&format!("ledger verify --head {head}"));
        change(&place, statements);
        place.fails("ledger verify", 1, &[says]);
        place.fails("ledger show", 1, &[says]);
        place.fails(&publish("1", "d"), 1, &[says]);
        assert!(!place.path("d").exists());
    }
}

#[test]
fn an_emptied_ledger_is_refused() {
    let (place, _) = kept();
    change(&place, "DELETE FROM entries");
    for line in [
        "ledger verify",
        "ledger show",
        "ledger allow riders --epsilon 9",
    ] {
        place.fails(line, 1, &["emptied"]);
    }
    place.fails(&publish("1", "d"), 1, &["emptied"]);
    assert!(!place.path("d").exists());
}

#[test]
fn a_trigger_that_takes_entries_back_stops_a_publication() {
    let (place, _) = kept();
    Connection::open(place.ledger())
        .unwrap()
        .execute_batch(
            "DROP TRIGGER never_removed;
             CREATE TRIGGER forget AFTER INSERT ON entries
                 BEGIN DELETE FROM entries WHERE number = NEW.number; END;",
        )
        .unwrap();
    place.fails(&publish("1", "d"), 1, &["the ledger was changed"]);
    place.fails("ledger verify", 1, &["the ledger was changed"]);
    assert!(!place.path("d").exists());
}

#[test]
fn a_lost_ledger_is_not_replaced_in_silence() {
    let (place, _) = kept();
    fs::remove_file(place.ledger()).unwrap();
    for line in [
        &publish("1", "d"),
        "ledger allow riders --epsilon 9",
        "ledger show",
    ] {
        place.fails(
            line,
            1,
            &["the ledger is gone", "restore", "ledger.sqlite.key"],
        );
    }
    assert!(!place.ledger().exists() && !place.path("d").exists());
    let mut key = place.ledger().into_os_string();
    key.push(".key");
    fs::remove_file(key).unwrap();
    let (code, _, said) = place.run(&publish("1", "d"));
    assert_eq!(code, 0, "{said}");
    let path = place.ledger().display().to_string();
    assert!(
        said.contains(&format!("a new one was made: {path}")),
        "{said}"
    );
}

#[test]
fn a_kept_head_tells_that_the_end_was_cut_off() {
    let (place, head) = kept();
    change(&place, "DELETE FROM entries WHERE number > 5");
    place.ok("ledger verify");
    place.fails(&format!("ledger verify --head {head}"), 1, &["removed"]);
    place.fails("ledger verify --head 12", 2, &["64 hexadecimal digits"]);

    let (place, head) = kept();
    let copy = fs::read(place.ledger()).unwrap();
    place.ok(&publish("1", "d"));
    let later = place.json(&format!("ledger verify --head {head}"));
    assert_eq!(later["added_since"], 2);
    let new = later["head"].as_str().unwrap().to_owned();
    fs::write(place.ledger(), copy).unwrap();
    place.ok(&format!("ledger verify --head {head}"));
    place.fails(&format!("ledger verify --head {new}"), 1, &[&new]);
}

#[test]
fn a_format_of_the_future_is_refused() {
    let (place, _) = kept();
    change(&place, "PRAGMA user_version = 2");
    place.fails(&publish("1", "d"), 1, &["format 2"]);
    assert!(!place.path("d").exists());
}

#[test]
fn books_that_cannot_be_written_stop_a_publication() {
    let (place, _) = kept();
    let mut permissions = fs::metadata(place.ledger()).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(place.ledger(), permissions).unwrap();
    place.fails(&publish("1", "d"), 2, &["read-only"]);
    place.ok("ledger verify");

    let elsewhere = |ledger: &str| publish("1", &format!("d --ledger {ledger}"));
    place.fails(
        &elsewhere("no/such/folder/l"),
        2,
        &["cannot write the ledger"],
    );
    place.fails(&elsewhere("."), 2, &["a folder"]);
    place.fails("ledger show --ledger .", 2, &["a folder", "--ledger FILE"]);
    place.fails(&elsewhere("x.parquet"), 2, &["not a ledger"]);
    assert!(!place.path("d").exists());
    assert!(
        place.ok("info x.parquet").contains("riders"),
        "it was left alone"
    );
}

#[test]
fn damaged_books_stop_a_publication() {
    let (place, _) = kept();
    let sound = fs::read(place.ledger()).unwrap();
    let damages: [fn(&mut Vec<u8>); 4] = [
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes[..16].fill(0),
        |bytes| bytes[4096..8192].fill(0xa5),
        |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle..].fill(0);
        },
    ];
    for (index, damage) in damages.iter().enumerate() {
        let mut bytes = sound.clone();
        damage(&mut bytes);
        fs::write(place.ledger(), bytes).unwrap();
        let (code, _, said) = place.run("ledger verify");
        assert_ne!(code, 0, "damage {index} was not seen");
        assert!(!said.contains("panicked"), "{said}");
        let (code, _, said) = place.run(&publish("1", "d"));
        assert_ne!(code, 0, "damage {index}: {said}");
        assert!(!place.path("d").exists());
    }
}

/// Runs the program with a limit on the size of files, which stands for a disk that is full.
#[cfg(unix)]
pub(super) fn with_full_disk(place: &Place, blocks: u32, line: &str) -> std::process::Output {
    // Ignored, the signal becomes an error of the write, as on a full disk.
    let program = env!("CARGO_BIN_EXE_wayveil");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {line}");
    std::process::Command::new("bash")
        .args(["-c", &script])
        .env("WAYVEIL_LEDGER", place.ledger())
        .current_dir(place.path("."))
        .output()
        .expect("bash starts")
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_after_the_booking_leaves_a_spend_and_no_release() {
    let place = Place::new();
    let labels: Vec<String> = (0..20_000).map(|number| format!("stop-{number}")).collect();
    place
        .write("labels.txt", labels.join("\n"))
        .write("x.seq", "stop-1 stop-2\n".repeat(20));
    super::import(&place, "riders", "x.parquet");
    let run = with_full_disk(&place, 64, &publish("50", "r"));
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(said.contains("counts as spent"), "{said}");
    assert!(!place.path("r").exists());
    assert!(
        place
            .ok("ledger show")
            .contains("riders: 1 booked but not marked as done")
    );
    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(
        (&account["releases"], &account["done"]),
        (&1.into(), &0.into())
    );
    assert_eq!(account["spent"]["epsilon_exact"], "50");
}

#[cfg(unix)]
#[test]
fn a_full_disk_stops_a_publication_before_anything_is_released() {
    let (place, _) = kept();
    let before = Ledger::read(&place.ledger()).unwrap().entries().len();
    let (mut refused, mut made) = (0, 0);
    for (index, blocks) in [0, 1, 2, 4, 6, 8, 12, 16, 64].into_iter().enumerate() {
        let output = format!("full{index}");
        let run = with_full_disk(&place, blocks, &publish("0.01", &output));
        let entries = Ledger::read(&place.ledger())
            .expect("sound books")
            .entries()
            .len();
        let said = String::from_utf8_lossy(&run.stderr);
        if run.status.success() {
            made += 1;
            assert_eq!(entries, before + 2 * made);
        } else {
            refused += 1;
            assert_eq!(run.status.code(), Some(2), "{said}");
            assert!(said.contains("ledger"), "{said}");
            assert!(!place.path(&output).exists(), "{blocks} blocks");
            assert_eq!(entries, before, "{blocks} blocks: {said}");
        }
    }
    assert!(refused >= 3 && made >= 1, "{refused} refused, {made} made");
}
