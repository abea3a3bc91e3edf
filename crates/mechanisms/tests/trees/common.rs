//! Small data sets and a way through the one door.

use std::sync::Arc;

use wayveil_core::{
    Budget, Dataset, Group, Origin, Owners, PrivacyUnit, RandomSource, Raw, Release, Result,
    Sequences, Silent, Terms, Universe, UniverseDocument, publish,
};
use wayveil_mechanisms::{Parameters, find};

/// Locations L0, L1, …
pub(crate) fn universe(locations: usize) -> Arc<Universe> {
    let labels = (0..locations).map(|code| format!("L{code}"));
    Arc::new(Universe::from_labels(labels, Origin::Declared("test".into())).unwrap())
}

/// The same, with a group for each location.
pub(crate) fn grouped(groups: Vec<Group>, of_location: &[u32]) -> Result<Arc<Universe>> {
    let mut document = UniverseDocument::from((*universe(of_location.len())).clone());
    for (location, &group) in document.locations.iter_mut().zip(of_location) {
        location.group = Some(group);
    }
    document.groups = groups;
    Universe::try_from(document).map(Arc::new)
}

/// Top groups g0, g1, …
pub(crate) fn groups(count: usize) -> Vec<Group> {
    (0..count)
        .map(|at| Group {
            label: format!("g{at}"),
            parent: None,
        })
        .collect()
}

/// Untimed records, each with an owner of its own.
pub(crate) fn records<R: AsRef<[u32]>>(universe: Arc<Universe>, records: &[R]) -> Raw<Dataset> {
    let trips = Sequences::from_codes(records);
    let data = Dataset::new(
        universe,
        None,
        trips,
        Owners::EachRecord,
        vec![],
        "p".into(),
    );
    Raw::new(data.unwrap())
}

/// Many records along a few ways, so that a tree has something to find.
pub(crate) fn busy(universe: Arc<Universe>) -> Raw<Dataset> {
    let ways: [&[u32]; 4] = [&[0, 1, 2, 3], &[0, 1], &[4, 2, 0], &[5]];
    records(
        universe,
        &(0..4000).map(|index| ways[index % 4]).collect::<Vec<_>>(),
    )
}

/// Two thousand ways of two steps over 200 locations: a tree with many nodes on a level.
pub(crate) fn bushy(universe: Arc<Universe>) -> Raw<Dataset> {
    let way = |index: u32| [index % 200, (index % 200 * 7 + index / 200) % 200];
    let rows: Vec<[u32; 2]> = (0..40_000).map(|index| way(index % 2000)).collect();
    records(universe, &rows)
}

/// Publishes by a method of the list.
pub(crate) fn run(
    method: &str,
    raw: &Raw<Dataset>,
    parameters: &[(&str, &str)],
    unit: PrivacyUnit,
    random: &mut RandomSource,
) -> Result<Release> {
    let entry = find(method)?;
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, parameters.to_vec())?)?;
    let mut budget = Budget::without_allowance();
    let terms = Terms {
        unit,
        ..Terms::default()
    };
    publish(
        raw,
        mechanism.as_ref(),
        &terms,
        &mut budget,
        random,
        &Silent,
    )
}

/// Publishes with a fixed seed.
pub(crate) fn seeded(
    method: &str,
    raw: &Raw<Dataset>,
    parameters: &[(&str, &str)],
    seed: u64,
) -> Result<Release> {
    run(
        method,
        raw,
        parameters,
        PrivacyUnit::Owner,
        &mut RandomSource::insecure_seed(seed),
    )
}

/// How many released trajectories are this one.
pub(crate) fn count(release: &Release, way: &[u32]) -> usize {
    release
        .trajectories()
        .iter()
        .filter(|record| *record == way)
        .count()
}
