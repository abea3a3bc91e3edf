use std::io::{Cursor, Read};

use super::*;

fn read(bytes: &[u8]) -> Result<Ngrams> {
    read_ngrams_from(Input::from_reader("x.dat", Cursor::new(bytes.to_vec()))?)
}

fn gram(symbols: &[&str], count: f64) -> Ngram {
    Ngram {
        symbols: symbols.iter().map(|&it| it.to_owned()).collect(),
        count,
    }
}

#[test]
fn reads_fragments_and_counts_them() {
    let table = read(b"154439\n1 3 : 22816.000000\n1 : 5.5\n\n3:2\n1  a:b :-1e1\r\n").unwrap();
    assert_eq!(table.first_number, 154_439.0);
    assert_eq!(
        table.grams,
        [
            gram(&["1", "3"], 22816.0),
            gram(&["1"], 5.5),
            gram(&["3"], 2.0),
            gram(&["1", "a:b"], -10.0),
        ]
    );
    assert_eq!(table.blank_lines, 1);
    let summary = table.summary();
    assert_eq!(summary.grams, 4);
    assert_eq!(summary.by_length, BTreeMap::from([(1, 2), (2, 2)]));
    assert_eq!(summary.total_of_single, 7.5);
    let json = serde_json::to_value(summary).unwrap();
    assert_eq!(json["by_length"]["2"], 2);
}

#[test]
fn line_ends_and_marks_change_nothing() {
    let plain = read(b"2\n1 : 5\n").unwrap();
    for text in [
        "2\r\n1 : 5\r\n",
        "2\n1 : 5",
        "2\n1 : 5\r",
        "\u{feff}2\n1 : 5\n",
    ] {
        assert_eq!(read(text.as_bytes()).unwrap(), plain, "{text:?}");
    }
    assert!(read(b"7\n").unwrap().grams.is_empty());
}

#[test]
fn bad_lines_are_named_by_line_and_column() {
    for (text, line, column, message) in [
        ("x\n", 1, 1, "invalid number (got \"x\")"),
        ("1 2\n", 1, 3, "something follows the number"),
        ("1 : 5\n", 1, 3, "something follows the number"),
        ("1\n1 2\n", 2, 4, "there is no colon"),
        ("1\n1 2 :\n", 2, 6, "invalid number (got \"\")"),
        ("1\n1 2 : x\n", 2, 7, "invalid number (got \"x\")"),
        ("1\n1 2 : 5 6\n", 2, 9, "something follows the number"),
        ("1\n1 2 : inf\n", 2, 7, "invalid number"),
        ("1\n1 2 : NaN\n", 2, 7, "invalid number"),
        ("1\n1 2 : 1e999\n", 2, 7, "invalid number"),
        ("1\n : 5\n", 2, 1, "the fragment is empty"),
        (
            "1\né \u{0} : 5\n",
            2,
            3,
            "contains the control character U+0000",
        ),
        (
            "1\n1 : 5\n\n1  :  5\n",
            4,
            1,
            "a second time; first in line 2",
        ),
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        let place = error.place().unwrap();
        assert!(error.message().contains(message), "{text:?}: {error}");
        assert_eq!(
            (place.line, place.column.clone()),
            (Some(line), Some(column.to_string())),
            "{text:?}"
        );
        assert!(error.advice().is_some(), "{text:?}");
    }
    assert_eq!(read(b" \n").unwrap_err().message(), "the file is empty");
    let error = read(b"1\n1 \xff : 1\n").unwrap_err();
    assert_eq!(error.place().unwrap().line, Some(2));
}

#[test]
fn an_endless_line_is_an_error() {
    let endless = Cursor::new(b"1\n").chain(std::io::repeat(b'1').take(1 << 40));
    let error = read_ngrams_from(Input::from_reader("x", endless).unwrap()).unwrap_err();
    assert_eq!(error.message(), "the line is longer than 1 MiB");
}

#[test]
fn writes_a_table_of_fragments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    let grams = [gram(&["1", "3"], 22816.0), gram(&["a,b", "\"c\""], -0.5)];
    write_fragments_csv(&path, &grams, false).unwrap();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "fragment,count\n1 3,22816\n\"a,b \"\"c\"\"\",-0.5\n"
    );
    assert!(write_fragments_csv(&path, &[], false).is_err());
    write_fragments_csv(&path, &[], true).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "fragment,count\n");
}
