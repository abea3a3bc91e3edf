//! The program as its users meet it.

mod bad_input;
mod common;
mod evaluate;
mod journeys;
mod mine;
mod query;
mod universe;
