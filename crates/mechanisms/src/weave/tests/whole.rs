//! Everything that is paid for one release, on the ground and with times, added up in ε and in ρ.

use std::borrow::Cow;

use wayveil_core::{
    ColumnNames, Coordinate, Location, Origin, PrivacyUnit, PublicInputs, RandomSource, Records,
    Sequences, TimeAxis, Universe, UniverseDocument,
};

use super::super::features::UNITS;
use super::super::law::Law;
use super::super::measure::Measured;
use super::super::noise::Allowance;
use super::super::norm::Norm;
use super::super::options::Options;
use super::super::{Bought, Weave, pay};
use super::spent::bounded;
use crate::parameters::Parameters;

/// A square of places; without coordinates it is no grid.
fn places(side: u32, on_the_ground: bool) -> Universe {
    let at = |code: u32| Coordinate {
        lat: 40.0 + f64::from(code / side) * 0.01,
        lng: 116.0 + f64::from(code % side) * 0.01,
    };
    let location = |code: u32| Location {
        label: code.to_string(),
        at: on_the_ground.then(|| at(code)),
        ..Location::default()
    };
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("a test".into()),
        locations: (0..side * side).map(location).collect(),
        groups: Vec::new(),
    })
    .unwrap()
}

fn options(epsilon: &str, delta: &str) -> Options {
    let given = [("epsilon", epsilon), ("delta", delta), ("max-length", "12")];
    Options::read(&Parameters::new(Weave::PARAMETERS, given).unwrap()).unwrap()
}

fn bought(
    rows: u32,
    timed: bool,
    unit: PrivacyUnit,
    options: &Options,
    places: &Universe,
) -> Bought {
    let axis = TimeAxis::new(24, Origin::Declared("hours".into()));
    let mut sequences = Sequences::empty(timed);
    for row in 0..rows {
        let codes: Vec<u32> = (0..1 + row % 7)
            .map(|at| (row * 31 + at) % places.len() as u32)
            .collect();
        let bins: Vec<u32> = (0..codes.len() as u32).map(|at| row % 8 + 2 * at).collect();
        sequences.push(&codes, if timed { &bins } else { &[] });
    }
    let records = Records {
        public: PublicInputs {
            universe: places,
            time: timed.then_some(&axis),
            unit,
            columns: ColumnNames::default(),
        },
        sequences: Cow::Owned(sequences),
        attributes: Vec::new(),
        owners: None,
        units: None,
    };
    pay(&records, options, &mut RandomSource::insecure_seed(3)).unwrap()
}

/// By how much a unit of privacy moves a group at most, as the proof has it.
fn moved(group: &Measured, records: u32) -> f64 {
    let most = group.features.most as f64;
    let cells = match group.features.norm {
        Norm::Sum => most,
        Norm::Euclidean => most.sqrt(),
    };
    cells * UNITS as f64 * f64::from(records)
}

/// The same as ε of Laplace noise.
fn epsilon_of(group: &Measured, records: u32) -> f64 {
    match (group.features.norm, group.law) {
        (Norm::Sum, Law::Laplace(scale)) => moved(group, records) / scale,
        other => panic!("{:?}: {other:?}", group.kind()),
    }
}

/// The same as ρ: of Gaussian noise by length, which the sum bounds too, and of Laplace noise by the sum alone.
fn rho_of(group: &Measured, records: u32) -> f64 {
    let ratio = match (group.features.norm, group.law) {
        (_, Law::Gaussian(deviation)) => moved(group, records) / deviation,
        (Norm::Sum, Law::Laplace(scale)) => moved(group, records) / scale,
        (Norm::Euclidean, Law::Laplace(_)) => panic!("{:?}: length and Laplace", group.kind()),
    };
    ratio * ratio / 2.0
}

#[test]
fn whatever_is_paid_for_adds_up_to_the_budget() {
    for (side, on_the_ground, timed, kinds) in [
        (24, false, false, 11),
        // Too many pairs to visit.
        (40, false, false, 11),
        (4, false, true, 16),
        (24, true, false, 11),
    ] {
        let places = places(side, on_the_ground);
        for unit in [PrivacyUnit::Owner, bounded(4)] {
            for rows in [0, 400] {
                for delta in ["0", "0.000001"] {
                    let options = options("0.7", delta);
                    let bought = bought(rows, timed, unit, &options, &places);
                    let mut groups = bought.paid.groups;
                    groups.push(bought.paid.total);
                    assert_eq!(groups.len(), kinds);
                    assert_eq!(bought.ground.is_some(), on_the_ground);
                    groups.extend(bought.ground.into_iter().flat_map(|it| it.groups()));
                    let m = unit.records();
                    let (spent, allowed) = match Allowance::of(&options).unwrap() {
                        Allowance::Pure(epsilon) => (
                            groups.iter().map(|it| epsilon_of(it, m)).sum::<f64>(),
                            epsilon.to_f64(),
                        ),
                        Allowance::Concentrated(rho) => (
                            groups.iter().map(|it| rho_of(it, m)).sum::<f64>(),
                            rho.0 as f64 / rho.1 as f64,
                        ),
                    };
                    // Noise is rounded up: never more than is allowed, but for the rounding of this sum.
                    let part = spent / allowed;
                    assert!(
                        (0.999..1.0 + 1e-9).contains(&part),
                        "{side} {on_the_ground} {timed} {delta}: {part}"
                    );
                }
            }
        }
    }
}
