//! Wayveil's readers and writers: raw data in, releases out.
//!
//! Readers return [`wayveil_core::Raw`] data and an internal summary for the publisher; they name
//! file, line and column of anything they do not understand, and never drop a row without
//! counting it. Writers go through [`output`], so that a target exists either complete or not at
//! all.

pub mod calendar;
pub mod dates;
pub mod events;
pub mod export;
pub mod feed;
pub mod fragments;
pub mod generate;
pub mod input;
pub mod load;
pub mod msnbc;
pub mod native;
pub mod ngrams;
pub mod output;
pub mod place;
pub mod points;
pub mod release;
pub mod seq;
pub mod spmf;
pub mod summary;
pub mod tables;
pub mod taxonomy;
pub mod universe;
pub mod visit_table;
pub mod visits;

mod announced;
mod columns;
mod csv;
mod intern;
mod lines;
mod sequence_builder;
mod text_column;

pub use calendar::Calendar;
pub use columns::panics_are_caught_here;
pub use dates::{DateOptions, DateOrder};
pub use events::{
    EventsOptions, InvalidPoints, Position, import_events, read_events, read_events_from,
};
pub use export::{
    GeoJson, MovingFeatures, export_published_csv, export_published_geojson,
    export_published_mfjson, export_raw_csv, export_raw_geojson, export_raw_mfjson,
};
pub use feed::{Feed, FeedLocations, FeedUniverse, read_feed_universe};
pub use fragments::{read_fragments_from, write_fragments_to};
pub use input::Input;
pub use load::{Loaded, load};
pub use msnbc::{MsnbcOptions, msnbc_universe, read_msnbc, read_msnbc_from};
pub use native::{read_dataset, write_dataset};
pub use ngrams::{Ngram, NgramSummary, Ngrams, read_ngrams, read_ngrams_from, write_fragments_csv};
pub use output::remove_unfinished;
pub use place::{GeoBox, Places};
pub use points::PointOptions;
pub use release::{
    Page, Published, check_release_target, read_manifest, read_release, release_around,
    write_release,
};
pub use seq::{Bins, SeqOptions, read_seq, read_seq_from, write_published_seq, write_raw_seq};
pub use spmf::{Itemsets, SpmfOptions, read_spmf, read_spmf_from};
pub use summary::ImportSummary;
pub use tables::{
    TrajectoryTableOptions, import_columns, import_columns_from, read_trajectories,
    read_trajectories_from,
};
pub use taxonomy::{read_gtfs_lines, read_taxonomy, read_taxonomy_from};
pub use universe::{
    UniverseChoice, Unknown, read_aliases, read_universe, write_aliases, write_universe_table,
};
pub use visit_table::{VisitsOptions, read_visits, read_visits_from};
pub use visits::{Arrangement, BinAxis, Imported, ServiceDays, parse_duration};
