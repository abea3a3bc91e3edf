//! Names that try to be markup, or to be endless.

use wayveil_core::{
    Coordinate, ErrorEstimate, ExpectedError, Location, Origin, Universe, UniverseDocument,
};
use wayveil_report::AttackBar;
use wayveil_report::page::{ReleasePart, compare_page, internal_page, release_page};

use super::made_up::inside::{comparison, internal};
use super::made_up::worlds::walks;
use super::made_up::{MadeUp, declared, kcl, pure};
use super::{ENDS, both, check};

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
        origin: Origin::Declared(HOSTILE[0].into()),
        locations: HOSTILE.iter().enumerate().map(location).collect(),
        groups: Vec::new(),
    })
    .unwrap()
}

fn estimate(name: &str) -> ErrorEstimate {
    ErrorEstimate {
        name: name.into(),
        value: 0.5,
        low: 0.25,
        high: 1.5,
    }
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
        let mut expected = ExpectedError::new(HOSTILE.map(estimate).into());
        expected.made = HOSTILE[4].into();
        manifest.expected_error = Some(expected);
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

#[test]
fn endless_names_do_not_make_endless_pages() {
    let location = |index: usize| Location {
        label: format!("{index}{}", "\u{200d}W".repeat(1500)),
        name: Some(format!("{}{index}", "<".repeat(1500))),
        at: Some(Coordinate {
            lat: 40.0 + 0.001 * (index % 71) as f64,
            lng: 5.0 + 0.001_7 * (index * index % 89) as f64,
        }),
        group: None,
    };
    let universe = Universe::try_from(UniverseDocument {
        origin: declared(),
        locations: (0..3000).map(location).collect(),
        groups: Vec::new(),
    });
    let universe = universe.unwrap();
    let records = walks(&universe, 20_000, 54, 1);
    let release = MadeUp::new(universe, records.clone(), pure("1"), "tree").with_fragments();
    let (outer, inner) = both(&release, &records);
    assert!(
        outer.len() < 2_500_000 && inner.len() < 5_000_000,
        "{} {}",
        outer.len(),
        inner.len()
    );
}
