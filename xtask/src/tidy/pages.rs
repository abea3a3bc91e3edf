//! The first page shows how to start, and its commands can be told from its set-up.

use super::{Fault, Project};
use crate::readme;

const PAGE: &str = "README.md";
/// What a newcomer types first, and what a contributor types first.
const SHOWN: &[&str] = &["cargo run --release -- demo", "cargo xtask test"];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let text = project.tree.text(PAGE).unwrap_or_default();
    let mut faults: Vec<Fault> = SHOWN
        .iter()
        .filter(|command| !text.contains(**command))
        .map(|command| Fault::new(PAGE, format!("does not show `{command}`")))
        .collect();
    for block in readme::blocks(text) {
        faults.extend(
            readme::script(&block)
                .err()
                .map(|why| Fault::new(PAGE, why)),
        );
    }
    faults
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
    fn a_page_without_a_start_is_caught() {
        let page = "```sh\ncargo run --release -- demo\ncargo xtask test\n```\n";
        assert_eq!(check(&files(&[(PAGE, page)])), []);
        assert_one(
            &check(&files(&[(PAGE, &page.replace("demo", "info"))])),
            "-- demo",
        );
        assert_one(
            &check(&files(&[(PAGE, &page.replace("xtask ", ""))])),
            "xtask test",
        );
        let mixed = page.replace("```\n", "wayveil demo\n```\n");
        assert_one(&check(&files(&[(PAGE, &mixed)])), "split set-up");
    }
}
