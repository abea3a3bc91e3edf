//! `wayveil universe`: from public sources to the table that `import` takes.

use super::common::Place;

fn feed() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("feed")).unwrap();
    place
        .write(
            "feed/agency.txt",
            "agency_name,agency_timezone\n\"Réseau, SA\",Europe/Paris\n",
        )
        .write("feed/feed_info.txt", "feed_version\n7\n")
        .write(
            "feed/stops.txt",
            "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
             S,10,\"Gare \"\"S\"\", nord\",48.1,2.1,1,\nS1,11,Voie 1,48.123456789012345,2.1,0,S\n\
             q,12,,48.2,2.2,0,\n",
        )
        .write(
            "feed/routes.txt",
            "route_id,route_short_name,route_type\nm,M,1\nb,B,3\n",
        )
        .write("feed/trips.txt", "route_id,trip_id\nm,1\nb,2\n")
        .write(
            "feed/stop_times.txt",
            "trip_id,departure_time,stop_id\n1,25:10:00,S1\n2,9:00:00,q\n",
        )
        .write(
            "feed/calendar_dates.txt",
            "service_id,date,exception_type\nx,20260301,1\ny,20260303,1\n",
        );
    place
}

#[test]
fn a_feed_becomes_a_table() {
    let place = feed();
    let text = place.ok("universe feed -o stops.csv");
    for part in [
        "locations         2\n",
        "with coordinates  2\n",
        "groups            2\n",
        "agency            Réseau, SA\n",
        "time zone         Europe/Paris\n",
        "service days      2\n",
        "2026-03-01 to 2026-03-03",
        "25:10:00",
        "wrote stops.csv",
    ] {
        assert!(text.contains(part), "{text}\nlacks {part:?}");
    }
    assert_eq!(
        std::fs::read_to_string(place.path("stops.csv")).unwrap(),
        "label,name,lat,lng,parent\nS1,Voie 1,48.123456789012344,2.1,M\nq,,48.2,2.2,B\n"
    );
    place.fails(
        "universe feed -o stops.csv",
        2,
        &["exists already", "--force"],
    );
    let summary = place.json("universe feed --level stations --label code --force -o stops.csv");
    assert_eq!(summary["locations"], 2);
    assert_eq!(summary["timezone"], "Europe/Paris");
    assert_eq!(summary["service"]["latest_departure"], "25:10:00");
    assert_eq!(
        summary["origin"],
        "GTFS feed of Réseau, SA, version 7, stations by stop_code"
    );
    assert_eq!(
        std::fs::read_to_string(place.path("stops.csv")).unwrap(),
        "label,name,lat,lng,parent\n10,\"Gare \"\"S\"\", nord\",48.1,2.1,M\n12,,48.2,2.2,B\n"
    );
    let summary = place.json("universe feed --route-type 1 -o metro.csv");
    assert_eq!(summary["locations"], 1);
    // The table is what an import takes, and so is the feed itself.
    place.write(
        "taps.csv",
        "uid,location,datetime\n1,S1,2026-03-01\n1,q,2026-03-01\n",
    );
    place.ok("universe feed --force -o stops.csv");
    place.ok("import taps.csv --format events --universe stops.csv -o x.parquet");
    place.ok("import taps.csv --format events --universe feed -o y.parquet");
    place.ok("publish hybrid-tree x.parquet --epsilon 1 --height 2 --taxonomy-gtfs feed -o r");
}

#[test]
fn a_table_made_again_is_the_same() {
    let place = feed();
    place.ok("universe feed -o one.csv");
    let summary = place.json("universe one.csv -o two.csv");
    assert_eq!(summary["groups"], 2);
    let read = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert_eq!(read("one.csv"), read("two.csv"));
    place.write("list.txt", "A\n\"B\", c\n");
    let summary = place.json("universe list.txt -o list.csv");
    assert_eq!(
        (&summary["locations"], &summary["with_coordinates"]),
        (&2.into(), &0.into())
    );
    let table = "label,name,lat,lng,parent\nA,,,,\n\"\"\"B\"\", c\",,,,\n";
    assert_eq!(String::from_utf8(read("list.csv")).unwrap(), table);
}

#[test]
fn what_cannot_be_read_leaves_nothing_behind() {
    let place = feed();
    std::fs::create_dir(place.path("empty")).unwrap();
    place
        .write("list.txt", "A\n")
        .write("broken.zip", b"PK\x03\x04 and so on");
    for (line, says) in [
        ("universe empty -o x.csv", "no stops.txt"),
        ("universe broken.zip -o x.csv", "broken.zip"),
        ("universe none.zip -o x.csv", "no such file"),
        ("universe list.txt --level stops -o x.csv", "--level"),
        ("universe list.txt --route-type 1 -o x.csv", "--route-type"),
        ("universe feed --route-type 4 -o x.csv", "route types 4"),
        ("universe feed -o no/x.csv", "mkdir"),
    ] {
        place.fails(line, 2, &[says]);
    }
    std::fs::remove_file(place.path("feed/trips.txt")).unwrap();
    place.fails("universe feed --route-type 1 -o x.csv", 2, &["trips.txt"]);
    assert_eq!(place.names(), ["broken.zip", "empty", "feed", "list.txt"]);
    let summary = place.json("universe feed -o x.csv");
    assert!(
        summary["notes"][0]
            .as_str()
            .unwrap()
            .contains("no timetable")
    );
    assert_eq!(summary["groups"], 0);
}
