//! Everything that the papers number is listed, once, with what is known of it.

use std::collections::BTreeSet;
use std::path::Path;

use wayveil_reproduce::entry::Made;
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
                // How many clients there are is said, not measured.
                assert!(known || *at == "clients", "{name}: {} at {at}", line.series);
            }
        }
    }
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
