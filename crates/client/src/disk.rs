//! Files that survive a kill.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};

/// No file of ours is longer.
const LONGEST: u64 = 16 << 20;

/// What keeps a client's files. When a call returns, what it wrote outlives a loss of power.
pub trait Disk {
    /// The file of this name, if there is one.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Puts these bytes in place of the file: all of them or, if this is cut short, none.
    fn replace(&mut self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Cuts the file to its first `keep` bytes and adds these; if this is cut short, some of them.
    fn append(&mut self, name: &str, keep: u64, bytes: &[u8]) -> Result<()>;
}

/// A folder that one process uses at a time.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked while it is open; the system lets go when the process ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Opens the folder, and makes it if need be. On a phone it lies in the app's own storage and
    /// out of backups: what is restored later would be an old state.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let failed = |error| failed("opening", &path, error);
        make(&path, &mut sync_folder).map_err(failed)?;
        let lock = private()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path.join("lock"));
        let lock = lock.map_err(failed)?;
        match locked(&lock) {
            Ok(true) => Ok(Self { path, _lock: lock }),
            Ok(false) => Err(Error::refused(format!(
                "another process takes part with {}",
                path.display()
            ))
            .hint("wait until it has ended")),
            Err(error) => Err(failed(error)),
        }
    }

    fn replaced(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (temporary, place) = (self.path.join(format!("{name}.tmp")), self.path.join(name));
        let mut file = private()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, &place)?;
        sync_folder(&self.path)
    }

    fn appended(&self, name: &str, keep: u64, bytes: &[u8]) -> io::Result<()> {
        let place = self.path.join(name);
        let mut file = private()
            .write(true)
            .create(true)
            .truncate(false)
            .open(place)?;
        file.set_len(keep)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        sync_folder(&self.path)
    }
}

impl Disk for Folder {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path.join(name);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("reading", &path, error)),
        };
        let mut bytes = Vec::new();
        let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| failed("reading", &path, error))?;
        match bytes.len() as u64 > LONGEST {
            true => Err(Error::input(format!("{} is too long", path.display()))),
            false => Ok(Some(bytes)),
        }
    }

    fn replace(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let done = self.replaced(name, bytes);
        done.map_err(|error| failed("writing", &self.path.join(name), error))
    }

    fn append(&mut self, name: &str, keep: u64, bytes: &[u8]) -> Result<()> {
        let done = self.appended(name, keep, bytes);
        done.map_err(|error| failed("writing", &self.path.join(name), error))
    }
}

fn failed(doing: &str, path: &Path, error: io::Error) -> Error {
    Error::system(format_args!("{doing} {}", path.display()), error)
        .hint("give a folder that can be written; nothing was sent that is not kept")
}

/// Makes the folder, and those around it that are missing, so that they outlive a loss of power as what
/// is written into it does: each new name is durable when the folder around it is synced. A process
/// that was killed on the way may have made some and synced none, so until there is a lock all that lie
/// around it are synced, where that is allowed.
fn make(path: &Path, sync: &mut impl FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    if path.join("lock").exists() {
        return Ok(());
    }
    // From the inside: what lies around a folder that is there is there, even if it cannot be seen.
    let outwards = || path.ancestors().filter(|it| *it != Path::new(""));
    let missing: Vec<&Path> = outwards().take_while(|it| !it.is_dir()).collect();
    let there = outwards().skip(missing.len());
    for folder in missing.into_iter().rev() {
        match make_one(folder) {
            Err(error) if !folder.is_dir() => return Err(error),
            _ => sync(around(folder))?,
        }
    }
    for folder in there {
        match sync(around(folder)) {
            Err(error) if !is_of_the_system(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The folder that a folder's name stands in.
fn around(folder: &Path) -> &Path {
    match folder.parent() {
        Some(around) if around != Path::new("") => around,
        Some(_) => Path::new("."),
        None => folder,
    }
}

/// Whether a folder that was there before cannot be synced because it is the system's.
fn is_of_the_system(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::InvalidInput
            | Kind::NotFound
            | Kind::PermissionDenied
            | Kind::ReadOnlyFilesystem
            | Kind::Unsupported
    )
}

#[cfg(unix)]
fn make_one(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_one(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

/// Takes the lock, unless another has it. The standard library's own call is refused on Android up to
/// Rust 1.97, so all of Unix goes one way, which tests elsewhere try too.
#[cfg(unix)]
fn locked(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(fs::TryLockError::WouldBlock) => Ok(false),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Files that other users of the machine cannot read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A name is durable when its folder is. Elsewhere than on Unix a folder cannot be opened for this.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(scratch.path().join("deep/state")).unwrap();
        assert_eq!(folder.read("a").unwrap(), None);
        folder.replace("a", b"one").unwrap();
        folder.replace("a", b"two").unwrap();
        assert_eq!(folder.read("a").unwrap().unwrap(), b"two");
        folder.append("b", 0, b"torn").unwrap();
        folder.append("b", 2, b"-whole").unwrap();
        assert_eq!(folder.read("b").unwrap().unwrap(), b"to-whole");
    }

    /// A name that was made and whose folder was not synced is gone after a loss of power.
    #[test]
    fn every_new_folder_is_synced_into_the_one_around_it() {
        let scratch = tempfile::tempdir().unwrap();
        let [deep, state] = ["deep", "deep/state"].map(|name| scratch.path().join(name));
        let synced = |fails: Option<io::ErrorKind>| {
            let mut seen = Vec::new();
            let made = make(&state, &mut |folder| {
                seen.push(folder.to_owned());
                let fails = fails.filter(|_| folder == deep);
                fails.map_or(Ok(()), |kind| Err(kind.into()))
            });
            (seen, made.is_ok())
        };
        // Cut short between making and syncing, and once more: it is not used.
        let (seen, made) = synced(Some(io::ErrorKind::StorageFull));
        assert_eq!(seen, [scratch.path(), &deep]);
        assert!(state.is_dir() && !made);
        assert!(!synced(Some(io::ErrorKind::StorageFull)).1);
        let (seen, made) = synced(None);
        assert!(made && seen.starts_with(&[deep.clone(), scratch.path().to_owned()]));
        // One that was there and is the system's is not asked for more than it gives.
        assert!(synced(Some(io::ErrorKind::PermissionDenied)).1);
        drop(Folder::open(&state).unwrap());
        assert_eq!(synced(None), (Vec::new(), true));
    }

    #[test]
    fn what_cannot_be_a_folder_is_an_error() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("file"), "").unwrap();
        assert!(Folder::open(scratch.path().join("file/state")).is_err());
        assert!(Folder::open(scratch.path().join("file")).is_err());
    }

    #[test]
    fn one_process_at_a_time() {
        let scratch = tempfile::tempdir().unwrap();
        let first = Folder::open(scratch.path()).unwrap();
        assert_eq!(Folder::open(scratch.path()).unwrap_err().exit_code(), 1);
        drop(first);
        assert!(Folder::open(scratch.path()).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn others_cannot_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("state");
        let mut folder = Folder::open(&path).unwrap();
        folder.replace("a", b"one").unwrap();
        folder.append("b", 0, b"two").unwrap();
        for (name, mode) in [("", 0o700), ("a", 0o600), ("b", 0o600), ("lock", 0o600)] {
            let found = fs::metadata(path.join(name)).unwrap().permissions().mode();
            assert_eq!(found & 0o777, mode, "{name}");
        }
    }
}
