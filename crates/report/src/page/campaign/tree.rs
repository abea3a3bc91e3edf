//! Fragments as a tree: each one under its beginning, the largest first.

use std::collections::HashMap;
use std::fmt::Write;

use wayveil_core::Universe;

use super::model::FragmentFacts;
use super::operator::state;
use crate::page::html::Html;
use crate::page::wording::{grouped, name, path};
use crate::svg::escape;

/// So many of one level are seen at once; the others when asked for.
const SEEN: usize = 20;

/// A tree with no more fragments than this is unfolded.
const UNFOLDED: usize = 40;

/// Draws the tree of fragments, which come in the order in which they are to be seen.
pub(super) fn drawn(universe: &Universe, fragments: &[FragmentFacts]) -> Html {
    let known: HashMap<&[u32], usize> = (fragments.iter().enumerate())
        .map(|(at, it)| (it.codes.as_slice(), at))
        .collect();
    let mut children = vec![Vec::new(); fragments.len()];
    let mut roots = Vec::new();
    for (at, it) in fragments.iter().enumerate() {
        // A fragment may survive whose beginning does not: it stands for itself.
        match known.get(&it.codes[..it.codes.len().saturating_sub(1)]) {
            Some(&parent) => children[parent].push(at),
            None => roots.push(at),
        }
    }
    let most = fragments.iter().map(|it| it.range.1).max().unwrap_or(1);
    let tree = Tree {
        universe,
        fragments,
        children,
        most: most.max(1),
    };
    let mut text = String::new();
    tree.list(&mut text, "tree", &roots, true);
    Html::trusted(text)
}

struct Tree<'a> {
    universe: &'a Universe,
    fragments: &'a [FragmentFacts],
    /// By fragment, those one longer that begin with it.
    children: Vec<Vec<usize>>,
    /// The end of the bars.
    most: u64,
}

impl Tree<'_> {
    fn list(&self, text: &mut String, id: &str, items: &[usize], is_root: bool) {
        if items.is_empty() {
            return;
        }
        let (seen, more) = items.split_at(items.len().min(SEEN));
        let class = if is_root { " class=\"tree\"" } else { "" };
        let _ = write!(text, "<ul{class}>");
        for &at in seen {
            self.item(text, at, is_root);
        }
        if !more.is_empty() {
            let _ = write!(
                text,
                "<li><details id=\"more-{id}\"><summary>Show {} more</summary><ul>",
                grouped(more.len() as u64)
            );
            for &at in more {
                self.item(text, at, is_root);
            }
            text.push_str("</ul></details></li>");
        }
        text.push_str("</ul>");
    }

    fn item(&self, text: &mut String, at: usize, is_root: bool) {
        let fragment = &self.fragments[at];
        let id = fragment.codes.iter().map(|code| format!("-{code}"));
        let id: String = std::iter::once("f".to_owned()).chain(id).collect();
        let row = self.row(fragment, is_root);
        let below = &self.children[at];
        if below.is_empty() {
            let _ = write!(text, "<li><div class=\"row\">{row}</div></li>");
            return;
        }
        let open = match self.fragments.len() <= UNFOLDED {
            true => " open",
            false => "",
        };
        let _ = write!(
            text,
            "<li><details id=\"{id}\"{open}><summary class=\"row\">{row}</summary>"
        );
        self.list(text, &id, below, false);
        text.push_str("</details></li>");
    }

    /// One line: what it is, how many people, and that as a bar.
    fn row(&self, fragment: &FragmentFacts, is_root: bool) -> String {
        let codes = &fragment.codes;
        let last = codes.last().copied().unwrap_or_default();
        let whole = escape(&path(self.universe, codes));
        let words = match is_root {
            true => whole,
            false => format!(
                "<span aria-hidden=\"true\">→ {}</span><span class=\"unseen\">{whole}</span>",
                escape(&name(self.universe, last))
            ),
        };
        let (low, high) = fragment.range;
        let of_most =
            |value: u64| (value.min(self.most) as u128 * 200 / u128::from(self.most)) as u64;
        let (from, to) = (of_most(low), of_most(high).max(of_most(low) + 1));
        let class = if fragment.admitted { "release" } else { "raw" };
        format!(
            "<span class=\"what\">{words}</span> <span class=\"state {}\">{}</span> \
             <span class=\"people\">{} <span class=\"soft\">({}–{})<span class=\"unseen\"> people</span></span></span> \
             <svg class=\"strip\" viewBox=\"0 0 202 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <rect class=\"{class}\" y=\"2\" width=\"{}\" height=\"8\"/><path class=\"whisker\" d=\"M{from} 6H{to}\"/></svg>",
            if fragment.admitted { "yes" } else { "open" },
            state(fragment),
            grouped(fragment.people()),
            grouped(low),
            grouped(high),
            of_most(fragment.people()),
        )
    }
}
