//! Whole campaigns of real clients against the real program, which is killed again and again.
#![cfg(feature = "collector")]

use std::path::PathBuf;

use wayveil_bench::collector::Plan;
use wayveil_bench::collector::campaign::run;

fn plan(clients: u64, length: u32, store: &str) -> Plan {
    Plan {
        program: PathBuf::from(env!("CARGO_BIN_EXE_wayveil-load")),
        clients,
        length,
        store: store.to_owned(),
        tokens: true,
        kills: 0,
        restarts: None,
        workers: 8,
    }
}

/// Fifty kills among three thousand sessions, of which some vanish, some come late and some send twice:
/// what is published is what the protocol core finds in the answers that were told to be counted.
#[test]
fn fifty_kills_lose_nothing_and_count_nothing_twice() {
    let report = run(&Plan {
        kills: 50,
        ..plan(3000, 2, "sqlite")
    })
    .unwrap();
    assert_eq!(report.kills, 50);
    assert_eq!(report.counted + report.late + report.vanished, 3000);
    assert!(report.rounds > 4 && report.fragments > 3, "{report}");
    assert!(report.late > 20 && report.vanished > 20, "{report}");
}

/// The same on PostgreSQL, where `WAYVEIL_TEST_POSTGRES_CAMPAIGN` names an empty database and
/// `WAYVEIL_TEST_POSTGRES_RESTART` a program that restarts the server.
#[test]
fn a_database_that_is_restarted_loses_nothing() {
    let Ok(store) = std::env::var("WAYVEIL_TEST_POSTGRES_CAMPAIGN") else {
        return;
    };
    let script = std::env::var_os("WAYVEIL_TEST_POSTGRES_RESTART").map(PathBuf::from);
    let report = run(&Plan {
        kills: 5,
        restarts: script.map(|script| (script, 5)),
        ..plan(1000, 1, &store)
    })
    .unwrap();
    assert_eq!((report.kills, report.restarts), (5, 5));
    assert_eq!(report.counted + report.late + report.vanished, 1000);
    assert!(report.fragments > 0, "{report}");
}
