//! Connections: taken, given a certificate, served, and ended in good order.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use tokio::io::AsyncBufReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use wayveil_core::{Error, Result};

use super::room::{Place, Room};

/// How long a client may take for its handshake, for its first byte, and for the head of a request.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// A connection is ended after this, in good order.
const LIFE: Duration = Duration::from_secs(120);

/// How long requests that have begun may take when a connection is to end.
const GRACE: Duration = Duration::from_secs(50);

/// How long to wait when the machine has no room for another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Begins to listen.
pub(crate) async fn at(address: SocketAddr) -> Result<TcpListener> {
    (TcpListener::bind(address).await)
        .map_err(|cause| Error::system(format!("cannot listen at {address}"), cause))
}

/// Takes connections until `stop` is done, then lets those that are there finish.
pub(crate) async fn serve(
    listener: TcpListener,
    config: Arc<ServerConfig>,
    router: Router,
    room: Arc<Room>,
    stop: impl Future<Output = ()>,
) {
    let acceptor = TlsAcceptor::from(config);
    let (stopping, stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let taken = tokio::select! {
            () = &mut stop => break,
            taken = take(&listener, &room) => taken,
        };
        if let Some((stream, address, place)) = taken {
            let router = router.clone().layer(Extension(address.ip()));
            let connection = connection(stream, acceptor.clone(), router, stopped.clone());
            tasks.spawn(async move {
                connection.await;
                drop(place);
            });
        }
        while tasks.try_join_next().is_some() {}
    }
    drop(listener);
    stopping.send_replace(true);
    while tasks.join_next().await.is_some() {}
}

/// What a connection holds while it lasts: a place among all, and one among those of its address.
type Held = (OwnedSemaphorePermit, Place);

async fn take(listener: &TcpListener, room: &Arc<Room>) -> Option<(TcpStream, SocketAddr, Held)> {
    let of_all = room.any().await?;
    match listener.accept().await {
        Ok((stream, address)) => {
            let of_address = room.place(address.ip())?;
            Some((stream, address, (of_all, of_address)))
        }
        Err(error) => {
            tracing::warn!(%error, "a connection could not be taken");
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}

async fn connection(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let Ok(Ok(mut stream)) = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await else {
        return;
    };
    // Who says nothing at all is not waited for: which version of HTTP it is shows with the first bytes only.
    let Ok(Ok([_, ..])) = tokio::time::timeout(HANDSHAKE, stream.fill_buf()).await else {
        return;
    };
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HANDSHAKE)
        .max_buf_size(16 * 1024);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(64)
        .max_header_list_size(16 * 1024)
        .keep_alive_interval(Some(HANDSHAKE))
        .keep_alive_timeout(HANDSHAKE);
    let service = TowerToHyperService::new(router);
    let mut served = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        _ = served.as_mut() => true,
        _ = stopped.wait_for(|stopped| *stopped) => false,
        () = tokio::time::sleep(LIFE) => false,
    };
    if !ended {
        served.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(GRACE, served).await;
    }
}
