//! Wayveil's types, and the one door from raw data to a release.
//!
//! [`Raw`] data, the [`Budget`], its charge and [`Release`] live together in this crate, so that
//! private fields hold: [`publish`] is the only way from the first to the last, and
//! [`publish_booked`], which charges durable [`Books`] instead of a budget in memory, the only way to
//! something that can be written. [`publish_counted`] is its side for records that stay elsewhere. See [`raw`] and [`release`] for programs that do not compile.
//!
//! Nothing here reads or writes files.

pub mod amount;
pub mod attribute;
pub mod books;
pub mod budget;
mod canonical;
pub mod counting;
pub mod dataset;
pub mod delta;
pub mod door;
pub mod error;
pub mod expected;
mod fingerprint;
pub mod fragments;
pub mod guarantee;
pub mod labels;
pub mod manifest;
pub mod mechanism;
pub mod progress;
pub mod rational;
pub mod raw;
pub mod rehearsal;
pub mod release;
pub mod released;
pub mod sequences;
pub mod syntactic;
pub mod taxonomy;
pub mod transcript;
pub mod unit;
pub mod universe;
pub mod verify;

pub use amount::Amount;
pub use attribute::{Attribute, ColumnNames, Combinations, unique_combinations};
pub use books::{Booking, Books, Spend};
pub use budget::{Budget, Cost, Epsilon};
pub use counting::{Counted, Counting, OnCounts};
pub use dataset::{Clock, Dataset, Owners, TimeAxis};
pub use delta::Delta;
pub use door::{Collected, Terms, publish, publish_booked, publish_collected, publish_counted};
pub use error::{Error, Result};
pub use expected::{ErrorEstimate, ExpectedError};
pub use fragments::FragmentCounts;
pub use guarantee::{Guarantee, Model, Neighbouring};
pub use labels::Labels;
pub use manifest::Manifest;
pub use mechanism::{Claim, Mechanism, NoisyCounts, Output};
pub use progress::{Progress, Silent, Within};
pub use rational::Rational;
pub use raw::{Internal, NonPrivate, Raw};
pub use rehearsal::{InPlace, Rehearsal, Rehearsed};
pub use release::{Booked, Release};
pub use released::Released;
pub use sequences::Sequences;
pub use syntactic::{Confidence, Knowledge, SensitiveValues};
pub use taxonomy::{Group, Taxonomy};
pub use transcript::Transcript;
pub use unit::{PrivacyUnit, PublicInputs, Records};
pub use universe::{Coordinate, Location, Origin, Universe, UniverseDocument};
pub use wayveil_noise::RandomSource;
