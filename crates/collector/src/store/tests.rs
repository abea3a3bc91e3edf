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
        let says = error.message();
        assert!(
            says.contains("locked") || says.contains("another service"),
            "{error}"
        );
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
