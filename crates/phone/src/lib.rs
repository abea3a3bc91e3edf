//! Taking part in a campaign, for apps: the client's functions with types that Kotlin, Swift and
//! Python have too.
//!
//! UniFFI makes the sources in those languages out of what stands here, comments included, so
//! comments speak to makers of apps. What happens, and in which order, is in `wayveil_client`; this
//! crate translates, and adds a way to stop a call ([`StopSignal`]).
//!
//! Every call blocks until it is done: call from a thread of your own, never from the one that
//! draws. A call may be cut short at any point, by a kill too; the next goes on from there.
//!
//! `docs/phone.md` has an example in each language.

mod campaign;
mod error;
mod ledger;
mod outcome;
mod participant;
mod settings;
mod stop;
mod transport;

pub use campaign::{Admission, Campaign};
pub use error::WayveilError;
pub use ledger::{LedgerEntry, Spending};
pub use outcome::Outcome;
pub use participant::Participant;
pub use settings::Settings;
pub use stop::StopSignal;
pub use transport::{
    HttpHeader, HttpMethod, HttpReply, HttpRequest, HttpTransport, TransportError,
};

uniffi::setup_scaffolding!();
