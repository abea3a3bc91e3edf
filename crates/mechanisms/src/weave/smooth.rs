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
        let mean = if sum > surprising(cells) * noise {
            sum / cells
        } else {
            0.0
        };
        smooth.extend(std::iter::repeat_n(mean, cells as usize));
    }
    smooth
}

/// How many standard deviations are more than noise: the tails of a single cell's noise are heavy, and there
/// are many cells. Of 129 cells with Laplace noise alone one stands out once in 150 times.
fn surprising(cells: f64) -> f64 {
    2.0 + 4.5 / cells.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stays_and_what_is_noise_is_joined() {
        let smooth = join_alike(&[1_000, 500, 20, 0, -20, 10], 20.0);
        assert_eq!(smooth[..2], [1_000.0, 500.0]);
        assert!(smooth[2..].iter().all(|&it| it == 0.0));
        assert!(join_alike(&[], 1.0).is_empty());
        assert_eq!(join_alike(&[-7], 1.0), [0.0]);
    }
}
