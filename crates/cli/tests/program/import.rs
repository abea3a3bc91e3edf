//! Points, trips, time, timetables and columnar files through the program.

use std::io::Write;

use crate::common::Place;

const TRACKS: &str = "uid,lat,lng,datetime\n\
    a,38.715,-9.135,2024-03-04 07:55\n\
    a,38.725,-9.135,2024-03-04 08:05\n\
    a,38.725,-9.135,2024-03-04 08:06\n\
    a,38.715,-9.135,2024-03-05 02:10\n\
    b,38.715,-9.125,2024-03-05 03:10\n\
    b,0,0,2024-03-05 03:20\n";
const AREA: &str = "--area 38.70,-9.15,38.73,-9.12";

fn tracks() -> Place {
    let place = Place::new();
    place.write("tracks.csv", TRACKS);
    place.write(
        "stops.csv",
        "label,lat,lng\nSouth,38.715,-9.135\nNorth,38.7251,-9.135\nEast,38.715,-9.125\n",
    );
    place
}

fn seq(place: &Place, data: &str) -> String {
    place.ok(&format!("convert {data} --to seq -o out.seq --force"));
    std::fs::read_to_string(place.path("out.seq")).unwrap()
}

#[test]
fn points_become_cells_or_stops() {
    let place = tracks();
    let import = "import tracks.csv --format gps -o x.parquet --force";
    let report = place.json(&format!("{import} {AREA} --grid 3x3"));
    assert_eq!(
        (&report["rows"], &report["outside_area"]),
        (&6.into(), &1.into())
    );
    assert_eq!(report["locations"], 9);
    assert_eq!(seq(&place, "x.parquet"), "r1c1 r2c1 r2c1 r1c1\nr1c2\n");

    place.ok(&format!(
        "{import} --universe stops.csv --nearest 100m --collapse-stays"
    ));
    assert_eq!(seq(&place, "x.parquet"), "South North South\nEast\n");

    let report = place.json(&format!("{import} {AREA} --h3 9"));
    assert_eq!(report["symbols"], 5);
    place.ok(&format!("universe {AREA} --h3 9 -o cells.csv"));
    let whole = seq(&place, "x.parquet");
    place.ok(&format!("{import} --universe cells.csv --h3 9"));
    assert_eq!(seq(&place, "x.parquet"), whole);
}

#[test]
fn records_are_cut_by_gap_by_day_and_by_name() {
    let place = tracks();
    let import = "import tracks.csv --format gps --universe stops.csv --nearest 100m \
                  --collapse-stays -o x.parquet --force";
    place.ok(&format!("{import} --max-gap 2h"));
    assert_eq!(seq(&place, "x.parquet"), "South North\nSouth\nEast\n");
    place.ok(&format!("{import} --day-starts 03:00"));
    assert_eq!(seq(&place, "x.parquet"), "South North South\nEast\n");
    place.ok(&format!("{import} --day-starts 00:00"));
    assert_eq!(seq(&place, "x.parquet"), "South North\nSouth\nEast\n");

    place.write(
        "trips.csv",
        "uid,tid,location,date,time\na,2,B,2024-03-04,25:10\na,1,A,2024-03-04,08:00\n\
         a,2,A,2024-03-04,24:50\n",
    );
    place.write("labels.txt", "A\nB\n");
    place.ok(
        "import trips.csv --format events --universe labels.txt --trip-column tid \
         --datetime-column date,time --hours-beyond-midnight -o t.parquet",
    );
    assert_eq!(seq(&place, "t.parquet"), "A\nA B\n");
}

#[test]
fn time_becomes_bins_of_one_public_axis() {
    let place = tracks();
    let import = "import tracks.csv --format gps --universe stops.csv --nearest 100m \
                  --timezone Europe/Lisbon -o x.parquet";
    let report = place.json(&format!(
        "{import} --bin-width 1h --bin-origin 2024-03-04 --bins 24"
    ));
    assert_eq!(report["outside_axis"], 2);
    assert_eq!(seq(&place, "x.parquet"), "South@7 North@8 North@8\n");
    let info = place.json("info x.parquet");
    assert_eq!(info["time_of_day"][8], 2);
    // A time axis is whole or not at all.
    for part in ["--bin-width 1h --bin-origin 2024-03-04", "--bins 24"] {
        place.fails(&format!("{import} {part} --force"), 2, &["--bin-width 1h"]);
    }
    place.fails(
        &format!("{import} --bin-width 1.5h --bin-origin 2024-03-04 --bins 24 --force"),
        2,
        &["length of time", "15m"],
    );
}

