//! Mechanisms live in one crate, and so do books: whoever implements one sees raw records, whoever
//! implements the other decides what may be written. And nothing but a release is shown to recipients.

use super::{Fault, Project};

/// A trait with the places where it may be implemented.
struct Home {
    /// What begins an implementation, put together so that this file does not hold it.
    begins: &'static str,
    places: &'static [&'static str],
    what: &'static str,
}

const HOMES: &[Home] = &[
    Home {
        begins: concat!("impl Mechanism", " for "),
        places: &[
            "crates/mechanisms/src/",
            "crates/fuzzing/src/samples.rs",
            // Promises nothing, and a session has no way from it to the door that writes.
            "crates/python/src/mechanism.rs",
        ],
        what: "a mechanism belongs into crates/mechanisms, into the list and its tests",
    },
    Home {
        begins: concat!("impl Books", " for "),
        places: &["crates/ledger/src/", "crates/fuzzing/src/samples.rs"],
        what: "books belong into crates/ledger: what they record must last",
    },
    Home {
        begins: concat!("impl Released", " for "),
        places: &[
            "crates/core/src/released.rs",
            "crates/io/src/release/mod.rs",
        ],
        what: "only releases are released: pages for recipients are made of this alone",
    },
];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts_ending(".rs") {
        for home in HOMES.iter().filter(|home| !home.holds(path)) {
            for (index, _) in text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.trim_start().starts_with(home.begins))
            {
                faults.push(Fault::at(path, index + 1, home.what));
            }
        }
    }
    faults
}

impl Home {
    /// Tests make toys of their own.
    fn holds(&self, path: &str) -> bool {
        self.places.iter().any(|place| path.starts_with(place))
            || path.contains("/tests/")
            || path.ends_with("/tests.rs")
    }
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
        let code = format!("\n{}Curious {{}}\n", HOMES[0].begins);
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
    #[test]
    fn books_away_from_home_are_caught() {
        let code = format!("\n{}Forgetful {{}}\n", HOMES[1].begins);
        for path in ["crates/ledger/src/ledger.rs", "crates/core/tests/door.rs"] {
            assert_eq!(check(&files(&[(path, &code)])), [], "{path}");
        }
        for path in ["crates/cli/src/main.rs", "crates/mechanisms/src/a/mod.rs"] {
            assert_one(&check(&files(&[(path, &code)])), &format!("{path}:2"));
        }
    }
}
