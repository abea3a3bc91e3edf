//! The parameter δ of differential privacy.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::rational::Rational;

/// The parameter δ of (ε, δ)-differential privacy: an exact rational, at least 0 and below 1.
///
/// Zero is the pure form. It is a probability of promising nothing, so that one which is not far
/// below one over the number of people hides nobody for sure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delta(Rational);

impl Delta {
    /// Checks the range.
    pub fn new(value: Rational) -> Result<Self> {
        if value >= Rational::new(1, 1)? {
            return Err(
                Error::input(format!("invalid delta (got {value}): must be below 1")).hint(ADVICE),
            );
        }
        Ok(Self(value))
    }

    /// Pure differential privacy.
    pub fn zero() -> Self {
        Self(Rational::zero())
    }

    /// The exact value.
    pub fn value(&self) -> &Rational {
        &self.0
    }

    /// Whether it is so large that among a hundred thousand people one may be given away.
    pub fn is_weak(&self) -> bool {
        self.to_f64() > 1e-5
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The nearest floating-point number, for display only.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64()
    }

    /// Numerator and denominator in lowest terms, for the exact formulas of `wayveil_noise`.
    pub fn parts(&self) -> Result<(u128, u128)> {
        self.0.to_u128_parts().ok_or_else(|| {
            Error::input(format!(
                "invalid delta (got {self}): it has too many digits to be compared exactly"
            ))
            .hint("give delta with fewer digits, for instance 1e-9")
        })
    }
}

const ADVICE: &str = "common choices are far below one over the number of people, such as 1e-9";

impl FromStr for Delta {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let value = text.parse::<Rational>().map_err(|error| {
            let reason = match text.trim().strip_prefix('-') {
                Some(size) if size.parse::<Rational>().is_ok() => "must not be negative",
                _ => error.message(),
            };
            Error::input(format!("invalid delta (got {text:?}): {reason}")).hint(ADVICE)
        })?;
        Self::new(value)
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.scientific())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_probability_below_one() {
        for bad in ["1", "1.5", "-1e-9", "", "NaN", "2/2", "1e-31"] {
            let error = bad.parse::<Delta>().unwrap_err();
            assert!(error.message().contains("delta"), "{bad:?}: {error}");
        }
        for (text, shown) in [
            ("0", "0"),
            ("1e-6", "1e-6"),
            ("0.0000025", "2.5e-6"),
            ("1/3", "1/3"),
            ("0.999", "0.999"),
        ] {
            assert_eq!(text.parse::<Delta>().unwrap().to_string(), shown);
        }
        assert!("0".parse::<Delta>().unwrap().is_zero());
    }

    #[test]
    fn its_parts_are_exact_or_refused() {
        let delta: Delta = "2.5e-30".parse().unwrap();
        assert_eq!(delta.parts().unwrap(), (1, 4 * 10u128.pow(29)));
        let fine: Delta = "0.12345678901234567e-30".parse().unwrap();
        assert!(fine.parts().is_err());
    }
}
