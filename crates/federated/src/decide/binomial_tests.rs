use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;

use super::*;

/// All tails of Bin(n, p) for the very p that the float holds, exactly; index x in 0..=n + 1.
fn exact_tails(n: u64, p: f64) -> Vec<BigRational> {
    let p = BigRational::from_float(p).unwrap();
    // Integers over the common denominator of p to the power n.
    let (yes, no) = (p.numer().clone(), p.denom() - p.numer());
    let mut masses = vec![BigInt::one()];
    for _ in 0..n {
        let mut next = vec![BigInt::zero(); masses.len() + 1];
        for (x, mass) in masses.iter().enumerate() {
            next[x] += mass * &no;
            next[x + 1] += mass * &yes;
        }
        masses = next;
    }
    let all: BigInt = masses.iter().sum();
    let mut sum = BigInt::zero();
    let mut tails = vec![BigRational::zero()];
    for mass in masses.into_iter().rev() {
        sum += mass;
        tails.push(BigRational::new_raw(sum.clone(), all.clone()));
    }
    tails.reverse();
    tails
}

#[track_caller]
fn assert_close(found: f64, known: f64, what: (u64, f64, u64)) {
    let error = (found / known - 1.0).abs();
    assert!(
        error < 1e-11,
        "{what:?}: {found:e} is not {known:e} ({error:e})"
    );
}

#[test]
fn small_cases_equal_exact_arithmetic() {
    for n in 0..=24 {
        for p in [0.0001, 0.03, 0.25, 0.5, 0.7, 0.97, 0.999_999] {
            for (x, known) in exact_tails(n, p).iter().enumerate() {
                let found = upper_tail(n, p, x as u64);
                match known.to_f64().unwrap() {
                    0.0 => assert_eq!(found, 0.0),
                    known => assert_close(found, known, (n, p, x as u64)),
                }
            }
        }
    }
}

#[test]
fn thresholds_equal_exact_arithmetic() {
    for n in 0..=16 {
        for p in [0.0001, 0.25, 0.5, 0.97] {
            let tails = exact_tails(n, p);
            for level in [1.0, 0.99, 0.6, 0.2, 0.01, 1e-6, 1e-40] {
                let exact = BigRational::from_float(level).unwrap();
                let known = tails.iter().position(|tail| *tail <= exact).unwrap();
                // 1 − p^n and the like can lie within the slack of a level.
                let found = threshold(n, p, level);
                assert_eq!(found, known as u64, "n {n} p {p} level {level}");
            }
        }
    }
    assert_eq!(threshold(10, 0.5, 0.0), 11);
    assert_eq!(threshold(10, 0.5, f64::NAN), 11);
    assert_eq!(threshold(10, 0.5, 2.0), 0);
    assert_eq!(threshold(0, 0.5, 0.1), 1);
}

#[test]
fn a_threshold_is_never_below_what_rounding_might_hide() {
    // The level equals the tail at 8 in real numbers; with room for rounding it must be 9.
    let level = BigRational::new(BigInt::from(56), BigInt::from(1024))
        .to_f64()
        .unwrap();
    assert_eq!(exact_tails(10, 0.5)[8].to_f64().unwrap(), level);
    assert_eq!(threshold(10, 0.5, level), 9);
    assert_eq!(threshold(10, 0.5, level * (1.0 + 2.0 * SLACK)), 8);
    assert_eq!(last_at_least(10, 0.5, level), 7);
    assert_eq!(last_at_least(10, 0.5, level * (1.0 - 2.0 * SLACK)), 8);
    assert_eq!(last_at_least(10, 0.5, 1.0), 0);
}

