//! Wayveil's readers and writers: raw data in, releases out.
//!
//! Readers return [`wayveil_core::Raw`] data and an internal summary for the publisher; they name
//! file, line and column of anything they do not understand, and never drop a row without
//! counting it. Writers go through [`output`], so that a target exists either complete or not at
//! all.

pub mod dates;
pub mod events;
pub mod export;
pub mod generate;
pub mod input;
pub mod load;
pub mod native;
pub mod output;
pub mod release;
pub mod seq;
pub mod summary;
pub mod taxonomy;
pub mod universe;

mod columns;
mod csv;
mod intern;
mod lines;

pub use columns::panics_are_caught_here;
pub use dates::{DateOptions, DateOrder};
pub use events::{EventsOptions, read_events, read_events_from};
pub use export::{export_published_csv, export_raw_csv};
pub use input::Input;
pub use load::{Loaded, load};
pub use native::{read_dataset, write_dataset};
pub use output::remove_unfinished;
pub use release::{Published, read_release, write_release};
pub use seq::{Bins, SeqOptions, read_seq, read_seq_from, write_published_seq, write_raw_seq};
pub use summary::ImportSummary;
pub use taxonomy::{read_gtfs_lines, read_taxonomy, read_taxonomy_from};
pub use universe::{UniverseChoice, Unknown, read_universe};
