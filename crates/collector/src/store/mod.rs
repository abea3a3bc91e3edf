//! What a campaign remembers, in SQLite or PostgreSQL.
//!
//! An answer is added to counts in the transaction that marks its token as spent; afterwards neither
//! the answer nor when or from where it came is anywhere. A receipt, by which the client's repeat is known
//! again, goes when its round closes; then there are counts, and which tokens cannot be used again. After an error the connection is given up
//! and nothing is known of what was being written: who calls reads the numbers again before going on.
//!
//! A commit that failed halfway is no harm: if it took place, the client's repeat is recognised by
//! its receipt, and if not, it is counted then.

mod batch;
pub(crate) mod connection;
pub(crate) mod line;
pub(crate) mod schema;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wayveil_core::{Error, Result};

use crate::campaign_file::StoreAddress;
pub use batch::{Ballot, Entry, Outcome};
use connection::{Access, Connection};
use line::{Line, Prepared};

/// How long the close of a round may take: every token that was used in it is moved.
const PATIENCE_AT_THE_CLOSE: Duration = Duration::from_secs(900);

/// Which campaign a store belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The campaign's number.
    pub id: u64,
    /// Its digest, [`CampaignFile::digest`](crate::campaign_file::CampaignFile::digest).
    pub digest: [u8; 32],
}

/// What has become of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignState {
    /// A round is open.
    Running,
    /// No round is left.
    Complete,
    /// It ended early, and why.
    Failed(String),
}

/// One round as kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptRound {
    /// Its number.
    pub round: u32,
    /// Whether it is open.
    pub open: bool,
    /// How long it was open while the service ran.
    pub elapsed: Duration,
    /// How many answers were counted.
    pub answers: u64,
}

/// The counts of one round; what is zero may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptCounts {
    /// Block, and how many answered.
    pub blocks: Vec<(u32, u64)>,
    /// Block, fragment, and how many said yes.
    pub yes: Vec<(u32, u32, u64)>,
}

/// The store of one campaign, with its only writer.
pub struct Store(Line<Kept>);

/// What is made sure of with every connection.
struct Kept {
    identity: Identity,
    /// The write-ahead log could not be emptied after a round.
    has_history: AtomicBool,
}

impl Kept {
    fn note(&self, forgotten: Result<()>) {
        if let Err(error) = &forgotten {
            tracing::warn!(%error, "the database's log could not be emptied; it is tried again");
        }
        self.has_history
            .store(forgotten.is_err(), Ordering::Relaxed);
    }
}

impl Prepared for Kept {
    const ACCESS: Access = Access::Alone;

    async fn prepare(&self, connection: &mut Connection) -> Result<()> {
        schema::migrate(connection, &schema::COLLECTOR).await?;
        belongs(connection, self.identity).await?;
        // A process may have died between the close of a round and this.
        self.note(forget_history(connection).await);
        Ok(())
    }
}

impl Store {
    /// Opens a campaign's store; an empty one becomes this campaign's, and that of another is refused.
    pub async fn open(address: StoreAddress, identity: Identity) -> Result<Self> {
        let kept = Kept {
            identity,
            has_history: AtomicBool::new(false),
        };
        Ok(Self(Line::open(address, kept).await?))
    }

    /// Gives the store back in good order.
    pub async fn close(self) {
        self.0.close().await;
    }

    async fn with<T>(
        &mut self,
        doing: impl AsyncFnOnce(&mut Connection) -> Result<T>,
    ) -> Result<T> {
        self.0.with(doing).await
    }

    /// Does something with a round that ends; afterwards the database's log is emptied. What was committed stays so
    /// if that fails.
    async fn closing(
        &mut self,
        doing: impl AsyncFnOnce(&mut Connection) -> Result<()>,
    ) -> Result<()> {
        let forgotten = (self.0)
            .within(PATIENCE_AT_THE_CLOSE, async |it| {
                it.execute("BEGIN", &[]).await?;
                doing(it).await?;
                it.execute("COMMIT", &[]).await?;
                Ok(forget_history(it).await)
            })
            .await?;
        self.0.prepared().note(forgotten);
        Ok(())
    }

