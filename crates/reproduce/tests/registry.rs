//! Everything that the papers number is listed, once, with what is known of it.

use std::collections::BTreeSet;
use std::path::Path;

use wayveil_reproduce::entry::{Made, Point, Task};
use wayveil_reproduce::scale::Scale;
use wayveil_reproduce::{entries, find, papers, written};

/// How many tables and figures each paper has; the pictures of 001 have no numbers of their own.
const COUNTS: [(&str, u32, u32); 5] = [
    ("000", 5, 6),
    ("001", 0, 6),
    ("002", 3, 5),
    ("003", 3, 11),
    ("004", 5, 5),
];

#[test]
fn every_table_and_figure_of_every_paper_is_listed_once() {
    let listed: Vec<String> = entries()
        .map(|(p, e)| format!("{}/{}", p.id, e.name))
        .collect();
    let distinct: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(distinct.len(), listed.len(), "a name stands twice");
    for (paper, tables, figures) in COUNTS {
        let wanted = (1..=tables).map(|n| format!("{paper}/table-{n}"));
        for name in wanted.chain((1..=figures).map(|n| format!("{paper}/figure-{n}"))) {
            assert!(distinct.contains(&name), "{name} is missing");
        }
        let all = listed.iter().filter(|name| name.starts_with(paper));
        let numbered = all.filter(|name| !name.contains("/erratum-")).count();
        assert_eq!(numbered as u32, tables + figures, "{paper} has others, too");
    }
    assert_eq!(papers().len(), COUNTS.len());
}

#[test]
fn names_are_found_one_by_one_and_by_paper() {
    assert_eq!(find("000/table-3").unwrap().len(), 1);
    assert_eq!(find("002").unwrap().len(), 10);
    let runnable = find("all").unwrap();
    assert!(
        runnable
            .iter()
            .all(|(_, entry)| !matches!(entry.made, Made::Drawing))
    );
    assert!(find("000/table-9").is_err() && find("").is_err());
}

/// Numbers of a paper stand beside points that exist, so that none of them is lost on the way.
#[test]
fn every_reported_number_has_its_place() {
    let full = Scale {
        quick: false,
        records: None,
        given: None,
    };
    for (paper, entry) in entries() {
        let name = format!("{}/{}", paper.id, entry.name);
        assert!(
            !entry.title.is_empty() && !entry.title.ends_with('.'),
            "{name}"
        );
        let Made::Measured { points, .. } = entry.made else {
            assert!(
                entry.reported.is_empty(),
                "{name} reports what is not measured"
            );
            continue;
        };
        let points = points(&full);
        assert!(!points.is_empty(), "{name} has no points");
        for line in entry.reported {
            for (at, _) in line.values {
                let known = points.iter().any(|point| {
                    point.panel.reported == line.panel
                        && point.series.beside == Some(line.series)
                        && point.at == *at
                });
                assert!(known, "{name}: {} at {at}", line.series);
            }
        }
    }
}

fn points(name: &str, scale: &Scale) -> Vec<Point> {
    match find(name).unwrap()[0].1.made {
        Made::Measured { points, .. } => points(scale),
        _ => panic!("{name} is not measured"),
    }
}

const QUICK: Scale = Scale {
    quick: true,
    records: None,
    given: None,
};

/// A mean over some of the settings is none over all of them.
#[test]
fn the_papers_means_stand_beside_all_settings_only() {
    for name in ["003/figure-4", "003/figure-5", "003/figure-10"] {
        let mean = |scale: &Scale| {
            let points = points(name, scale).into_iter();
            let mean = points.filter(|it| it.panel.title.contains("mean of "));
            mean.map(|it| (it.runs.len(), it.panel.reported))
                .collect::<BTreeSet<_>>()
        };
        let full = Scale {
            quick: false,
            ..QUICK
        };
        assert_eq!(mean(&full), BTreeSet::from([(15, "mean of all settings")]));
        assert_eq!(mean(&QUICK), BTreeSet::from([(6, "")]));
    }
}

