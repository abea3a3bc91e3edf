//! The one list of mechanisms.

use wayveil_core::{Error, Mechanism, Result};

use crate::fastpub::Fastpub;
use crate::generalize::Generalize;
use crate::hybrid_tree::HybridTree;
use crate::parameters::{Parameter, Parameters};
use crate::prefix_tree::PrefixTree;
use crate::sfp::Sfp;
use crate::suppress::Suppress;
use crate::triehh::TrieHh;
use crate::weave::Weave;

/// A mechanism as the rest of the program knows it.
pub struct Entry {
    /// Its name on the command line and in manifests.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Builds it from parameter values.
    pub build: fn(&Parameters) -> Result<Box<dyn Mechanism>>,
}

/// Every mechanism, the one to begin with first.
pub static ALL: &[Entry] = &[
    Entry {
        name: "weave",
        about: "Trajectories that fit noisy counts of many kinds; epsilon- or (epsilon, delta)-differentially private; begin here",
        parameters: Weave::PARAMETERS,
        build: Weave::build,
    },
    Entry {
        name: "prefix-tree",
        about: "Noisy counts of how trajectories begin; epsilon-differentially private",
        parameters: PrefixTree::PARAMETERS,
        build: PrefixTree::build,
    },
    Entry {
        name: "hybrid-tree",
        about: "As prefix-tree, asking for lines before stations; epsilon-differentially private",
        parameters: HybridTree::PARAMETERS,
        build: HybridTree::build,
    },
    Entry {
        name: "generalize",
        about: "Noisy counts of journeys between clusters of places, with decoys; (epsilon, delta)",
        parameters: Generalize::PARAMETERS,
        build: Generalize::build,
    },
    Entry {
        name: "fastpub",
        about: "Fragments that at least k clients have, by one randomised bit of each; local epsilon",
        parameters: Fastpub::PARAMETERS,
        build: Fastpub::build,
    },
    Entry {
        name: "sfp",
        about: "Fragments by Apple's sketches, to compare fastpub with; local epsilon",
        parameters: Sfp::PARAMETERS,
        build: Sfp::build,
    },
    Entry {
        name: "triehh",
        about: "Fragments by Google's sampled votes, to compare fastpub with; (epsilon, delta)",
        parameters: TrieHh::PARAMETERS,
        build: TrieHh::build,
    },
    Entry {
        name: "suppress",
        about: "True records with visits taken out, until (K, C)_L-privacy holds; no noise",
        parameters: Suppress::PARAMETERS,
        build: Suppress::build,
    },
];

/// The mechanism of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|entry| entry.name).collect();
        Error::input(format!("there is no method {name:?}"))
            .hint(format!("choose one of: {}", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (index, entry) in ALL.iter().enumerate() {
            assert!(ALL[..index].iter().all(|other| other.name != entry.name));
            assert_eq!(find(entry.name).unwrap().name, entry.name);
        }
        assert!(find("nonsense").is_err());
    }

    #[test]
    fn mechanisms_answer_to_the_name_in_the_list() {
        for entry in ALL {
            let values = Parameters::new(
                entry.parameters,
                entry.parameters.iter().map(|p| (p.name, p.example)),
            );
            let mechanism = (entry.build)(&values.unwrap()).unwrap();
            assert_eq!(mechanism.name(), entry.name);
        }
    }

    #[test]
    fn defaults_stand_for_what_is_left_out() {
        for entry in ALL {
            let needed = entry.parameters.iter().filter(|p| p.default.is_none());
            let values = Parameters::new(entry.parameters, needed.map(|p| (p.name, p.example)));
            assert!((entry.build)(&values.unwrap()).is_ok());
        }
    }
}
