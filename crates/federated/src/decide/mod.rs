//! What may be concluded from noisy yes-counts: pure statistics, no state, no randomness.
//!
//! | question | answered by |
//! | --- | --- |
//! | how likely are so many yeses, and how many are too many to be chance | [`binomial`] |
//! | what a yes-count says about the number of clients | [`bar`] |
//! | may a fragment be admitted when it was asked about in phases | [`sequential`] |
//! | which of many fragments may be admitted together | [`multiple`] |
//! | counts that do not contradict each other across lengths | [`consistent`] |
//! | how many candidates to give to one client | [`choose`] |

pub mod bar;
pub mod binomial;
pub mod choose;
mod closure;
pub mod consistent;
pub mod multiple;
pub mod sequential;
