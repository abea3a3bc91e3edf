//! What a release is still good for.
//!
//! Everything here looks at trajectories as they are, raw ones included: results are for the
//! publisher, and the caller keeps them [`wayveil_core::Internal`]. Parameters chosen after
//! looking at them make a guarantee conditional on that choice.

pub mod advise;
pub mod attack;
pub mod audit;
mod clock;
pub mod compared;
pub mod evaluation;
pub mod fragments;
pub mod metrics;
pub mod mine;
pub mod on_counts;
pub mod portrait;
pub mod query;
pub mod reference;
pub mod repeated;
pub mod samples;
pub mod settings;
pub mod task;

pub use compared::{Compared, Side};
pub use portrait::Portrait;
pub use settings::Settings;
pub use task::Task;
