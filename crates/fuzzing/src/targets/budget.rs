//! Privacy parameters from text, and exact arithmetic on them. Two numbers, one per line.

use wayveil_core::{Delta, Epsilon, Rational};

use crate::Target;
use crate::check::accepted;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "budget",
    run,
    seeds,
    words: &["1/3", "0.25", "e-30", "e+30", "E", "/", "."],
    longest: 100,
};

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "1\n1/3",
        "0.25\n2.5e-3",
        "1000000\n0.000001",
        "0\n0/5",
        "1e30\n1e-30",
        "1e-6\n2.5e-12",
        "-1\nNaN",
    ];
    texts.map(Vec::from).to_vec()
}

fn run(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else {
        return false;
    };
    let (first, second) = text.split_once('\n').unwrap_or((text, "1"));
    let (Some(a), Some(b)) = (read(first), read(second)) else {
        return false;
    };
    assert_eq!(a.plus(&b).minus(&b).as_ref(), Some(&a));
    assert_eq!(a.plus(&b), b.plus(&a));
    assert_eq!(a.minus(&b).is_some(), a >= b);
    match accepted(a.over(&b)) {
        Some(ratio) => assert_eq!(ratio.times(&b), a),
        None => assert!(b.is_zero()),
    }
    true
}

/// Reads a number, which must come back from how it is printed where that is short enough.
fn read(text: &str) -> Option<Rational> {
    let number = accepted(text.parse::<Rational>())?;
    for shown in [number.to_string(), number.exact_text(), number.scientific()] {
        if shown.len() <= 40 {
            assert_eq!(shown.parse::<Rational>().as_ref(), Ok(&number));
        }
    }
    if let Some((numerator, denominator)) = number.to_u64_parts() {
        assert_eq!(Rational::new(numerator, denominator).as_ref(), Ok(&number));
    }
    if let Some(epsilon) = accepted(text.parse::<Epsilon>()) {
        assert_eq!(epsilon.value(), &number);
        assert!(epsilon.to_f64() > 0.0);
        for parts in [1, 12, u64::MAX] {
            accepted(epsilon.rate_over(parts));
        }
    }
    let delta = accepted(text.parse::<Delta>());
    assert_eq!(delta.is_some(), number < Rational::new(1, 1).ok()?);
    if let Some(delta) = delta {
        assert_eq!(delta.value(), &number);
        accepted(delta.parts());
    }
    Some(number)
}
