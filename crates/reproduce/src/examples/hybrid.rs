//! The sample database in the tree of lines and stations.

use wayveil_core::{Rehearsed, Result};

use super::trees::{LOCATIONS, prefixes, rehearse, run};
use crate::entry::Check;

/// L1 and L2 in one group, L3 and L4 in the other. Noise of scale 1/125 and less is zero but for one draw in 10^54.
const EXACT: &str = "hybrid-tree epsilon=1000 height=2 fan-out=2 threshold=1 inference=none";

/// The sequences at the nodes of the hybrid tree.
pub(crate) fn hybrid_tree() -> Result<Vec<Check>> {
    let made = run(EXACT, LOCATIONS)?;
    let stations = prefixes(&made);
    let station = |prefix: &str| {
        let found = stations.iter().find(|(known, _)| known == prefix);
        found.map_or(0, |(_, count)| *count)
    };
    // Groups are numbered from 1, and locations from 0.
    let group = |group: u32, below: &str| told(&made, group, below);
    let all = [
        ("L{1,2}", 5, group(1, "the root")),
        ("L{3,4}", 3, group(2, "the root")),
        ("L1", 5, station("L1")),
        ("L2", 0, station("L2")),
        ("L3", 3, station("L3")),
        ("L4", 0, station("L4")),
        ("L1 L{1,2}", 5, group(1, "0")),
        ("L1 L{3,4}", 0, group(2, "0")),
        ("L3 L{1,2}", 3, group(1, "2")),
        ("L3 L{3,4}", 0, group(2, "2")),
        ("L1 L1", 0, station("L1 L1")),
        ("L1 L2", 5, station("L1 L2")),
        ("L3 L1", 1, station("L3 L1")),
        ("L3 L2", 2, station("L3 L2")),
    ];
    let check = |(what, paper, ours): (&str, i64, i64)| {
        Check::new(what, paper.to_string(), ours.to_string())
    };
    Ok(all.map(check).into())
}

/// The count of a group, which is told to the auditor and forgotten; 0 where it did not pass.
fn told(made: &Rehearsed, group: u32, below: &str) -> i64 {
    let name = format!("noisy count of group {group} below {below}");
    let found = made.transcript.iter().find(|(known, _)| *known == name);
    found.map_or(0, |(_, count)| *count)
}

/// Groups of two, as the sample has them, and of three: who is left how much.
pub(crate) fn group_of_two() -> Result<Vec<Check>> {
    let published = "hybrid-tree epsilon=100 height=2 fan-out=2 as-published";
    let refused = match run(published, LOCATIONS) {
        Ok(_) => "runs".to_owned(),
        Err(error) => error.message().to_owned(),
    };
    let stations = prefixes(&run(EXACT, LOCATIONS)?);
    let stations: Vec<String> = stations
        .iter()
        .map(|(prefix, count)| format!("{prefix}: {count}"))
        .collect();
    let mut checks = vec![
        Check::new(
            "as published, groups of 2",
            "as published, lines of at most two stations leave no budget for the stations",
            refused,
        ),
        Check::new(
            "repaired, groups of 2, ε = 1,000",
            "L1: 5, L1 L2: 5, L3: 3, L3 L1: 1, L3 L2: 2",
            stations.join(", "),
        ),
    ];
    for (how, fan_out, expected) in [
        ("as-published", 3, "0.667 + 0.333 = 1.000"),
        ("", 2, "0.250 + 0.750 = 1.000"),
        ("group-share=paper", 2, "0.500 + 0.500 = 1.000"),
        ("group-share=paper", 3, "0.667 + 0.333 = 1.000"),
    ] {
        let name = match how {
            "" => "repaired",
            "group-share=paper" => "repaired, 2/f for groups of f > 2",
            _ => "as published",
        };
        let what = format!("{name}, groups of {fan_out}: shares of group and station");
        checks.push(Check::new(what, expected, shares(how, fan_out)?));
    }
    Ok(checks)
}

/// The shares of a level's budget that ask for a group and for a station in it. The published thresholds are 4√2 and
/// 2√2 over the budget, and ε is so small that rounding them up hardly matters.
fn shares(how: &str, fan_out: usize) -> Result<String> {
    const EPSILON: f64 = 0.001;
    let method =
        format!("hybrid-tree epsilon={EPSILON} height=1 threshold=paper fan-out={fan_out} {how}");
    rehearse(&method, 2 * fan_out, |rehearsal, _| {
        let parameters = &rehearsal.claim().parameters;
        let share = |name: &str, deviations: f64| {
            let threshold = parameters.get(name).and_then(|range| range[1].as_f64());
            deviations * 2f64.sqrt() / (EPSILON * threshold.unwrap_or(f64::INFINITY))
        };
        let (group, station) = (
            share("group_threshold", 4.0),
            share("location_threshold", 2.0),
        );
        Ok(format!(
            "{group:.3} + {station:.3} = {:.3}",
            group + station
        ))
    })
}
