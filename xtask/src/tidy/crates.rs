//! Which crate may use which.
//!
//! The table is the architecture. A new crate, and a new edge, are added here on purpose.

use super::{Fault, Project};
use crate::workspace::{Kind, Package};

enum MayUse {
    Anything,
    Only(&'static [&'static str]),
}
use MayUse::{Anything, Only};

const CORE: &str = "wayveil-core";
const NOISE: &str = "wayveil-noise";
const FEDERATED: &str = "wayveil-federated";
const ADMISSION: &str = "wayveil-admission";

/// Tests count too: a lower crate that needs a higher one to be tested is cut at the wrong place.
const TABLE: &[(&str, MayUse)] = &[
    (NOISE, Only(&[])),
    (CORE, Only(&[NOISE])),
    ("wayveil-io", Only(&[CORE, NOISE])),
    (FEDERATED, Only(&[CORE, NOISE])),
    (ADMISSION, Only(&[CORE, NOISE, FEDERATED])),
    ("wayveil-client", Only(&[CORE, NOISE, FEDERATED, ADMISSION])),
    ("wayveil-phone", Only(&[CORE, "wayveil-client"])),
    ("wayveil-mechanisms", Only(&[CORE, NOISE, FEDERATED])),
    (
        "wayveil-evaluate",
        Only(&[CORE, NOISE, "wayveil-mechanisms"]),
    ),
    ("wayveil-ledger", Only(&[CORE])),
    (
        "wayveil-collector",
        Only(&[
            CORE,
            NOISE,
            FEDERATED,
            ADMISSION,
            "wayveil-io",
            "wayveil-ledger",
            "wayveil-report",
        ]),
    ),
    ("wayveil-report", Only(&[CORE, "wayveil-evaluate"])),
    (
        "wayveil-reproduce",
        Only(&[
            CORE,
            FEDERATED,
            "wayveil-io",
            "wayveil-mechanisms",
            "wayveil-evaluate",
            "wayveil-report",
        ]),
    ),
    (
        "wayveil-fuzzing",
        Only(&[
            CORE,
            FEDERATED,
            ADMISSION,
            "wayveil-io",
            "wayveil-mechanisms",
        ]),
    ),
    ("wayveil", Anything),
    (
        "wayveil-python",
        Only(&[CORE, FEDERATED, "wayveil-io", "wayveil"]),
    ),
    ("wayveil-bench", Anything),
    ("xtask", Only(&[])),
];

pub(super) fn check(project: &Project) -> Vec<Fault> {
    project
        .packages
        .iter()
        .flat_map(|package| check_package(package, &project.packages))
        .collect()
}

fn check_package(package: &Package, all: &[Package]) -> Vec<Fault> {
    let allowed = match TABLE.iter().find(|(name, _)| *name == package.name) {
        None => {
            let what = "not in the table of xtask/src/tidy/crates.rs: say what it may use";
            return vec![Fault::new(&package.name, what)];
        }
        Some((_, Anything)) => return Vec::new(),
        Some((_, Only(names))) => names,
    };
    package
        .depends_on
        .iter()
        .filter(|edge| all.iter().any(|ours| ours.name == edge.name))
        .filter(|edge| !allowed.contains(&edge.name.as_str()))
        .map(|edge| {
            let how = match edge.kind {
                Kind::Normal => "depends",
                Kind::Dev => "depends in its tests",
                Kind::Build => "depends in its build script",
            };
            Fault::new(
                &package.name,
                format!("{how} on {}, which it may not use", edge.name),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_holds, assert_one};
    use super::*;
    use crate::workspace::Dependency;

    fn graph(edges: &[(&str, &[(&str, Kind)])]) -> Project {
        let edge = |(name, kind): &(&str, Kind)| Dependency {
            name: name.to_string(),
            kind: *kind,
        };
        let package = |(name, edges): &(&str, &[(&str, Kind)])| Package {
            name: name.to_string(),
            depends_on: edges.iter().map(edge).collect(),
        };
        Project {
            packages: edges.iter().map(package).collect(),
            ..Project::default()
        }
    }

    #[test]
    fn holds_here() {
        assert_holds(check);
    }

    #[test]
    fn downward_edges_and_foreign_crates_are_fine() {
        let edges = [(CORE, Kind::Normal), ("serde", Kind::Normal)];
        let project = graph(&[("wayveil-io", &edges), (CORE, &[(NOISE, Kind::Normal)])]);
        assert_eq!(check(&project), []);
    }

    #[test]
    fn upward_edges_are_caught_in_tests_too() {
        for (kind, how) in [
            (Kind::Normal, "depends on wayveil-io"),
            (Kind::Dev, "depends in its tests on wayveil-io"),
            (Kind::Build, "depends in its build script on wayveil-io"),
        ] {
            let project = graph(&[(CORE, &[("wayveil-io", kind)]), ("wayveil-io", &[])]);
            assert_one(&check(&project), how);
        }
    }

    #[test]
    fn an_unknown_crate_is_caught() {
        assert_one(
            &check(&graph(&[("wayveil-extra", &[])])),
            "wayveil-extra: not in the table",
        );
    }
}
