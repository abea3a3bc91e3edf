//! The pages of a campaign, watched in a real browser while real clients answer a real service.

use std::path::{Path, PathBuf};

use super::Stop;
use super::browser::Browser;
use super::cargo::expect;
use super::program::Program;

const WATCH_LIMIT: u64 = 15 * 60;

/// Watches campaigns to their end; takes pictures on the way if there is a folder for them.
pub(crate) fn watch(
    browser: &Browser,
    program: &Program,
    pictures: Option<&Path>,
) -> Result<(), Stop> {
    let mut script = browser.script("dashboard.mjs");
    let folder = program.aside("campaigns");
    std::fs::create_dir(&folder)?;
    script.arg(program.binary()).arg(crowd(program));
    script.arg(folder).args(pictures);
    expect(script, WATCH_LIMIT)
}

/// Made-up people with phones: an example, which lies beside the program.
fn crowd(program: &Program) -> PathBuf {
    let name = format!("crowd{}", std::env::consts::EXE_SUFFIX);
    program.binary().with_file_name("examples").join(name)
}
