//! The program as its users meet it.

mod bad_input;
mod common;
mod evaluate;
mod generate;
mod journeys;
mod mine;
mod query;
