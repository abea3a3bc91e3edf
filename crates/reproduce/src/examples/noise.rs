//! The bounded noise of the paper about generalising, by the published form itself.

use std::collections::BTreeMap;

use wayveil_core::{Coordinate, RandomSource, Result, Sequences};
use wayveil_mechanisms::generalize::as_published::AsPublished;
use wayveil_mechanisms::generalize::merge::merge;

use crate::entry::Check;

/// Runs of the published form behind a check; each gives every count noise of its own.
const RUNS: u64 = 400;

/// Eight clusters, l₁₁ to l₄₂ in the picture, are locations 0 to 7. Its trajectories 1 to 7 after generalising, where the
/// fourth and sixth and the fifth and seventh have become equal.
const PICTURE: [&[u32]; 7] = [
    &[0, 2, 4, 6],
    &[0, 2, 5, 6],
    &[0, 3, 4],
    &[2, 4, 7],
    &[1, 3, 4, 7],
    &[2, 4, 7],
    &[1, 3, 4, 7],
];

/// The picture's real and noisy counts of eight journeys; those with a real count of zero are decoys.
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

fn yes(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}

/// Where so many locations are: apart from each other, so that each is a cluster of its own.
fn places(locations: u32) -> Vec<Coordinate> {
    let place = |at: u32| Coordinate {
        lat: f64::from(at),
        lng: 0.0,
    };
    (0..locations).map(place).collect()
}

/// Real counts with the noisy ones of one run, by trajectory.
fn publish(records: &[Vec<u32>], decoys: u32, seed: u64) -> Result<Vec<(u64, f64)>> {
    let mut real: BTreeMap<&[u32], u64> = BTreeMap::new();
    for record in records {
        *real.entry(record).or_default() += 1;
    }
    let places = places(records.iter().flatten().max().map_or(0, |&last| last + 1));
    let how = AsPublished {
        clusters: places.len(),
        decoys,
        ..AsPublished::default()
    };
    let records = Sequences::from_codes(records);
    let published = how.run(&records, &places, &mut RandomSource::insecure_seed(seed))?;
    let counted = |(trajectory, &noisy): (&[u32], &f64)| {
        let clusters = trajectory.iter();
        let own: Vec<u32> = clusters.map(|&it| published.places[it as usize]).collect();
        (real.get(own.as_slice()).copied().unwrap_or(0), noisy)
    };
    let all = published.trajectories.iter().zip(&published.counts);
    Ok(all.map(counted).collect())
}

/// The noise on all counts, of many runs without decoys.
fn noise(records: &[Vec<u32>]) -> Result<Vec<f64>> {
    let mut all = Vec::new();
    for seed in 0..RUNS {
        let counts = publish(records, 0, seed)?;
        all.extend(counts.iter().map(|&(real, noisy)| noisy - real as f64));
    }
    Ok(all)
}

/// Trajectories of one place each, as many of each as is said.
fn with_counts(counts: &[usize]) -> Vec<Vec<u32>> {
    let of = |(place, &count): (u32, &usize)| vec![vec![place]; count];
    (0..).zip(counts).flat_map(of).collect()
}

fn lies_within(noise: &[f64], most: f64) -> bool {
    noise.iter().all(|&noise| noise > 0.0 && noise < most)
}

/// The picture: seven trajectories become five with counts, and noise lies within (0, 2μ).
pub(crate) fn picture() -> Result<Vec<Check>> {
    let records: Vec<Vec<u32>> = PICTURE.iter().map(|it| it.to_vec()).collect();
    let mut counts = merge(&Sequences::from_codes(&records), None)?.counts;
    counts.sort_unstable();
    let words: Vec<String> = counts.iter().map(u64::to_string).collect();
    let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let printed: Vec<f64> = COUNTS.iter().map(|(real, noisy)| noisy - real).collect();
    let ours = noise(&records)?;
    let most = ours.iter().copied().fold(0.0, f64::max);
    let low = COUNTS.iter().filter(|(_, noisy)| *noisy < 1.0).count();
    Ok(vec![
        Check::new(
            "real counts of the seven trajectories, merged",
            "1, 1, 1, 2, 2",
            words.join(", "),
        ),
        Check::new("μ, their mean", "1.40", format!("{mean:.2}")),
        Check::new(
            "the printed noise lies within (0, 2μ)",
            "yes",
            yes(lies_within(&printed, 2.0 * mean)),
        ),
        Check::new(
            "ours lies within (0, 2μ)",
            "yes",
            yes(lies_within(&ours, 2.0 * mean)),
        ),
        Check::new("and reaches 90 % of it", "yes", yes(most > 1.8 * mean)),
        Check::new(
            "printed decoys that a count below 1 gives away",
            "1",
            low.to_string(),
        ),
    ])
}

