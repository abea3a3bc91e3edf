use wayveil_core::{Origin, Universe};

use super::*;
use crate::universe::{read_universe, write_universe_table};

fn options(level: Level, label: StopLabel, route_types: &[u16]) -> FeedUniverse {
    FeedUniverse {
        level,
        label,
        route_types: route_types.to_vec(),
    }
}

fn whole(options: &FeedUniverse) -> FeedLocations {
    let from_folder = Place::folder(&WHOLE_FEED).universe(options).unwrap();
    let from_zip = Place::zip(&WHOLE_FEED).universe(options).unwrap();
    assert_eq!(from_folder.universe, from_zip.universe);
    assert_eq!(from_folder.aliases, from_zip.aliases);
    from_zip
}

/// Every location with its line.
fn lines(universe: &Universe) -> Vec<(&str, &str)> {
    let taxonomy = universe.taxonomy().unwrap();
    (0..universe.len() as u32)
        .map(|code| {
            let group = taxonomy.group_of(code) as usize;
            (
                universe.label(code),
                taxonomy.groups()[group].label.as_str(),
            )
        })
        .collect()
}

fn aliases(found: &FeedLocations) -> Vec<(&str, &str)> {
    let pairs = found.aliases.iter();
    pairs
        .map(|(one, other)| (one.as_str(), other.as_str()))
        .collect()
}

#[test]
fn stops_are_the_locations_unless_stations_are_asked_for() {
    let found = whole(&FeedUniverse::default());
    let wanted = [
        ("B", "unserved"),
        ("S1", "Metro"),
        ("S2", "Bus"),
        ("T1", "Metro"),
        ("b", "Bus"),
    ];
    assert_eq!(lines(&found.universe), wanted);
    assert_eq!((found.unserved, found.left_out, found.merged), (1, 4, 0));
    let words = "GTFS feed of Réseau, version v7, stops by stop_id";
    assert_eq!(found.universe.origin(), &Origin::Declared(words.into()));
    let codes = [
        ("501", "S1"),
        ("502", "S2"),
        ("601", "T1"),
        ("70", "b"),
        ("71", "B"),
    ];
    assert_eq!(aliases(&found), codes);
    assert_eq!(found.ambiguous_aliases, 0);
    assert_eq!(found.notes, [""; 0]);
}

#[test]
fn platforms_count_as_their_station() {
    let found = whole(&options(Level::Stations, StopLabel::StopId, &[]));
    // At S one stop-time of the metro, two of the bus.
    let wanted = [
        ("B", "unserved"),
        ("S", "Bus"),
        ("T", "Metro"),
        ("b", "Bus"),
    ];
    assert_eq!(lines(&found.universe), wanted);
    assert_eq!(
        found.universe.locations()[1].name.as_deref(),
        Some("Station S")
    );
    assert_eq!(found.universe.locations()[1].at.unwrap().lat, 45.5);
    assert_eq!((found.unserved, found.left_out), (1, 2));
    let wanted = [
        ("50", "S"),
        ("501", "S"),
        ("502", "S"),
        ("503", "S"),
        ("60", "T"),
        ("601", "T"),
        ("70", "b"),
        ("71", "B"),
        ("S1", "S"),
        ("S2", "S"),
        ("SE", "S"),
        ("T1", "T"),
    ];
    assert_eq!(aliases(&found), wanted);
}

#[test]
fn locations_may_be_called_by_code() {
    let found = whole(&options(Level::Stations, StopLabel::StopCode, &[]));
    let wanted = [
        ("71", "unserved"),
        ("50", "Bus"),
        ("60", "Metro"),
        ("70", "Bus"),
    ];
    assert_eq!(lines(&found.universe), wanted, "in the order of ids");
    assert!(aliases(&found).contains(&("S2", "50")));
    assert!(aliases(&found).contains(&("S", "50")));
    let words = "GTFS feed of Réseau, version v7, stations by stop_code";
    assert_eq!(found.universe.origin(), &Origin::Declared(words.into()));
}

