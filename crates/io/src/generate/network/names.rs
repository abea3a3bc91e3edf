//! Labels and names of stations, by rule.

use super::Mode;

const FIRST: [&str; 40] = [
    "Alder", "Amber", "Ash", "Aspen", "Beech", "Birch", "Briar", "Brook", "Cedar", "Clover",
    "Copper", "Elm", "Fern", "Flax", "Fox", "Glen", "Hawthorn", "Hazel", "Heron", "Holly", "Iron",
    "Ivy", "Juniper", "Lark", "Laurel", "Linden", "Maple", "Marsh", "Meadow", "Mill", "Oak",
    "Otter", "Pine", "Raven", "Reed", "Rowan", "Silver", "Stone", "Swan", "Willow",
];
const SECOND: [&str; 27] = [
    "bank", "bourne", "bridge", "bury", "combe", "cross", "dale", "den", "field", "ford", "gate",
    "grove", "ham", "haven", "hill", "holm", "hurst", "lake", "leigh", "mead", "mere", "mouth",
    "port", "ridge", "stead", "ton", "wick",
];
/// Visits all pairs before it repeats one (it shares no factor with their number) and keeps
/// neighbours apart.
const STRIDE: usize = 391;

/// A station's label: the mode's letter and its number within the mode, from 1.
pub(super) fn label(mode: Mode, number: usize, of: usize) -> String {
    let habit = mode.habit();
    let digits = habit.digits.max(of.to_string().len());
    format!("{}{number:0digits$}", habit.letter)
}

/// A station's name for people, different for each number within a mode.
pub(super) fn name(mode: Mode, number: usize) -> String {
    let pairs = FIRST.len() * SECOND.len();
    let pair = number * STRIDE % pairs;
    let (first, second) = (FIRST[pair % FIRST.len()], SECOND[pair / FIRST.len()]);
    let suffix = mode.habit().suffix;
    match number / pairs {
        0 => format!("{first}{second}{suffix}"),
        again => format!("{first}{second}{suffix} {}", again + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn labels_and_names_are_unique() {
        let count = 5_000;
        let names: HashSet<String> = (1..=count).map(|n| name(Mode::Bus, n)).collect();
        assert_eq!(names.len(), count);
        assert_eq!(label(Mode::Metro, 7, 68), "M07");
        assert_eq!(label(Mode::Bus, 417, 944), "B0417");
        assert_eq!(label(Mode::Metro, 7, 5_000), "M0007");
    }
}
