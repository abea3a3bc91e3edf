//! The one list of targets.

use crate::Target;
use crate::targets::*;

/// Every target, in the order in which they run.
pub static ALL: &[Target] = &[
    budget::TARGET,
    dates::TARGET,
    events::TARGET,
    gtfs::TARGET,
    input::TARGET,
    manifest::TARGET,
    native::TARGET,
    parameters::TARGET,
    release::TARGET,
    seq::TARGET,
    taxonomy::TARGET,
    universe_list::TARGET,
    universe_table::TARGET,
];
