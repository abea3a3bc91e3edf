//! Exact counts: how many records contain what is asked for.
//!
//! There are three ways to contain ([`Kind`]): all of a set of locations, a fragment without gaps,
//! a subsequence with gaps. A record counts once however often it contains it, and nothing at all
//! is contained in every record.
//!
//! | to ask | use |
//! | --- | --- |
//! | one question | [`count_set`], [`count_contiguous`], [`count_ordered`]; with times, [`count`] |
//! | many questions about sets | [`SetIndex`] |
//! | the papers' random sets | [`random_sets`] |
//! | which fragments are frequent | [`Fragments`] |
//!
//! Answers are sums over records: they depend on no thread.

mod draw;
mod fragments;
mod index;
mod scan;
#[cfg(test)]
mod tests;

pub use draw::{GROUPS, random_sets};
pub use fragments::Fragments;
pub use index::SetIndex;
pub use scan::{Kind, Symbol, count, count_contiguous, count_ordered, count_set};