/// Summed with 60 digits by an arbitrary-precision program, independent of this code.
const LARGE: [(u64, f64, u64, f64); 29] = [
    (100_000_000, 0.5, 50_000_001, 0.499_960_105_772_06),
    (100_000_000, 0.5, 50_010_000, 0.022_755_531_314_807_9),
    (100_000_000, 0.5, 50_120_000, 1.393_353_568_794_72e-127),
    (100_000_000, 0.5, 50_180_000, 4.191_848_959_895_55e-284),
    (100_000_000, 0.5, 49_990_000, 0.977_255_266_878_54),
    (100_000_000, 1e-7, 11, 0.416_960_249_807_014),
    (100_000_000, 1e-7, 60, 6.521_823_123_987_83e-27),
    (100_000_000, 1e-7, 280, 2.805_694_180_548_28e-290),
    (100_000_000, 0.002, 200_001, 0.499_405_292_043_289),
    (100_000_000, 0.002, 201_400, 0.000_876_274_718_971_399),
    (100_000_000, 0.002, 216_000, 4.861_424_433_664_41e-274),
    (100_000_000, 0.999, 99_900_001, 0.499_578_846_738_673),
    (100_000_000, 0.999, 99_903_000, 7.318_231_189_474_66e-22),
    (100_000_000, 0.269, 26_900_000, 0.500_038_055_339_94),
    (100_000_000, 0.269, 26_930_000, 6.693_115_625_547_76e-12),
    (
        100_000_000,
        0.999_999_9,
        99_999_995,
        0.067_085_953_619_850_7,
    ),
    (
        100_000_000,
        0.999_999_9,
        100_000_000,
        4.539_990_730_148_92e-5,
    ),
    (20_000_000, 0.047, 941_000, 0.145_483_570_896_696),
    (94_000, 0.0021, 197, 0.520_867_988_970_059),
    (94_000, 0.0021, 240, 0.001_789_115_618_984_69),
    (94_000, 0.0021, 900, 1.644_900_840_674_98e-291),
    (1_000_000, 0.12, 120_000, 0.500_458_326_353_137),
    (1_000_000, 0.12, 121_000, 0.001_061_498_565_762_02),
    (1_000_000, 0.12, 131_000, 3.569_587_463_881_56e-245),
    (3000, 0.4, 1200, 0.506_937_787_194_832),
    (3000, 0.4, 1500, 1.107_842_890_239_64e-28),
    (3000, 0.4, 2100, 7.838_334_502_648_21e-242),
    (5000, 0.9, 4501, 0.493_104_476_656_316),
    (5000, 0.97, 4900, 6.936_610_674_439_26e-6),
];

#[test]
fn large_cases_equal_known_values() {
    for (n, p, x, known) in LARGE {
        assert_close(upper_tail(n, p, x), known, (n, p, x));
    }
    assert_eq!(upper_tail(100_000_000, 0.999, 99_999_000), 0.0);
}

#[test]
fn what_is_out_of_range_has_a_tail_too() {
    assert_eq!(upper_tail(5, 0.0, 1), 0.0);
    assert_eq!(upper_tail(5, -0.1, 0), 1.0);
    assert_eq!(upper_tail(5, 1.0, 5), 1.0);
    assert_eq!(upper_tail(5, f64::NAN, 5), 1.0);
    assert_eq!(upper_tail(5, 1.0, 6), 0.0);
    assert_eq!(upper_tail(5, 1e-320, 5), 0.0);
}

#[test]
fn the_sum_and_the_quadrature_agree() {
    // Wide enough for the quadrature, narrow enough to sum.
    for (n, p) in [
        (8000_u64, 0.2),
        (8000, 0.8),
        (40_000, 0.04),
        (40_000, 0.97),
        (2000, 0.5),
    ] {
        let mean = n as f64 * p;
        for sds in [0.1, 1.0, 2.0, 3.0] {
            let x = (mean + sds * (mean * (1.0 - p)).sqrt()).ceil();
            let odds = p / (1.0 - p);
            let by_quadrature = x * beta_integral(x - 1.0, n as f64 - x, odds);
            let (mut sum, mut term, mut at) = (1.0, 1.0, x);
            while at < n as f64 {
                term *= (n as f64 - at) / (at + 1.0) * odds;
                sum += term;
                at += 1.0;
            }
            assert_close(by_quadrature, sum, (n, p, x as u64));
        }
    }
}

proptest! {
    #[test]
    fn a_threshold_is_where_the_tail_crosses(
        n in 1_u64..100_000_000, p in 1e-7_f64..1.0, exponent in -250.0_f64..0.0,
    ) {
        let level = 10_f64.powf(exponent);
        let x = threshold(n, p, level);
        let slack = 1.0 + SLACK;
        prop_assert!(x > n || x == 0 || upper_tail(n, p, x) * slack <= level);
        prop_assert!(x == 0 || x == 1 || upper_tail(n, p, x - 1) * slack > level);
        let last = last_at_least(n, p, level);
        prop_assert!(last == 0 || upper_tail(n, p, last) >= level);
        prop_assert!(last < x || level == 1.0);
        prop_assert!(x <= last + 3, "{} {}", last, x);
    }
}
