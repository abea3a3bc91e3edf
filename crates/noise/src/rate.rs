//! The parameter of the noise, as an exact rational.

use core::fmt;

use num_integer::Integer;

/// Why a rate was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// The numerator or the denominator is zero.
    #[error("invalid rate (got {num}/{den}): it must be a positive fraction")]
    NotPositive {
        /// The numerator as given.
        num: u128,
        /// The denominator as given.
        den: u128,
    },
    /// In lowest terms a part reaches [`Rate::LIMIT`].
    #[error("invalid rate (got {num}/{den} in lowest terms): both parts must be below 2^40")]
    TooFine {
        /// The reduced numerator.
        num: u128,
        /// The reduced denominator.
        den: u128,
    },
}

/// A positive rational `num/den` in lowest terms: the ε spent on one count of sensitivity 1.
///
/// Noise of rate r has P[X = x] proportional to α^|x| with α = e^(−r); its scale is 1/r.
///
/// Both parts are below 2^40. This is what makes the 128-bit arithmetic of the samplers safe: with
/// at most 2^20 whole units of an exponential variable and 64 bits of its fraction, the largest
/// product formed is below 2^(20+1+64+40) = 2^125, and the largest noise below 2^61.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rate {
    num: u64,
    den: u64,
}

impl Rate {
    /// Exclusive bound on both parts, in lowest terms.
    pub const LIMIT: u64 = 1 << 40;

    /// The rate `num/den`, reduced.
    pub fn new(num: u64, den: u64) -> Result<Rate, RateError> {
        Rate::reduced(num.into(), den.into())
    }

    fn reduced(num: u128, den: u128) -> Result<Rate, RateError> {
        if num == 0 || den == 0 {
            return Err(RateError::NotPositive { num, den });
        }
        let common = num.gcd(&den);
        let (num, den) = (num / common, den / common);
        let part = |x: u128| u64::try_from(x).ok().filter(|&x| x < Rate::LIMIT);
        match (part(num), part(den)) {
            (Some(num), Some(den)) => Ok(Rate { num, den }),
            _ => Err(RateError::TooFine { num, den }),
        }
    }

    /// The numerator in lowest terms.
    pub fn numer(&self) -> u64 {
        self.num
    }

    /// The denominator in lowest terms.
    pub fn denom(&self) -> u64 {
        self.den
    }

    /// The nearest float, for reports and for guesses that are checked exactly.
    pub fn as_f64(&self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// This rate times a whole number.
    pub fn checked_mul(&self, factor: u64) -> Result<Rate, RateError> {
        Rate::reduced(u128::from(self.num) * u128::from(factor), self.den.into())
    }

    /// This rate divided by a whole number.
    pub fn checked_div(&self, divisor: u64) -> Result<Rate, RateError> {
        Rate::reduced(self.num.into(), u128::from(self.den) * u128::from(divisor))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.num, self.den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_reduced_before_it_is_bounded() {
        let rate = Rate::new(6 << 40, 4 << 40).unwrap();
        assert_eq!((rate.numer(), rate.denom()), (3, 2));
        assert_eq!(rate.as_f64(), 1.5);
        assert_eq!(rate.to_string(), "3/2");
        assert!(Rate::new(1, (1 << 40) - 1).is_ok());
        assert!(matches!(
            Rate::new(1, 1 << 40),
            Err(RateError::TooFine { .. })
        ));
        assert!(matches!(
            Rate::new(u64::MAX, 2),
            Err(RateError::TooFine { .. })
        ));
    }

    #[test]
    fn zero_is_refused_everywhere() {
        let rate = Rate::new(1, 2).unwrap();
        for refused in [
            Rate::new(0, 1),
            Rate::new(1, 0),
            rate.checked_mul(0),
            rate.checked_div(0),
        ] {
            assert!(matches!(refused, Err(RateError::NotPositive { .. })));
        }
        let message = Rate::new(0, 3).unwrap_err().to_string();
        assert_eq!(
            message,
            "invalid rate (got 0/3): it must be a positive fraction"
        );
    }

    #[test]
    fn whole_multiples_and_parts() {
        let rate = Rate::new(3, 4).unwrap();
        assert_eq!(rate.checked_mul(8), Rate::new(6, 1));
        assert_eq!(rate.checked_div(12), Rate::new(1, 16));
        assert!(rate.checked_mul(u64::MAX).is_err());
        assert!(rate.checked_div(u64::MAX).is_err());
    }
}
