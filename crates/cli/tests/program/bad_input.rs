//! Bad input: a stated treatment each, never a panic, never a half-written output.

use super::common::Place;

const STOPS: &str = "A\nB\n";

/// Imports events that must fail, and checks that nothing was left behind.
fn import_fails(content: impl AsRef<[u8]>, flags: &str, says: &[&str]) {
    let place = Place::new();
    place.write("taps.csv", content).write("stops.txt", STOPS);
    let line = format!("import taps.csv --format events --universe stops.txt -o x.parquet {flags}");
    place.fails(&line, 2, says);
    assert_eq!(place.names(), ["stops.txt", "taps.csv"]);
}

#[test]
fn an_empty_file() {
    import_fails("", "", &["taps.csv", "empty"]);
}

#[test]
fn a_missing_column() {
    import_fails(
        "uid,stop,datetime\n1,A,2024-01-01\n",
        "",
        &["location", "--location-column", "stop"],
    );
}

#[test]
fn a_wrong_encoding() {
    import_fails(
        b"uid,location,datetime\n1,\xe9,2024-01-01\n",
        "",
        &["taps.csv:2", "iconv"],
    );
    import_fails(b"\xff\xfeu\0i\0d\0", "", &["UTF-16", "iconv"]);
}

#[test]
fn an_unknown_location() {
    let taps = "uid,location,datetime\n1,A,2024-01-01\n1,Z,2024-01-02\n";
    import_fails(taps, "", &["taps.csv:3", "\"Z\"", "--unknown drop"]);
    let place = Place::new();
    place.write("taps.csv", taps).write("stops.txt", STOPS);
    let line = "import taps.csv --format events --universe stops.txt --unknown drop -o x.parquet";
    let summary = place.json(line);
    assert_eq!(summary["unknown_visits"], 1);
    assert_eq!(summary["symbols"], 1);
}

#[test]
fn a_date_that_could_be_two_days() {
    let taps = "uid,location,datetime\n1,A,03/04/2024 08:00\n";
    import_fails(taps, "", &["taps.csv:2", "03/04/2024", "--date-order"]);
}

#[test]
fn a_row_of_the_wrong_width() {
    import_fails("uid,location,datetime\n1,A\n", "", &["taps.csv:2"]);
}

#[test]
fn a_line_of_endless_length() {
    let mut taps = b"uid,location,datetime\n1,".to_vec();
    taps.resize(taps.len() + (1 << 22), b'x');
    import_fails(taps, "", &["taps.csv:2"]);
}

#[test]
fn a_quote_that_never_ends() {
    let mut taps = b"uid,location,datetime\n1,\"".to_vec();
    taps.extend(b"x\n".repeat(1 << 20));
    import_fails(taps, "", &["taps.csv:2"]);
}

#[test]
fn no_universe() {
    let place = Place::new();
    place.write("taps.csv", "uid,location,datetime\n");
    place.fails(
        "import taps.csv --format events -o x.parquet",
        2,
        &["--universe"],
    );
}

#[test]
fn a_universe_with_a_double() {
    let place = Place::new();
    place
        .write("taps.csv", "uid,location,datetime\n")
        .write("stops.txt", "A\nA\n");
    let line = "import taps.csv --format events --universe stops.txt -o x.parquet";
    place.fails(line, 2, &["\"A\"", "stops.txt"]);
}

#[test]
fn a_universe_from_the_data_needs_consent_twice() {
    let place = Place::new();
    place.write("x.seq", "A B\nB\n");
    place.ok("import x.seq --format seq --universe-from-data -o x.parquet");
    let line = "publish prefix-tree x.parquet --epsilon 1 --height 2 -o r";
    place.fails(line, 1, &["read off the raw data", "--universe-from-data"]);
    assert_eq!(place.names(), ["x.parquet", "x.seq"]);
    place.ok(&format!("{line} --universe-from-data"));
    let manifest = &place.json("info r")["manifest"];
    let rests_on = manifest["guarantee"]["rests_on"].to_string();
    assert!(rests_on.contains("taken from the raw data"), "{rests_on}");
}

