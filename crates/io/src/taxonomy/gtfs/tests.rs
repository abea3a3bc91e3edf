use std::fs;
use std::io::Write;

use proptest::prelude::*;
use tempfile::TempDir;
use wayveil_core::Origin;

use super::*;

const ROUTES: &str = "route_id,route_short_name\nr1,Green\nr2,Blue\nr3,\n";
const TRIPS: &str = "route_id,service_id,trip_id\nr1,w,t1\nr2,w,t2\nr3,w,t3\n";
const STOPS: &str = "stop_id,stop_code,location_type,parent_station\n\
                     S,50,1,\nS1,50,0,S\nS2,50,0,S\nq,51,0,\nz,52,0,\n";
const STOP_TIMES: &str = "trip_id,stop_id,stop_sequence\n\
                          t1,S1,1\nt1,q,2\nt2,S2,1\nt2,S2,2\nt2,q,3\nt3,q,1\nt3,q,2\n";

fn feed(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The usual feed with one file replaced, or taken away.
fn feed_but(file: &str, text: Option<&str>) -> TempDir {
    let folder = feed(&[
        ("routes.txt", ROUTES),
        ("trips.txt", TRIPS),
        ("stops.txt", STOPS),
        ("stop_times.txt", STOP_TIMES),
    ]);
    let path = folder.path().join(file);
    match text {
        Some(text) => fs::write(path, text).unwrap(),
        None => fs::remove_file(path).unwrap(),
    }
    folder
}

fn universe(labels: &[&str]) -> Universe {
    Universe::from_labels(labels.iter().copied(), Origin::Declared("test".into())).unwrap()
}

/// The line of every location.
fn lines(folder: &TempDir, labels: &[&str]) -> Result<Vec<String>> {
    let taxonomy = read_gtfs_lines(folder.path(), &universe(labels))?;
    Ok(taxonomy
        .group_of_location()
        .iter()
        .map(|&group| taxonomy.groups()[group as usize].label.clone())
        .collect())
}

fn assert_error(
    folder: &TempDir,
    labels: &[&str],
    at: (&str, Option<u64>, Option<&str>),
    message: &str,
) {
    let error = lines(folder, labels).unwrap_err();
    assert!(error.message().contains(message), "{error}");
    let place = error.place().unwrap();
    assert!(place.file.ends_with(at.0), "{error}");
    assert_eq!(
        (place.line, place.column.as_deref()),
        (at.1, at.2),
        "{error}"
    );
    assert!(error.advice().is_some(), "{error}");
}

#[test]
fn a_stop_belongs_to_the_busiest_route() {
    let folder = feed_but("stops.txt", Some(STOPS));
    assert_eq!(
        lines(&folder, &["q", "S1", "S2"]).unwrap(),
        ["r3", "Green", "Blue"]
    );
    // A station has the stop-times of its platforms, also where these are locations too.
    assert_eq!(lines(&folder, &["S"]).unwrap(), ["Blue"]);
    assert_eq!(lines(&folder, &["S1", "S"]).unwrap(), ["Green", "Blue"]);
}

#[test]
fn labels_may_be_codes() {
    let folder = feed_but("stops.txt", Some(STOPS));
    assert_eq!(lines(&folder, &["51", "50"]).unwrap(), ["r3", "Blue"]);
    // One stop's id is another one's code: the column that has all labels decides.
    let crossed = "stop_id,stop_code\nS1,q\nS2,x\nq,S1\n";
    let folder = feed_but("stops.txt", Some(crossed));
    assert_eq!(lines(&folder, &["q", "S1"]).unwrap(), ["r3", "Green"]);
    assert_eq!(
        lines(&folder, &["q", "S1", "x"]).unwrap(),
        ["Green", "r3", "Blue"]
    );
}

#[test]
fn a_stop_that_shares_its_stations_code_counts_once() {
    // By code: 3 of r1 at the lone stop against 2 of r2 at a platform.
    let stops = "stop_id,stop_code,parent_station\nS,50,\nS1,50,S\nq,50,\n";
    let folder = feed_but("stops.txt", Some(stops));
    let times = "trip_id,stop_id\nt1,q\nt1,q\nt1,q\nt2,S1\nt2,S1\n";
    fs::write(folder.path().join("stop_times.txt"), times).unwrap();
    assert_eq!(lines(&folder, &["50"]).unwrap(), ["Green"]);
}

#[test]
fn ties_go_to_the_least_route_id_in_bytes() {
    let routes = "route_id\nb\n10\n9\nB\n";
    let trips = "trip_id,route_id\n1,b\n2,10\n3,9\n4,B\n";
    let folder = feed(&[
        ("routes.txt", routes),
        ("trips.txt", trips),
        (
            "stop_times.txt",
            "trip_id,stop_id\n3,x\n2,x\n1,x\n4,y\n1,y\n",
        ),
    ]);
    assert_eq!(lines(&folder, &["x", "y"]).unwrap(), ["10", "B"]);
}

#[test]
fn group_labels_are_unique_and_in_the_order_of_routes() {
    // a: fine. b, c: one short name. d: its short name is the id of e.
    let routes = "route_id,route_short_name\na,Z\nb,1\nc,1\nd,e\ne,\nf,F\n";
    let trips = "trip_id,route_id\n1,a\n2,b\n3,c\n4,d\n5,e\n";
    let times = "trip_id,stop_id\n5,v\n4,w\n3,x\n2,y\n1,z\n";
    let folder = feed(&[
        ("routes.txt", routes),
        ("trips.txt", trips),
        ("stop_times.txt", times),
    ]);
    let universe = universe(&["v", "w", "x", "y", "z"]);
    let taxonomy = read_gtfs_lines(folder.path(), &universe).unwrap();
    let labels: Vec<_> = taxonomy.groups().iter().map(|it| &*it.label).collect();
    assert_eq!(labels, ["Z", "b", "c", "d", "e"]);
    assert_eq!(taxonomy.group_of_location(), [4, 3, 2, 1, 0]);
    assert!(universe.with_taxonomy(taxonomy).is_ok());
}

#[test]
fn real_feeds_have_marks_quotes_spaces_and_carriage_returns() {
    let folder = feed(&[
        (
            "routes.txt",
            "\u{feff}\"route_id\",\"route_long_name\"\r\n\"1;2\",\"a, b\"\r\n",
        ),
        ("trips.txt", "\u{feff}route_id, trip_id\r\n1;2, t\r\n\r\n"),
        (
            "stops.txt",
            "\u{feff}stop_name,stop_id\r\n\"Berri \"\"Q\"\"\nback\",\"B\"\r\n",
        ),
        // The second row is one of on-demand service.
        (
            "stop_times.txt",
            "\u{feff}stop_id,trip_id\r\nB ,\"t\"\r\n,t\r\n",
        ),
    ]);
    assert_eq!(lines(&folder, &["B"]).unwrap(), ["1;2"]);
}

#[test]
fn what_is_no_folder_of_a_feed_is_named() {
    for (file, wanted) in [
        ("routes.txt", "the feed has no routes.txt"),
        ("trips.txt", "the feed has no trips.txt"),
        ("stop_times.txt", "the feed has no stop_times.txt"),
    ] {
        let error = lines(&feed_but(file, None), &["q"]).unwrap_err();
        assert_eq!(error.message(), wanted);
    }
    assert!(lines(&feed_but("stops.txt", None), &["q"]).is_ok());
    let folder = feed(&[("Feed.ZIP", "PK"), ("a.csv", "")]);
    for (file, wanted) in [
        ("Feed.ZIP", "neither a folder nor a zip archive"),
        ("a.csv", "neither a folder nor a zip archive"),
        ("none.zip", "there is no such folder or archive"),
    ] {
        let error = read_gtfs_lines(&folder.path().join(file), &universe(&["q"])).unwrap_err();
        assert!(error.message().contains(wanted), "{error}");
        assert!(error.advice().is_some());
    }
}

#[test]
fn an_archive_is_as_good_as_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("feed");
    let files = [
        ("in/routes.txt", ROUTES),
        ("in/trips.txt", TRIPS),
        ("in/stops.txt", STOPS),
        ("in/stop_times.txt", STOP_TIMES),
    ];
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    for labels in [&["q", "S1", "S2"][..], &["S"], &["51", "50"]] {
        assert_eq!(
            read_gtfs_lines(&path, &universe(labels)).unwrap(),
            read_gtfs_lines(feed_but("stops.txt", Some(STOPS)).path(), &universe(labels)).unwrap()
        );
    }
}

