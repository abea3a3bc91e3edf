//! Pages are well-formed, self-contained and honest, whatever they are made of; and what recipients see
//! does not depend on raw data.

mod extremes;
mod hostile;
mod html;
#[path = "../made_up/mod.rs"]
mod made_up;

use html::{Element, parse};
use made_up::MadeUp;
use made_up::inside::{comparison, internal};
use made_up::worlds::{SAMPLES, metro, sample, walks};
use wayveil_core::Sequences;
use wayveil_core::manifest::FileRecord;
use wayveil_evaluate::{Portrait, Task};
use wayveil_report::page::{
    BudgetFacts, InternalPart, Interval, ReleaseComparison, ReleasePart, TaskError, compare_page,
    internal_page, publishable_part, release_page,
};
use wayveil_report::{AttackChart, AttackRow, QuestionGroup};

const BEGINS: &str = "<!-- publishable part begins -->";
const ENDS: &str = "<!-- publishable part ends -->";

fn publishable(page: &str) -> &str {
    let start = page.find(BEGINS).expect("the part begins");
    let end = page.find(ENDS).expect("the part ends") + ENDS.len();
    &page[start..end]
}

/// Everything that must hold of any page.
fn check(page: &str) -> Vec<Element> {
    let elements = parse(page).unwrap_or_else(|fault| panic!("{fault}"));
    let all = |name: &str| elements.iter().filter(|it| it.name == name).count();
    assert_eq!(
        (all("h1"), all("main"), all("nav"), all("script")),
        (1, 1, 1, 1)
    );
    let mut ids: Vec<&str> = elements
        .iter()
        .filter_map(|it| it.attribute("id"))
        .collect();
    let different = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), different, "an id stands twice");
    for element in &elements {
        for (name, value) in &element.attributes {
            assert!(
                !name.starts_with("on") && name != "style" && name != "src",
                "{name}"
            );
            let inside = value.starts_with('#') || value == "data:,";
            assert!(name != "href" || inside, "{value}");
            assert!(
                !value.contains("NaN") && !value.contains("inf"),
                "{name}={value}"
            );
            if let ("href", Some(id)) = (name.as_str(), value.strip_prefix('#')) {
                assert!(ids.binary_search(&id).is_ok(), "nothing is called {id}");
            }
        }
    }
    let levels: Vec<u8> = elements.iter().filter_map(|it| it.heading()).collect();
    assert_eq!(levels[0], 1);
    assert!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "{levels:?}"
    );
    let figures: Vec<&str> = page.split("<figure ").skip(1).collect();
    for figure in figures {
        let figure = figure.split("</figure>").next().unwrap_or_default();
        assert!(figure.starts_with("class=\"plot"), "{}", &figure[..60]);
        for part in [
            "<figcaption><h3>",
            "role=\"img\"",
            "<title>",
            "<details>",
            "<table",
            "<caption>",
        ] {
            assert!(figure.contains(part), "a figure without {part}");
        }
    }
    assert!(
        !page.contains("http:") && !page.contains("https:"),
        "a reference to the network"
    );
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
    elements
}

fn both(release: &MadeUp, raw: &Sequences) -> (String, String) {
    let part = ReleasePart::of(release).unwrap();
    let inside = internal(release, raw);
    let (outer, inner) = (
        release_page(&part).unwrap(),
        internal_page(&part, &inside).unwrap(),
    );
    check(&outer);
    check(&inner);
    assert_eq!(publishable(&outer), publishable(&inner));
    assert_eq!(publishable(&outer), publishable_part(&part).unwrap().trim());
    assert!(inner.contains("<section id=\"internal\"") && !outer.contains("id=\"internal\""));
    (outer, inner)
}