#[test]
fn stops_of_one_code_are_one_location() {
    let stops = "stop_id,stop_code,stop_name,stop_lat,stop_lon\n\
                 z,1,Z,1,1\na,1,A,2,2\nm,2,M,3,3\n";
    let place = Place::zip(&[(STOPS, stops)]);
    let by_code = options(Level::Stops, StopLabel::StopCode, &[]);
    let found = place.universe(&by_code).unwrap();
    let locations = found.universe.locations();
    let names: Vec<_> = locations.iter().map(|it| it.name.as_deref()).collect();
    assert_eq!(names, [Some("A"), Some("M")]);
    assert_eq!((found.merged, found.left_out), (1, 0));
    assert_eq!(aliases(&found), [("a", "1"), ("m", "2"), ("z", "1")]);
    let stops = "stop_id,stop_code,stop_lat,stop_lon\nz,1,1,1\na,,2,2\n";
    let place = Place::zip(&[(STOPS, stops)]);
    let error = assert_says(place.universe(&by_code), &["\"a\" has no stop_code"]);
    assert_at(&error, STOPS, 3, "stop_code");
    assert!(error.advice().unwrap().contains("--label id"));
}

#[test]
fn ambiguous_aliases_are_left_out_and_counted() {
    // 7 is the code of two stops; b is the code of a and the id of another; 9 is clear.
    let stops =
        "stop_id,stop_code,stop_lat,stop_lon\na,b,1,1\nb,7,1,1\nc,7,1,1\nd,9,1,1\ne,e,1,1\n";
    let found = Place::zip(&[(STOPS, stops)])
        .universe(&FeedUniverse::default())
        .unwrap();
    assert_eq!(aliases(&found), [("9", "d")]);
    assert_eq!(found.ambiguous_aliases, 2);
}

#[test]
fn route_types_choose_locations_and_lines() {
    let found = whole(&options(Level::Stations, StopLabel::StopId, &[1]));
    assert_eq!(lines(&found.universe), [("S", "Metro"), ("T", "Metro")]);
    // SE names S without counting as it; SB, b and B are neither.
    assert_eq!((found.unserved, found.left_out), (0, 4));
    let words = "GTFS feed of Réseau, version v7, stations by stop_id, route types 1";
    assert_eq!(found.universe.origin(), &Origin::Declared(words.into()));
    assert!(
        aliases(&found).contains(&("502", "S")),
        "also a platform without a metro"
    );
    assert!(!aliases(&found).iter().any(|(name, _)| *name == "70"));
    let found = whole(&options(Level::Stops, StopLabel::StopId, &[3, 1]));
    assert_eq!(found.universe.len(), 4);

    // The code 5 is that of a stop that is kept, and of one that is not.
    let stops = "stop_id,stop_code,stop_lat,stop_lon\nS1,5,1,1\nS2,5,1,1\nT1,6,1,1\nb,8,1,1\n";
    let mut files = WHOLE_FEED;
    files[2] = (STOPS, stops);
    let metro = options(Level::Stops, StopLabel::StopId, &[1]);
    let found = Place::zip(&files).universe(&metro).unwrap();
    assert_eq!(aliases(&found), [("6", "T1")]);
    assert_eq!(found.ambiguous_aliases, 1);

    let ferry = options(Level::Stops, StopLabel::StopId, &[4]);
    let error = assert_says(
        Place::zip(&WHOLE_FEED).universe(&ferry),
        &["route types 4", "1, 3"],
    );
    assert!(error.advice().unwrap().contains("--route-type"));
    let reduced = Place::zip(&WHOLE_FEED[..4]);
    assert_says(reduced.universe(&metro), &["the feed has no trips.txt"]);
    files[3] = (ROUTES, "route_id,route_type\nm,1\nn,bus\n");
    let error = assert_says(Place::zip(&files).universe(&metro), &["\"bus\""]);
    assert_at(&error, ROUTES, 3, "route_type");
}

