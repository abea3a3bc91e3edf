//! A connection that is given up after a failure and made anew when it is next used.

use std::time::Duration;

use wayveil_core::{Error, Result};

use super::connection::{Access, Connection};
use crate::campaign_file::StoreAddress;

/// A store that does not answer for so long counts as failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is done with every new connection before it is used.
pub(crate) trait Prepared: Sync {
    /// Who else may use the store.
    const ACCESS: Access;

    /// Brings the tables up to date, and refuses what belongs to another.
    fn prepare(&self, connection: &mut Connection) -> impl Future<Output = Result<()>> + Send;
}

/// The way to a store.
pub(crate) struct Line<P> {
    address: StoreAddress,
    prepared: P,
    connection: Option<Connection>,
}

impl<P: Prepared> Line<P> {
    pub(crate) async fn open(address: StoreAddress, prepared: P) -> Result<Self> {
        let mut line = Self {
            address,
            prepared,
            connection: None,
        };
        line.connected().await?;
        Ok(line)
    }

    /// Gives the store back in good order.
    pub(crate) async fn close(mut self) {
        if let Some(connection) = self.connection.take() {
            connection.close().await;
        }
    }

    /// What is done with every new connection.
    pub(crate) fn prepared(&self) -> &P {
        &self.prepared
    }

    /// The connection, made anew after a failure.
    async fn connected(&mut self) -> Result<&mut Connection> {
        if self.connection.is_none() {
            let opening = async {
                let mut connection = Connection::open(&self.address, P::ACCESS).await?;
                self.prepared.prepare(&mut connection).await?;
                Ok(connection)
            };
            self.connection = Some(patient(PATIENCE, opening).await?);
        }
        match &mut self.connection {
            Some(connection) => Ok(connection),
            None => Err(Error::system("cannot open the store", "no connection")),
        }
    }

    /// Does something with the connection, and gives the connection up if that fails.
    pub(crate) async fn with<T>(
        &mut self,
        doing: impl AsyncFnOnce(&mut Connection) -> Result<T>,
    ) -> Result<T> {
        self.within(PATIENCE, doing).await
    }

    /// The same for what may take longer.
    pub(crate) async fn within<T>(
        &mut self,
        patience: Duration,
        doing: impl AsyncFnOnce(&mut Connection) -> Result<T>,
    ) -> Result<T> {
        let connection = self.connected().await?;
        let done = patient(patience, doing(connection)).await;
        if done.is_err()
            && let Some(connection) = self.connection.take()
        {
            // What a transaction has begun is undone with its connection.
            let _ = tokio::time::timeout(PATIENCE, connection.close()).await;
        }
        done
    }
}

async fn patient<T>(patience: Duration, doing: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(patience, doing).await {
        Ok(done) => done,
        Err(_) => Err(Error::system("cannot use the store", "it does not answer")),
    }
}
