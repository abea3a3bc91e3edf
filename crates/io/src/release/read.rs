//! Reads a release, after checking that it is the one that was published.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_core::manifest::{FORMAT, FORMAT_VERSION, FileRecord};
use wayveil_core::{Error, Manifest, Result, Sequences, TimeAxis};

use super::write::digest;
use super::{COUNTS, FRAGMENTS, LOCATIONS, MANIFEST, Published, TRAJECTORIES, tables};
use crate::columns::guarded;
use crate::fragments::read_fragments_from;
use crate::input::Input;

/// The largest manifest that is read.
const MANIFEST_LIMIT: u64 = 1 << 26;

/// Reads a release. Every file must be as the manifest says; a changed one is refused.
pub fn read_release(folder: &Path) -> Result<Published> {
    let manifest = read_manifest(&folder.join(MANIFEST))?;
    for file in &manifest.files {
        check_file(folder, file)?;
    }
    refuse_strangers(folder, &manifest)?;
    guarded(|| read_tables(folder, manifest))
}

/// The release that a path is, or lies within, wherever links lead; none where it lies in no release.
/// What does not exist yet lies where its folder is.
pub fn release_around(path: &Path) -> Option<PathBuf> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let places = [path.canonicalize(), folder.canonicalize()];
    let is_release = |folder: &&Path| read_manifest(&folder.join(MANIFEST)).is_ok();
    let around = |place: &PathBuf| place.ancestors().find(is_release).map(Path::to_owned);
    places.iter().flatten().find_map(around)
}

/// A file that the manifest does not name is not part of what was published, whatever it claims.
/// Hidden files are left to the systems that put them there.
fn refuse_strangers(folder: &Path, manifest: &Manifest) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(|cause| {
        Error::system("cannot read the release", cause).in_file(folder.display().to_string())
    })?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let known = name == MANIFEST || manifest.files.iter().any(|file| file.name == name);
        if !known && !name.starts_with('.') {
            return Err(Error::refused("this file was added after publication")
                .in_file(folder.join(name).display().to_string())
                .hint("remove it, or fetch the release again from its publisher"));
        }
    }
    Ok(())
}

fn read_tables(folder: &Path, manifest: Manifest) -> Result<Published> {
    let listed = |name: &str| manifest.files.iter().any(|file| file.name == name);
    let damaged = |name: &str| {
        Error::input("this file of the release is damaged or missing")
            .in_file(folder.join(name).display().to_string())
            .hint("fetch the release again from its publisher")
    };
    for name in [TRAJECTORIES, LOCATIONS] {
        if !listed(name) {
            return Err(damaged(name));
        }
    }
    let universe =
        tables::read_universe(&folder.join(LOCATIONS)).ok_or_else(|| damaged(LOCATIONS))?;
    if universe.digest() != manifest.public_inputs.universe.sha256 {
        return Err(changed(&folder.join(LOCATIONS)));
    }
    let bins = manifest.public_inputs.time.as_ref().map(|axis| axis.bins);
    if bins.is_some_and(|bins| !(1..=TimeAxis::MAX_BINS).contains(&bins)) {
        return Err(damaged(MANIFEST));
    }
    let timed = bins.is_some();
    // The axis stands in the manifest, apart from the bins that must lie on it.
    let public = |sequences: &Sequences| sequences.check_ranges(universe.len(), bins).is_ok();
    let path = folder.join(TRAJECTORIES);
    let (trajectories, attributes) =
        tables::read_trajectories(&path, &universe, timed, &manifest.attributes)
            .filter(|(sequences, _)| public(sequences))
            .ok_or_else(|| damaged(TRAJECTORIES))?;
    let counts = if listed(COUNTS) {
        let read = tables::read_counts(&folder.join(COUNTS), &universe, timed)
            .filter(|counts| public(&counts.prefixes));
        Some(read.ok_or_else(|| damaged(COUNTS))?)
    } else {
        None
    };
    let fragments = if listed(FRAGMENTS) {
        let input = Input::open(&folder.join(FRAGMENTS))?;
        Some(read_fragments_from(input, &universe)?)
    } else {
        None
    };
    Ok(Published {
        manifest: Box::new(manifest),
        universe: Arc::new(universe),
        trajectories,
        attributes,
        counts,
        fragments,
    })
}

/// Reads a manifest by itself.
pub fn read_manifest(path: &Path) -> Result<Manifest> {
    let place = |error: Error| error.in_file(path.display().to_string());
    let unreadable = |cause: std::io::Error| {
        place(match cause.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                Error::input("there is no manifest; this is not a release")
                    .hint("name the folder that wayveil publish wrote with -o")
            }
            _ => Error::system("cannot read the manifest", cause),
        })
    };
    if fs::metadata(path).map_err(unreadable)?.len() > MANIFEST_LIMIT {
        return Err(place(Error::input("the manifest is too large to be one")));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let not_one = |cause: serde_json::Error| {
        place(Error::input(format!(
            "this is not a release's manifest: {cause}"
        )))
    };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(not_one)?;
    if value["format"] != FORMAT {
        return Err(place(Error::input("this is not a release's manifest")));
    }
    if value["format_version"] != FORMAT_VERSION {
        return Err(place(
            Error::input(format!(
                "the release has format version {}, this program reads version {FORMAT_VERSION}",
                value["format_version"]
            ))
            .hint("use a newer wayveil"),
        ));
    }
    serde_json::from_value(value).map_err(not_one)
}

fn check_file(folder: &Path, file: &FileRecord) -> Result<()> {
    let simple = Path::new(&file.name)
        .file_name()
        .is_some_and(|name| name == file.name.as_str());
    if !simple {
        return Err(Error::input(format!(
            "the manifest names {:?}, which is no file name",
            file.name
        ))
        .in_file(folder.join(MANIFEST).display().to_string()));
    }
    let path = folder.join(&file.name);
    match digest(&path) {
        Ok((sha256, bytes)) if sha256 == file.sha256 && bytes == file.bytes => Ok(()),
        Ok(_) => Err(changed(&path)),
        Err(cause) if cause.kind() == ErrorKind::NotFound => {
            Err(Error::refused("this file was removed after publication")
                .in_file(path.display().to_string())
                .hint("fetch the release again from its publisher"))
        }
        Err(cause) => {
            Err(Error::system("cannot read the file", cause).in_file(path.display().to_string()))
        }
    }
}

fn changed(path: &Path) -> Error {
    Error::refused("this file was changed after publication")
        .in_file(path.display().to_string())
        .hint("fetch the release again from its publisher")
}
