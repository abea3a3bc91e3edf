//! Other people's mechanisms are measured against, never shipped.

use super::{Fault, Project};
use crate::workspace::Kind;

const PEERS: &[&str] = &["opendp"];
/// Measuring is what this crate is for; it is part of no release.
const MAY_DEPEND: &str = "wayveil-bench";

pub(super) fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    for package in &project.packages {
        for edge in &package.depends_on {
            let shipped = edge.kind != Kind::Dev && package.name != MAY_DEPEND;
            if shipped && PEERS.contains(&edge.name.as_str()) {
                let what = format!(
                    "{} may be used by tests and by {MAY_DEPEND} only",
                    edge.name
                );
                faults.push(Fault::new(&package.name, what));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_holds, assert_one};
    use super::*;
    use crate::workspace::{Dependency, Package};

    fn edge(from: &str, kind: Kind) -> Project {
        let to = Dependency {
            name: "opendp".into(),
            kind,
        };
        let package = Package {
            name: from.into(),
            depends_on: vec![to],
        };
        Project {
            packages: vec![package],
            ..Project::default()
        }
    }

    #[test]
    fn holds_here() {
        assert_holds(check);
    }

    #[test]
    fn a_peer_in_the_product_is_caught() {
        assert_eq!(check(&edge("wayveil-noise", Kind::Dev)), []);
        assert_eq!(check(&edge("wayveil-bench", Kind::Normal)), []);
        assert_one(
            &check(&edge("wayveil-noise", Kind::Normal)),
            "wayveil-noise: opendp",
        );
        assert_one(&check(&edge("wayveil", Kind::Build)), "wayveil: opendp");
    }
}
