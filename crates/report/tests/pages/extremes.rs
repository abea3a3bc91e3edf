//! Releases with nearly nothing in them, at the edges of the earth, and with strange numbers.

use std::num::NonZeroU32;

use wayveil_core::{
    Coordinate, FragmentCounts, Guarantee, Knowledge, Location, NoisyCounts, PrivacyUnit,
    Sequences, TimeAxis, Universe, UniverseDocument,
};
use wayveil_report::page::{ReleasePart, publishable_part, release_page};

use super::both;
use super::made_up::worlds::{labels, sample};
use super::made_up::{MadeUp, approximate, declared, local, none, pure};

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
    let counts = metro.counts.as_ref().unwrap();
    let rows = counts.estimate.iter().zip(&counts.standard_error);
    let precise = rows
        .enumerate()
        .filter(|(row, (estimate, error))| {
            counts.prefixes.length(*row) == 1 && 1.96 * **error <= 0.1 * **estimate
        })
        .count();
    assert!(
        page.contains(&format!("holds for {precise} of the")),
        "{precise}"
    );
}

#[test]
fn only_what_was_measured_is_called_sure() {
    let page = |release: &MadeUp| publishable_part(&ReleasePart::of(release).unwrap()).unwrap();
    let (metro, _) = sample("metro");
    let beginnings = page(&metro);
    assert!(
        beginnings.contains("begin with one location is within 1.96 standard errors in about 95")
    );
    assert!(beginnings.contains("selection bias") && beginnings.contains("too high on average"));
    assert!(!beginnings.contains("usually closer"));
    let (mut fragments, _) = sample("hexagons");
    assert!(page(&fragments).contains("95 % for a fragment that is chosen in advance"));
    for method in ["sfp", "triehh"] {
        fragments.manifest.method.name = method.into();
        let page = page(&fragments);
        assert!(
            !page.contains("95 %") && !page.contains("95 of 100"),
            "{method}"
        );
        assert!(page.contains("often lies outside of it"), "{method}");
        assert!(page.contains("clients, as estimated") && !page.contains(">at least<"));
    }
    // No threshold above the number that took part.
    fragments.manifest.public_inputs.units = Some(300);
    assert!(page(&fragments).contains("never"));
}
