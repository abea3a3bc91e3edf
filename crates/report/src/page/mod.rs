//! Pages to open in a browser: one file of HTML each, which needs nothing else.
//!
//! A page has a *publishable* part, made of a release alone, and may have an *internal* one, computed
//! from raw data. The first is a function of [`ReleasePart`], which nothing but a release can become, so
//! that no raw number can be in it: whatever the raw data, the same release gives the same bytes.

mod model;

pub use model::{
    BudgetEntry, BudgetFacts, ComparedRelease, InternalPart, Interval, ReleaseComparison,
    ReleasePart, TaskError, UtilityRow,
};

use wayveil_core::Result;

/// The page of a release, for its recipients.
pub fn release_page(part: &ReleasePart<'_>) -> Result<String> {
    Ok(format!(
        "<!doctype html><title>{}</title>",
        part.release.manifest().id
    ))
}

/// The page of a release beside the raw data, for the publisher.
pub fn internal_page(part: &ReleasePart<'_>, internal: &InternalPart) -> Result<String> {
    Ok(format!("{}{}", release_page(part)?, internal.repeats))
}

/// Several releases side by side.
pub fn compare_page(comparison: &ReleaseComparison) -> Result<String> {
    Ok(format!("<!doctype html>{}", comparison.releases.len()))
}
