//! The client for apps: the library is called from Kotlin and Python as apps call it, in a whole campaign
//! against the program's own service; Swift is checked as far as that goes without its compiler.

mod campaign;
mod kotlin;
mod make;
mod swift;

use std::path::Path;
use std::process::Command;

use super::cargo::{FEATURES, expect};
use super::program::files;
use super::{Stop, python};
use crate::scratch::Scratch;
use crate::workspace::Workspace;
use campaign::Campaign;
use make::Library;

pub(crate) use make::command;

const BUILD_LIMIT: u64 = 60 * 60;
const CHECK_LIMIT: u64 = 10 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    python::require()?;
    let kotlin = kotlin::Compiler::require(workspace)?;
    swift::require()?;
    campaign::require()?;
    // Built by suite `tests` already: the same set of features.
    let mut cargo = workspace.cargo(&["build", "--workspace", "--bins", "--tests"]);
    cargo.args(["--features", FEATURES, "--release", "--locked"]);
    expect(cargo, BUILD_LIMIT)?;

    let scratch = Scratch::new("bindings")?;
    let library = Library::built(workspace);
    let made = scratch.folder("made")?;
    library.write_sources(workspace, &made)?;
    let again = scratch.folder("again")?;
    library.write_sources(workspace, &again)?;
    same(&made, &again)?;

    swift::check(workspace, &library, &made, &scratch)?;
    let classes = kotlin.compile(workspace, &made, &scratch)?;
    let program = workspace.target.join("release/wayveil");
    for language in ["Python", "Kotlin"] {
        let campaign = Campaign::start(&program, &scratch, language)?;
        let mut session = match language {
            "Python" => in_python(workspace, &library, &made)?,
            _ => kotlin.session(&classes, &library)?,
        };
        session.arg(campaign.url()).arg(campaign.certificate());
        session.arg(scratch.folder(&format!("{language}-phones"))?);
        expect(session, CHECK_LIMIT)?;
        campaign.expect_release()?;
    }
    Ok(())
}

/// The library lies beside the source that loads it.
fn in_python(workspace: &Workspace, library: &Library, made: &Path) -> Result<Command, Stop> {
    let folder = made.join("python");
    std::fs::copy(library.path(), folder.join(library.name()))?;
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", folder);
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python.arg(workspace.root.join("xtask/bindings/session.py"));
    Ok(python)
}

/// Sources that differ from run to run cannot be reviewed.
fn same(one: &Path, other: &Path) -> Result<(), Stop> {
    let relative = |folder: &Path| -> Result<Vec<_>, Stop> {
        let found = files(folder)?.into_iter();
        let named =
            found.map(|(path, text)| Some((path.strip_prefix(folder).ok()?.to_owned(), text)));
        Ok(named.flatten().collect())
    };
    match relative(one)? {
        found if found.is_empty() => Err(Stop::failed("no sources were made")),
        found if found != relative(other)? => {
            Err(Stop::failed("the sources differ from run to run"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sources_are_told_apart() {
        let scratch = Scratch::new("same").expect("a temporary folder");
        let [one, other] = ["one", "other"].map(|name| scratch.folder(name).expect("a folder"));
        assert!(same(&one, &other).is_err(), "nothing is no proof");
        for (folder, text) in [(&one, "a"), (&other, "a")] {
            std::fs::write(folder.join("x.kt"), text).expect("a file");
        }
        assert_eq!(same(&one, &other), Ok(()));
        std::fs::write(other.join("x.kt"), "b").expect("a file");
        assert!(same(&one, &other).is_err());
    }
}
