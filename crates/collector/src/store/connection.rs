//! One connection to either database, so that every statement is written once.
//!
//! Statements use `$1`, `$2` … and what SQLite and PostgreSQL have in common. Their texts never hold
//! data: a statement that is put together has only its number of places chosen.

use std::path::Path;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgRow};
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteLockingMode,
    SqliteRow, SqliteSynchronous,
};
use sqlx::{Arguments, AssertSqlSafe, ConnectOptions, Connection as _, FromRow};
use wayveil_core::{Error, Result};

use crate::campaign_file::StoreAddress;

/// How long another process that is just ending may hold the store.
const BUSY: Duration = Duration::from_secs(5);

/// What PostgreSQL is told about a session. The machine of a service may vanish from the network, and its session
/// would keep the lock of the only writer for hours: these end it, and what it has begun, in a minute or two. A statement
/// that nobody waits for ends too; the longest that is waited for is the close of a round.
const SESSION: [(&str, &str); 7] = [
    ("synchronous_commit", "on"),
    ("tcp_keepalives_idle", "30"),
    ("tcp_keepalives_interval", "10"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "60s"),
    ("idle_in_transaction_session_timeout", "60s"),
    ("statement_timeout", "900s"),
];

/// A row that can be read from either database.
pub(crate) trait Row:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{
}

impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{}

/// What a place in a statement is filled with.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(i64),
    Bytes(Vec<u8>),
    Text(String),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Who else may use a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nobody, for as long as this connection lives.
    Alone,
    /// Other processes too, one transaction at a time.
    Shared,
}

pub(crate) enum Connection {
    Sqlite(Box<SqliteConnection>),
    Postgres(Box<PgConnection>),
}

