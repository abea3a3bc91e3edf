//! Every table and figure of the five papers behind Wayveil's methods, run again.
//!
//! One list ([`entries`]) names them all, and for each says what the paper has measured, which of its numbers
//! are known, and how ours are made: as published and repaired, on data that was made up with the paper's
//! statistics, or on data that is given. What is only a picture of a structure is listed with a note; what is a
//! worked example is checked to the letter; where a paper is wrong, an erratum shows it.
//!
//! Everything runs in memory, on made-up budgets: nothing that comes of it can be written as a release. Numbers
//! are made from fixed seeds, so that anyone gets the same ones.
//!
//! | module | |
//! | --- | --- |
//! | [`entry`] | what an entry is: checks, or points of an experiment |
//! | `papers` | the entries, a file for each paper |
//! | `examples` | small data of the papers, and what is checked of it |
//! | [`scale`] | how large an experiment is made, and on which data |
//! | [`runner`] | makes the runs that are not kept yet |
//! | `measure` | one run |
//! | [`campaigns`] | FASTPub and its baselines |
//! | [`kept`] | runs as JSON lines, to go on with |
//! | [`reproduced`] | what came of an entry; `written` as JSON, CSV, Markdown and a picture |

pub mod campaigns;
pub mod entry;
mod examples;
pub mod kept;
mod measure;
mod papers;
pub mod reproduced;
pub mod runner;
pub mod scale;
pub mod written;

pub use entry::{Entry, Paper};
pub use papers::{entries, find, papers};
pub use reproduced::Reproduced;
pub use runner::{Given, Request, Stage};
