use super::*;
use crate::testing::fresh_stores;

const CAMPAIGN: Identity = Identity {
    id: u64::MAX,
    digest: [7; 32],
};

fn entry(token: u8, receipt: u8, block: u32, bits: u64) -> Entry {
    Entry {
        token: [token; 32],
        receipt: [receipt; 32],
        ballot: Some(Ballot {
            round: 0,
            block,
            bits,
        }),
    }
}

fn late(token: u8, receipt: u8) -> Entry {
    Entry {
        ballot: None,
        ..entry(token, receipt, 0, 0)
    }
}

async fn opened(address: &StoreAddress) -> Store {
    Store::open(address.clone(), CAMPAIGN).await.unwrap()
}

#[tokio::test]
async fn each_token_is_counted_once() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        let batch = [
            entry(1, 1, 0, 0b11),
            entry(2, 2, 1, 0b01),
            entry(1, 1, 0, 0b11),
            entry(2, 9, 0, 0b11),
            late(3, 3),
            entry(3, 3, 1, 0),
            late(3, 3),
        ];
        let expected = [
            Outcome::Counted,
            Outcome::Counted,
            Outcome::Repeated,
            Outcome::Used,
            Outcome::Absent,
            Outcome::Counted,
            Outcome::Repeated,
        ];
        assert_eq!(store.count(&batch).await.unwrap(), expected);
        // No shutdown: what was answered is there, for the next process too.
        drop(store);
        let mut store = opened(&fresh.address).await;
        let again = [
            entry(1, 1, 0, 0b11),
            entry(3, 4, 0, 1),
            late(2, 2),
            late(9, 9),
        ];
        let expected = [
            Outcome::Repeated,
            Outcome::Used,
            Outcome::Repeated,
            Outcome::Absent,
        ];
        assert_eq!(store.count(&again).await.unwrap(), expected);
        let counts = store.counts(0).await.unwrap();
        assert_eq!(counts.blocks, [(0, 1), (1, 2)]);
        assert_eq!(counts.yes, [(0, 0, 1), (0, 1, 1), (1, 0, 1)]);
        assert_eq!(store.rounds().await.unwrap()[0].answers, 3);
        store.close().await;
    }
}

/// 600 answers of 64 bits each in as many blocks are more rows than one statement takes.
#[tokio::test]
async fn a_large_batch_is_one_transaction() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        let entry = |at: u32| {
            let mut token = [0; 32];
            token[..4].copy_from_slice(&at.to_be_bytes());
            Entry {
                token,
                ..entry(0, 1, at, u64::MAX)
            }
        };
        let batch: Vec<Entry> = (0..600).map(entry).collect();
        let outcomes = store.count(&batch).await.unwrap();
        assert!(outcomes.iter().all(|it| *it == Outcome::Counted));
        let counts = store.counts(0).await.unwrap();
        assert_eq!((counts.blocks.len(), counts.yes.len()), (600, 600 * 64));
        assert!(counts.yes.iter().all(|(.., yes)| *yes == 1));
        store.close().await;
    }
}

/// An answer to a round that is not open is a bug above: nothing of its batch is kept.
#[tokio::test]
async fn a_batch_is_counted_as_a_whole_or_not_at_all() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        let mut wrong = entry(2, 2, 0, 1);
        wrong.ballot.as_mut().unwrap().round = 5;
        assert!(store.count(&[entry(1, 1, 0, 1), wrong]).await.is_err());
        // The connection was given up; the next one finds nothing.
        assert_eq!(store.counts(0).await.unwrap(), KeptCounts::default());
        assert_eq!(store.rounds().await.unwrap()[0].answers, 0);
        let good = store.count(&[entry(1, 1, 0, 1)]).await.unwrap();
        assert_eq!(good, [Outcome::Counted]);
        store.close().await;
    }
}

#[tokio::test]
async fn rounds_follow_one_another() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        assert_eq!(store.rounds().await.unwrap(), []);
        store.open_first(0).await.unwrap();
        let elapsed = Duration::from_millis(1500);
        store.set_elapsed(0, elapsed).await.unwrap();
        assert!(store.set_elapsed(1, elapsed).await.is_err(), "not open");
        store.advance(0, 2).await.unwrap();
        assert!(store.advance(0, 2).await.is_err(), "closed once only");
        let kept = store.rounds().await.unwrap();
        let round = |round, open, elapsed| KeptRound {
            round,
            open,
            elapsed,
            answers: 0,
        };
        assert_eq!(
            kept,
            [round(0, false, elapsed), round(2, true, Duration::ZERO)]
        );
        assert_eq!(store.state().await.unwrap(), CampaignState::Running);
        store.complete(2).await.unwrap();
        assert_eq!(store.state().await.unwrap(), CampaignState::Complete);
        assert!(store.fail(2, "too late").await.is_err());
        assert_eq!(store.state().await.unwrap(), CampaignState::Complete);
        store.close().await;
    }
}

