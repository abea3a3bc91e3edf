//! Who publishes a feed, and which version of it this is.

use jiff::tz::TimeZone;
use wayveil_core::{Error, Result};

use super::sheet::text;
use super::{AGENCY, FEED_INFO, Feed};
use crate::universe::check_label;

/// How many agencies are named before the rest is only counted.
const NAMED: usize = 3;
/// The longest piece of a feed's words that is quoted elsewhere, in characters.
const LONGEST_WORDS: usize = 100;

impl Feed {
    /// The names of the agencies, in the order of `agency.txt`; none where the feed lacks it.
    pub fn agencies(&self) -> Result<Vec<String>> {
        let Some(sheet) = self.open_sheet(AGENCY)? else {
            return Ok(Vec::new());
        };
        let name = sheet.column("agency_name")?;
        let mut names = Vec::new();
        sheet.for_each(|_, fields| {
            let name = fields[name].trim();
            check_label(name, "name").map_err(|error| ("agency_name", error))?;
            names.push(name.to_owned());
            Ok(())
        })?;
        Ok(names)
    }

    /// The time zone of the feed's dates and times; none where the feed has no `agency.txt`.
    pub fn timezone(&self) -> Result<Option<String>> {
        let Some(sheet) = self.open_sheet(AGENCY)? else {
            return Ok(None);
        };
        let column = sheet.column("agency_timezone")?;
        let mut zone: Option<(String, u64)> = None;
        sheet.for_each(|line, fields| {
            let name = fields[column].trim();
            let wrong = |problem: String, hint: &str| {
                Err(("agency_timezone", Error::input(problem).hint(hint)))
            };
            match &zone {
                Some((known, _)) if known == name => {}
                Some((known, first)) => {
                    return wrong(
                        format!(
                            "the agencies disagree on the time zone: {name:?} here, {known:?} in \
                             line {first}"
                        ),
                        "GTFS asks for one; split the feed by agency",
                    );
                }
                None if TimeZone::get(name).is_err() => {
                    return wrong(
                        format!("invalid time zone (got {name:?}): not in the IANA database"),
                        "the name is as in America/Montreal",
                    );
                }
                None => zone = Some((name.to_owned(), line)),
            }
            Ok(())
        })?;
        Ok(zone.map(|(name, _)| name))
    }

    /// The feed in public words: agencies and version, and never where it lies.
    pub(super) fn in_words(&self) -> Result<String> {
        let agencies = self.agencies()?;
        let named: Vec<String> = agencies.iter().take(NAMED).map(|it| short(it)).collect();
        let mut words = "GTFS feed".to_owned();
        if !named.is_empty() {
            words += &format!(" of {}", named.join(", "));
        }
        if agencies.len() > NAMED {
            words += &format!(" and {} more", agencies.len() - NAMED);
        }
        if let Some(version) = self.version()? {
            words += &format!(", version {}", short(&version));
        }
        Ok(words)
    }

    /// The version by `feed_info.txt`.
    fn version(&self) -> Result<Option<String>> {
        let Some(sheet) = self.open_sheet(FEED_INFO)? else {
            return Ok(None);
        };
        let column = sheet.optional_column("feed_version")?;
        let mut version = None;
        sheet.for_each(|_, fields| {
            let found = text(fields, column);
            if !found.is_empty() {
                check_label(found, "version").map_err(|error| ("feed_version", error))?;
                version.get_or_insert(found.to_owned());
            }
            Ok(())
        })?;
        Ok(version)
    }
}

fn short(words: &str) -> String {
    match words.char_indices().nth(LONGEST_WORDS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}
