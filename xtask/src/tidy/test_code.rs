//! Which lines of a source file are there for tests only.
//!
//! It leans on rustfmt: an item ends at the first closing brace that is indented as it is.

use std::collections::BTreeSet;

use super::tree::Tree;

/// The lines that are part of the product, with their numbers. No comments.
pub(super) fn product_lines(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if marks_test(line) {
            skip_item(&mut lines);
        } else if !line.trim_start().starts_with("//") {
            found.push((index + 1, line));
        }
    }
    found
}

fn marks_test(line: &str) -> bool {
    let line = line.trim_start();
    line == "#[test]" || line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test,")
}

/// Goes past the item that an attribute is about.
fn skip_item<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) {
    let is_start = |line: &str| {
        let line = line.trim_start();
        !(line.is_empty() || line.starts_with("#[") || line.starts_with("//"))
    };
    let Some((_, first)) = lines.find(|(_, line)| is_start(line)) else {
        return;
    };
    if first.ends_with(';') || first.ends_with('}') || first.ends_with(',') {
        return;
    }
    let indent = &first[..first.len() - first.trim_start().len()];
    let end = |line: &str| {
        line.strip_prefix(indent).is_some_and(|rest| {
            rest.starts_with('}') || (rest.starts_with(')') && rest.ends_with(';'))
        })
    };
    let _ = lines.find(|(_, line)| end(line));
}

/// Files that are modules for tests only: `#[cfg(test)] mod name;` in the file above.
pub(super) fn test_files(tree: &Tree) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in tree.texts_ending(".rs") {
        let folder = match path
            .strip_suffix("/mod.rs")
            .or(path.strip_suffix("/lib.rs"))
        {
            Some(folder) => folder,
            None => path
                .strip_suffix("/main.rs")
                .unwrap_or(path.trim_end_matches(".rs")),
        };
        let beside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        // Set between the mark and the item that it is about; a path may come in between.
        let mut marked: Option<Option<&str>> = None;
        for line in text.lines().map(str::trim) {
            let module = line
                .strip_suffix(';')
                .and_then(|rest| rest.rsplit_once("mod "));
            match (marked, module) {
                _ if marks_test(line) => marked = Some(None),
                (Some(_), _) if line.starts_with("#[path = ") => {
                    marked = Some(line.split('"').nth(1))
                }
                (Some(_), _) if line.starts_with("#[") => {}
                (Some(Some(file)), Some(_)) => {
                    found.insert(format!("{beside}/{file}"));
                    marked = None;
                }
                (Some(None), Some((_, name))) => {
                    found.insert(format!("{folder}/{name}.rs"));
                    found.insert(format!("{folder}/{name}/"));
                    marked = None;
                }
                _ => marked = None,
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_comments_are_left_out() {
        let text = "\
use a;
// b
fn c() {
}
#[cfg(test)]
use d;
#[cfg(test)]
mod tests {
    fn e() {
    }
}
fn f() {
    #[cfg(test)]
    if x {
        g();
    }
    h();
}
";
        let numbers: Vec<usize> = product_lines(text)
            .iter()
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(numbers, [1, 3, 4, 12, 17, 18]);
    }

    #[test]
    fn modules_for_tests_are_found() {
        let tree: Tree = [
            ("a/src/lib.rs", "#[cfg(test)]\nmod checks;\nmod b;"),
            (
                "a/src/e.rs",
                "#[cfg(test)]\n#[path = \"e_tests.rs\"]\nmod tests;",
            ),
            ("a/src/b.rs", "#[cfg(test)]\npub(crate) mod c;\nmod d;"),
        ]
        .into_iter()
        .collect();
        let found: Vec<String> = test_files(&tree).into_iter().collect();
        assert_eq!(
            found,
            [
                "a/src/b/c.rs",
                "a/src/b/c/",
                "a/src/checks.rs",
                "a/src/checks/",
                "a/src/e_tests.rs"
            ]
        );
    }
}
