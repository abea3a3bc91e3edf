//! Everything against enumeration on small data.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wayveil_core::{Sequences, Silent};

use super::{Fragment, Pattern, contiguous, timed};

type Records = Vec<Vec<u32>>;

/// Every pattern up to a length with its support, by enumeration of each record's subsequences.
fn all_patterns(records: &Records, max_length: usize, gaps: bool) -> BTreeMap<Vec<u32>, u64> {
    let mut supports = BTreeMap::new();
    for record in records {
        let mut held: BTreeSet<Vec<u32>> = BTreeSet::new();
        if gaps {
            for chosen in 1_u32..1 << record.len() {
                let pick = |(at, &code): (usize, &u32)| (chosen >> at & 1 == 1).then_some(code);
                held.insert(record.iter().enumerate().filter_map(pick).collect());
            }
        } else {
            for length in 1..=record.len() {
                held.extend(record.windows(length).map(<[u32]>::to_vec));
            }
        }
        for pattern in held.into_iter().filter(|held| held.len() <= max_length) {
            *supports.entry(pattern).or_default() += 1;
        }
    }
    supports
}

fn contains(longer: &[u32], shorter: &[u32], gaps: bool) -> bool {
    if !gaps {
        return longer.windows(shorter.len()).any(|part| part == shorter);
    }
    let mut rest = longer.iter();
    shorter.iter().all(|code| rest.any(|other| other == code))
}

fn listed(patterns: impl IntoIterator<Item = (Vec<u32>, u64)>) -> Vec<Pattern> {
    let mut list: Vec<Pattern> = patterns
        .into_iter()
        .map(|(codes, support)| Pattern { codes, support })
        .collect();
    list.sort_by_key(|pattern| {
        let falling = std::cmp::Reverse(pattern.support);
        (falling, pattern.codes.len(), pattern.codes.clone())
    });
    list
}