#[test]
fn missing_columns_and_broken_ids_are_placed() {
    let check = |file: &str, text: &str, at: (Option<u64>, Option<&str>), message: &str| {
        let folder = feed_but(file, Some(text));
        assert_error(&folder, &["q"], (file, at.0, at.1), message);
    };
    check(
        "routes.txt",
        "id\n",
        (Some(1), None),
        "no column \"route_id\"",
    );
    check(
        "trips.txt",
        "trip_id\n",
        (Some(1), None),
        "no column \"route_id\"",
    );
    check(
        "stops.txt",
        "stop_code\n",
        (Some(1), None),
        "no column \"stop_id\"",
    );
    check(
        "stop_times.txt",
        "trip_id\n",
        (Some(1), None),
        "no column \"stop_id\"",
    );
    let id = Some("route_id");
    check(
        "routes.txt",
        "route_id\nr\nr\n",
        (Some(3), id),
        "\"r\" stands here a second",
    );
    check(
        "routes.txt",
        "route_id\n\"\"\n",
        (Some(2), id),
        "the id is empty",
    );
    let text = "route_id,route_short_name\nr,\"a\nb\"\n";
    check(
        "routes.txt",
        text,
        (Some(2), Some("route_short_name")),
        "control character",
    );
    let text = "route_id,trip_id\nr1,t1\nr9,t2\n";
    check(
        "trips.txt",
        text,
        (Some(3), id),
        "\"r9\" is not in routes.txt",
    );
    let text = "route_id,trip_id\nr1,t1\nr1,t1\n";
    check(
        "trips.txt",
        text,
        (Some(3), Some("trip_id")),
        "\"t1\" stands here a second",
    );
    let text = "stop_id\nq\nq\n";
    check(
        "stops.txt",
        text,
        (Some(3), Some("stop_id")),
        "\"q\" stands here a second",
    );
    let text = "trip_id,stop_id\nt1,q\nt8,z\nt9,q\n";
    check(
        "stop_times.txt",
        text,
        (Some(4), Some("trip_id")),
        "\"t9\" is not in trips.txt",
    );
}

