//! Writes a target completely or not at all.
//!
//! Everything is written beside its target under a hidden temporary name, forced to disk, and then
//! renamed. What fails midway is removed when it goes out of scope; what a signal interrupts is
//! removed by [`remove_unfinished`], which the program's signal handling calls.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use wayveil_core::{Error, Result};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static COUNTER: AtomicU64 = AtomicU64::new(0);

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary that is in use. To be called when the program is about to end early.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        remove(&path);
    }
}

fn remove(path: &Path) {
    // There is nobody to tell about a failure: the program is already ending or reporting one.
    let _ = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
}

/// A temporary beside its target; removed when dropped before it was renamed.
struct Temporary {
    path: PathBuf,
    target: PathBuf,
}

impl Temporary {
    fn beside(target: &Path, role: &str) -> Result<Self> {
        let name = target.file_name().ok_or_else(|| {
            Error::input("this is not the name of a file or folder")
                .in_file(target.display().to_string())
        })?;
        let hidden = format!(
            ".{}.wayveil-{role}-{}-{}",
            name.to_string_lossy(),
            std::process::id(),
            COUNTER.fetch_add(1, Ordering::Relaxed)
        );
        let path = target.with_file_name(hidden);
        unfinished().insert(path.clone());
        Ok(Self {
            path,
            target: target.to_owned(),
        })
    }

    fn parent(&self) -> &Path {
        match self.target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if unfinished().remove(&self.path) {
            remove(&self.path);
        }
    }
}

/// Refuses a target that is the very file that is to be read.
pub fn check_not_source(target: &Path, source: &Path) -> Result<()> {
    let same = match (target.canonicalize(), source.canonicalize()) {
        (Ok(target), Ok(source)) => target == source,
        _ => false,
    };
    if same {
        return Err(Error::input("this is the input; it would be overwritten")
            .in_file(target.display().to_string())
            .hint("choose another name for the output"));
    }
    Ok(())
}

/// Refuses a target that exists, unless it may be replaced, and one that has no folder to be in,
/// or whose folder cannot be written.
pub fn check_target(target: &Path, overwrite: bool) -> Result<()> {
    if !overwrite && fs::symlink_metadata(target).is_ok() {
        return Err(exists(target));
    }
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => {
            Err(Error::input("there is no folder to write this in")
                .in_file(target.display().to_string())
                .hint(format!("mkdir -p {}", parent.display())))
        }
        parent => {
            let folder = parent.filter(|folder| !folder.as_os_str().is_empty());
            // A file without a name shows whether the folder takes any, before long work.
            match tempfile::tempfile_in(folder.unwrap_or(Path::new("."))) {
                Ok(_) => Ok(()),
                Err(cause) => Err(cannot_write(target, cause)),
            }
        }
    }
}

fn exists(target: &Path) -> Error {
    Error::input("this exists already")
        .in_file(target.display().to_string())
        .hint("choose another name, or replace it with --force")
}

