//! Nothing in the project speaks of one machine, or needs a tracker to be understood.

use super::{Fault, Project};

/// Licences and the lock file are not ours to word.
const EXEMPT: &[&str] = &[
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];

/// Put together, so that this file passes its own rule.
const HOMES: &[&str] = &[
    concat!("/", "work/"),
    concat!("/", "home/"),
    concat!("/", "root/"),
    concat!("/", "Users/"),
];
/// Words that, before a number, point to a tracker.
const TRACKED: &[&str] = &["issue", "issues", "pr", "fixes", "closes"];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts() {
        if EXEMPT.contains(&path) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            if let Some(home) = HOMES.iter().find(|home| has_absolute(line, home)) {
                let what = format!("`{home}` is a path of one machine");
                faults.push(Fault::at(path, index + 1, what));
            }
            if names_ticket(line) {
                faults.push(Fault::at(path, index + 1, "say why here, not in a tracker"));
            }
        }
    }
    faults
}

/// Whether a path starts here, rather than going on: `a/home/b` and `$DIR/home/` do not.
fn has_absolute(line: &str, home: &str) -> bool {
    line.match_indices(home).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_-.~})>*".contains(c))
    })
}

fn names_ticket(line: &str) -> bool {
    line.match_indices(" #").any(|(at, _)| {
        let word = line[..at]
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let number = line[at + 2..].starts_with(|c: char| c.is_ascii_digit());
        number && TRACKED.contains(&word.to_lowercase().as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_holds, assert_one, files};
    use super::*;

    #[test]
    fn holds_here() {
        assert_holds(check);
    }

    #[test]
    fn a_path_of_one_machine_is_caught() {
        for home in HOMES {
            let text = format!("first\nsee `{home}x/y`\n");
            assert_one(&check(&files(&[("docs/a.md", &text)])), "docs/a.md:2");
            assert_eq!(check(&files(&[("Cargo.lock", &text)])), []);
            let within = format!("https://example.org{home}page and $DIR{home}x");
            assert_eq!(check(&files(&[("a.md", &within)])), [], "{within}");
        }
    }

    #[test]
    fn a_ticket_is_caught() {
        for word in ["Issue", "fixes", "PR"] {
            let text = format!("// {word} {}12", '#');
            assert_one(&check(&files(&[("a.rs", &text)])), "a.rs:1");
        }
        for fine in [
            "# 12 issues",
            "table #1",
            "an issue # with blanks",
            "reissue #x",
        ] {
            assert_eq!(check(&files(&[("a.md", fine)])), [], "{fine}");
        }
    }
}
