//! Counts on the command line.

use super::common::Place;

fn data() -> Place {
    let place = Place::new();
    place
        .write(
            "x.seq",
            "Harbour Market Museum\nMarket Harbour\nHarbour Museum Market\n\nMuseum\n",
        )
        .write("labels.txt", "Harbour\nMarket\nMuseum\nZoo\n");
    place.ok("import x.seq --format seq --universe labels.txt -o x.parquet");
    place
}

#[test]
fn three_ways_to_contain() {
    let place = data();
    for (flags, kind, count, share) in [
        ("", "set", 3, 0.6),
        ("--ordered", "ordered", 2, 0.4),
        ("--contiguous", "contiguous", 1, 0.2),
    ] {
        let answer = place.json(&format!("query x.parquet Harbour Market {flags}"));
        assert_eq!(answer["kind"], kind);
        assert_eq!(answer["count"], count, "{kind}");
        assert_eq!(answer["records"], 5);
        assert_eq!(answer["share"], share);
        assert_eq!(answer["internal"], true);
    }
    let answer = place.json("query x.parquet Market Harbour Market");
    assert_eq!(answer["count"], 3, "a set knows no repetition");
    assert_eq!(place.json("query x.parquet Zoo")["count"], 0);
    let (_, out, err) = place.run("query x.parquet Harbour --quiet");
    assert_eq!(
        out,
        "3 of 5 records (60.000 %) contain all of these locations\n"
    );
    assert!(err.contains("internal"), "{err}");
    assert_eq!(place.names(), ["labels.txt", "x.parquet", "x.seq"]);
}

#[test]
fn a_release_is_counted_as_it_is() {
    let place = Place::new();
    place
        .write("x.seq", "A B\n".repeat(400))
        .write("labels.txt", "A\nB\nC\n");
    place.ok("import x.seq --format seq --universe labels.txt -o x.parquet");
    place.ok("publish prefix-tree x.parquet --epsilon 8 --height 2 -o r");
    let info = place.json("info r");
    let answer = place.json("query r/ B A");
    assert_eq!(answer["internal"], false);
    assert_eq!(answer["records"], info["records"]);
    assert!(answer["count"].as_u64().unwrap() > 350, "{answer}");
    let (code, _, err) = place.run("query r/ A");
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn times_narrow_a_question() {
    let place = Place::new();
    place
        .write("x.seq", "A@0 B@2\nA@1 B@2\nB@0\n")
        .write("labels.txt", "A\nB\n");
    place.ok("import x.seq --format seq --universe labels.txt --bins 3 -o x.parquet");
    let count =
        |question: &str| place.json(&format!("query x.parquet {question}"))["count"].clone();
    assert_eq!(count("A B"), 2);
    assert_eq!(count("A@1"), 1);
    assert_eq!(count("A B@2 --contiguous"), 2);
    assert_eq!(count("B@0 A --ordered"), 0);
    place.fails("query x.parquet A@3", 2, &["invalid time bin", "3 bins"]);
    place.fails("query x.parquet A@noon", 2, &["invalid time bin", "noon"]);
}

#[test]
fn mistakes_are_explained() {
    let place = data();
    place.fails(
        "query x.parquet Harbor",
        2,
        &["unknown location \"Harbor\"", "mean Harbour?"],
    );
    place.fails("query x.parquet harbour Market", 2, &["mean Harbour?"]);
    place.fails(
        "query x.parquet Qqqq",
        2,
        &["unknown location", "wayveil info"],
    );
    place.fails(
        "query x.parquet Museum@4",
        2,
        &["no times", "ask for Museum"],
    );
    place.fails("query x.parquet", 2, &["LOCATION"]);
    place.fails("query nothing.parquet A", 2, &["nothing.parquet"]);
    place.fails(
        "query x.parquet Zoo --ordered --contiguous",
        2,
        &["cannot be used with"],
    );
    let (code, out, _) = place.run("query x.parquet Harbor --json");
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &object["error"]["kind"]), (2, &"input".into()));
}
