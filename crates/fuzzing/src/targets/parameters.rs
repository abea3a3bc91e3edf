//! A method and its parameters: `prefix-tree epsilon=1 height=6`.

use std::num::NonZeroU32;

use wayveil_core::{
    Attribute, ColumnNames, Labels, Model, Origin, PrivacyUnit, PublicInputs, TimeAxis,
};
use wayveil_mechanisms::{Parameters, find};

use crate::Target;
use crate::check::{accepted, options};
use crate::samples;

/// What the first byte says of the public inputs.
const TIMED: u8 = 0x40;
const TWO_COLUMNS: u8 = 0x20;
const TRIPS: u8 = 0x1f;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "parameters",
    run,
    seeds,
    words: &[
        "prefix-tree ",
        "hybrid-tree ",
        "suppress ",
        "generalize ",
        "fastpub ",
        "sfp ",
        "triehh ",
        "epsilon=",
        "length=",
        "xi=",
        "control=family-wise",
        "per-client=",
        "lambda=",
        "clients-per-record=",
        "engine=numbers",
        "drop-out=",
        "width=",
        "functions=",
        "delta=",
        "clusters=",
        "centres=private",
        "centres-share=",
        "rounds=",
        "noise=truncated",
        "noise=pure",
        "window=",
        "windows=",
        "collapse=true",
        "bins-together=",
        "near=",
        "decoys=",
        "decoy-style=uniform",
        "height=",
        "split=",
        "threshold=",
        "rho=",
        "inference=",
        "node-cap=",
        "as-published=true",
        "k=",
        "c=",
        "l=",
        "all",
        "sensitive=",
        "diagnosis=",
        "\"",
        "mode=global",
        "preserve=mfs",
        "min-support=",
        "keep=",
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
        "\x40suppress k=10 c=0.6 l=3 sensitive=HIV,Hepatitis",
        "\x60suppress k=2 c=1/3 l=all sensitive=job=spy,diagnosis=\"a,b\",c keep=job,diagnosis",
        "\x60suppress k=1 c=0 l=4294967295 sensitive=diagnosis=\"\" preserve=mfs min-support=800",
        "\x40suppress k=4294967295 l=1 mode=global as-published=true",
        "\0suppress k=2 l=2",
        "\0generalize epsilon=1 clusters=3",
        "\x03generalize epsilon=1/3 delta=1e-6 noise=truncated windows=2 window=3 near=1 collapse=true",
        "\x40generalize epsilon=2 noise=pure window=25 bins-together=2 decoys=0",
        "\0generalize epsilon=1 centres=private centres-share=1/4 rounds=5 window=all delta=0.5",
        "\0fastpub epsilon=2 k=1000 length=5 xi=0.05 control=false-discovery per-client=3 lambda=0",
        "\x41fastpub epsilon=1/3 k=7 clients-per-record=1000000000 drop-out=0.1 poison=1 longest=9",
        "\0fastpub epsilon=10 k=1 as-published=true engine=numbers",
        "\0sfp epsilon=4 k=10 length=3 width=2 functions=16384 as-published=true",
        "\x01triehh epsilon=1 delta=1e-30 k=9007199254740992 length=64",
        "\0triehh epsilon=30 delta=0.5 k=1 as-published=true clients-per-record=2",
        "\x01generalize epsilon=1 as-published=true clusters=2048 decoys=7 decoy-style=uniform",
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
    let axis = TimeAxis::new(4, Origin::Declared("seed".into()));
    let columns = ["diagnosis", "job"].map(empty_column);
    let public = PublicInputs {
        universe: &samples::universe(),
        time: (chosen & TIMED > 0).then_some(&axis),
        unit: match NonZeroU32::new(u32::from(chosen & TRIPS)) {
            Some(trips) => PrivacyUnit::OwnerBounded(trips),
            None => PrivacyUnit::Owner,
        },
        columns: match chosen & TWO_COLUMNS {
            0 => ColumnNames::of(&columns[..1]),
            _ => ColumnNames::of(&columns),
        },
    };
    let Some(claim) = accepted(mechanism.claim(&public)) else {
        return false;
    };
    assert_eq!(claim.guarantee.unit, public.unit);
    if let Model::KclPrivacy { sensitive, .. } = &claim.guarantee.model {
        for it in sensitive {
            assert!(public.columns.contains(&it.column) && claim.columns.contains(&it.column));
            assert!(!it.values.is_empty());
        }
    } else {
        let promises_nothing = matches!(claim.guarantee.model, Model::None { .. });
        assert!(promises_nothing || claim.columns.is_empty());
    }
    true
}

/// A claim knows columns by their names.
fn empty_column(name: &str) -> Attribute {
    Attribute {
        name: name.into(),
        values: Labels::new(),
        of_record: Vec::new(),
    }
}
