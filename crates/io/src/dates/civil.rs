//! A date and time of day as written, before any time zone.

use wayveil_core::{Error, Result};

use super::DateOrder;

/// The parts of a written date, checked to exist in the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    days: i64,
    seconds: i64,
    micros: i64,
    /// Seconds east of Greenwich, where written.
    pub(super) offset_seconds: Option<i32>,
}

impl Civil {
    /// Microseconds since 1970 on the local clock.
    pub(super) fn local_micros(&self) -> i64 {
        (self.days * 86_400 + self.seconds) * 1_000_000 + self.micros
    }

    /// The commonest form, `YYYY-MM-DD hh:mm:ss` with a blank or `T` and perhaps `Z`, without
    /// detours; none means only that it is not this form.
    pub(super) fn parse_common(text: &[u8]) -> Option<Self> {
        let (stamp, offset_seconds) = match text {
            [stamp @ .., b'Z'] => (stamp, Some(0)),
            stamp => (stamp, None),
        };
        let stamp: &[u8; 19] = stamp.try_into().ok()?;
        let fixed = stamp[4] == b'-'
            && stamp[7] == b'-'
            && (stamp[10] == b' ' || stamp[10] == b'T')
            && stamp[13] == b':'
            && stamp[16] == b':';
        let two = |at: usize| {
            let (tens, ones) = (
                stamp[at].wrapping_sub(b'0'),
                stamp[at + 1].wrapping_sub(b'0'),
            );
            (tens < 10 && ones < 10).then_some(u32::from(tens) * 10 + u32::from(ones))
        };
        if !fixed {
            return None;
        }
        let year = two(0)? * 100 + two(2)?;
        let (hour, minute, second) = (two(11)?, two(14)?, two(17)?);
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        Some(Self {
            days: days_since_1970(year, two(5)?, two(8)?)?,
            seconds: i64::from(hour * 3600 + minute * 60 + second),
            micros: 0,
            offset_seconds,
        })
    }

    /// Any known form.
    pub(super) fn parse(text: &str, order: Option<DateOrder>, last_hour: u32) -> Result<Self> {
        let mut rest = Rest(text.as_bytes());
        let days = rest.date(text, order)?;
        let mut civil = Self {
            days,
            seconds: 0,
            micros: 0,
            offset_seconds: None,
        };
        let parsed = rest.0.is_empty() || rest.time_and_offset(&mut civil, last_hour).is_some();
        if parsed && rest.0.is_empty() {
            Ok(civil)
        } else {
            Err(unknown_form(text))
        }
    }
}

fn unknown_form(text: &str) -> Error {
    Error::input(format!(
        "invalid date (got {text:?}): not a form that is known"
    ))
    .hint(
        "write dates as 2019-03-31 07:45:00, or say how they are written: --date-format FORMAT, \
         or --hours-beyond-midnight for a service day's 25:10",
    )
}

/// Days since 1970, if the day exists (Hinnant's algorithm).
fn days_since_1970(year: u32, month: u32, day: u32) -> Option<i64> {
    const LENGTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = *LENGTHS.get(month.checked_sub(1)? as usize)? + u32::from(leap && month == 2);
    if day == 0 || day > length {
        return None;
    }
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted - era * 400;
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

/// What is not read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.0.first() == Some(&wanted);
        self.0 = &self.0[usize::from(found)..];
        found
    }

    /// A run of `least` to `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let length = self
            .0
            .iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if length < least {
            return None;
        }
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(
            digits
                .iter()
                .fold(0, |value, digit| value * 10 + u32::from(digit - b'0')),
        )
    }

    /// Three numbers with the same separator between them, in the order that is plain or stated.
    fn date(&mut self, text: &str, order: Option<DateOrder>) -> Result<i64> {
        let year_first = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
            == 4;
        let (first, second, third) = self
            .three_numbers(year_first)
            .ok_or_else(|| unknown_form(text))?;
        let (year, month, day) = match order {
            _ if year_first => (first, second, third),
            Some(DateOrder::Dmy) => (third, second, first),
            Some(DateOrder::Mdy) => (third, first, second),
            Some(DateOrder::Ymd) => return Err(unknown_form(text)),
            None => {
                return Err(Error::input(format!(
                    "ambiguous date (got {text:?}): is it day/month/year or month/day/year?"
                ))
                .hint("--date-order dmy (or mdy)"));
            }
        };
        days_since_1970(year, month, day).ok_or_else(|| {
            Error::input(format!("invalid date (got {text:?}): there is no such day"))
                .hint("check the order of day and month: --date-order dmy (or mdy)")
        })
    }

    fn three_numbers(&mut self, year_first: bool) -> Option<(u32, u32, u32)> {
        let first = if year_first {
            self.number(4, 4)
        } else {
            self.number(1, 2)
        }?;
        let separator = *self.0.first().filter(|byte| b"-/.".contains(byte))?;
        self.take(separator);
        let second = self.number(1, 2)?;
        if !self.take(separator) {
            return None;
        }
        let third = if year_first {
            self.number(1, 2)
        } else {
            self.number(4, 4)
        }?;
        Some((first, second, third))
    }

    fn time_and_offset(&mut self, civil: &mut Civil, last_hour: u32) -> Option<()> {
        if !(self.take(b'T') || self.take(b't') || self.take(b' ')) {
            return None;
        }
        let mut hour = self.number(1, 2)?;
        let minute = if self.take(b':') {
            self.number(2, 2)?
        } else {
            return None;
        };
        let mut second = 0;
        if self.take(b':') {
            second = self.number(2, 2)?;
            if self.take(b'.') || self.take(b',') {
                civil.micros = self.fraction()?;
            }
        }
        let blank = self.take(b' ');
        if let Some(afternoon) = self.half_of_day() {
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + if afternoon { 12 } else { 0 };
        } else if !self.0.is_empty() {
            civil.offset_seconds = Some(self.offset()?);
        } else if blank {
            return None;
        }
        if hour > last_hour || minute > 59 || second > 60 {
            return None;
        }
        civil.seconds = i64::from(hour * 3600 + minute * 60 + second.min(59));
        Some(())
    }

    /// Digits after the point, as microseconds.
    fn fraction(&mut self) -> Option<i64> {
        let length = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        let padded = digits
            .iter()
            .copied()
            .chain(std::iter::repeat(b'0'))
            .take(6);
        (length > 0).then(|| padded.fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
    }

    /// `AM` or `PM`; true for the afternoon.
    fn half_of_day(&mut self) -> Option<bool> {
        let (half, rest) = self.0.split_at_checked(2)?;
        let afternoon = match half.to_ascii_uppercase().as_slice() {
            b"AM" => false,
            b"PM" => true,
            _ => return None,
        };
        self.0 = rest;
        Some(afternoon)
    }

    /// `Z`, `UTC`, `+hh`, `+hhmm` or `+hh:mm`.
    fn offset(&mut self) -> Option<i32> {
        if self.take(b'Z') || self.take(b'z') {
            return Some(0);
        }
        if self.0 == b"UTC" {
            self.0 = &[];
            return Some(0);
        }
        let sign = if self.take(b'-') {
            -1
        } else if self.take(b'+') {
            1
        } else {
            return None;
        };
        let hours = self.number(2, 2)?;
        self.take(b':');
        let minutes = if self.0.is_empty() {
            0
        } else {
            self.number(2, 2)?
        };
        (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3600 + minutes * 60) as i32)
    }
}
