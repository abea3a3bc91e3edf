//! Cuts lines where they cross the antimeridian, as RFC 7946 §3.1.9 asks.
//!
//! Two places are joined the short way round: a step of more than 180° of longitude goes across
//! ±180°. A line that does so becomes several, of which none crosses; the latitude at the cut is
//! interpolated. Readers that know only flat maps would otherwise draw it around the world.

use wayveil_core::Coordinate;

/// Whether the short way between two places goes across ±180°.
pub(super) fn crosses(from: Coordinate, to: Coordinate) -> bool {
    (to.lng - from.lng).abs() > 180.0
}

/// The pieces of a line of two places or more; each has two places or more.
///
/// A place that lies on the antimeridian may be written with the other sign there, which is the
/// same place.
pub(super) fn pieces(line: &[Coordinate]) -> Vec<Vec<Coordinate>> {
    let Some((&first, rest)) = line.split_first() else {
        return Vec::new();
    };
    let mut pieces = Vec::new();
    let mut piece = vec![first];
    let mut here = first;
    for &next in rest {
        here = if crosses(here, next) {
            step_across(&mut pieces, &mut piece, here, next)
        } else {
            piece.push(next);
            next
        };
    }
    pieces.push(piece);
    // A piece of one place lies on the antimeridian, where its neighbour ends as well.
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// Ends the piece at the antimeridian and begins another beyond it. Returns where the line is.
fn step_across(
    pieces: &mut Vec<Vec<Coordinate>>,
    piece: &mut Vec<Coordinate>,
    here: Coordinate,
    next: Coordinate,
) -> Coordinate {
    let side = 180_f64.copysign(here.lng);
    let on_this_side = |lat| Coordinate { lat, lng: side };
    let on_that_side = |lat| Coordinate { lat, lng: -side };
    if here.lng == side && next.lng == -side {
        // Along the antimeridian, not across it.
        piece.push(on_this_side(next.lat));
        return on_this_side(next.lat);
    }
    let lat = if here.lng == side {
        here.lat
    } else if next.lng == -side {
        next.lat
    } else {
        let part = (side - here.lng) / (next.lng + 2.0 * side - here.lng);
        here.lat + part * (next.lat - here.lat)
    };
    if here.lng != side {
        piece.push(on_this_side(lat));
    }
    pieces.push(std::mem::replace(piece, vec![on_that_side(lat)]));
    if next.lng != -side {
        piece.push(next);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
        let line: Vec<Coordinate> = line
            .iter()
            .map(|&(lng, lat)| Coordinate { lat, lng })
            .collect();
        let pair = |at: &Coordinate| (at.lng, at.lat);
        let pieces = pieces(&line);
        pieces
            .iter()
            .map(|piece| piece.iter().map(pair).collect())
            .collect()
    }

    #[test]
    fn a_line_elsewhere_stays_whole() {
        let line = [(-90.0, 1.0), (90.0, 2.0), (10.0, 3.0)];
        assert_eq!(cut(&line), [line.to_vec()]);
    }

    #[test]
    fn the_latitude_of_the_cut_lies_between() {
        // Three degrees to the edge and one beyond: the cut is at three quarters of the way.
        assert_eq!(
            cut(&[(170.0, 5.0), (177.0, 10.0), (-179.0, 30.0), (-178.0, 31.0)]),
            [
                vec![(170.0, 5.0), (177.0, 10.0), (180.0, 25.0)],
                vec![(-180.0, 25.0), (-179.0, 30.0), (-178.0, 31.0)]
            ]
        );
        assert_eq!(
            cut(&[(-179.0, 30.0), (177.0, 10.0)]),
            [
                vec![(-179.0, 30.0), (-180.0, 25.0)],
                vec![(180.0, 25.0), (177.0, 10.0)]
            ]
        );
    }

    #[test]
    fn there_and_back_makes_three_pieces() {
        let pieces = cut(&[(179.0, 0.0), (-179.0, 0.0), (179.0, 2.0)]);
        assert_eq!(
            pieces,
            [
                vec![(179.0, 0.0), (180.0, 0.0)],
                vec![(-180.0, 0.0), (-179.0, 0.0), (-180.0, 1.0)],
                vec![(180.0, 1.0), (179.0, 2.0)]
            ]
        );
    }

    #[test]
    fn places_on_the_antimeridian_are_on_both_sides() {
        // Beginning there, ending there, turning there, and following it.
        assert_eq!(
            cut(&[(180.0, 1.0), (-170.0, 2.0)]),
            [[(-180.0, 1.0), (-170.0, 2.0)]]
        );
        assert_eq!(
            cut(&[(170.0, 1.0), (-180.0, 2.0)]),
            [[(170.0, 1.0), (180.0, 2.0)]]
        );
        assert_eq!(
            cut(&[(170.0, 1.0), (-180.0, 2.0), (170.0, 3.0)]),
            [[(170.0, 1.0), (180.0, 2.0)], [(180.0, 2.0), (170.0, 3.0)]]
        );
        assert_eq!(
            cut(&[(180.0, 1.0), (-180.0, 2.0)]),
            [[(180.0, 1.0), (180.0, 2.0)]]
        );
        assert_eq!(
            cut(&[(180.0, 1.0), (-180.0, 2.0), (-170.0, 2.0)]),
            [
                vec![(180.0, 1.0), (180.0, 2.0)],
                vec![(-180.0, 2.0), (-170.0, 2.0)]
            ]
        );
    }
}
