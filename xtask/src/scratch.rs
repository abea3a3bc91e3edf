//! Temporary folders that vanish with their owner.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// A fresh, empty folder, removed when dropped.
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub(crate) fn new(purpose: &str) -> io::Result<Self> {
        Self::inside(&std::env::temp_dir(), purpose)
    }

    /// In memory where the system has a folder for that, for files that live briefly.
    pub(crate) fn in_memory(purpose: &str) -> io::Result<Self> {
        Self::inside(Path::new("/dev/shm"), purpose).or_else(|_| Self::new(purpose))
    }

    fn inside(parent: &Path, purpose: &str) -> io::Result<Self> {
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = format!("wayveil-xtask-{purpose}-{}-{number}", std::process::id());
            let path = parent.join(name);
            // Creating, unlike looking first, cannot take over a folder that is someone else's.
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a folder inside.
    pub(crate) fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        std::fs::create_dir_all(&path)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Litter in the temporary folder is no reason to fail a check.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