    /// Empties the database's log if that failed when a round was closed.
    pub async fn forget_what_is_left(&mut self) -> Result<()> {
        if !self.0.prepared().has_history.load(Ordering::Relaxed) {
            return Ok(());
        }
        let forgotten = self.with(async |it| Ok(forget_history(it).await)).await?;
        self.0.prepared().note(forgotten);
        Ok(())
    }

    /// As if the log could not have been emptied.
    #[cfg(test)]
    pub(crate) fn leave_history(&self) {
        (self.0.prepared()).note(Err(Error::system("a fault", "of a test")));
    }

    /// Whether the log is still to be emptied.
    #[cfg(test)]
    pub(crate) fn has_history(&self) -> bool {
        self.0.prepared().has_history.load(Ordering::Relaxed)
    }

    /// What has become of the campaign.
    pub async fn state(&mut self) -> Result<CampaignState> {
        let rows: Vec<(String, String)> = self
            .with(async |it| it.fetch("SELECT state, why FROM campaign", &[]).await)
            .await?;
        match rows.as_slice() {
            [(state, _)] if state == "running" => Ok(CampaignState::Running),
            [(state, _)] if state == "complete" => Ok(CampaignState::Complete),
            [(state, why)] if state == "failed" => Ok(CampaignState::Failed(why.clone())),
            _ => Err(damaged("its campaign is in no known state")),
        }
    }

    /// The rounds so far, in order.
    pub async fn rounds(&mut self) -> Result<Vec<KeptRound>> {
        let sql = "SELECT round, state, elapsed, answers FROM rounds ORDER BY round";
        let rows: Vec<(i64, String, i64, i64)> =
            self.with(async |it| it.fetch(sql, &[]).await).await?;
        let kept = |(round, state, elapsed, answers): (i64, String, i64, i64)| {
            Ok(KeptRound {
                round: number(round)?,
                open: state == "open",
                elapsed: Duration::from_millis(number(elapsed)?),
                answers: number(answers)?,
            })
        };
        rows.into_iter().map(kept).collect()
    }

    /// The counts of a round.
    pub async fn counts(&mut self, round: u32) -> Result<KeptCounts> {
        let of_blocks = "SELECT block, answers FROM blocks WHERE round = $1 ORDER BY block";
        let of_fragments = "SELECT block, fragment, yes FROM counts WHERE round = $1 \
                            ORDER BY block, fragment";
        let (blocks, yes) = self
            .with(async |it| {
                let blocks: Vec<(i64, i64)> = it.fetch(of_blocks, &[round.into()]).await?;
                let yes: Vec<(i64, i64, i64)> = it.fetch(of_fragments, &[round.into()]).await?;
                Ok((blocks, yes))
            })
            .await?;
        let block = |(block, answers)| Ok((number(block)?, number(answers)?));
        let fragment = |(block, at, yes)| Ok((number(block)?, number(at)?, number(yes)?));
        Ok(KeptCounts {
            blocks: blocks.into_iter().map(block).collect::<Result<_>>()?,
            yes: yes.into_iter().map(fragment).collect::<Result<_>>()?,
        })
    }

    /// Counts what waits, in one transaction, in the order given. What comes back is durable.
    pub async fn count(&mut self, entries: &[Entry]) -> Result<Vec<Outcome>> {
        self.with(async |it| batch::count(it, entries).await).await
    }

    /// Keeps how long the open round has been open.
    pub async fn set_elapsed(&mut self, round: u32, elapsed: Duration) -> Result<()> {
        let millis = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
        let sql = "UPDATE rounds SET elapsed = $1 WHERE round = $2 AND state = 'open'";
        let values = [millis.into(), round.into()];
        self.with(async |it| one_row(it.execute(sql, &values).await?))
            .await
    }

    /// Opens the first round, if none was opened before.
    pub async fn open_first(&mut self, round: u32) -> Result<()> {
        self.with(async |it| open_round(it, round).await).await
    }

    /// Closes the open round, removes its receipts and opens another.
    pub async fn advance(&mut self, closed: u32, next: u32) -> Result<()> {
        self.closing(async |it| {
            close_round(it, closed).await?;
            forget_receipts(it).await?;
            open_round(it, next).await
        })
        .await
    }

    /// Closes the last round: the campaign is complete, and spent tokens are removed too.
    pub async fn complete(&mut self, closed: u32) -> Result<()> {
        self.closing(async |it| {
            close_round(it, closed).await?;
            end(it, "complete", "").await
        })
        .await
    }

