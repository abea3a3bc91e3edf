//! What the tests of this folder share.

use wayveil_core::{
    ColumnNames, Coordinate, Location, Origin, PrivacyUnit, PublicInputs, TimeAxis, Universe,
    UniverseDocument,
};

use super::counting::Counting;
use super::options::GeneralizeOptions;
use super::symbols::Symbols;
use crate::parameters::{Parameter, Parameters};

/// Options at ε = 1 unless something else is given.
pub(super) fn options(given: &[(&str, &str)]) -> GeneralizeOptions {
    static KNOWN: &[Parameter] = &GeneralizeOptions::PARAMETERS;
    let mut all = vec![("epsilon", "1")];
    all.extend_from_slice(given);
    GeneralizeOptions::read(&Parameters::new(KNOWN, all).unwrap()).unwrap()
}

/// Six places: two towns, far apart, of three places each.
pub(super) fn towns() -> Universe {
    let location = |code: u32| Location {
        label: code.to_string(),
        at: Some(Coordinate {
            lat: 45.0 + f64::from(code / 3),
            lng: 7.0 + 0.01 * f64::from(code % 3),
        }),
        ..Location::default()
    };
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("test".into()),
        locations: (0..6).map(location).collect(),
        groups: Vec::new(),
    })
    .unwrap()
}

pub(super) fn public<'a>(
    universe: &'a Universe,
    time: Option<&'a TimeAxis>,
    unit: PrivacyUnit,
) -> PublicInputs<'a> {
    PublicInputs {
        universe,
        time,
        unit,
        columns: ColumnNames::of(&[]),
    }
}

/// The counting of these options for single owners.
pub(super) fn counting(options: &GeneralizeOptions, symbols: Symbols) -> Counting {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    Counting::new(options, &public, &options.epsilon, symbols).unwrap()
}