#[test]
fn parameters_out_of_range() {
    let place = Place::new();
    place.ok("generate metro --records 100 -o m.parquet");
    let publish = "publish prefix-tree m.parquet -o r";
    for (flags, says) in [
        ("--epsilon 0 --height 3", "above 0"),
        ("--epsilon -1 --height 3", "negative"),
        ("--epsilon NaN --height 3", "NaN"),
        ("--epsilon inf --height 3", "inf"),
        ("--epsilon 1e-310 --height 3", "exponent"),
        ("--epsilon 1 --height 0", "from 1 to"),
        ("--epsilon 1 --height -2", "height"),
        ("--epsilon 1 --height 3 --rho 1", "below 1"),
        ("--epsilon 1 --height 3 --max-trips 0", "max-trips"),
        ("--epsilon 1", "--height"),
        ("--height 3", "--epsilon"),
    ] {
        place.fails(&format!("{publish} {flags}"), 2, &[says]);
    }
    place.fails("publish no-such-method m.parquet", 2, &["no-such-method"]);
    place.fails("generate metro --records 0 -o n.parquet", 2, &["records"]);
    place.fails("generate tram -o n.parquet", 2, &["metro", "bus", "stm"]);
    assert_eq!(place.names(), ["m.parquet"]);
}

#[test]
fn files_that_are_something_else() {
    let place = Place::new();
    place
        .write("garbage.parquet", "PAR1 this is no Parquet PAR1")
        .write("text.txt", "A B\n");
    place.fails("info garbage.parquet", 2, &["garbage.parquet"]);
    place.fails("info text.txt", 2, &["text.txt", "wayveil import"]);
    place.fails("info nowhere.parquet", 2, &["nowhere.parquet"]);
    place.fails(
        "publish prefix-tree text.txt --epsilon 1 --height 2 -o r",
        2,
        &["text.txt"],
    );
    place.fails("convert nowhere --to seq -o n.seq", 2, &["nowhere"]);
    assert_eq!(place.names(), ["garbage.parquet", "text.txt"]);
}

#[test]
fn an_output_that_exists_is_kept() {
    let place = Place::new();
    place.write("keep.parquet", "precious");
    place.fails(
        "generate metro --records 100 -o keep.parquet",
        2,
        &["exists", "--force"],
    );
    assert_eq!(
        std::fs::read(place.path("keep.parquet")).unwrap(),
        b"precious"
    );
    place.ok("generate metro --records 100 -o keep.parquet --force");
    place.fails(
        "publish prefix-tree keep.parquet --epsilon 1 --height 2 -o keep.parquet",
        2,
        &["exists"],
    );
}

#[test]
fn a_release_that_was_changed_is_noticed() {
    let place = Place::new();
    place.ok("generate metro --records 500 -o m.parquet");
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 2 -o r");
    let readme = place.path("r/README.md");
    let text = std::fs::read_to_string(&readme).unwrap();
    std::fs::write(&readme, text + "P.S.").unwrap();
    place.fails("info r", 1, &["README.md", "changed"]);
}

#[test]
fn a_folder_that_is_more_than_a_release_is_never_replaced() {
    let place = Place::new();
    place.ok("generate metro --records 500 -o m.parquet");
    let line = "publish prefix-tree m.parquet --epsilon 1 --height 2 -o r --force";
    place.ok(line);
    place.ok(line);
    place.write("r/thesis.doc", "precious");
    place.fails(line, 2, &["r"]);
    assert_eq!(
        std::fs::read(place.path("r/thesis.doc")).unwrap(),
        b"precious"
    );
    place.fails("info r", 1, &["thesis.doc", "added"]);
    std::fs::create_dir(place.path("web")).unwrap();
    place.write("web/manifest.json", "{}");
    place.fails(
        "publish prefix-tree m.parquet --epsilon 1 --height 2 -o web --force",
        2,
        &["web"],
    );
    assert!(place.path("web/manifest.json").is_file());
}

