//! A module for each parser.
//!
//! Where a parser has options, the first byte of an input chooses them, so that the fuzzer can.

pub mod adatrace;
pub mod budget;
pub mod columns;
pub mod dates;
pub mod events;
pub mod feed;
pub mod fragments;
pub mod gps;
pub mod gtfs;
pub mod input;
pub mod manifest;
pub mod msnbc;
pub mod native;
pub mod network;
pub mod ngrams;
pub mod parameters;
pub mod plt;
pub mod porto;
pub mod release;
pub mod seq;
pub mod spmf;
pub mod submission;
pub mod taxonomy;
pub mod tdrive;
pub mod token_order;
pub mod trajectory_table;
pub mod universe_list;
pub mod universe_table;
pub mod visit_table;
pub mod wkb;
pub mod words;
