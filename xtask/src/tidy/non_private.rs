//! Raw data is looked at outside the door in a few known places only.

use super::{Fault, Project};

/// The permission to look, put together so that this file does not hold it.
const PERMISSION: &str = concat!("NonPrivate", "::because(");

/// Where the permission may be taken, and why there. Nothing in a mechanism: what it learns about
/// raw data must be paid for.
const ALLOWED: &[(&str, &str)] = &[
    ("crates/core/src/raw.rs", "defines and explains it"),
    ("crates/io/src/", "writes the publisher's own data files"),
    (
        "crates/fuzzing/src/",
        "compares what parsers read from made-up inputs",
    ),
    ("crates/cli/src/", "shows publishers their own data"),
    (
        "crates/python/src/data.rs",
        "tells public inputs and the name of an account, and writes data files",
    ),
    (
        "crates/python/src/cluster/people.rs",
        "gives rows that were read on a cluster back to it",
    ),
    (
        "crates/bench/src/",
        "sorts generated data, to be compared with",
    ),
    (
        "crates/reproduce/src/",
        "runs the papers' experiments again, in memory, for whoever asks",
    ),
    (
        "crates/evaluate/src/evaluation.rs",
        "tries methods out for the publisher, in memory",
    ),
    (
        "crates/evaluate/src/advise/",
        "tries methods out on made-up data, and on the publisher's own when asked to look",
    ),
    (
        "crates/evaluate/src/audit/",
        "runs mechanisms on data that was made up for it",
    ),
];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts_ending(".rs") {
        if allowed(path) {
            continue;
        }
        for (index, _) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.contains(PERMISSION))
        {
            let what = format!("`{PERMISSION}` is not allowed here (see {})", here());
            faults.push(Fault::at(path, index + 1, what));
        }
    }
    faults
}

/// Tests in a folder of their own see only what anyone who uses the crate may see.
fn allowed(path: &str) -> bool {
    let integration_test = path.starts_with("crates/") && path.contains("/tests/");
    integration_test || ALLOWED.iter().any(|(prefix, _)| path.starts_with(prefix))
}

fn here() -> &'static str {
    "xtask/src/tidy/non_private.rs"
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
    fn a_look_at_raw_data_in_the_wrong_place_is_caught() {
        let look = format!("\nraw.inspect({PERMISSION}\"curious\"), count)\n");
        for path in [
            "crates/io/src/write/data.rs",
            "crates/cli/src/info.rs",
            "crates/io/tests/a.rs",
        ] {
            assert_eq!(check(&files(&[(path, &look)])), [], "{path}");
        }
        for path in [
            "crates/mechanisms/src/a/mod.rs",
            "crates/core/src/door.rs",
            "xtask/src/a.rs",
        ] {
            assert_one(&check(&files(&[(path, &look)])), &format!("{path}:2"));
        }
    }
}
