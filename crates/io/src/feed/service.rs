//! The days on which a feed has service, and when its days end.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use jiff::civil::Date;
use rustc_hash::FxHashSet;
use wayveil_core::{Error, Result};

use super::sheet::{InColumn, text};
use super::{CALENDAR, CALENDAR_DATES, Feed, Ids, STOP_TIMES};
use crate::intern::Interner;
use crate::universe::check_label;

/// The columns of a week in `calendar.txt`, from Monday on.
const WEEK: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// When there is service, by the public timetable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// The first date with any service.
    pub first: Date,
    /// The last date with any service.
    pub last: Date,
    /// How many dates have any service.
    pub days: u64,
    /// The agencies' time zone; none where the feed has no `agency.txt`.
    pub timezone: Option<String>,
    /// The latest departure of any trip, counted from the start of its day of service, which may
    /// be after midnight; none where the feed has no times. Of trips that repeat by
    /// `frequencies.txt` only the times in `stop_times.txt` count.
    pub latest_departure: Option<ServiceTime>,
}

/// A time of a service day in seconds since its start: noon less twelve hours. Trips that go on
/// after midnight have times beyond 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceTime {
    /// Seconds since the start of the service day.
    pub seconds: u32,
}

impl ServiceTime {
    /// Reads `H:MM:SS` or `HH:MM:SS`; hours may exceed 23 and have up to three digits.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let mut part = |digits: std::ops::RangeInclusive<usize>, most: u32| {
            let part = parts.next()?;
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            (is_number && digits.contains(&part.len()))
                .then(|| part.parse::<u32>().ok())?
                .filter(|&value| value <= most)
        };
        let (hours, minutes, seconds) = (part(1..=3, 999)?, part(2..=2, 59)?, part(2..=2, 59)?);
        parts.next().is_none().then_some(Self {
            seconds: (hours * 60 + minutes) * 60 + seconds,
        })
    }
}

impl fmt::Display for ServiceTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, seconds) = (self.seconds / 60, self.seconds % 60);
        write!(f, "{:02}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
    }
}

impl Feed {
    /// When there is service by `calendar.txt` and `calendar_dates.txt`; none where the feed has
    /// neither, or no date with service in them.
    pub fn service(&self) -> Result<Option<Service>> {
        let mut days = Days::default();
        let calendar = self.read_calendar(&mut days)?;
        self.read_exceptions(&mut days, &calendar)?;
        let Some((first, last, count)) = days.count() else {
            return Ok(None);
        };
        Ok(Some(Service {
            first,
            last,
            days: count,
            timezone: self.timezone()?,
            latest_departure: self.latest_departure()?,
        }))
    }

    /// Adds the regular service, and returns it by its id.
    fn read_calendar(&self, days: &mut Days) -> Result<Calendar> {
        let mut calendar = Calendar::default();
        let Some(sheet) = self.open_sheet(CALENDAR)? else {
            return Ok(calendar);
        };
        let id = sheet.column("service_id")?;
        let (start, end) = (sheet.column("start_date")?, sheet.column("end_date")?);
        let week = WEEK
            .iter()
            .map(|day| sheet.column(day))
            .collect::<Result<Vec<_>>>()?;
        sheet.for_each(|line, fields| {
            calendar.ids.add(&fields[id], line, "service_id")?;
            let mut regular = Regular {
                first: date(fields, start, "start_date")?,
                last: date(fields, end, "end_date")?,
                runs: [false; 7],
            };
            if regular.last < regular.first {
                let problem = format!("the service ends before it begins ({})", regular.first);
                return Err((
                    "end_date",
                    Error::input(problem).hint("start_date comes first; fetch the feed again"),
                ));
            }
            for ((runs, &column), day) in regular.runs.iter_mut().zip(&week).zip(WEEK) {
                *runs = match fields[column].trim() {
                    "1" => true,
                    "0" => false,
                    other => {
                        let problem = format!("invalid day of service (got {other:?}): 0 or 1");
                        return Err((day, Error::input(problem).hint(FOLLOW)));
                    }
                };
            }
            days.add_regular(&regular);
            calendar.regular.push(regular);
            Ok(())
        })?;
        Ok(calendar)
    }

    /// Adds and takes away single dates of a service.
    fn read_exceptions(&self, days: &mut Days, calendar: &Calendar) -> Result<()> {
        let Some(sheet) = self.open_sheet(CALENDAR_DATES)? else {
            return Ok(());
        };
        let id = sheet.column("service_id")?;
        let (on, kind) = (sheet.column("date")?, sheet.column("exception_type")?);
        let (mut services, mut seen) = (Interner::default(), FxHashSet::default());
        sheet.for_each(|_, fields| {
            let on = date(fields, on, "date")?;
            let id = fields[id].trim();
            check_label(id, "id").map_err(|error| ("service_id", error))?;
            if !seen.insert((services.intern(id), on)) {
                let problem = format!("the service {id:?} has a second exception on {on}");
                let hint = "a service has one exception a day in GTFS; fetch the feed again";
                return Err(("date", Error::input(problem).hint(hint)));
            }
            let runs_anyway = calendar.runs(id, on);
            match fields[kind].trim() {
                "1" if !runs_anyway => days.change(on, 1),
                "2" if runs_anyway => days.change(on, -1),
                "1" | "2" => {}
                other => {
                    let problem = format!(
                        "invalid exception_type (got {other:?}): 1 adds service, 2 removes it"
                    );
                    return Err(("exception_type", Error::input(problem).hint(FOLLOW)));
                }
            }
            Ok(())
        })
    }

