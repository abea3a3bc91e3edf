//! What commands are given and where they write: raw data here, a release there, and nothing internal
//! in a release.

use std::path::{Path, PathBuf};

use wayveil_core::{Dataset, Error, Raw, Result};
use wayveil_io::output::{check_not_source, check_target};
use wayveil_io::{Loaded, Published, release_around};

use crate::terminal::Terminal;

/// Opens raw data. `usage` shows how the command is called.
pub(crate) fn raw_data(path: &Path, usage: &str, terminal: &Terminal) -> Result<Raw<Dataset>> {
    match terminal.load(path)? {
        Loaded::Data(raw) => Ok(raw),
        Loaded::Release(_) => Err(Error::input("this must be raw data, not a release")
            .in_file(path.display().to_string())
            .hint(usage)),
    }
}

/// Opens a release. `usage` shows how the command is called.
pub(crate) fn release(path: &Path, usage: &str, terminal: &Terminal) -> Result<Published> {
    match terminal.load(path)? {
        Loaded::Release(release) => Ok(*release),
        Loaded::Data(_) => Err(Error::input("this must be a release, not raw data")
            .in_file(path.display().to_string())
            .hint(usage)),
    }
}

/// Refuses an output that is computed from raw data where it would take the place of something that is
/// read, lie within a release, or not be written. To be asked before long work.
pub(crate) fn check_internal_target<'a>(
    target: &Path,
    sources: impl IntoIterator<Item = &'a Path>,
    overwrite: bool,
) -> Result<()> {
    for source in sources {
        check_not_source(target, source)?;
    }
    if let Some(release) = release_around(target) {
        return Err(Error::input(format!(
            "this lies within the release {}, whose files are its own",
            from_here(&release).display()
        ))
        .in_file(target.display().to_string())
        .hint("choose a place outside of it"));
    }
    check_target(target, overwrite)?;
    if target.is_dir() {
        return Err(Error::input("this is a folder, not a file")
            .in_file(target.display().to_string())
            .hint("choose the name of a file"));
    }
    Ok(())
}

/// A path as it looks from the folder that the program runs in.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let short = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    match short {
        Some(short) if !short.as_os_str().is_empty() => short,
        _ => path.to_owned(),
    }
}
