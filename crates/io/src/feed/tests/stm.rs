//! A real feed, reduced to stops, routes and calendar, where it lies beside the project.

use std::path::Path;

use jiff::civil::date;

use super::*;

fn stm() -> Option<Feed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("../shared/data/stm-gtfs");
    if folder.is_dir() {
        return Some(Feed::open(&folder).unwrap());
    }
    println!("skipped: the STM's feed is not on this machine");
    None
}

/// The figures were counted from the files with awk and Python.
#[test]
fn the_feed_of_montreal_is_read() {
    let Some(feed) = stm() else { return };
    let found = read_feed_universe(&feed, &FeedUniverse::default()).unwrap();
    assert_eq!(found.universe.len(), 8692);
    assert_eq!(found.left_out, 68 + 137);
    assert!(found.universe.locations().iter().all(|it| it.at.is_some()));
    assert!(found.universe.taxonomy().is_none() && found.notes.len() == 1);
    let by_code = FeedUniverse {
        label: StopLabel::StopCode,
        ..FeedUniverse::default()
    };
    let found = read_feed_universe(&feed, &by_code).unwrap();
    assert_eq!((found.merged + found.universe.len() as u64), 8692);
    let stations = FeedUniverse {
        level: Level::Stations,
        ..FeedUniverse::default()
    };
    let found = read_feed_universe(&feed, &stations).unwrap();
    assert_eq!(found.universe.len(), 8620 + 68);
    let is_metro = |label: &str| label.starts_with("STATION_M");
    let labels = found
        .universe
        .locations()
        .iter()
        .map(|it| it.label.as_str());
    assert_eq!(labels.filter(|label| is_metro(label)).count(), 68);
    assert!(
        found
            .aliases
            .contains(&("43".into(), "STATION_M118".into()))
    );
    assert!(
        found
            .aliases
            .contains(&("10118".into(), "STATION_M118".into()))
    );

    let service = feed.service().unwrap().unwrap();
    assert_eq!(
        (service.first, service.last),
        (date(2026, 1, 5), date(2026, 6, 14))
    );
    assert_eq!(service.days, 161);
    assert_eq!(service.timezone.as_deref(), Some("America/Montreal"));
    assert_eq!(service.latest_departure, None);
    assert_eq!(
        feed.agencies().unwrap(),
        ["Société de transport de Montréal"]
    );
}
