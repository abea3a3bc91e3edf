//! The first thing that a stranger tries: `wayveil demo`, and then once more.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Stop;
use super::program::{Program, files};
use crate::command::End;
use crate::workspace::Workspace;

type Files = BTreeMap<PathBuf, Vec<u8>>;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let program = Program::build(workspace)?;
    program.expect(&["demo"])?;
    let first = files(&program.folder)?;
    expect_outputs(&first).map_err(Stop::Failed)?;

    // A second run must not quietly write over what the first has made.
    let (end, said) = program.run_listening(&["demo"])?;
    let second = files(&program.folder)?;
    expect_refusal(&end, &said, first == second).map_err(Stop::Failed)?;

    if said.contains("--force") {
        program.expect(&["demo", "--force"])?;
        expect_outputs(&files(&program.folder)?).map_err(Stop::Failed)?;
    }
    program.expect_no_litter()
}

fn expect_outputs(files: &Files) -> Result<(), String> {
    let any = |wanted: fn(&PathBuf) -> bool| files.keys().any(wanted);
    if !any(|path| path.ends_with("manifest.json")) {
        return Err("the demo made no release (no manifest.json)".into());
    }
    if !any(|path| {
        path.extension()
            .is_some_and(|ending| ending == "svg" || ending == "html")
    }) {
        return Err("the demo made no picture (no .svg, no .html)".into());
    }
    Ok(())
}

fn expect_refusal(end: &End, said: &str, unchanged: bool) -> Result<(), String> {
    if *end != End::Exit(2) {
        return Err(format!(
            "a second demo must be refused with exit code 2: {end}"
        ));
    }
    if !unchanged {
        return Err("a demo that was refused has changed files".into());
    }
    // A refusal prints the command that would fix it.
    if !said.contains("wayveil demo") && !said.contains("--force") {
        return Err("a demo that was refused must say what to type instead".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(names: &[&str]) -> Files {
        names
            .iter()
            .map(|name| (PathBuf::from(name), Vec::new()))
            .collect()
    }

    #[test]
    fn a_demo_without_release_or_picture_is_caught() {
        assert_eq!(
            expect_outputs(&made(&["d/r/manifest.json", "d/map.svg"])),
            Ok(())
        );
        assert!(expect_outputs(&made(&["d/map.svg"])).is_err());
        assert!(expect_outputs(&made(&["d/r/manifest.json"])).is_err());
    }

    #[test]
    fn a_careless_second_demo_is_caught() {
        let hint = "use: wayveil demo --force";
        assert_eq!(expect_refusal(&End::Exit(2), hint, true), Ok(()));
        assert!(expect_refusal(&End::Exit(0), hint, true).is_err());
        assert!(expect_refusal(&End::Exit(2), hint, false).is_err());
        assert!(expect_refusal(&End::Exit(2), "it exists", true).is_err());
    }
}