#[tokio::test]
async fn counts_outlive_a_complete_campaign_and_receipts_do_not() {
    for fails in [false, true] {
        for fresh in fresh_stores().await {
            let mut store = opened(&fresh.address).await;
            store.open_first(0).await.unwrap();
            store.count(&[entry(1, 1, 0, 1)]).await.unwrap();
            let (state, left) = match fails {
                true => {
                    store.fail(0, "too few answered").await.unwrap();
                    (CampaignState::Failed("too few answered".into()), 0)
                }
                false => {
                    store.complete(0).await.unwrap();
                    (CampaignState::Complete, 1)
                }
            };
            assert_eq!(store.state().await.unwrap(), state);
            let again = store.count(&[late(1, 1)]).await.unwrap();
            assert_eq!(again, [Outcome::Absent]);
            let counts = store.counts(0).await.unwrap();
            assert_eq!((counts.blocks.len(), counts.yes.len()), (left, left));
            store.close().await;
        }
    }
}

/// A token that was used in a round that is closed stays used; its receipt is gone.
#[tokio::test]
async fn receipts_go_with_their_round_and_tokens_stay_spent() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        store.count(&[entry(1, 1, 0, 1)]).await.unwrap();
        store.advance(0, 1).await.unwrap();
        let kept: Vec<(i64,)> = (store
            .with(async |it| it.fetch("SELECT COUNT(*) FROM receipts", &[]).await))
        .await
        .unwrap();
        assert_eq!(kept, [(0,)]);
        let in_round_1 = |mut entry: Entry| {
            entry.ballot.as_mut().unwrap().round = 1;
            entry
        };
        let batch = [
            late(1, 1),
            in_round_1(entry(1, 1, 0, 1)),
            in_round_1(entry(1, 2, 0, 1)),
            in_round_1(entry(2, 2, 0, 1)),
            late(2, 2),
        ];
        let expected = [
            Outcome::Past,
            Outcome::Past,
            Outcome::Past,
            Outcome::Counted,
            Outcome::Repeated,
        ];
        assert_eq!(store.count(&batch).await.unwrap(), expected);
        assert_eq!(store.rounds().await.unwrap()[1].answers, 1);
        store.close().await;
    }
}

/// PostgreSQL marks each row with the transaction that wrote it: after the close no token has a mark in common with counts.
#[tokio::test]
async fn no_mark_of_a_transaction_joins_tokens_to_counts() {
    let joined = "SELECT COUNT(*) FROM TOKENS JOIN \
                  (SELECT xmin AS x FROM blocks UNION ALL SELECT xmin FROM counts) written \
                  ON TOKENS.xmin = written.x";
    for fresh in fresh_stores().await {
        if matches!(fresh.address, StoreAddress::Sqlite(_)) {
            continue;
        }
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        for at in 1..20 {
            store.count(&[entry(at, at, at.into(), 1)]).await.unwrap();
        }
        let number = async |store: &mut Store, table: &str| {
            let sql = joined.replace("TOKENS", table);
            let rows: Vec<(i64,)> = (store.with(async |it| it.fetch(&sql, &[]).await))
                .await
                .unwrap();
            rows[0].0
        };
        assert!(
            number(&mut store, "receipts").await > 0,
            "the test can tell"
        );
        store.advance(0, 1).await.unwrap();
        assert_eq!(number(&mut store, "receipts").await, 0);
        assert_eq!(number(&mut store, "spent").await, 0);
        store.close().await;
    }
}

/// Nor does one tell in which round a token was used: those of all closed rounds have the same.
#[tokio::test]
async fn no_mark_of_a_transaction_tells_a_tokens_round() {
    for fresh in fresh_stores().await {
        if matches!(fresh.address, StoreAddress::Sqlite(_)) {
            continue;
        }
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        for round in 0..3 {
            let token = round as u8 + 1;
            let mut entry = entry(token, token, 0, 1);
            entry.ballot.as_mut().unwrap().round = round;
            store.count(&[entry]).await.unwrap();
            store.advance(round, round + 1).await.unwrap();
        }
        let sql = "SELECT COUNT(*), COUNT(DISTINCT xmin::text) FROM spent";
        let found: Vec<(i64, i64)> = (store.with(async |it| it.fetch(sql, &[]).await))
            .await
            .unwrap();
        assert_eq!(found, [(3, 1)]);
        let again = store.count(&[late(1, 1), late(3, 3)]).await.unwrap();
        assert_eq!(again, [Outcome::Past, Outcome::Past]);
        store.close().await;
    }
}

