//! Counting many answers in one transaction.

use std::collections::{BTreeMap, HashMap};

use wayveil_core::Result;

use super::connection::{Connection, Value, places};
use super::damaged;

/// Rows of one statement. SQLite looks places up one by one, so that a statement with thousands of them takes
/// longer than many small ones.
const ROWS: usize = 256;

/// One answer that waits to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// SHA-256 of the token.
    pub token: [u8; 32],
    /// SHA-256 of nonce and answer.
    pub receipt: [u8; 32],
    /// The bits, if the answer may still be counted; else it is only looked up.
    pub ballot: Option<Ballot>,
}

/// What is counted of an answer that fits its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The round, which is open.
    pub round: u32,
    /// The block.
    pub block: u32,
    /// The bit of the i-th fragment is bit i.
    pub bits: u64,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Counted now.
    Counted,
    /// Counted before in the open round: the same token, nonce and answer.
    Repeated,
    /// The token was used in the open round with anything else.
    Used,
    /// The token was used in a round that is closed; nobody knows any more with which answer.
    Past,
    /// The token is unused, and the answer may not be counted any more.
    Absent,
}

pub(super) async fn count(connection: &mut Connection, entries: &[Entry]) -> Result<Vec<Outcome>> {
    connection.execute("BEGIN", &[]).await?;
    let mut spent = known(connection, entries).await?;
    let mut fresh: Vec<&Entry> = Vec::new();
    let outcomes = entries
        .iter()
        .map(|entry| match spent.get(&entry.token) {
            Some(Some(receipt)) if *receipt == entry.receipt => Outcome::Repeated,
            Some(Some(_)) => Outcome::Used,
            Some(None) => Outcome::Past,
            None if entry.ballot.is_some() => {
                spent.insert(entry.token, Some(entry.receipt));
                fresh.push(entry);
                Outcome::Counted
            }
            None => Outcome::Absent,
        })
        .collect();
    spend(connection, fresh.clone()).await?;
    add(connection, &fresh).await?;
    connection.execute("COMMIT", &[]).await?;
    Ok(outcomes)
}

/// Those tokens that were used before, with their receipts if that was in the open round.
async fn known(
    connection: &mut Connection,
    entries: &[Entry],
) -> Result<HashMap<[u8; 32], Option<[u8; 32]>>> {
    let mut spent = HashMap::new();
    for chunk in entries.chunks(ROWS) {
        let among = places(1, chunk.len());
        let sql = format!(
            "SELECT token, receipt FROM receipts WHERE token IN {among} \
             UNION ALL SELECT token, NULL FROM spent WHERE token IN {among}"
        );
        let tokens: Vec<Value> = chunk.iter().map(|it| it.token.as_slice().into()).collect();
        let rows: Vec<(Vec<u8>, Option<Vec<u8>>)> = connection.fetch(&sql, &tokens).await?;
        for (token, receipt) in rows {
            let whole = |bytes: Vec<u8>| {
                <[u8; 32]>::try_from(bytes).map_err(|_| damaged("a hash has another length"))
            };
            spent.insert(whole(token)?, receipt.map(whole).transpose()?);
        }
    }
    Ok(spent)
}

/// Marks tokens as spent. A token that is spent already is an error: there is a second writer.
async fn spend(connection: &mut Connection, mut fresh: Vec<&Entry>) -> Result<()> {
    // Not in the order in which they came.
    fresh.sort_unstable_by_key(|entry| entry.token);
    for chunk in fresh.chunks(ROWS) {
        let rows = places(chunk.len(), 2);
        let sql = format!("INSERT INTO receipts (token, receipt) VALUES {rows}");
        let hashes = chunk.iter().flat_map(|it| [it.token, it.receipt]);
        let values: Vec<Value> = hashes.map(|hash| hash.as_slice().into()).collect();
        connection.execute(&sql, &values).await?;
    }
    Ok(())
}

/// Adds answers to the counts.
async fn add(connection: &mut Connection, fresh: &[&Entry]) -> Result<()> {
    let mut rounds = BTreeMap::<i64, i64>::new();
    let mut blocks = BTreeMap::<[i64; 2], i64>::new();
    let mut yes = BTreeMap::<[i64; 3], i64>::new();
    for ballot in fresh.iter().filter_map(|entry| entry.ballot) {
        let (round, block) = (ballot.round.into(), ballot.block.into());
        *rounds.entry(round).or_default() += 1;
        *blocks.entry([round, block]).or_default() += 1;
        let said_yes = (0..64).filter(|at| ballot.bits >> at & 1 == 1);
        for fragment in said_yes {
            *yes.entry([round, block, fragment]).or_default() += 1;
        }
    }
    for (round, answers) in rounds {
        let sql = "UPDATE rounds SET answers = answers + $1 WHERE round = $2 AND state = 'open'";
        let values = [answers.into(), round.into()];
        super::one_row(connection.execute(sql, &values).await?)?;
    }
    upsert(connection, "blocks (round, block, answers)", blocks).await?;
    upsert(connection, "counts (round, block, fragment, yes)", yes).await
}

/// Adds numbers to the last column of a table, by the key of the others.
async fn upsert<const KEY: usize>(
    connection: &mut Connection,
    table: &'static str,
    numbers: BTreeMap<[i64; KEY], i64>,
) -> Result<()> {
    let (name, columns) = table.split_once(" (").unwrap_or((table, ""));
    let (key, last) = columns.rsplit_once(", ").unwrap_or((columns, ""));
    let last = last.trim_end_matches(')');
    let rows: Vec<_> = numbers.into_iter().collect();
    for chunk in rows.chunks(ROWS) {
        let values = places(chunk.len(), KEY + 1);
        let sql = format!(
            "INSERT INTO {table} VALUES {values} \
             ON CONFLICT ({key}) DO UPDATE SET {last} = {name}.{last} + excluded.{last}"
        );
        let numbers = |(key, number): &([i64; KEY], i64)| {
            let key: Vec<i64> = key.to_vec();
            key.into_iter().chain([*number])
        };
        let values: Vec<Value> = chunk.iter().flat_map(numbers).map(Value::from).collect();
        connection.execute(&sql, &values).await?;
    }
    Ok(())
}