/// Few codes, or more than fit one word of a set; far apart, so that they are not dense.
fn records() -> impl Strategy<Value = Records> {
    let few = prop::collection::vec(0_u32..5, 0..9);
    let many = prop::collection::vec((0_u32..150).prop_map(|code| code * 20_000_000), 0..9);
    prop_oneof![
        prop::collection::vec(few, 0..12),
        prop::collection::vec(many, 0..60),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn as_enumerated(
        records in records(),
        k in 0_usize..40,
        min_support in 1_u64..4,
        least in 1_usize..4,
        more in 0_usize..4,
        gaps: bool,
    ) {
        let sequences = Sequences::from_codes(&records);
        let lengths = least..=least + more;
        let all = all_patterns(&records, least + more, gaps);
        let within = |codes: &Vec<u32>| lengths.contains(&codes.len());
        let often: BTreeMap<Vec<u32>, u64> = all
            .clone()
            .into_iter()
            .filter(|&(_, support)| support >= min_support)
            .collect();

        let mut expected = listed(all.into_iter().filter(|(codes, _)| within(codes)));
        let found = if gaps { super::top_k } else { contiguous::top_k };
        if k > 0 && k < expected.len() {
            expected.truncate(k);
        }
        let asked = if k == 0 { usize::MAX } else { k };
        prop_assert_eq!(found(&sequences, asked, lengths.clone(), &Silent).unwrap(), expected);

        let expected = listed(often.clone().into_iter().filter(|(codes, _)| within(codes)));
        let found = if gaps { super::frequent } else { contiguous::frequent };
        prop_assert_eq!(found(&sequences, min_support, lengths.clone(), &Silent).unwrap(), expected);

        let covered = |codes: &[u32], admits: &dyn Fn(u64) -> bool| {
            often.iter().any(|(longer, &support)| {
                longer.len() > codes.len() && admits(support) && contains(longer, codes, gaps)
            })
        };
        let frequent = || often.clone().into_iter().filter(|(codes, _)| within(codes));
        let expected = listed(frequent().filter(|(c, own)| !covered(c, &|other| other == *own)));
        let found = if gaps { super::closed } else { contiguous::closed };
        prop_assert_eq!(found(&sequences, min_support, lengths.clone(), &Silent).unwrap(), expected);

        let expected = listed(frequent().filter(|(codes, _)| !covered(codes, &|_| true)));
        let found = if gaps { super::maximal } else { contiguous::maximal };
        prop_assert_eq!(found(&sequences, min_support, lengths.clone(), &Silent).unwrap(), expected);
    }

    #[test]
    fn fragments_as_enumerated(records in records(), n in 1_usize..6) {
        let mut counts: BTreeMap<Vec<u32>, (BTreeSet<usize>, u64)> = BTreeMap::new();
        for (at, record) in records.iter().enumerate() {
            for window in record.windows(n) {
                let (holders, occurrences) = counts.entry(window.to_vec()).or_default();
                holders.insert(at);
                *occurrences += 1;
            }
        }
        let mut expected: Vec<Fragment> = counts
            .into_iter()
            .map(|(codes, (holders, occurrences))| Fragment {
                codes,
                support: holders.len() as u64,
                occurrences,
            })
            .collect();
        expected.sort_by_key(|found| (std::cmp::Reverse(found.support), found.codes.clone()));
        let found = super::fragments(&Sequences::from_codes(&records), n).unwrap();
        prop_assert_eq!(found, expected);
    }
}

fn pattern(codes: &[u32], support: u64) -> Pattern {
    Pattern {
        codes: codes.to_vec(),
        support,
    }
}

#[test]
fn ties_go_by_length_and_then_by_codes() {
    let sequences = Sequences::from_codes([[2_u32, 1, 2], [2, 1, 2]]);
    let order: [&[u32]; 7] = [&[1], &[2], &[1, 2], &[2, 1], &[2, 2], &[2, 1, 2], &[]];
    for k in 1..=6 {
        let expected: Vec<Pattern> = order[..k].iter().map(|codes| pattern(codes, 2)).collect();
        assert_eq!(
            super::top_k(&sequences, k, 1..=9, &Silent).unwrap(),
            expected
        );
    }
    assert_eq!(
        super::top_k(&sequences, 100, 1..=9, &Silent).unwrap().len(),
        6
    );
    assert_eq!(super::top_k(&sequences, 0, 1..=9, &Silent).unwrap(), []);
    assert_eq!(
        contiguous::top_k(&sequences, 0, 1..=9, &Silent).unwrap(),
        []
    );
}

#[test]
fn maximal_depends_on_the_greatest_length() {
    let sequences = Sequences::from_codes([vec![1_u32, 2, 3], vec![1, 2, 3], vec![1]]);
    let maximal = |lengths| super::maximal(&sequences, 2, lengths, &Silent).unwrap();
    assert_eq!(maximal(1..=3), [pattern(&[1, 2, 3], 2)]);
    let pairs = [[1, 2], [1, 3], [2, 3]].map(|codes| pattern(&codes, 2));
    assert_eq!(maximal(1..=2), pairs);
    let closed = super::closed(&sequences, 2, 1..=3, &Silent).unwrap();
    assert_eq!(closed, [pattern(&[1], 3), pattern(&[1, 2, 3], 2)]);
    assert_eq!(
        contiguous::maximal(&sequences, 2, 1..=2, &Silent).unwrap(),
        [pairs[0].clone(), pairs[2].clone()]
    );
}

/// Records from a small generator, enough for the work to be split.
fn many(symbols: u32) -> Sequences {
    let mut state = 1_u32;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut record = || -> Vec<u32> {
        let length = draw() % 12;
        (0..length)
            .map(|_| draw() % symbols * (draw() % 2))
            .collect()
    };
    Sequences::from_codes((0..20_000).map(|_| record()))
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for symbols in [12, 100] {
        let sequences = many(symbols);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                (
                    super::top_k(&sequences, 300, 2..=5, &Silent).unwrap(),
                    super::frequent(&sequences, 400, 1..=6, &Silent).unwrap(),
                    super::closed(&sequences, 1000, 1..=4, &Silent).unwrap(),
                    contiguous::top_k(&sequences, 300, 2..=5, &Silent).unwrap(),
                    super::fragments(&sequences, 3).unwrap(),
                )
            })
        };
        let alone = run(1);
        assert_eq!(alone.0.len(), 300);
        assert!(alone.1.len() > 100, "{}", alone.1.len());
        for threads in [2, 7] {
            assert!(run(threads) == alone, "{threads} threads differ");
        }
    }
}

