//! Files that someone else had a hand in.

use super::*;

/// Runs statements on the file as a saboteur would: without triggers, which are restored.
fn tamper(path: &Path, statements: &str) {
    let connection = Connection::open(path).unwrap();
    let triggers: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    let run = |statement: &str| connection.execute_batch(statement).unwrap();
    for (name, _) in &triggers {
        run(&format!("DROP TRIGGER {name}"));
    }
    run(statements);
    for (_, sql) in &triggers {
        run(sql);
    }
}

#[test]
fn cooked_books_are_not_spent_on() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.spend(pure("p", "1")).unwrap();
    tamper(&path, "UPDATE entries SET epsilon = '1/2' WHERE number = 2");
    for error in [
        ledger.spend(pure("p", "1")).unwrap_err(),
        Ledger::read(&path).unwrap_err(),
        Ledger::open(&path).err().unwrap(),
    ] {
        assert!(error.message().contains("entry 2 was changed"), "{error}");
        assert_eq!(error.exit_code(), 1);
    }
    tamper(&path, "UPDATE entries SET epsilon = x'ff' WHERE number = 2");
    assert_eq!(Ledger::read(&path).unwrap_err().exit_code(), 1);
}

#[test]
fn an_emptied_ledger_is_not_a_new_one() {
    for statements in [
        "DELETE FROM entries",
        "DELETE FROM entries WHERE number = 1",
    ] {
        let (_folder, path) = place();
        let mut ledger = Ledger::open(&path).unwrap();
        ledger.spend(pure("p", "1")).unwrap();
        tamper(&path, statements);
        for error in [
            ledger.spend(pure("p", "1")).unwrap_err(),
            ledger.chain().unwrap_err(),
            Ledger::read(&path).unwrap_err(),
            Ledger::open(&path).err().unwrap(),
        ] {
            assert_eq!(error.exit_code(), 1, "{error}");
        }
    }
}

#[test]
fn a_table_or_trigger_that_is_not_ours_is_refused() {
    for statement in [
        "DROP TRIGGER never_removed",
        "CREATE TABLE notes (text)",
        "CREATE INDEX quick ON entries (id)",
        "CREATE VIEW all_entries AS SELECT * FROM entries",
        "CREATE TRIGGER undo AFTER INSERT ON entries
             BEGIN DELETE FROM entries WHERE number = NEW.number; END",
        "DROP TRIGGER never_changed;
         CREATE TRIGGER never_changed BEFORE UPDATE ON entries BEGIN SELECT 1; END",
        "ALTER TABLE entries ADD COLUMN remark",
    ] {
        let (_folder, path) = place();
        let mut ledger = Ledger::open(&path).unwrap();
        ledger.spend(pure("p", "1")).unwrap();
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(statement).unwrap();
        for error in [
            ledger.spend(pure("p", "1")).unwrap_err(),
            Ledger::read(&path).unwrap_err(),
            Ledger::open(&path).err().unwrap(),
        ] {
            assert!(
                error.message().contains("the ledger was changed"),
                "{error}"
            );
            assert_eq!(error.exit_code(), 1);
        }
    }
}

/// Triggers of the connection itself are in no file: only what is read again tells of them.
#[test]
fn an_insertion_that_does_nothing_is_noticed_before_it_is_committed() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger
        .store
        .connection()
        .execute_batch(
            "CREATE TEMP TRIGGER ignored BEFORE INSERT ON main.entries
                 BEGIN SELECT RAISE(IGNORE); END",
        )
        .unwrap();
    let error = ledger.spend(pure("p", "1")).unwrap_err();
    assert!(error.message().contains("entry 2 is not in it"), "{error}");
    assert_eq!(ledger.booked(), None);
    assert_eq!(Ledger::read(&path).unwrap().entries().len(), 1);
}

#[test]
fn an_entry_is_read_again_after_its_commit() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.spend(pure("p", "1")).unwrap();
    ledger.spend(pure("q", "1")).unwrap();
    let rows = store::rows(ledger.store.connection(), &path).unwrap();
    confirm(&path, &rows[1]).expect("it is there, with another after it");
    let mut other = rows[2].clone();
    other.hash = rows[1].hash.clone();
    assert_eq!(confirm(&path, &other).unwrap_err().exit_code(), 1);
    tamper(&path, "DELETE FROM entries WHERE number = 3");
    assert_eq!(confirm(&path, &rows[2]).unwrap_err().exit_code(), 1);
}

#[cfg(unix)]
#[test]
fn a_booking_in_a_file_that_was_removed_is_none() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(ledger.spend(pure("p", "1")).is_err());
}

#[test]
fn a_lost_ledger_is_not_replaced_in_silence() {
    let (_folder, path) = place();
    let ledger = Ledger::open(&path).unwrap();
    assert!(ledger.is_new());
    drop(ledger);
    assert!(!Ledger::open(&path).unwrap().is_new());
    let lost: [fn(&Path); 2] = [
        |path| std::fs::remove_file(path).unwrap(),
        |path| std::fs::write(path, "").unwrap(),
    ];
    for lose in lost {
        lose(&path);
        let before = path.exists();
        for error in [
            Ledger::open(&path).err().unwrap(),
            Ledger::read(&path).unwrap_err(),
        ] {
            assert_eq!(error.exit_code(), 1);
            let advice = error.advice().unwrap();
            assert!(advice.contains("ledger.sqlite.key on purpose"), "{advice}");
        }
        assert_eq!(path.exists(), before, "nothing was made");
    }
    std::fs::remove_file(secret::path(&path)).unwrap();
    assert!(Ledger::open(&path).unwrap().is_new());
}

#[test]
fn what_makes_no_sense_is_not_committed() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    for event in [Event::Opened, Event::Done] {
        let error = ledger
            .record(|_| Ok(("x".into(), Some(event))))
            .unwrap_err();
        assert!(error.message().contains("entry 2 cannot stand"), "{error}");
    }
    assert_eq!(Ledger::read(&path).unwrap().entries().len(), 1);
    ledger.spend(pure("p", "1")).expect("the books are sound");
}

/// A table of the connection hides the one in the file: all looks well until the file is read.
#[test]
fn a_booking_that_is_not_in_the_file_is_none() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger
        .store
        .connection()
        .execute_batch("CREATE TEMP TABLE entries AS SELECT * FROM main.entries")
        .unwrap();
    let error = ledger.spend(pure("p", "1")).unwrap_err();
    assert!(error.message().contains("entry 2 is not in it"), "{error}");
    assert_eq!(ledger.booked(), None);
}
