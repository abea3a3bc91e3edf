use std::io::Cursor;

use super::*;

fn input(text: &str) -> Input {
    Input::from_reader("places", Cursor::new(text.as_bytes().to_vec())).unwrap()
}

fn place_of(error: &Error) -> (Option<u64>, Option<&str>) {
    let place = error.place().unwrap();
    assert_eq!(place.file, "places");
    (place.line, place.column.as_deref())
}

#[test]
fn a_list_has_one_label_per_line() {
    let universe = read_universe_list(input("B\r\n\n#A\nBerri UQAM\n")).unwrap();
    let labels: Vec<_> = universe
        .locations()
        .iter()
        .map(|it| it.label.as_str())
        .collect();
    assert_eq!(labels, ["B", "#A", "Berri UQAM"]);
    assert_eq!(
        universe.origin(),
        &Origin::Declared("list of labels".into())
    );
}

#[test]
fn a_table_has_names_coordinates_and_groups() {
    let text =
        "name,label,lat,lng,parent\nBerri,b,45.5,-73.5,green\n,c,,,green\n\"D, x\",d,,,blue\n";
    let universe = read_universe_table(input(text)).unwrap();
    assert_eq!(universe.locations()[0].name.as_deref(), Some("Berri"));
    assert_eq!(
        universe.locations()[0].at,
        Some(Coordinate {
            lat: 45.5,
            lng: -73.5
        })
    );
    assert_eq!(universe.locations()[1].name, None);
    assert_eq!(universe.locations()[2].name.as_deref(), Some("D, x"));
    assert_eq!(universe.taxonomy().unwrap().group_of_location(), [0, 0, 1]);
    assert_eq!(
        universe.origin(),
        &Origin::Declared("table of locations".into())
    );
}

#[test]
fn bad_lists_are_named_by_line() {
    let error = read_universe_list(input("A\nB\nA\n")).unwrap_err();
    assert_eq!(place_of(&error).0, Some(3));
    assert!(error.message().contains("first in line 1"));
    let error = read_universe_list(input("A\nB\u{7}\n")).unwrap_err();
    assert_eq!(place_of(&error).0, Some(2));
    assert!(read_universe_list(input("\n\n")).is_err());
    assert_eq!(
        place_of(&read_universe_list(input("A\n  \n")).unwrap_err()).0,
        Some(2)
    );
}

#[test]
fn bad_tables_are_named_by_line_and_column() {
    for (text, line, column) in [
        ("id,name\n1,x\n", 1, None),
        ("label,lat,lng\na,1,2\nb,91,0\n", 3, Some("lat")),
        ("label,lat,lng\na,1,x\n", 2, Some("lng")),
        ("label,lat,lng\na,NaN,0\n", 2, Some("lat")),
        ("label,lat,lng\na,,5\n", 2, Some("lat")),
        ("label,name\na\n", 2, Some("name")),
        ("label\na\na\n", 3, Some("label")),
        ("label,label\na,b\n", 1, Some("label")),
        ("name,label\nx,\n", 2, Some("label")),
    ] {
        let error = read_universe_table(input(text)).unwrap_err();
        assert_eq!(place_of(&error), (Some(line), column), "{text:?}: {error}");
    }
    assert!(
        read_universe_table(input("label,parent\na,x\nb,\n")).is_err(),
        "b has no group"
    );
    assert!(read_universe_table(input("label\n")).is_err());
    assert!(read_universe_table(input("")).is_err());
}

#[test]
fn the_name_tells_lists_from_tables() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, labels) in [("a.txt", "label\nx\n", 2), ("a.csv", "label\nx\n", 1)] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(read_universe(&path).unwrap().len(), labels);
    }
}
