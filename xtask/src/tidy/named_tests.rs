//! A page that says which test holds a claim names tests that exist.

use super::{Fault, Project};

const PAGE: &str = "docs/threat-model.md";
const HEADING: &str = "## Tests";

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let text = project.tree.text(PAGE).unwrap_or_default();
    let rows = (text.lines().enumerate())
        .skip_while(|(_, line)| *line != HEADING)
        .skip(1)
        .take_while(|(_, line)| !line.starts_with("## "));
    let mut faults = Vec::new();
    for (at, line) in rows {
        for name in names(line).filter(|name| !exists(project, name)) {
            faults.push(Fault::at(
                PAGE,
                at + 1,
                format!("there is no test `{name}`"),
            ));
        }
    }
    faults
}

/// The words in backticks that look like the name of a test.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|word| word.contains('_') && !word.contains(['/', ' ', '.']))
}

fn exists(project: &Project, name: &str) -> bool {
    let declared = format!("fn {name}(");
    let mut sources = project.tree.texts_ending(".rs");
    sources.any(|(_, text)| text.contains(&declared))
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
    fn a_test_that_is_gone_is_caught() {
        let page = "`not_looked_at`\n## Tests\n| cannot | `it_cannot`, `wayveil audit` (src/it.rs) |\n## More\n`nor_this`\n";
        let source = ("src/it.rs", "#[test]\nfn it_cannot() {}\n");
        assert_eq!(check(&files(&[(PAGE, page), source])), []);
        let renamed = ("src/it.rs", "#[test]\nfn it_can() {}\n");
        assert_one(&check(&files(&[(PAGE, page), renamed])), "it_cannot");
    }
}
