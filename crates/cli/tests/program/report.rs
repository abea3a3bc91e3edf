//! `wayveil report` and `publish --report`: pages for publishers and for recipients.

use super::common::{Place, names, write_timed_data};

const BEGINS: &str = "<!-- publishable part begins -->";
const ENDS: &str = "<!-- publishable part ends -->";
/// What a test can wait for.
const QUICK: &str = "--repeats 0 --no-attacks";

/// What stands for recipients on a page.
fn publishable(page: &str) -> &str {
    let (_, rest) = page.split_once(BEGINS).expect("a publishable part");
    let (part, after) = rest.split_once(ENDS).expect("its end");
    assert!(!after.contains(BEGINS), "one publishable part");
    assert!(part.len() > 500, "something is shown: {part}");
    part
}

fn page(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).expect("a page")
}

/// Data of 400 people and a release of it with its page.
fn with_release() -> Place {
    let place = Place::new();
    place.ok("generate metro --records 400 --insecure-seed 1 -o m.parquet");
    place.ok("ledger allow generated-metro --epsilon 3");
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 3 --report -o r");
    place
}

/// The property that the whole crate of pages is built for: whatever the raw data, the same release
/// shows recipients the same bytes.
#[test]
fn recipients_see_the_same_whatever_the_raw_data() {
    for (preset, method) in [
        ("metro", "prefix-tree --epsilon 1 --height 3"),
        ("metro", "hybrid-tree --epsilon 1 --height 3"),
        ("taxi", "generalize --epsilon 1 --window 2 --decoys 5"),
        (
            "city",
            "suppress --k 3 --c 0.5 --l 2 --sensitive diagnosis=HIV",
        ),
        ("oldenburg", "fastpub --epsilon 4 --k 100 --length 2"),
    ] {
        let place = Place::new();
        for (name, records) in [("a", 300), ("b", 270)] {
            place.ok(&format!(
                "generate {preset} --records {records} --insecure-seed {records} -o {name}.parquet"
            ));
        }
        place.ok(&format!("publish {method} a.parquet --report -o r"));
        let mut internal = Vec::new();
        let given = page(&place, "r/report.html");
        for name in ["a", "b"] {
            place.ok(&format!(
                "report {name}.parquet r -o {name}.html --repeats 2 --no-attacks"
            ));
            let drawn = page(&place, &format!("{name}.html"));
            assert!(
                publishable(&drawn) == publishable(&given),
                "{method}: raw data {name} shows in what recipients see"
            );
            internal.push(drawn);
        }
        assert_ne!(
            internal[0], internal[1],
            "{method}: raw data shows somewhere"
        );
        assert!(internal[0].contains("id=\"internal\""), "{method}");
        assert!(!given.contains("id=\"internal\""), "{method}");
    }
}

#[test]
fn names_of_people_and_folders_are_for_the_publisher() {
    let place = Place::new();
    std::fs::create_dir(place.path("SENTINELFOLDER")).unwrap();
    place
        .write("SENTINELFOLDER/x.seq", "A B\n".repeat(500))
        .write("labels.txt", "A\nB\n");
    place.ok(
        "import SENTINELFOLDER/x.seq --format seq --universe labels.txt \
         --population SENTINELPEOPLE -o SENTINELFOLDER/x.parquet",
    );
    place.ok(
        "publish prefix-tree SENTINELFOLDER/x.parquet --epsilon 1 --height 2 \
         --insecure-seed 424242424242 --report -o r",
    );
    place.ok(&format!(
        "report SENTINELFOLDER/x.parquet r -o x.html {QUICK}"
    ));
    let internal = page(&place, "x.html");
    for part in [&*page(&place, "r/report.html"), publishable(&internal)] {
        for secret in ["SENTINELFOLDER", "SENTINELPEOPLE", "424242424242"] {
            assert!(!part.contains(secret), "{secret} is shown");
        }
    }
    assert!(internal.contains("SENTINELPEOPLE"), "the books name them");
}

