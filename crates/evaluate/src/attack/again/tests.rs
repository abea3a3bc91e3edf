use wayveil_core::{Coordinate, Location, PrivacyUnit, Sequences, Silent, UniverseDocument};
use wayveil_mechanisms::ALL;

use super::*;

fn universe(origin: Origin) -> Arc<Universe> {
    let location = |(label, lat): (&str, f64)| Location {
        label: label.into(),
        at: Some(Coordinate { lat, lng: 7.0 }),
        ..Location::default()
    };
    let labels = ["A", "B", "C", "D", "E", "F"];
    let document = UniverseDocument {
        origin,
        locations: labels
            .into_iter()
            .zip([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
            .map(location)
            .collect(),
        groups: Vec::new(),
    };
    Arc::new(Universe::try_from(document).unwrap())
}

/// What visits have beside their places, and whose presence is hidden.
#[derive(Clone, Copy, Debug)]
struct Setting {
    timed: bool,
    unit: PrivacyUnit,
}

const PLAIN: Setting = Setting {
    timed: false,
    unit: PrivacyUnit::Owner,
};
const TIMED: Setting = Setting {
    timed: true,
    unit: PrivacyUnit::Owner,
};

fn axis(timed: bool) -> Option<TimeAxis> {
    timed.then(|| TimeAxis::new(3, Origin::Declared("test".into())))
}

fn people(timed: bool) -> People {
    let mut sequences = Sequences::empty(timed);
    for at in 0..400u32 {
        let bins: &[u32] = if timed { &[0, 1, 2] } else { &[] };
        sequences.push(&[at % 6, (at / 6) % 6, at % 5], bins);
    }
    People {
        sequences,
        columns: vec![Column {
            name: "fare".into(),
            of_record: (0..400).map(|at| ["half", "full"][at % 2].into()).collect(),
        }],
        owners: None,
    }
}

fn manifest_of(
    name: &str,
    given: &[(&str, &str)],
    universe: &Arc<Universe>,
    Setting { timed, unit }: Setting,
) -> Manifest {
    let entry = find(name).unwrap();
    let parameters = Parameters::new(entry.parameters, given.iter().copied()).unwrap();
    let mechanism = (entry.build)(&parameters).unwrap();
    let people = people(timed);
    let data = Dataset::new(
        Arc::clone(universe),
        axis(timed),
        people.sequences.clone(),
        Owners::EachRecord,
        people.columns.iter().map(attribute).collect(),
        "p".into(),
    );
    let terms = Terms {
        unit,
        universe_from_data: true,
        ..Terms::default()
    };
    let release = publish(
        &Raw::new(data.unwrap()),
        mechanism.as_ref(),
        &terms,
        &mut Budget::without_allowance(),
        &mut RandomSource::insecure_seed(1),
        &Silent,
    );
    // As it would be read from a file.
    let written = serde_json::to_string(release.unwrap().manifest()).unwrap();
    serde_json::from_str(&written).unwrap()
}

/// That it is read back rightly, `from_manifest` checks itself; here, that it can be.
fn assert_made_again(name: &str, given: &[(&str, &str)], origin: Origin, setting: Setting) {
    let universe = universe(origin);
    let manifest = manifest_of(name, given, &universe, setting);
    let (people, time) = (people(setting.timed), axis(setting.timed));
    let again = Again::from_manifest(&manifest, &people, &universe, time.as_ref())
        .unwrap_or_else(|reason| panic!("{name} {given:?}: {reason}"));
    let numbers: Vec<u32> = (0..400).filter(|number| number % 3 != 0).collect();
    let mut random = RandomSource::insecure_seed(2);
    let released = again.publish(&numbers, &mut random, &Silent).unwrap();
    let attributes: Vec<Attribute> = people.columns.iter().map(attribute).collect();
    let claim = again.mechanism.get().claim(&PublicInputs {
        universe: &universe,
        time: time.as_ref(),
        columns: ColumnNames::of(&attributes),
        unit: setting.unit,
    });
    let claim = claim.unwrap();
    let columns: Vec<&str> = released.columns.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(columns, claim.columns);
    assert_eq!(manifest.attributes, claim.columns);
    assert_eq!(claim.guarantee.unit, manifest.guarantee.unit);
    assert_eq!(claim.guarantee.model, manifest.guarantee.model);
    for (name, written) in &manifest.method.parameters {
        assert!(alike(&claim.parameters[name], written), "{name}");
    }
}

/// Suppression is about people and the times of their visits; the others take everything.
fn takes(method: &str, Setting { timed, unit }: Setting) -> bool {
    method != "suppress" || (timed && unit == PrivacyUnit::Owner)
}

#[test]
fn every_method_is_read_back_from_its_manifest() {
    let declared = Origin::Declared("test".into());
    let units = [PrivacyUnit::Owner, PrivacyUnit::Trip];
    let settings = units.map(|unit| [true, false].map(|timed| Setting { timed, unit }));
    for entry in ALL {
        let examples: Vec<_> = entry
            .parameters
            .iter()
            .map(|p| (p.name, p.example))
            .collect();
        let needed: Vec<_> = entry
            .parameters
            .iter()
            .filter(|p| p.default.is_none() || p.name == "fan-out")
            .map(|p| (p.name, p.example))
            .collect();
        for given in [&examples, &needed] {
            for setting in settings.into_iter().flatten() {
                if takes(entry.name, setting) {
                    assert_made_again(entry.name, given, declared.clone(), setting);
                    assert_made_again(entry.name, given, Origin::FromData, setting);
                }
            }
        }
    }
}

#[test]
fn noise_is_fresh_in_every_release() {
    let universe = universe(Origin::FromData);
    let given = [("epsilon", "1"), ("height", "3")];
    let manifest = manifest_of("prefix-tree", &given, &universe, PLAIN);
    let people = people(false);
    let again = Again::from_manifest(&manifest, &people, &universe, None).unwrap();
    let both = |seed| {
        let numbers: Vec<u32> = (0..400).collect();
        let mut random = RandomSource::insecure_seed(seed);
        [(); 2].map(|()| again.publish(&numbers, &mut random, &Silent).unwrap())
    };
    assert_eq!(both(1), both(1));
    assert_ne!(both(1)[0], both(1)[1]);
    assert_ne!(both(1)[0], both(2)[0]);
}

#[test]
fn unusual_parameters_are_read_back() {
    let tree = |given: &[(&str, &str)]| {
        let mut all = vec![("epsilon", "7/3"), ("height", "3")];
        all.extend_from_slice(given);
        assert_made_again("prefix-tree", &all, Origin::FromData, PLAIN);
    };
    tree(&[("as-published", "true"), ("node-cap", "500")]);
    tree(&[("threshold", "9"), ("inference", "none")]);
    tree(&[("threshold", "auto"), ("rho", "0.37")]);
    tree(&[("split", "0.5,1/3,9")]);
    let generalize = |given: &[(&str, &str)]| {
        let mut all = vec![("epsilon", "7/3")];
        all.extend_from_slice(given);
        assert_made_again("generalize", &all, Origin::FromData, TIMED);
    };
    generalize(&[("as-published", "true"), ("clusters", "3"), ("decoys", "7")]);
    generalize(&[
        ("delta", "1/300"),
        ("window", "all"),
        ("bins-together", "2"),
    ]);
    generalize(&[
        ("centres", "private"),
        ("centres-share", "1/7"),
        ("rounds", "2"),
    ]);
    generalize(&[
        ("noise", "pure"),
        ("windows", "2"),
        ("near", "1"),
        ("collapse", "true"),
    ]);
    let weave = |given: &[(&str, &str)], setting: Setting| {
        let mut all = vec![("epsilon", "7/3"), ("max-length", "5")];
        all.extend_from_slice(given);
        assert_made_again("weave", &all, Origin::FromData, setting);
    };
    weave(&[("delta", "1/3000"), ("task", "flows")], PLAIN);
    weave(&[("delta", "1/3000")], TIMED);
    weave(&[("grid", "off")], PLAIN);
    let suppress = |given: &[(&str, &str)]| {
        let mut all = vec![("k", "3"), ("l", "all")];
        all.extend_from_slice(given);
        assert_made_again("suppress", &all, Origin::FromData, TIMED);
    };
    suppress(&[("c", "2/3"), ("sensitive", "fare=half,\"full, or so\"")]);
    suppress(&[("sensitive", "half"), ("as-published", "true")]);
    suppress(&[("keep", "fare"), ("mode", "global")]);
    suppress(&[("preserve", "mfs"), ("min-support", "20")]);
}

#[test]
fn what_cannot_be_made_again_has_a_reason() {
    let universe = universe(Origin::FromData);
    let people = people(false);
    let good = manifest_of(
        "prefix-tree",
        &[("epsilon", "1"), ("height", "3")],
        &universe,
        PLAIN,
    );
    let reason = |manifest: &Manifest, universe: &Arc<Universe>, time: Option<&TimeAxis>| {
        let again = Again::from_manifest(manifest, &people, universe, time);
        again.err().expect("made again")
    };
    let changed = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = good.clone();
        change(&mut manifest);
        reason(&manifest, &universe, None)
    };
    let unknown = changed(&|manifest| manifest.method.name = "magic".into());
    assert!(unknown.contains("no method \"magic\""), "{unknown}");
    let missing = changed(&|manifest| {
        manifest.method.parameters.remove("epsilon");
    });
    assert!(missing.contains("--epsilon is missing"), "{missing}");
    for (name, value) in [
        ("location_threshold", serde_json::json!([1, 2])),
        ("colour", serde_json::json!("red")),
        ("height", serde_json::json!({"levels": 3})),
    ] {
        changed(&|manifest| {
            let parameters = &mut manifest.method.parameters;
            parameters.insert(name.to_owned(), value.clone());
        });
    }
    let other = changed(&|manifest| manifest.method.variant = "improved".into());
    assert!(other.contains("mean something else"), "{other}");
    let fewer = Arc::new(Universe::from_labels(["A"], Origin::FromData).unwrap());
    assert!(reason(&good, &fewer, None).contains("another set of locations"));
    assert!(reason(&good, &universe, axis(true).as_ref()).contains("time bins"));
}

#[test]
fn a_claim_that_is_refused_is_a_reason() {
    let universe = universe(Origin::FromData);
    let mut manifest = manifest_of(
        "prefix-tree",
        &[("epsilon", "1"), ("height", "3")],
        &universe,
        PLAIN,
    );
    manifest
        .method
        .parameters
        .insert("epsilon".into(), "1/1000000".into());
    let people = people(false);
    let again = Again::from_manifest(&manifest, &people, &universe, None);
    let reason = again.err().expect("made again");
    assert!(reason.contains("nothing but noise"), "{reason}");
}

#[test]
fn records_keep_their_owners() {
    let universe = universe(Origin::FromData);
    let two = PrivacyUnit::OwnerBounded(std::num::NonZeroU32::new(2).unwrap());
    let given = [("epsilon", "1"), ("height", "3")];
    let setting = Setting { unit: two, ..PLAIN };
    let manifest = manifest_of("prefix-tree", &given, &universe, setting);
    let mut people = people(false);
    // Everyone has two records that lie far apart.
    people.owners = Some((0..400).map(|at| at % 200).collect());
    let again = Again::from_manifest(&manifest, &people, &universe, None).unwrap();
    let Owners::Known { of_record, labels } = again.owners(&[1, 5, 7, 201, 207]) else {
        panic!("lost");
    };
    assert_eq!((of_record, labels.len()), (vec![0, 1, 2, 0, 2], 3));
    let mut random = RandomSource::insecure_seed(1);
    again
        .publish(&[1, 5, 7, 201, 207], &mut random, &Silent)
        .unwrap();
    people.owners = None;
    let again = Again::from_manifest(&manifest, &people, &universe, None).unwrap();
    assert!(matches!(again.owners(&[1, 5]), Owners::EachRecord));
}
