//! Advice, as a publisher asks for it.

use serde_json::Value;

use super::common::Place;

/// Two files with the same places and other people in them.
fn two_files() -> Place {
    let place = Place::new();
    place.ok("generate metro --records 3000 --locations 20 --insecure-seed 1 -o a.parquet");
    place.ok("generate metro --records 400 --locations 20 --insecure-seed 2 -o b.parquet");
    place
}

/// Runs with `--json` whatever the exit code.
fn asked(place: &Place, line: &str) -> (i32, Value) {
    let (code, out, err) = place.run(&format!("{line} --json"));
    let object = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{line}\n{out}{err}"));
    (code, object)
}

/// Runs the command that advice prints, by a shell, as it stands.
fn type_in(place: &Place, command: &str) {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_wayveil"))
        .parent()
        .unwrap()
        .to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = std::process::Command::new("sh")
        .args(["-c", command])
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("WAYVEIL_LEDGER", place.ledger())
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}\n{err}");
}

const QUICK: &str = "--effort quick --insecure-seed 3";

#[test]
fn rows_of_the_file_do_not_matter_without_a_look() {
    let place = two_files();
    std::fs::create_dir(place.path("other")).unwrap();
    std::fs::rename(place.path("b.parquet"), place.path("other/a.parquet")).unwrap();
    let line =
        format!("advise a.parquet --task counts --tolerance 20% --people 3000 {QUICK} --json");
    let mut other = place.command(&line);
    let other = other.current_dir(place.path("other")).output().unwrap();
    let (code, out, _) = place.run(&line);
    assert_eq!(other.status.code(), Some(code));
    assert_eq!(String::from_utf8(other.stdout).unwrap(), out);
    // With a look they do.
    let line = format!("advise a.parquet --task counts --tolerance 20% --look {QUICK} --json");
    let mut other = place.command(&line);
    let other = other.current_dir(place.path("other")).output().unwrap();
    assert_ne!(String::from_utf8(other.stdout).unwrap(), place.run(&line).1);
    assert!(!place.ledger().exists(), "advice makes no ledger");
}

#[test]
fn the_printed_command_runs_and_the_manifest_says_who_looked() {
    let place = two_files();
    std::fs::rename(place.path("a.parquet"), place.path("it's mine.parquet")).unwrap();
    let mut look = place.command(&format!(
        "advise --task counts --epsilon 1 --look {QUICK} --json"
    ));
    let output = look.arg("it's mine.parquet").output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let advice: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&advice["internal"], &advice["source"]),
        (&true.into(), &"raw".into())
    );
    type_in(&place, advice["command"].as_str().unwrap());
    let manifest = place.read_json("release/manifest.json");
    assert!(
        manifest.to_string().contains("chosen after looking"),
        "{manifest}"
    );

    let line =
        format!("advise b.parquet --task flows --epsilon 2 --people 400 --max-trips 2 {QUICK}");
    let (_, advice) = asked(&place, &line);
    assert_eq!(
        (&advice["internal"], &advice["source"]),
        (&false.into(), &"facts".into())
    );
    let command = advice["command"].as_str().unwrap();
    assert!(
        command.contains("--max-trips 2") && command.ends_with("-o release-2"),
        "{command}"
    );
    type_in(&place, command);
    let manifest = place.read_json("release-2/manifest.json");
    assert!(!manifest.to_string().contains("chosen after looking"));
    assert_eq!(manifest["method"]["name"], advice["recommended"]["method"]);

    // What was released teaches the next advice, at no cost.
    let line = format!("advise b.parquet --task counts --epsilon 1 --like release {QUICK}");
    let (_, advice) = asked(&place, &line);
    assert_eq!(advice["source"], "release");
    type_in(&place, advice["command"].as_str().unwrap());
}

