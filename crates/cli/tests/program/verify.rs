//! `wayveil verify` on data files and releases.

use super::common::Place;

/// The table of the paper: eight people, sensitive values after a tab.
const PATIENTS: &str = "\
a@1 d@2 b@3 e@4 f@6 e@8\tHIV
d@2 c@5 f@6 c@7 e@9\tFever
b@3 c@7 e@8\tHepatitis
b@3 e@4 f@6 e@8\tFlu
a@1 d@2 c@5 f@6 c@7\tHIV
c@5 f@6 e@9\tHepatitis
f@6 c@7 e@8\tFever
a@1 d@2 f@6 c@7 e@9\tFlu
";

pub(super) fn patients() -> Place {
    let place = Place::new();
    place
        .write("labels.txt", "a\nb\nc\nd\ne\nf\n")
        .write("x.seq", PATIENTS)
        .ok("import x.seq --format seq --universe labels.txt --bins 10 -o x.parquet");
    place
}

#[test]
fn what_holds_and_what_does_not() {
    let place = patients();
    let (code, text, said) =
        place.run("verify x.parquet --k 2 --c 0.5 --l 2 --sensitive HIV,Hepatitis");
    assert_eq!(code, 1, "{said}");
    assert!(
        text.contains("K = 2, C = 0.5, L = 2 does not hold"),
        "{text}"
    );
    assert!(said.contains("internal"), "{said}");
    // The worst of either kind: people, records, value, confidence, sequence.
    for row in [
        "1        1  sensitive=Hepatitis     100.0 %  b@3 c@7",
        "3        3  sensitive=HIV      66.7 %  a@1",
    ] {
        assert!(text.contains(row), "{row} is missing from\n{text}");
    }
    let (code, text, _) =
        place.run("verify x.parquet --k 2 --c 1/2 --l 2 --sensitive HIV,Hepatitis --json");
    assert_eq!(code, 1);
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["holds"], false);
    assert_eq!((&found["l"], &found["c_exact"]), (&2.into(), &"1/2".into()));
    let few: Vec<String> = found["too_few"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["sequence"].to_string())
        .collect();
    // Those of the paper that too few share; a@1 leads to HIV with a confidence of 2/3.
    for sequence in [
        r#"["d@2","b@3"]"#,
        r#"["d@2","e@4"]"#,
        r#"["d@2","e@8"]"#,
        r#"["b@3","c@7"]"#,
    ] {
        assert!(few.contains(&sequence.to_owned()), "{sequence} in {few:?}");
    }
    let certain = &found["too_certain"][0];
    assert_eq!(certain["sequence"], serde_json::json!(["a@1"]));
    assert_eq!(certain["sensitive"]["value"], "HIV");
    assert_eq!(
        (&certain["sensitive"]["with"], &certain["support"]),
        (&2.into(), &3.into())
    );
    // Each visit alone is shared by two, and nobody asks for more.
    place.ok("verify x.parquet --k 2 --l 1");
    place.fails("verify x.parquet --k 3 --l 1", 1, &[]);
    place.ok("verify x.parquet --k 1 --l all");
    place.fails("verify x.parquet --k 2 --l all", 1, &[]);
}

#[test]
fn arguments_are_checked() {
    let place = patients();
    place.fails("verify x.parquet --l 2", 2, &["--k is missing"]);
    place.fails("verify x.parquet --k 2", 2, &["--l is missing"]);
    place.fails("verify x.parquet --k 0 --l 2", 2, &["--k"]);
    place.fails("verify x.parquet --k 2 --l 0", 2, &["all"]);
    place.fails(
        "verify x.parquet --k 2 --l 2 --c 1.5",
        2,
        &["between 0 and 1"],
    );
    place.fails(
        "verify x.parquet --k 2 --l 1 --sensitive illness=HIV",
        2,
        &["no column \"illness\"", "\"sensitive\""],
    );
    let (code, _, said) = place.run("verify x.parquet --k 2 --l 1 --c 0.9 --sensitive HVI");
    assert_eq!(code, 0);
    place.write("plain.seq", "a b\n");
    place.ok("import plain.seq --format seq --universe labels.txt -o plain.parquet");
    place.fails(
        "verify plain.parquet --k 2 --l 1",
        2,
        &["plain.parquet", "visits with times", "time bins"],
    );
    assert!(
        said.contains("no record has the sensitive value \"HVI\""),
        "{said}"
    );
}
