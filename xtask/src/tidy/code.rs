//! No unfinished code, and no way out of an error that does not say why.

use super::test_code::{product_lines, test_files};
use super::{Fault, Project};

/// Put together, so that this file passes its own rule.
const UNFINISHED: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
];
const UNWRAP: &str = concat!(".unwrap", "()");

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let for_tests = test_files(&project.tree);
    let is_for_tests = |path: &str| {
        let within =
            |file: &String| path == file || (file.ends_with('/') && path.starts_with(file));
        for_tests.iter().any(within)
    };
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts_ending(".rs") {
        faults.extend(unfinished(path, text));
        let product = path.starts_with("crates/") && path.contains("/src/") && !is_for_tests(path);
        if product {
            faults.extend(unwraps(path, text));
        }
    }
    faults
}

fn unfinished(path: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // A program that must not compile may well be unfinished.
        if line.trim_start().starts_with("//") {
            continue;
        }
        for needle in UNFINISHED.iter().filter(|needle| line.contains(**needle)) {
            faults.push(Fault::at(
                path,
                index + 1,
                format!("`{needle}...)`: finish it"),
            ));
        }
    }
    faults
}

fn unwraps(path: &str, text: &str) -> Vec<Fault> {
    product_lines(text)
        .into_iter()
        .filter(|(_, line)| line.contains(UNWRAP))
        .map(|(number, _)| {
            Fault::at(
                path,
                number,
                format!("`{UNWRAP}`: return the error, or `expect` with a reason"),
            )
        })
        .collect()
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
    fn unfinished_code_is_caught_even_in_tests() {
        for needle in UNFINISHED {
            let text = format!("//! {needle})\n\n    {needle});\n");
            assert_one(
                &check(&files(&[("crates/a/tests/b.rs", &text)])),
                "crates/a/tests/b.rs:3",
            );
        }
    }

    #[test]
    fn an_error_without_a_reason_is_caught_in_the_product() {
        let bare = format!("x{UNWRAP};\n");
        assert_one(
            &check(&files(&[("crates/a/src/b.rs", &bare)])),
            "crates/a/src/b.rs:1",
        );
        assert_eq!(check(&files(&[("crates/a/tests/b.rs", &bare)])), []);
        let tested = format!("#[cfg(test)]\nmod tests {{\n    x{UNWRAP};\n}}\n");
        assert_eq!(check(&files(&[("crates/a/src/b.rs", &tested)])), []);
        let declared = "#[cfg(test)]\nmod b;\n";
        let project = files(&[
            ("crates/a/src/lib.rs", declared),
            ("crates/a/src/b.rs", &bare),
        ]);
        assert_eq!(check(&project), []);
    }
}
