//! Where the books lie unless the publisher says otherwise.

use std::env;
use std::path::PathBuf;

use wayveil_core::{Error, Result};

/// The ledger in the user's data folder: `$XDG_DATA_HOME/wayveil/ledger.sqlite` or its equivalent on
/// this platform. The folder is made when the ledger is.
pub fn default_path() -> Result<PathBuf> {
    let folder = |variable: &str| {
        env::var_os(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let data = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    match data {
        Some(data) => Ok(data.join("wayveil").join("ledger.sqlite")),
        None => Err(
            Error::input("there is no folder for the ledger: this user has no home")
                .hint("name a file with --ledger FILE or in WAYVEIL_LEDGER"),
        ),
    }
}
