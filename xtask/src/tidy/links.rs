//! No page links to what is not there: neither a file nor a heading.

use super::{Fault, Project};
use crate::markdown::{headings, links};

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts_ending(".md") {
        for link in links(text) {
            if let Some(what) = dead(project, path, text, &link.to) {
                faults.push(Fault::at(path, link.line, what));
            }
        }
    }
    faults
}

/// What is wrong with a link of a page.
fn dead(project: &Project, path: &str, text: &str, link: &str) -> Option<String> {
    // Nothing is fetched, so that what is elsewhere is taken as it is.
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (link, None),
    };
    let target = match file {
        "" => path.to_owned(),
        file => from(path, file),
    };
    if !project.tree.has(&target) {
        return Some(format!("links to {link}, and there is no {target}"));
    }
    let anchor = anchor?;
    let page = match file {
        "" => text,
        _ => project.tree.text(&target).unwrap_or_default(),
    };
    let known = headings(page).iter().any(|it| it.anchor == anchor);
    (!known).then(|| format!("links to {link}, and {target} has no such heading"))
}

/// A path from the root, of a link in a page.
pub(crate) fn from(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
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
    fn dead_links_are_caught() {
        let page = |text: &'static str| {
            files(&[
                ("docs/a.md", text),
                ("docs/b.md", "# Old Town\n"),
                ("c.svg", ""),
            ])
        };
        let sound =
            "[b](b.md#old-town) [c](../c.svg) [here](#x) [web](https://example.org/x)\n\n# X\n";
        assert_eq!(check(&page(sound)), []);
        assert_one(&check(&page("[b](d.md)\n")), "docs/d.md");
        assert_one(
            &check(&page("\n[b](b.md#new-town)\n")),
            "docs/a.md:2: links to b.md#new-town",
        );
        assert_one(&check(&page("[here](#x)\n")), "no such heading");
        assert_one(&check(&page("![p](c.svg)\n")), "docs/c.svg");
    }
}
