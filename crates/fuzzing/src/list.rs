//! The one list of targets.

use crate::Target;
use crate::targets::*;

/// Every target, in the order in which they run.
pub static ALL: &[Target] = &[
    adatrace::TARGET,
    budget::TARGET,
    columns::TARGET,
    dates::TARGET,
    events::TARGET,
    feed::TARGET,
    fragments::TARGET,
    gps::TARGET,
    gtfs::TARGET,
    input::TARGET,
    manifest::TARGET,
    msnbc::TARGET,
    native::TARGET,
    network::TARGET,
    ngrams::TARGET,
    parameters::TARGET,
    plt::TARGET,
    porto::TARGET,
    release::TARGET,
    seq::TARGET,
    spmf::TARGET,
    submission::TARGET,
    taxonomy::TARGET,
    tdrive::TARGET,
    token_order::TARGET,
    trajectory_table::TARGET,
    universe_list::TARGET,
    universe_table::TARGET,
    visit_table::TARGET,
    wkb::TARGET,
    words::TARGET,
];