#[test]
fn top_is_the_head_of_frequent() {
    let sequences = many(100);
    let top = super::top_k(&sequences, 300, 2..=5, &Silent).unwrap();
    let least = top.last().unwrap().support;
    let frequent = super::frequent(&sequences, least, 2..=5, &Silent).unwrap();
    assert_eq!(top, frequent[..300]);
}

#[test]
fn nothing_comes_of_nothing() {
    let blank = Sequences::from_codes([[0_u32; 0], []]);
    for sequences in [&Sequences::empty(false), &blank] {
        assert_eq!(super::top_k(sequences, 5, 1..=5, &Silent).unwrap(), []);
        assert_eq!(super::frequent(sequences, 1, 1..=5, &Silent).unwrap(), []);
        assert_eq!(super::closed(sequences, 1, 1..=5, &Silent).unwrap(), []);
        assert_eq!(super::maximal(sequences, 1, 1..=5, &Silent).unwrap(), []);
        assert_eq!(contiguous::top_k(sequences, 5, 1..=5, &Silent).unwrap(), []);
        assert_eq!(super::fragments(sequences, 2).unwrap(), []);
    }
}

#[test]
fn bounds_that_hold_nothing_are_refused() {
    let sequences = Sequences::from_codes([[1_u32]]);
    #[allow(clippy::reversed_empty_ranges)]
    for lengths in [3..=2, 0..=4] {
        assert!(super::top_k(&sequences, 1, lengths.clone(), &Silent).is_err());
        assert!(super::frequent(&sequences, 1, lengths.clone(), &Silent).is_err());
        assert!(super::closed(&sequences, 1, lengths.clone(), &Silent).is_err());
        assert!(super::maximal(&sequences, 1, lengths.clone(), &Silent).is_err());
        assert!(contiguous::top_k(&sequences, 1, lengths.clone(), &Silent).is_err());
        assert!(contiguous::maximal(&sequences, 1, lengths, &Silent).is_err());
    }
    assert!(super::frequent(&sequences, 0, 1..=2, &Silent).is_err());
    assert!(super::fragments(&sequences, 0).is_err());
}

#[test]
fn long_patterns_need_no_deep_stack() {
    let sequences = Sequences::from_codes([vec![7_u32; 3000]]);
    assert_eq!(
        super::frequent(&sequences, 1, 2990..=usize::MAX, &Silent)
            .unwrap()
            .len(),
        11
    );
}

#[test]
fn times_become_part_of_symbols() {
    let sequences = Sequences::new(vec![0, 2], vec![1, 0], Some(vec![0, 3])).unwrap();
    let combined = timed::symbols(&sequences, 2).unwrap();
    assert_eq!(combined.codes(), [1, 6]);
    assert!(!combined.is_timed());
    assert_eq!(timed::parts(6, 2), (0, 3));
    assert!(timed::symbols(&sequences, 1).is_err());
    assert!(timed::symbols(&sequences, 1 << 31).is_err());
    let untimed = Sequences::from_codes([[5_u32]]);
    assert_eq!(timed::symbols(&untimed, 2).unwrap().as_ref(), &untimed);
}
