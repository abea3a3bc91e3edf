//! A module for each parser.
//!
//! Where a parser has options, the first byte of an input chooses them, so that the fuzzer can.

pub mod budget;
pub mod dates;
pub mod events;
pub mod gtfs;
pub mod input;
pub mod manifest;
pub mod native;
pub mod parameters;
pub mod release;
pub mod seq;
pub mod taxonomy;
pub mod universe_list;
pub mod universe_table;