#[test]
fn every_kind_of_release_has_its_pages() {
    for name in SAMPLES {
        let (release, raw) = sample(name);
        let (outer, inner) = both(&release, &raw);
        let limit = if name == "cells" {
            4_000_000
        } else {
            2_500_000
        };
        assert!(
            outer.len() < limit / 2 && inner.len() < limit,
            "{name}: {} and {}",
            outer.len(),
            inner.len()
        );
        assert!(outer.matches("<figure ").count() >= 5, "{name}");
        assert!(inner.matches("<figure ").count() >= 18, "{name}");
    }
}

#[test]
fn the_kinds_are_drawn_as_what_they_are() {
    let page = |name: &str| {
        let (release, _) = sample(name);
        publishable_part(&ReleasePart::of(&release).unwrap()).unwrap()
    };
    let metro = page("metro");
    assert!(metro.contains("class=\"place\"") && metro.contains("class=\"scale\""));
    assert!(metro.contains("at most 73\u{a0}%"), "the belief for ε = 1");
    assert!(metro.contains("bounded by 2ε only: from 50\u{a0}% to at most 88\u{a0}%"));
    assert!(page("hexagons").contains("holds for a real campaign only"));
    let labels = page("labels");
    assert!(labels.contains("schematic") && !labels.contains("class=\"scale\""));
    assert!(labels.contains("What it covers") && labels.contains("at least 5 people"));
    assert!(page("hexagons").contains("visited hexagons"));
    let timed = page("timed");
    assert!(timed.contains("visited cells") && timed.contains("Time of day"));
    assert!(timed.contains("δ is a small allowance on top"));
    let cells = page("cells");
    assert!(cells.contains("visited cells, gathered in") && cells.contains("visits in a cell"));
    assert!(page("stops").contains("most visited of them with their numbers"));
    let nothing = page("nothing");
    assert!(nothing.contains("Not to be published:"));
    assert!(nothing.contains("Nothing is promised about anyone."));
    assert!(!nothing.contains("What it rests on"));
}

#[test]
fn raw_data_leaves_no_trace_in_what_recipients_see() {
    let (release, raw) = sample("metro");
    let part = ReleasePart::of(&release).unwrap();
    let other = walks(&metro(), 77, 3, 99);
    let pages = [&raw, &other, &Sequences::empty(false)].map(|raw| {
        let mut inside = internal(&release, raw);
        if raw.is_empty() {
            inside.utility.clear();
            inside.tasks.clear();
            inside.attacks = None;
            inside.budget = None;
        }
        internal_page(&part, &inside).unwrap()
    });
    assert_ne!(pages[0], pages[1]);
    for page in &pages {
        check(page);
        assert_eq!(publishable(page), publishable(&pages[0]));
        // The raw part stands before, in one piece.
        assert!(page.find("id=\"internal\"").unwrap() < page.find(BEGINS).unwrap());
        assert!(!publishable(page).contains("internal"));
    }
}

#[test]
fn a_release_in_memory_and_from_disk_have_the_same_bytes() {
    let (mut release, _) = sample("metro");
    let before = publishable_part(&ReleasePart::of(&release).unwrap()).unwrap();
    release.manifest.files.push(FileRecord {
        name: "trajectories.parquet".into(),
        sha256: "ab".repeat(32),
        bytes: 12_345,
    });
    let after = publishable_part(&ReleasePart::of(&release).unwrap()).unwrap();
    assert_eq!(before, after);
    assert!(!after.contains("\"files\"") && !after.contains("12345"));
}

