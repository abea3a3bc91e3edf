//! Who counts: what a mechanism needs of records where it needs nothing but exact counts of them.
//!
//! ```text
//!                     ┌─ records in memory (each mechanism's own way) ─┐
//!  OnCounts ─ asks ─▶ Counting                                         ├─▶ Level, a level at a time
//!                     └─ Elsewhere ─ Question ─▶ Engine ─▶ Tally ──────┘
//!                                                  │   ▲
//!                              parts of the records, each tallied by `tally`
//! ```
//! A mechanism that implements [`OnCounts`] does not know where the records are. In memory they are sorted; on a
//! cluster an [`Engine`] carries a [`Question`] to wherever parts of the records lie, has each tallied there by
//! [`tally`], and adds the tallies up. Only they come back. [`crate::publish_counted`] is the door's side for such
//! records: it holds public inputs, never a record.
//!
//! # What the engine must ensure
//! The promise of a mechanism is about records in which one unit of privacy has at most
//! [`PrivacyUnit::records`](crate::PrivacyUnit::records). On one machine the door bounds them; elsewhere [`tally`] does,
//! by the same code, for the rows that it is given. That is right if, and only if,
//! 1. all rows of one owner are given to one call, in the same order at every question, and
//! 2. every owner is given to exactly one call whose tally is added up, also where work was lost and done again.
//!
//! Then a tally is the sum over units of something that depends on that unit alone, which is all that the sensitivity of
//! a count needs. [`Elsewhere`] checks what can be seen of it: no child is greater than its parent, and none lies
//! outside the universe. An engine that lies it cannot see, like a mechanism that does.

mod alphabet;
mod counted;
mod elsewhere;
mod extensions;
mod index;
mod listed;
mod prefixes;
mod question;
mod tally;

pub use alphabet::Alphabet;
pub use counted::Counted;
pub use elsewhere::{Elsewhere, Engine};
pub use listed::Listed;
pub use prefixes::{Counting, Level, OnCounts, PrefixCounts};
pub use question::{Having, Question, What};
pub use tally::{Part, Prepared, Tally, tally, usable_length};
