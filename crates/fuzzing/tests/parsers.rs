//! Every target on its seeds, on what once failed, and on quick mutations of both: the part of
//! fuzzing that needs nothing but `cargo test`.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use wayveil_fuzzing::mutate::Mutator;
use wayveil_fuzzing::{ALL, Target, is_caught_by_reader};

/// Mutations of each target, and of those that write and read files for every input.
const MUTATIONS: u64 = 10_000;
const MUTATIONS_WITH_FILES: u64 = 2_000;
const WITH_FILES: [&str; 4] = ["feed", "gtfs", "native", "release"];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder in the order of their names; none where there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// Seeds, and inputs that once failed.
fn inputs(target: &Target) -> Vec<Vec<u8>> {
    let mut inputs = (target.seeds)();
    let folder = here().join("regressions").join(target.name);
    inputs.extend(files(&folder).iter().map(|file| fs::read(file).unwrap()));
    inputs
}

/// Set by a panic in our own code, which must not be lost where readers catch those of others.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Panics that readers may catch are not worth a line each; all others are kept in mind.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let speak = take_hook();
        set_hook(Box::new(move |panic| {
            if !is_caught_by_reader(panic) {
                PANICKED.store(true, Ordering::Relaxed);
                speak(panic);
            }
        }));
    });
}

/// Runs a target; an input on which it fails is kept, so that it can be run again.
fn run(target: &Target, input: &[u8]) -> bool {
    watch_panics();
    let ended = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let sound = ended.ok().filter(|_| !PANICKED.load(Ordering::Relaxed));
    sound.unwrap_or_else(|| {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-failed", target.name));
        fs::write(&kept, input).unwrap();
        panic!("{} fails on {}", target.name, kept.display());
    })
}

#[test]
fn seeds_and_what_once_failed() {
    for target in ALL {
        let inputs = inputs(target);
        let accepted = inputs.iter().filter(|input| run(target, input)).count();
        // Otherwise nothing would be checked but refusals.
        assert!(accepted > 0, "no seed of {} is accepted", target.name);
        for input in &inputs {
            assert!(input.len() <= target.longest, "{}", target.name);
        }
    }
}

#[test]
fn mutations() {
    for (number, target) in (1..).zip(ALL) {
        let inputs = inputs(target);
        let mut mutator = Mutator::new(number);
        let mutations = match WITH_FILES.contains(&target.name) {
            true => MUTATIONS_WITH_FILES,
            false => MUTATIONS,
        };
        let mut accepted = 0;
        for _ in 0..mutations {
            accepted += u64::from(run(target, &mutator.mutate(&inputs, target.words)));
        }
        println!("{}: {accepted} of {mutations} accepted", target.name);
    }
}

#[test]
fn every_target_has_a_program_and_every_regression_a_target() {
    let names: BTreeSet<String> = ALL.iter().map(|target| target.name.into()).collect();
    assert_eq!(names.len(), ALL.len(), "names are unique");
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let programs = files(&here().join("../../fuzz/src/bin"));
    assert_eq!(programs.iter().map(stem).collect::<BTreeSet<_>>(), names);
    for folder in files(&here().join("regressions")) {
        assert!(names.contains(&stem(&folder)), "{}", folder.display());
    }
}
