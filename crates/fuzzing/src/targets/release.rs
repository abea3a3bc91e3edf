//! Releases. The first byte says which file of a sound release the rest replaces, whether the release
//! is timed, and whether it has a column beside the trajectories; the manifest's hashes are made to fit, or nothing else would be reached.

use std::fs;
use std::sync::OnceLock;

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
        "attributes",
        "fare",
    ],
    longest: 1 << 14,
};

/// The files of the sound release that the first byte chooses, in the order of [`FILES`], made once;
/// nothing for counts where there are none.
fn sound(chosen: u8) -> &'static [Vec<u8>] {
    static SOUND: [OnceLock<Vec<Vec<u8>>>; 4] = [const { OnceLock::new() }; 4];
    let (timed, columns) = (chosen & 4 != 0, chosen & 8 != 0);
    SOUND[usize::from(timed) + 2 * usize::from(columns)].get_or_init(|| {
        scratch::with(|folder| {
            let folder = folder.join("sound");
            samples::write_sample_release(&folder, timed, columns);
            let read = |name: &str| match folder.join(name).exists() {
                true => fs::read(folder.join(name)).expect("it was written"),
                false => Vec::new(),
            };
            let mut files: Vec<Vec<u8>> = FILES.map(read).to_vec();
            // The page for people names the day, and would differ tomorrow.
            let mut manifest: Value = serde_json::from_slice(&files[0]).expect("JSON");
            let listed = manifest["files"].as_array_mut().expect("a list");
            listed.retain(|file| file["name"] != "README.md");
            files[0] = manifest.to_string().into_bytes();
            files
        })
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let seed = |chosen: u8| {
        let file = &sound(chosen)[usize::from(chosen & 3)];
        (!file.is_empty()).then(|| [&[chosen], file.as_slice()].concat())
    };
    (0..16).filter_map(seed).collect()
}

/// The manifest with the hash and the size of a file.
fn vouching(manifest: &[u8], file: &str, content: &[u8]) -> Vec<u8> {
    let mut manifest: Value = serde_json::from_slice(manifest).expect("JSON");
    let hash = Sha256::digest(content);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    for entry in manifest["files"].as_array_mut().expect("a list") {
        if entry["name"] == file {
            entry["sha256"] = json!(hash);
            entry["bytes"] = json!(content.len());
        }
    }
    manifest.to_string().into_bytes()
}

fn run(data: &[u8]) -> bool {
    let (chosen, content) = options(data);
    let changed = FILES[usize::from(chosen & 3)];
    let sound = sound(chosen);
    let read = scratch::with(|folder| {
        let folder = folder.join("damaged");
        fs::create_dir_all(&folder).expect("a folder can be made");
        let there = FILES
            .iter()
            .zip(sound)
            .filter(|(_, bytes)| !bytes.is_empty());
        for (name, bytes) in there {
            put(&folder.join(name), bytes);
        }
        if changed != MANIFEST {
            let manifest = vouching(&sound[0], changed, content);
            put(&folder.join(MANIFEST), &manifest);
        }
        put(&folder.join(changed), content);
        read_release(&folder)
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
    let names = release.attributes().iter().map(|it| &it.name);
    assert!(names.eq(&manifest.attributes), "columns that nobody named");
    for attribute in release.attributes() {
        assert_eq!(attribute.of_record.len(), release.trajectories().len());
        assert_eq!(*attribute, attribute.canonical());
    }
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
