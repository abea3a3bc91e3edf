//! What a release says of its own error.

use std::fmt::Write;

use wayveil_core::{ErrorEstimate, Manifest};

/// The section of the page; nothing where the method makes no estimate.
pub(super) fn errors(manifest: &Manifest) -> String {
    let Some(expected) = &manifest.expected_error else {
        return String::new();
    };
    let mut text = format!(
        "## How wrong it is, as it estimates itself\n\nThese numbers are {}. The last two columns hold what is found in \
         eight of ten releases.\n\n\
         | number | as `wayveil evaluate` calls it | estimate | from | to |\n| --- | --- | ---: | ---: | ---: |\n",
        plain(&expected.made)
    );
    for it in &expected.estimates {
        let [value, low, high] = [it.value, it.low, it.high].map(ErrorEstimate::shown);
        let (about, name) = (plain(it.about()), plain(&it.name));
        let _ = writeln!(text, "| {about} | `{name}` | {value} | {low} | {high} |");
    }
    text + "\n"
}

/// A text of a manifest that may have been written by anyone, as it can stand in a table of the page.
fn plain(text: &str) -> String {
    let shown = |c: char| match c.is_control() || "`|".contains(c) {
        true => '\u{fffd}',
        false => c,
    };
    text.chars().map(shown).collect()
}
