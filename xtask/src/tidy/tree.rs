//! The files of the project, as rules see them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Paths with `/` from the root, each with its text. What is not text is known by name only.
#[derive(Default)]
pub(super) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads what is tracked, and what would be if it were added: a fault shows before a commit.
    pub(super) fn read(root: &Path) -> io::Result<Self> {
        let paths = match listed_by_git(root) {
            Some(paths) => paths,
            None => walked(root, "")?,
        };
        let mut files = BTreeMap::new();
        for path in paths {
            // Git still lists what was deleted a moment ago.
            if let Ok(content) = fs::read(root.join(&path)) {
                files.insert(path, String::from_utf8(content).ok());
            }
        }
        Ok(Self { files })
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// All texts with their paths.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// All texts whose names end like this.
    pub(super) fn texts_ending(&self, ending: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(move |(path, _)| path.ends_with(ending))
    }

    /// Whether there is such a file or folder.
    pub(super) fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.files.contains_key(path) || self.files.keys().any(|file| file.starts_with(&folder))
    }

    /// The names of the folders directly inside a folder.
    pub(super) fn folders_in(&self, parent: &str) -> BTreeSet<&str> {
        let prefix = format!("{parent}/");
        self.files
            .keys()
            .filter_map(|file| Some(file.strip_prefix(&prefix)?.split_once('/')?.0))
            .collect()
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tree {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(files: I) -> Self {
        let owned = |(path, text): (&str, &str)| (path.to_owned(), Some(text.to_owned()));
        Self {
            files: files.into_iter().map(owned).collect(),
        }
    }
}

/// None where there is no git, or no repository, as in an unpacked archive.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .current_dir(root)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = text.split_terminator('\0').map(str::to_owned).collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

fn walked(root: &Path, folder: &str) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        let path = match folder {
            "" => name,
            _ => format!("{folder}/{name}"),
        };
        match entry.file_type()?.is_dir() {
            true if path == "target" || path == ".git" => {}
            true => paths.extend(walked(root, &path)?),
            false => paths.push(path),
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_tree_without_git_is_walked() {
        let scratch = Scratch::new("tree").expect("a temporary folder");
        scratch.folder("target").expect("a folder");
        let folder = scratch.folder("a/b").expect("a folder");
        fs::write(folder.join("c.rs"), "text").expect("a file");
        fs::write(folder.join("d.bin"), [0xff]).expect("a file");
        fs::write(scratch.path().join("target/e.rs"), "built").expect("a file");
        let tree = Tree::read(scratch.path()).expect("readable");
        assert_eq!(tree.texts().collect::<Vec<_>>(), [("a/b/c.rs", "text")]);
        assert!(tree.has("a/b/d.bin") && tree.has("a/b") && tree.has("a/b/") && !tree.has("a/c"));
        assert_eq!(tree.folders_in("a"), BTreeSet::from(["b"]));
    }
}
