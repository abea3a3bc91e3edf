//! Opens whatever a command is given: a data file or a release.

use std::path::Path;

use wayveil_core::{Dataset, Error, Raw, Result};

use crate::native::read_dataset;
use crate::release::{MANIFEST, Published, read_release};

/// Something that commands work on.
pub enum Loaded {
    /// A publisher's data.
    Data(Raw<Dataset>),
    /// A release.
    Release(Box<Published>),
}

/// Opens a release's folder or a data file.
pub fn load(path: &Path) -> Result<Loaded> {
    if !path.is_dir() {
        return read_dataset(path).map(Loaded::Data);
    }
    if path.join(MANIFEST).exists() {
        return read_release(path).map(|release| Loaded::Release(Box::new(release)));
    }
    Err(
        Error::input("this folder is not a release: it has no manifest.json")
            .in_file(path.display().to_string())
            .hint("name a data file made by wayveil import, or a folder made by wayveil publish"),
    )
}
