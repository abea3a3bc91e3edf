//! Raw data behind a wall.
//!
//! [`Raw`] has no accessor. There are two ways to what it holds: [`crate::publish`], which charges
//! a budget, and [`NonPrivate`], a token that carries a reason, can be searched for, and yields
//! only [`Internal`] results ([`Raw::inspect`], and [`crate::Rehearsal`] for the auditor).
//!
//! Nothing else works. Raw data cannot be taken apart:
//! ```compile_fail,E0616
//! fn leak(raw: &wayveil_core::Raw<wayveil_core::Dataset>) -> usize {
//!     raw.inner.trips().len()
//! }
//! ```
//! It cannot be printed:
//! ```compile_fail,E0277
//! fn leak(raw: &wayveil_core::Raw<wayveil_core::Dataset>) {
//!     println!("{raw:?}");
//! }
//! ```
//! It does not pass for the data itself:
//! ```compile_fail,E0308
//! fn leak(raw: &wayveil_core::Raw<wayveil_core::Dataset>) -> &wayveil_core::Dataset {
//!     raw
//! }
//! ```
//! It cannot be serialised:
//! ```compile_fail,E0277
//! fn leak(raw: &wayveil_core::Raw<wayveil_core::Dataset>) -> String {
//!     serde_json::to_string(raw).unwrap()
//! }
//! ```
//! A token without a reason cannot be made:
//! ```compile_fail,E0423
//! let token = wayveil_core::NonPrivate;
//! ```
//! What the publisher saw cannot be serialised without saying that it is meant for them:
//! ```compile_fail,E0277
//! fn leak(seen: &wayveil_core::Internal<u64>) -> String {
//!     serde_json::to_string(seen).unwrap()
//! }
//! ```

use std::sync::Arc;

/// Data about people that may not be published.
pub struct Raw<T> {
    pub(crate) inner: Arc<T>,
}

impl<T> Raw<T> {
    /// Puts data behind the wall. Readers and generators do this as soon as they have it.
    pub fn new(data: T) -> Self {
        Self {
            inner: Arc::new(data),
        }
    }

    /// The same data behind the same wall, without a copy: for whoever keeps it in memory and works on it
    /// more than once.
    pub fn share(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }

    /// Looks at raw data for the publisher's own eyes; the result is marked as such.
    pub fn inspect<R>(&self, _because: NonPrivate, look: impl FnOnce(&T) -> R) -> Internal<R> {
        Internal(look(&self.inner))
    }
}

/// The permission to look at raw data outside the door, with its reason.
///
/// Searching the code for `NonPrivate::because` finds every such place.
#[derive(Debug)]
pub struct NonPrivate {
    _reason: &'static str,
}

impl NonPrivate {
    /// States why raw data is looked at, and that no one but the publisher sees the result.
    pub fn because(reason: &'static str) -> Self {
        Self { _reason: reason }
    }
}

/// Something computed from raw data: for the publisher, never part of a release.
#[must_use]
pub struct Internal<T>(T);

impl<T> Internal<T> {
    pub(crate) fn of(seen: T) -> Self {
        Self(seen)
    }

    /// Computes further; the result stays internal.
    pub fn map<R>(self, then: impl FnOnce(T) -> R) -> Internal<R> {
        Internal(then(self.0))
    }

    /// Takes it out, to be shown to the publisher on their own machine.
    pub fn for_publisher_only(self) -> T {
        self.0
    }
}

impl<T, E> Internal<Result<T, E>> {
    /// Moves a failure outside; what succeeded stays internal.
    pub fn transpose(self) -> Result<Internal<T>, E> {
        self.0.map(Internal)
    }
}