#[test]
fn paying_is_booked_and_told() {
    let place = two_files();
    place.ok("ledger allow generated-metro --epsilon 0.6");
    let line = format!("advise a.parquet --task counts --people 3000 --pay 0.1 -o small {QUICK}");
    let (code, advice) = asked(&place, &line);
    assert_eq!(advice["meets"], code == 0, "{advice}");
    assert_eq!(advice["spent"]["epsilon"], "0.1");
    assert_eq!(
        place.read_json("small/manifest.json")["method"]["name"],
        "prefix-tree"
    );
    // No more is advised than the allowance leaves.
    for point in advice["points"].as_array().unwrap() {
        let epsilon: f64 = point["epsilon"].as_str().unwrap().parse().unwrap();
        assert!(epsilon <= 0.5, "{point}");
    }
    let left_out = advice["left_out"].to_string();
    assert!(left_out.contains("delta"), "{left_out}");
    type_in(&place, advice["command"].as_str().unwrap());
    place.fails(
        &format!("advise a.parquet --task counts --people 3000 --epsilon 0.6 {QUICK}"),
        1,
        &["allowance", "wayveil ledger"],
    );
}

#[test]
fn no_is_an_answer_with_what_would_help() {
    let place = two_files();
    let line = format!("advise b.parquet --task flows --tolerance 1% --people 400 {QUICK}");
    let (code, out, _) = place.run(&format!("{line} --plot curve.svg"));
    assert_eq!(code, 1);
    for part in [
        "Nothing that was tried meets 1.0 %",
        "What would help: a larger --max-epsilon than 1",
        "no row of the file was looked at",
        "--typical-length",
        "wayveil publish",
        "no: too wrong",
        "<- the best",
    ] {
        assert!(out.contains(part), "{out}\nlacks {part:?}");
    }
    let plot = std::fs::read_to_string(place.path("curve.svg")).unwrap();
    assert!(plot.contains("Expected error for flows") && !plot.contains("NaN"));
}

#[test]
fn truthful_promises_are_advised_and_kept() {
    let place = Place::new();
    place.ok("generate city --records 600 --insecure-seed 1 -o city.parquet");
    let sensitive = "--sensitive diagnosis=HIV --sensitive-share 0.2";
    for (knows, conditional) in [("--people 600", false), ("--look", true)] {
        let line = format!(
            "advise city.parquet --task truthful --tolerance 90% {knows} {sensitive} {QUICK}"
        );
        let (code, advice) = asked(&place, &line);
        assert_eq!(code, 0, "{advice}");
        let command = advice["command"].as_str().unwrap();
        assert!(command.contains("--sensitive diagnosis=HIV"), "{command}");
        assert_eq!(command.contains("--chosen-after-looking"), conditional);
        type_in(&place, command);
    }
    place.ok("verify release");
    place.ok("verify release-2");
}

#[test]
fn nobody_needs_to_be_trusted_for_patterns() {
    let place = two_files();
    let line = format!(
        "advise b.parquet --task patterns --nobody-trusted --people 20000 --epsilon 4 --longest 8 {QUICK}"
    );
    let (_, advice) = asked(&place, &line);
    assert_eq!(advice["recommended"]["method"], "fastpub");
    place.fails(
        &format!("advise b.parquet --task counts --nobody-trusted --people 400 {QUICK}"),
        2,
        &["--task patterns"],
    );
}

