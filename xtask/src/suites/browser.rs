//! What people see: pages opened in a real browser, kept off the network.
//!
//! The browser is Chromium, driven by scripts in `xtask/browser`. Their packages are installed under the
//! target directory at the versions of a lock file; the browser itself is the system's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::cargo::expect;
use super::program::Program;
use super::{Stop, dashboard, packages};
use crate::command::{self, End, succeeds};
use crate::workspace::Workspace;

const INSTALL_LIMIT: Duration = Duration::from_secs(10 * 60);
const CHECK_LIMIT: u64 = 15 * 60;
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// What the pinned packages ask for.
const NEW_ENOUGH: &str = "process.exit(Number(process.versions.node.split('.')[0]) < 20 ? 1 : 0)";

/// Data sets, how each is published, and what its page has that others have not.
const PAGES: &[Case] = &[
    Case {
        name: "metro",
        data: "generate metro --records 5000",
        publish: "hybrid-tree --epsilon 1 --height 6",
    },
    Case {
        name: "city",
        data: "generate city --records 3000",
        publish: "suppress --k 3 --c 0.5 --l 2 --sensitive diagnosis=HIV",
    },
    Case {
        name: "taxi",
        data: "generate taxi --records 1500",
        publish: "generalize --epsilon 1 --window 2 --decoys 5",
    },
    Case {
        name: "oldenburg",
        data: "generate oldenburg --records 2000",
        publish: "fastpub --epsilon 4 --k 2000 --length 2 --clients-per-record 20",
    },
];

struct Case {
    name: &'static str,
    data: &'static str,
    publish: &'static str,
}

/// A browser with the scripts that drive it.
pub(crate) struct Browser {
    scripts: PathBuf,
    packages: PathBuf,
    chromium: PathBuf,
}

impl Browser {
    /// Finds or installs what is needed.
    pub(crate) fn require(workspace: &Workspace) -> Result<Self, Stop> {
        require_node()?;
        if find(&BROWSERS).is_none() {
            packages::install(&["chromium", "fonts-dejavu-core"]);
        }
        let chromium = find(&BROWSERS).ok_or_else(|| Stop::skipped("Chromium is missing"))?;
        let scripts = workspace.root.join("xtask/browser");
        let packages = environment(&workspace.target.join("browser-env"), &scripts)?;
        Ok(Self {
            scripts,
            packages,
            chromium,
        })
    }

    /// A script, to be run with these words.
    pub(crate) fn script(&self, name: &str) -> Command {
        let mut node = Command::new("node");
        node.arg(self.scripts.join(name))
            .env("WAYVEIL_NODE", &self.packages)
            .env("WAYVEIL_CHROMIUM", &self.chromium);
        node
    }
}

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let browser = Browser::require(workspace)?;
    // A check that catches nothing is worse than none: first the checks themselves are checked.
    expect(browser.script("selftest.mjs"), CHECK_LIMIT)?;

    let program = Program::build(workspace)?;
    let pages = make_pages(&program)?;
    let mut check = browser.script("check.mjs");
    check.current_dir(&program.folder).args(&pages);
    expect(check, CHECK_LIMIT)?;
    dashboard::watch(&browser, &program, None)?;
    program.expect_no_litter()
}

/// Pages of every kind: a release's own, the publisher's, and several releases side by side.
fn make_pages(program: &Program) -> Result<Vec<String>, Stop> {
    let mut pages = Vec::new();
    let say = |line: String| program.expect(&line.split(' ').collect::<Vec<_>>());
    for Case {
        name,
        data,
        publish,
    } in PAGES
    {
        say(format!("{data} --insecure-seed 1 -o {name}.parquet"))?;
        say(format!(
            "publish {publish} {name}.parquet --report -o {name}"
        ))?;
        say(format!(
            "report {name}.parquet {name} --repeats 2 --victims 40 -o {name}.html"
        ))?;
        pages.extend([format!("{name}/report.html"), format!("{name}.html")]);
    }
    say("publish prefix-tree metro.parquet --epsilon 0.5 --height 4 -o metro-2".into())?;
    say("compare metro metro-2 -o compare.html".into())?;
    say("compare metro metro-2 --raw metro.parquet -o compare-raw.html".into())?;
    pages.extend(["compare.html".into(), "compare-raw.html".into()]);
    Ok(pages)
}

/// Makes sure that there is a Node.js to work with.
pub(super) fn require_node() -> Result<(), Stop> {
    if !succeeds("node", &["--version"]) || !succeeds("npm", &["--version"]) {
        packages::install(&["nodejs", "npm"]);
    }
    match succeeds("node", &["-e", NEW_ENOUGH]) {
        true => Ok(()),
        false => Err(Stop::skipped("Node.js 20 or newer is missing")),
    }
}

/// Packages at the versions of the lock file, kept from run to run.
pub(super) fn environment(folder: &Path, scripts: &Path) -> Result<PathBuf, Stop> {
    let files = ["package.json", "package-lock.json"];
    let read = |from: &Path| -> Option<Vec<String>> {
        let text = |name: &&str| fs::read_to_string(from.join(name)).ok();
        files.iter().map(text).collect()
    };
    let complete = folder.join("complete");
    if complete.exists() && read(folder) == read(scripts) {
        return Ok(folder.to_path_buf());
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for name in files {
        fs::copy(scripts.join(name), folder.join(name))?;
    }
    let log = folder.join("npm.log");
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?);
    let end = command::run(&mut npm, INSTALL_LIMIT);
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    judge_install(&end, &said)?;
    fs::write(complete, "")?;
    Ok(folder.to_path_buf())
}

/// A package index that cannot be reached is no fault of the project; a wrong pin is.
fn judge_install(end: &End, said: &str) -> Result<(), Stop> {
    const OFFLINE: [&str; 4] = ["ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN"];
    match end {
        End::Exit(0) => Ok(()),
        End::TimedOut(_) => Err(Stop::skipped("the package index answers too slowly")),
        _ if OFFLINE.iter().any(|sign| said.contains(sign)) => {
            Err(Stop::skipped("the package index cannot be reached"))
        }
        other => {
            eprint!("{said}");
            Err(Stop::failed(format!("npm ci: {other}")))
        }
    }
}

/// Where the first of these programs lies on the path.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let at = |name: &&str| {
        folders
            .iter()
            .map(|folder| folder.join(name))
            .find(|it| it.is_file())
    };
    names.iter().find_map(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(find(&["no-such-program-here", "sh"]).is_some_and(|it| it.ends_with("sh")));
        assert_eq!(find(&["no-such-program-here"]), None);
    }

    #[test]
    fn an_index_out_of_reach_is_told_from_a_wrong_pin() {
        let offline = "npm error code ENOTFOUND";
        let wrong = "npm error notarget No matching version found for axe-core@0";
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
