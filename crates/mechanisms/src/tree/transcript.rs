//! What a tree tells the auditor: every noisy count that passed, groups included.
//!
//! Counts that did not pass are not told: those of empty candidates are never drawn, so telling
//! the others would give away which candidates hold records.

use wayveil_core::Transcript;

use super::count::Alphabet;
use super::grow::Tree;

/// Names are made of location numbers (with `@bin` in timed data), joined along the path.
pub(super) fn transcript(tree: Tree, alphabet: Alphabet, timed: bool) -> Transcript {
    Transcript::told_by(move || {
        let symbol = |node: usize| {
            let (location, bin) = (
                alphabet.location(tree.symbol[node]),
                alphabet.bin(tree.symbol[node]),
            );
            match timed {
                true => format!("{location}@{bin}"),
                false => location.to_string(),
            }
        };
        let mut paths: Vec<String> = (0..tree.len()).map(symbol).collect();
        // Parents stand before their children.
        for node in 0..tree.len() {
            for child in tree.children(node) {
                paths[child] = format!("{} {}", paths[node], paths[child]);
            }
        }
        let groups = tree.groups.iter().map(|group| {
            let below = group.parent.map_or("the root", |node| paths[node].as_str());
            let bin = match timed {
                true => format!("@{}", group.bin),
                false => String::new(),
            };
            (
                format!("noisy count of group {}{bin} below {below}", group.step),
                group.noisy,
            )
        });
        let groups: Vec<_> = groups.collect();
        paths
            .iter()
            .zip(&tree.noisy)
            .map(|(path, &noisy)| (format!("noisy count of node {path}"), noisy))
            .chain(groups)
            .collect()
    })
}
