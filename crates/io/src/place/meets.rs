//! Whether a cell's border meets a box: exact but for rounding, without sampling.

use super::geobox::GeoBox;
use super::sphere::{Vector, combine, cross, dot, latitude, longitude};

/// Whether the shortest arc from `a` to `b` (less than half a turn) meets the box.
///
/// The arc is cut where it crosses the box's western and eastern meridians. Each piece then lies
/// wholly within the box's longitudes or wholly outside; one that lies within meets the box if its
/// latitudes overlap those of the box.
pub(super) fn arc_meets(area: &GeoBox, a: Vector, b: Vector) -> bool {
    let mut cuts = [0.0; 4];
    let mut used = 1;
    if !area.is_full_circle() {
        for meridian in [area.west(), area.east()] {
            if let Some(share) = crossing(meridian, a, b) {
                cuts[used] = share;
                used += 1;
            }
        }
    }
    cuts[used] = 1.0;
    let cuts = &mut cuts[..=used];
    cuts.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| combine(a, 1.0 - share, b, share);
    cuts.windows(2).any(|piece| {
        let (from, to) = (at(piece[0]), at(piece[1]));
        let middle = at(f64::midpoint(piece[0], piece[1]));
        let (lowest, highest) = latitudes(a, b, from, to);
        area.spans(longitude(middle)) && lowest <= area.north() && highest >= area.south()
    })
}

/// Where on the chord from `a` (0) to `b` (1) the arc crosses a meridian or the one opposite, where
/// a cut does no harm.
fn crossing(meridian: f64, a: Vector, b: Vector) -> Option<f64> {
    let (sin, cos) = meridian.to_radians().sin_cos();
    let beside = [-sin, cos, 0.0];
    let (from, to) = (dot(beside, a), dot(beside, b));
    ((from < 0.0) != (to < 0.0)).then(|| from / (from - to))
}

/// The lowest and the highest latitude of the piece between `from` and `to` of the arc from `a` to
/// `b`: those of its ends, or that of the great circle's top or bottom if it lies between them.
fn latitudes(a: Vector, b: Vector, from: Vector, to: Vector) -> (f64, f64) {
    // (a − b) × (a + b) = 2 a × b, without the loss of digits when a and b are close.
    let axis = cross(combine(a, 1.0, b, -1.0), combine(a, 1.0, b, 1.0));
    let climb = |point: Vector| cross(axis, point)[2];
    let top = axis[0].hypot(axis[1]).atan2(axis[2].abs()).to_degrees();
    let (one, other) = (latitude(from), latitude(to));
    let (mut lowest, mut highest) = (one.min(other), one.max(other));
    match (climb(from) > 0.0, climb(to) > 0.0) {
        (true, false) => highest = highest.max(top),
        (false, true) => lowest = lowest.min(-top),
        _ => {}
    }
    (lowest, highest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sphere::{vector, wrapped};
    use super::*;

    fn meets(area: [f64; 4], a: (f64, f64), b: (f64, f64)) -> bool {
        let [south, west, north, east] = area;
        let area = GeoBox::new(south, west, north, east).unwrap();
        let forth = arc_meets(&area, vector(a.0, a.1), vector(b.0, b.1));
        let back = arc_meets(&area, vector(b.0, b.1), vector(a.0, a.1));
        assert_eq!(forth, back);
        forth
    }

    #[test]
    fn an_arc_bulges_towards_the_pole() {
        // Between two points at 60° north, 90° apart, the arc climbs to atan(√2 tan 60°) = 67.79°.
        let (a, b) = ((60.0, -45.0), (60.0, 45.0));
        assert!(meets([67.79, -1.0, 68.0, 1.0], a, b));
        assert!(!meets([67.8, -1.0, 68.0, 1.0], a, b));
        assert!(!meets([60.0, -1.0, 67.5, 1.0], a, b));
        let (a, b) = ((-60.0, -45.0), (-60.0, 45.0));
        assert!(meets([-68.0, -1.0, -67.79, 1.0], a, b));
        assert!(!meets([-68.0, -1.0, -67.8, 1.0], a, b));
    }

    #[test]
    fn an_arc_through_a_box_meets_it_without_an_end_in_it() {
        assert!(meets([-1.0, -1.0, 1.0, 1.0], (-5.0, -5.0), (5.0, 5.0)));
        assert!(!meets([-1.0, -1.0, 1.0, 1.0], (-5.0, -2.5), (5.0, 7.5)));
        assert!(meets(
            [-1.0, 179.0, 1.0, -179.0],
            (-5.0, 175.0),
            (5.0, -175.0)
        ));
        assert!(!meets([-1.0, 179.0, 1.0, -179.0], (-5.0, 5.0), (5.0, -5.0)));
        // Close by the pole, where the longitude turns within the last degree.
        assert!(meets(
            [85.0, 10.0, 90.0, 100.0],
            (80.0, -1.0),
            (80.0, 178.0)
        ));
        assert!(!meets(
            [85.0, 10.0, 90.0, 100.0],
            (80.0, 1.0),
            (80.0, -178.0)
        ));
        assert!(!meets(
            [85.0, 10.0, 89.0, 100.0],
            (80.0, 0.0),
            (80.0, 179.9)
        ));
    }

    proptest! {
        /// Against a walk along the arc in 20,000 steps.
        #[test]
        fn agrees_with_a_walk_along_the_arc(
            south in -85.0..80.0_f64, height in 0.5..9.0_f64,
            west in -180.0..180.0_f64, width in 0.5..60.0_f64,
            from in (-12.0..12.0_f64, -40.0..40.0_f64), to in (-12.0..12.0_f64, -40.0..40.0_f64),
        ) {
            let east = wrapped(west + width);
            let area = GeoBox::new(south, west, (south + height).min(90.0), east).unwrap();
            let near = |(lat, lng): (f64, f64)| {
                let lat = (south + lat).clamp(-90.0, 90.0);
                vector(lat, wrapped(west + lng))
            };
            let (a, b) = (near(from), near(to));
            let walk = |area: &GeoBox| (0..=20_000).any(|step| {
                let share = f64::from(step) / 20_000.0;
                let point = combine(a, 1.0 - share, b, share);
                area.contains(latitude(point), longitude(point))
            });
            let claim = arc_meets(&area, a, b);
            if walk(&area) {
                prop_assert!(claim);
            } else if claim {
                // It may pass through a corner between two steps, not farther away.
                prop_assert!(walk(&area.grown(0.05)));
            }
        }
    }
}