#[test]
fn a_folder_that_is_missing_is_noticed_before_any_work() {
    let place = Place::new();
    place.ok("generate metro --records 500 -o m.parquet");
    let line = "publish prefix-tree m.parquet --epsilon 1 --height 2 -o no/where";
    place.fails(line, 2, &["no/where", "mkdir -p no"]);
}

#[test]
fn blanks_around_a_person_would_make_two_of_one() {
    import_fails(
        "uid,location,datetime\n1,A,2024-01-01\n 1,A,2024-01-02\n",
        "",
        &["taps.csv:3", "uid", "blanks"],
    );
}

#[test]
fn time_axes_out_of_range() {
    let place = Place::new();
    place
        .write("x.seq", "A@0\n")
        .write("y.seq", "A@5000000\n")
        .write("stops.txt", STOPS);
    let import = "--format seq --universe stops.txt -o x.parquet";
    place.fails(&format!("import x.seq {import} --bins 0"), 2, &["time bin"]);
    place.fails(
        &format!("import y.seq {import} --bins 6000000"),
        2,
        &["1000000"],
    );
    place.fails(
        &format!("import y.seq {import} --bins 24"),
        2,
        &["y.seq:1", "public time axis"],
    );
}

#[test]
fn errors_are_objects_for_machines() {
    let place = Place::new();
    place
        .write("taps.csv", "uid,location,datetime\n1,Z,2024-01-01\n")
        .write("stops.txt", STOPS);
    let line = "import taps.csv --format events --universe stops.txt -o x.parquet --json";
    let (code, out, _) = place.run(line);
    assert_eq!(code, 2);
    let object: serde_json::Value = serde_json::from_str(&out).expect("one JSON object");
    let error = &object["error"];
    assert_eq!(
        (error["file"].as_str(), error["line"].as_u64()),
        (Some("taps.csv"), Some(2))
    );
    assert_eq!(error["column"], "location");
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_nothing() {
    use std::process::Stdio;
    use std::time::Duration;

    let place = Place::new();
    for (signal, wait) in [("INT", 30), ("TERM", 120), ("INT", 300)] {
        let mut child = place
            .command("generate stm --insecure-seed 1 -o stm.parquet")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let pid = child.id().to_string();
        std::process::Command::new("kill")
            .args(["-s", signal, &pid])
            .status()
            .unwrap();
        let status = child.wait().unwrap();
        // Whether it was caught in time or had finished: never anything in between.
        if status.success() {
            std::fs::remove_file(place.path("stm.parquet")).unwrap();
        }
        assert!(place.names().is_empty(), "{:?} is left", place.names());
    }
}

#[test]
fn maps_without_coordinates_and_movement_without_time() {
    let place = Place::new();
    place
        .write("x.seq", "A@0 B@2\n")
        .write("plain.seq", "A B\n")
        .write("stops.txt", STOPS)
        .write("stops.csv", "label,lat,lng\nA,45.5,-73.6\nB,45.6,-73.5\n");
    let timed = "--format seq --bins 4";
    place.ok(&format!(
        "import x.seq {timed} --universe stops.txt -o bare.parquet"
    ));
    place.ok(&format!(
        "import x.seq {timed} --universe stops.csv -o x.parquet"
    ));
    place.ok("import plain.seq --format seq --universe stops.csv -o plain.parquet");
    let before = place.names();
    for what in ["trajectories", "locations"] {
        place.fails(
            &format!("convert bare.parquet --to geojson --what {what} -o x.json"),
            2,
            &[
                "bare.parquet",
                "\"A\", \"B\"",
                "coordinates",
                "--universe",
                "lat",
            ],
        );
    }
    let flags = ["--bin-width", "--bin-origin", "--bins"];
    for (file, says) in [("x.parquet", "bare numbers"), ("plain.parquet", "no time")] {
        place.fails(
            &format!("convert {file} --to mfjson -o x.json"),
            2,
            &[&[file, says], flags.as_slice()].concat(),
        );
    }
    place.fails(
        "convert x.parquet --to csv --what locations -o x.csv",
        2,
        &["--to geojson"],
    );
    assert_eq!(place.names(), before);
}