#[test]
fn a_page_is_part_of_a_release() {
    let place = with_release();
    let files = names(&place.path("r"));
    assert!(files.contains(&"report.html".to_owned()), "{files:?}");
    let manifest = place.json("info r")["manifest"].clone();
    let listed = manifest["files"].as_array().unwrap();
    assert!(listed.iter().any(|file| file["name"] == "report.html"));
    assert!(page(&place, "r/README.md").contains("`report.html`"));

    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 3 -o r --force");
    assert!(!place.path("r/report.html").exists(), "none was asked for");
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 3 -o r --report --force");
    std::fs::write(place.path("r/report.html"), "something else").unwrap();
    place.fails("info r", 1, &["report.html", "changed"]);
    std::fs::remove_file(place.path("r/report.html")).unwrap();
    place.fails("info r", 1, &["report.html", "removed"]);

    place.ok("generate oldenburg --records 2000 --insecure-seed 1 -o v.parquet");
    place.ok(
        "federate simulate v.parquet --epsilon 4 --k 100 --length 2 --no-evaluation --report -o f",
    );
    assert!(place.path("f/report.html").exists() && place.json("info f").is_object());
}

#[test]
fn a_report_has_figures_intervals_lines_attacks_and_books() {
    let place = with_release();
    let object = place.json("report m.parquet r -o report.html --repeats 3 --victims 20");
    assert_eq!(object["internal"], true);
    assert_eq!(object["output"], "report.html");
    assert_eq!(object["repeats"], 3);
    assert_eq!(object["raw"]["records"], 400);
    let written = page(&place, "report.html");
    assert_eq!(object["bytes"], written.len());
    assert!(!written.contains("NaN"));
    let release = place.json("info r");
    assert_eq!(object["release"]["id"], release["manifest"]["id"]);

    // The same numbers as those of evaluate, which has no intervals or lines.
    let evaluated = place.json("evaluate m.parquet r")["metrics"].clone();
    let metrics = object["metrics"].as_array().unwrap();
    for row in metrics {
        let name = match row["value_name"].as_str().unwrap() {
            "" => row["metric"].as_str().unwrap().to_owned(),
            value => format!("{}.{value}", row["metric"].as_str().unwrap()),
        };
        assert_eq!(row["value"], evaluated[&name], "{name}");
    }
    let tasks = object["tasks"].as_array().unwrap();
    let named: Vec<&str> = tasks
        .iter()
        .map(|it| it["task"].as_str().unwrap())
        .collect();
    assert_eq!(named, ["counts", "patterns", "flows"]);
    for task in tasks {
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        let (low, high) = (number(&task["interval"][0]), number(&task["interval"][1]));
        assert!(0.0 <= low && low <= high, "{task}");
        assert!(
            number(&task["another_sample"]) < number(&task["nothing"]) + 1e-9,
            "{task}"
        );
        assert!(number(&task["error"]) >= 0.0);
    }
    let attacks = &object["attacks"]["attacks"];
    assert!(attacks.as_array().is_some_and(|all| all.len() > 5));
    let budget = &object["budget"];
    assert_eq!(budget["population"], "generated-metro");
    assert_eq!(budget["spent"], "epsilon 1");
    assert_eq!(budget["left"], "epsilon 2");
    assert_eq!(budget["entries"][0]["this_one"], true);
    assert_eq!(budget["entries"][0]["epsilon"], 1.0);

    // Nothing in it is left to chance.
    let again = place.json("report m.parquet r -o again.html --repeats 3 --victims 20");
    assert_eq!(again["tasks"], object["tasks"]);
    assert!(
        page(&place, "again.html") == written,
        "the same report again"
    );

    let text = place.ok(&format!("report m.parquet r -o t.html {QUICK}"));
    for part in [
        "patterns",
        "another sample",
        "internal",
        "wrote t.html",
        "not asked for",
    ] {
        assert!(text.contains(part), "{text}\nlacks {part:?}");
    }
}

