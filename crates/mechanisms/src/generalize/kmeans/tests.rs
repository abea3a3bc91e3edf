use proptest::prelude::*;
use wayveil_noise::RandomSource;

use super::rounds::Sum;
use super::*;
use crate::generalize::sphere::Vector;

fn at(lat: f64, lng: f64) -> Coordinate {
    Coordinate { lat, lng }
}

/// Lloyd's algorithm as it stands in books, with the same rules for ties, means and empty clusters.
fn by_hand(
    points: &[Coordinate],
    weights: &[u32],
    start: &[Coordinate],
    rounds: u32,
) -> (Vec<Vector>, Vec<usize>) {
    let points: Vec<Vector> = points.iter().copied().map(vector).collect();
    let mut centres: Vec<Vector> = start.iter().copied().map(vector).collect();
    let nearest = |point: &Vector, centres: &[Vector]| {
        let distance = |centre: usize| squared_chord(point, &centres[centre]);
        (0..centres.len())
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))
            .unwrap()
    };
    let sum = |members: &[usize], cluster: usize| {
        let mut sum = Sum::default();
        for (point, _) in members
            .iter()
            .enumerate()
            .filter(|(_, own)| **own == cluster)
        {
            sum.add(&points[point], i128::from(weights[point]));
        }
        sum
    };
    let mut own: Vec<usize> = points
        .iter()
        .map(|point| nearest(point, &centres))
        .collect();
    for _ in 0..rounds {
        let before = centres.clone();
        for (cluster, centre) in centres.iter_mut().enumerate() {
            *centre = sum(&own, cluster).centre().unwrap_or(*centre);
        }
        let mut refilled = false;
        for empty in 0..centres.len() {
            if !sum(&own, empty).is_empty() {
                continue;
            }
            let far = |point: usize| squared_chord(&points[point], &centres[own[point]]);
            let alone = |point: usize| {
                let other =
                    |other: usize| other != point && own[other] == own[point] && weights[other] > 0;
                !(0..points.len()).any(other)
            };
            let taken = (0..points.len())
                .filter(|&point| weights[point] > 0 && !alone(point) && far(point) > 1e-20)
                .max_by(|&a, &b| far(a).total_cmp(&far(b)).then(b.cmp(&a)));
            let Some(point) = taken else { break };
            let from = std::mem::replace(&mut own[point], empty);
            for cluster in [from, empty] {
                centres[cluster] = sum(&own, cluster).centre().unwrap_or(centres[cluster]);
            }
            refilled = true;
        }
        let after: Vec<usize> = points
            .iter()
            .map(|point| nearest(point, &centres))
            .collect();
        let settled = (after == own || before == centres) && !refilled;
        own = after;
        if settled {
            break;
        }
    }
    let kept: Vec<usize> = (0..centres.len())
        .filter(|&cluster| !sum(&own, cluster).is_empty())
        .collect();
    let centres: Vec<Vector> = kept.iter().map(|&cluster| centres[cluster]).collect();
    let own = points
        .iter()
        .map(|point| nearest(point, &centres))
        .collect();
    (centres, own)
}

fn agree(points: &[Coordinate], weights: &[u32], start: &[Coordinate], rounds: u32) {
    let found = k_means(points, Some(weights), start, rounds).unwrap();
    let (centres, own) = by_hand(points, weights, start, rounds);
    let found_own: Vec<usize> = found.of_point.iter().map(|&own| own as usize).collect();
    assert_eq!(found_own, own);
    let expected: Vec<Coordinate> = centres.into_iter().map(place).collect();
    assert_eq!(found.centres, expected);
}

