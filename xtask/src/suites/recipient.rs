//! What the recipient of a release does: open it with the tools that they have.
//!
//! The check is a Python program that knows nothing of Wayveil's code, so that it cannot share its
//! mistakes. The packages live in a virtual environment under the target directory.

use std::process::Command;

use super::cargo::expect;
use super::program::Program;
use super::{Stop, python};
use crate::workspace::Workspace;

const CHECK_LIMIT: u64 = 5 * 60;
/// Presets, and how they are published: synthetic rows with counts and a page, journeys with a delta,
/// true rows with times and a column beside them, and fragments.
const RELEASES: [(&str, &str); 4] = [
    ("metro", "prefix-tree --epsilon 1 --height 6 --report"),
    ("taxi", "generalize --epsilon 1 --window 2 --decoys 5"),
    (
        "city",
        "suppress --k 3 --c 0.5 --l 2 --sensitive diagnosis=HIV",
    ),
    ("oldenburg", "fastpub --epsilon 4 --k 200 --length 2"),
];

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let here = workspace.root.join("xtask/recipient");
    python::require()?;
    let python = python::environment(
        &workspace.target,
        "recipient-venv",
        &here.join("requirements.txt"),
        "pyarrow",
    )?;
    let python = || {
        let mut command = Command::new(&python);
        command
            .current_dir(&here)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };

    // A check that catches nothing is worse than none: first the check itself is checked.
    let mut selftest = python();
    selftest.args(["-m", "unittest", "test_check_release"]);
    expect(selftest, CHECK_LIMIT)?;

    let program = Program::build(workspace)?;
    for (preset, publish) in RELEASES {
        let generate =
            format!("generate {preset} --records 2000 --insecure-seed 1 -o {preset}.parquet");
        let publish = format!("publish {publish} {preset}.parquet -o {preset}/");
        for line in [generate, publish] {
            program.expect(&line.split(' ').collect::<Vec<_>>())?;
        }
        let mut check = python();
        check
            .arg("check_release.py")
            .arg(program.folder.join(preset));
        check.arg(program.folder.join(format!("{preset}.parquet")));
        check.arg(workspace.root.join("schemas/manifest.schema.json"));
        expect(check, CHECK_LIMIT)?;
    }
    program.expect_no_litter()
}
