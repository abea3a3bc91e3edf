//! The commands of the pages that users follow, run as they stand, in order, each page in a fresh
//! folder.

use std::fs;

use super::Stop;
use super::cargo::expect;
use super::program::Program;
use crate::command::succeeds;
use crate::readme;
use crate::workspace::Workspace;

const PAGES: [&str; 18] = [
    "README.md",
    "docs/weave.md",
    "docs/weave-times.md",
    "docs/weave-gps.md",
    "docs/weave-errors.md",
    "docs/trees.md",
    "docs/inputs.md",
    "docs/generalize.md",
    "docs/suppress.md",
    "docs/federated.md",
    "docs/report.md",
    "docs/advise.md",
    "docs/reproduce.md",
    "docs/errata.md",
    "docs/cookbook.md",
    "docs/manifest.md",
    "docs/ledger.md",
    "docs/attacks.md",
];
const BLOCK_LIMIT: u64 = 10 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    if !succeeds("bash", &["--version"]) {
        return Err(Stop::skipped("bash is missing"));
    }
    PAGES.iter().try_for_each(|page| run_page(workspace, page))
}

fn run_page(workspace: &Workspace, name: &str) -> Result<(), Stop> {
    let page = fs::read_to_string(workspace.root.join(name))
        .map_err(|error| Stop::failed(format!("{name}: {error}")))?;
    let program = Program::build(workspace)?;
    let mut ran = 0;
    for block in readme::blocks(&page) {
        let Some(script) =
            readme::script(&block).map_err(|why| Stop::failed(format!("{name}: {why}")))?
        else {
            continue;
        };
        println!("---- {name}, line {}\n{}", block.line, script.trim_end());
        let file = program.aside("script");
        fs::write(&file, script)?;
        let mut bash = program.command("bash");
        bash.args(["-e", "-u", "-o", "pipefail"]).arg(&file);
        expect(bash, BLOCK_LIMIT).map_err(|_| {
            Stop::failed(format!(
                "{name}: the block at line {} does not run",
                block.line
            ))
        })?;
        ran += 1;
    }
    match ran {
        0 => Err(Stop::failed(format!("{name} shows no command to run"))),
        _ => program.expect_no_litter(),
    }
}
