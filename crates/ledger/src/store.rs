//! The SQLite file: one table that only grows.
//!
//! A rollback journal with `synchronous=EXTRA`: a commit returns when the journal's removal, which
//! is what makes it a commit, is on disk too, so that a power failure cannot take back an entry
//! whose release is already in its place. A write-ahead log would be faster, but at rest the books
//! could be two files of which one is easily left behind, and it does not work on network drives.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use wayveil_core::{Error, Result};

use crate::chain::cooked;
use crate::entry::Row;
use crate::location::default_path;
use crate::secret::{self, private};

/// Marks the file as ours: "WVLG".
const APPLICATION: i64 = 0x5756_4c47;
const VERSION: i64 = 1;
/// How long to wait for other processes; each holds the ledger for milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

const SCHEMA: &str = "
CREATE TABLE entries (
    number INTEGER PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL, id TEXT NOT NULL, time TEXT NOT NULL, population TEXT NOT NULL,
    guarantee TEXT NOT NULL, promise TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL,
    unit TEXT NOT NULL, method TEXT NOT NULL, variant TEXT NOT NULL, fingerprint TEXT NOT NULL,
    previous TEXT NOT NULL, hash TEXT NOT NULL
);
CREATE TRIGGER never_changed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never changed'); END;
CREATE TRIGGER never_removed BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never removed'); END;
CREATE TRIGGER only_appended BEFORE INSERT ON entries
    WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM entries)
      OR NEW.previous <> coalesce(
            (SELECT hash FROM entries ORDER BY number DESC LIMIT 1), NEW.previous)
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are only appended'); END;
";

/// What a file turned out to be.
pub(crate) enum State {
    /// Nothing was written yet.
    Empty,
    /// A ledger of this version.
    Ready,
}

/// An open file.
pub(crate) struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a file that is there.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::input("this is a folder, not a ledger")
                .in_file(path.display().to_string())
                .hint("name a file with --ledger FILE or in WAYVEIL_LEDGER"));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        let store = Self {
            path: path.to_owned(),
            connection: connection.map_err(|cause| explained(path, &cause))?,
        };
        store.prepare().map_err(|cause| store.failed(&cause))?;
        Ok(store)
    }

    /// Opens a file for writing; makes an empty one if there is none.
    pub(crate) fn open_or_create(path: &Path) -> Result<Self> {
        let failed = |cause: std::io::Error| {
            Error::system("cannot write the ledger", cause)
                .in_file(path.display().to_string())
                .hint("name another file with --ledger FILE or in WAYVEIL_LEDGER")
        };
        // Asked first: a secret that is there now is older than a ledger made meanwhile.
        let left_behind = secret::refuse_if_left_behind(path);
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => {}
            // Also for a superuser, who could write it all the same: someone has marked it so.
            Ok(found) if found.permissions().readonly() => return Err(read_only(path)),
            Ok(_) => {}
            Err(_) => {
                left_behind?;
                if let Some(folder) = path.parent()
                    && default_path().is_ok_and(|default| default == path)
                {
                    fs::create_dir_all(folder).map_err(failed)?;
                }
                // Another process may have made it by now: that one is kept.
                let mut options = private();
                options.create(true).truncate(false);
                options.open(path).map_err(failed)?;
            }
        }
        Self::open(path)
    }

    fn prepare(&self) -> rusqlite::Result<()> {
        let connection = &self.connection;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "synchronous", "EXTRA")?;
        connection.pragma_update(None, "fullfsync", true)?;
        connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
    }

    /// Begins to write: nobody else can, until the transaction ends.
    pub(crate) fn lock(&mut self) -> Result<Transaction<'_>> {
        let path = &self.path;
        self.connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|cause| explained(path, &cause))
    }

    /// The file as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// An error of SQLite in words.
    pub(crate) fn failed(&self, cause: &rusqlite::Error) -> Error {
        explained(&self.path, cause)
    }

    /// The file, to be read outside a transaction.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Lets SQLite look for damage of its own structures.
    pub(crate) fn check_structure(&self) -> Result<()> {
        let found: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(|cause| self.failed(&cause))?;
        match found.as_str() {
            "ok" => Ok(()),
            damage => Err(Error::refused(format!("the ledger is damaged: {damage}"))
                .in_file(self.path.display().to_string())),
        }
    }
}

