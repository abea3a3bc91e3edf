//! For tests: people, and fresh stores: SQLite always, PostgreSQL where `WAYVEIL_TEST_POSTGRES` names a database.

pub(crate) mod folder;
pub(crate) mod people;

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;

use crate::campaign_file::StoreAddress;

/// An empty store of its own, and the folder that goes with it.
pub(crate) struct Fresh {
    pub(crate) address: StoreAddress,
    pub(crate) folder: TempDir,
}

/// One empty store of each kind there is.
pub(crate) async fn fresh_stores() -> Vec<Fresh> {
    let folder = || tempfile::tempdir().unwrap();
    let sqlite = folder();
    let mut all = vec![Fresh {
        address: StoreAddress::Sqlite(sqlite.path().join("campaign.db")),
        folder: sqlite,
    }];
    if let Ok(url) = std::env::var("WAYVEIL_TEST_POSTGRES") {
        let schema = format!("test_{}", getrandom::u64().unwrap());
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let create = AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
        sqlx::query(create).execute(&mut connection).await.unwrap();
        let separator = if url.contains('?') { '&' } else { '?' };
        all.push(Fresh {
            address: StoreAddress::Postgres(format!(
                "{url}{separator}options[search_path]={schema}"
            )),
            folder: folder(),
        });
    }
    all
}
