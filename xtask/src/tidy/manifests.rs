//! Every crate takes the workspace's lints and says what it is for.

use super::{Fault, Project};

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in project.tree.texts_ending("/Cargo.toml") {
        if !section(text, "[lints]").any(|line| line == "workspace = true") {
            faults.push(Fault::new(path, "needs [lints] workspace = true"));
        }
        let described = section(text, "[package]").any(|line| {
            let value = line
                .strip_prefix("description")
                .map(|rest| rest.trim_start_matches([' ', '=']));
            value.is_some_and(|value| value.len() > "\"TODO\"".len())
        });
        if !described {
            faults.push(Fault::new(path, "needs a description"));
        }
    }
    faults
}

/// The lines of a section of TOML.
fn section<'a>(text: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().map(str::trim);
    let inside = lines.skip_while(move |line| *line != heading).skip(1);
    inside.take_while(|line| !line.starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_holds, assert_one, files};
    use super::*;

    const SOUND: &str =
        "[package]\nname = \"a\"\ndescription = \"What it is for\"\n\n[lints]\nworkspace = true\n";

    #[test]
    fn holds_here() {
        assert_holds(check);
    }

    #[test]
    fn a_crate_without_lints_or_description_is_caught() {
        let path = "crates/a/Cargo.toml";
        assert_eq!(
            check(&files(&[(path, SOUND), ("Cargo.toml", "[workspace]")])),
            []
        );
        let lax = SOUND.replace("[lints]", "[dependencies]");
        assert_one(&check(&files(&[(path, &lax)])), "needs [lints]");
        let vague = SOUND.replace("What it is for", "TODO");
        assert_one(&check(&files(&[(path, &vague)])), "needs a description");
        let silent = SOUND.replace("description", "homepage");
        assert_one(&check(&files(&[(path, &silent)])), "needs a description");
    }
}
