//! Exact non-negative rationals: privacy parameters are never floating-point numbers.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// An exact rational number that is at least zero.
///
/// Read from `1`, `0.25`, `2.5e-3` or `1/3`; printed as a decimal where that is exact and short,
/// as a fraction otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rational(BigRational);

/// Longest accepted spelling; parameters are short, and exact arithmetic on huge ones is not free.
const MAX_TEXT: usize = 40;
/// Longest accepted fraction in lowest terms: more than any spelling of [`MAX_TEXT`] can need.
const MAX_EXACT_TEXT: usize = 256;
/// Largest accepted decimal exponent.
const MAX_EXPONENT: u32 = 30;

impl Rational {
    /// Zero.
    pub fn zero() -> Self {
        Self(BigRational::zero())
    }

    /// `numerator / denominator`; the denominator must not be zero.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self> {
        if denominator == 0 {
            return Err(Error::input(
                "a fraction with denominator 0 is not a number",
            ));
        }
        Ok(Self(BigRational::new(numerator.into(), denominator.into())))
    }

    /// Numerator and denominator in lowest terms, if both fit 64 bits.
    pub fn to_u64_parts(&self) -> Option<(u64, u64)> {
        Some((self.0.numer().to_u64()?, self.0.denom().to_u64()?))
    }

    /// Numerator and denominator in lowest terms, if both fit 128 bits.
    pub fn to_u128_parts(&self) -> Option<(u128, u128)> {
        Some((self.0.numer().to_u128()?, self.0.denom().to_u128()?))
    }

    /// The nearest floating-point number, for display and post-processing only.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::INFINITY)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Exact sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    /// Exact difference, or `None` where it would be negative.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Self> {
        let difference = &self.0 - &other.0;
        (!difference.is_negative()).then_some(Self(difference))
    }

    /// Exact product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    /// Exact quotient, which needs a divisor above zero.
    pub fn over(&self, divisor: &Self) -> Result<Self> {
        if divisor.is_zero() {
            return Err(Error::input("division by zero"));
        }
        Ok(Self(&self.0 / &divisor.0))
    }

    /// Exact quotient by a whole number, which must not be zero.
    pub fn divided_by(&self, divisor: u64) -> Result<Self> {
        self.over(&Self(BigInt::from(divisor).into()))
    }

    /// Reads what [`exact_text`](Self::exact_text) has written, however many digits it has, and
    /// nothing else.
    pub fn from_exact_text(text: &str) -> Result<Self> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let denominator = digits(denominator, text)?;
        if text.len() > MAX_EXACT_TEXT || denominator.is_zero() {
            return Err(invalid(text, "not an exact fraction"));
        }
        let value = Self(BigRational::new(digits(numerator, text)?, denominator));
        match value.exact_text() == text {
            true => Ok(value),
            false => Err(invalid(text, "not in lowest terms")),
        }
    }

    /// The fraction in lowest terms, always with a slash unless whole: `1/4`, `3`.
    pub fn exact_text(&self) -> String {
        self.0.to_string()
    }

    /// Exactly, with a power of ten where that reads better: `1e-6`, `2.5e-12`; from a thousandth
    /// on, and where no decimal is exact, as it is printed otherwise.
    pub fn scientific(&self) -> String {
        let thousandth = BigRational::new(1.into(), 1000.into());
        if self.is_zero() || self.0 >= thousandth {
            return self.to_string();
        }
        let Some((digits, places)) = self.decimal() else {
            return self.to_string();
        };
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let exponent = places + 1 - digits.len();
        format!("{first}{point}{rest}e-{exponent}")
    }

    /// The digits d and the number n for which this is d/10^n, both as few as they can be; none
    /// where no decimal is exact, or none of a length that can be read again.
    fn decimal(&self) -> Option<(String, usize)> {
        let mut rest = self.0.denom().clone();
        let mut places = 0;
        for prime in [2u32, 5] {
            let mut times = 0;
            while BigInt::is_zero(&(&rest % prime)) {
                rest /= prime;
                times += 1;
            }
            places = times.max(places);
        }
        if !rest.is_one() || places > MAX_TEXT as u32 {
            return None;
        }
        let scaled = &self.0 * BigInt::from(10).pow(places);
        let digits = scaled.numer().to_string();
        let exponent = (places as usize + 1).checked_sub(digits.len())?;
        let readable = digits.len() + 5 <= MAX_TEXT && exponent <= MAX_EXPONENT as usize;
        readable.then_some((digits, places as usize))
    }
}

fn invalid(text: &str, reason: &str) -> Error {
    Error::input(format!("invalid number (got {text:?}): {reason}"))
        .hint("write a whole number, a decimal such as 0.25, or a fraction such as 1/3")
}

fn digits(text: &str, whole: &str) -> Result<BigInt> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(invalid(whole, "expected digits"));
    }
    text.parse().map_err(|_| invalid(whole, "expected digits"))
}

