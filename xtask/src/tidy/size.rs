//! Files stay small enough to be read.

use super::{Fault, Project};

const LIMIT: usize = 600;
const ENDINGS: &[&str] = &[".rs", ".py", ".js"];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    project
        .tree
        .texts()
        .filter(|(path, _)| ENDINGS.iter().any(|ending| path.ends_with(ending)))
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LIMIT)
        .map(|(path, lines)| Fault::new(path, format!("{lines} lines: split it (limit {LIMIT})")))
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
    fn a_long_file_is_caught() {
        let (fits, long) = ("x\n".repeat(LIMIT), "x\n".repeat(LIMIT + 1));
        let project = files(&[("a.rs", &fits), ("b.py", &long), ("c.md", &long)]);
        assert_one(&check(&project), "b.py: 601 lines");
    }
}
