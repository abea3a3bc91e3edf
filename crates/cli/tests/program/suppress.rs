//! `wayveil publish suppress` as publishers and recipients meet it.

use super::common::Place;
use super::verify::patients;

const PUBLISH: &str =
    "publish suppress x.parquet --k 2 --c 0.5 --l 2 --sensitive HIV,Hepatitis -o r";

/// Four people who went the same way; two of them are alone with their age and sex.
fn neighbours() -> Place {
    let place = Place::new();
    let mut table = String::from("trajectory,position,location,bin,age,sex,diagnosis\n");
    let people = ["34,f,HIV", "34,f,Flu", "71,m,Flu", "34,m,Flu"];
    for (number, values) in (1..).zip(people) {
        table += &format!("{number},1,A,1,{values}\n{number},2,B,2,{values}\n");
    }
    place
        .write("labels.txt", "A\nB\n")
        .write("x.csv", table)
        .ok("import x.csv --format csv --universe labels.txt --bins 3 --population p -o x.parquet");
    place
}

#[test]
fn a_release_keeps_its_promise_and_says_what_it_is() {
    let place = patients();
    place.fails(
        "verify x.parquet --k 2 --c 0.5 --l 2 --sensitive HIV,Hepatitis",
        1,
        &[],
    );
    let found = place.json(PUBLISH);
    place.ok("verify r");
    place.ok("verify r --k 2 --c 0.5 --l 2 --sensitive HIV,Hepatitis");
    let guarantee = &found["manifest"]["guarantee"];
    assert_eq!(guarantee["model"], "k-c-l-privacy");
    let words = guarantee["in_words"].as_str().unwrap();
    for part in [
        "Four points identify 95 %",
        "not differential privacy",
        "does not compose",
    ] {
        assert!(words.contains(part), "{part} is missing from {words}");
    }
    let left = &found["left"];
    assert_eq!(
        (&left["raw_people"], &left["raw_visits"]),
        (&8.into(), &34.into())
    );
    assert_eq!(left["people"], place.json("info r")["records"]);
    assert_eq!(
        found["manifest"]["attributes"],
        serde_json::json!(["sensitive"])
    );
    // Whoever knows four points is guarded against, and is not warned of.
    let four = place.json(&PUBLISH.replace("--l 2", "--l 4 --force"));
    let words = four["manifest"]["guarantee"]["in_words"].as_str().unwrap();
    assert!(!words.contains("Four points"), "{words}");
}

#[test]
fn every_parameter_reaches_the_manifest() {
    let place = patients();
    let line = "publish suppress x.parquet --k 2 --c 1/2 --l all --sensitive sensitive=HIV \
                --mode global --preserve mfs --min-support 3 --keep sensitive -o r";
    let parameters = &place.json(line)["manifest"]["method"]["parameters"];
    for (name, value) in [
        ("k", serde_json::json!(2)),
        ("c", "0.5".into()),
        ("l", "all".into()),
        ("sensitive", "sensitive=HIV".into()),
        ("mode", "global".into()),
        ("preserve", "mfs".into()),
        ("min_support", 3.into()),
        ("keep", "sensitive".into()),
    ] {
        assert_eq!(parameters[name], value, "{name}");
    }
    place.ok("verify r");
}

#[test]
fn as_published_promises_nothing_and_breaks_what_it_should_keep() {
    let place = Place::new();
    place.write("labels.txt", "a\nb\n");
    for (records, l) in [
        ("b@1 a@2 a@3\nb@1 a@3\na@1 a@2 a@3\nb@1 a@2\n", 3),
        ("b@1 a@3 b@4\nb@1 b@4\na@3 b@4\nb@1 b@3\nb@1 b@3 b@4\n", 2),
    ] {
        place.write("x.seq", records);
        place.ok("import x.seq --format seq --universe labels.txt --bins 5 -o x.parquet --force");
        let line = format!("publish suppress x.parquet --k 2 --l {l} --force -o");
        let manifest = &place.json(&format!("{line} old --as-published"))["manifest"];
        assert_eq!(manifest["guarantee"]["model"], "none");
        assert_eq!(manifest["publishable"], false);
        for words in [
            &manifest["guarantee"]["reason"],
            &manifest["not_publishable_because"],
        ] {
            let words = words.as_str().unwrap();
            assert!(words.contains("overlooks violations"), "{words}");
        }
        place.fails(&format!("verify old --k 2 --l {l}"), 1, &[]);
        place.fails("verify old", 2, &["--k is missing"]);
        place.ok(&format!("{line} new"));
        place.ok(&format!("verify new --k 2 --l {l}"));
    }
}

