//! A noisy histogram over an ordered axis, smoothed: post-processing.

/// Neighbours that noise alone could tell apart are joined, those most alike first, and share their mean;
/// a stretch that noise alone could have made is nothing. `deviation` is the noise's standard deviation of one cell.
pub(super) fn join_alike(noisy: &[i64], deviation: f64) -> Vec<f64> {
    // (sum, cells) of each stretch.
    let mut stretches: Vec<(f64, f64)> = noisy.iter().map(|&n| (n as f64, 1.0)).collect();
    loop {
        let apart = |pair: &[(f64, f64)]| {
            let [(a, n), (b, m)] = [pair[0], pair[1]];
            let noise = deviation * (1.0 / n + 1.0 / m).sqrt();
            (a / n - b / m).abs() / noise / surprising(n.min(m))
        };
        let closest = stretches
            .windows(2)
            .map(apart)
            .enumerate()
            .min_by(|a, b| a.1.total_cmp(&b.1));
        match closest {
            Some((at, distance)) if distance < 1.0 => {
                let (sum, cells) = stretches.remove(at + 1);
                stretches[at].0 += sum;
                stretches[at].1 += cells;
            }
            _ => break,
        }
    }
    let mut smooth = Vec::with_capacity(noisy.len());
    for (sum, cells) in stretches {
        let noise = deviation * cells.sqrt();
        let mean = if sum > beyond_doubt(cells) * noise {
            sum / cells
        } else {
            0.0
        };
        smooth.extend(std::iter::repeat_n(mean, cells as usize));
    }
    smooth
}

/// How many standard deviations apart two neighbours are more than noise: the tails of a single cell's noise are heavy,
/// and there are many cells. Of 129 cells with Laplace noise alone one stands out once in 150 times.
fn surprising(cells: f64) -> f64 {
    2.0 + 4.5 / cells.sqrt()
}

/// How many standard deviations are more than nothing. Stretches are of any number of cells and begin anywhere, so that
/// there are far more of them than cells, and a few hundred records of a great length that nobody has spoil every count of
/// many places. Of 129 cells with Laplace noise alone some stretch is taken for something about once in a hundred times.
fn beyond_doubt(cells: f64) -> f64 {
    2.5 + 5.0 / cells.sqrt()
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;
    use wayveil_noise::{DiscreteLaplace, Rate};

    use super::*;

    #[test]
    fn noise_alone_is_hardly_ever_taken_for_something() {
        const RUNS: u64 = 2_000;
        let noise = DiscreteLaplace::new(Rate::new(1, 3_000).unwrap());
        let deviation = noise.std_dev();
        let mut something = 0;
        for seed in 0..RUNS {
            let mut rng = RandomSource::insecure_seed(seed).stream();
            let noisy: Vec<i64> = (0..129).map(|_| noise.sample(&mut rng)).collect();
            something += u64::from(join_alike(&noisy, deviation).iter().any(|&it| it > 0.0));
        }
        // Seeds are fixed.
        assert!((1..=60).contains(&something), "{something} of {RUNS}");
    }

    #[test]
    fn what_differs_stays_and_what_is_noise_is_joined() {
        let smooth = join_alike(&[1_000, 500, 20, 0, -20, 10], 20.0);
        assert_eq!(smooth[..2], [1_000.0, 500.0]);
        assert!(smooth[2..].iter().all(|&it| it == 0.0));
        assert!(join_alike(&[], 1.0).is_empty());
        assert_eq!(join_alike(&[-7], 1.0), [0.0]);
    }
}