#[test]
fn places_must_be_stated() {
    let place = tracks();
    for (flags, says) in [
        ("", "public set"),
        ("--grid 3x3", "--area"),
        ("--area 38.70,-9.15,38.73,-9.12", "--grid"),
        ("--area 38.70,-9.15,38.73,-9.12 --grid 0x3", "grid"),
        ("--area 38.70,-9.15,38.73,-9.12 --grid threex3", "32x32"),
        ("--area 38.73,-9.15,38.70,-9.12 --grid 3x3", "south"),
        ("--area 38.70,-9.15,38.73,-9.12 --h3 16", "resolution"),
        ("--h3 8", "--area"),
        ("--nearest 300m", "--universe"),
        ("--universe stops.csv --nearest far", "far"),
        ("--universe-from-data --h3 8", "never taken from the data"),
    ] {
        place.fails(
            &format!("import tracks.csv --format gps -o x.parquet {flags}"),
            2,
            &[says],
        );
    }
    let swapped = "--lat-column lng --lng-column lat";
    place.fails(
        &format!("import tracks.csv --format gps -o x.parquet {AREA} --grid 3x3 {swapped}"),
        2,
        &["swapped", "--lat-column"],
    );
    assert!(!place.path("x.parquet").exists());
}

#[test]
fn missing_coordinates_stop_or_are_counted() {
    let place = tracks();
    place.write(
        "gaps.csv",
        "uid,lat,lng,datetime\na,,-9.14,1709538900\na,38.71,-9.14,1709538901\n",
    );
    let import = format!("import gaps.csv --format gps {AREA} --grid 3x3 -o x.parquet");
    place.fails(&import, 2, &["gaps.csv:2", "column lat", "--invalid drop"]);
    let report = place.json(&format!("{import} --invalid drop"));
    assert_eq!(
        (&report["invalid_points"], &report["symbols"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_timetable_names_stops_and_knows_platforms() {
    let place = Place::new();
    let file = std::fs::File::create(place.path("feed.zip")).unwrap();
    let mut feed = zip::ZipWriter::new(file);
    let sheets = [
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
                       S1,One,45.1,-73.1,1,\nP1,One,45.1,-73.1,0,S1\nP2,Two,45.2,-73.2,0,\n",
        ),
        (
            "agency.txt",
            "agency_name,agency_url,agency_timezone\nBuses,x,America/Montreal\n",
        ),
        (
            "routes.txt",
            "route_id,route_short_name,route_type\nR,24,3\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id\nR,week,t\n"),
        (
            "stop_times.txt",
            "trip_id,departure_time,stop_id,stop_sequence\nt,25:10:00,P1,1\nt,25:20:00,P2,2\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,\
                          start_date,end_date\nweek,1,1,1,1,1,0,0,20240304,20240310\n",
        ),
    ];
    for (name, text) in sheets {
        feed.start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        feed.write_all(text.as_bytes()).unwrap();
    }
    feed.finish().unwrap();
    let facts = place.json("universe feed.zip --level stations -o stations.csv");
    assert_eq!(
        (&facts["locations"], &facts["groups"]),
        (&2.into(), &1.into())
    );
    assert_eq!(facts["service"]["days"], 5);
    assert_eq!(facts["service"]["latest_departure"], "25:20:00");
    place.write(
        "taps.csv",
        "uid,location,datetime\na,P1,1\na,P2,2\nb,S1,1\n",
    );
    let import = "import taps.csv --format events --universe feed.zip -o x.parquet --force";
    place.fails(import, 2, &["\"S1\" is not in the universe"]);
    place.ok(&format!("{import} --level stations"));
    assert_eq!(seq(&place, "x.parquet"), "S1 P2\nS1\n");
    place.ok("publish hybrid-tree x.parquet --epsilon 1 --height 2 -o release");
}

#[test]
fn what_is_converted_can_be_imported_again() {
    let place = Place::new();
    place.ok("generate city --records 300 --insecure-seed 1 -o city.parquet");
    let original = seq(&place, "city.parquet");
    place.ok("universe --area 45.4,-73.7,45.6,-73.5 --grid 2x2 -o cells.csv");
    place.ok("convert city.parquet --to csv -o city.csv");
    let labels = place.json("convert city.parquet --to geojson --what locations -o places.json");
    assert_eq!(labels["internal"], true);
    let places = place.read_json("places.json");
    let labels: Vec<&str> = places["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["properties"]["label"].as_str().unwrap())
        .collect();
    place.write("labels.txt", labels.join("\n"));
    let again = "--universe labels.txt --bins 24 -o again.parquet --force";
    place.ok(&format!("import city.csv --format csv {again}"));
    assert_eq!(seq(&place, "again.parquet"), original);
    place.write("city.seq", &original);
    place.ok(&format!(
        "import city.seq --format seq --attribute-name diagnosis {again}"
    ));
    assert_eq!(seq(&place, "again.parquet"), original);
    // A release can be opened like any other table.
    place.ok("publish prefix-tree city.parquet --epsilon 4 --height 3 -o release");
    let released = seq(&place, "release");
    place.ok(&format!(
        "import release/trajectories.parquet --format parquet --trajectory-column locations \
         --bins-column bins --without-uid {again}"
    ));
    assert_eq!(seq(&place, "again.parquet"), released);
    place.fails(
        "import city.parquet --format parquet --universe labels.txt -o y.parquet",
        2,
        &["already"],
    );
}

#[test]
fn one_person_changes_nothing_for_others() {
    let place = Place::new();
    place.write("labels.txt", "A\nB\nD\n");
    let others = "u,A,2024-01-01,morning\nu,B,2024-01-01,evening\n";
    let import = "import x.csv --format events --universe labels.txt --trip-column trip \
                  -o x.parquet --force";
    let header = "uid,location,datetime,trip\n";
    place.write("x.csv", format!("{header}{others}"));
    place.ok(import);
    let alone = seq(&place, "x.parquet");
    place.write("x.csv", format!("{header}v,D,2024-01-01,evening\n{others}"));
    place.ok(import);
    assert_eq!(seq(&place, "x.parquet"), format!("D\n{alone}"));
}

#[test]
fn a_date_in_two_columns_needs_both() {
    let place = Place::new();
    place.write("labels.txt", "A\nB\n");
    place.write(
        "x.csv",
        "uid,location,date,time\na,A,2024-01-01,08:00\na,B,2024-01-01, \n",
    );
    let import = "import x.csv --format events --universe labels.txt --datetime-column date,time";
    place.fails(
        &format!("{import} -o x.parquet"),
        2,
        &["x.csv:3", "column time", "empty"],
    );
}

#[test]
fn the_zone_of_days_may_differ_from_that_of_the_file() {
    let place = Place::new();
    let own = place.path("007/Trajectory");
    std::fs::create_dir_all(&own).unwrap();
    let rows = "39.9,116.3,0,492,40097.5,2009-10-11,14:04:30\n\
                39.9,116.3,0,492,40097.8,2009-10-11,19:30:35\n";
    std::fs::write(own.join("a.plt"), format!("1\n2\n3\n4\n5\n6\n{rows}")).unwrap();
    let report = place.json(
        "import 007 --format geolife --area 39,116,40,117 --grid 2x2 --timezone Asia/Shanghai \
         --day-starts 03:00 -o x.parquet",
    );
    // 22:04 and 03:30 in Beijing.
    assert_eq!(report["first"], "2009-10-11T14:04:30Z");
    assert_eq!(report["records"], 2);
    place.write(
        "x.csv",
        "uid,location,datetime\na,A,2009-10-11 14:04\na,A,2009-10-11 19:30\n",
    );
    place.write("labels.txt", "A\n");
    let report = place.json(
        "import x.csv --format events --universe labels.txt --local-timezone Asia/Shanghai \
         --day-starts 03:00 -o y.parquet",
    );
    assert_eq!(report["records"], 2);
}

#[test]
fn far_stops_are_not_swapped_coordinates() {
    let place = Place::new();
    place.write(
        "stops.csv",
        "label,lat,lng\nC,30.0444,31.2357\nA,24.0889,32.8998\nM,31.3543,27.2373\nS,27.9,34.3\n",
    );
    let far = "a,30.2,31.3,1\na,30.3,31.1,2\na,29.9,31.2,3\n";
    place.write(
        "x.csv",
        format!("uid,lat,lng,datetime\n{far}a,30.0444,31.2357,4\n"),
    );
    let report =
        place.json("import x.csv --format gps --universe stops.csv --nearest 300m -o x.parquet");
    assert_eq!(
        (&report["outside_area"], &report["symbols"]),
        (&3.into(), &1.into())
    );
}

#[test]
fn nothing_is_ignored_or_overwritten_by_mistake() {
    let place = tracks();
    place.write("x.seq", "A B\n");
    for (line, flag) in [
        (
            "x.seq --format seq --universe-from-data --collapse-stays",
            "--collapse-stays",
        ),
        (
            "x.seq --format seq --universe-from-data --nearest 30m",
            "--nearest",
        ),
        ("x.seq --format msnbc --bins 7", "--bins"),
        ("x.seq --format msnbc --area 0,0,1,1 --grid 4x4", "--area"),
        (
            "tracks.csv --format porto --attribute DAY_TYPE",
            "--attribute",
        ),
        (
            "tracks.csv --format adatrace --trip-column x",
            "--trip-column",
        ),
        (
            "tracks.csv --format events --universe stops.csv --area 0,0,1,1",
            "--area",
        ),
        (
            "tracks.csv --format events --universe stops.csv --itemsets flatten",
            "--itemsets",
        ),
        ("tracks.csv --format gps --unknown drop", "--unknown"),
        (
            "tracks.csv --format gps --location-column stop",
            "--location-column",
        ),
        ("tracks.csv --format tdrive --uid-column x", "--uid-column"),
    ] {
        place.fails(
            &format!("import {line} -o out.parquet"),
            2,
            &[flag, "--format"],
        );
    }
    let gps = format!("import tracks.csv --format gps {AREA} --grid 3x3 --force");
    place.fails(&format!("{gps} -o tracks.csv"), 2, &["input"]);
    place.fails(
        &format!("{gps} -o x.parquet --population="),
        2,
        &["--population"],
    );
    place.fails("universe stops.csv -o stops.csv --force", 2, &["input"]);
    place.fails("universe stops.csv -o stops.parquet", 2, &["universe.csv"]);
    place.write("stops.txt", "stop_id,stop_name\n1,One\n");
    place.fails("universe stops.txt -o u.csv", 2, &["stops.txt:1", "GTFS"]);
    place.ok("generate metro --records 100 -o metro.parquet");
    let columnar = "import metro.parquet --format events --universe stops.csv -o z.parquet";
    place.fails(columnar, 2, &["--format parquet"]);
    assert!(!place.path("out.parquet").exists());
}

#[test]
fn odd_tables_are_named_for_what_they_are() {
    let place = tracks();
    let import = "import x.csv --format events --universe stops.csv -o x.parquet";
    place.write("x.csv", "uid|location|datetime\na|South|1\n");
    place.fails(import, 2, &["--delimiter '|'"]);
    place.ok(&format!("{import} --delimiter |"));
    place.write("y.csv", "uid,location,datetime\ra,South,1\r");
    place.fails(
        "import y.csv --format events --universe stops.csv -o y.parquet",
        2,
        &["carriage return"],
    );
    place.write("z.csv", "uid,location,datetime\na, South,1\n");
    place.fails(
        "import z.csv --format events --universe stops.csv -o z.parquet",
        2,
        &["z.csv:2", "blanks around it"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_found_before_any_work() {
    // Not even the administrator can write there; the input does not exist, and is not asked for.
    Place::new().fails(
        "import missing.csv --format seq --universe-from-data -o /proc/x.parquet",
        2,
        &["/proc/x.parquet", "cannot write"],
    );
}

#[test]
fn forms_without_dates_refuse_what_needs_them() {
    let place = Place::new();
    place.write("x.seq", "A B\n");
    let import = "import x.seq --format seq --universe-from-data -o x.parquet";
    place.fails(&format!("{import} --max-gap 1h"), 2, &["--max-gap"]);
    place.fails(
        &format!("{import} --trajectory-column a"),
        2,
        &["--trajectory-column", "--format"],
    );
    place.write("m.seq", "1 2 17\n\n18\n");
    place.fails("import m.seq --format msnbc -o m.parquet", 2, &["m.seq:3"]);
    place.fails(
        "import m.seq --format msnbc --universe-from-data -o m.parquet",
        2,
        &["--universe-from-data"],
    );
    place.write("g.dat", "3\n1 2 : 5\n");
    place.fails(
        "import g.dat --format ngrams -o g.parquet",
        2,
        &["-o counts.csv"],
    );
}
