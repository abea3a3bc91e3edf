//! A schematic: places on a ring, neighbours where much flows between them.

use wayveil_core::Universe;

use super::{Atlas, HEIGHT, Shape, WIDTH};

/// The most places on the ring.
pub(super) const MOST: usize = 36;
const RADIUS: (f64, f64) = (210.0, 190.0);

/// Puts the most important locations on a ring: groups of the taxonomy stay together, and within them
/// those between which most flows.
pub(super) fn atlas(universe: &Universe, shown: &[u32], flows: &[(u32, u32)]) -> Atlas {
    let shown: Vec<u32> = shown.iter().copied().take(MOST).collect();
    let order = in_order(universe, &shown, flows);
    let mut places = vec![None; universe.len()];
    let mut angles = vec![None; universe.len()];
    for (index, &code) in order.iter().enumerate() {
        let turn = std::f64::consts::TAU * index as f64 / order.len() as f64;
        let angle = turn - std::f64::consts::FRAC_PI_2;
        let x = WIDTH / 2.0 + RADIUS.0 * angle.cos();
        let y = HEIGHT / 2.0 + RADIUS.1 * angle.sin();
        places[code as usize] = Some((x, y));
        angles[code as usize] = Some(angle);
    }
    Atlas {
        places,
        shape: Shape::Circle,
        per_km: None,
        angles,
        without_place: 0,
    }
}

fn in_order(universe: &Universe, shown: &[u32], flows: &[(u32, u32)]) -> Vec<u32> {
    let mut left = shown.to_vec();
    let mut order: Vec<u32> = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let next = order.last().and_then(|&last| {
            let other = |&(from, to): &(u32, u32)| match last {
                last if from == last => Some(to),
                last if to == last => Some(from),
                _ => None,
            };
            // Flows come the strongest first.
            let mut reached = flows.iter().filter_map(other);
            reached.find_map(|code| left.iter().position(|&it| it == code))
        });
        order.push(left.remove(next.unwrap_or(0)));
    }
    if let Some(taxonomy) = universe.taxonomy() {
        order.sort_by_key(|&code| taxonomy.group_of(code));
    }
    order
}

#[cfg(test)]
mod tests {
    use wayveil_core::Origin;

    use super::*;

    #[test]
    fn neighbours_by_flow_stand_side_by_side() {
        let universe = Universe::from_labels(["A", "B", "C", "D"], Origin::FromData).unwrap();
        assert_eq!(
            in_order(&universe, &[0, 1, 2, 3], &[(0, 3), (2, 3)]),
            [0, 3, 2, 1]
        );
        let atlas = atlas(&universe, &[0, 1], &[]);
        assert!(atlas.places[0].is_some() && atlas.places[2].is_none());
        assert!(atlas.is_schematic());
    }
}