/// Places of a city, of the world, and on a coarse grid with many ties.
fn places(most: usize) -> impl Strategy<Value = Vec<Coordinate>> {
    let city = (0..10_000u32, 0..10_000u32)
        .prop_map(|(x, y)| at(39.8 + f64::from(x) * 4e-5, 116.2 + f64::from(y) * 4e-5));
    let world = (-9000..=9000i32, -18000..=18000i32)
        .prop_map(|(lat, lng)| at(f64::from(lat) / 100.0, f64::from(lng) / 100.0));
    let grid = (-2..=2i32, -4..=4i32)
        .prop_map(|(lat, lng)| at(f64::from(lat) * 45.0, f64::from(lng) * 45.0));
    prop_oneof![
        prop::collection::vec(city, 1..most),
        prop::collection::vec(world, 1..most),
        prop::collection::vec(grid, 1..most),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bounds_change_nothing(
        points in places(120),
        weights in prop::collection::vec(0u32..4, 120),
        picks in prop::collection::vec(0usize..120, 1..14),
        rounds in 0u32..12,
    ) {
        let weights = &weights[..points.len()];
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        let start: Vec<Coordinate> = picks.iter().map(|pick| points[pick % points.len()]).collect();
        agree(&points, weights, &start, rounds);
    }

    #[test]
    fn a_weight_counts_as_so_many_points(
        points in places(30),
        weights in prop::collection::vec(1u32..4, 30),
        picks in (0usize..30, 0usize..30),
    ) {
        let start = [points[picks.0 % points.len()], points[picks.1 % points.len()]];
        prop_assume!(squared_chord(&vector(start[0]), &vector(start[1])) > 1e-12);
        let weights = &weights[..points.len()];
        let weighted = k_means(&points, Some(weights), &start, 20).unwrap();
        let times = |(&point, &weight): (&Coordinate, &u32)| std::iter::repeat_n(point, weight as usize);
        let repeated: Vec<Coordinate> = points.iter().zip(weights).flat_map(times).collect();
        let unweighted = k_means(&repeated, None, &start, 20).unwrap();
        prop_assert_eq!(&weighted.centres, &unweighted.centres);
        let times = |(&own, &weight): (&u32, &u32)| std::iter::repeat_n(own, weight as usize);
        let own: Vec<u32> = weighted.of_point.iter().zip(weights).flat_map(times).collect();
        prop_assert_eq!(own, unweighted.of_point);
    }

    #[test]
    fn every_point_is_at_its_nearest_centre_and_every_centre_has_points(
        points in places(100), clusters in 1usize..12, seed in any::<u64>(), rounds in 0u32..30,
    ) {
        let mut rng = RandomSource::insecure_seed(seed).stream();
        let start = plus_plus(&points, None, clusters, &mut rng).unwrap();
        let found = k_means(&points, None, &start, rounds).unwrap();
        prop_assert!(found.centres.len() <= clusters);
        let index = CentreIndex::new(&found.centres);
        for (&point, &own) in points.iter().zip(&found.of_point) {
            let nearest = index.nearest(point).unwrap() as usize;
            let far = |centre: usize| squared_chord(&vector(point), &vector(found.centres[centre]));
            prop_assert!(far(own as usize) <= far(nearest) + 1e-12);
        }
        for cluster in 0..found.centres.len() as u32 {
            prop_assert!(found.of_point.contains(&cluster));
        }
        for (cluster, point) in found.representatives(&points).into_iter().enumerate() {
            prop_assert_eq!(found.of_point[point as usize] as usize, cluster);
        }
    }
}

#[test]
fn a_large_input_settles_as_by_hand() {
    // Several pieces of work, and many rounds, so that bounds are carried far.
    let mut rng = RandomSource::insecure_seed(5).stream();
    use rand_core::Rng;
    let points: Vec<Coordinate> = (0..20_000)
        .map(|_| {
            let word = rng.next_u64();
            at(
                39.7 + (word % 1009) as f64 * 5e-4,
                116.1 + (word >> 32) as f64 * 1.5e-10,
            )
        })
        .collect();
    let start = plus_plus(&points, None, 23, &mut rng).unwrap();
    agree(&points, &vec![1; points.len()], &start, 40);
    let one = k_means(&points, None, &start, 40).unwrap();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    assert_eq!(
        pool.install(|| k_means(&points, None, &start, 40)).unwrap(),
        one
    );
}

#[test]
fn two_towns_by_hand() {
    let points: Vec<_> = [0.0, 2.0, 10.0, 14.0, 1.0, 12.0]
        .map(|lng| at(0.0, lng))
        .into();
    let found = k_means(&points, None, &[points[0], points[2]], 10).unwrap();
    assert_eq!(found.of_point, [0, 0, 1, 1, 0, 1]);
    assert!((found.centres[0].lng - 1.0).abs() < 1e-9 && found.centres[0].lat.abs() < 1e-9);
    assert!((found.centres[1].lng - 12.0).abs() < 1e-9);
    assert!(found.settled);
    assert_eq!(found.representatives(&points), [4, 5]);
}

#[test]
fn across_the_antimeridian_and_at_a_pole() {
    let points = [
        at(1.0, 179.0),
        at(-1.0, -179.0),
        at(0.0, 20.0),
        at(0.0, 22.0),
    ];
    let found = k_means(&points, None, &[points[0], points[2]], 10).unwrap();
    assert_eq!(found.of_point, [0, 0, 1, 1]);
    assert!((found.centres[0].lng.abs() - 180.0).abs() < 1e-9);
    let pole: Vec<_> = (0..4)
        .map(|quarter| at(89.0, f64::from(quarter) * 90.0 - 180.0))
        .collect();
    let found = k_means(&pole, None, &pole[..1], 10).unwrap();
    assert!((found.centres[0].lat - 90.0).abs() < 1e-9, "{found:?}");
    assert!((-180.0..=180.0).contains(&found.centres[0].lng));
}

#[test]
fn opposite_places_leave_the_centre_where_it_is() {
    // The mean of a pole and the other is no direction at all, or rounding's.
    let points = [at(90.0, 0.0), at(-90.0, 0.0)];
    let found = k_means(&points, None, &[at(0.0, 30.0)], 5).unwrap();
    assert_eq!(found.of_point, [0, 0]);
    assert!(found.centres[0].lat.is_finite() && found.centres[0].lng.is_finite());
}

#[test]
fn fewer_points_than_clusters_and_identical_points() {
    let mut rng = RandomSource::insecure_seed(1).stream();
    let same = [at(45.0, 7.0); 5];
    let start = plus_plus(&same, None, 3, &mut rng).unwrap();
    assert_eq!(start, [at(45.0, 7.0)]);
    let found = k_means(&same, None, &[same[0]; 3], 10).unwrap();
    assert_eq!((found.centres.len(), found.of_point), (1, vec![0; 5]));
    let two = [at(0.0, 0.0), at(0.0, 0.0), at(5.0, 5.0)];
    assert_eq!(plus_plus(&two, None, 10, &mut rng).unwrap().len(), 2);
    let found = k_means(
        &two,
        None,
        &[at(80.0, 0.0), at(81.0, 0.0), at(82.0, 0.0)],
        10,
    )
    .unwrap();
    assert_eq!(found.centres.len(), 2);
    assert_eq!(found.of_point[0], found.of_point[1]);
    assert_ne!(found.of_point[0], found.of_point[2]);
}

#[test]
fn an_empty_cluster_takes_the_farthest_point() {
    let points = [at(0.0, 0.0), at(0.0, 1.0), at(0.0, 9.0)];
    // The second centre is nearest to nothing.
    let found = k_means(&points, None, &[at(0.0, 1.0), at(0.0, 100.0)], 10).unwrap();
    assert_eq!(found.of_point, [0, 0, 1]);
}

#[test]
fn no_rounds_only_assign() {
    let points = [at(0.0, 0.0), at(0.0, 1.0)];
    let start = [at(0.0, 2.0), at(0.0, -1.0)];
    let found = k_means(&points, None, &start, 0).unwrap();
    assert_eq!(found.of_point, [1, 0]);
    assert_eq!((found.rounds, found.settled), (0, false));
}

#[test]
fn the_start_follows_weights_and_distances() {
    let mut rng = RandomSource::insecure_seed(9).stream();
    let points = [at(0.0, 0.0), at(0.0, 1.0), at(0.0, 3.0)];
    let mut firsts = [0u32; 3];
    for _ in 0..3000 {
        let start = plus_plus(&points, Some(&[1, 0, 3]), 2, &mut rng).unwrap();
        assert_eq!(start.len(), 2);
        assert!(!start.contains(&points[1]));
        firsts[if start[0] == points[2] { 2 } else { 0 }] += 1;
    }
    // Three quarters; five standard deviations are 120.
    assert!((2130..=2370).contains(&firsts[2]), "{firsts:?}");
    // After the first point: squared distances 1 and 9.
    let mut far = 0;
    let mut begun = 0;
    for _ in 0..9000 {
        let start = plus_plus(&points, None, 2, &mut rng).unwrap();
        if start[0] == points[0] {
            begun += 1;
            far += u32::from(start[1] == points[2]);
        }
    }
    let share = f64::from(far) / f64::from(begun);
    assert!((share - 0.9).abs() < 0.03, "{share}");
}

#[test]
fn refuses_what_cannot_be_clustered() {
    let one = [at(0.0, 0.0)];
    assert!(k_means(&[], None, &one, 1).is_err());
    assert!(k_means(&one, Some(&[0]), &one, 1).is_err());
    assert!(k_means(&one, Some(&[1, 1]), &one, 1).is_err());
    assert!(k_means(&one, None, &[], 1).is_err());
    assert!(k_means(&[at(f64::NAN, 0.0)], None, &one, 1).is_err());
    assert!(k_means(&one, None, &vec![one[0]; MAX_CLUSTERS + 1], 1).is_err());
}
