//! The secret beside the ledger that keys fingerprints of raw data.
//!
//! Without it, the fingerprints in a ledger that got lost say nothing about the data. A secret that
//! is gone is replaced: only warnings are lost with it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};

use crate::entry::hex;

/// The secret of a ledger, made if there is none. To be called by one process at a time.
pub(crate) fn load_or_create(ledger: &Path) -> Result<[u8; 32]> {
    let path = path(ledger);
    let failed = |cause: io::Error| {
        Error::system("cannot keep the secret of the ledger", cause)
            .in_file(path.display().to_string())
    };
    match fs::read_to_string(&path) {
        Ok(text) => parse(text.trim()).ok_or_else(|| {
            Error::input("this is not the secret of a ledger")
                .in_file(path.display().to_string())
                .hint("restore it, or remove it to have another made")
        }),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            let key: [u8; 32] = random()?;
            let unfinished = beside(ledger, "key.new");
            write_new(&unfinished, &hex(&key))
                .and_then(|()| fs::rename(&unfinished, &path))
                .map_err(failed)?;
            match fs::read_to_string(&path) {
                Ok(text) if parse(&text) == Some(key) => Ok(key),
                Ok(_) => Err(failed(io::Error::other("it is not what was written"))),
                Err(cause) => Err(failed(cause)),
            }
        }
        Err(cause) => Err(failed(cause)),
    }
}

/// Bits of the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|cause| Error::system("cannot read the operating system's generator", cause))?;
    Ok(bytes)
}

/// How to make a file that only its owner may read.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes a private file that is surely new: what lies there was left by a crash or put there.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
        _ => {}
    }
    let mut file = private().create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Where the secret of a ledger lies.
pub(crate) fn path(ledger: &Path) -> PathBuf {
    beside(ledger, "key")
}

/// Refuses to begin anew where a ledger was: its secret, which is made after it, is still there.
pub(crate) fn refuse_if_left_behind(ledger: &Path) -> Result<()> {
    let path = path(ledger);
    if fs::symlink_metadata(&path).is_err() {
        return Ok(());
    }
    Err(
        Error::refused("the ledger is gone, while its secret is still there")
            .in_file(ledger.display().to_string())
            .hint(format!(
                "restore the ledger from a copy; or, to begin one in which nothing is spent, remove \
                 {} on purpose",
                path.display()
            )),
    )
}

fn beside(ledger: &Path, ending: &str) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn parse(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut key = [0; 32];
    for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_made_once_and_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("l.sqlite");
        let key = load_or_create(&ledger).unwrap();
        assert_eq!(load_or_create(&ledger).unwrap(), key);
        let path = beside(&ledger, "key");
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap());
            assert_eq!(mode & 0o777, 0o600);
        }
        for wrong in ["zz".to_owned(), "+f".repeat(32), hex(&[7; 33])] {
            fs::write(&path, wrong).unwrap();
            assert!(load_or_create(&ledger).is_err());
        }
        fs::remove_file(&path).unwrap();
        assert_ne!(load_or_create(&ledger).unwrap(), key);
    }

    #[test]
    fn what_a_crash_left_is_not_built_upon() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("l.sqlite");
        let stale = beside(&ledger, "key.new");
        fs::write(&stale, "x".repeat(200)).unwrap();
        #[cfg(unix)]
        {
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
            fs::set_permissions(&stale, open).unwrap();
        }
        let key = load_or_create(&ledger).unwrap();
        assert_eq!(load_or_create(&ledger).unwrap(), key);
        assert!(!stale.exists());
        #[cfg(unix)]
        {
            let made = fs::metadata(path(&ledger)).unwrap();
            let mode = std::os::unix::fs::MetadataExt::mode(&made);
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
