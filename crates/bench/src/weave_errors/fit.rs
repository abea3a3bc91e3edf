//! The constants that would have made estimates and actual errors agree on these cases, as Rust to be put into
//! `weave/expected/constants.rs`. Estimates are those with the constants of now: new factors multiply the old ones.

use super::{Case, Number};

/// The interval, as shares of the cases.
const INTERVAL: (f64, f64) = (0.1, 0.9);
/// How much further both ends are moved, since real data differ from generated data.
const WIDER: f64 = 1.5;

pub(super) fn constants(cases: &[Case]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for number in cases.iter().flat_map(|case| &case.numbers) {
        if number.name != "records" && !names.contains(&number.name.as_str()) {
            names.push(&number.name);
        }
    }
    let mut text =
        String::from("// name, what the factor of now is to be multiplied by, low, high\n");
    for name in names {
        let all = cases.iter().flat_map(|case| &case.numbers);
        let mut ratios: Vec<f64> = all
            .filter(|number| number.name == name)
            .filter_map(ratio)
            .collect();
        ratios.sort_by(f64::total_cmp);
        if ratios.is_empty() {
            continue;
        }
        let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
        let middle = at(0.5);
        text.push_str(&format!(
            "calibrated({name:?}, × {middle:.3}, {:.2}, {:.2}),\n",
            at(INTERVAL.0) / middle / WIDER,
            at(INTERVAL.1) / middle * WIDER
        ));
    }
    text
}

/// Actual over estimated error.
fn ratio(number: &Number) -> Option<f64> {
    let (estimated, actual) = (number.error(number.value), number.error(number.actual));
    (estimated > 0.0).then(|| actual / estimated)
}
