//! A method and its parameters: `prefix-tree epsilon=1 height=6`.

use std::num::NonZeroU32;

use wayveil_core::{ColumnNames, PrivacyUnit, PublicInputs};
use wayveil_mechanisms::{Parameters, find};

use crate::Target;
use crate::check::{accepted, options};
use crate::samples;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "parameters",
    run,
    seeds,
    words: &[
        "prefix-tree ",
        "hybrid-tree ",
        "epsilon=",
        "height=",
        "split=",
        "threshold=",
        "rho=",
        "inference=",
        "node-cap=",
        "as-published=true",
        "uniform",
        "auto",
        "paper",
        "1/2",
    ],
    longest: 200,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "\0prefix-tree epsilon=1 height=6",
        "\x01hybrid-tree epsilon=1/3 height=3 split=3,2,1 rho=0.25 inference=least-squares",
        "\0prefix-tree epsilon=1 height=2 as-published=true node-cap=100 threshold=4",
        "\x02prefix-tree epsilon=1000000 height=1000 threshold=auto rho=1/1000",
        "\0hybrid-tree",
    ]
    .map(Vec::from)
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let (chosen, text) = options(data);
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let mut words = text.split_whitespace();
    let Some(method) = accepted(find(words.next().unwrap_or_default())) else {
        return false;
    };
    let given = words.map(|word| word.split_once('=').unwrap_or((word, "true")));
    let built = Parameters::new(method.parameters, given).and_then(|it| (method.build)(&it));
    let Some(mechanism) = accepted(built) else {
        return false;
    };
    let public = PublicInputs {
        universe: &samples::universe(),
        time: None,
        unit: match NonZeroU32::new(u32::from(chosen)) {
            Some(trips) => PrivacyUnit::OwnerBounded(trips),
            None => PrivacyUnit::Owner,
        },
        columns: ColumnNames::default(),
    };
    let claim = accepted(mechanism.claim(&public));
    claim
        .iter()
        .for_each(|claim| assert_eq!(claim.guarantee.unit, public.unit));
    claim.is_some()
}
