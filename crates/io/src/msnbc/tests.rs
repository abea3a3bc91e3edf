use std::io::Cursor;

use wayveil_core::{Dataset, NonPrivate, Sequences};

use super::*;

const HEADER: &str = "% Different categories found in input file:\n\nfrontpage news tech local \
    opinion on-air misc weather msn-news health living business msn-sports sports summary bbs \
    travel\n\n\n% Sequences:\n\n";

fn read(bytes: &[u8], unknown: Unknown) -> Result<(Dataset, ImportSummary)> {
    let input = Input::from_reader("x.seq", Cursor::new(bytes.to_vec()))?;
    let options = MsnbcOptions {
        unknown,
        ..MsnbcOptions::new("p")
    };
    let (raw, summary) = read_msnbc_from(input, &options)?;
    let data = raw.inspect(NonPrivate::because("a test compares"), Clone::clone);
    Ok((data.for_publisher_only(), summary.for_publisher_only()))
}

#[test]
fn reads_the_original_and_the_reduced_form() {
    let sequences = "1 1 \n2 17\n";
    let expected = Sequences::from_codes([vec![0, 0], vec![1, 16]]);
    let (data, summary) = read(sequences.as_bytes(), Unknown::Error).unwrap();
    assert_eq!(data.trips(), &expected);
    assert_eq!((summary.rows, summary.records, summary.symbols), (2, 2, 4));
    assert_eq!((summary.locations, summary.owners), (17, 2));
    assert_eq!(data.owners(), &Owners::EachRecord);

    let whole = format!("{HEADER}{sequences}");
    let (data, summary) = read(whole.as_bytes(), Unknown::Error).unwrap();
    assert_eq!(data.trips(), &expected);
    assert_eq!(
        (summary.rows, summary.blank_lines, summary.comment_lines),
        (2, 4, 2)
    );
}

#[test]
fn the_universe_is_the_documented_one() {
    let (data, _) = read(b"3\n", Unknown::Error).unwrap();
    let universe = data.universe();
    assert_eq!(universe.digest(), msnbc_universe().unwrap().digest());
    assert_eq!(
        universe.origin(),
        &Origin::Declared("the 17 page categories that the data set documents".into())
    );
    let places: Vec<_> = [0, 5, 16]
        .map(|code: usize| &universe.locations()[code])
        .into_iter()
        .map(|it| (it.label.as_str(), it.name.as_deref()))
        .collect();
    assert_eq!(
        places,
        [
            ("1", Some("frontpage")),
            ("6", Some("on-air")),
            ("17", Some("travel"))
        ]
    );
}

#[test]
fn line_ends_marks_blanks_and_remarks_change_nothing() {
    let plain = read(b"1 2\n3\n", Unknown::Error).unwrap().0;
    for text in [
        "1 2\r\n3\r\n",
        "1 2\n3",
        "1 2\r\n3\r",
        "\u{feff}1 2\n3",
        " 1\t2 \n% remark\n\n03\n",
    ] {
        let (data, _) = read(text.as_bytes(), Unknown::Error).unwrap();
        assert_eq!(data.trips(), plain.trips(), "{text:?}");
    }
    let (_, summary) = read(b"1\n%x\n \n2\n", Unknown::Error).unwrap();
    assert_eq!((summary.blank_lines, summary.comment_lines), (1, 1));
}

#[test]
fn numbers_of_no_category_are_dropped_on_request() {
    let huge = "9".repeat(99);
    let text = format!("18 2 0\n-1 {huge}\n");
    let (data, summary) = read(text.as_bytes(), Unknown::Drop).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([vec![1], vec![]]));
    assert_eq!(summary.unknown.visits, 4);
    assert_eq!(summary.unknown.examples[0], ("18".into(), 1));
    assert_eq!(summary.unknown.examples[3].0.chars().count(), 41);
}

#[test]
fn bad_lines_are_named_by_line_and_column() {
    let short = HEADER.replace(" bbs travel", " bbs");
    let short_at = short.lines().nth(2).unwrap().len() + 1;
    let other = HEADER.replace("on-air", "onair");
    let long = HEADER.replace("travel", "travel more");
    let twice = HEADER.repeat(2);
    let huge = format!("1 {}", "9".repeat(99));
    for (text, line, column, message) in [
        ("1\n1 18\n", 2, 3, "the category 18 is not one of the 17"),
        ("0\n", 1, 1, "the category 0 is not"),
        ("1 -1\n", 1, 3, "the category -1 is not"),
        (&huge, 1, 3, "the category 9999"),
        ("1 x\n", 1, 3, "invalid category (got \"x\")"),
        ("1 1.0\n", 1, 3, "invalid category"),
        ("1 +1\n", 1, 3, "invalid category"),
        ("1 \u{0} 2\n", 1, 3, "invalid category (got \"\\0\")"),
        ("1\rx\n", 1, 1, "invalid category"),
        ("1\nfrontpage\n", 2, 1, "invalid category"),
        (&other, 3, 35, "lists the category \"onair\" for \"on-air\""),
        (&short, 3, short_at, "does not list the category \"travel\""),
        (&long, 3, 124, "lists \"more\" beyond the 17"),
        (&twice, 10, 1, "invalid category"),
    ] {
        let error = read(text.as_bytes(), Unknown::Error).err().unwrap();
        let place = error.place().unwrap();
        assert!(error.message().contains(message), "{text:?}: {error}");
        assert_eq!(
            (place.line, place.column.clone()),
            (Some(line), Some(column.to_string())),
            "{text:?}"
        );
        assert!(error.advice().is_some(), "{text:?}");
    }
    let error = read(b"1\n2 \xff\n", Unknown::Drop).err().unwrap();
    assert_eq!(error.place().unwrap().line, Some(2));
}
