//! The books: what was spent on whom, in one SQLite file that cannot be cooked unseen.
//!
//! Every publication is booked here before its mechanism sees the data, and marked done when the
//! release is in its place; what a crash leaves between counts as spent. Entries are only ever
//! added, each holding the hash of the one before it: whoever keeps the last hash, the *head*, at
//! another place can tell later that nothing before it was changed, removed or reordered.
//!
//! Spending on one population adds up exactly (sequential composition), whatever its allowance is.
//! What this version does not know how to count is refused, never ignored.

mod account;
mod chain;
mod entry;
mod location;
mod secret;
mod store;
mod words;

mod ledger;

pub use account::Account;
pub use chain::Chain;
pub use entry::{Entry, Event, Promise, Source, Spent};
pub use ledger::Ledger;
pub use location::default_path;
