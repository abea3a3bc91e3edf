//! Stopping a call from another thread.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use wayveil_client::{Failure, Reply, Request, Sleeper, Transport};

/// Stops a call from another thread: when the scheduler takes the app's time away, or the person
/// changes their mind. A request that is on its way is waited for, no other is made, and the call says
/// `Later`. What was kept stays, so a later call goes on.
#[derive(Debug, Default, uniffi::Object)]
pub struct StopSignal {
    given: Mutex<bool>,
    changed: Condvar,
}

#[uniffi::export]
impl StopSignal {
    /// A signal that was not given yet; one for each call.
    #[uniffi::constructor]
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Gives the signal, for good.
    pub fn stop(&self) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the time is over or the signal is given. The client counts what it asked to wait as
/// waited, so a call that is stopped runs out of patience at once.
impl Sleeper for &StopSignal {
    fn sleep(&mut self, how_long: Duration) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .changed
            .wait_timeout_while(given, how_long, |given| !*given);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

/// A transport that makes no request once the signal is given.
pub(crate) struct Stoppable<'a> {
    pub(crate) transport: &'a mut dyn Transport,
    pub(crate) signal: &'a StopSignal,
}

impl Transport for Stoppable<'_> {
    fn send(&mut self, request: &Request<'_>) -> Result<Reply, Failure> {
        match self.signal.is_stopped() {
            true => Err(Failure("the app stopped the call".to_owned())),
            false => self.transport.send(request),
        }
    }
}
