//! Takes a taxonomy line → stop from a published timetable.

mod stops;

use std::path::Path;

use wayveil_core::{Error, Result, Taxonomy, Universe};

use super::first_few;
use crate::feed::lines::{Lines, NEEDED, WHOLE};
use crate::feed::{Feed, STOP_TIMES};
use stops::Stops;

/// Reads the taxonomy line → stop from a GTFS feed, a folder or a zip archive.
///
/// Lines cross, but a taxonomy must be a tree; so every location gets one line by a rule on the
/// timetable alone:
///
/// - A location belongs to the route with the most scheduled stop-times at it: rows of
///   `stop_times.txt`, each counted once, whatever days its trip runs on. Of routes with equally
///   many it is the one whose `route_id` comes first in the order of bytes.
/// - Stop-times at a stop count for the stop and for its `parent_station`.
/// - The universe's labels are `stop_id`s if all of them are found there, else `stop_code`s; stops
///   of one code are one location. Without `stops.txt` they are `stop_id`s.
/// - A group is called by its `route_short_name` if no other route has that as its short name or
///   id, else by its `route_id`. Groups come in the order of `routes.txt`; routes that no location
///   belongs to are left out.
///
/// `stop_times.txt` is read as a stream; memory holds the ids of routes, trips and stops, and one
/// counter for each location and route that meet.
pub fn read_gtfs_lines(feed: &Path, universe: &Universe) -> Result<Taxonomy> {
    let feed = Feed::open(feed)?;
    if let Some(file) = NEEDED.iter().find(|file| !feed.has(file)) {
        return Err(feed.missing(file, WHOLE));
    }
    let stops = Stops::read(&feed, universe)?;
    let lines = Lines::read(&feed, &[], |stop| Ok(stops.locations(stop)))?;
    let route_of_location = lines.busiest(universe.len());
    let unserved: Vec<&str> = (universe.locations().iter())
        .zip(&route_of_location)
        .filter(|(_, route)| route.is_none())
        .map(|(location, _)| location.label.as_str())
        .collect();
    if !unserved.is_empty() {
        return Err(Error::input(format!(
            "no scheduled trip stops at {} of the universe's locations: {}",
            unserved.len(),
            first_few(&unserved)
        ))
        .in_file(feed.file_name(STOP_TIMES))
        .hint(
            "take a feed that serves them, leave them out of the universe, or write a table \
             label,parent that says where they belong",
        ));
    }
    lines.taxonomy(&route_of_location)
}

#[cfg(test)]
mod tests;