impl FromStr for Rational {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.len() > MAX_TEXT {
            return Err(invalid(text, "longer than 40 characters"));
        }
        if text.starts_with('-') {
            return Err(invalid(text, "must not be negative"));
        }
        if let Some((numerator, denominator)) = text.split_once('/') {
            let denominator = digits(denominator, text)?;
            if denominator.is_zero() {
                return Err(invalid(text, "the denominator is zero"));
            }
            return Ok(Self(BigRational::new(
                digits(numerator, text)?,
                denominator,
            )));
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (text, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut value = BigRational::from(digits(&format!("{whole}{fraction}"), text)?);
        let ten = BigInt::from(10);
        value /= ten.pow(u32::try_from(fraction.len()).unwrap_or(u32::MAX));
        if let Some(exponent) = exponent {
            let (negative, size) = match exponent.strip_prefix('-') {
                Some(size) => (true, size),
                None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
            };
            let size = digits(size, text)?
                .to_u32()
                .filter(|&size| size <= MAX_EXPONENT)
                .ok_or_else(|| invalid(text, "the exponent is beyond 30"))?;
            let scale = ten.pow(size);
            if negative {
                value /= scale;
            } else {
                value *= scale;
            }
        }
        Ok(Self(value))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PLACES: u32 = 9;
        let scaled = &self.0 * BigInt::from(10).pow(PLACES);
        if !scaled.denom().is_one() {
            return f.write_str(&self.exact_text());
        }
        let unit = BigInt::from(10).pow(PLACES);
        let whole = scaled.numer() / &unit;
        let rest = (scaled.numer() % &unit).to_u64().unwrap_or(0);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let fraction = format!("{rest:09}");
        write!(f, "{whole}.{}", fraction.trim_end_matches('0'))
    }
}

impl TryFrom<String> for Rational {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Rational> for String {
    fn from(value: Rational) -> String {
        value.exact_text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Rational {
        text.parse().expect(text)
    }

    #[test]
    fn reads_decimals_fractions_and_exponents_exactly() {
        assert_eq!(parse("0.1"), Rational::new(1, 10).unwrap());
        assert_eq!(parse("2.50"), Rational::new(5, 2).unwrap());
        assert_eq!(parse("1e-3"), Rational::new(1, 1000).unwrap());
        assert_eq!(parse("2/6"), Rational::new(1, 3).unwrap());
        assert_eq!(parse(".5"), Rational::new(1, 2).unwrap());
        assert_eq!(parse("0.1").plus(&parse("0.2")), parse("0.3"));
    }

    #[test]
    fn refuses_what_is_no_number() {
        for bad in [
            "", ".", "-1", "NaN", "inf", "1/0", "1e400", "1e-400", "0x1", "1 2", "1.2.3", "1/2/3",
            "+1", "1e", "٣",
        ] {
            assert!(bad.parse::<Rational>().is_err(), "{bad:?} was accepted");
        }
        assert!("1".repeat(41).parse::<Rational>().is_err());
    }

    #[test]
    fn prints_decimals_where_exact() {
        assert_eq!(parse("1/4").to_string(), "0.25");
        assert_eq!(parse("1/3").to_string(), "1/3");
        assert_eq!(parse("12").to_string(), "12");
        assert_eq!(parse("1/4").exact_text(), "1/4");
    }

    #[test]
    fn small_numbers_are_shown_by_a_power_of_ten_and_come_back() {
        for (text, shown) in [
            ("0", "0"),
            ("0.000001", "1e-6"),
            ("0.001", "0.001"),
            ("0.00099", "9.9e-4"),
            ("1/1024000", "9.765625e-7"),
            ("1e-30", "1e-30"),
            ("1/3000", "1/3000"),
            ("3", "3"),
        ] {
            let value = parse(text);
            assert_eq!(value.scientific(), shown);
            assert_eq!(parse(shown), value);
        }
        // Below 10⁻³⁰ no exponent could be read again.
        assert!(parse("0.1e-30").scientific().starts_with("1/1000"));
    }

    #[test]
    fn exact_text_comes_back() {
        for text in [
            "0",
            "1",
            "1/3",
            "0.1234567890123456789012345678901234567",
            "2.5e-30",
        ] {
            let value = parse(text);
            assert_eq!(
                Rational::from_exact_text(&value.exact_text()).unwrap(),
                value
            );
        }
        for bad in [
            "2/4", "1/0", "0/1", "01", "0.5", "-1", "+1", "", "/", "1/-2", " 1",
        ] {
            assert!(Rational::from_exact_text(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn never_goes_below_zero() {
        assert_eq!(parse("0.3").minus(&parse("0.1")), Some(parse("0.2")));
        assert_eq!(parse("0.1").minus(&parse("0.3")), None);
    }
}
