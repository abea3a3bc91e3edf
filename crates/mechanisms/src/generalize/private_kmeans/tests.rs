use proptest::prelude::*;

use super::totals::{nearest, totals};
use super::*;

fn at(lat: f64, lng: f64) -> Coordinate {
    Coordinate { lat, lng }
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn fraction(rate: Rate) -> Rational {
    Rational::new(rate.numer(), rate.denom()).unwrap()
}

#[test]
fn the_rates_add_up_to_epsilon() {
    for (text, rounds, contribution, records) in [
        ("1", 5, Contribution::Whole, 1),
        ("0.7", 3, Contribution::Points(8), 4),
        ("2.5", 1, Contribution::Points(1), 1),
    ] {
        let planned = PrivateKMeans::new(&epsilon(text), rounds, contribution, records).unwrap();
        let (weight, sum) = planned.rates();
        let most = Rational::new(u64::from(records) * contribution.most(), 1).unwrap();
        let both_axes = Rational::new(2 * REACH as u64, 1).unwrap();
        let one_round = fraction(weight)
            .times(&most)
            .plus(&fraction(sum).times(&most).times(&both_axes));
        let all = one_round.times(&Rational::new(u64::from(rounds), 1).unwrap());
        assert_eq!(&all, epsilon(text).value());
    }
}

proptest! {
    /// What the proof says of one record, on random data and centres.
    #[test]
    fn one_record_changes_totals_by_no_more_than_stated(
        records in prop::collection::vec(prop::collection::vec(0u32..20, 0..90), 1..6),
        removed in 0usize..6,
        grid in prop::collection::vec([-REACH..=REACH, -REACH..=REACH], 20),
        centres in prop::collection::vec([-REACH..=REACH, -REACH..=REACH], 1..5),
        contribution in prop_oneof![
            (1u32..70).prop_map(Contribution::Points), Just(Contribution::Whole)
        ],
    ) {
        let all = |records: &[Vec<u32>]| {
            let weights = weight_of_locations(&Sequences::from_codes(records), 20, contribution);
            totals(&weights, &grid, &centres)
        };
        let mut fewer = records.clone();
        fewer.remove(removed % records.len());
        let (mut weight, mut sums) = (0, 0);
        for (with, without) in all(&records).iter().zip(all(&fewer)) {
            weight += with.weight.abs_diff(without.weight);
            sums += with.sums[0].abs_diff(without.sums[0]) + with.sums[1].abs_diff(without.sums[1]);
        }
        prop_assert!(weight <= contribution.most());
        prop_assert!(sums <= contribution.most() * 2 * REACH as u64);
    }

    #[test]
    fn pieces_change_nothing(
        weights in prop::collection::vec(0i64..9, 9000..9001),
        centres in prop::collection::vec([-REACH..=REACH, -REACH..=REACH], 1..5),
    ) {
        let grid: Vec<GridPoint> = (0..9000).map(|n| [n % 1999 - 999, n * 7 % 1999 - 999]).collect();
        let mut expected = vec![Total::default(); centres.len()];
        for (weight, point) in weights.iter().zip(&grid) {
            let total = &mut expected[nearest(&centres, point)];
            total.weight += weight;
            total.sums[0] += weight * point[0];
            total.sums[1] += weight * point[1];
        }
        prop_assert_eq!(totals(&weights, &grid, &centres), expected);
    }
}

#[test]
fn a_record_shares_its_weight_over_its_points() {
    let weights = |records: &[&[u32]], contribution| {
        weight_of_locations(&Sequences::from_codes(records), 4, contribution)
    };
    assert_eq!(weights(&[&[0, 1, 1]], Contribution::Whole), [20, 40, 0, 0]);
    assert_eq!(weights(&[&[], &[3]], Contribution::Whole), [0, 0, 0, 60]);
    assert_eq!(
        weights(&[&[0, 1, 2, 3]], Contribution::Points(2)),
        [1, 0, 1, 0]
    );
    assert_eq!(
        weights(&[&[0], &[0]], Contribution::Points(2)),
        [2, 0, 0, 0]
    );
    // Longer than the parts: every place of a long record still counts at most once each.
    let long: Vec<u32> = (0..1000).map(|n| n / 250).collect();
    assert_eq!(weights(&[&long], Contribution::Whole), [15; 4]);
    // 60 does not divide by 7: the rest is not given to anyone.
    let seven = weights(&[&[0, 0, 0, 0, 0, 0, 1]], Contribution::Whole);
    assert_eq!(seven, [48, 8, 0, 0]);
}

/// Two towns of many people each.
fn towns() -> (Vec<Coordinate>, Sequences) {
    let places: Vec<Coordinate> = (0..100)
        .map(|n| {
            at(
                45.0 + f64::from(n / 10) * 0.01,
                7.0 + f64::from(n % 10) * 0.01,
            )
        })
        .collect();
    let records = (0..2000u32).map(|n| match n % 2 {
        0 => [n / 2 % 2 * 10, n / 4 % 2],
        _ => [99 - n / 2 % 2, 89],
    });
    (places, Sequences::from_codes(records))
}

#[test]
fn with_much_budget_the_towns_are_found() {
    let (places, records) = towns();
    let planned = PrivateKMeans::new(&epsilon("1000"), 6, Contribution::Whole, 1).unwrap();
    let mut random = RandomSource::insecure_seed(3);
    let found = planned.run(&records, &places, 2, &mut random).unwrap();
    let mut centres = found.centres.clone();
    centres.sort_by(|a, b| a.lat.total_cmp(&b.lat));
    // The mean of the four corners' visits, worked out by hand.
    for (found, (lat, lng)) in centres.iter().zip([(45.0025, 7.0025), (45.085, 7.0875)]) {
        assert!(
            (found.lat - lat).abs() < 5e-4 && (found.lng - lng).abs() < 5e-4,
            "{centres:?}"
        );
    }
    assert_eq!(found.answers.len(), 12);
    let weight: i64 = found.answers[..2].iter().map(|answer| answer.weight).sum();
    assert!((weight - 120_000).abs() < 1000, "{weight}");
}

#[test]
fn noise_is_added_to_every_number() {
    let (places, _) = towns();
    let planned = PrivateKMeans::new(&epsilon("0.1"), 4, Contribution::Whole, 1).unwrap();
    let mut random = RandomSource::insecure_seed(4);
    let found = planned
        .run(&Sequences::empty(false), &places, 3, &mut random)
        .unwrap();
    assert_eq!(found.centres.len(), 3);
    // Nothing but noise, whose scale is in the hundreds and beyond; a zero has probability below 1/1000.
    for answer in &found.answers {
        assert!(answer.weight != 0 && answer.sums[0] != 0 && answer.sums[1] != 0);
    }
    for centre in &found.centres {
        assert!(centre.lat.is_finite() && centre.lng.is_finite());
    }
}

#[test]
fn the_noise_has_the_stated_scale() {
    let planned = PrivateKMeans::new(&epsilon("1"), 1, Contribution::Points(1), 1).unwrap();
    let mut rng = RandomSource::insecure_seed(5).stream();
    let totals = vec![Total::default(); 20_000];
    let answers = planned.ask(0, &totals, &mut rng);
    let deviation = |values: Vec<i64>| {
        let squares: f64 = values.iter().map(|&value| (value as f64).powi(2)).sum();
        (squares / values.len() as f64).sqrt()
    };
    let weights = deviation(answers.iter().map(|answer| answer.weight).collect());
    let sums = deviation(answers.iter().map(|answer| answer.sums[1]).collect());
    // √2 times the scales 4 and 2000 · 4/3; the estimates have a relative error of 0.8 %.
    assert!(
        (weights / (2f64.sqrt() * 4.0) - 1.0).abs() < 0.05,
        "{weights}"
    );
    assert!(
        (sums / (2f64.sqrt() * 8000.0 / 3.0) - 1.0).abs() < 0.05,
        "{sums}"
    );
}

#[test]
fn a_light_cluster_stays_and_a_heavy_one_goes_to_its_mean() {
    let planned = PrivateKMeans::new(&epsilon("4"), 1, Contribution::Points(1), 1).unwrap();
    let least = planned.least_weight();
    let answer = |cluster, weight, sums| Answer {
        round: 0,
        cluster,
        weight,
        sums,
    };
    let centres = [[900, 900], [0, 0]];
    let answers = [answer(0, least - 1, [7, 7]), answer(1, 100, [-50, 449])];
    // −0.5 and 4.49, halves up.
    assert_eq!(planned.moved(&answers, &centres), [[900, 900], [0, 4]]);
    let believed = [answer(0, least, [7 * least, 0]), answer(1, -100, [9, 9])];
    assert_eq!(planned.moved(&believed, &centres), [[7, 0], [0, 0]]);
    // A mean that noise carries out of the square comes to its border.
    let wild = [answer(0, 100, [i64::MAX, i64::MIN]), answer(1, 100, [0, 0])];
    assert_eq!(planned.moved(&wild, &centres)[0], [REACH, -REACH]);
}

#[test]
fn where_noise_drowns_everything_public_clusters_remain() {
    let (places, records) = towns();
    let planned = PrivateKMeans::new(&epsilon("0.001"), 3, Contribution::Whole, 1).unwrap();
    let random = || RandomSource::insecure_seed(8);
    let found = planned.run(&records, &places, 4, &mut random()).unwrap();
    let start = plus_plus(&places, None, 4, &mut random().stream()).unwrap();
    let public = k_means(&places, None, &start, PUBLIC_ROUNDS)
        .unwrap()
        .centres;
    // Centres lie on the grid, one step of which is a thousandth of the places' extent.
    for (centre, expected) in found.centres.iter().zip(&public) {
        let apart = (centre.lat - expected.lat).abs() + (centre.lng - expected.lng).abs();
        assert!(apart < 0.001, "{centre:?} {expected:?}");
    }
}

#[test]
fn refuses_what_cannot_be_planned() {
    let plan =
        |text, rounds, contribution| PrivateKMeans::new(&epsilon(text), rounds, contribution, 1);
    assert!(plan("1", 0, Contribution::Whole).is_err());
    assert!(plan("1", 1, Contribution::Points(0)).is_err());
    assert!(plan("1", 1, Contribution::Points(20_000)).is_err());
    let fine = plan("0.123457", 7, Contribution::Whole).unwrap_err();
    assert!(fine.to_string().contains("exactly"), "{fine}");
    let planned = plan("1", 1, Contribution::Whole).unwrap();
    let (places, records) = towns();
    let mut random = RandomSource::insecure_seed(7);
    assert!(planned.run(&records, &places, 0, &mut random).is_err());
    assert!(planned.run(&records, &places[..5], 2, &mut random).is_err());
    assert!(planned.run(&records, &[], 2, &mut random).is_err());
    let one = [at(45.0, 7.0)];
    let same = Sequences::from_codes([[0u32]]);
    assert_eq!(
        planned
            .run(&same, &one, 5, &mut random)
            .unwrap()
            .centres
            .len(),
        1
    );
}
