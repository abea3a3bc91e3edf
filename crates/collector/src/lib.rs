//! Federated campaigns as a service.
//!
//! The protocol is that of `wayveil-federated`; here it meets files, a database, a clock and a
//! network, each in a module of its own:
//!
//! | module | |
//! | --- | --- |
//! | [`campaign_file`] | what an operator writes, checked |
//! | [`gate`] | which submissions are whole and admitted, without the store |
//! | [`engine`] | the state machine of a campaign: rounds, time, restarts |
//! | [`store`] | what is remembered: counts and spent tokens, in SQLite or PostgreSQL |

pub mod campaign_file;
pub mod engine;
pub mod gate;
pub mod store;

#[cfg(test)]
mod testing;
