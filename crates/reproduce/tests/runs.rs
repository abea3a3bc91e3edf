//! Entries are made: worked examples come out as printed, experiments run on a handful of records, and what is
//! kept is not made again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wayveil_core::Silent;
use wayveil_reproduce::entry::Made;
use wayveil_reproduce::kept::Kept;
use wayveil_reproduce::reproduced::Cell;
use wayveil_reproduce::{Reproduced, Request, Stage, entries, find, written};

fn request(records: u64) -> Request {
    Request {
        quick: true,
        records: Some(records),
        repeats: Some(2),
        seed: 1,
    }
}

fn make(name: &str, records: u64, kept: Kept) -> Reproduced {
    let (paper, entry) = find(name).unwrap()[0];
    let mut stage = Stage::new(request(records), None, kept);
    stage.make(paper, entry, &Silent).unwrap()
}

#[test]
fn worked_examples_come_out_as_printed() {
    let mut checked = 0;
    for (paper, entry) in entries() {
        if let Made::Checked(check) = entry.made {
            for check in check().unwrap() {
                assert!(check.holds(), "{}/{}: {check:?}", paper.id, entry.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 90, "only {checked} checks");
}

/// One experiment of each paper, on few records.
#[test]
fn an_experiment_of_each_paper_runs() {
    for (name, records) in [
        ("000/table-3", 2_000),
        ("001/figure-6", 20),
        ("002/figure-4", 600),
        ("003/figure-9", 1_000),
        ("004/table-4", 2_000),
        ("004/table-2", 1_000),
    ] {
        let made = make(name, records, Kept::default());
        assert!(made.runs > 0 && made.kept_runs == 0, "{name}");
        assert!(made.holds());
        let measured = made
            .cells
            .iter()
            .filter(|cell| cell.samples.mean().is_some());
        assert!(
            2 * measured.count() > made.cells.len(),
            "{name}: {:?}",
            made.cells
        );
        let page = written::markdown(&made);
        assert!(page.contains("## "), "{page}");
        assert!(written::svg(&made).starts_with("<svg"));
        assert_eq!(written::csv(&made).lines().count(), 1 + made.cells.len());
    }
}

#[test]
fn what_explodes_is_shown_as_refused_and_the_papers_numbers_stand_beside_ours() {
    let made = make("000/table-4", 1_000, Kept::default());
    let uncapped = made
        .cells
        .iter()
        .filter(|it| it.series.name.contains("without a cap"));
    for cell in uncapped {
        assert!(cell.samples.is_empty());
        assert!(
            cell.refused
                .as_deref()
                .is_some_and(|why| why.contains("false children")),
            "{cell:?}"
        );
    }
    let page = written::markdown(&made);
    assert!(
        page.contains("*the paper: Full* | 160 | 169 | 170 |"),
        "{page}"
    );
    assert!(
        page.contains("refused (1)") && page.contains("Refused (1): "),
        "{page}"
    );
    assert!(
        page.contains("repaired against as published, in the same run"),
        "{page}"
    );
    let table = written::csv(&made);
    let full = table
        .lines()
        .find(|row| row.contains("Full as published") && row.contains(",1,"));
    assert!(full.unwrap().ends_with(",Full,169"), "{table}");
}

#[test]
fn going_on_makes_no_run_again_and_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.jsonl");
    let open = || Kept::open(&path).unwrap();
    let first = make("004/table-3", 1_000, open());
    assert!(first.runs > 0);
    let again = make("004/table-3", 1_000, open());
    assert_eq!((again.runs, again.kept_runs), (0, first.runs));
    assert_eq!(
        written::json(&again)["cells"],
        written::json(&first)["cells"]
    );
    // Half of it, as after an interruption; the rest is made as it was.
    let text = std::fs::read_to_string(&path).unwrap();
    let half = text.lines().count() / 2;
    let cut: String = text
        .lines()
        .take(half)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&path, cut).unwrap();
    let rest = make("004/table-3", 1_000, open());
    assert_eq!((rest.runs, rest.kept_runs), (first.runs - half, half));
    assert_eq!(
        written::json(&rest)["cells"],
        written::json(&first)["cells"]
    );
    // Other settings are other runs.
    assert_eq!(make("004/table-3", 1_001, open()).kept_runs, 0);
}

/// Numbers of data by name, beside the paper's.
fn described(name: &str, records: u64) -> Vec<(String, String, f64)> {
    let made = make(name, records, Kept::default());
    let number = |cell: &Cell| {
        let mean = cell.samples.mean().unwrap();
        (cell.panel.title.clone(), cell.at.clone(), mean)
    };
    made.cells.iter().map(number).collect()
}

#[test]
fn sensitive_values_are_counted() {
    let found = described("002/table-3", 1_000);
    let number = |data: &str, at: &str| {
        let mut all = found.iter();
        all.find(|it| it.0.starts_with(data) && it.1 == at)
            .unwrap()
            .2
    };
    let of =
        |data: &str| ["values", "sensitive-values", "sensitive-share"].map(|at| number(data, at));
    assert_eq!(of("city"), [5.0, 1.0, 0.2]);
    assert_eq!(of("stm-hours"), [24.0, 6.0, 0.25]);
}

/// A tenth of the paper's, as far as records go into them.
#[test]
fn clients_are_as_many_as_the_paper_has() {
    let found = described("003/table-2", 1_000);
    let clients: Vec<f64> = found
        .iter()
        .filter(|it| it.1 == "clients")
        .map(|it| it.2)
        .collect();
    assert_eq!(clients, [4.7e6, 2.0e6]);
}

/// Both numbers of maximal frequent sequences come of one run, and there cannot be fewer by more than are lost.
#[test]
fn lost_sequences_are_counted_in_both_ways() {
    let made = make("002/figure-4", 300, Kept::default());
    let of = |words: &str| -> Vec<&Cell> {
        let cells = made.cells.iter();
        cells.filter(|it| it.panel.title.contains(words)).collect()
    };
    let (fewer, lost) = (of("there are fewer"), of("that are lost"));
    assert!(fewer.len() == lost.len() && fewer.len() + lost.len() == made.cells.len());
    assert!(2 * made.runs <= made.cells.len());
    for (fewer, lost) in fewer.iter().zip(lost) {
        assert_eq!((&fewer.series, &fewer.at), (&lost.series, &lost.at));
        let [fewer, lost] = [*fewer, lost].map(|cell| cell.samples.mean());
        assert!(
            fewer.zip(lost).is_some_and(|(fewer, lost)| fewer <= lost),
            "{made:?}"
        );
    }
}

#[test]
fn the_object_keeps_its_form() {
    let made = make("004/table-2", 500, Kept::default());
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let object = written::json(&made);
    assert_eq!(
        keys(&object),
        [
            "cells",
            "checks",
            "comparisons",
            "data",
            "date",
            "entry",
            "holds",
            "internal",
            "kind",
            "method",
            "note",
            "paper",
            "parameter",
            "quick",
            "repeats",
            "reported",
            "says",
            "seed",
            "title",
            "version"
        ]
    );
    assert_eq!(
        keys(&object["cells"][0]),
        [
            "at",
            "better",
            "form",
            "half_width",
            "mean",
            "panel",
            "paper",
            "random",
            "refused",
            "runs",
            "series"
        ]
    );
    assert_eq!(object["cells"][0]["paper"]["value"], 847_668.0);
    let example = written::json(&make("000/figure-1", 1, Kept::default()));
    assert_eq!(
        keys(&example["checks"][0]),
        ["expected", "found", "holds", "what"]
    );
    assert_eq!(example["holds"], true);
}

#[test]
fn files_are_written_under_the_entrys_name() {
    let folder = tempfile::tempdir().unwrap();
    let made = make("004/table-2", 500, Kept::default());
    let files = written::write(&made, folder.path()).unwrap();
    let names = files
        .iter()
        .map(|it| it.file_name().unwrap().to_str().unwrap());
    let names: Vec<&str> = names.collect();
    assert_eq!(
        names,
        [
            "004-table-2.json",
            "004-table-2.md",
            "004-table-2.csv",
            "004-table-2.svg"
        ]
    );
    // Once more, in place of the older ones.
    assert_eq!(written::write(&made, folder.path()).unwrap(), files);
}

/// One run of a baseline is kept as one for each k, and each has the numbers of its own k: how many fragments there are to
/// find hangs on k alone, and FASTPub is run for each.
#[test]
fn what_one_run_gives_is_kept_under_its_own_k() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.jsonl");
    make("003/figure-4", 400, Kept::open(&path).unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut found: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let words = line["setting"].as_str().unwrap();
        let (method, rest) = words["campaign: ".len()..].split_once(' ').unwrap();
        let setting = rest.split_once('}').unwrap().0.to_owned();
        let to_find = line["numbers"]["to-find"].as_f64().unwrap();
        found
            .entry(method.to_owned())
            .or_default()
            .insert(setting, to_find);
    }
    let ours = &found["AsPublished"];
    let different: BTreeSet<u64> = ours.values().map(|it| *it as u64).collect();
    assert!(different.len() > 3, "k makes a difference: {ours:?}");
    assert_eq!(&found["TrieHhPublished"], ours);
}