#[test]
fn an_allowance_counts_no_such_release() {
    let place = neighbours();
    place.ok("ledger allow p --epsilon 1");
    let line = "publish suppress x.parquet --k 2 --l 2 -o r";
    place.fails(
        line,
        1,
        &[
            "\"p\" has an allowance",
            "k-c-l-privacy",
            "--beside-allowance",
        ],
    );
    assert!(!place.path("r").exists());
    assert!(!place.ok("ledger history p").contains("suppress"));
    let found = place.json(&format!("{line} --beside-allowance"));
    let account = &found["ledger"]["account"];
    assert_eq!(account["not_composing"], 1);
    assert_eq!(account["left"]["epsilon_exact"], "1");
    // What can be counted still can, and the two together are warned of.
    let (code, _, said) = place.run("publish prefix-tree x.parquet --epsilon 1 --height 2 -o t");
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("nothing is promised about the releases together"),
        "{said}"
    );
}

#[test]
fn columns_that_identify_people_are_warned_of() {
    let place = neighbours();
    let line = "publish suppress x.parquet --k 2 --c 0.5 --l 2 --sensitive diagnosis=HIV";
    let found = place.json(&format!("{line} --keep age,sex -o r"));
    let warning = found["warnings"][0].as_str().unwrap();
    for part in [
        "2 of 4 people are the only ones with their values of \"age\", \"sex\"",
        "leave columns out of --keep (without \"age\" it is 0)",
    ] {
        assert!(warning.contains(part), "{part} is missing from {warning}");
    }
    let manifest = &found["manifest"];
    assert_eq!(
        manifest["attributes"],
        serde_json::json!(["diagnosis", "age", "sex"])
    );
    assert!(
        manifest["limits"]
            .to_string()
            .contains("The columns age, sex")
    );
    // Without the column nobody stands out, and columns that nobody asked for are not released.
    let found = place.json(&format!("{line} --keep sex -o without"));
    let warnings = found["warnings"].to_string();
    assert!(!warnings.contains("only ones"), "{warnings}");
    assert_eq!(
        found["manifest"]["attributes"],
        serde_json::json!(["diagnosis", "sex"])
    );
}

#[test]
fn several_sensitive_columns_are_bounded_together() {
    let place = neighbours();
    let found = place.json(
        "publish suppress x.parquet --k 2 --c 0.3 --l 2 --sensitive diagnosis=HIV,sex=f,m -o r",
    );
    let sensitive = &found["manifest"]["guarantee"]["sensitive"];
    assert_eq!(sensitive[1]["values"], serde_json::json!(["f", "m"]));
    // Half of them are f, whatever is taken out.
    assert_eq!(found["left"]["people"], 0);
    place.ok("verify r");
    place.ok(
        "publish suppress x.parquet --k 2 --c 0.5 --l 2 --sensitive diagnosis=HIV,sex=f -o kept",
    );
    assert_eq!(place.json("info kept")["records"], 4);
    place.fails("verify kept --k 2 --c 0.4 --l 1 --sensitive sex=f", 1, &[]);
}

