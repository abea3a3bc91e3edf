//! Every setting of the sweep: all combinations, at every height, where the adviser tries some heights and
//! one change at a time.

use wayveil_evaluate::Task;
use wayveil_evaluate::advise::Facts;
use wayveil_evaluate::evaluation::Candidate;

const TALLEST: u32 = 12;

pub(super) fn candidates(facts: &Facts, task: Task) -> Vec<Candidate> {
    let mut all = Vec::new();
    let least = if task == Task::Counts { 1 } else { 2 };
    let tallest = TALLEST.min(facts.longest());
    let places = facts.universe.len();
    let fan_out = (places as f64).sqrt().round().to_string();
    for height in least..=tallest {
        for split in splits(height) {
            for keep in KEEP {
                let tree = with("prefix-tree", &[("height", &height.to_string())]);
                let tree = added(tree, &split);
                all.push(added(tree.clone(), keep));
                // Asking for groups has more settings, and was seldom the best in trials on data of our own:
                // there thresholds are the usual ones or those that keep more.
                if !GROUPED_KEEP.contains(&keep) {
                    continue;
                }
                let hybrid = Candidate {
                    method: "hybrid-tree".into(),
                    ..added(tree, keep)
                };
                if facts.universe.taxonomy().is_some() {
                    all.push(hybrid.clone());
                }
                let hybrid = hybrid.with("fan-out", &fan_out);
                all.push(hybrid.with("group-share", "1/2"));
                all.push(hybrid);
            }
        }
    }
    if facts.has_coordinates() {
        all.extend(windows(places, facts.time.is_some()));
    }
    all
}

/// None, more, fewer; and the paper's thresholds.
const KEEP: [&[(&str, &str)]; 4] = [
    &[],
    &[("rho", "9/10")],
    &[("rho", "1/10")],
    &[("threshold", "paper"), ("node-cap", "50000")],
];

const GROUPED_KEEP: [&[(&str, &str)]; 2] = [KEEP[0], KEEP[1]];

fn splits(height: u32) -> Vec<Vec<(&'static str, String)>> {
    let text = |levels: Vec<u32>| {
        let parts: Vec<String> = levels.iter().map(ToString::to_string).collect();
        vec![("split", parts.join(","))]
    };
    let mut splits = vec![Vec::new()];
    if height > 1 {
        splits.push(text((2..height + 2).collect()));
        splits.push(text((2..height + 2).rev().collect()));
    }
    splits
}

fn windows(places: usize, timed: bool) -> Vec<Candidate> {
    let mut all = Vec::new();
    let clusters = places.to_string();
    for window in ["1", "2", "3", "4", "5", "all"] {
        for windows in ["1", "2", "4"] {
            for choose in ["usual", "first", "random"] {
                let mut candidate = with(
                    "generalize",
                    &[
                        ("clusters", &clusters),
                        ("decoys", "0"),
                        ("window", window),
                        ("windows", windows),
                        ("choose", choose),
                    ],
                );
                if timed {
                    candidate = candidate.with("bins-together", "1");
                }
                if window != "all" || (windows, choose) == ("1", "usual") {
                    all.push(candidate);
                }
            }
        }
    }
    all
}

fn with(method: &str, parameters: &[(&str, &str)]) -> Candidate {
    let candidate = Candidate {
        method: method.into(),
        parameters: Vec::new(),
    };
    added(candidate, parameters)
}

fn added<V: AsRef<str>>(candidate: Candidate, parameters: &[(&str, V)]) -> Candidate {
    let add = |it: Candidate, (name, value): &(&str, V)| it.with(name, value.as_ref());
    parameters.iter().fold(candidate, add)
}
