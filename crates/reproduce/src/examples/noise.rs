//! The counts in the picture of the paper about generalising.

use wayveil_core::Result;

use crate::entry::Check;

/// Real and noisy counts of eight journeys; those with a real count of zero are decoys.
const COUNTS: [(f64, f64); 8] = [
    (1.0, 2.46781),
    (1.0, 1.83188),
    (0.0, 0.705873),
    (1.0, 1.58152),
    (2.0, 2.71865),
    (0.0, 1.92746),
    (2.0, 2.82741),
    (0.0, 1.8422),
];

/// What noise within (0, 2μ) does to counts.
pub(crate) fn bounded_noise() -> Result<Vec<Check>> {
    let real = COUNTS.iter().filter(|(count, _)| *count > 0.0);
    let real: Vec<f64> = real.map(|(count, _)| *count).collect();
    let mean = real.iter().sum::<f64>() / real.len() as f64;
    let noise = || COUNTS.iter().map(|(real, noisy)| noisy - real);
    let least = noise().fold(f64::INFINITY, f64::min);
    let most = noise().fold(f64::NEG_INFINITY, f64::max);
    let yes = |it: bool| if it { "yes" } else { "no" };
    Ok(vec![
        Check::new(
            "μ, the mean of the real counts",
            "1.40",
            format!("{mean:.2}"),
        ),
        Check::new("all noise lies below 2μ", "yes", yes(most < 2.0 * mean)),
        Check::new("noise lowers some count", "no", yes(least <= 0.0)),
        Check::new(
            "decoys that a count below 1 gives away",
            "1",
            COUNTS
                .iter()
                .filter(|(_, noisy)| *noisy < 1.0)
                .count()
                .to_string(),
        ),
    ])
}
