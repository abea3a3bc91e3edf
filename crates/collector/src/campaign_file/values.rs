//! Values of the campaign file that are more than a number or a text.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use wayveil_core::{Error, Result};

/// Longer than any campaign: a mistake rather than a wish.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Reads a duration such as `90s`, `15m`, `24h` or `7d`.
pub(super) fn duration(text: &str) -> Result<Duration> {
    let invalid = |why: &str| {
        Error::input(format!("invalid duration (got {text:?}): {why}"))
            .hint("write a whole number and a unit: 90s, 15m, 24h or 7d")
    };
    let unit = text.chars().last().ok_or_else(|| invalid("it is empty"))?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 24 * 3600,
        _ => return Err(invalid("the unit is missing or not known")),
    };
    let digits = &text[..text.len() - unit.len_utf8()];
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid("a whole number stands before the unit"));
    }
    let number: u64 = digits.parse().map_err(|_| invalid("it is too long"))?;
    let whole = number.checked_mul(seconds).map(Duration::from_secs);
    match whole {
        Some(Duration::ZERO) => Err(invalid("it must be above zero")),
        Some(whole) if whole <= LONGEST => Ok(whole),
        _ => Err(invalid("it is longer than a year")),
    }
}

/// Where the counts of a campaign are kept.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// A file on this machine.
    Sqlite(PathBuf),
    /// A connection string. It may hold a password, and is never printed.
    Postgres(String),
}

impl StoreAddress {
    /// Reads `sqlite:FILE` (relative to `folder`) or `postgres://…`.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        if let Some(file) = text.strip_prefix("sqlite:")
            && !file.is_empty()
            && !file.starts_with("//")
            && !file.starts_with(':')
        {
            return Ok(Self::Sqlite(folder.join(file)));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        // The text is not repeated: it may be a connection string with a password.
        Err(Error::input("this is no store").hint("write sqlite:FILE or postgres://…"))
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Self::Postgres(_) => f.write_str("Postgres(…)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [("90s", 90), ("15m", 900), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(duration(text).unwrap(), Duration::from_secs(seconds));
        }
        for bad in [
            "",
            "h",
            "24",
            "24 h",
            "-1h",
            "+1h",
            "1.5h",
            "0s",
            "367d",
            "24ℎ",
            "99999999999999999999s",
            "18446744073709551615d",
        ] {
            let error = duration(bad).unwrap_err();
            assert!(error.advice().is_some(), "{bad:?}: {error}");
        }
    }

    #[test]
    fn a_password_is_never_printed() {
        let secret = "postgres://wayveil:hunter2@db/campaign";
        let address = StoreAddress::parse(secret, Path::new("")).unwrap();
        assert_eq!(format!("{address:?}"), "Postgres(…)");
        let typo = StoreAddress::parse("postgers://wayveil:hunter2@db/campaign", Path::new(""));
        assert!(!format!("{:?}", typo.unwrap_err()).contains("hunter2"));
    }

    #[test]
    fn files_lie_beside_the_campaign() {
        let address = StoreAddress::parse("sqlite:a.db", Path::new("/srv")).unwrap();
        assert_eq!(address, StoreAddress::Sqlite("/srv/a.db".into()));
        for bad in [
            "sqlite:",
            "sqlite::memory:",
            "sqlite://a.db",
            "a.db",
            "mysql://x",
        ] {
            assert!(StoreAddress::parse(bad, Path::new("")).is_err(), "{bad}");
        }
    }
}