#[test]
fn extremes_are_defined() {
    let place = patients();
    for (parameters, people) in [
        ("--k 9 --l 1", 0),
        ("--k 1 --c 0 --l 1 --sensitive HIV,Hepatitis,Flu,Fever", 0),
        ("--k 1 --c 0.99 --l 1 --sensitive cholera", 8),
        ("--k 2 --l 1000", 8),
    ] {
        let found = place.json(&format!(
            "publish suppress x.parquet {parameters} -o r --force"
        ));
        assert_eq!(found["left"]["people"], people, "{parameters}");
        let warnings = found["warnings"].to_string();
        assert_eq!(
            warnings.contains("nothing is left"),
            people == 0,
            "{warnings}"
        );
        assert!(place.ok("verify r").contains("holds"));
        let (_, _, said) = place.run("verify r");
        assert!(said.is_empty(), "{said}");
        for line in [
            "info r",
            "convert r --to csv --force -o r.csv",
            "mine r --top 2",
            "query r a",
        ] {
            place.ok(line);
        }
    }
    place.write("none.seq", "");
    place.ok("import none.seq --format seq --universe labels.txt --bins 2 -o none.parquet");
    let found = place.json("publish suppress none.parquet --k 2 --l all -o none");
    assert_eq!(found["left"]["raw_people"], 0);
    place.ok("verify none");
}

