//! The map of the code shows every crate, and no page names a path that is gone.

use super::{Fault, Project};

const MAP: &str = "ARCHITECTURE.md";
const PAGES: &[&str] = &[MAP, "README.md", "CONTRIBUTING.md"];
const ROOTS: &[&str] = &["crates/", "docs/", "schemas/", "xtask/"];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in PAGES {
        match project.tree.text(page) {
            None => faults.push(Fault::new(*page, "is missing")),
            Some(text) => faults.extend(gone(project, page, text)),
        }
    }
    let map = project.tree.text(MAP).unwrap_or_default();
    let named: Vec<&str> = map.lines().flat_map(paths).collect();
    for name in project.tree.folders_in("crates") {
        let folder = format!("crates/{name}");
        let inside = format!("{folder}/");
        if !named
            .iter()
            .any(|path| *path == folder || path.starts_with(&inside))
        {
            faults.push(Fault::new(MAP, format!("does not name `{folder}`")));
        }
    }
    faults
}

fn gone(project: &Project, page: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for path in paths(line).filter(|path| !project.tree.has(path)) {
            faults.push(Fault::at(
                page,
                index + 1,
                format!("`{path}` does not exist"),
            ));
        }
    }
    faults
}

/// The paths that a line names. Of a pattern such as `crates/*/src`, what comes before it.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let starts = ROOTS.iter().flat_map(|root| line.match_indices(root));
    starts.filter_map(|(at, root)| {
        let goes_on = |c: char| c.is_alphanumeric() || "/_-.".contains(c);
        if line[..at].ends_with(goes_on) {
            return None;
        }
        let rest = &line[at..];
        let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        let pattern = rest[end..].starts_with(['*', '<', '{', '…']);
        let path = match pattern {
            true => rest[..end]
                .rsplit_once('/')
                .map_or("", |(folder, _)| folder),
            false => rest[..end].trim_end_matches(['.', '/']),
        };
        (path.len() >= root.len() - 1).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_holds, assert_one, files};
    use super::*;

    fn project(map: &str) -> Project {
        files(&[
            (MAP, map),
            ("README.md", "See [crates/io](crates/io/)."),
            ("CONTRIBUTING.md", ""),
            ("crates/core/src/lib.rs", ""),
            ("crates/io/src/lib.rs", ""),
        ])
    }

    #[test]
    fn holds_here() {
        assert_holds(check);
    }

    #[test]
    fn a_map_that_is_true_passes() {
        let map = "`crates/core/src/lib.rs`, crates/io/. Tests: `crates/*/src`, `crates/io/src/<name>/`.\n\
                   Not ours: https://example.org/crates/gone";
        assert_eq!(check(&project(map)), []);
    }

    #[test]
    fn a_crate_off_the_map_is_caught() {
        assert_one(
            &check(&project("`crates/core`")),
            "does not name `crates/io`",
        );
    }

    #[test]
    fn a_path_that_is_gone_is_caught() {
        let map = "`crates/core` and `crates/io`\nand `crates/core/src/gone.rs`";
        assert_one(
            &check(&project(map)),
            "ARCHITECTURE.md:2: `crates/core/src/gone.rs`",
        );
        let map = "`crates/core` and `crates/io`\nand `crates/gone/*/mod.rs`";
        assert_one(&check(&project(map)), "ARCHITECTURE.md:2: `crates/gone`");
    }
}