#[test]
fn why_there_are_no_intervals_is_said() {
    let place = Place::new();
    place.ok("generate city --records 300 --insecure-seed 1 -o c.parquet");
    place.ok("publish suppress c.parquet --k 3 --c 0.5 --l 1 --sensitive diagnosis=HIV -o r");
    let object = place.json("report c.parquet r -o r.html --no-attacks");
    assert_eq!(object["repeats"], 0);
    let reason = object["no_intervals_because"].as_str().unwrap();
    assert!(
        reason.contains("two runs gave the same release"),
        "{reason}"
    );
    // Made from other locations than these: it cannot be made again.
    place
        .write("few.txt", "A\nB\n")
        .write("more.txt", "C\nA\nB\n")
        .write("ab.seq", "A B\n".repeat(300))
        .write("c.seq", "A C\n".repeat(300));
    for (name, data, labels) in [
        ("few", "ab", "few"),
        ("more", "ab", "more"),
        ("other", "c", "more"),
    ] {
        place.ok(&format!(
            "import {data}.seq --format seq --universe {labels}.txt -o {name}.parquet"
        ));
    }
    place.ok("publish prefix-tree few.parquet --epsilon 4 --height 2 -o few");
    let object = place.json("report more.parquet few -o more.html --no-attacks");
    let reason = object["no_intervals_because"].as_str().unwrap();
    assert!(reason.contains("another set of locations"), "{reason}");
    assert!(
        object["tasks"][0]["error"].as_f64().unwrap() < 0.1,
        "{object}"
    );
    let line = format!("report other.parquet few -o other.html {QUICK}");
    place.fails(&line, 2, &["few", "\"C\"", "made from"]);
}

#[test]
fn an_internal_report_never_lies_in_a_release() {
    let place = with_release();
    let before = names(&place.path("r"));
    std::fs::create_dir(place.path("r/.notes")).unwrap();
    for target in ["r/internal.html", "r/report.html", "r/.notes/internal.html"] {
        for flags in ["", "--force"] {
            let line = format!("report m.parquet r -o {target} {QUICK} {flags}");
            place.fails(&line, 2, &["within the release r", target]);
        }
    }
    // Nor in another one.
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 2 -o other");
    let line = format!("report m.parquet r -o other/x.html {QUICK}");
    place.fails(&line, 2, &["within the release other"]);
    std::fs::remove_dir(place.path("r/.notes")).unwrap();
    assert_eq!(names(&place.path("r")), before);
    assert!(place.json("info r").is_object() && place.json("info other").is_object());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.path("r"), place.path("link")).unwrap();
        let line = format!("report m.parquet r -o link/x.html {QUICK}");
        place.fails(&line, 2, &["within the release r"]);
    }
}

#[test]
fn refusals_come_before_long_work_and_leave_nothing() {
    let place = with_release();
    place
        .write("kept.html", "kept")
        .write("bad.json", "{ \"queries\": 1 }");
    std::fs::create_dir(place.path("folder")).unwrap();
    let before = place.names();
    for (line, code, says) in [
        ("report m.parquet r", 2, &["--output"][..]),
        (
            "report m.parquet r -o kept.html",
            2,
            &["exists already", "--force"],
        ),
        (
            "report m.parquet r -o no/x.html",
            2,
            &["no folder", "mkdir"],
        ),
        ("report m.parquet r -o folder --force", 2, &["folder"]),
        (
            "report m.parquet r -o m.parquet --force",
            2,
            &["this is the input"],
        ),
        (
            "report r r -o x.html",
            2,
            &["must be raw data, not a release", "RAW RELEASE"],
        ),
        (
            "report m.parquet m.parquet -o x.html",
            2,
            &["must be a release", "RAW RELEASE"],
        ),
        ("report m.parquet none -o x.html", 2, &["none"]),
        ("report m.parquet folder -o x.html", 2, &["not a release"]),
        (
            "report m.parquet r -o x.html --repeats 1",
            2,
            &["repeats", "--repeats 0"],
        ),
        (
            "report m.parquet r -o x.html --repeats 5000",
            2,
            &["repeats"],
        ),
        ("report m.parquet r -o x.html --victims 0", 2, &["victims"]),
        (
            "report m.parquet r -o x.html --victims 9 --no-attacks",
            2,
            &["--no-attacks"],
        ),
        (
            "report m.parquet r -o x.html --settings bad.json",
            2,
            &["bad.json:1", "queries"],
        ),
        (
            "report m.parquet r -o x.html --ledger none",
            2,
            &["no ledger"],
        ),
    ] {
        place.fails(line, code, says);
        assert_eq!(place.names(), before, "{line}");
    }
    assert_eq!(page(&place, "kept.html"), "kept");
    let object: serde_json::Value = {
        let (code, out, _) = place.run("report r r -o x.html --json");
        assert_eq!(code, 2);
        serde_json::from_str(&out).expect("one object")
    };
    assert_eq!(object["error"]["kind"], "input");
    place.ok(&format!("report m.parquet r -o kept.html --force {QUICK}"));
    assert_ne!(page(&place, "kept.html"), "kept");

    // Data of other places, and with times.
    place.write("x.seq", "A B\n").write("labels.txt", "A\nB\n");
    place.ok("import x.seq --format seq --universe labels.txt -o x.parquet");
    let line = format!("report x.parquet r -o x.html {QUICK}");
    place.fails(&line, 2, &["does not know", "made from"]);
    write_timed_data(&place.path("timed.parquet"));
    let line = format!("report timed.parquet r -o x.html {QUICK}");
    place.fails(&line, 2, &["does not know", "made from"]);
    std::fs::write(place.path("r/counts.parquet"), "broken").unwrap();
    let line = format!("report m.parquet r -o x.html {QUICK}");
    place.fails(&line, 1, &["counts.parquet", "changed"]);
    assert!(!place.path("x.html").exists());
    assert!(
        !place.names().iter().any(|name| name.starts_with('.')),
        "no litter"
    );
}

