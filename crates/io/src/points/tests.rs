//! Each form by hand, and what is wrong with it.

use std::io::Cursor;

use wayveil_core::{Dataset, NonPrivate, Owners, Raw, Result, Silent};

use super::*;
use crate::input::Input;
use crate::place::Places;
use crate::summary::ImportSummary;
use crate::visits::{BinAxis, Imported};

/// Two rows and two columns over one degree: r0c0 is south-west.
fn options() -> PointOptions {
    let places = Places::grid("39,116,40,117".parse().unwrap(), 2, 2).unwrap();
    PointOptions::new(Arc::new(places), Arrangement::new("test"))
}

fn input(text: &str) -> Input {
    Input::from_reader("x", Cursor::new(text.to_owned())).unwrap()
}

type Seen = (Vec<(String, Vec<String>)>, ImportSummary);

fn see(imported: Result<Imported>) -> Result<Seen> {
    let (raw, summary) = imported?.into_dataset(&Silent)?;
    Ok((records(&raw), summary.for_publisher_only()))
}

fn records(raw: &Raw<Dataset>) -> Vec<(String, Vec<String>)> {
    let seen = raw.inspect(NonPrivate::because("a test compares"), |data| {
        let Owners::Known { of_record, labels } = data.owners() else {
            panic!("owners");
        };
        let record = |(record, codes): (usize, &[u32])| {
            let label = |&code: &u32| data.universe().label(code).to_owned();
            let owner = labels.get(of_record[record] as usize).to_owned();
            (owner, codes.iter().map(label).collect())
        };
        data.trips().iter().enumerate().map(record).collect()
    });
    seen.for_publisher_only()
}

fn expected(records: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect();
    let record = |&(owner, labels): &(&str, &[&str])| (owner.to_owned(), owned(labels));
    records.iter().map(record).collect()
}

#[test]
fn tdrive_is_read_by_file_or_folder() {
    let one = "1,2008-02-02 15:36:08,116.2,39.2\r\n1,2008-02-02 15:46:08,116.7,39.2\n\
               1,2008-02-02 15:46:08,116.7,39.2\n1,2008-02-02 15:40:08,116.2,39.7\n";
    let (records, summary) = see(import_tdrive_from(input(one), &options(), &Silent)).unwrap();
    assert_eq!(records, expected(&[("1", &["r0c0", "r1c0", "r0c1"])]));
    assert_eq!(
        (summary.rows, summary.duplicates, summary.out_of_order),
        (4, 1, 1)
    );
    assert_eq!(summary.first.unwrap().to_string(), "2008-02-02T15:36:08Z");

    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    std::fs::write(folder.path().join("deep/1.txt"), one).unwrap();
    std::fs::write(
        folder.path().join("2.txt"),
        "2,2008-02-02 15:36:08,116.9,39.9",
    )
    .unwrap();
    std::fs::write(folder.path().join("empty.txt"), "").unwrap();
    std::fs::write(folder.path().join("notes.md"), "not a table").unwrap();
    let (records, summary) = see(import_tdrive(folder.path(), &options(), &Silent)).unwrap();
    let all: &[(&str, &[&str])] = &[("2", &["r1c1"]), ("1", &["r0c0", "r1c0", "r0c1"])];
    assert_eq!(records, expected(all));
    assert_eq!((summary.files, summary.owners), (3, 2));

    let empty = tempfile::tempdir().unwrap();
    assert!(see(import_tdrive(empty.path(), &options(), &Silent)).is_err());
    let missing = empty.path().join("missing");
    assert!(see(import_tdrive(&missing, &options(), &Silent)).is_err());
    std::fs::write(folder.path().join("3.txt"), "3,2008-02-02 15:36:08,116.9").unwrap();
    let error = see(import_tdrive(folder.path(), &options(), &Silent)).unwrap_err();
    assert!(error.to_string().contains("3.txt:1"), "{error}");
}

const PLT: &str = "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n\
                   0,2,255,My Track,0,0,2,8421376\r\n0\r\n";