/// What is put into a run by name: `k=`, `min-support=`.
fn parameters(name: &str, scale: &Scale, parameter: &str) -> Vec<(String, String, String)> {
    let found = points(name, scale).into_iter().filter_map(|point| {
        let (Task::Publish { candidate, .. } | Task::Time(candidate)) = &point.runs[0].task else {
            return None;
        };
        let mut all = candidate.parameters.iter();
        let (_, value) = all.find(|(name, _)| name == parameter)?;
        Some((point.panel.title.clone(), point.at, value.clone()))
    });
    found.collect()
}

/// K′ is the same share of the records as in the paper, of both data sets, which differ in their number.
#[test]
fn a_support_goes_with_the_records_of_its_data() {
    let some = Scale {
        quick: false,
        records: Some(40_000),
        given: None,
    };
    for (title, at, support) in parameters("002/figure-4", &some, "min-support") {
        let whole = if title.starts_with("city") {
            80_000.0
        } else {
            462_483.0
        };
        let expected = at.parse::<f64>().unwrap() * 40_000.0 / whole;
        assert_eq!(support, format!("{expected:.0}"), "{title} at {at}");
    }
    // Few records make the least support, 2, of any K′; there are more than that where K′ is what is varied.
    let quick = parameters("002/figure-4", &QUICK, "min-support");
    let of = |data: &str| -> BTreeSet<&str> {
        let own = quick.iter().filter(|it| it.0.starts_with(data));
        own.map(|it| it.2.as_str()).collect()
    };
    assert_eq!(of("city"), BTreeSet::from(["8", "10", "13"]));
    assert_eq!(of("stm-hours"), BTreeSet::from(["6", "9", "11"]));
}

/// Along the numbers of records nothing else changes.
#[test]
fn time_is_taken_with_one_k_and_one_support() {
    let full = Scale {
        quick: false,
        ..QUICK
    };
    for (scale, expected) in [(&full, ["30", "800"]), (&QUICK, ["2", "40"])] {
        for (parameter, expected) in ["k", "min-support"].into_iter().zip(expected) {
            let all = parameters("002/figure-5", scale, parameter);
            assert_eq!(all.len(), 12);
            for (title, at, value) in all {
                assert_eq!(value, expected, "{parameter} {title} {at}");
            }
        }
    }
}

/// One run of a baseline serves every k of its figure, and what a point asks for is among them.
#[test]
fn every_k_is_among_those_that_one_run_serves() {
    let mut served = 0;
    for (name, scale) in [
        ("003/figure-4", QUICK),
        ("003/figure-7", QUICK),
        ("003/table-3", QUICK),
        (
            "003/figure-10",
            Scale {
                quick: false,
                ..QUICK
            },
        ),
    ] {
        for run in points(name, &scale).iter().flat_map(|point| &point.runs) {
            let Task::Campaign {
                method,
                setting,
                ks,
                ..
            } = &run.task
            else {
                panic!("{name} has campaigns");
            };
            if method.serves_every_k() {
                served += 1;
                assert!(ks.contains(&setting.k), "{name}: {setting:?} of {ks:?}");
            }
        }
    }
    assert!(served > 0);
}

/// What TrieHH promises follows from its samples.
#[test]
fn baselines_stand_where_the_paper_has_them() {
    let full = Scale {
        quick: false,
        ..QUICK
    };
    let lines = |name: &str| -> BTreeSet<&str> {
        points(name, &full)
            .iter()
            .filter_map(|it| it.series.beside)
            .collect()
    };
    assert_eq!(lines("003/figure-6"), BTreeSet::from(["FASTPub", "SFP"]));
    let all = BTreeSet::from(["FASTPub", "SFP", "TrieHH"]);
    assert_eq!(lines("003/figure-7"), all);
    assert_eq!(lines("003/figure-8"), BTreeSet::from(["FASTPub"]));
}

#[test]
fn the_page_lists_what_there_is() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduce.md");
    let page = std::fs::read_to_string(page).unwrap();
    let list = written::list();
    assert!(
        page.contains(&list),
        "docs/reproduce.md must hold this list:\n{list}"
    );
}

/// What was measured is kept beside the project's pages, and their index is made of it.
#[test]
fn the_index_of_what_was_made_is_that_of_its_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduced");
    let page = std::fs::read_to_string(folder.join(written::INDEX)).unwrap();
    assert_eq!(page, written::index(&folder).unwrap());
}
