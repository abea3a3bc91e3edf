//! Pages are well-formed, self-contained and honest, whatever they are made of; and what recipients see
//! does not depend on raw data.

mod html;
mod made_up;

use std::num::NonZeroU32;

use html::{Element, parse};
use made_up::inside::{comparison, internal};
use made_up::worlds::{SAMPLES, labels, metro, sample, walks};
use made_up::{MadeUp, approximate, declared, kcl, local, none, pure};
use wayveil_core::manifest::FileRecord;
use wayveil_core::{
    Coordinate, FragmentCounts, Guarantee, Knowledge, Location, NoisyCounts, PrivacyUnit,
    Sequences, TimeAxis, Universe, UniverseDocument,
};
use wayveil_evaluate::{Portrait, Task};
use wayveil_report::page::{
    BudgetFacts, InternalPart, Interval, ReleaseComparison, ReleasePart, TaskError, compare_page,
    internal_page, publishable_part, release_page,
};
use wayveil_report::{AttackBar, AttackChart, AttackRow, QuestionGroup};

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
    let labels = page("labels");
    assert!(labels.contains("schematic") && !labels.contains("class=\"scale\""));
    assert!(labels.contains("What it covers") && labels.contains("at least 5 people"));
    assert!(page("hexagons").contains("visited hexagons"));
    let timed = page("timed");
    assert!(timed.contains("visited cells") && timed.contains("Time of day"));
    assert!(timed.contains("(δ) the release may tell more"));
    let nothing = page("nothing");
    assert!(nothing.contains("Not to be published:"));
    assert!(nothing.contains("Nothing is promised about anyone."));
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

const HOSTILE: [&str; 6] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' autofocus onfocus='alert(1)",
    "\u{202e}gnp.exe\u{202c} \u{200f}",
    "--><!-- publishable part ends --> {{ id }} &amp; \u{0}",
];

fn hostile_universe(coordinates: bool) -> Universe {
    let location = |(index, label): (usize, &&str)| Location {
        label: format!("{label} {index}"),
        name: Some((*label).into()),
        at: coordinates.then_some(Coordinate {
            lat: 48.0 + 0.01 * index as f64,
            lng: 11.0 + 0.013 * (index * index) as f64,
        }),
        group: None,
    };
    Universe::try_from(UniverseDocument {
        origin: wayveil_core::Origin::Declared(HOSTILE[0].into()),
        locations: HOSTILE.iter().enumerate().map(location).collect(),
        groups: Vec::new(),
    })
    .unwrap()
}

#[test]
fn hostile_text_stays_text() {
    for coordinates in [true, false] {
        let universe = hostile_universe(coordinates);
        let raw = walks(&universe, 300, 2, 4);
        let mut release = MadeUp::new(universe, raw.clone(), kcl(), HOSTILE[1])
            .with_fragments()
            .with_column(HOSTILE[2], &[HOSTILE[0], HOSTILE[3]]);
        let manifest = &mut release.manifest;
        manifest.id = HOSTILE[0].into();
        manifest.date = HOSTILE[1].into();
        manifest.limits = HOSTILE.map(String::from).into();
        manifest.guarantee.in_words = HOSTILE[2].into();
        manifest.guarantee.rests_on = HOSTILE.map(String::from).into();
        manifest.publishable = false;
        manifest.not_publishable_because = Some(HOSTILE[5].into());
        for text in HOSTILE {
            manifest.method.parameters.insert(text.into(), text.into());
        }
        let part = ReleasePart::of(&release).unwrap();
        let mut inside = internal(&release, &raw);
        inside.no_intervals_because = Some(HOSTILE[0].into());
        for row in &mut inside.utility {
            (row.metric, row.value_name, row.about) =
                (HOSTILE[3].into(), HOSTILE[0].into(), HOSTILE[1].into());
        }
        let attacks = inside.attacks.as_mut().unwrap();
        (attacks.note, attacks.who) = (HOSTILE[0].into(), HOSTILE[1].into());
        attacks.published = vec![HOSTILE[2].into(), HOSTILE[3].into()];
        attacks.groups[0].question = HOSTILE[0].into();
        attacks.groups[0].rows[0].label = HOSTILE[5].into();
        attacks.groups[1].rows[1].bars[0] = AttackBar::NotPossible(HOSTILE[1].into());
        let curve = attacks.curve.as_mut().unwrap();
        (curve.title, curve.known) = (HOSTILE[0].into(), HOSTILE[2].into());
        let budget = inside.budget.as_mut().unwrap();
        (budget.population, budget.spent) = (HOSTILE[0].into(), HOSTILE[1].into());
        budget.entries[0].method = HOSTILE[2].into();
        let mut compared = comparison(true);
        for (release, text) in compared.releases.iter_mut().zip(HOSTILE) {
            (release.name, release.method) = (text.into(), text.into());
            (release.guarantee, release.promise) = (text.into(), text.into());
            release.remarks = vec![text.into()];
            release.attack_name = Some(text.into());
        }
        let pages = [
            release_page(&part).unwrap(),
            internal_page(&part, &inside).unwrap(),
            compare_page(&compared).unwrap(),
        ];
        for page in pages {
            let elements = check(&page);
            assert!(elements.iter().all(|it| it.name != "img"));
            assert!(
                elements
                    .iter()
                    .all(|it| it.attribute("autofocus").is_none())
            );
            assert!(
                !page.contains("<script>alert")
                    && !page.contains('\u{202e}')
                    && !page.contains('\0')
            );
            assert!(
                page.matches(ENDS).count() <= 1,
                "a label ended the publishable part"
            );
        }
    }
}

