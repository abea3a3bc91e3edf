//! The documentation as a site, whose links lead somewhere.

use std::path::{Path, PathBuf};

use super::Stop;
use crate::scratch::Scratch;
use crate::site;
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let folder = Scratch::new("site")?;
    make(workspace, folder.path()).map(|_| ())
}

/// `cargo xtask site`.
pub(crate) fn command(workspace: &Workspace, folder: Option<PathBuf>) -> Result<(), Stop> {
    let folder = folder.unwrap_or_else(|| workspace.target.join("site"));
    let pages = make(workspace, &folder)?;
    println!(
        "{pages} pages: open {}",
        folder.join("index.html").display()
    );
    Ok(())
}

fn make(workspace: &Workspace, folder: &Path) -> Result<usize, Stop> {
    let pages = site::make(&workspace.root, folder)?;
    let dead = site::dead_links(folder)?;
    match dead.is_empty() {
        true => Ok(pages),
        false => Err(Stop::failed(format!("dead links:\n{}", dead.join("\n")))),
    }
}
