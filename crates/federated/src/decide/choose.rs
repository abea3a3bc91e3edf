//! How many candidates to give to one client, from public sizes alone.
//!
//! More candidates per client are more answers per candidate, each of them noisier, since ε is shared
//! among a client's bits.

/// The standard deviation of one candidate's de-biased share, when `clients` clients get `per_client`
/// of `candidates` candidates each, answer under `epsilon` in all, and a share `p` of them has it.
///
/// Infinite where nothing is asked. `per_client` above `candidates` counts as all of them.
pub fn expected_sd(clients: u64, candidates: u64, per_client: u64, epsilon: f64, p: f64) -> f64 {
    let per_client = per_client.min(candidates) as f64;
    let answers = clients as f64 * per_client / candidates as f64;
    if answers.is_nan() || answers <= 0.0 {
        return f64::INFINITY;
    }
    // η = 1/(1 + e^(ε/n)), hence 1 − 2η = tanh(ε/2n).
    let kept = (epsilon / per_client / 2.0).tanh();
    let yes = 0.5 + (p - 0.5) * kept;
    (yes * (1.0 - yes) / answers).sqrt() / kept
}

/// The number of candidates per client, from 1 to `most`, with the smallest [`expected_sd`] for a
/// fragment at the bar, `p` = k/N; the smaller of equals.
pub fn best_per_client(clients: u64, candidates: u64, most: u64, epsilon: f64, p: f64) -> u64 {
    let sd = |per_client: u64| expected_sd(clients, candidates, per_client, epsilon, p);
    let most = most.min(candidates).max(1);
    let better = |best: u64, next: u64| if sd(next) < sd(best) { next } else { best };
    (1..=most).fold(1, better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example() {
        // ε = 2·ln 3 for two bits: each is flipped with probability 1/4. 100 clients, 2 of 5
        // candidates each: 40 answers. p = 0: yes 1/4, √(3/16/40)/(1/2).
        let found = expected_sd(100, 5, 2, 2.0 * 3_f64.ln(), 0.0);
        let known = (3.0_f64 / 16.0 / 40.0).sqrt() * 2.0;
        assert!((found - known).abs() < 1e-15, "{found} {known}");
        assert_eq!(expected_sd(0, 5, 2, 1.0, 0.1), f64::INFINITY);
        assert_eq!(expected_sd(10, 0, 2, 1.0, 0.1), f64::INFINITY);
        assert_eq!(
            expected_sd(10, 3, 9, 1.0, 0.1),
            expected_sd(10, 3, 3, 1.0, 0.1)
        );
    }

    #[test]
    fn little_privacy_is_worth_sharing_and_much_is_not() {
        let best = |epsilon: f64, p: f64| best_per_client(1_000_000, 200, 40, epsilon, p);
        for epsilon in [0.1, 1.0, 2.0, 4.0] {
            assert_eq!(best(epsilon, 0.002), 1, "{epsilon}");
        }
        assert!(best(10.0, 0.2) > 1);
        // Almost truthful bits: as many as may be.
        assert_eq!(best(1e6, 0.2), 40);
        assert_eq!(best_per_client(1000, 3, 40, 1e6, 0.2), 3);
        assert_eq!(best_per_client(1000, 0, 40, 1.0, 0.2), 1);
        assert_eq!(best_per_client(1000, 10, 0, 1.0, 0.2), 1);
    }

    #[test]
    fn the_best_is_the_smallest_of_all() {
        for epsilon in [0.5, 3.0, 7.0, 10.0, 25.0] {
            for p in [0.0005, 0.01, 0.3] {
                let best = best_per_client(5000, 30, 12, epsilon, p);
                let sd = |c| expected_sd(5000, 30, c, epsilon, p);
                assert!((1..=12).all(|c| sd(best) <= sd(c)), "{epsilon} {p}");
            }
        }
    }
}
