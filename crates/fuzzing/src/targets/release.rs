//! Releases. The first byte says which file of a sound release the rest replaces, and whether the
//! release is timed; the manifest's hashes are made to fit, or nothing else would be reached.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wayveil_core::Sequences;
use wayveil_io::read_release;

use crate::Target;
use crate::check::{accepted, options, put};
use crate::{samples, scratch};

const MANIFEST: &str = "manifest.json";
const FILES: [&str; 4] = [
    MANIFEST,
    "trajectories.parquet",
    "locations.parquet",
    "counts.parquet",
];

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "release",
    run,
    seeds,
    words: &[
        "PAR1",
        "wayveil-locations",
        "locations",
        "bins",
        "prefix",
        "noisy_count",
        "element",
    ],
    longest: 1 << 14,
};

/// A sound release, made once for each thread.
fn sound(folder: &Path, timed: bool) -> PathBuf {
    let sound = folder.join(if timed { "timed" } else { "untimed" });
    if !sound.exists() {
        samples::write_sample_release(&sound, timed);
        let manifest = bytes(&sound, MANIFEST);
        fs::remove_file(sound.join("README.md")).expect("it was written");
        let mut manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
        let files = manifest["files"].as_array_mut().expect("a list");
        files.retain(|file| file["name"] != "README.md");
        put(&sound.join(MANIFEST), manifest.to_string().as_bytes());
    }
    sound
}

fn bytes(folder: &Path, file: &str) -> Vec<u8> {
    fs::read(folder.join(file)).expect("it was written")
}

fn seeds() -> Vec<Vec<u8>> {
    scratch::with(|folder| {
        let seed = |chosen: u8| {
            let sound = sound(folder, chosen & 4 != 0);
            let file = FILES[usize::from(chosen & 3)];
            [vec![chosen], bytes(&sound, file)].concat()
        };
        (0..8).map(seed).collect()
    })
}

/// Puts the hash and the size of a file into the manifest.
fn vouch(folder: &Path, file: &str, content: &[u8]) {
    let mut manifest: Value = serde_json::from_slice(&bytes(folder, MANIFEST)).expect("JSON");
    let hash: String = Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    for entry in manifest["files"].as_array_mut().expect("a list") {
        if entry["name"] == file {
            entry["sha256"] = json!(hash);
            entry["bytes"] = json!(content.len());
        }
    }
    put(&folder.join(MANIFEST), manifest.to_string().as_bytes());
}

fn run(data: &[u8]) -> bool {
    let (chosen, content) = options(data);
    let file = FILES[usize::from(chosen & 3)];
    let read = scratch::with(|folder| {
        let sound = sound(folder, chosen & 4 != 0);
        let damaged = folder.join("damaged");
        fs::create_dir_all(&damaged).expect("a folder can be made");
        for name in FILES {
            fs::copy(sound.join(name), damaged.join(name)).expect("a file can be copied");
        }
        put(&damaged.join(file), content);
        if file != MANIFEST {
            vouch(&damaged, file, content);
        }
        read_release(&damaged)
    });
    let Some(release) = accepted(read) else {
        return false;
    };
    let universe = release.universe();
    let manifest = release.manifest();
    assert_eq!(universe.digest(), manifest.public_inputs.universe.sha256);
    assert_eq!(release.trajectories().is_timed(), release.time().is_some());
    let bins = release.time().map_or(0, |axis| axis.bins);
    names_only_what_is_public(release.trajectories(), universe.len(), bins);
    if let Some(counts) = release.counts() {
        let rows = counts.prefixes.len();
        assert_eq!([counts.noisy.len(), counts.estimate.len()], [rows; 2]);
        assert_eq!(counts.standard_error.len(), rows);
        names_only_what_is_public(&counts.prefixes, universe.len(), bins);
    }
    true
}

fn names_only_what_is_public(sequences: &Sequences, locations: usize, bins: u32) {
    let codes = sequences.codes();
    assert!(codes.iter().all(|&code| (code as usize) < locations));
    let named = sequences.bins().unwrap_or_default();
    assert!(named.iter().all(|&bin| bin < bins), "a bin beyond the axis");
}