/// The algorithm: what its draws are like, and what its first two lines say.
pub(crate) fn bounded_sampler() -> Result<Vec<Check>> {
    // Of five counts each, μ = 1.4 and b = Δf/μ = 1/1.4.
    let (mean, scale) = (1.4, 1.0 / 1.4);
    let draws = noise(&with_counts(&[1, 1, 1, 2, 2]))?;
    let share = |holds: &dyn Fn(f64) -> bool| {
        draws.iter().filter(|&&draw| holds(draw)).count() as f64 / draws.len() as f64
    };
    let above = share(&|draw| draw > mean);
    let near = share(&|draw| (draw - mean).abs() < scale);
    // Of Laplace noise about μ within (0, 2μ).
    let expected = (1.0 - (-1.0f64).exp()) / (1.0 - (-mean / scale).exp());
    let (alpha, beta) = (0.0, 2.0 * mean);
    let ends = alpha < 0.0 || alpha < beta;
    Ok(vec![
        Check::new("draws", "2000", draws.len().to_string()),
        Check::new(
            "all within (0, 2μ)",
            "yes",
            yes(lies_within(&draws, 2.0 * mean)),
        ),
        // Five standard deviations of a share of 2,000 draws.
        Check::new(
            "half of them above μ, to 5.6 %",
            "yes",
            yes((above - 0.5).abs() < 0.056),
        ),
        Check::new(
            "within b of μ as many as of Laplace noise, to 5 %",
            "yes",
            yes((near - expected).abs() < 0.05),
        ),
        Check::new(
            "equal counts, Δf = 0: the noise is μ",
            "yes",
            yes(noise(&with_counts(&[3, 3]))?
                .iter()
                .all(|&draw| draw == 3.0)),
        ),
        Check::new(
            "lines 01 and 02 as printed, α = 0 and β = 2μ",
            "⊥",
            if ends { "⊥" } else { "counts" },
        ),
    ])
}

/// What is possible for one data set is impossible for its neighbour, so that no ε holds.
pub(crate) fn neighbours() -> Result<Vec<Check>> {
    let one = noise(&with_counts(&[1, 1, 1, 2, 2]))?;
    let less = noise(&with_counts(&[1, 1, 1, 1, 2]))?;
    let distinct = noise(&with_counts(&[1, 1, 1, 1, 1]))?;
    let beyond = |noise: &[f64], most: f64| noise.iter().any(|&noise| noise > most);
    let mut shown: Vec<String> = distinct.iter().map(f64::to_string).collect();
    shown.dedup();
    // Six people on six places, one of whom makes room for a decoy.
    let with_decoy = publish(&with_counts(&[1; 6]), 1, 1)?;
    let counts = |decoy: bool| {
        let all = with_decoy.iter().filter(|(real, _)| (*real == 0) == decoy);
        let mut all: Vec<String> = all.map(|(_, noisy)| noisy.to_string()).collect();
        all.dedup();
        all.join(", ")
    };
    Ok(vec![
        Check::new(
            "counts 1, 1, 1, 2, 2 (μ = 1.4): noise within (0, 2.8)",
            "yes",
            yes(lies_within(&one, 2.8)),
        ),
        Check::new("some of it above 2.4", "yes", yes(beyond(&one, 2.4))),
        Check::new(
            "a person less, 1, 1, 1, 1, 2 (μ = 1.2): noise within (0, 2.4)",
            "yes",
            yes(lies_within(&less, 2.4)),
        ),
        Check::new("some of it other than 1", "yes", yes(beyond(&less, 1.0))),
        Check::new(
            "another one less, all different (Δf = 0): noise",
            "1",
            shown.join(", "),
        ),
        Check::new(
            "all different, with a decoy: counts of people",
            "2",
            counts(false),
        ),
        Check::new(
            "all different, with a decoy: count of the decoy",
            "1",
            counts(true),
        ),
    ])
}
