//! What an issuer remembers: hashes of codes, and for each code and campaign the hash of the one
//! request that was signed. No code, no address and no time; SQLite keeps rows in the order of their
//! hashes, and only its log tells for a while in which order they came.
//!
//! Codes are looked up by their SHA-256. How long that takes tells at most something of a hash that
//! the asker has computed, never of a code that it has not.

use sha2::{Digest, Sha256};
use std::sync::Arc;
use wayveil_admission::{Code, KeyId, TokenOrder};
use wayveil_core::{Error, Result};

use crate::campaign_file::StoreAddress;
use crate::store::connection::{Access, Connection, Value, places};
use crate::store::line::{Line, Prepared};
use crate::store::schema::{ISSUER_VERSIONS, Tables, migrate};

const TABLES: Tables = Tables {
    versions: ISSUER_VERSIONS,
    migrations: &[&[
        "CREATE TABLE codes (
            code {bytes} PRIMARY KEY
        ) {end}",
        "CREATE TABLE keys (
            key {bytes} PRIMARY KEY,
            campaign TEXT NOT NULL
        ) {end}",
        "CREATE TABLE signed (
            code {bytes} NOT NULL,
            campaign TEXT NOT NULL,
            request {bytes} NOT NULL,
            PRIMARY KEY (code, campaign)
        ) {end}",
    ]],
};

/// Codes that are written by one statement.
const AT_ONCE: usize = 500;

/// A request that wants to be the one of its code and campaign.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    code: [u8; 32],
    campaign: Arc<str>,
    request: [u8; 32],
    /// Whether the key signs anything that it has not signed before.
    may_be_first: bool,
}

impl Claim {
    pub(super) fn new(order: &TokenOrder, campaign: &Arc<str>, may_be_first: bool) -> Self {
        let request = Sha256::new()
            .chain_update(order.key.0)
            .chain_update(&order.blinded.0);
        Self {
            code: order.code.kept(),
            campaign: campaign.clone(),
            request: request.finalize().into(),
            may_be_first,
        }
    }
}

/// What became of a claim, for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    /// It is the one.
    First,
    /// It was before.
    Again,
    /// Another one is.
    Used,
    /// Nobody was given this code.
    UnknownCode,
    /// None is, and this key will sign none.
    Retired,
}

/// The store of an issuer. Several processes may use it: the database settles who was first.
pub(super) struct IssuerStore(Line<Ours>);

struct Ours;

impl Prepared for Ours {
    const ACCESS: Access = Access::Shared;

    async fn prepare(&self, connection: &mut Connection) -> Result<()> {
        migrate(connection, &TABLES).await
    }
}

impl IssuerStore {
    pub(super) async fn open(address: StoreAddress) -> Result<Self> {
        Ok(Self(Line::open(address, Ours).await?))
    }

    pub(super) async fn close(self) {
        self.0.close().await;
    }

    /// Notes that a key is a campaign's; one that was another's is refused. Else a campaign could be
    /// renamed, and everybody would get a second token.
    pub(super) async fn belongs(&mut self, key: KeyId, campaign: &str) -> Result<()> {
        let insert =
            "INSERT INTO keys (key, campaign) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
        let values: [Value; 2] = [key.0.as_slice().into(), campaign.into()];
        let of_key = "SELECT campaign FROM keys WHERE key = $1";
        let kept: Vec<(String,)> = self
            .0
            .with(async |it| {
                it.execute(insert, &values).await?;
                it.fetch(of_key, &values[..1]).await
            })
            .await?;
        match kept.as_slice() {
            [(kept,)] if kept == campaign => Ok(()),
            _ => Err(Error::refused(format!(
                "the key {key} was used for another campaign than {campaign:?} before"
            ))
            .hint("a campaign keeps its name, and another one has keys of its own")),
        }
    }

    /// Adds codes, all or none, and tells how many there are now.
    pub(super) async fn enrol(&mut self, codes: &[Code]) -> Result<u64> {
        let mut kept: Vec<[u8; 32]> = codes.iter().map(Code::kept).collect();
        // In no order that says which line of a list they stand in.
        kept.sort_unstable();
        let rows: Vec<(i64,)> = self
            .0
            .with(async |it| {
                it.begin().await?;
                for some in kept.chunks(AT_ONCE) {
                    let sql = format!("INSERT INTO codes (code) VALUES {}", places(some.len(), 1));
                    let values: Vec<Value> = some.iter().map(|it| it.as_slice().into()).collect();
                    it.execute(&sql, &values).await?;
                }
                let counted = it.fetch("SELECT COUNT(*) FROM codes", &[]).await?;
                it.execute("COMMIT", &[]).await?;
                Ok(counted)
            })
            .await?;
        Ok(rows.first().map_or(0, |(count,)| *count as u64))
    }

    /// Settles claims in the order given. What comes back is durable.
    pub(super) async fn settle(&mut self, claims: &[Claim]) -> Result<Vec<Claimed>> {
        self.0
            .with(async |it| {
                let mut settled = Vec::with_capacity(claims.len());
                it.begin().await?;
                for claim in claims {
                    settled.push(settle(it, claim).await?);
                }
                it.execute("COMMIT", &[]).await?;
                Ok(settled)
            })
            .await
    }

    /// Whether the store can be read.
    pub(super) async fn probe(&mut self) -> Result<()> {
        let sql = "SELECT COUNT(*) FROM keys";
        let rows: Vec<(i64,)> = self.0.with(async |it| it.fetch(sql, &[]).await).await?;
        drop(rows);
        Ok(())
    }
}

async fn settle(connection: &mut Connection, claim: &Claim) -> Result<Claimed> {
    let code: Value = claim.code.as_slice().into();
    let known = "SELECT COUNT(*) FROM codes WHERE code = $1";
    let known: Vec<(i64,)> = connection.fetch(known, std::slice::from_ref(&code)).await?;
    if known != [(1,)] {
        return Ok(Claimed::UnknownCode);
    }
    let (campaign, request) = (
        claim.campaign.as_ref().into(),
        claim.request.as_slice().into(),
    );
    if claim.may_be_first {
        // Who else may be first at the same time is waited for.
        let insert = "INSERT INTO signed (code, campaign, request) VALUES ($1, $2, $3) \
                      ON CONFLICT (code, campaign) DO NOTHING";
        let values = [code.clone(), campaign, request];
        if connection.execute(insert, &values).await? == 1 {
            return Ok(Claimed::First);
        }
    }
    let signed = "SELECT request FROM signed WHERE code = $1 AND campaign = $2";
    let values = [code, claim.campaign.as_ref().into()];
    let signed: Vec<(Vec<u8>,)> = connection.fetch(signed, &values).await?;
    Ok(match signed.as_slice() {
        [(kept,)] if kept.as_slice() == claim.request => Claimed::Again,
        [_, ..] => Claimed::Used,
        [] => Claimed::Retired,
    })
}