/// An error of the machine while writing a target.
pub(crate) fn cannot_write(target: &Path, cause: impl std::fmt::Display) -> Error {
    Error::system("cannot write", cause).in_file(target.display().to_string())
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Writes a file: `fill` gets a buffered stream; the target appears when all of it is on disk.
pub fn write_file<T>(
    target: &Path,
    overwrite: bool,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
    check_target(target, overwrite)?;
    if target.is_dir() {
        return Err(Error::input("this is a folder, not a file")
            .in_file(target.display().to_string())
            .hint("choose the name of a file"));
    }
    let failed = |cause: io::Error| cannot_write(target, cause);
    let temporary = Temporary::beside(target, "tmp")?;
    let file = File::create_new(&temporary.path).map_err(failed)?;
    let mut stream = BufWriter::with_capacity(1 << 18, file);
    let result = fill(&mut stream)?;
    let file = stream
        .into_inner()
        .map_err(|cause| failed(cause.into_error()))?;
    file.sync_all().map_err(failed)?;
    drop(file);
    if overwrite {
        fs::rename(&temporary.path, target).map_err(failed)?;
        unfinished().remove(&temporary.path);
    } else {
        place_new(&temporary, target)?;
    }
    sync_folder(temporary.parent()).map_err(failed)?;
    Ok(result)
}

/// Puts a file in place without replacing one that appeared meanwhile: a link fails where a
/// rename would overwrite. Not every file system has links.
fn place_new(temporary: &Temporary, target: &Path) -> Result<()> {
    match fs::hard_link(&temporary.path, target) {
        Ok(()) => Ok(()),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Err(exists(target)),
        Err(_) => {
            check_target(target, false)?;
            fs::rename(&temporary.path, target).map_err(|cause| cannot_write(target, cause))
        }
    }
}

/// Writes a folder: `fill` gets the path of a temporary one; the target appears, or is replaced,
/// when all files are on disk. `replaceable` says whether an existing folder may be replaced, so
/// that a slip of the keyboard does not remove someone's documents.
pub fn write_folder<T>(
    target: &Path,
    overwrite: bool,
    replaceable: impl FnOnce(&Path) -> bool,
    fill: impl FnOnce(&Path) -> Result<T>,
) -> Result<T> {
    let old_exists = check_folder_target(target, overwrite, replaceable)?;
    let failed = |cause: io::Error| cannot_write(target, cause);
    let temporary = Temporary::beside(target, "tmp")?;
    fs::create_dir(&temporary.path).map_err(failed)?;
    let result = fill(&temporary.path)?;
    sync_folder(&temporary.path).map_err(failed)?;
    let old = if old_exists {
        Some(move_away(target)?)
    } else {
        None
    };
    if let Err(cause) = fs::rename(&temporary.path, target) {
        if let Some(old) = old {
            fs::rename(&old, target).map_err(failed)?;
        }
        return Err(failed(cause));
    }
    unfinished().remove(&temporary.path);
    sync_folder(temporary.parent()).map_err(failed)?;
    if let Some(old) = old {
        remove(&old);
    }
    Ok(result)
}

/// As [`check_target`], for a folder of which `replaceable` says whether it may be replaced. Says
/// whether there is one.
pub(crate) fn check_folder_target(
    target: &Path,
    overwrite: bool,
    replaceable: impl FnOnce(&Path) -> bool,
) -> Result<bool> {
    check_target(target, overwrite)?;
    let old_exists = fs::symlink_metadata(target).is_ok();
    if old_exists && !replaceable(target) {
        return Err(Error::input("this is not a release, and is not replaced")
            .in_file(target.display().to_string())
            .hint("choose another name, or remove it yourself"));
    }
    Ok(old_exists)
}

/// Renames an old target; it is not registered, because it is the only copy until the new one is
/// in place.
fn move_away(target: &Path) -> Result<PathBuf> {
    let old = Temporary::beside(target, "old")?;
    let path = old.path.clone();
    unfinished().remove(&path);
    drop(old);
    fs::rename(target, &path).map_err(|cause| cannot_write(target, cause))?;
    Ok(path)
}

/// Writes one file of a folder that is being made, and forces it to disk.
pub(crate) fn write_part(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let failed = |cause: io::Error| cannot_write(path, cause);
    let mut stream = BufWriter::with_capacity(1 << 18, File::create_new(path).map_err(failed)?);
    fill(&mut stream)?;
    stream.flush().map_err(failed)?;
    stream.get_ref().sync_all().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|it| it.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let write = |text: &str, overwrite, fail| {
            write_file(&target, overwrite, |stream| {
                stream.write_all(text.as_bytes()).unwrap();
                if fail {
                    Err(Error::input("half way"))
                } else {
                    Ok(())
                }
            })
        };
        assert!(write("x", false, true).is_err());
        assert_eq!(names(folder.path()), [""; 0]);
        write("one", false, false).unwrap();
        let error = write("two", false, false).unwrap_err();
        assert_eq!(error.message(), "this exists already");
        assert!(error.advice().unwrap().contains("--force"));
        assert!(write("two", true, true).is_err());
        assert_eq!(fs::read(&target).unwrap(), b"one");
        write("two", true, false).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let outcome = write_file(&target, false, |_| {
            fs::write(&target, "theirs").unwrap();
            Ok(())
        });
        assert!(outcome.is_err());
        assert_eq!(fs::read(&target).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_folder_is_replaced_only_when_the_new_one_is_complete() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("r");
        let write = |text: &str, overwrite, fail, replaceable: bool| {
            write_folder(
                &target,
                overwrite,
                |_| replaceable,
                |folder| {
                    fs::write(folder.join("f"), text).unwrap();
                    if fail {
                        Err(Error::input("half way"))
                    } else {
                        Ok(())
                    }
                },
            )
        };
        assert!(write("x", false, true, true).is_err());
        assert_eq!(names(parent.path()), [""; 0]);
        write("one", false, false, true).unwrap();
        assert!(write("two", false, false, true).is_err());
        assert!(write("two", true, true, true).is_err());
        assert!(write("two", true, false, false).is_err());
        assert_eq!(fs::read(target.join("f")).unwrap(), b"one");
        write("two", true, false, true).unwrap();
        assert_eq!(fs::read(target.join("f")).unwrap(), b"two");
        assert_eq!(names(parent.path()), ["r"]);
    }

    #[test]
    fn no_place_to_write_is_an_error() {
        assert!(write_file(Path::new("/no/such/folder/x"), false, |_| Ok(())).is_err());
        assert!(write_file(Path::new("/"), true, |_| Ok(())).is_err());
        assert!(write_file(Path::new(".."), false, |_| Ok(())).is_err());
    }
}
