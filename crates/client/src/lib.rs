//! One person's part in a campaign, as it runs on a phone.
//!
//! The trajectory stays; one randomised answer leaves, once. [`take_part`] does all of it and can be
//! called again after anything: a lost reply, a restart, a kill between any two instructions. What
//! was done is found on the [`Disk`], and the order of writing is the safety:
//!
//! ```text
//! announcement ─▶ check limits ─▶ draw round, place, nonce ─▶ KEEP ─▶ blind a token request ─▶ KEEP
//!   ─▶ ask the issuer ─▶ KEEP the token and a drawn time, forget the blinding ─▶ let that time pass
//!   ─▶ wait until the round is announced as open ─▶ places ─▶ KEEP that it is asked ─▶ question
//!   ─▶ answer ─▶ KEEP ─▶ BOOK ε
//!   ─▶ send, the same bytes again and again ─▶ KEEP the outcome, forget the rest
//! ```
//!
//! # Why two different answers never leave
//!
//! An answer is sent only after it was kept and then booked. Before the answer is kept, nothing left.
//! Between keeping and booking, nothing left either: what is kept is booked and sent if the owner still
//! accepts it. After
//! booking, an answer that is still kept is sent as it is; if the file that held it is gone, the
//! booking alone forbids another. A lock keeps two processes apart.
//!
//! # Why a collector alone does not learn who answered
//!
//! The code that names a person goes to one address, which the owner was handed with the code. A
//! collector that announces another issuer, at first or later, is refused before anything is sent: it
//! could be that issuer itself. The question is asked for some time after the token was had, and only
//! when its round is announced as open: its address has the place that was drawn, 64 bits that no other
//! client has, and whoever asked for it from here and from there, day after day, could be followed. So it
//! is asked for when nothing else is missing, once; and if that is in vain, again after waits that double
//! and are kept, so that no collector gets more than a few requests by failing.
//!
//! # What does not depend on the trajectory
//!
//! Whether and when this client asks, waits, answers and retries, and the length of all it sends. So
//! a trajectory with unknown places, or with none, is answered for like any other.
//!
//! | module | |
//! | --- | --- |
//! | [`transport`] | what carries requests, and who waits: handed in |
//! | [`announcement`] | what a collector says of its campaign, checked |
//! | [`disk`] | files that survive a kill |
//! | [`ledger`] | what was spent in all campaigns |
//! | [`history`] | the same, for the owner to read |
//! | [`settings`] | what the owner agrees to |
//! | `https` | a transport over HTTPS, with the feature of that name |

pub mod announcement;
pub mod disk;
mod encoding;
pub mod history;
#[cfg(feature = "https")]
pub mod https;
pub mod ledger;
mod outcome;
mod places;
mod preview;
mod question;
pub mod settings;
mod spread;
mod state;
mod steps;
mod talk;
mod tokens;
pub mod transport;
mod url;

pub use disk::{Disk, Folder};
pub use history::History;
pub use outcome::Outcome;
pub use places::Places;
pub use preview::preview;
pub use settings::Settings;
pub use steps::{Tools, take_part};
pub use transport::{Failure, Method, Reply, Request, Sleeper, Transport};
