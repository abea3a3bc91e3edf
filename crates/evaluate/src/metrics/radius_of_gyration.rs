//! How well the release keeps how widely people roam.

use wayveil_core::{Coordinate, Result};

use super::ground::{Ground, chord, direction, metres, per_record};
use super::{Better, Metric, Value, histogram};
use crate::compared::Compared;
use crate::settings::Settings;

/// Divergence of radii of gyration, and relative error of their mean.
pub(super) static METRIC: Metric = Metric {
    name: "radius-of-gyration",
    about: "how well the records' radii of gyration are kept, as a distribution and on average",
    definition: "Radius of gyration: the root of the mean squared distance of a record's visits \
                 from their centre (mean latitude, mean longitude), in metres on a sphere of radius \
                 6,371,008.8 m; empty records left out. `divergence`: Jensen–Shannon divergence, \
                 base 2, of histograms with 20 bins of equal width from 0 to the greatest raw \
                 radius, and one more for released ones beyond it. `mean-error`: |mean released − \
                 mean raw| / mean raw. Undefined where a side has no visit, a location no \
                 coordinates, or (mean-error) the raw mean is zero and the released is not. Not \
                 meant for data on both sides of the 180th meridian.",
    source: "González, Hidalgo and Barabási, Understanding individual human mobility patterns, \
             Nature 453, 2008; centre and distances as in scikit-mobility.",
    better: Better::Lower,
    spatial: true,
    run,
};

const NAMES: [&str; 2] = ["divergence", "mean-error"];

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let Some(ground) = Ground::of(compared)? else {
        return Ok(NAMES.map(Value::undefined).to_vec());
    };
    let (raw, released) = per_record(compared, |codes| radius(&ground, codes));
    Ok(vec![
        Value::of(NAMES[0], histogram::divergence(&raw, &released)),
        Value::of(NAMES[1], mean_error(&raw, &released)),
    ])
}

fn radius(ground: &Ground, codes: &[u32]) -> f64 {
    // A record that stays has no radius, whatever the rounding of its centre.
    if codes.windows(2).all(|step| step[0] == step[1]) {
        return 0.0;
    }
    let n = codes.len() as f64;
    let mean = |part: fn(&Coordinate) -> f64| {
        let sum: f64 = codes
            .iter()
            .map(|&code| part(&ground.coordinates[code as usize]))
            .sum();
        sum / n
    };
    let centre = direction(Coordinate {
        lat: mean(|at| at.lat),
        lng: mean(|at| at.lng),
    });
    let squares: f64 = codes
        .iter()
        .map(|&code| metres(chord(centre, ground.directions[code as usize])).powi(2))
        .sum();
    (squares / n).sqrt()
}

fn mean_error(raw: &[f64], released: &[f64]) -> Option<f64> {
    if raw.is_empty() || released.is_empty() {
        return None;
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (raw, released) = (mean(raw), mean(released));
    if raw == released {
        Some(0.0)
    } else {
        (raw > 0.0).then(|| (released - raw).abs() / raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_error_of_the_mean() {
        assert_eq!(mean_error(&[1.0, 3.0], &[3.0]), Some(0.5));
        assert_eq!(mean_error(&[0.0], &[0.0, 0.0]), Some(0.0));
        assert_eq!(mean_error(&[0.0], &[1.0]), None);
        assert_eq!(mean_error(&[], &[1.0]), None);
        assert_eq!(mean_error(&[1.0], &[]), None);
    }
}