    /// The latest departure, or arrival where no departure is given.
    fn latest_departure(&self) -> Result<Option<ServiceTime>> {
        let Some(sheet) = self.open_sheet(STOP_TIMES)? else {
            return Ok(None);
        };
        let departure = sheet.optional_column("departure_time")?;
        let arrival = sheet.optional_column("arrival_time")?;
        let mut latest = None;
        sheet.for_each(|_, fields| {
            // Stops between two timed ones, and on-demand service, may have no times.
            let (time, column) = match (text(fields, departure), text(fields, arrival)) {
                ("", "") => return Ok(()),
                ("", arrival) => (arrival, "arrival_time"),
                (departure, _) => (departure, "departure_time"),
            };
            let time = ServiceTime::parse(time).ok_or_else(|| {
                let problem = format!("invalid time (got {time:?}): hours:minutes:seconds");
                let hint = "times are as in 8:05:00, or 25:35:00 after midnight";
                (column, Error::input(problem).hint(hint))
            })?;
            latest = latest.max(Some(time));
            Ok(())
        })?;
        Ok(latest)
    }
}

const FOLLOW: &str = "the file does not follow GTFS; fetch the feed again";

/// A date as GTFS writes it: eight digits.
fn date(fields: &[Cow<'_, str>], column: usize, name: &'static str) -> InColumn<Date> {
    let text = fields[column].trim();
    let number = |part: std::ops::Range<usize>| text[part].parse::<i16>().ok();
    let is_date = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    let read = || {
        let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    is_date.then(read).flatten().ok_or_else(|| {
        let problem = format!("invalid date (got {text:?}): year, month and day, as in 20260131");
        (name, Error::input(problem).hint(FOLLOW))
    })
}

/// A service that runs on some days of every week.
struct Regular {
    first: Date,
    last: Date,
    runs: [bool; 7],
}

#[derive(Default)]
struct Calendar {
    ids: Ids,
    regular: Vec<Regular>,
}

impl Calendar {
    fn runs(&self, id: &str, on: Date) -> bool {
        self.ids.find(id).is_some_and(|index| {
            let regular = &self.regular[index as usize];
            (regular.first..=regular.last).contains(&on) && regular.runs[weekday(on)]
        })
    }
}

fn weekday(date: Date) -> usize {
    usize::from(date.weekday().to_monday_zero_offset().unsigned_abs())
}

/// How many services run on each day, as changes from day to day: a service of many years costs
/// no more than one of a week.
#[derive(Default)]
struct Days {
    /// For each day of the week, how many more services run from a date on.
    regular: BTreeMap<Date, [i64; 7]>,
    /// How many more services run on a date.
    single: BTreeMap<Date, i64>,
}

impl Days {
    fn add_regular(&mut self, regular: &Regular) {
        let mut change = |at: Date, by: i64| {
            let changes = self.regular.entry(at).or_default();
            for (change, runs) in changes.iter_mut().zip(regular.runs) {
                *change += by * i64::from(runs);
            }
        };
        change(regular.first, 1);
        // Without a day after the last one of all calendars, nothing else would name it.
        change(regular.last, 0);
        if let Ok(after) = regular.last.tomorrow() {
            change(after, -1);
        }
    }

    fn change(&mut self, on: Date, by: i64) {
        *self.single.entry(on).or_default() += by;
    }

    /// The first and last date with service, and how many there are.
    fn count(&self) -> Option<(Date, Date, u64)> {
        let starts = self.regular.keys().chain(self.single.keys());
        let (start, end) = (starts.clone().min()?, starts.max()?);
        let mut found: Option<(Date, Date, u64)> = None;
        let mut running = [0; 7];
        for date in start.series(jiff::ToSpan::day(1)) {
            if date > *end {
                break;
            }
            if let Some(changes) = self.regular.get(&date) {
                for (running, change) in running.iter_mut().zip(changes) {
                    *running += change;
                }
            }
            let single = self.single.get(&date).copied().unwrap_or_default();
            if running[weekday(date)] + single > 0 {
                found = match found {
                    None => Some((date, date, 1)),
                    Some((first, _, count)) => Some((first, date, count + 1)),
                };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_beyond_midnight() {
        for (text, seconds) in [
            ("0:00:00", 0),
            ("8:05:09", 29_109),
            ("08:05:09", 29_109),
            ("25:35:00", 92_100),
            ("100:00:00", 360_000),
        ] {
            assert_eq!(ServiceTime::parse(text), Some(ServiceTime { seconds }));
        }
        for text in [
            "",
            "8",
            "8:05",
            "8:5:00",
            "8:05:60",
            "8:60:00",
            "-1:00:00",
            "8:05:00:00",
            "1000:00:00",
            "+8:05:00",
            "8.05.00",
            "8:05:00 ",
            "a:bb:cc",
            "::",
        ] {
            assert_eq!(ServiceTime::parse(text), None, "{text:?}");
        }
        assert_eq!(ServiceTime { seconds: 92_100 }.to_string(), "25:35:00");
        assert_eq!(ServiceTime { seconds: 61 }.to_string(), "00:01:01");
    }
}