#[test]
fn what_cannot_be_answered_is_refused_with_a_hint() {
    let place = two_files();
    place.ok("publish prefix-tree a.parquet --epsilon 1 --height 2 -o r");
    place.write("ab.seq", "A B\nB\n");
    place.ok("import ab.seq --format seq --universe-from-data -o from-data.parquet");
    for (line, code, says) in [
        (
            "a.parquet --task counts",
            2,
            ["--people N", "--like RELEASE", "--look"],
        ),
        (
            "a.parquet --task sums --people 9",
            2,
            ["sums", "counts", "truthful"],
        ),
        (
            "a.parquet --task counts --people 9 --tolerance 5",
            2,
            ["tolerance", "\"5\"", "5%"],
        ),
        (
            "a.parquet --task counts --people 0",
            2,
            ["people", "from 1", "--people"],
        ),
        (
            "r --task counts --people 9",
            2,
            ["release already", "r", "--like"],
        ),
        (
            "a.parquet --task counts --like b.parquet",
            2,
            ["raw data", "b.parquet", "--look"],
        ),
        (
            "a.parquet --task truthful --people 9",
            2,
            ["time bins", "--bin-width", "a.parquet"],
        ),
        (
            "a.parquet --task counts --people 9 --sensitive x=y",
            2,
            ["--sensitive", "truthful", "leave"],
        ),
        (
            "a.parquet --task counts --people 9 --methods tree",
            2,
            ["tree", "prefix-tree", "suppress"],
        ),
        (
            "a.parquet --task counts --people 9 --methods suppress",
            2,
            ["suppress", "counts", "--methods"],
        ),
        (
            "a.parquet --task counts --people 9 --effort much",
            2,
            ["much", "quick", "thorough"],
        ),
        (
            "a.parquet --task counts --people 9 --epsilon 0",
            2,
            ["epsilon", "above 0", "0.1"],
        ),
        (
            "a.parquet --task flows --people 9 --longest 1",
            2,
            ["flows", "not defined", "--typical-length"],
        ),
        (
            "from-data.parquet --task counts --people 9",
            1,
            ["raw data", "--universe FILE", "--universe-from-data"],
        ),
        (
            "a.parquet --task counts --pay 1",
            2,
            ["--output", "FOLDER", "--pay"],
        ),
    ] {
        place.fails(&format!("advise {line}"), code, &says);
    }
    place.ok("generate city --records 50 --insecure-seed 1 -o city.parquet");
    place.fails(
        "advise city.parquet --task truthful --people 50 --sensitive illness=HIV",
        2,
        &["illness", "diagnosis"],
    );
}

#[test]
fn a_release_passes_on_what_it_rests_on() {
    let place = two_files();
    let epsilon = "--epsilon 1 --height 2";
    place.ok(&format!("publish prefix-tree a.parquet {epsilon} -o clean"));
    place.ok(&format!(
        "publish prefix-tree a.parquet {epsilon} --chosen-after-looking -o looked"
    ));
    place.ok(&format!(
        "publish prefix-tree a.parquet {epsilon} --insecure-seed 1 -o seeded"
    ));
    for (release, says) in [
        ("clean", ""),
        ("looked", "itself chosen after looking"),
        ("seeded", "must not be published"),
    ] {
        let line = format!("advise a.parquet --task counts --epsilon 1 --like {release} {QUICK}");
        let (_, advice) = asked(&place, &line);
        let command = advice["command"].as_str().unwrap();
        assert_eq!(command.contains("--chosen-after-looking"), !says.is_empty());
        let (_, out, _) = place.run(&line);
        assert!(
            out.contains(says) && out.contains("(rows of the release)"),
            "{out}"
        );
    }
    // Noise that may be a large part of the rows.
    place.ok("publish prefix-tree b.parquet --epsilon 0.1 --height 4 -o noisy");
    place.fails(
        &format!("advise a.parquet --task counts --epsilon 1 --like noisy {QUICK}"),
        2,
        &["say too little", "--people"],
    );
}

#[test]
fn nothing_is_bought_for_a_question_without_an_answer() {
    let place = two_files();
    place.fails(
        &format!("advise a.parquet --task counts --people 3000 --pay 0.1 -o small --methods fastpub {QUICK}"),
        2,
        &["no method serves", "--nobody-trusted"],
    );
    assert!(!place.path("small").exists() && !place.ledger().exists());
    place.fails(
        "advise a.parquet --task counts --pay 0.1 -o small",
        2,
        &["--people"],
    );
    place.fails(
        "advise a.parquet --task counts --look --people 9",
        2,
        &["--look", "--people"],
    );
}

#[test]
fn the_answer_comes_first_and_what_is_worthless_is_called_so() {
    let place = two_files();
    let line = format!("advise b.parquet --task flows --people 50 --epsilon 0.01 {QUICK}");
    let (code, out, _) = place.run(&line);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.starts_with("Nothing that was tried is worth publishing for this purpose"),
        "{out}"
    );
    assert!(!out.contains("not considered"), "{out}");
    let line = format!(
        "advise b.parquet --task counts --people 20000 --epsilon 4 --methods prefix-tree {QUICK}"
    );
    let (code, out, _) = place.run(&line);
    assert_eq!(code, 0, "{out}");
    assert!(
        out.starts_with("Recommended: prefix-tree with epsilon 4"),
        "{out}"
    );
    assert!(
        out.contains("Protection is weak") && out.contains("<- recommended"),
        "{out}"
    );
}