#[test]
fn geolife_takes_people_from_folders_and_trips_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("Data/007/Trajectory");
    std::fs::create_dir_all(&own).unwrap();
    // Named so that the later trip is read first.
    let later = "39.2,116.2,0,492,39744.12,2008-10-24,02:53:04\r\n";
    let earlier = "39.7,116.2,0,492,39744.12,2008-10-23,02:53:04\r\n\
                   39.7,116.7,0,-777,39744.12,2008-10-23,02:53:10\r\n";
    std::fs::write(own.join("a.plt"), format!("{PLT}{later}")).unwrap();
    std::fs::write(own.join("b.plt"), format!("{PLT}{earlier}")).unwrap();
    let other = folder.path().join("Data/010/Trajectory");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("c.plt"), PLT).unwrap();
    let (records, summary) = see(import_geolife(folder.path(), &options(), &Silent)).unwrap();
    let all: &[(&str, &[&str])] = &[("007", &["r1c0", "r1c1"]), ("007", &["r0c0"])];
    assert_eq!(records, expected(all));
    assert_eq!((summary.files, summary.rows, summary.records), (3, 3, 2));

    let bad = input(&format!(
        "{PLT}39.2,116.2,0,492,39744,2008-10-24,99:53:04\n"
    ));
    let error = see(import_plt_from(bad, "007", &options(), &Silent)).unwrap_err();
    assert_eq!(error.place().unwrap().line, Some(7));
    assert!(error.message().contains("2008-10-24 99:53:04"), "{error}");
    let short = import_plt_from(
        input("Geolife trajectory\nWGS 84"),
        "1",
        &options(),
        &Silent,
    );
    assert_eq!(see(short).unwrap().0, []);
}

#[test]
fn porto_unrolls_polylines() {
    let head = "\"TRIP_ID\",\"TAXI_ID\",\"TIMESTAMP\",\"MISSING_DATA\",\"POLYLINE\"\n";
    let rows = "\"1\",\"20\",\"1372636858\",\"False\",\"[[116.2,39.2],[116.7,39.2]]\"\n\
                \"1\",\"20\",\"1372636000\",\"True\",\"[[116.7,39.7]]\"\n\
                \"2\",\"21\",\"1372636000\",\"False\",\"[]\"\n";
    let (records, summary) = see(import_porto_from(
        input(&format!("{head}{rows}")),
        &options(),
        &Silent,
    ))
    .unwrap();
    let all: &[(&str, &[&str])] = &[("20", &["r1c1"]), ("20", &["r0c0", "r0c1"])];
    assert_eq!(records, expected(all));
    assert_eq!((summary.empty_trips, summary.incomplete_trips), (1, 1));
    assert_eq!(summary.last.unwrap().as_second(), 1_372_636_873);

    let mut binned = options();
    let axis = BinAxis::new("1372636858", 15, 10, &binned.dates);
    binned.arrangement.axis = Some(axis.unwrap());
    let imported = import_porto_from(input(&format!("{head}{rows}")), &binned, &Silent);
    let (raw, summary) = imported.unwrap().into_dataset(&Silent).unwrap();
    assert_eq!(summary.for_publisher_only().outside_axis, 1);
    let bins = raw.inspect(NonPrivate::because("a test compares"), |data| {
        data.trips().bins_of(0).to_vec()
    });
    assert_eq!(bins.for_publisher_only(), [0, 1]);

    for (row, column) in [
        ("\"1\",\"20\",\"x\",\"False\",\"[]\"", "TIMESTAMP"),
        ("\"1\",\"\",\"1372636858\",\"False\",\"[]\"", "TAXI_ID"),
        (
            "\"1\",\"20\",\"1372636858\",\"False\",\"[[116.2]]\"",
            "POLYLINE",
        ),
        (
            "\"1\",\"20\",\"1372636858\",\"False\",\"[[116.2,99]]\"",
            "POLYLINE",
        ),
    ] {
        let text = format!("{head}{row}\n");
        let error = see(import_porto_from(input(&text), &options(), &Silent)).unwrap_err();
        let place = error.place().unwrap();
        assert_eq!(
            (place.line, place.column.as_deref()),
            (Some(2), Some(column))
        );
    }
    let error = see(import_porto_from(input("a,b\n"), &options(), &Silent)).unwrap_err();
    assert!(error.message().contains("TAXI_ID"));
}

