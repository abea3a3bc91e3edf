//! Everything against the definition, on small random data.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use wayveil_core::Sequences;

use super::*;

const LOCATIONS: u32 = 5;

fn by_definition(kind: Kind, record: &[u32], question: &[u32]) -> bool {
    match kind {
        Kind::Set => question.iter().all(|wanted| record.contains(wanted)),
        Kind::Contiguous => (0..=record.len()).any(|start| record[start..].starts_with(question)),
        // Every choice of places, kept or left out.
        Kind::Ordered => match (record.split_first(), question.split_first()) {
            (_, None) => true,
            (None, _) => false,
            (Some((first, rest)), Some((wanted, more))) => {
                by_definition(kind, rest, question)
                    || (first == wanted && by_definition(kind, rest, more))
            }
        },
    }
}

fn records() -> impl Strategy<Value = Vec<Vec<u32>>> {
    vec(vec(0..LOCATIONS, 0..8), 0..150)
}

fn timed(records: &[Vec<(u32, u32)>]) -> Sequences {
    let mut sequences = Sequences::empty(true);
    for record in records {
        let (codes, bins): (Vec<u32>, Vec<u32>) = record.iter().copied().unzip();
        sequences.push(&codes, &bins);
    }
    sequences
}

fn in_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

proptest! {
    #[test]
    fn scans_follow_the_definition(
        records in records(),
        question in vec(0..LOCATIONS + 1, 0..5),
    ) {
        let sequences = Sequences::from_codes(&records);
        let symbols: Vec<Symbol> =
            question.iter().map(|&location| Symbol { location, bin: None }).collect();
        for (kind, plain) in [
            (Kind::Set, count_set(&sequences, &question)),
            (Kind::Contiguous, count_contiguous(&sequences, &question)),
            (Kind::Ordered, count_ordered(&sequences, &question)),
        ] {
            let expected =
                records.iter().filter(|record| by_definition(kind, record, &question)).count();
            prop_assert_eq!(plain, expected as u64, "{:?}", kind);
            prop_assert_eq!(count(&sequences, kind, &symbols), expected as u64);
        }
    }

    /// A location in a bin is a location of its own.
    #[test]
    fn times_make_other_symbols(
        records in vec(vec((0..3_u32, 0..3_u32), 0..7), 0..60),
        question in vec((0..3_u32, 0..3_u32), 1..4),
    ) {
        let sequences = timed(&records);
        let code = |&(location, bin): &(u32, u32)| location * 3 + bin;
        let flat: Vec<Vec<u32>> =
            records.iter().map(|record| record.iter().map(code).collect()).collect();
        let coded: Vec<u32> = question.iter().map(code).collect();
        let symbols: Vec<Symbol> = question
            .iter()
            .map(|&(location, bin)| Symbol { location, bin: Some(bin) })
            .collect();
        for kind in [Kind::Set, Kind::Contiguous, Kind::Ordered] {
            let expected = flat.iter().filter(|record| by_definition(kind, record, &coded)).count();
            prop_assert_eq!(count(&sequences, kind, &symbols), expected as u64, "{:?}", kind);
        }
    }

    /// Few records make most locations bitmaps; many with many rare locations make lists.
    #[test]
    fn the_index_answers_as_scans_do(
        records in records(),
        rare in vec((0..40_usize, LOCATIONS..60), 0..40),
        padding in prop_oneof![Just(0_usize), Just(3_000)],
        questions in vec(vec(0..62_u32, 0..6), 0..40),
        frequent in vec(vec(0..LOCATIONS, 0..6), 0..20),
    ) {
        let mut records = records;
        for (at, location) in rare {
            if let Some(record) = records.get_mut(at) {
                record.push(location);
            }
        }
        records.resize(records.len() + padding, vec![]);
        let sequences = Sequences::from_codes(&records);
        let index = SetIndex::new(&sequences, 60).unwrap();
        let questions: Vec<Vec<u32>> = questions.into_iter().chain(frequent).collect();
        let counts = index.counts(&questions);
        for (question, counted) in questions.iter().zip(counts) {
            prop_assert_eq!(counted, count_set(&sequences, question), "{:?}", question);
            prop_assert_eq!(counted, index.count(question));
        }
    }

    #[test]
    fn frequent_fragments_follow_the_definition(
        records in records(),
        others in records(),
        longest in 1..5_usize,
        least in 1..6_u64,
    ) {
        let mut expected: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for record in &records {
            let mut seen: Vec<&[u32]> =
                (1..=longest).flat_map(|length| record.windows(length)).collect();
            seen.sort_unstable();
            seen.dedup();
            for fragment in seen {
                *expected.entry(fragment.to_vec()).or_default() += 1;
            }
        }
        expected.retain(|_, support| *support >= least);
        let found = Fragments::frequent(&Sequences::from_codes(&records), longest, least).unwrap();
        let patterns = found.patterns();
        prop_assert_eq!(patterns.len(), expected.len());
        prop_assert!(patterns.is_sorted_by_key(|pattern| pattern.codes.len()));
        let others = Sequences::from_codes(&others);
        for (pattern, elsewhere) in patterns.iter().zip(found.supports_in(&others)) {
            prop_assert_eq!(expected.get(&pattern.codes), Some(&pattern.support));
            prop_assert_eq!(elsewhere, count_contiguous(&others, &pattern.codes));
        }
    }
}

