//! The commands of README.md, run as they stand, in order, in one fresh folder.

use std::fs;

use super::Stop;
use super::cargo::expect;
use super::program::Program;
use crate::command::succeeds;
use crate::readme;
use crate::workspace::Workspace;

const BLOCK_LIMIT: u64 = 10 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    if !succeeds("bash", &["--version"]) {
        return Err(Stop::skipped("bash is missing"));
    }
    let page = fs::read_to_string(workspace.root.join("README.md"))
        .map_err(|error| Stop::failed(format!("README.md: {error}")))?;
    let program = Program::build(workspace)?;
    let mut ran = 0;
    for block in readme::blocks(&page) {
        let Some(script) =
            readme::script(&block).map_err(|why| Stop::failed(format!("README.md: {why}")))?
        else {
            continue;
        };
        println!("---- README.md, line {}\n{}", block.line, script.trim_end());
        let file = program.aside("script");
        fs::write(&file, script)?;
        let mut bash = program.command("bash");
        bash.args(["-e", "-u", "-o", "pipefail"]).arg(&file);
        expect(bash, BLOCK_LIMIT).map_err(|_| {
            Stop::failed(format!(
                "README.md: the block at line {} does not run",
                block.line
            ))
        })?;
        ran += 1;
    }
    match ran {
        0 => Err(Stop::failed("README.md shows no command to run")),
        _ => program.expect_no_litter(),
    }
}
