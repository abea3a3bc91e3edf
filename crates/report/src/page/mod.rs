//! Pages to open in a browser: one file of HTML each, which needs nothing else.
//!
//! A page has a *publishable* part, made of a release alone, and may have an *internal* one, computed
//! from raw data. The first is a function of [`ReleasePart`], which nothing but a release can become, so
//! that no raw number can be in it: whatever the raw data, the same release gives the same bytes.
//!
//! Plots and maps are drawn here as inline SVG, coloured by the style sheet and usable without scripts;
//! one small script adds zooming, tips and sorting. A policy in the page forbids every request.

mod atlas;
pub mod campaign;
mod charts;
mod compare;
mod drawing;
mod figure;
mod html;
mod internal;
mod model;
mod publishable;
mod shell;
mod spread;
mod views;
mod wording;

pub use model::{
    BudgetEntry, BudgetFacts, ComparedRelease, InternalPart, Interval, ReleaseComparison,
    ReleasePart, TaskError, UtilityRow,
};

use wayveil_core::Result;

use self::html::Html;
use self::shell::Shell;

/// Sections of the publishable part.
const PUBLISHABLE: [(&str, &str); 5] = [
    ("glance", "At a glance"),
    ("promise", "What is promised"),
    ("use", "What it is good for"),
    ("shows", "What it shows"),
    ("made", "How it was made"),
];

/// The page of a release, for its recipients.
pub fn release_page(part: &ReleasePart<'_>) -> Result<String> {
    let heading = format!("Movement data, released with {}", method(part));
    shell::page(Shell {
        title: &heading,
        heading: &heading,
        contents: &PUBLISHABLE,
        foot: "Made with Wayveil from the release alone. This page needs no network and sends nothing.",
        body: publishable::render(part)?,
        live: false,
    })
}

/// The page of a release beside the raw data, for the publisher.
pub fn internal_page(part: &ReleasePart<'_>, internal: &InternalPart) -> Result<String> {
    let heading = format!("Internal report: {} beside the raw data", method(part));
    let inner = internal::render(part, internal)?;
    let released = publishable::render(part)?;
    let contents: Vec<_> = internal::CONTENTS.into_iter().chain(PUBLISHABLE).collect();
    shell::page(Shell {
        title: &heading,
        heading: &heading,
        contents: &contents,
        foot: "Computed from raw data: keep this page in the house.",
        body: Html::trusted(format!("{inner}\n{released}")),
        live: false,
    })
}

/// Several releases side by side.
pub fn compare_page(comparison: &ReleaseComparison) -> Result<String> {
    let heading = "Releases side by side";
    shell::page(Shell {
        title: heading,
        heading,
        contents: &compare::contents(comparison),
        foot: match comparison.internal {
            true => "Computed from raw data: keep this page in the house.",
            false => {
                "Made with Wayveil from the releases alone. This page needs no network and sends nothing."
            }
        },
        body: compare::render(comparison)?,
        live: false,
    })
}

/// The publishable part alone, as it stands in every page of the release.
pub fn publishable_part(part: &ReleasePart<'_>) -> Result<String> {
    publishable::render(part).map(Html::into_text)
}

fn method(part: &ReleasePart<'_>) -> String {
    crate::words::harmless(&part.release.manifest().method.name)
}
