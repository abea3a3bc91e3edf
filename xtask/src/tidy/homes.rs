//! Mechanisms live in one crate: whoever implements one sees raw records.

use super::{Fault, Project};

/// What begins a mechanism, put together so that this file does not hold it.
const MECHANISM: &str = concat!("impl Mechanism", " for ");

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts_ending(".rs") {
        if at_home(path) {
            continue;
        }
        for (index, _) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.trim_start().starts_with(MECHANISM))
        {
            let what = "a mechanism belongs into crates/mechanisms, into the list and its tests";
            faults.push(Fault::at(path, index + 1, what));
        }
    }
    faults
}

/// Tests make toys of their own.
fn at_home(path: &str) -> bool {
    path.starts_with("crates/mechanisms/src/")
        || path.contains("/tests/")
        || path.ends_with("/tests.rs")
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
    fn a_mechanism_away_from_home_is_caught() {
        let code = format!("\n{MECHANISM}Curious {{}}\n");
        for path in [
            "crates/mechanisms/src/a/mod.rs",
            "crates/core/tests/door.rs",
            "crates/io/src/release/tests.rs",
        ] {
            assert_eq!(check(&files(&[(path, &code)])), [], "{path}");
        }
        for path in ["crates/cli/src/main.rs", "crates/evaluate/src/a.rs"] {
            assert_one(&check(&files(&[(path, &code)])), &format!("{path}:2"));
        }
    }
}
