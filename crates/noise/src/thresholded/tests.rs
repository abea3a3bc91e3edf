use proptest::prelude::*;

use super::*;

fn rate(num: u64, den: u64) -> Rate {
    Rate::new(num, den).unwrap()
}

fn keys(most: u32) -> Contribution {
    Contribution::DistinctKeys(most.try_into().unwrap())
}

fn in_all(most: u32) -> Contribution {
    Contribution::InAll(most.try_into().unwrap())
}

#[test]
fn worked_by_hand() {
    // e^(−1)/(1 + e^(−1)) = 0.2689414…, and at T = 17 it is e^(−16)/1.3678794 = 8.22698…e-8.
    let at = |t: u64| laplace_delta(rate(1, 1), t.try_into().unwrap(), Contribution::ONE_KEY);
    assert_eq!(at(2).to_string(), "2.68942e-1");
    assert_eq!(at(17).to_string(), "8.22699e-8");
    // (e − 1)/(e⁴ + e³ − 2) = 1.7182818/72.6836869 = 0.0236405…
    let bound = truncated_delta(rate(1, 1), 3, Contribution::ONE_KEY);
    assert_eq!(bound.to_string(), "2.36406e-2");
    assert_eq!(bound.parts(), (236_406, 10_000_000));
    assert_eq!(
        laplace_threshold(rate(1, 1), keys(1), (1, 10_000_000)),
        Ok(17)
    );
    assert_eq!(truncated_delta(rate(1, 1), 0, keys(1)).to_string(), "1");
    assert_eq!(truncated_delta(rate(1, 1), 0, keys(9)).to_string(), "1");
    let tiny = laplace_delta(rate(1, 1), 1000.try_into().unwrap(), keys(1));
    assert_eq!(
        (tiny.to_string().as_str(), tiny.parts()),
        ("1e-30", (1, 10_u128.pow(30)))
    );
}

#[test]
fn no_probability_is_refused() {
    for delta in [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0)] {
        assert!(laplace_threshold(rate(1, 1), keys(1), delta).is_err());
        assert!(truncated_bound(rate(1, 1), keys(1), delta).is_err());
    }
}

#[test]
fn extremes_are_decided() {
    let top = Rate::LIMIT - 1;
    let (little, much) = ((1, u128::MAX), (u128::MAX - 1, u128::MAX));
    for rate in [rate(1, top), rate(top, 1), rate(top, top - 1)] {
        for by in [keys(1), keys(u32::MAX), in_all(u32::MAX)] {
            for delta in [little, much] {
                let threshold = laplace_threshold(rate, by, delta).unwrap();
                let bound = truncated_bound(rate, by, delta).unwrap();
                assert!(threshold < 1 << 50 && bound < 1 << 50);
                laplace_delta(rate, threshold.try_into().unwrap(), by);
                truncated_delta(rate, bound, by);
            }
        }
    }
}

proptest! {
    /// The formulas in floats, and what is asked of a threshold and of a bound: it is enough,
    /// and one less is not.
    #[test]
    fn bounds_are_above_and_close_and_invert(
        num in 1_u64..30, den in 1_u64..60, at in 1_u64..80, most in 1_u32..9, distinct: bool,
    ) {
        let (rate, by) = (rate(num, den), if distinct { keys(most) } else { in_all(most) });
        let (alpha, m) = ((-rate.as_f64()).exp(), f64::from(most));
        let power = |exponent: f64| alpha.powf(exponent);
        let t = at as f64;
        let single = power(t - 1.0) / (1.0 + alpha);
        let laplace_is = match distinct {
            true => m * single,
            false => (m * single).max(power(t - m) / (1.0 + alpha)),
        };
        let z = 1.0 + alpha - 2.0 * power(t + 1.0);
        let truncated_is = match distinct {
            true => m * power(t) * (1.0 - alpha) / z,
            false => power(t + 1.0 - m) * (1.0 - power(m)) / z,
        };
        let of_laplace = laplace_delta(rate, at.try_into().unwrap(), by);
        let of_truncated = truncated_delta(rate, at, by);
        for (bound, float) in [(of_laplace, laplace_is), (of_truncated, truncated_is)] {
            if (1e-29..0.999).contains(&float) && (distinct || at >= u64::from(most)) {
                let ratio = bound.as_f64() / float;
                prop_assert!((1.0 - 1e-9..1.0 + 1.1e-5).contains(&ratio), "{bound} {float}");
            }
        }
        let (asked, (p, q)) = ((1_u128, 10_u128.pow(at as u32 % 12 + 1)), (1_u64, 0_u64));
        let found = laplace_threshold(rate, by, asked).unwrap();
        prop_assert!(at_most(|bits| laplace(rate, found, by, bits), asked));
        prop_assert!(found == p || !at_most(|bits| laplace(rate, found - 1, by, bits), asked));
        let found = truncated_bound(rate, by, asked).unwrap();
        prop_assert!(at_most(|bits| truncated(rate, found, by, bits), asked));
        prop_assert!(found == q || !at_most(|bits| truncated(rate, found - 1, by, bits), asked));
    }

    /// Rounded up from however few bits, it is never below what more bits tell.
    #[test]
    fn rounding_is_upwards(num in 1_u64..1000, den in 1_u64..1000, at in 1_u64..200, most in 1_u32..5) {
        let (rate, by) = (rate(num, den), keys(most));
        let fine = truncated(rate, at, by, 512);
        let (numerator, denominator) = truncated_delta(rate, at, by).parts();
        let stated = (BigUint::from(numerator) << 512_u32) / denominator;
        prop_assert!(stated >= fine.low || (numerator, denominator) == (1, 1));
    }
}
