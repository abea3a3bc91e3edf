//! Python for the suites that need it: found, or installed where that is expected, with packages
//! in a virtual environment under the target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::cargo::expect;
use super::{Stop, packages};
use crate::command::{self, End, succeeds};

const INSTALL_LIMIT: Duration = Duration::from_secs(10 * 60);
/// What the pinned packages ask for.
const NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// Makes sure that there is a Python to work with.
pub(super) fn require() -> Result<(), Stop> {
    let ready = || succeeds("python3", &["-c", "import ensurepip, venv"]);
    if !ready() {
        packages::install(&["python3", "python3-venv"]);
    }
    if !succeeds("python3", &["--version"]) {
        return Err(Stop::skipped("python3 is missing"));
    }
    if !ready() {
        return Err(Stop::skipped(
            "python3 has no venv (package python3-venv on Debian)",
        ));
    }
    if !succeeds("python3", &["-c", NEW_ENOUGH]) {
        return Err(Stop::skipped(
            "python3 is older than 3.11, which the packages need",
        ));
    }
    Ok(())
}

/// A virtual environment with the pinned packages, kept from run to run under `name`. Its Python
/// is returned. `probe` is one of the packages.
pub(super) fn environment(
    target: &Path,
    name: &str,
    requirements: &Path,
    probe: &str,
) -> Result<PathBuf, Stop> {
    let folder = target.join(name);
    let python = folder.join("bin/python");
    let stamp = folder.join("complete");
    let pinned = fs::read_to_string(requirements)?;
    let works = || {
        succeeds(
            &python.to_string_lossy(),
            &["-c", &format!("import {probe}")],
        )
    };
    if fs::read_to_string(&stamp).is_ok_and(|text| text == pinned) && works() {
        return Ok(python);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(target)?;
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(&folder);
    expect(venv, INSTALL_LIMIT.as_secs())?;
    install(&python, requirements, &folder.join("pip.log"))?;
    fs::write(&stamp, pinned)?;
    Ok(python)
}

fn install(python: &Path, requirements: &Path, log: &Path) -> Result<(), Stop> {
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    pip.args(["--retries", "2", "--only-binary", ":all:", "--requirement"])
        .arg(requirements);
    pip.stdout(Stdio::inherit()).stderr(fs::File::create(log)?);
    let end = command::run(&mut pip, INSTALL_LIMIT);
    let said = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    eprint!("{said}");
    judge_install(&end, &said)
}

/// A package index that cannot be reached is no fault of the project; a wrong pin is.
fn judge_install(end: &End, said: &str) -> Result<(), Stop> {
    const OFFLINE: [&str; 4] = [
        "Retrying (",
        "ConnectionError",
        "Timeout",
        "Max retries exceeded",
    ];
    match end {
        End::Exit(0) => Ok(()),
        End::TimedOut(_) => Err(Stop::skipped("the package index answers too slowly")),
        _ if OFFLINE.iter().any(|sign| said.contains(sign)) => {
            Err(Stop::skipped("the package index cannot be reached"))
        }
        other => Err(Stop::failed(format!("pip install: {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_index_out_of_reach_excuses() {
        let offline = "WARNING: Retrying (Retry(total=1)) after connection broken";
        let wrong = "ERROR: No matching distribution found for polars==0.0.0";
        assert_eq!(judge_install(&End::Exit(0), ""), Ok(()));
        assert!(matches!(
            judge_install(&End::Exit(1), offline),
            Err(Stop::Skipped(_))
        ));
        assert!(matches!(
            judge_install(&End::Exit(1), wrong),
            Err(Stop::Failed(_))
        ));
    }
}