/// What a file is, inside or outside a transaction. A ledger whose table or triggers are not exactly
/// those that are made here is refused: a trigger could undo what is written.
pub(crate) fn state(connection: &Connection, path: &Path) -> Result<State> {
    let number = |query: &str| {
        connection
            .query_row(query, [], |row| row.get::<_, i64>(0))
            .map_err(|cause| explained(path, &cause))
    };
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    match (
        number("PRAGMA application_id")?,
        number("PRAGMA user_version")?,
    ) {
        (0, 0) if tables == 0 => Ok(State::Empty),
        (APPLICATION, VERSION) => {
            let compared = schema(connection)
                .and_then(|found| Ok(found == expected_schema()?))
                .map_err(|cause| explained(path, &cause))?;
            if compared {
                Ok(State::Ready)
            } else {
                Err(cooked(
                    "the ledger was changed: its table or its triggers are not those that wayveil \
                     makes"
                        .into(),
                )
                .in_file(path.display().to_string()))
            }
        }
        (APPLICATION, version) => Err(Error::refused(format!(
            "this ledger has the format {version}; this version of wayveil knows {VERSION} only"
        ))
        .in_file(path.display().to_string())
        .hint("use the version of wayveil that wrote it, or a newer one")),
        _ => Err(not_a_ledger(path)),
    }
}

/// Everything that a file defines, in an order of its own.
fn schema(connection: &Connection) -> rusqlite::Result<Vec<[Option<String>; 4]>> {
    connection
        .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")?
        .query_map([], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
        })?
        .collect()
}

/// What [`schema`] finds in a ledger that nobody has touched.
fn expected_schema() -> rusqlite::Result<Vec<[Option<String>; 4]>> {
    let untouched = Connection::open_in_memory()?;
    untouched.execute_batch(SCHEMA)?;
    schema(&untouched)
}

/// Makes the table in an empty file.
pub(crate) fn create_schema(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)
}

/// All entries, inside or outside a transaction.
pub(crate) fn rows(connection: &Connection, path: &Path) -> Result<Vec<Row>> {
    let read = || -> rusqlite::Result<Vec<Row>> {
        let query = format!(
            "SELECT number, {}, hash FROM entries ORDER BY number",
            Row::TEXTS.join(", ")
        );
        connection
            .prepare(&query)?
            .query_map([], |row| {
                Ok(Row {
                    number: row.get(0)?,
                    kind: row.get(1)?,
                    id: row.get(2)?,
                    time: row.get(3)?,
                    population: row.get(4)?,
                    guarantee: row.get(5)?,
                    promise: row.get(6)?,
                    epsilon: row.get(7)?,
                    delta: row.get(8)?,
                    unit: row.get(9)?,
                    method: row.get(10)?,
                    variant: row.get(11)?,
                    fingerprint: row.get(12)?,
                    previous: row.get(13)?,
                    hash: row.get(14)?,
                })
            })?
            .collect()
    };
    read().map_err(|cause| explained(path, &cause))
}

/// Appends an entry.
pub(crate) fn append(transaction: &Transaction<'_>, row: &Row) -> rusqlite::Result<()> {
    let places = vec!["?"; Row::TEXTS.len() + 2].join(", ");
    let query = format!(
        "INSERT INTO entries (number, {}, hash) VALUES ({places})",
        Row::TEXTS.join(", ")
    );
    let mut statement = transaction.prepare(&query)?;
    statement.raw_bind_parameter(1, row.number)?;
    for (index, text) in row.texts().into_iter().enumerate() {
        statement.raw_bind_parameter(index + 2, text)?;
    }
    statement.raw_bind_parameter(Row::TEXTS.len() + 2, &row.hash)?;
    statement.raw_execute().map(|_| ())
}

fn not_a_ledger(path: &Path) -> Error {
    Error::input("this is not a ledger, or it is damaged")
        .in_file(path.display().to_string())
        .hint("restore a copy of it, or name another file with --ledger FILE or in WAYVEIL_LEDGER")
}

fn read_only(path: &Path) -> Error {
    Error::system("cannot write the ledger", "it is read-only")
        .in_file(path.display().to_string())
        .hint("allow yourself to write it, or name another file with --ledger FILE")
}

/// An error of SQLite in words.
pub(crate) fn explained(path: &Path, cause: &rusqlite::Error) -> Error {
    let unreadable = matches!(
        cause,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
    );
    if unreadable {
        return Error::refused(format!("an entry of the ledger was changed: {cause}"))
            .in_file(path.display().to_string());
    }
    match cause.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::SchemaChanged) => {
            not_a_ledger(path)
        }
        Some(ErrorCode::ReadOnly) => read_only(path),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::system(
            "the ledger is in use by another process",
            format!("waited {} seconds for it", PATIENCE.as_secs()),
        )
        .in_file(path.display().to_string())
        .hint("try again when the other process is done"),
        Some(ErrorCode::Unknown) => not_a_ledger(path),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            // What SQLite says names the file again.
            Error::system("cannot open the ledger", "it cannot be reached")
                .in_file(path.display().to_string())
                .hint(
                    "see that you may read and write the file and its folder, or name another with \
                     --ledger FILE",
                )
        }
        _ => Error::system("cannot use the ledger", cause)
            .in_file(path.display().to_string())
            .hint("make room on the disk, or name another file with --ledger FILE"),
    }
}
