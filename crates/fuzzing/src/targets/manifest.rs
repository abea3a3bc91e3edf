//! Manifests of releases.

use std::fs;

use wayveil_core::Manifest;

use crate::Target;
use crate::{samples, scratch};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "manifest",
    run,
    seeds,
    words: &[
        "\"format\":",
        "\"wayveil-release\"",
        "\"format_version\":",
        "\"guarantee\":",
        "\"differential-privacy\"",
        "\"owner-bounded\"",
        "\"max_trips\":",
        "\"parameters\":",
        "\"clock\":",
        "null",
        "1e308",
        "-0.0",
        "\\ud800",
    ],
    longest: 8192,
};

fn seeds() -> Vec<Vec<u8>> {
    scratch::with(|parent| {
        [(false, false), (true, false), (true, true)]
            .map(|(timed, columns)| {
                let folder = parent.join("manifest-of");
                samples::write_sample_release(&folder, timed, columns);
                fs::read(folder.join("manifest.json")).expect("every release has one")
            })
            .to_vec()
    })
}

fn run(data: &[u8]) -> bool {
    let Ok(manifest) = serde_json::from_slice::<Manifest>(data) else {
        return false;
    };
    let text = serde_json::to_string(&manifest).expect("a manifest is plain data");
    let back: Manifest = serde_json::from_str(&text).expect("a manifest reads what it wrote");
    assert_eq!(back, manifest);
    true
}
