//! Rules about the project's own files, so that its pages and its structure stay true.
//!
//! A rule is a pure function of what lies in the tree. Each has a test with a planted fault that it
//! must catch, and a test that it holds here; `cargo xtask tidy` runs them all without the rest.

mod architecture;
mod code;
mod crates;
mod homes;
pub(crate) mod links;
mod manifests;
mod mechanisms;
mod named_tests;
mod non_private;
mod pages;
mod peers;
mod size;
mod test_code;
mod text;
mod tree;

use std::fmt;
use std::process::ExitCode;

use crate::workspace::{Package, Workspace};
use tree::Tree;

/// What rules look at.
#[derive(Default)]
struct Project {
    tree: Tree,
    packages: Vec<Package>,
}

/// A fault: where, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    place: String,
    line: Option<usize>,
    what: String,
}

impl Fault {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            line: None,
            what: what.into(),
        }
    }

    fn at(place: &str, line: usize, what: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::new(place, what)
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.place, self.what),
            None => write!(f, "{}: {}", self.place, self.what),
        }
    }
}

type Rule = fn(&Project) -> Vec<Fault>;

/// Every rule, by the name under which its faults are shown.
const RULES: &[(&str, Rule)] = &[
    ("architecture", architecture::check),
    ("code", code::check),
    ("crates", crates::check),
    ("homes", homes::check),
    ("links", links::check),
    ("manifests", manifests::check),
    ("mechanisms", mechanisms::check),
    ("named-tests", named_tests::check),
    ("non-private", non_private::check),
    ("pages", pages::check),
    ("peers", peers::check),
    ("size", size::check),
    ("text", text::check),
];

/// Runs every rule on the workspace.
pub(crate) fn run(workspace: &Workspace) -> ExitCode {
    let project = match Tree::read(&workspace.root) {
        Ok(tree) => Project {
            tree,
            packages: workspace.packages.clone(),
        },
        Err(error) => {
            eprintln!("{}: {error}", workspace.root.display());
            return ExitCode::from(2);
        }
    };
    let mut total = 0;
    for (name, rule) in RULES {
        for fault in rule(&project) {
            println!("{name}: {fault}");
            total += 1;
        }
    }
    println!("{} rules, {total} faults", RULES.len());
    match total {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod testing {
    //! What the tests of the rules share.

    use std::sync::OnceLock;

    use super::*;

    /// A project made up of these files.
    pub(super) fn files(files: &[(&str, &str)]) -> Project {
        Project {
            tree: files.iter().copied().collect(),
            ..Project::default()
        }
    }

    /// Fails with all faults unless the rule holds in this very project.
    pub(super) fn assert_holds(rule: Rule) {
        static HERE: OnceLock<Project> = OnceLock::new();
        let project = HERE.get_or_init(|| {
            let workspace = Workspace::load().expect("cargo metadata answers");
            Project {
                tree: Tree::read(&workspace.root).expect("the tree is readable"),
                packages: workspace.packages,
            }
        });
        let faults: Vec<String> = rule(project).iter().map(Fault::to_string).collect();
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }

    /// Fails unless there is exactly one fault, and it speaks of this.
    pub(super) fn assert_one(faults: &[Fault], part: &str) {
        assert_eq!(faults.len(), 1, "{faults:?}");
        let shown = faults[0].to_string();
        assert!(shown.contains(part), "{part:?} is not in {shown:?}");
    }
}
