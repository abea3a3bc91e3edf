//! The program as its users meet it.

mod advise;
mod approximate;
mod attack;
mod audit;
mod bad_input;
mod common;
mod compare;
#[cfg(feature = "collector")]
mod ending;
mod evaluate;
mod export;
mod federate;
mod generalize;
mod generate;
mod import;
mod info;
mod join;
mod journeys;
mod known_data;
mod ledger;
mod local;
#[cfg(feature = "collector")]
mod logs;
mod mine;
mod own_error;
#[cfg(feature = "collector")]
mod phone;
mod query;
mod report;
mod reproduce;
mod suppress;
#[cfg(feature = "collector")]
mod tokens;
mod truthful;
mod universe;
mod verify;