/// PostgreSQL ends a session whose machine has vanished, and what it has begun.
#[tokio::test]
async fn a_session_that_has_vanished_does_not_hold_the_store_for_hours() {
    for fresh in fresh_stores().await {
        if matches!(fresh.address, StoreAddress::Sqlite(_)) {
            continue;
        }
        let mut store = opened(&fresh.address).await;
        let sql = "SELECT name, setting FROM pg_settings WHERE name = $1";
        for (name, expected) in [
            ("synchronous_commit", "on"),
            ("tcp_keepalives_idle", "30"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
            ("idle_in_transaction_session_timeout", "60000"),
            ("statement_timeout", "900000"),
        ] {
            let found: Vec<(String, String)> = (store
                .with(async |it| it.fetch(sql, &[name.into()]).await))
            .await
            .unwrap();
            assert_eq!(found, [(name.to_owned(), expected.to_owned())]);
        }
        store.close().await;
    }
}

/// Somebody reads the file while the log is to be emptied: that is noticed, and later it works.
#[tokio::test]
async fn a_log_that_could_not_be_emptied_is_known() {
    let fresh = fresh_stores().await.remove(0);
    let log = || {
        let files = std::fs::read_dir(fresh.folder.path()).unwrap();
        let log = files.map(|file| file.unwrap().path());
        let mut log = log.filter(|path| path.to_string_lossy().ends_with("-wal"));
        log.next().map_or(0, |path| path.metadata().unwrap().len())
    };
    let mut writer = Connection::open(&fresh.address, Access::Shared)
        .await
        .unwrap();
    let mut reader = Connection::open(&fresh.address, Access::Shared)
        .await
        .unwrap();
    // Nobody waits in this test.
    writer
        .execute("PRAGMA busy_timeout = 0", &[])
        .await
        .unwrap();
    writer
        .execute("CREATE TABLE t (n INTEGER)", &[])
        .await
        .unwrap();
    reader.execute("BEGIN", &[]).await.unwrap();
    let _: Vec<(i64,)> = reader.fetch("SELECT n FROM t", &[]).await.unwrap();
    writer
        .execute("INSERT INTO t VALUES (1)", &[])
        .await
        .unwrap();
    assert!(forget_history(&mut writer).await.is_err());
    reader.execute("COMMIT", &[]).await.unwrap();
    assert!(log() > 0);
    forget_history(&mut writer).await.unwrap();
    assert_eq!(log(), 0);
    writer.close().await;
    reader.close().await;
}

/// A process that dies right after it has closed a round leaves a log; the next one removes it.
#[tokio::test]
async fn what_a_kill_leaves_in_the_log_is_removed_at_the_start() {
    let fresh = fresh_stores().await.remove(0);
    let mut store = opened(&fresh.address).await;
    store.open_first(0).await.unwrap();
    store.count(&[entry(1, 200, 0, 0)]).await.unwrap();
    let closing = async |it: &mut Connection| {
        it.execute("BEGIN", &[]).await?;
        close_round(it, 0).await?;
        forget_receipts(it).await?;
        open_round(it, 1).await?;
        it.execute("COMMIT", &[]).await
    };
    store.with(closing).await.unwrap();
    let log = |of: &std::path::Path| {
        let files = std::fs::read_dir(of).unwrap();
        let bytes: Vec<u8> = files
            .flat_map(|file| std::fs::read(file.unwrap().path()).unwrap())
            .collect();
        bytes.windows(32).any(|window| window == [200; 32])
    };
    assert!(log(fresh.folder.path()));
    // As a kill would leave it: the files as they are now, without a connection that ends well.
    let copy = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(fresh.folder.path()).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    let StoreAddress::Sqlite(path) = &fresh.address else {
        panic!("SQLite comes first");
    };
    let address = StoreAddress::Sqlite(copy.path().join(path.file_name().unwrap()));
    let found = opened(&address).await;
    assert!(!log(copy.path()));
    found.close().await;
    store.close().await;
}

/// The tables as they were before receipts had one of their own.
#[tokio::test]
async fn an_older_store_is_brought_up_to_date() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        store.open_first(0).await.unwrap();
        store.count(&[entry(1, 1, 0, 1)]).await.unwrap();
        for sql in [
            "DROP TABLE spent",
            "ALTER TABLE receipts RENAME TO spent",
            "DELETE FROM versions WHERE version = 2",
        ] {
            (store.with(async |it| it.execute(sql, &[]).await))
                .await
                .unwrap();
        }
        store.close().await;
        let mut store = opened(&fresh.address).await;
        let again = [entry(1, 1, 0, 1), entry(1, 2, 0, 1), entry(2, 2, 0, 1)];
        let expected = [Outcome::Repeated, Outcome::Used, Outcome::Counted];
        assert_eq!(store.count(&again).await.unwrap(), expected);
        assert_eq!(store.rounds().await.unwrap()[0].answers, 2);
        store.close().await;
    }
}

