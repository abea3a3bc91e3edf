//! The secret beside the ledger that keys fingerprints of raw data.
//!
//! Without it, the fingerprints in a ledger that got lost say nothing about the data. A secret that
//! is gone is replaced: only warnings are lost with it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};

use crate::entry::hex;

/// The secret of a ledger, made if there is none. To be called by one process at a time.
pub(crate) fn load_or_create(ledger: &Path) -> Result<[u8; 32]> {
    let path = beside(ledger, "key");
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
            create_private(&unfinished)
                .and_then(|mut file| {
                    file.write_all(hex(&key).as_bytes())?;
                    file.sync_all()
                })
                .and_then(|()| fs::rename(&unfinished, &path))
                .map_err(failed)?;
            Ok(key)
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

/// A file that only its owner may read.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn beside(ledger: &Path, ending: &str) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn parse(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
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
        fs::write(&path, "zz").unwrap();
        assert!(load_or_create(&ledger).is_err());
        fs::remove_file(&path).unwrap();
        assert_ne!(load_or_create(&ledger).unwrap(), key);
    }
}