impl Connection {
    /// Connects, or says why not.
    pub(crate) async fn open(address: &StoreAddress, access: Access) -> Result<Self> {
        match address {
            StoreAddress::Sqlite(path) => {
                create_for_us_alone(path)?;
                // FULL: a commit is on disk when it returns, also with a write-ahead log. An
                // exclusive lock keeps a second service out for as long as this one lives.
                let locking = match access {
                    Access::Alone => SqliteLockingMode::Exclusive,
                    Access::Shared => SqliteLockingMode::Normal,
                };
                let options = SqliteConnectOptions::new()
                    .filename(path)
                    .create_if_missing(true)
                    .locking_mode(locking)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Full)
                    .busy_timeout(BUSY)
                    .pragma("secure_delete", "ON")
                    .pragma("trusted_schema", "OFF")
                    .disable_statement_logging();
                let connection = SqliteConnection::connect_with(&options).await;
                let connection = connection.map_err(|cause| match access {
                    Access::Alone if is_held(&cause) => held_by_another(""),
                    _ => cannot("open the store", cause),
                })?;
                Ok(Self::Sqlite(Box::new(connection)))
            }
            StoreAddress::Postgres(url) => {
                let options: PgConnectOptions = url.parse().map_err(|_| {
                    Error::input("the store's connection string is not one of PostgreSQL")
                })?;
                let options = options.disable_statement_logging();
                let connection = PgConnection::connect_with(&options).await;
                let connection = connection.map_err(|cause| cannot("open the store", cause))?;
                let mut connection = Self::Postgres(Box::new(connection));
                connection.set_up_session().await?;
                if access == Access::Alone {
                    connection.be_the_only_writer().await?;
                }
                Ok(connection)
            }
        }
    }

    /// Tells PostgreSQL about the session; what its version does not know is passed over.
    async fn set_up_session(&mut self) -> Result<()> {
        let sql = "SELECT set_config(name, $2, false) FROM pg_settings WHERE name = $1";
        for (name, value) in SESSION {
            let _: Vec<(String,)> = self.fetch(sql, &[name.into(), value.into()]).await?;
        }
        Ok(())
    }

    /// PostgreSQL has no exclusive file: a lock of the session stands for it.
    async fn be_the_only_writer(&mut self) -> Result<()> {
        let attempts = BUSY.as_millis() / 100;
        for _ in 0..attempts {
            let held: Vec<(bool,)> = self
                .fetch(
                    "SELECT pg_try_advisory_lock(x'7761797665696c'::bigint \
                     # hashtext(current_schema())::bigint)",
                    &[],
                )
                .await?;
            if held == [(true,)] {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let vanished = "; if its machine is gone, PostgreSQL notices in two minutes";
        Err(held_by_another(vanished))
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// Begins a transaction; in SQLite, once no other process writes.
    pub(crate) async fn begin(&mut self) -> Result<()> {
        let sql = match self.is_sqlite() {
            true => "BEGIN IMMEDIATE",
            false => "BEGIN",
        };
        self.execute(sql, &[]).await.map(drop)
    }

    /// Runs a statement and tells how many rows it touched.
    pub(crate) async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        let failed = |cause| cannot("write to the store", cause);
        match self {
            Self::Sqlite(connection) => {
                let arguments = bound::<SqliteArguments>(values, sqlite)?;
                let query = sqlx::query_with(AssertSqlSafe(sql), arguments).persistent(false);
                let done = query.execute(connection.as_mut()).await.map_err(failed)?;
                Ok(done.rows_affected())
            }
            Self::Postgres(connection) => {
                let arguments = bound::<PgArguments>(values, postgres)?;
                let query = sqlx::query_with(AssertSqlSafe(sql), arguments).persistent(false);
                let done = query.execute(connection.as_mut()).await.map_err(failed)?;
                Ok(done.rows_affected())
            }
        }
    }

    /// Runs a statement and returns its rows.
    pub(crate) async fn fetch<T: Row>(&mut self, sql: &str, values: &[Value]) -> Result<Vec<T>> {
        let failed = |cause| cannot("read from the store", cause);
        match self {
            Self::Sqlite(connection) => {
                let arguments = bound::<SqliteArguments>(values, sqlite)?;
                let query = sqlx::query_as_with(AssertSqlSafe(sql), arguments).persistent(false);
                query.fetch_all(connection.as_mut()).await.map_err(failed)
            }
            Self::Postgres(connection) => {
                let arguments = bound::<PgArguments>(values, postgres)?;
                let query = sqlx::query_as_with(AssertSqlSafe(sql), arguments).persistent(false);
                query.fetch_all(connection.as_mut()).await.map_err(failed)
            }
        }
    }

    /// Ends the connection in good order, as far as that is possible.
    pub(crate) async fn close(self) {
        // What was committed is on disk; nothing is lost if this fails.
        let _ = match self {
            Self::Sqlite(connection) => connection.close().await,
            Self::Postgres(connection) => connection.close().await,
        };
    }
}

type Bound = std::result::Result<(), sqlx::error::BoxDynError>;

fn bound<A: Default>(values: &[Value], add: fn(&mut A, Value) -> Bound) -> Result<A> {
    let mut arguments = A::default();
    for value in values {
        add(&mut arguments, value.clone())
            .map_err(|cause| Error::system("cannot prepare a statement", cause))?;
    }
    Ok(arguments)
}

fn sqlite(to: &mut SqliteArguments, value: Value) -> Bound {
    match value {
        Value::Number(number) => to.add(number),
        Value::Bytes(bytes) => to.add(bytes),
        Value::Text(text) => to.add(text),
    }
}

fn postgres(to: &mut PgArguments, value: Value) -> Bound {
    match value {
        Value::Number(number) => to.add(number),
        Value::Bytes(bytes) => to.add(bytes),
        Value::Text(text) => to.add(text),
    }
}

/// Makes the file, if it is not there, so that only its owner can read it; SQLite's log follows it.
fn create_for_us_alone(path: &Path) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(cause) => Err(Error::system("cannot make the store", cause)
            .in_file(path.display().to_string())
            .hint("the folder must be there, and writable")),
    }
}

fn held_by_another(more: &str) -> Error {
    Error::refused("another service uses this store")
        .hint(format!("end it first: a campaign has one collector{more}"))
}

/// Whether SQLite says that another process holds the file.
fn is_held(cause: &sqlx::Error) -> bool {
    const BUSY: i32 = 5;
    let code = cause.as_database_error().and_then(|it| it.code());
    // What is above the lowest byte says more about it.
    code.and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| code & 0xff == BUSY)
}

fn cannot(doing: &str, cause: sqlx::Error) -> Error {
    Error::system(format!("cannot {doing}"), cause)
}

/// `($1, $2), ($3, $4)`: places for so many rows of so many values.
pub(crate) fn places(rows: usize, values: usize) -> String {
    let row = |row: usize| {
        let places: Vec<String> = (1..=values)
            .map(|at| format!("${}", row * values + at))
            .collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    rows.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbered_through() {
        assert_eq!(places(2, 2), "($1, $2), ($3, $4)");
        assert_eq!(places(1, 1), "($1)");
    }
}
