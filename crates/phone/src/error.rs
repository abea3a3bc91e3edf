//! Why a call failed.

use wayveil_core::{Error, error::Kind};

/// Why a call failed. Nothing left the phone that is not kept. What the network and the services do
/// while taking part is no error but an `Outcome`.
#[derive(Debug, PartialEq, Eq, thiserror::Error, uniffi::Error)]
#[uniffi(flat_error)]
pub enum WayveilError {
    /// An address, a number, a certificate or a code is wrong or missing: the app can put it right.
    #[error("{0}")]
    InvalidInput(String),
    /// The campaign asks for more than its owner accepts, or is not the one that was joined.
    #[error("{0}")]
    Declined(String),
    /// Another call or process uses the folder. Try again when it has ended.
    #[error("{0}")]
    Busy(String),
    /// What is kept was changed from outside. Nothing more is sent from this folder for that
    /// campaign, or for any if it is the ledger.
    #[error("{0}")]
    Damaged(String),
    /// The phone failed: its disk is full, or the folder cannot be written.
    #[error("{0}")]
    Storage(String),
    /// A preview was not to be had: nobody was reached, or the collector refused.
    #[error("{0}")]
    Unavailable(String),
}

impl From<Error> for WayveilError {
    fn from(error: Error) -> Self {
        let text = in_words(&error);
        match error.kind() {
            // Only what is kept has a place.
            _ if error.place().is_some() => Self::Damaged(text),
            Kind::Input => Self::InvalidInput(text),
            Kind::Refused => Self::Declined(text),
            _ => Self::Storage(text),
        }
    }
}

/// What was wrong, where, and what to do.
pub(crate) fn in_words(error: &Error) -> String {
    match error.advice() {
        Some(advice) => format!("{error} ({advice})"),
        None => error.to_string(),
    }
}