fn small(locations: Vec<Location>, records: &[&[u32]]) -> MadeUp {
    let universe = Universe::try_from(UniverseDocument {
        origin: declared(),
        locations,
        groups: Vec::new(),
    });
    MadeUp::new(
        universe.unwrap(),
        Sequences::from_codes(records),
        pure("1"),
        "tree",
    )
}

fn place(label: &str, at: Option<(f64, f64)>) -> Location {
    Location {
        label: label.into(),
        at: at.map(|(lat, lng)| Coordinate { lat, lng }),
        ..Location::default()
    }
}

#[test]
fn extremes_are_drawn_or_said() {
    let fiji = [(-17.0, 179.5), (-17.5, -179.5), (-16.8, 180.0)].map(Some);
    let cases: [(MadeUp, &str); 8] = [
        (small(vec![place("A", None)], &[]), "has no records"),
        (
            small(vec![place("A", None)], &[&[], &[]]),
            "All 2 records are empty",
        ),
        (small(vec![place("A", None)], &[&[0], &[0, 0]]), "schematic"),
        (
            small(vec![place("A", Some((90.0, 0.0)))], &[&[0]]),
            "1 of 1 visited locations are drawn",
        ),
        (
            small(
                vec![place("A", Some((1.0, 2.0))), place("B", None)],
                &[&[0, 1]],
            ),
            "1 location has no coordinates",
        ),
        (
            small(
                fiji.iter()
                    .zip(["A", "B", "C"])
                    .map(|(at, label)| place(label, *at))
                    .collect(),
                &[&[0, 1, 2]],
            ),
            "3 of 3 visited locations are drawn",
        ),
        (
            small(
                vec![place("A", Some((0.0, 0.0))), place("B", Some((0.0, 0.0)))],
                &[&[0, 1]],
            ),
            "2 of 2 visited locations are drawn",
        ),
        (
            small(
                vec![
                    place("A", Some((-90.0, -180.0))),
                    place("B", Some((90.0, 180.0))),
                ],
                &[&[1, 0]],
            ),
            "2 of 2 visited locations are drawn",
        ),
    ];
    for (release, expected) in cases {
        let (outer, _) = both(&release, &release.trajectories);
        assert!(outer.contains(expected), "{expected}");
        both(&release, &Sequences::empty(false));
    }
}

#[test]
fn fiji_is_drawn_as_one_country() {
    let fiji = [(-17.0, 179.5), (-17.5, -179.5)].map(Some);
    let locations = fiji
        .iter()
        .zip(["A", "B"])
        .map(|(at, label)| place(label, *at))
        .collect();
    let page = publishable_part(&ReleasePart::of(&small(locations, &[&[0, 1]])).unwrap()).unwrap();
    let per_km = page
        .split("data-per-km=\"")
        .nth(1)
        .and_then(|it| it.split('"').next());
    let per_km: f64 = per_km.unwrap().parse().unwrap();
    assert!(
        per_km > 3.0,
        "106 km fill the map: {per_km} pixels a kilometre"
    );
}

#[test]
fn timed_and_unpromising_releases_have_pages() {
    let timed = |axis: TimeAxis| {
        let mut sequences = Sequences::empty(true);
        sequences.push(&[0, 1, 2], &[0, 1, 1]);
        let release = MadeUp::new(labels(3), sequences, approximate("1/3", "1e-9"), "tree");
        both(&release.timed(axis), &Sequences::empty(true)).0
    };
    assert!(timed(TimeAxis::new(2, declared())).contains("Visits over time"));
    assert!(timed(TimeAxis::new(5000, declared())).contains("time bin"));
    let guarantees: [Guarantee; 6] = [
        none(),
        local("8"),
        pure("1000"),
        Guarantee::replacing(
            &"1".parse().unwrap(),
            &"1e-5".parse().unwrap(),
            PrivacyUnit::Trip,
        ),
        Guarantee::kcl(
            NonZeroU32::MIN,
            &"1".parse().unwrap(),
            Knowledge::All,
            Vec::new(),
            PrivacyUnit::Owner,
        ),
        Guarantee::pure(
            &"1e-6".parse().unwrap(),
            PrivacyUnit::OwnerBounded(NonZeroU32::MIN),
        ),
    ];
    for guarantee in guarantees {
        let release = MadeUp::new(
            labels(3),
            Sequences::from_codes([[0, 1]]),
            guarantee,
            "tree",
        );
        both(&release, &release.trajectories);
    }
}

#[test]
fn counts_and_fragments_may_be_empty_or_strange() {
    let mut release = small(vec![place("A", None), place("B", None)], &[&[0, 1]]);
    release.counts = Some(NoisyCounts {
        prefixes: Sequences::from_codes([vec![0], vec![0, 1], vec![1], vec![]]),
        noisy: vec![-3, 4, 0, 1],
        estimate: vec![-3.0, f64::NAN, 0.0, f64::INFINITY],
        standard_error: vec![1.0, f64::NAN, f64::INFINITY, 0.0],
    });
    release.fragments = Some(FragmentCounts::empty());
    let (page, _) = both(&release, &release.trajectories);
    assert!(page.contains("nothing was frequent enough"));
    let (metro, _) = sample("metro");
    let page = release_page(&ReleasePart::of(&metro).unwrap()).unwrap();
    let precise = metro.counts.as_ref().unwrap();
    let rows = precise.estimate.iter().zip(&precise.standard_error);
    let precise = rows
        .filter(|(estimate, error)| 1.96 * **error <= 0.1 * **estimate)
        .count();
    assert!(
        page.contains(&format!("holds for {precise} of the")),
        "{precise}"
    );
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
            },
            TaskError {
                task: Task::Flows,
                error: Some(f64::NAN),
                interval: Some(Interval {
                    low: f64::NEG_INFINITY,
                    high: f64::INFINITY,
                }),
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
