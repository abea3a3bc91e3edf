//! How many of a group are drawn, for groups of any size, in constant time.
//!
//! By floating-point numbers, hence exact to about nine digits only: good for who is asked, which
//! protects nobody. The noise of answers is never drawn here.

use rand_core::Rng;

/// How many successes there are among `trials` independent ones of probability `p`.
pub(super) fn binomial<R: Rng + ?Sized>(trials: u64, p: f64, rng: &mut R) -> u64 {
    if trials == 0 || p <= 0.0 {
        return 0;
    }
    if p >= 1.0 {
        return trials;
    }
    if p > 0.5 {
        return trials - binomial(trials, 1.0 - p, rng);
    }
    let n = trials as f64;
    let odds = (p / (1.0 - p)).ln();
    let law = Law {
        mean: n * p,
        variance: n * p * (1.0 - p),
        mode: ((n + 1.0) * p).floor(),
        least: 0.0,
        most: n,
    };
    let ln_mass = |k: f64| k * odds - ln_factorial(k) - ln_factorial(n - k);
    law.draw(ln_mass, rng)
}

/// How many of `marked` things are among `drawn` of `all`, drawn uniformly without replacement.
pub(super) fn hypergeometric<R: Rng + ?Sized>(
    all: u64,
    marked: u64,
    drawn: u64,
    rng: &mut R,
) -> u64 {
    let (marked, drawn) = (marked.min(all), drawn.min(all));
    let (least, most) = ((marked + drawn).saturating_sub(all), marked.min(drawn));
    if least == most {
        return least;
    }
    let (n, m, d) = (all as f64, marked as f64, drawn as f64);
    let share = m / n;
    let law = Law {
        mean: d * share,
        variance: d * share * (1.0 - share) * (n - d) / (n - 1.0),
        mode: ((d + 1.0) * (m + 1.0) / (n + 2.0)).floor(),
        least: least as f64,
        most: most as f64,
    };
    let ln_mass = |k: f64| {
        -(ln_factorial(k) + ln_factorial(m - k) + ln_factorial(d - k) + ln_factorial(n - m - d + k))
    };
    law.draw(ln_mass, rng)
}

/// A law on whole numbers that rises to its mode and falls after it.
struct Law {
    mean: f64,
    variance: f64,
    mode: f64,
    least: f64,
    most: f64,
}

impl Law {
    /// The ratio of uniforms (Kinderman and Monahan 1977) with the bounds of Stadlober (1989), which
    /// hold for binomial and hypergeometric laws. `ln_mass` may leave a constant out.
    fn draw<R: Rng + ?Sized>(&self, ln_mass: impl Fn(f64) -> f64, rng: &mut R) -> u64 {
        let centre = self.mean + 0.5;
        // 2·√(2/e) and 3 − 2·√(3/e).
        let width =
            1.715_527_769_921_413_5 * (self.variance + 0.5).sqrt() + 0.898_916_162_058_898_8;
        let top = ln_mass(self.mode);
        loop {
            let (height, across) = (uniform(rng), uniform(rng));
            let at = (centre + width * (across - 0.5) / height).floor();
            // Written so that what is not a number is drawn again.
            if at >= self.least && at <= self.most && 2.0 * height.ln() <= ln_mass(at) - top {
                return at as u64;
            }
        }
    }
}

/// Uniform on (0, 1).
fn uniform<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    ((rng.next_u64() >> 12) as f64 + 0.5) / 2_f64.powi(52)
}

/// ln n! by Stirling's series, carried up to where it is good to 10⁻¹⁵.
fn ln_factorial(n: f64) -> f64 {
    let mut x = n + 1.0;
    let mut product = 1.0;
    while x < 16.0 {
        product *= x;
        x += 1.0;
    }
    let square = x * x;
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / x;
    (x - 0.5) * x.ln() - x + 0.5 * core::f64::consts::TAU.ln() + series - product.ln()
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;
    use wayveil_noise::statistics::{assert_plausible, fit_integers};

    use super::*;

    fn choose(n: u64, k: u64) -> f64 {
        ln_factorial(n as f64) - ln_factorial(k as f64) - ln_factorial((n - k) as f64)
    }

    #[test]
    fn factorials_are_right() {
        let mut exact = 0.0_f64;
        for n in 0..300_u32 {
            exact += f64::from(n.max(1)).ln();
            assert!(
                (ln_factorial(n.into()) - exact).abs() < 1e-11 * exact.max(1.0),
                "{n}"
            );
        }
    }

    #[test]
    fn binomials_have_their_law() {
        let mut rng = RandomSource::insecure_seed(11).stream();
        for (n, p) in [
            (1, 0.3),
            (5, 0.5),
            (12, 0.9),
            (400, 0.02),
            (3000, 0.4),
            (1 << 40, 3e-11),
        ] {
            let drawn: Vec<i64> = (0..100_000)
                .map(|_| binomial(n, p, &mut rng) as i64)
                .collect();
            let mass = |k: i64| match u64::try_from(k) {
                Ok(k) if k <= n => {
                    let tails = (n - k) as f64 * (-p).ln_1p();
                    // ln C(2^40, k) by products, as factorials would lose digits.
                    let ways: f64 = match k < 200 {
                        true => (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum(),
                        false => choose(n, k),
                    };
                    (ways + k as f64 * p.ln() + tails).exp()
                }
                _ => 0.0,
            };
            let cells = 0..=(n.min(2000) as i64);
            assert_plausible(&fit_integers(&drawn, cells, mass).unwrap());
        }
        assert_eq!(binomial(7, 0.0, &mut rng), 0);
        assert_eq!(binomial(7, 1.0, &mut rng), 7);
        assert_eq!(binomial(0, 0.5, &mut rng), 0);
    }

    #[test]
    fn hypergeometrics_have_their_law() {
        let mut rng = RandomSource::insecure_seed(12).stream();
        for (all, marked, drawn) in [
            (10, 3, 4),
            (10, 7, 8),
            (50, 1, 25),
            (1000, 400, 50),
            (1000, 30, 900),
            (2_000_000, 700, 1_000_000),
        ] {
            let found: Vec<i64> = (0..100_000)
                .map(|_| hypergeometric(all, marked, drawn, &mut rng) as i64)
                .collect();
            let mass = |k: i64| match u64::try_from(k) {
                Ok(k) if k <= marked && k <= drawn && drawn - k <= all - marked => {
                    let ways = choose(marked, k) + choose(all - marked, drawn - k);
                    (ways - choose(all, drawn)).exp()
                }
                _ => 0.0,
            };
            // The masses of the largest are off by 10⁻⁷ in all; that sum must come near 1.
            assert_plausible(&fit_integers(&found, 0..=(marked as i64), mass).unwrap());
        }
        assert_eq!(hypergeometric(5, 5, 3, &mut rng), 3);
        assert_eq!(hypergeometric(5, 2, 5, &mut rng), 2);
        assert_eq!(hypergeometric(0, 0, 0, &mut rng), 0);
    }
}