/// More than two blocks, with lists and bitmaps in each; the same on one thread as on three.
#[test]
fn blocks_and_threads_make_no_difference() {
    let locations = 300;
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let mut sequences = Sequences::empty(false);
    for _ in 0..140_000 {
        let length = draw(7);
        // The product of two draws makes low codes frequent and high ones rare.
        let codes: Vec<u32> = (0..length)
            .map(|_| (draw(locations) * draw(locations) / locations) as u32)
            .collect();
        sequences.push(&codes, &[]);
    }
    let sets: Vec<Vec<u32>> = random_sets(locations as usize, 2_000, 8, 3)
        .unwrap()
        .concat();
    let frequent = (0..40).map(|at| vec![at % 7, at % 5, 9 - at % 9]);
    let sets: Vec<Vec<u32>> = sets.into_iter().chain(frequent).collect();
    let answer = || {
        let counts = SetIndex::new(&sequences, locations as usize)
            .unwrap()
            .counts(&sets);
        let fragments = Fragments::frequent(&sequences, 3, 50).unwrap();
        let supports: Vec<u64> = fragments.patterns().iter().map(|one| one.support).collect();
        assert_eq!(fragments.supports_in(&sequences), supports);
        (counts, supports, count_ordered(&sequences, &[0, 1]))
    };
    let alone = in_threads(1, answer);
    assert_eq!(alone, in_threads(3, answer));
    assert!(alone.1.len() > 300, "{}", alone.1.len());
    for (set, &counted) in sets.iter().zip(&alone.0).step_by(40) {
        assert_eq!(counted, count_set(&sequences, set), "{set:?}");
    }
}

#[test]
fn nothing_and_strangers() {
    let sequences = Sequences::from_codes([vec![0, 1], vec![], vec![1]]);
    let index = SetIndex::new(&sequences, 2).unwrap();
    assert_eq!(
        index.counts(&[vec![], vec![1], vec![7], vec![0, 7]]),
        [3, 2, 0, 0]
    );
    assert_eq!(index.count(&[1, 1, 0, 1]), 1);
    assert!(SetIndex::new(&sequences, 1).is_err());
    let empty = Sequences::empty(false);
    assert_eq!(
        SetIndex::new(&empty, 2)
            .unwrap()
            .counts(&[vec![], vec![0, 1]]),
        [0, 0]
    );
    let fragments = Fragments::frequent(&empty, 3, 1).unwrap();
    assert!(fragments.patterns().is_empty());
    assert_eq!(count_contiguous(&sequences, &[]), 3);
    let timed = Symbol {
        location: 1,
        bin: Some(0),
    };
    assert_eq!(
        count(&sequences, Kind::Set, &[timed]),
        0,
        "untimed records have no bins"
    );
}
