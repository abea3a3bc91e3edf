//! The tables, and how older ones become newer ones.
//!
//! A table has no column for an address, a time or an answer. `spent` says that a token was used and
//! by which receipt it is known again, not in which round; SQLite keeps it in the order of its hashes.

use wayveil_core::{Error, Result};

use super::connection::Connection;

/// Each brings the tables to the version of its place, counted from 1. Never changed once shipped.
const MIGRATIONS: &[&[&str]] = &[&[
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
]];

/// Brings the tables to the newest version, all or nothing.
pub(super) async fn migrate(connection: &mut Connection) -> Result<()> {
    let words = match connection.is_sqlite() {
        true => ["INTEGER", "BLOB", "STRICT, WITHOUT ROWID"],
        false => ["BIGINT", "BYTEA", ""],
    };
    connection.execute("BEGIN", &[]).await?;
    connection
        .execute(
            &spelled(
                "CREATE TABLE IF NOT EXISTS versions (version {number} PRIMARY KEY)",
                words,
            ),
            &[],
        )
        .await?;
    let rows: Vec<(i64,)> =
        (connection.fetch("SELECT version FROM versions ORDER BY version", &[])).await?;
    let present = rows.last().map_or(0, |(version,)| *version);
    if present > MIGRATIONS.len() as i64 || present != rows.len() as i64 {
        return Err(Error::input(format!(
            "the store has version {present} of the tables, and this program knows {}",
            MIGRATIONS.len()
        ))
        .hint("use a newer wayveil, or another store"));
    }
    for (version, statements) in (1_i64..).zip(MIGRATIONS).skip(present as usize) {
        for statement in *statements {
            connection.execute(&spelled(statement, words), &[]).await?;
        }
        let insert = "INSERT INTO versions (version) VALUES ($1)";
        connection.execute(insert, &[version.into()]).await?;
    }
    connection.execute("COMMIT", &[]).await?;
    Ok(())
}

fn spelled(statement: &str, [number, bytes, end]: [&str; 3]) -> String {
    (statement.replace("{number}", number))
        .replace("{bytes}", bytes)
        .replace("{end}", end)
}
