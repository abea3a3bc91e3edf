//! Names that were perhaps meant.

/// So many are suggested.
const SUGGESTED: usize = 3;

/// The names most like a text, nearest first.
pub(crate) fn similar<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let letters = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let wanted = letters(text);
    let most = (wanted.len() / 3).max(1);
    let mut close: Vec<(usize, &str)> = names
        .map(|name| (edits(&letters(name), &wanted), name))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    close.sort_unstable();
    let close = close.into_iter().take(SUGGESTED);
    close.map(|(_, name)| name).collect()
}

/// A question that names them; none where there are none.
pub(crate) fn did_you_mean(names: &[&str]) -> Option<String> {
    match names.split_last()? {
        (only, []) => Some(format!("did you mean {only}?")),
        (last, others) => Some(format!("did you mean {} or {last}?", others.join(", "))),
    }
}

/// Levenshtein's distance: the fewest letters to change, add or take away.
pub(crate) fn edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, a) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, b) in to.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let distance = |a: &str, b: &str| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            edits(&letters(a), &letters(b))
        };
        for (a, b, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("Métro", "Metro", 1),
            ("abc", "abc", 0),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn near_names_come_nearest_first() {
        let names = ["000/table-3", "000/table-4", "000/figure-3"];
        let close = similar("000/tabel-4", names.into_iter());
        assert_eq!(close, ["000/table-4", "000/table-3"]);
        assert_eq!(
            did_you_mean(&close).unwrap(),
            "did you mean 000/table-4 or 000/table-3?"
        );
        assert_eq!(did_you_mean(&similar("xyz", names.into_iter())), None);
    }
}
