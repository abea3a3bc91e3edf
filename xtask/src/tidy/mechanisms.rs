//! Every mechanism of the static list is explained where a reader looks for it.

use super::{Fault, Project};

const LIST: &str = "crates/mechanisms/src/list.rs";
const PAGES: &[&str] = &["README.md", "ARCHITECTURE.md"];
/// A claim of privacy without these is not reviewable.
const HEADINGS: &[&str] = &[
    "# What it releases",
    "# Guarantee",
    "# Why it holds",
    "# Reference",
];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let names = names(project.tree.text(LIST).unwrap_or_default());
    if names.is_empty() {
        return vec![Fault::new(
            LIST,
            "no entry with a `name: \"...\"`; was the list moved?",
        )];
    }
    names
        .iter()
        .flat_map(|name| check_mechanism(project, name))
        .collect()
}

/// The names of the static list, as written in its source.
fn names(source: &str) -> Vec<&str> {
    let list = source
        .split_once("static ALL")
        .map_or("", |(_, after)| after);
    let is_end = |line: &str| line.trim_start_matches('}').starts_with(']');
    list.lines()
        .skip(1)
        .take_while(|line| !is_end(line))
        .filter_map(|line| {
            let (before, after) = line.split_once("name: \"")?;
            let comment = before.contains("//");
            (!comment).then(|| after.split('"').next())?
        })
        .collect()
}

fn check_mechanism(project: &Project, name: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in PAGES {
        if !project
            .tree
            .text(page)
            .is_some_and(|text| text.contains(name))
        {
            faults.push(Fault::new(
                *page,
                format!("does not mention the mechanism {name}"),
            ));
        }
    }
    let file = format!("crates/mechanisms/src/{}/mod.rs", name.replace('-', "_"));
    let Some(source) = project.tree.text(&file) else {
        faults.push(Fault::new(
            file,
            format!("the mechanism {name} has its code here"),
        ));
        return faults;
    };
    for heading in HEADINGS {
        let wanted = format!("//! {heading}");
        if !source.lines().any(|line| line.trim_end() == wanted) {
            faults.push(Fault::new(&file, format!("no heading \"{wanted}\"")));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_holds, assert_one, files};
    use super::*;

    const SOURCE: &str = "pub static ALL: &[Entry] = &[\n    Entry {\n        name: \"prefix-tree\",\n    },\n];\nname: \"no\"\n";
    const DOCS: &str =
        "//! # What it releases\n//! # Guarantee\n//! # Why it holds\n//! # Reference\n";

    fn project(readme: &str, module: (&str, &str)) -> Project {
        files(&[
            (LIST, SOURCE),
            ("README.md", readme),
            ("ARCHITECTURE.md", "`prefix-tree` and others"),
            module,
        ])
    }

    #[test]
    fn holds_here() {
        assert_holds(check);
    }

    #[test]
    fn a_mechanism_that_is_not_explained_is_caught() {
        let home = "crates/mechanisms/src/prefix_tree/mod.rs";
        assert_eq!(check(&project("prefix-tree", (home, DOCS))), []);
        assert_one(
            &check(&project("nothing", (home, DOCS))),
            "README.md: does not mention",
        );
        let proofless = DOCS.replace("//! # Why it holds\n", "");
        assert_one(
            &check(&project("prefix-tree", (home, &proofless))),
            "# Why it holds",
        );
        let elsewhere = "crates/mechanisms/src/prefix_tree.rs";
        assert_one(&check(&project("prefix-tree", (elsewhere, DOCS))), home);
    }

    #[test]
    fn only_the_list_itself_is_read() {
        let one = "pub static ALL: &[Entry] = &[Entry {\n    name: \"a\",\n}];\nname: \"no\"\n";
        assert_eq!(names(one), ["a"]);
        let more =
            "static ALL: &[Entry] = &[\n  Entry {\n    name: \"a\",\n  },\n  // name: \"b\"\n];";
        assert_eq!(names(more), ["a"]);
    }

    #[test]
    fn a_list_that_moved_is_caught() {
        assert_one(&check(&files(&[("README.md", "")])), "was the list moved?");
    }
}
