//! Records that stay on a cluster: people as rows there, tallies of them, and whoever asks for those here.
//!
//! `people` and `tallier` run where the records are, `engine` where the release is made. Between the two pass a
//! question as text and a table of three whole numbers a row, and nothing else.

mod engine;
mod people;
mod tallier;

pub(crate) use engine::PythonEngine;
pub(crate) use people::people_of;
pub(crate) use tallier::Tallier;
