//! Coordinates in text: `[[lng,lat],[lng,lat],…]` and `lng,lat;lng,lat;…`.

use wayveil_core::{Error, Result};

use crate::events::degrees;

/// The points of a JSON list of pairs; an error without a place counts points from one. The inner
/// result is a point whose numbers are no degrees, the outer one text of another form.
pub(super) fn json_points(text: &str) -> Result<impl Iterator<Item = Result<Pair<'_>>>> {
    let inner = text
        .trim()
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let inner = inner.ok_or_else(|| no_list(text))?.trim();
    let mut rest = inner;
    let mut number = 0;
    Ok(std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        number += 1;
        let pair = next_pair(&mut rest, number);
        if pair.is_err() {
            rest = "";
        }
        Some(pair)
    }))
}

fn next_pair<'a>(rest: &mut &'a str, number: usize) -> Result<Pair<'a>> {
    let broken = || {
        Error::input(format!(
            "the point {number} of the list is not of the form [longitude,latitude]"
        ))
        .hint("a polyline is written as [[-8.61,41.14],[-8.62,41.15]]")
    };
    let inner = rest.strip_prefix('[').ok_or_else(broken)?;
    let (inside, after) = inner.split_once(']').ok_or_else(broken)?;
    let (lng, lat) = inside.split_once(',').ok_or_else(broken)?;
    let after = after.trim_start();
    *rest = match after.strip_prefix(',') {
        Some(more) if !more.trim().is_empty() => more.trim_start(),
        None if after.is_empty() => after,
        _ => return Err(broken()),
    };
    Ok(Pair { lng, lat, number })
}

/// Two numbers as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) lng: &'a str,
    pub(super) lat: &'a str,
    /// Which point of its list it is, from one.
    pub(super) number: usize,
}

impl Pair<'_> {
    /// Latitude and longitude, if they are degrees.
    pub(super) fn point(self) -> Result<(f64, f64)> {
        let place = |error: Error| {
            let words = format!("{} (point {} of its list)", error.message(), self.number);
            let hint = error.advice().unwrap_or_default().to_owned();
            Error::input(words).hint(hint)
        };
        let lat = degrees(self.lat, 90.0, "latitude").map_err(place)?;
        let lng = degrees(self.lng, 180.0, "longitude").map_err(place)?;
        Ok((lat, lng))
    }
}

fn no_list(text: &str) -> Error {
    let start: String = text.chars().take(20).collect();
    Error::input(format!(
        "invalid polyline (got {start:?}…): not a list in [ ]"
    ))
    .hint("a polyline is written as [[-8.61,41.14],[-8.62,41.15]]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(f64, f64)>> {
        json_points(text)?.map(|pair| pair?.point()).collect()
    }

    #[test]
    fn reads_lists_of_pairs() {
        assert_eq!(read("[]").unwrap(), []);
        assert_eq!(read(" [ ] ").unwrap(), []);
        assert_eq!(read("[[-8.6,41.1]]").unwrap(), [(41.1, -8.6)]);
        let two = read("[[-8.6, 41.1] , [ 1e1,-2 ]]").unwrap();
        assert_eq!(two, [(41.1, -8.6), (-2.0, 10.0)]);
    }

    #[test]
    fn names_what_is_wrong() {
        for text in [
            "",
            "[",
            "]",
            "[[1,2]",
            "[[1,2],]",
            "[[1,2][3,4]]",
            "[[1]]",
            "[1,2]",
            "[[1,2,3]]",
            "[[[1,2]]]",
            "[[1,2],,[3,4]]",
            "[[1,2]]x",
            "[[1,]]",
            "[[a,b]]",
            "null",
        ] {
            assert!(read(text).is_err(), "{text:?} was read as {:?}", read(text));
        }
        let error = read("[[1,2],[200,3]]").unwrap_err();
        assert!(
            error.message().ends_with("(point 2 of its list)"),
            "{error}"
        );
    }
}