#[test]
fn missing_numbers_are_said() {
    let (release, raw) = sample("metro");
    let part = ReleasePart::of(&release).unwrap();
    let nothing = InternalPart {
        raw: Portrait::of(&raw, &release.universe, None).unwrap(),
        tasks: vec![
            TaskError {
                task: Task::Counts,
                error: None,
                interval: None,
                nothing: None,
            },
            TaskError {
                task: Task::Flows,
                error: Some(f64::NAN),
                interval: Some(Interval {
                    low: f64::NEG_INFINITY,
                    high: f64::INFINITY,
                }),
                nothing: Some(f64::NAN),
            },
        ],
        utility: Vec::new(),
        repeats: 0,
        no_intervals_because: Some("the method has no chance in it".into()),
        attacks: Some(AttackChart {
            groups: vec![QuestionGroup {
                question: "Who?".into(),
                rows: vec![AttackRow::default()],
            }],
            ..AttackChart::default()
        }),
        no_attacks_because: None,
        budget: Some(BudgetFacts {
            spent_epsilon: f64::NAN,
            ..BudgetFacts::default()
        }),
    };
    let page = internal_page(&part, &nothing).unwrap();
    check(&page);
    for words in [
        "the method has no chance in it",
        "No metric was computed",
        "No allowance was set",
        "not defined",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let bare = InternalPart {
        attacks: None,
        budget: None,
        no_attacks_because: Some("too few people".into()),
        ..nothing
    };
    let page = internal_page(&part, &bare).unwrap();
    check(&page);
    assert!(page.contains("too few people") && page.contains("There are no books"));
}

#[test]
fn tiles_warn_beside_an_empty_release() {
    let (mut release, raw) = sample("metro");
    release.trajectories = Sequences::empty(false);
    let mut inside = internal(&release, &raw);
    inside.tasks[0].error = Some(0.67);
    inside.tasks[1].error = Some(0.68);
    inside.tasks[1].interval = Some(Interval {
        low: 0.1,
        high: 0.2,
    });
    let budget = inside.budget.as_mut().unwrap();
    budget.spent_epsilon = 4.0;
    budget.left = Some("epsilon 0".into());
    let page = internal_page(&ReleasePart::of(&release).unwrap(), &inside).unwrap();
    check(&page);
    let tile = |value: &str, alarm: bool| {
        let class = if alarm { " class=\"alarm\"" } else { "" };
        let tile = format!("<li{class}><b>{value}</b>");
        assert!(page.contains(&tile), "{tile}");
    };
    tile("0 records", true);
    tile("67\u{a0}%", false);
    tile("68\u{a0}%", true);
    tile("ε\u{a0}=\u{a0}0", true);
    tile("1 of 4", true);
    assert!(page.contains("An empty release would have 90\u{a0}%."));
    assert!(
        page.contains("outside of its own interval in: Counts of people, Most frequent routes.")
    );
}

#[test]
fn comparisons_have_a_plot_for_each_task() {
    let page = compare_page(&comparison(true)).unwrap();
    check(&page);
    for task in Task::ALL {
        assert!(page.contains(&format!("id=\"error-{task}\"")), "{task}");
        assert!(page.contains(&format!("id=\"tradeoff-{task}\"")), "{task}");
    }
    assert!(page.contains("no ε") && page.contains("Do not give this page away"));
    let page = compare_page(&comparison(false)).unwrap();
    check(&page);
    assert!(!page.contains("Do not give this page away") && !page.contains("id=\"error-"));
    assert!(page.contains("id=\"sizes-errors\""));
    let mut chance = comparison(true);
    chance.releases[0].attack_shown = false;
    let page = compare_page(&chance).unwrap();
    check(&page);
    assert!(page.contains(">not shown<") && page.contains("not shown to be more than chance"));
    assert!(page.contains("An empty release would have 80\u{a0}%"));
    assert!(!page.contains("100 % as good") && page.contains("not on these very files"));
    // One ε alone stands in the middle of an axis around it.
    chance.releases.truncate(1);
    let page = compare_page(&chance).unwrap();
    check(&page);
    assert!(page.contains(">0.25</text>") && page.contains(">0.5</text>"));
    let empty = ReleaseComparison {
        releases: Vec::new(),
        internal: false,
    };
    check(&compare_page(&empty).unwrap());
    let mut strange = comparison(true);
    for release in &mut strange.releases {
        release.epsilon = Some(f64::NAN);
        release.attack_advantage = Some(f64::INFINITY);
        release.standard_error = Some(f64::NAN);
    }
    strange.releases[0].errors.clear();
    strange.releases[1].epsilon = Some(0.0);
    check(&compare_page(&strange).unwrap());
}
