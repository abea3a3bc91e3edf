//! The program as its users meet it.

mod bad_input;
mod common;
mod evaluate;
mod export;
mod generate;
mod info;
mod journeys;
mod mine;
mod query;
mod universe;
