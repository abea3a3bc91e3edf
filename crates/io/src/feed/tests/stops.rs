use super::*;

const HEADER: &str = "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station\n";

fn read(stops: &str) -> Result<FeedLocations> {
    Place::zip(&[(STOPS, stops)]).universe(&FeedUniverse::default())
}

/// Rows below the usual header, and the place of the error.
fn fails(rows: &str, line: u64, column: &str, says: &[&str]) {
    let error = assert_says(read(&format!("{HEADER}{rows}")), says);
    assert_at(&error, "feed.zip/stops.txt", line, column);
}

#[test]
fn files_come_with_marks_returns_and_quotes() {
    let text = "\u{feff}\"stop_name\", stop_lon ,stop_lat,stop_id\r\n\
                \"Berri, \"\"Q\"\"\", -73.5 ,45.5, x \r\n\r\n\"\",-73.25,45,\"y\"\r\n";
    let universe = read(text).unwrap().universe;
    let [y, x] = [&universe.locations()[1], &universe.locations()[0]];
    assert_eq!(
        (x.label.as_str(), x.name.as_deref()),
        ("x", Some("Berri, \"Q\""))
    );
    assert_eq!((y.label.as_str(), y.name.as_deref()), ("y", None));
    assert_eq!(x.at.map(|at| (at.lat, at.lng)), Some((45.5, -73.5)));
    assert!(universe.taxonomy().is_none());
}

#[test]
fn missing_files_and_columns_are_named() {
    let empty = Place::folder(&[]);
    assert_says(
        empty.universe(&FeedUniverse::default()),
        &["the feed has no stops.txt"],
    );
    let other = Place::zip(&[(AGENCY, AGENCY_TEXT)]);
    assert_says(
        other.universe(&FeedUniverse::default()),
        &["the feed has no stops.txt"],
    );
    for (header, missing) in [
        ("stop_lat,stop_lon", "stop_id"),
        ("stop_id,stop_lon", "stop_lat"),
        ("stop_id,stop_lat", "stop_lon"),
    ] {
        let error = assert_says(
            read(&format!("{header}\n1,2\n")),
            &["there is no column", missing],
        );
        assert_eq!(error.place().unwrap().line, Some(1));
    }
    assert_says(read(""), &["the file is empty"]);
    assert_says(read(HEADER), &["there is no stop"]);
    assert_says(
        read(&format!("{HEADER}S,,,1,2,1,\n")),
        &["there is no stop"],
    );
    assert_says(
        read("stop_id,stop_id,stop_lat,stop_lon\n"),
        &["two columns"],
    );
}

#[test]
fn ids_are_checked() {
    fails(
        "a,,,1,2,,\nb,,,1,2,,\na,,,1,2,,\n",
        4,
        "stop_id",
        &["\"a\"", "first in line 2"],
    );
    fails(",,,1,2,,\n", 2, "stop_id", &["the id is empty"]);
    fails("a,\u{7},,1,2,,\n", 2, "stop_code", &["control character"]);
    fails(
        "a,,\"x\ny\",1,2,,\n",
        2,
        "stop_name",
        &["control character"],
    );
    fails("a,,,1,2,\n", 2, "parent_station", &["7"]);
}

#[test]
fn coordinates_are_checked() {
    for (lat, lng, column) in [
        ("", "2", "stop_lat"),
        ("1", "", "stop_lon"),
        ("", "", "stop_lat"),
        ("90.5", "2", "stop_lat"),
        ("-73.5", "181", "stop_lon"),
        ("NaN", "2", "stop_lat"),
        ("1", "inf", "stop_lon"),
        ("1,5", "2", "stop_lat"),
        ("0", "0.0", "stop_lat"),
        ("-0", "0", "stop_lat"),
    ] {
        for kind in ["", "0", "1", "2"] {
            let row = format!("ok,,,1,2,,\na,,,\"{lat}\",{lng},{kind},\n");
            fails(&row, 3, column, &["coordinate"]);
        }
    }
    // Nodes and boarding areas need none, but what they have must be right.
    assert!(read(&format!("{HEADER}ok,,,0,2,,\na,,,,,3,\nb,,,,,4,ok\n")).is_ok());
    fails("ok,,,1,0,,\na,,,91,2,3,\n", 3, "stop_lat", &["coordinate"]);
    fails("ok,,,1,0,,\na,,,1,,4,\n", 3, "stop_lon", &["coordinate"]);
}

#[test]
fn parents_are_checked() {
    let at = "parent_station";
    fails(
        "a,,,1,2,0,nowhere\n",
        2,
        at,
        &["\"nowhere\"", "not in the file"],
    );
    fails(
        "a,,,1,2,0,b\nb,,,1,2,0,a\n",
        2,
        at,
        &["\"a\"", "must be a station"],
    );
    fails("x,,,1,2,0,\na,,,1,2,0,a\n", 3, at, &["must be a station"]);
    fails("a,,,1,2,1,b\nb,,,1,2,1,a\n", 2, at, &["a station has none"]);
    fails("a,,,1,2,0,\nb,,,,,4,c\nc,,,1,2,1,\n", 3, at, &["platform"]);
    fails("a,,,1,2,5,\n", 2, "location_type", &["\"5\"", "0 to 4"]);
    fails("a,,,1,2,-1,\n", 2, "location_type", &["\"-1\""]);
}
