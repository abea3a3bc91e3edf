//! A folder for parsers that want files.

use std::path::Path;

use tempfile::TempDir;

thread_local! {
    static FOLDER: TempDir = new();
}

/// Files that live for a millisecond are best kept in memory.
fn new() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if std::env::var_os("TMPDIR").is_none() && memory.is_dir() {
        TempDir::with_prefix_in("wayveil-fuzzing-", memory)
    } else {
        TempDir::with_prefix("wayveil-fuzzing-")
    };
    made.expect("a temporary folder can be made")
}

/// Calls `work` with this thread's folder. What lies in it stays until the next input.
pub(crate) fn with<T>(work: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with(|folder| work(folder.path()))
}
