//! Reads dates of any usual form, and refuses to guess.
//!
//! Read as they stand: ISO 8601 and RFC 3339 (`2019-03-01T07:45:00Z`, `2019-03-01 07:45`,
//! fractions, offsets, date alone), the same with `/` or `.` between year, month and day, and Unix
//! time. Numbers below 10¹¹ are seconds, from there on milliseconds. Dates that begin with day or
//! month need a stated [`DateOrder`]; anything else needs a format.
//!
//! Stamps without an offset are local to [`DateOptions::zone`]. Where clocks change, they are
//! taken as most software does ("compatible", RFC 5545): a time that occurs twice is the first of
//! the two, a time that is skipped moves forward by the length of the gap.
//!
//! Times are kept in microseconds; further digits are cut off. A leap second counts as the second
//! before it.

mod civil;
mod zone;

use jiff::fmt::strtime;
use wayveil_core::{Error, Result};

use civil::Civil;
use zone::Zone;

/// In which order a date names day, month and year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// Year, month, day.
    Ymd,
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
}

/// How dates are to be read.
#[derive(Clone, Debug)]
pub struct DateOptions {
    /// The order of day and month where the year does not come first; unknown unless stated.
    pub order: Option<DateOrder>,
    /// An explicit format (`strftime` style) instead of the known forms.
    pub format: Option<String>,
    /// The IANA time zone of stamps without an offset.
    pub zone: String,
    /// Whether hours up to 47 are read, as timetables write a service day that ends after
    /// midnight: 25:10 is ten past one on the next day's clock.
    pub hours_beyond_midnight: bool,
}

impl Default for DateOptions {
    fn default() -> Self {
        Self {
            order: None,
            format: None,
            zone: "UTC".into(),
            hours_beyond_midnight: false,
        }
    }
}

/// Reads dates; remembers what it learned about the zone's days.
pub struct DateParser {
    order: Option<DateOrder>,
    format: Option<String>,
    zone: Zone,
    last_hour: u32,
}

impl DateParser {
    /// Checks the options.
    pub fn new(options: &DateOptions) -> Result<Self> {
        if let Some(format) = &options.format {
            // Formatting an instant shows whether the directives are known.
            strtime::format(format, &jiff::Zoned::default()).map_err(|cause| {
                Error::input(format!("invalid date format (got {format:?}): {cause}"))
                    .hint("--date-format '%d/%m/%Y %H:%M:%S'")
            })?;
        }
        Ok(Self {
            order: options.order,
            format: options.format.clone(),
            zone: Zone::new(&options.zone)?,
            last_hour: if options.hours_beyond_midnight {
                47
            } else {
                23
            },
        })
    }

    /// Microseconds since 1970, or an error without a place.
    pub fn parse(&mut self, text: &str) -> Result<i64> {
        checked_micros(self.parse_unchecked(text)?)
    }

    fn parse_unchecked(&mut self, text: &str) -> Result<i64> {
        if self.format.is_none()
            && let Some(civil) = Civil::parse_common(text.as_bytes())
        {
            return self.instant(civil, text);
        }
        self.parse_any(text.trim_matches([' ', '\t']))
    }

    /// The instant of a local time, both in microseconds since 1970, or an error without a place.
    pub(crate) fn instant_of_local(&mut self, local: i64) -> Result<i64> {
        self.zone.instant(checked_micros(local)?, "")
    }

    fn parse_any(&mut self, text: &str) -> Result<i64> {
        if let Some(format) = &self.format {
            let parsed = strtime::parse(format, text).map_err(|cause| {
                Error::input(format!(
                    "invalid date (got {text:?}): not of the form {format:?}: {cause}"
                ))
                .hint("--date-format FORMAT says how the dates are written")
            })?;
            return self.zone.instant_of_parsed(&parsed, text);
        }
        if let Some(unix) = unix_time(text) {
            return unix;
        }
        let civil = Civil::parse(text, self.order, self.last_hour)?;
        self.instant(civil, text)
    }

    fn instant(&mut self, civil: Civil, text: &str) -> Result<i64> {
        match civil.offset_seconds {
            Some(offset) => Ok(civil.local_micros() - i64::from(offset) * 1_000_000),
            None => self.zone.instant(civil.local_micros(), text),
        }
    }
}

/// A date whose parts stand in several columns, of which one is empty.
pub(crate) fn empty_date_part() -> Error {
    Error::input("a part of the date is empty")
        .hint("every row needs all parts of its date; remove the row or fill it in")
}

/// Microseconds since 1970, if they lie in the years 1 to 9998.
pub(crate) fn checked_micros(micros: i64) -> Result<i64> {
    const YEAR_1: i64 = -62_135_596_800_000_000;
    const YEAR_9999: i64 = 253_370_764_800_000_000;
    if (YEAR_1..YEAR_9999).contains(&micros) {
        return Ok(micros);
    }
    Err(Error::input(format!(
        "invalid date (got about {} days since 1970): dates lie between the years 1 and 9998",
        micros / 86_400_000_000
    ))
    .hint("check the year, or the unit of a number"))
}

/// Unix time, if the text is a number.
fn unix_time(text: &str) -> Option<Result<i64>> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let numeric = !whole.is_empty()
        && whole.bytes().all(|byte| byte.is_ascii_digit())
        && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !numeric {
        return None;
    }
    if text == whole && looks_like_a_calendar_date(whole) {
        return Some(Err(Error::input(format!(
            "ambiguous date (got {text:?}): Unix time, or a year, or a date without separators"
        ))
        .hint(match whole.len() {
            4 => "write the whole date, or say --date-format %s for Unix time",
            8 => "--date-format %Y%m%d, or --date-format %s for Unix time",
            _ => "--date-format %Y%m%d%H%M%S",
        })));
    }
    Some(unix_micros(text, whole, fraction))
}

fn unix_micros(text: &str, whole: &str, fraction: &str) -> Result<i64> {
    const FIRST_MILLISECONDS: i64 = 100_000_000_000;
    const TOO_LARGE: i64 = 100_000_000_000_000;
    let value = whole
        .parse::<i64>()
        .ok()
        .filter(|&value| value < TOO_LARGE)
        .ok_or_else(|| {
            Error::input(format!(
                "invalid date (got {text:?}): too large for Unix milliseconds"
            ))
            .hint("divide microseconds or nanoseconds down to milliseconds")
        })?;
    let scale: i64 = if value < FIRST_MILLISECONDS {
        1_000_000
    } else {
        1_000
    };
    let mut micros = value * scale;
    let mut place = scale / 10;
    for digit in fraction.bytes() {
        micros += i64::from(digit - b'0') * place;
        place /= 10;
    }
    Ok(if text.starts_with('-') {
        -micros
    } else {
        micros
    })
}

/// `2019` and `20190301` lie in the year 2019 to most people, and in 1970 to Unix.
fn looks_like_a_calendar_date(digits: &str) -> bool {
    let part = |from: usize, to: usize| digits[from..to].parse::<u32>().unwrap_or(0);
    let day = || (1..=12).contains(&part(4, 6)) && (1..=31).contains(&part(6, 8));
    match digits.len() {
        4 => (1900..2100).contains(&part(0, 4)),
        8 | 14 => (1900..2100).contains(&part(0, 4)) && day(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
