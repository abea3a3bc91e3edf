//! Time, handed in.

use std::time::{Duration, Instant};

/// A clock that tells how long it has been running.
pub trait Clock: Send {
    /// Time since a moment of its own; only differences count.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Monotonic(Instant);

impl Monotonic {
    /// A clock that begins now.
    pub fn starting_now() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