#[test]
fn locations_without_service_or_stop_are_named() {
    let folder = feed_but("stops.txt", Some(STOPS));
    let at = ("stop_times.txt", None, None);
    let message = "no scheduled trip stops at 1 of the universe's locations: \"z\"";
    assert_error(&folder, &["q", "z"], at, message);
    let at = ("stops.txt", None, Some("stop_id"));
    let message = "no stop_id for 1 of the universe's 3 locations: \"51\"";
    assert_error(&folder, &["q", "51", "z"], at, message);
    let at = ("stops.txt", None, Some("stop_code"));
    let message = "no stop_code for 1 of the universe's 3 locations: \"q\"";
    assert_error(&folder, &["q", "51", "52"], at, message);
    let folder = feed_but("stops.txt", None);
    let at = ("stop_times.txt", None, None);
    assert_error(&folder, &["q", "S"], at, "locations: \"S\"");
}

/// The rule again, without hurry: route `route` has trip `route`.
fn expected(times: &[(usize, usize)], stop: usize) -> Option<String> {
    let count = |route: usize| times.iter().filter(|it| **it == (route, stop)).count();
    let mut routes: Vec<usize> = (0..12).filter(|&route| count(route) > 0).collect();
    routes.sort_by_key(|&route| (usize::MAX - count(route), route.to_string()));
    routes.first().map(usize::to_string)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn follows_the_rule(times in prop::collection::vec((0..12usize, 0..4usize), 1..60)) {
        let ids = || (0..12).rev().map(|id| format!("{id},{id}\n"));
        let rows = times.iter().map(|(trip, stop)| format!("{trip},s{stop}\n"));
        let sheet = |header: &str, rows: Vec<String>| format!("{header}\n{}", rows.concat());
        let folder = feed(&[
            ("routes.txt", &sheet("route_id,route_short_name", ids().collect())),
            ("trips.txt", &sheet("route_id,trip_id", ids().collect())),
            ("stop_times.txt", &sheet("trip_id,stop_id", rows.collect())),
        ]);
        let expected: Vec<_> = (0..4).map(|stop| expected(&times, stop)).collect();
        let found = lines(&folder, &["s0", "s1", "s2", "s3"]);
        match expected.iter().cloned().collect::<Option<Vec<_>>>() {
            Some(expected) => prop_assert_eq!(found.unwrap(), expected),
            None => prop_assert!(found.is_err()),
        }
    }
}
