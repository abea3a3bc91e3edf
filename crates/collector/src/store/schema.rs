//! The tables, and how older ones become newer ones.
//!
//! A table has no column for an address, a time or an answer. `receipts` has the tokens that were used in the open
//! round, and by what a repeat is known again; `spent` those of closed rounds, without a word of which. SQLite
//! keeps both in the order of their hashes. PostgreSQL marks every row with the transaction that wrote it, so all tokens, those
//! of earlier rounds too, are written anew at the close of a round, in one transaction and in that order: no mark joins
//! them to counts any more, or to a round.

use wayveil_core::{Error, Result};

use super::connection::Connection;

/// The tables of one kind of store.
pub(crate) struct Tables {
    /// The table that says which version the others have; it tells kinds of stores apart.
    pub(crate) versions: &'static str,
    /// Each brings the tables to the version of its place, counted from 1. Never changed once shipped.
    pub(crate) migrations: &'static [&'static [&'static str]],
}

/// The tables of versions of all kinds of stores.
const KINDS: [&str; 2] = [COLLECTOR.versions, ISSUER_VERSIONS];

/// Where the issuer's store keeps its version.
pub(crate) const ISSUER_VERSIONS: &str = "issuer_versions";

/// The tables of a campaign.
pub(super) const COLLECTOR: Tables = Tables {
    versions: "versions",
    migrations: MIGRATIONS,
};

const MIGRATIONS: &[&[&str]] = &[BEGINNING, RECEIPTS_APART];

const BEGINNING: &[&str] = &[
    "CREATE TABLE campaign (
        one {number} PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        digest {bytes} NOT NULL,
        state TEXT NOT NULL,
        why TEXT NOT NULL
    ) {end}",
    "CREATE TABLE rounds (
        round {number} PRIMARY KEY,
        state TEXT NOT NULL,
        elapsed {number} NOT NULL,
        answers {number} NOT NULL
    ) {end}",
    "CREATE TABLE blocks (
        round {number} NOT NULL,
        block {number} NOT NULL,
        answers {number} NOT NULL,
        PRIMARY KEY (round, block)
    ) {end}",
    "CREATE TABLE counts (
        round {number} NOT NULL,
        block {number} NOT NULL,
        fragment {number} NOT NULL,
        yes {number} NOT NULL,
        PRIMARY KEY (round, block, fragment)
    ) {end}",
    "CREATE TABLE spent (
        token {bytes} PRIMARY KEY,
        receipt {bytes} NOT NULL
    ) {end}",
];

/// So that receipts can go when a round closes, and tokens stay spent.
const RECEIPTS_APART: &[&str] = &[
    "ALTER TABLE spent RENAME TO receipts",
    "CREATE TABLE spent (token {bytes} PRIMARY KEY) {end}",
];

/// Brings the tables to the newest version, all or nothing.
pub(crate) async fn migrate(connection: &mut Connection, tables: &Tables) -> Result<()> {
    let Tables {
        versions,
        migrations,
    } = tables;
    let words = match connection.is_sqlite() {
        true => ["INTEGER", "BLOB", "STRICT, WITHOUT ROWID"],
        false => ["BIGINT", "BYTEA", ""],
    };
    connection.begin().await?;
    for other in KINDS.iter().filter(|kind| *kind != versions) {
        refuse_if_there(connection, other).await?;
    }
    connection
        .execute(
            &spelled(
                &format!("CREATE TABLE IF NOT EXISTS {versions} (version {{number}} PRIMARY KEY)"),
                words,
            ),
            &[],
        )
        .await?;
    let rows: Vec<(i64,)> = (connection.fetch(
        &format!("SELECT version FROM {versions} ORDER BY version"),
        &[],
    ))
    .await?;
    let present = rows.last().map_or(0, |(version,)| *version);
    if present > migrations.len() as i64 || present != rows.len() as i64 {
        return Err(Error::input(format!(
            "the store has version {present} of the tables, and this program knows {}",
            migrations.len()
        ))
        .hint("use a newer wayveil, or another store"));
    }
    for (version, statements) in (1_i64..).zip(*migrations).skip(present as usize) {
        for statement in *statements {
            connection.execute(&spelled(statement, words), &[]).await?;
        }
        let insert = format!("INSERT INTO {versions} (version) VALUES ($1)");
        connection.execute(&insert, &[version.into()]).await?;
    }
    connection.execute("COMMIT", &[]).await?;
    Ok(())
}

/// Who may join what an issuer and a collector keep should not find both in one place.
async fn refuse_if_there(connection: &mut Connection, table: &str) -> Result<()> {
    let sql = match connection.is_sqlite() {
        true => "SELECT COUNT(*) FROM sqlite_master WHERE name = $1",
        false => {
            "SELECT COUNT(*) FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_name = $1"
        }
    };
    let rows: Vec<(i64,)> = connection.fetch(sql, &[table.into()]).await?;
    match rows.as_slice() {
        [(0,)] => Ok(()),
        _ => Err(
            Error::refused("the store is that of a service of another kind")
                .hint("a collector and an issuer have a store each; name another"),
        ),
    }
}

fn spelled(statement: &str, [number, bytes, end]: [&str; 3]) -> String {
    (statement.replace("{number}", number))
        .replace("{bytes}", bytes)
        .replace("{end}", end)
}
