//! The constants of the estimates, all in one place. They are public: fitted to generated data by
//! `wayveil-bench -- weave-errors --fit`, and checked on data that they were not fitted to.

/// How many plausible truths errors are averaged over.
pub(super) const TRUTHS: usize = 5;
/// How far sets and patterns of three and more places lie from what pairs tell, as a part of how far pairs
/// lie from what the groups before them tell.
pub(super) const STRUCTURE: f64 = 0.5;
/// How much of pairs' noise reaches sets and patterns of three and more places.
pub(super) const NOISE: f64 = 0.35;
/// The part of a place's or a pair's deviation that is left when what other groups tell of it is counted in.
pub(super) const LEFT: f64 = 0.85;

/// What the plain estimate of a number is multiplied by, and the interval around that as factors. Of patterns it is
/// the number of missed ones that is multiplied.
pub(super) struct Calibration {
    pub(super) name: &'static str,
    pub(super) factor: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

const fn calibrated(name: &'static str, factor: f64, low: f64, high: f64) -> Calibration {
    Calibration {
        name,
        factor,
        low,
        high,
    }
}

/// One row for every number.
pub(super) const CALIBRATION: [Calibration; 12] = [
    calibrated("count-query-error.group-1", 1.02, 0.34, 2.0),
    calibrated("count-query-error.group-2", 1.07, 0.36, 1.91),
    calibrated("count-query-error.group-3", 0.98, 0.36, 1.91),
    calibrated("count-query-error.group-4", 1.16, 0.32, 1.93),
    calibrated("top-patterns.true-positives-100", 1.01, 0.42, 3.02),
    calibrated("top-patterns.true-positives-200", 1.06, 0.49, 2.54),
    calibrated("top-patterns.true-positives-300", 1.07, 0.55, 2.0),
    calibrated("flow-error.transitions", 1.08, 0.54, 1.83),
    calibrated("flow-error.trips", 0.96, 0.55, 1.74),
    calibrated("transition-divergence", 1.17, 0.61, 1.75),
    calibrated("trip-divergence", 0.94, 0.53, 1.95),
    calibrated("length-divergence", 1.52, 0.33, 2.85),
];
