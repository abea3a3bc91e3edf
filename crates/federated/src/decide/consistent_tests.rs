use proptest::prelude::*;

use super::*;

fn estimated<'a>(fragments: &'a [(Vec<u32>, f64, f64)]) -> Vec<Estimated<'a>> {
    let fragment = |(codes, count, variance): &'a (Vec<u32>, f64, f64)| Estimated {
        codes,
        count: *count,
        variance: *variance,
    };
    fragments.iter().map(fragment).collect()
}

#[test]
fn by_hand() {
    // "ab" exceeds "b": they meet at their weighted mean, (1·40 + 4·20)/5 = 24. "a" is far above.
    // "abc" is left alone, for 7 is below; "zz" has no part in the list; "q" is below zero.
    let list = [
        (vec![0], 100.0, 1.0),
        (vec![1], 20.0, 1.0),
        (vec![0, 1], 40.0, 4.0),
        (vec![0, 1, 2], 7.4, 1.0),
        (vec![25, 25], 5000.0, 1.0),
        (vec![16], -3.0, 1.0),
    ];
    assert_eq!(
        consistent(&estimated(&list), 1000),
        [100, 24, 24, 7, 1000, 0]
    );
    assert!(consistent(&[], 10).is_empty());
}

#[test]
fn many_fragments_pool_with_one_part() {
    // One part at 10, three fragments at 20, 30 and 12: 10, 30 → 20, 20 → 20; 12 stays below.
    let list = [
        (vec![7], 10.0, 1.0),
        (vec![7, 7], 20.0, 1.0),
        (vec![7, 8], 30.0, 1.0),
        (vec![9, 7], 12.0, 1.0),
    ];
    assert_eq!(consistent(&estimated(&list), 1000), [20, 20, 20, 12]);
}

#[test]
fn odd_numbers_do_no_harm() {
    let list = [
        (vec![1], f64::NAN, 1.0),
        (vec![1, 1], f64::INFINITY, f64::NAN),
        (vec![1, 1, 1], 1e300, 0.0),
        (vec![], 5.0, f64::INFINITY),
        (vec![2], -1e300, -1.0),
    ];
    let found = consistent(&estimated(&list), 50);
    assert!(found[2] <= found[1] && found[1] <= found[0]);
    assert!(found.iter().all(|&count| count <= 50));
    assert_eq!(consistent(&estimated(&[(vec![1], 3.2, 0.0)]), 50), [3]);
}

/// The least objective over all ways to pool fragments in groups, each at its weighted mean or at a
/// bound. The nearest point of a cone cut by a box is of this kind.
fn brute_force(counts: &[f64], weights: &[f64], parts: &Parts, most: f64) -> f64 {
    fn extend(groups: &mut Vec<usize>, counts: &[f64], check: &mut impl FnMut(&[usize])) {
        if groups.len() == counts.len() {
            check(groups);
            return;
        }
        let fresh = groups.iter().max().map_or(0, |last| last + 1);
        for group in 0..=fresh {
            groups.push(group);
            extend(groups, counts, check);
            groups.pop();
        }
    }
    let mut best = f64::INFINITY;
    extend(&mut Vec::new(), counts, &mut |groups| {
        let number = groups.iter().max().map_or(0, |last| last + 1);
        for choice in 0..3_usize.pow(number as u32) {
            let value_of = |group: usize| {
                let members = (0..counts.len()).filter(|&i| groups[i] == group);
                let weight: f64 = members.clone().map(|i| weights[i]).sum();
                let sum: f64 = members.map(|i| weights[i] * counts[i]).sum();
                [sum / weight, 0.0, most][choice / 3_usize.pow(group as u32) % 3]
            };
            let by_group: Vec<f64> = (0..number).map(value_of).collect();
            let values: Vec<f64> = groups.iter().map(|&group| by_group[group]).collect();
            let within = values.iter().all(|value| (0.0..=most).contains(value));
            if within && keeps_order(&values, parts, 1e-9) {
                best = best.min(objective(&values, counts, weights));
            }
        }
    });
    best
}

fn keeps_order(values: &[f64], parts: &Parts, slack: f64) -> bool {
    let below = |(i, parts): (usize, &[Option<usize>; 2])| {
        let mut parts = parts.iter().flatten();
        parts.all(|&part| values[i] <= values[part] + slack)
    };
    parts.iter().enumerate().all(below)
}

fn objective(values: &[f64], counts: &[f64], weights: &[f64]) -> f64 {
    (0..values.len())
        .map(|i| weights[i] * (values[i] - counts[i]).powi(2))
        .sum()
}

/// Distinct fragments over few locations, so that many are parts of others.
fn fragments(most: usize) -> impl Strategy<Value = Vec<(Vec<u32>, f64, f64)>> {
    let codes = prop::collection::vec(0_u32..2, 1..4);
    let one = (codes, -20.0_f64..120.0, 0.1_f64..10.0);
    prop::collection::vec(one, 1..most).prop_map(|mut list| {
        list.sort_by(|a, b| a.0.cmp(&b.0));
        list.dedup_by(|a, b| a.0 == b.0);
        list
    })
}

#[test]
fn both_parts_bind() {
    for codes in [vec![1, 2], vec![2, 1]] {
        let list = [(vec![1], 10.0, 1.0), (codes, 30.0, 1.0)];
        assert_eq!(consistent(&estimated(&list), 1000), [20, 20]);
    }
}

#[test]
fn a_long_chain_pools_to_its_mean() {
    let chain: Vec<_> = (1..=2000)
        .map(|length| (vec![2; length], length as f64, 1.0))
        .collect();
    // The mean of 1..=2000 is 1000.5; halves round up.
    assert_eq!(consistent(&estimated(&chain), 5000), vec![1001; 2000]);
}

proptest! {
    #[test]
    fn as_near_as_brute_force(list in fragments(7)) {
        let list = estimated(&list);
        let (parts, weights) = (parts(&list), weights(&list));
        let counts: Vec<f64> = list.iter().map(|f| f.count).collect();
        let most = 100.0;
        let values: Vec<f64> = isotonic(&counts, &weights, &parts)
            .iter()
            .map(|value| value.clamp(0.0, most))
            .collect();
        prop_assert!(keeps_order(&values, &parts, 1e-9));
        let found = objective(&values, &counts, &weights);
        let best = brute_force(&counts, &weights, &parts, most);
        prop_assert!((found - best).abs() <= 1e-9 * (1.0 + best), "{} {}", found, best);
        for (value, whole) in values.iter().zip(consistent(&list, 100)) {
            prop_assert!((value - whole as f64).abs() <= 0.5 + 1e-9);
        }
    }

    #[test]
    fn counts_obey_their_parts_and_the_bounds(list in fragments(40), population in 0_u64..100) {
        let list = estimated(&list);
        let whole = consistent(&list, population);
        let values: Vec<f64> = whole.iter().map(|&count| count as f64).collect();
        prop_assert!(keeps_order(&values, &parts(&list), 0.0));
        prop_assert!(whole.iter().all(|&count| count <= population));
    }

    #[test]
    fn what_is_consistent_stays(list in fragments(40)) {
        let first = consistent(&estimated(&list), 100);
        let again: Vec<_> = list
            .iter()
            .zip(&first)
            .map(|((codes, _, variance), &count)| (codes.clone(), count as f64, *variance))
            .collect();
        prop_assert_eq!(consistent(&estimated(&again), 100), first);
    }
}