#[test]
fn a_feed_without_a_timetable_has_no_lines_and_says_so() {
    let found = Place::folder(&WHOLE_FEED[..4])
        .universe(&FeedUniverse::default())
        .unwrap();
    assert!(found.universe.taxonomy().is_none());
    assert_eq!(found.universe.len(), 5);
    assert!(
        found.notes[0].contains("trips.txt, stop_times.txt missing"),
        "{:?}",
        found.notes
    );
    let mut files = WHOLE_FEED;
    files[5] = (STOP_TIMES, "trip_id,stop_id\n");
    let found = Place::folder(&files)
        .universe(&FeedUniverse::default())
        .unwrap();
    assert!(found.universe.taxonomy().is_none());
    assert!(found.notes[0].contains("no scheduled trip"));
    // A feed that contradicts itself is an error.
    files[5] = (STOP_TIMES, "trip_id,stop_id\n1,S1\n1,S9\n");
    let error = assert_says(
        Place::folder(&files).universe(&FeedUniverse::default()),
        &["\"S9\" is not in stops.txt"],
    );
    assert_at(&error, STOP_TIMES, 3, "stop_id");
}

#[test]
fn a_line_may_be_called_unserved() {
    let mut files = WHOLE_FEED;
    files[3] = (
        ROUTES,
        "route_id,route_short_name\nm,unserved\nn,unserved_\n",
    );
    let found = Place::folder(&files)
        .universe(&FeedUniverse::default())
        .unwrap();
    assert_eq!(lines(&found.universe)[0], ("B", "unserved__"));
    assert_eq!(lines(&found.universe)[1], ("S1", "unserved"));
}

#[test]
fn the_feed_is_called_by_its_words() {
    let words = |files: &[(&str, &str)]| {
        let found = Place::folder(files)
            .universe(&FeedUniverse::default())
            .unwrap();
        match found.universe.origin() {
            Origin::Declared(words) => words.clone(),
            Origin::FromData => unreachable!("feeds are public"),
        }
    };
    let stops = (STOPS, STOPS_TEXT);
    assert_eq!(words(&[stops]), "GTFS feed, stops by stop_id");
    let names: String = (0..5)
        .map(|number| format!("agency {number},UTC\n"))
        .collect();
    let agency = format!("agency_name,agency_timezone\n{names}");
    assert_eq!(
        words(&[stops, (AGENCY, &agency), (FEED_INFO, "feed_lang\nfr\n")]),
        "GTFS feed of agency 0, agency 1, agency 2 and 2 more, stops by stop_id"
    );
    let long = format!("feed_version\n{}\n", "é".repeat(5000));
    assert!(words(&[stops, (FEED_INFO, &long)]).len() < 300);
}

#[test]
fn read_universe_takes_feeds() {
    let place = Place::zip(&WHOLE_FEED);
    let universe = read_universe(&place.path).unwrap();
    assert_eq!(universe, whole(&FeedUniverse::default()).universe);
    let place = Place::folder(&WHOLE_FEED);
    assert_eq!(read_universe(&place.path).unwrap(), universe);
    let missing = read_universe(std::path::Path::new("/no/such/list.txt"));
    assert_eq!(missing.unwrap_err().message(), "there is no such file");
}

#[test]
fn a_written_table_reads_back() {
    for level in [Level::Stops, Level::Stations] {
        for files in [&WHOLE_FEED[..], &WHOLE_FEED[..4]] {
            let place = Place::zip(files);
            let universe = place
                .universe(&options(level, StopLabel::StopId, &[]))
                .unwrap()
                .universe;
            let path = place.folder.path().join("universe.csv");
            write_universe_table(&path, &universe, true).unwrap();
            let back = read_universe(&path).unwrap();
            assert_eq!(back.len(), universe.len());
            for (one, other) in back.locations().iter().zip(universe.locations()) {
                assert_eq!(
                    (&one.label, &one.name, one.at),
                    (&other.label, &other.name, other.at)
                );
            }
            assert_eq!(back.taxonomy().is_some(), universe.taxonomy().is_some());
            if universe.taxonomy().is_some() {
                assert_eq!(lines(&back), lines(&universe));
            }
            assert!(write_universe_table(&path, &universe, false).is_err());
        }
    }
}