/// Neither the file nor its log holds a receipt after its round, or a token after the end.
#[tokio::test]
async fn receipts_are_overwritten() {
    let fresh = fresh_stores().await.remove(0);
    let mut store = opened(&fresh.address).await;
    store.open_first(0).await.unwrap();
    let batch: Vec<Entry> = (1..200).map(|at| entry(at, 200, 0, 0)).collect();
    store.count(&batch).await.unwrap();
    let found = || {
        let files = std::fs::read_dir(fresh.folder.path()).unwrap();
        let bytes: Vec<u8> = files
            .flat_map(|file| std::fs::read(file.unwrap().path()).unwrap())
            .collect();
        let has = |hash: u8| bytes.windows(32).any(|window| window == [hash; 32]);
        (has(100), has(200))
    };
    assert_eq!(found(), (true, true));
    store.advance(0, 1).await.unwrap();
    assert_eq!(found(), (true, false));
    store.complete(1).await.unwrap();
    assert_eq!(found(), (false, false));
    store.close().await;
    assert_eq!(found(), (false, false));
}

#[cfg(unix)]
#[tokio::test]
async fn others_cannot_read_the_files() {
    use std::os::unix::fs::PermissionsExt;

    let fresh = fresh_stores().await.remove(0);
    let mut store = opened(&fresh.address).await;
    store.open_first(0).await.unwrap();
    for file in std::fs::read_dir(fresh.folder.path()).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
    store.close().await;
}

#[tokio::test]
async fn the_store_of_another_campaign_is_refused() {
    for fresh in fresh_stores().await {
        opened(&fresh.address).await.close().await;
        let (mut other_id, mut other_digest) = (CAMPAIGN, CAMPAIGN);
        (other_id.id, other_digest.digest) = (3, [8; 32]);
        for other in [other_id, other_digest] {
            let error = Store::open(fresh.address.clone(), other)
                .await
                .err()
                .unwrap();
            assert!(error.message().contains("another campaign"), "{error}");
            assert_eq!(error.exit_code(), 1);
        }
        opened(&fresh.address).await.close().await;
    }
}

#[tokio::test]
async fn a_second_service_is_kept_out() {
    for fresh in fresh_stores().await {
        let first = opened(&fresh.address).await;
        let second = Store::open(fresh.address.clone(), CAMPAIGN).await;
        let error = second.err().unwrap();
        assert!(error.message().contains("another service"), "{error}");
        assert!(error.advice().is_some_and(|it| it.contains("end it first")));
        assert_eq!(error.exit_code(), 1);
        first.close().await;
        opened(&fresh.address).await.close().await;
    }
}

#[tokio::test]
async fn tables_of_a_newer_version_are_left_alone() {
    for fresh in fresh_stores().await {
        let mut store = opened(&fresh.address).await;
        let sql = "INSERT INTO versions (version) VALUES (99)";
        (store.with(async |it| it.execute(sql, &[]).await))
            .await
            .unwrap();
        store.close().await;
        let error = Store::open(fresh.address.clone(), CAMPAIGN)
            .await
            .err()
            .unwrap();
        assert!(error.message().contains("version 99"), "{error}");
    }
}

#[tokio::test]
async fn what_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.db");
    std::fs::write(
        &path,
        "this is no database, but long enough to look like one".repeat(9),
    )
    .unwrap();
    let error = Store::open(StoreAddress::Sqlite(path), CAMPAIGN)
        .await
        .err()
        .unwrap();
    assert!(error.message().contains("store"), "{error}");
}