#[test]
fn adatrace_has_people_and_trips_without_time() {
    let text = "#0:\n>0:116.2,39.2;116.2,39.3;116.7,39.2;\n\n#1:\r\n>0:116.7,39.7;>1\n";
    let error = see(import_adatrace_from(input(text), &options(), &Silent)).unwrap_err();
    assert_eq!(error.place().unwrap().line, Some(5));
    let text = "#0:\n>0:116.2,39.2;116.2,39.3;116.7,39.2;\n\n#1:\r\n>0:116.7,39.7\n>1:\n>2:1,1;\n";
    let mut collapsing = options();
    collapsing.arrangement.collapse_stays = true;
    let (records, summary) = see(import_adatrace_from(input(text), &collapsing, &Silent)).unwrap();
    assert_eq!(
        records,
        expected(&[("0", &["r0c0", "r0c1"]), ("1", &["r1c1"])])
    );
    assert_eq!(
        (
            summary.blank_lines,
            summary.empty_trips,
            summary.outside_area
        ),
        (1, 1, 1)
    );
    assert_eq!((summary.stays_collapsed, summary.first), (1, None));
    for bad in [
        ">0:1,2;",
        "#0:\nx",
        "#0:\n>0:1;",
        "#0:\n>0:a,b;",
        "#:\n>0:1,2;",
        "#0:\n>0:,;",
    ] {
        assert!(
            see(import_adatrace_from(input(bad), &options(), &Silent)).is_err(),
            "{bad:?}"
        );
    }
    let mut timed = options();
    timed.arrangement.max_gap = Some(60);
    assert!(see(import_adatrace_from(input(text), &timed, &Silent)).is_err());
}

#[test]
fn points_outside_are_counted_and_swapped_ones_refused() {
    let row = |lng: f64, lat: f64| format!("1,2008-02-02 15:36:08,{lng},{lat}\n");
    let some = row(116.2, 39.2) + &row(0.0, 0.0) + &row(116.3, 10.0);
    let (records, summary) = see(import_tdrive_from(input(&some), &options(), &Silent)).unwrap();
    assert_eq!(records, expected(&[("1", &["r0c0"])]));
    assert_eq!((summary.outside_area, summary.rows), (2, 3));

    let places = Places::grid("41,-9,42,-8".parse().unwrap(), 2, 2).unwrap();
    let porto = PointOptions::new(Arc::new(places), Arrangement::new("test"));
    let swapped = row(41.5, -8.5).repeat(3) + &row(-8.5, 41.5);
    let error = see(import_tdrive_from(input(&swapped), &porto, &Silent)).unwrap_err();
    assert!(
        error.message().contains("seem to be swapped: 3 of 4"),
        "{error}"
    );
    // As many the right way round: no verdict.
    let half = row(41.5, -8.5).repeat(2) + &row(-8.5, 41.5).repeat(2);
    assert!(see(import_tdrive_from(input(&half), &porto, &Silent)).is_ok());
}

#[test]
fn missing_coordinates_are_an_error_or_counted() {
    let text = "1,2008-02-02 15:36:08,,39.2\n1,2008-02-02 15:36:09,NaN,39.2\n\
                1,2008-02-02 15:36:10,116.2,39.2\n1,2008-02-02 15:36:11,39.2,116.2\n";
    let error = see(import_tdrive_from(input(text), &options(), &Silent)).unwrap_err();
    let place = error.place().unwrap();
    assert_eq!(
        (place.line, place.column.as_deref()),
        (Some(1), Some("lng"))
    );
    let mut dropping = options();
    dropping.invalid = InvalidPoints::Drop;
    let (records, summary) = see(import_tdrive_from(input(text), &dropping, &Silent)).unwrap();
    assert_eq!(records, expected(&[("1", &["r0c0"])]));
    assert_eq!(
        (summary.invalid_points, summary.outside_area, summary.rows),
        (3, 0, 4)
    );
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_followed_and_endless_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(
        elsewhere.path().join("1.txt"),
        "1,2008-02-02 15:36:08,116.2,39.2\n",
    )
    .unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("linked")).unwrap();
    let (records, _) = see(import_tdrive(folder.path(), &options(), &Silent)).unwrap();
    assert_eq!(records, expected(&[("1", &["r0c0"])]));
    std::os::unix::fs::symlink(folder.path(), folder.path().join("round")).unwrap();
    let error = see(import_tdrive(folder.path(), &options(), &Silent)).unwrap_err();
    assert!(error.message().contains("deep"), "{error}");
}
