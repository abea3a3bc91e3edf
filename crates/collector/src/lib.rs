//! Federated campaigns as a service.
//!
//! The protocol is that of `wayveil-federated`; here it meets files, a database, a clock and a
//! network, each in a module of its own:
//!
//! | module | |
//! | --- | --- |
//! | [`campaign_file`] | what an operator writes, checked |
//! | [`service`] | routes over HTTPS, and the one writer |
//! | [`program`] | what commands call |
//! | [`ask`] | a small HTTPS client |
//! | [`gate`] | which submissions are whole and admitted, without the store |
//! | [`engine`] | the state machine of a campaign: rounds, time, restarts |
//! | [`issuer`] | the issuer of tokens: another service, mostly of another operator |
//! | [`store`] | what is remembered: counts and spent tokens, in SQLite or PostgreSQL |

pub mod ask;
pub mod campaign_file;
pub mod engine;
pub mod gate;
pub mod issuer;
pub mod program;
pub mod service;
pub mod store;

#[cfg(test)]
mod testing;
