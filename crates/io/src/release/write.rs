//! Writes a release.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use wayveil_core::manifest::FileRecord;
use wayveil_core::{Booked, Books, Error, Manifest, Release, Released, Result};

use super::read::read_manifest;
use super::{COUNTS, FRAGMENTS, LOCATIONS, MANIFEST, README, REPORT, TRAJECTORIES, readme, tables};
use crate::fragments::write_fragments_to;
use crate::output::{self, cannot_write};

/// Draws a page for the recipients of a release. A plain function: it is given the release and can hold
/// nothing else, raw data least of all.
pub type Page = fn(&dyn Released) -> Result<String>;

/// Writes a release to a folder, complete or not at all, and marks its entry in the books as done. With
/// a page, that is one of its files.
/// An existing release is replaced only with `overwrite`, and only when the new one is complete; a
/// folder that is no release never is.
pub fn write_release(
    folder: &Path,
    release: &Booked,
    page: Option<Page>,
    books: &mut dyn Books,
    overwrite: bool,
) -> Result<Manifest> {
    let manifest = output::write_folder(folder, overwrite, only_a_release, |temporary| {
        fill(temporary, release.release(), page)
    })?;
    books.done(release.entry()).map_err(|error| {
        Error::system(
            "the release is complete and counts as spent, but the books could not be marked",
            error,
        )
        .in_file(folder.display().to_string())
    })?;
    Ok(manifest)
}

/// Whether [`write_release`] would write here: to be asked before anything is spent.
pub fn check_release_target(folder: &Path, overwrite: bool) -> Result<()> {
    output::check_folder_target(folder, overwrite, only_a_release).map(|_| ())
}

/// Whether a folder is empty, or holds a release and nothing else.
fn only_a_release(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    let names: Vec<_> = entries
        .map_while(|entry| Some(entry.ok()?.file_name()))
        .collect();
    match read_manifest(&folder.join(MANIFEST)) {
        Ok(manifest) => names.iter().all(|name| {
            let listed = manifest.files.iter().any(|file| *name == *file.name);
            listed || *name == *MANIFEST
        }),
        Err(_) => names.is_empty(),
    }
}

fn fill(folder: &Path, release: &Release, page: Option<Page>) -> Result<Manifest> {
    let universe = release.universe();
    output::write_part(&folder.join(TRAJECTORIES), |out| {
        tables::write_trajectories(out, release.trajectories(), release.attributes(), universe)
    })?;
    output::write_part(&folder.join(LOCATIONS), |out| {
        tables::write_locations(out, universe)
    })?;
    let mut names = vec![TRAJECTORIES, LOCATIONS];
    if let Some(counts) = release.counts() {
        output::write_part(&folder.join(COUNTS), |out| {
            tables::write_counts(out, counts, universe)
        })?;
        names.push(COUNTS);
    }
    if let Some(fragments) = release.fragments() {
        let path = folder.join(FRAGMENTS);
        output::write_part(&path, |out| {
            write_fragments_to(out, fragments, universe).map_err(|cause| cannot_write(&path, cause))
        })?;
        names.push(FRAGMENTS);
    }
    if let Some(page) = page {
        write_text(&folder.join(REPORT), &page(release)?)?;
        names.push(REPORT);
    }
    let text = readme::readme(release.manifest(), &names);
    write_text(&folder.join(README), &text)?;
    names.push(README);
    let files = names
        .into_iter()
        .map(|name| record(folder, name))
        .collect::<Result<_>>()?;
    let manifest = release.manifest_with_files(files);
    let mut text = serde_json::to_string_pretty(&manifest)
        .map_err(|cause| Error::system("cannot write the manifest", cause))?;
    text.push('\n');
    write_text(&folder.join(MANIFEST), &text)?;
    Ok(manifest)
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    output::write_part(path, |out| {
        out.write_all(text.as_bytes())
            .map_err(|cause| cannot_write(path, cause))
    })
}

fn record(folder: &Path, name: &str) -> Result<FileRecord> {
    let path = folder.join(name);
    let (sha256, bytes) = digest(&path).map_err(|cause| cannot_write(&path, cause))?;
    Ok(FileRecord {
        name: name.to_owned(),
        sha256,
        bytes,
    })
}

/// SHA-256 of a file in hexadecimal, and its size.
pub(super) fn digest(path: &Path) -> io::Result<(String, u64)> {
    let mut hasher = Hasher {
        state: Sha256::new(),
        bytes: 0,
    };
    io::copy(&mut File::open(path)?, &mut hasher)?;
    let text = hasher
        .state
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok((text, hasher.bytes))
}

struct Hasher {
    state: Sha256,
    bytes: u64,
}

impl Write for Hasher {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.state.update(part);
        self.bytes += part.len() as u64;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
