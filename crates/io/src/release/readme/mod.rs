//! The page for whoever receives a release.

mod errors;
mod loading;
mod meaning;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use wayveil_core::{Manifest, Model};

use super::{COUNTS, FRAGMENTS, REPORT};

/// Writes the page for a release with these files. Everything on it comes from the manifest, hence is
/// public.
pub(super) fn readme(manifest: &Manifest, names: &[&str]) -> String {
    let mut page = String::new();
    if !manifest.publishable {
        let why = manifest
            .not_publishable_because
            .as_deref()
            .unwrap_or("no reason is given");
        let _ = writeln!(page, "> **Not to be published:** {why}.\n");
    }
    let timed = manifest.public_inputs.time.is_some();
    let _ = writeln!(
        page,
        "# Movement data, released with Wayveil\n\n\
         This folder holds trajectories made by the method `{}`{} on {}, over {} public \
         locations{}.\n",
        manifest.method.name,
        match manifest.method.variant.as_str() {
            "as-published" => ", as its authors published it and without our repairs,",
            _ => "",
        },
        manifest.date,
        manifest.public_inputs.universe.locations,
        if timed { " and a public time axis" } else { "" },
    );
    let _ = writeln!(page, "Are these real people? {}\n", rows(manifest));
    guarantee(&mut page, manifest);
    limits(&mut page, manifest);
    page.push_str(&errors::errors(manifest));
    files(&mut page, manifest, names);
    page.push_str(&loading::loading(manifest, names));
    page.push_str(MISUSE);
    let promised = !matches!(manifest.guarantee.model, Model::None { .. });
    page.push_str(match (promised, manifest.rows_are_true()) {
        (true, true) => APART,
        (true, false) => ADD_UP,
        (false, _) => LIKE_RAW,
    });
    page.push_str(match manifest.rows_are_true() {
        true => UNEVEN,
        false => NOISY,
    });
    let _ = writeln!(
        page,
        "\nRelease `{}`, made with {} {}. `wayveil info FOLDER` shows it and checks its files.",
        manifest.id, manifest.tool.name, manifest.tool.version
    );
    page
}

/// Whether rows are people, in a sentence or two that hold for all releases of the method.
fn rows(manifest: &Manifest) -> &'static str {
    if manifest.rows_are_true() {
        return "Yes: rows are true rows of people, with visits and whole rows left out, and nothing made up.";
    }
    match manifest.method.name.as_str() {
        "prefix-tree" | "hybrid-tree" => {
            "No: rows are made up from noisy counts of how journeys begin. A row may still be what \
             somebody did, since many did what is frequent."
        }
        "weave" => {
            "No: rows are made up, and chosen to agree with noisy counts of places, of steps between \
             them and of how journeys look. A row may still be what somebody did, since many did what \
             is frequent."
        }
        "generalize" => {
            "In part: rows are journeys between clusters of places instead of places, with decoys \
             among them that nobody made. A row may follow what a person did."
        }
        "fastpub" | "sfp" | "triehh" => {
            "No: rows are drawn from fragments, short stretches of journeys with estimated counts. A \
             row may still be what somebody did, and a fragment is what people are thought to have done."
        }
        _ => "What the rows are made of, and what they are not, stands under Limits.",
    }
}

fn guarantee(page: &mut String, manifest: &Manifest) {
    let _ = writeln!(
        page,
        "## What is promised\n\n{}\n\nIn full: {}\n",
        meaning::meaning(&manifest.method.name, &manifest.guarantee),
        manifest.guarantee.in_words
    );
    // Where nothing is promised nothing rests on anything.
    if !matches!(manifest.guarantee.model, Model::None { .. }) {
        list(page, "This rests on:", &manifest.guarantee.rests_on);
    }
}

fn limits(page: &mut String, manifest: &Manifest) {
    list(page, "## Limits", &manifest.limits);
}

fn list(page: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(page, "{title}\n");
    for entry in entries {
        let _ = writeln!(page, "- {entry}");
    }
    page.push('\n');
}

fn files(page: &mut String, manifest: &Manifest, names: &[&str]) {
    let timed = manifest.public_inputs.time.is_some();
    page.push_str("## Files\n\n| file | columns |\n| --- | --- |\n");
    let bins = if timed {
        ", `bins` (the time bin of each)"
    } else {
        ""
    };
    let beside: String = manifest
        .attributes
        .iter()
        .map(|name| column(name))
        .collect();
    let _ = writeln!(
        page,
        "| `trajectories.parquet` | `locations` (the labels visited, in order){bins}{beside} |\n\
         | `locations.parquet` | `label`, `name`, `lat`, `lng`, `parent` |"
    );
    if names.contains(&COUNTS) {
        let bins = if timed { ", `prefix_bins`" } else { "" };
        let _ = writeln!(
            page,
            "| `counts.parquet` | `prefix` (how a trajectory begins){bins}, `noisy_count`, \
             `estimate`, `standard_error` |"
        );
    }
    if names.contains(&FRAGMENTS) {
        let _ = writeln!(
            page,
            "| `fragments.csv` | `fragment` (locations that follow one another), `count` (how many \
             clients have it, as estimated; where a record stands for several, more than there are rows), `length`, `standard_error`, `low`, `high` (the ends \
             of an interval about the count) |"
        );
    }
    if names.contains(&REPORT) {
        page.push_str(
            "| `report.html` | the release in words, maps and charts, for a browser; it needs nothing else |\n",
        );
    }
    page.push_str("| `manifest.json` | method, guarantee and SHA-256 of the files |\n\n");
    if names.contains(&COUNTS) {
        page.push_str(ABOUT_COUNTS);
    }
    if names.contains(&FRAGMENTS) && BIASED.contains(&manifest.method.name.as_str()) {
        page.push_str(ABOUT_FRAGMENTS);
    }
}

/// The name of a column, as it can stand in a table of the page.
fn column(name: &str) -> String {
    let shown: String = name
        .chars()
        .map(|c| {
            if c.is_control() || "`|".contains(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect();
    format!(", `{shown}` (of the person)")
}

/// Methods whose estimates of fragments' counts are off by more than chance.
const BIASED: [&str; 2] = ["sfp", "triehh"];

const ABOUT_COUNTS: &str = "\
Two standard errors to either side cover 95 % for counts of first locations. Counts further on are
released only above a threshold, and near it they are too high on average.

";

const ABOUT_FRAGMENTS: &str = "\
The interval from `low` to `high` is about chance alone: it leaves out bias, which this method has, so the
true count may well lie outside.

";

const MISUSE: &str = "## What not to do with it

- Do not look for a particular person, and do not link it with data about particular people.
- Do not change the files and pass them on under the same manifest.
";

const ADD_UP: &str = "\
- Do not combine it with other releases of the same people without adding up what they promise.
";

const APART: &str = "\
- Do not combine it with other releases of the same people: what they promise does not add up.
";

const LIKE_RAW: &str = "\
- Do not pass it on as if it were private: nothing is promised, so treat it like raw data.
- Do not combine it with other releases of the same people.
";

const NOISY: &str = "\
- Do not read much into rare routes and small counts: noise is largest there.
";

const UNEVEN: &str = "\
- Do not read much into counts: what was left out is not spread evenly.
";