    /// Ends the campaign early. Tokens are removed, and counts too: nothing comes of them.
    pub async fn fail(&mut self, open: u32, why: &str) -> Result<()> {
        self.closing(async |it| {
            close_round(it, open).await?;
            end(it, "failed", why).await?;
            clear(it, "counts").await?;
            clear(it, "blocks").await
        })
        .await
    }
}

/// Makes an empty store this campaign's, and refuses that of another.
async fn belongs(connection: &mut Connection, identity: Identity) -> Result<()> {
    let sql = "INSERT INTO campaign (one, id, digest, state, why) \
               VALUES (1, $1, $2, 'running', '') ON CONFLICT (one) DO NOTHING";
    let id = identity.id.to_string();
    let values = [id.as_str().into(), identity.digest.as_slice().into()];
    connection.execute(sql, &values).await?;
    let rows: Vec<(String, Vec<u8>)> =
        (connection.fetch("SELECT id, digest FROM campaign", &[])).await?;
    match rows.as_slice() {
        [(kept, digest)] if *kept == id && *digest == identity.digest => Ok(()),
        _ => Err(Error::refused("the store belongs to another campaign")
            .hint("a campaign's file cannot be changed once it runs; name another store")),
    }
}

async fn close_round(connection: &mut Connection, round: u32) -> Result<()> {
    let sql = "UPDATE rounds SET state = 'closed' WHERE round = $1 AND state = 'open'";
    one_row(connection.execute(sql, &[round.into()]).await?)
}

/// Keeps which tokens cannot be used again, and forgets everything else of them. Where rows have marks of transactions, those
/// of earlier rounds are written anew too: else the mark would tell in which round a token was used.
async fn forget_receipts(connection: &mut Connection) -> Result<()> {
    if !connection.is_sqlite() {
        let sql = "INSERT INTO receipts (token, receipt) SELECT token, token FROM spent";
        connection.execute(sql, &[]).await?;
        clear(connection, "spent").await?;
    }
    let sql = "INSERT INTO spent (token) SELECT token FROM receipts ORDER BY token";
    connection.execute(sql, &[]).await?;
    clear(connection, "receipts").await
}

async fn open_round(connection: &mut Connection, round: u32) -> Result<()> {
    let sql = "INSERT INTO rounds (round, state, elapsed, answers) VALUES ($1, 'open', 0, 0)";
    one_row(connection.execute(sql, &[round.into()]).await?)
}

async fn end(connection: &mut Connection, state: &str, why: &str) -> Result<()> {
    let sql = "UPDATE campaign SET state = $1, why = $2 WHERE state = 'running'";
    one_row(connection.execute(sql, &[state.into(), why.into()]).await?)?;
    clear(connection, "receipts").await?;
    clear(connection, "spent").await
}

/// Removes all rows, for good: SQLite overwrites them, and PostgreSQL drops the file.
async fn clear(connection: &mut Connection, table: &'static str) -> Result<()> {
    let sql = match connection.is_sqlite() {
        true => format!("DELETE FROM {table}"),
        false => format!("TRUNCATE TABLE {table}"),
    };
    connection.execute(&sql, &[]).await.map(drop)
}

/// The write-ahead log shows in which order pages were written; between rounds it is emptied.
async fn forget_history(connection: &mut Connection) -> Result<()> {
    if !connection.is_sqlite() {
        return Ok(());
    }
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    let done: Vec<(i64, i64, i64)> = connection.fetch(sql, &[]).await?;
    match done.as_slice() {
        [(0, ..)] => Ok(()),
        _ => Err(Error::system(
            "cannot empty the database's log",
            "it is in use",
        )),
    }
}

fn one_row(touched: u64) -> Result<()> {
    match touched {
        1 => Ok(()),
        _ => Err(damaged("a round is not in the state that it should be in")),
    }
}

fn number<T: TryFrom<i64>>(kept: i64) -> Result<T> {
    T::try_from(kept).map_err(|_| damaged("a number lies outside its range"))
}

pub(crate) fn damaged(what: &str) -> Error {
    Error::system("the store is damaged", what)
        .hint("begin the campaign anew under another name, with an empty store; an older copy lacks answers, and takes tokens a second time")
}

#[cfg(test)]
mod tests;
