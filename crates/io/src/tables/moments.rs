//! Columns of dates and times of day, of whatever type.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, TimeUnit};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use wayveil_core::{Error, Result};

use super::place::missing;
use super::texts::{Texts, is_text_or_integer};
use crate::dates::{DateParser, checked_micros, empty_date_part};

const DAY: i64 = 86_400_000_000;

/// Whether a single column of this type says when.
pub(super) fn is_moment(data_type: &DataType) -> bool {
    is_text_or_integer(data_type) || is_date(data_type)
}

/// Whether a column of this type can be one of several that say when.
pub(super) fn is_part(data_type: &DataType) -> bool {
    let zoned = matches!(data_type, DataType::Timestamp(_, Some(_)));
    !zoned && (is_moment(data_type) || is_time_of_day(data_type))
}

fn is_date(data_type: &DataType) -> bool {
    use DataType::{Date32, Date64, Timestamp};
    matches!(data_type, Timestamp(..) | Date32 | Date64)
}

fn is_time_of_day(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Time32(_) | DataType::Time64(_))
}

/// When, by row.
pub(super) enum Moments<'a> {
    /// Instants.
    Known(Micros),
    /// The local clock; a time of day may stand apart.
    Local(Micros, Option<Micros>),
    /// Text that is still to be read.
    Written(Vec<Part<'a>>),
}

pub(super) enum Part<'a> {
    Text(Texts<'a>),
    Date(Micros),
    TimeOfDay(Micros),
}

impl<'a> Moments<'a> {
    /// None for types other than those of [`is_moment`] and [`is_part`].
    pub(super) fn of(columns: &[&'a ArrayRef]) -> Option<Self> {
        match columns {
            [only] if is_date(only.data_type()) => {
                let micros = Micros::of(only)?;
                match only.data_type() {
                    DataType::Timestamp(_, Some(_)) => Some(Self::Known(micros)),
                    _ => Some(Self::Local(micros, None)),
                }
            }
            [date, time] if is_date(date.data_type()) && is_time_of_day(time.data_type()) => {
                Some(Self::Local(Micros::of(date)?, Some(Micros::of(time)?)))
            }
            parts => {
                let part = |&column: &&'a ArrayRef| match column.data_type() {
                    date if is_date(date) => Micros::of(column).map(Part::Date),
                    time if is_time_of_day(time) => Micros::of(column).map(Part::TimeOfDay),
                    _ => Texts::of(column).map(Part::Text),
                };
                parts
                    .iter()
                    .map(part)
                    .collect::<Option<_>>()
                    .map(Self::Written)
            }
        }
    }

    /// Microseconds since 1970, or an error and which of the columns it concerns.
    pub(super) fn get(
        &self,
        row: usize,
        dates: &mut DateParser,
        scratch: &mut String,
    ) -> Result<i64, (Error, usize)> {
        let none = |column: usize| move || (missing("date"), column);
        let first = |error: Error| (error, 0);
        match self {
            Self::Known(micros) => {
                checked_micros(micros.get(row).ok_or_else(none(0))?).map_err(first)
            }
            Self::Local(date, time) => {
                let date = date.get(row).ok_or_else(none(0))?;
                let time = match time {
                    Some(time) => time.get(row).ok_or_else(none(1))?,
                    None => 0,
                };
                let local = date.saturating_add(time);
                dates.instant_of_local(local).map_err(first)
            }
            Self::Written(parts) => match parts.as_slice() {
                [Part::Text(texts)] => {
                    let text = texts.get(row, scratch).ok_or_else(none(0))?;
                    dates.parse(text).map_err(first)
                }
                parts => {
                    let mut joined = String::new();
                    for (column, part) in parts.iter().enumerate() {
                        let text = part.text(row, scratch).map_err(|error| (error, column))?;
                        let text = text.ok_or_else(none(column))?;
                        if text.trim().is_empty() {
                            return Err((empty_date_part(), column));
                        }
                        if column > 0 {
                            joined.push(' ');
                        }
                        joined.push_str(text.trim());
                    }
                    dates.parse(&joined).map_err(first)
                }
            },
        }
    }
}

impl Part<'_> {
    fn text(&self, row: usize, scratch: &mut String) -> Result<Option<String>> {
        let civil = |micros: i64| -> Result<DateTime> {
            let stamp = Timestamp::from_microsecond(checked_micros(micros)?);
            let stamp = stamp.map_err(|cause| Error::input(format!("invalid date: {cause}")))?;
            Ok(TimeZone::UTC.to_datetime(stamp))
        };
        Ok(match self {
            Self::Text(texts) => texts.get(row, scratch).map(str::to_owned),
            Self::Date(days) => match days.get(row) {
                Some(micros) if micros.rem_euclid(DAY) == 0 => {
                    Some(civil(micros)?.date().to_string())
                }
                Some(micros) => {
                    let written = civil(micros)?;
                    return Err(Error::input(format!(
                        "the date {written} has a time of day, and another column holds one, too"
                    ))
                    .hint("name one column with --datetime-column"));
                }
                None => None,
            },
            Self::TimeOfDay(times) => match times.get(row) {
                Some(micros) => Some(civil(micros)?.time().to_string()),
                None => None,
            },
        })
    }
}

/// Microseconds since 1970 or since midnight. What does not fit lies at the ends of the range, far
/// outside of what is taken as a date.
pub(super) struct Micros {
    values: Vec<i64>,
    nulls: Option<NullBuffer>,
}

impl Micros {
    fn of(array: &dyn Array) -> Option<Self> {
        use DataType::{Date32, Date64, Time32, Time64, Timestamp};
        use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
        let values = match array.data_type() {
            Timestamp(Second, _) => scaled::<TimestampSecondType>(array, 1_000_000)?,
            Timestamp(Millisecond, _) => scaled::<TimestampMillisecondType>(array, 1_000)?,
            Timestamp(Microsecond, _) => scaled::<TimestampMicrosecondType>(array, 1)?,
            Timestamp(Nanosecond, _) => cut_off::<TimestampNanosecondType>(array)?,
            Date32 => scaled::<Date32Type>(array, DAY)?,
            Date64 => scaled::<Date64Type>(array, 1_000)?,
            Time32(Second) => scaled::<Time32SecondType>(array, 1_000_000)?,
            Time32(Millisecond) => scaled::<Time32MillisecondType>(array, 1_000)?,
            Time64(Microsecond) => scaled::<Time64MicrosecondType>(array, 1)?,
            Time64(Nanosecond) => cut_off::<Time64NanosecondType>(array)?,
            _ => return None,
        };
        Some(Self {
            values,
            nulls: array.nulls().cloned(),
        })
    }

    fn get(&self, row: usize) -> Option<i64> {
        let null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        self.values.get(row).copied().filter(|_| !null)
    }
}

fn scaled<T: ArrowPrimitiveType<Native: Into<i64>>>(
    array: &dyn Array,
    scale: i64,
) -> Option<Vec<i64>> {
    let values = array.as_primitive_opt::<T>()?.values();
    let micros = |&value: &T::Native| value.into().saturating_mul(scale);
    Some(values.iter().map(micros).collect())
}

/// Nanoseconds; digits after the sixth are cut off, as in text.
fn cut_off<T: ArrowPrimitiveType<Native = i64>>(array: &dyn Array) -> Option<Vec<i64>> {
    let values = array.as_primitive_opt::<T>()?.values();
    Some(values.iter().map(|nanos| nanos.div_euclid(1_000)).collect())
}