#[test]
fn a_release_without_times_is_reported_on_without_them() {
    let place = Place::new();
    write_timed_data(&place.path("timed.parquet"));
    place
        .write("labels.txt", "A\nB\nC\nD\n")
        .write("x.seq", "A B C\n".repeat(300));
    place.ok("import x.seq --format seq --universe labels.txt -o untimed.parquet");
    place.ok("publish prefix-tree untimed.parquet --epsilon 4 --height 2 -o r");
    let object = place.json("report timed.parquet r -o r.html --repeats 2 --no-attacks");
    let remark = object["remarks"][0].as_str().expect("a remark");
    assert!(remark.contains("has no times"), "{remark}");
    assert!(object["tasks"][0]["error"].is_number(), "{object}");
}

#[test]
fn a_ledger_is_read_and_never_made() {
    let place = with_release();
    let absent = place.path("absent.sqlite");
    let output = place
        .command(&format!("report m.parquet r -o x.html --json {QUICK}"))
        .env("WAYVEIL_LEDGER", &absent)
        .output()
        .unwrap();
    assert!(output.status.success());
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["budget"], serde_json::Value::Null);
    assert!(!absent.exists(), "no ledger was made");
}

#[test]
fn odd_data_has_a_report_without_numbers_that_are_none() {
    let place = Place::new();
    place
        .write("labels.txt", "A\nB\n")
        .write("empty.seq", "")
        .write("one.seq", "A\n")
        .write("blank.seq", "\n\n\n");
    for name in ["empty", "one", "blank"] {
        place.ok(&format!(
            "import {name}.seq --format seq --universe labels.txt -o {name}.parquet"
        ));
        place.ok(&format!(
            "publish prefix-tree {name}.parquet --epsilon 1 --height 2 --report -o {name}"
        ));
        let object = place.json(&format!(
            "report {name}.parquet {name} -o {name}.html --repeats 2 --victims 5"
        ));
        assert!(!object.to_string().contains("NaN"));
        assert!(
            !page(&place, &format!("{name}.html")).contains("NaN"),
            "{name}"
        );
    }
    write_timed_data(&place.path("fiji.parquet"));
    place.ok("publish prefix-tree fiji.parquet --epsilon 4 --height 2 --report -o fiji");
    place.ok("report fiji.parquet fiji -o fiji.html --repeats 2 --victims 20");
    let (given, own) = (page(&place, "fiji/report.html"), page(&place, "fiji.html"));
    assert_eq!(publishable(&given), publishable(&own));
}
