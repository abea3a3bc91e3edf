//! The command as a user meets it.

use std::fs;
use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayveil-bench"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn list_names_every_benchmark() {
    let output = bench(&["list"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for benchmark in wayveil_bench::benchmarks::ALL {
        assert!(text.lines().any(|line| line.starts_with(benchmark.name)));
    }
}

#[test]
fn mistakes_end_with_status_two_and_a_reason() {
    let cases: [(&[&str], &str); 10] = [
        (&["nothing"], "unknown benchmark nothing"),
        (&["--slow", "laplace"], "unknown option --slow"),
        (&["laplace", "list"], "unknown benchmark list"),
        (&["laplace", "trees", "--plot", "x.svg"], "one benchmark"),
        (
            &["laplace", "-o", "here"],
            "-o goes with suppression-figures",
        ),
        (
            &["fastpub-figures", "--records", "9"],
            "--records goes with",
        ),
        (
            &["fastpub-figures", "--data", "no-such-folder"],
            "no-such-folder",
        ),
        (
            &["suppression-figures", "--records", "many"],
            "--records needs a number",
        ),
        (&["suppression-figures", "--data", "x"], "--data goes with"),
        (
            &["generalize-taxis", "--data", "no-such-folder"],
            "no-such-folder",
        ),
    ];
    for (arguments, reason) in cases {
        let output = bench(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8(output.stderr).unwrap().contains(reason));
    }
}

#[test]
fn results_can_be_read_by_a_program() {
    let output = bench(&["laplace", "--quick", "--json"]);
    assert!(output.status.success());
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["benchmark"], "laplace");
    for result in value["results"].as_array().unwrap() {
        assert!(result["ratio"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn the_figures_of_the_suppression_paper_are_made_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("figures");
    let words = ["suppression-figures", "--quick", "--records", "500", "-o"];
    let output = bench(&[&words[..], &[path.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        fs::read_to_string(path.join("suppress-figures.md")).unwrap(),
        text
    );
    for line in [
        "| `city` | 500 | ",
        "| `stm-hours` | 500 | ",
        "## Figure 2: ",
        "## Figure 3: ",
        "## Figure 4: ",
        "108 outputs, ",
    ] {
        assert!(text.lines().any(|known| known.starts_with(line)), "{line}");
    }
    assert!(text.ends_with("0 violations.\n"));
    // Two data sets, two measures but for figure 4.
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    for (name, blocks) in [
        ("(K, C)_L, record", 10),
        ("(K, C)_L, local", 10),
        ("k-anonymity, global", 6),
        ("confidence bounding, local", 4),
    ] {
        assert_eq!(lines(&format!("| {name} | ")), blocks);
    }
    for (figure, panels) in [(2, 4), (3, 4), (4, 2)] {
        let picture = path.join(format!("suppress-figure-{figure}.svg"));
        let picture = fs::read_to_string(picture).unwrap();
        assert_eq!(picture.matches(" lost, %").count(), panels);
    }
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.contains("stm-hours 54/54: "));
}

#[test]
fn the_taxis_of_the_generalising_paper_are_measured_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("taxis");
    let words = ["generalize-taxis", "--quick", "-o"];
    let output = bench(&[&words[..], &[path.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(read("generalize-taxis.md"), text);
    for line in [
        "# `generalize` on 60 generated taxis: all numbers",
        "| taxis | 60 |",
        // All tracks differ, so that the paper's noise is none: taxis have 2, decoys 1.
        "| as published | none | – | 1.0 | 60.0 | ",
        "| whole tracks, public centres | (1, 1e-6)-DP | 15 | 1.0 | 0.0 | 0.0 | 0 [0] | 0.0 | – | ",
        "| n = 2, m = 1, public centres | (2, 1e-6)-DP | 8 | ",
    ] {
        assert!(
            text.lines().any(|known| known.starts_with(line)),
            "{line}\n{text}"
        );
    }
    assert!(text.contains("and 100.0 % by whether their count is at least 1.5."));
    assert_eq!(
        read("generalize-clusters.svg")
            .matches("cluster 5: ")
            .count(),
        3
    );
    assert!(read("generalize-taxis.svg").contains("mutual information, bits"));
    // The same on every run.
    let again = bench(&words[..2]);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}

#[test]
fn the_methods_of_the_federated_paper_are_measured_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    // A few page visits, to see that they are read and told beside the paper's figures.
    let visits = folder.path().join("visits");
    fs::create_dir(&visits).unwrap();
    fs::write(visits.join("msnbc.seq"), "1 2 3\n17 1 2\n".repeat(2000)).unwrap();
    let path = folder.path().join("figures");
    let words = ["fastpub-figures", "--quick", "--data"];
    let places = [visits.to_str().unwrap(), "-o", path.to_str().unwrap()];
    let output = bench(&[&words[..], &places].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(read("fastpub-figures.md"), text);
    for line in [
        "| MSNBC reduced × 10 | 4,000 | 3.0 | 17 | 10 | 40,000 | 2,000 to 6,000 | 3, 2 |",
        "| MSNBC reduced, not duplicated | 4,000 | 3.0 | 17 | 1 | 4,000 | 200 to 600 | 3, 2 |",
        "| generated `oldenburg` × 100 | 2,000 | ",
        "| the paper: FASTPub | 10 | 1.00 | 0.59 | 0.72 | 0.09 |",
        "- Mean F1 of the repaired form (per candidate) on MSNBC reduced × 10 at ε = 10: ",
        "- Communication of the repaired form, the most of any client: 1.0 bits of answer",
        // Few fragments, each far above k: nothing can be missed.
        "| repaired, per candidate | 10 | 1.00 ± 0.00 | 1.00 ± 0.00 | 1.000 ± 0.000 | ",
        "| pairs | 2 | repaired, family-wise | ",
        "| 3 | 6,000 | 10 | ",
    ] {
        assert!(
            text.lines().any(|known| known.starts_with(line)),
            "{line}\n{text}"
        );
    }
    // For each population two ε in its table, two more tables by setting, and a row of messages; and two
    // rows of false admissions for each kind.
    let rows = text.matches("| repaired, family-wise |").count();
    assert_eq!(rows, 3 * (2 + 2 + 1) + 2 * 2);
    for name in ["msnbc", "msnbc-once", "oldenburg"] {
        let picture = read(&format!("fastpub-{name}.svg"));
        assert_eq!(picture.matches(", longest<").count(), 4);
    }
}

#[test]
fn advice_is_held_against_a_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("advise.md");
    let marks = "<!-- measured: begin -->\nold\n<!-- measured: end -->\n";
    fs::write(&page, format!("# Advice\n{marks}after\n")).unwrap();
    let output = bench(&["advice", "--quick", "-o", folder.path().to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let new = marks.replace("old\n", &text);
    assert_eq!(
        fs::read_to_string(&page).unwrap(),
        format!("# Advice\n{new}after\n")
    );
    for task in ["counts", "patterns", "flows"] {
        assert!(
            text.contains(&format!("| `metro` | {task} | 1 | ")),
            "{text}"
        );
    }
    assert!(text.contains("- With a look: ratio ") && text.contains("| `city` | a look | K = "));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn growth_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["suppress-by-records", "suppress-by-doublets"] {
        let path = folder.path().join(format!("{name}.svg"));
        let output = bench(&[name, "--quick", "--plot", path.to_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
        let picture = fs::read_to_string(path).unwrap();
        assert_eq!(picture.matches("ours (").count(), 3);
    }
}

#[test]
fn weave_goes_on_from_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (keep, table) = (path("kept.jsonl"), path("table.md"));
    let run = |repeats: &str, more: &[&str]| {
        let mut arguments = vec!["weave", "metro:300", "--epsilon", "1", "--repeats", repeats];
        arguments.extend(["--keep", &keep, "--table", &table]);
        arguments.extend(more);
        let output = bench(&arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let lines = || fs::read_to_string(&keep).unwrap().lines().count();
    // Ours, and two trees with five heights each.
    run("1", &[]);
    assert_eq!(lines(), 11);
    let text = run("2", &[]);
    assert_eq!(lines(), 22);
    assert_eq!(run("2", &["--kept-only"]), text);
    assert_eq!(lines(), 22);
    assert_eq!(fs::read_to_string(&table).unwrap(), text);
    assert!(text.contains("| 1 | weave | "), "{text}");
    assert!(text.contains("(table-metro-300.svg)"), "{text}");
    assert!(fs::read_to_string(path("table-metro-300.svg")).is_ok());
}

#[test]
fn what_is_measured_is_kept_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().to_str().unwrap();
    let record = |words: &[&str]| bench(&[&["record"], words, &["-o", docs]].concat());
    let output = record(&["laplace", "suppress-by-records", "--quick"]);
    assert!(output.status.success(), "{output:?}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&read("benchmarks/laplace.json")).unwrap();
    assert_eq!(kept["quick"], true);
    assert!(kept["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(kept["results"][0]["ratio_min"].as_f64() <= kept["results"][0]["ratio"].as_f64());
    let page = read("benchmarks.md");
    for line in [
        "# How fast it is",
        "## Goals missed",
        "## Noise",
        "## Suppression",
        "| growth by records | from | to | exponent of ours | of the other |",
        "![suppression of 0.4 to 1.2 million records over 4,000 doublets](benchmarks/suppress-by-records.svg)",
    ] {
        assert!(page.lines().any(|known| known == line), "{line}\n{page}");
    }
    assert!(page.contains("| rate 1/12 | ns/draw | ") && page.contains(", a quick run; load"));
    assert!(
        !page.contains("## Trees") && !page.contains("NaN"),
        "{page}"
    );
    let picture = read("benchmarks/suppress-by-records.svg");
    assert_eq!(picture.matches(": exponent ").count(), 8, "{picture}");

    // The page is made of what is kept alone.
    fs::remove_file(folder.path().join("benchmarks.md")).unwrap();
    assert!(record(&["--kept-only"]).status.success());
    assert_eq!(read("benchmarks.md"), page);
    let unknown = record(&["laplac"]);
    assert_eq!(unknown.status.code(), Some(2));
}

/// The project's own page is made of the files beside it.
#[test]
fn the_page_about_speed_is_what_was_measured() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let expected = wayveil_bench::record::page_of(&docs).unwrap();
    let page = fs::read_to_string(docs.join("benchmarks.md")).unwrap();
    assert_eq!(
        page, expected,
        "made anew by cargo xtask bench record --kept-only"
    );
}