#[test]
fn wrong_values_are_explained_and_nothing_is_booked() {
    let place = patients();
    let before = place.names();
    let long = place.path("long.seq");
    for (parameters, code, says) in [
        ("--k 0 --l 2", 2, &["invalid k", "from 1"][..]),
        ("--k 2 --l 0", 2, &["invalid l", "or all"]),
        ("--k 2 --l 2 --c 1.5", 2, &["invalid c", "between 0 and 1"]),
        (
            "--k 2 --l 2 --c abc",
            2,
            &["invalid c (got \"abc\"): expected digits"],
        ),
        (
            "--k 2 --l 2 --c 0.12345678901234567890123",
            2,
            &["fewer digits"],
        ),
        (
            "--k 2 --l 2 --sensitive illness=HIV",
            2,
            &["\"illness\"", "\"sensitive\""],
        ),
        ("--k 2 --l 2 --keep age", 2, &["no column \"age\""]),
        ("--k 2 --l 2 --min-support 3", 2, &["--preserve mfs"]),
        (
            "--k 2 --l 2 --preserve mfs",
            2,
            &["--min-support is missing"],
        ),
        ("--k 2 --l 2 --mode both", 2, &["local or global"]),
        (
            "--k 2 --l 2 --epsilon 1",
            2,
            &[
                "'--epsilon' belongs to weave and prefix-tree and hybrid-tree and generalize",
                "suppress has --k",
            ],
        ),
        (
            "--k 2 --l 2 --trip-level",
            1,
            &["counts people", "--trip-level"],
        ),
        (
            "--k 2 --l 2 --max-trips 3",
            1,
            &["counts people", "--max-trips"],
        ),
        (
            "--k 1 --l 2",
            1,
            &["ask for nothing", "--k", "--c", "--sensitive"],
        ),
        ("--k 1 --l 2 --c 0.5", 1, &["ask for nothing"]),
    ] {
        place.fails(
            &format!("publish suppress x.parquet {parameters} -o r"),
            code,
            says,
        );
    }
    assert_eq!(place.names(), before);
    assert!(
        place.json("ledger show")["populations"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let visits: Vec<String> = (0..17).map(|bin| format!("a@{bin}")).collect();
    std::fs::write(long, visits.join(" ") + "\n").unwrap();
    place.ok("import long.seq --format seq --universe labels.txt --bins 17 -o long.parquet");
    for l in ["all", "17"] {
        let line = format!("publish suppress long.parquet --k 2 --l {l} -o r");
        place.fails(&line, 2, &["17 visits", "at most 16", "--l", "--bin-width"]);
    }
    assert!(!place.path("r").exists());
    place.write("plain.seq", "a b\n");
    place.ok("import plain.seq --format seq --universe labels.txt -o plain.parquet");
    place.fails(
        "publish suppress plain.parquet --k 2 --l 2 -o r",
        1,
        &[
            "when visits were made",
            "--bin-width, --bin-origin and --bins",
        ],
    );
}

#[test]
fn values_without_a_bound_and_misspelt_ones_are_warned_of() {
    let place = patients();
    for (parameters, says) in [
        ("--c 0.5", "--c says nothing without sensitive values"),
        ("--sensitive HIV", "nothing limits how surely"),
        (
            "--c 0.5 --sensitive HVI",
            "no record has the sensitive value \"HVI\"",
        ),
    ] {
        let line = format!("publish suppress x.parquet --k 2 --l 2 {parameters} -o r --force");
        let warnings = place.json(&line)["warnings"]
            .to_string()
            .replace("\\\"", "\"");
        assert!(warnings.contains(says), "{says} is missing from {warnings}");
    }
}

#[test]
fn blanks_around_values_and_values_that_are_missing() {
    let place = Place::new();
    let mut table = String::from("uid,trajectory,position,location,bin,job,diagnosis\n");
    for (number, value) in (1..).zip(["HIV", "Flu", "", ""]) {
        table += &format!("{number},{number},1,A,1,,{value}\n");
    }
    place
        .write("labels.txt", "A\n")
        .write("x.csv", &table)
        .ok("import x.csv --format csv --universe labels.txt --bins 3 -o x.parquet");
    let publish = |input: &str, sensitive: &str| {
        let line = format!("publish suppress {input} --k 2 --c 0.5 --l 1 -o r --force --json");
        let mut command = place.command(&line);
        let out = command.args(["--sensitive", sensitive]).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (out.status.code(), text(out.stdout), text(out.stderr))
    };
    let (code, out, said) = publish("x.parquet", "diagnosis=HIV, Flu");
    assert_eq!(code, Some(0), "{said}");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    let values = &found["manifest"]["guarantee"]["sensitive"][0]["values"];
    assert_eq!(*values, serde_json::json!(["HIV", "Flu"]));
    assert!(!said.contains("no record has"), "{said}");
    assert!(
        said.contains("2 of 4 people have no value in the sensitive column"),
        "{said}"
    );
    let (_, _, said) = publish("x.parquet", "diagnosis=hiv");
    assert!(said.contains("is it spelt so? There is \"HIV\""), "{said}");
    let (code, _, said) = publish("x.parquet", "diagnosis=HIV,");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("an empty value stands among"), "{said}");
    let (_, _, said) = publish("x.parquet", "HIV");
    assert!(said.contains("COLUMN=HIV"), "{said}");
    // A person with two diagnoses: other units are no way out for suppress, but for verify.
    table += "4,5,1,A,1,,Flu\n";
    place
        .write("y.csv", &table)
        .ok("import y.csv --format csv --universe labels.txt --bins 3 -o y.parquet");
    let (code, _, said) = publish("y.parquet", "diagnosis=HIV");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("correct the data, or leave the column out"),
        "{said}"
    );
    assert!(!said.contains("--trip-level"), "{said}");
    let line = "verify y.parquet --k 2 --l 1 --c 0.5 --sensitive diagnosis=HIV";
    place.fails(line, 2, &["--max-trips M or --trip-level"]);
}

#[test]
fn other_commands_take_a_suppressed_release() {
    let place = Place::new();
    place.ok("generate city --records 1500 --insecure-seed 3 -o x.parquet");
    place.ok("publish suppress x.parquet --k 3 --c 0.6 --l 2 --sensitive HIV -o r");
    let lost = place.json("evaluate x.parquet r --metric lost-instances");
    assert!(lost.to_string().contains("lost-instances"), "{lost}");
    let mut command = place.command("evaluate x.parquet --metric lost-instances --publish");
    command.arg("suppress k=3 c=0.6 l=2 sensitive=HIV");
    assert!(command.output().unwrap().status.success());
    let attacked = place.json("attack x.parquet r --victims 40");
    assert!(attacked.to_string().contains("k-c-l-privacy"), "{attacked}");
    assert!(place.ok("mine r --top 3").contains('@'));
    place.ok("query r B15@17");
}
