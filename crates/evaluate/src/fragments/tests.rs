use proptest::prelude::*;
use wayveil_core::Sequences;

use super::*;

/// Support by looking at every place of every record.
fn support(records: &[Vec<u32>], fragment: &[u32]) -> u64 {
    let holds = |record: &&Vec<u32>| record.windows(fragment.len()).any(|part| part == fragment);
    records.iter().filter(holds).count() as u64
}

/// All fragments over `locations` codes of 1 to `longest`.
fn every_fragment(locations: u32, longest: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    let mut level = vec![Vec::new()];
    for _ in 0..longest {
        level = level
            .iter()
            .flat_map(|codes: &Vec<u32>| {
                (0..locations).map(move |code| [codes.as_slice(), &[code]].concat())
            })
            .collect();
        all.extend(level.iter().cloned());
    }
    all
}

#[test]
fn a_small_release_by_hand() {
    // Ten clients per record. S: A 30, B 40, C 30, AB 30, BC 30, ABC 20, BA 10, BAB 10.
    let records = Sequences::from_codes([
        vec![0_u32, 1, 2],
        vec![0, 1, 2],
        vec![0, 1, 0, 1],
        vec![1, 2],
    ]);
    let truth = FragmentTruth::count(&records, 10, 25, 3).unwrap();
    assert_eq!(truth.clients(), 40);
    let expected: Vec<(&[u32], u64)> = vec![
        (&[1], 40),
        (&[0], 30),
        (&[2], 30),
        (&[0, 1], 30),
        (&[1, 2], 30),
    ];
    assert_eq!(truth.fragments(), expected);
    // C is missed; BA (S = 10) and ABC (S = 20) and ACC (S = 0) are false.
    let released = Sequences::from_codes([
        vec![0_u32],
        vec![1],
        vec![0, 1],
        vec![1, 0],
        vec![0, 1, 2],
        vec![0, 2, 2],
    ]);
    let report = truth.compare(&released, &[33, 40, 24, 26, 27, 25]).unwrap();
    let by = |length: usize| &report.by_length[length - 1];
    assert_eq!((by(1).truth, by(1).released, by(1).both), (3, 2, 2));
    assert_eq!(
        (by(1).precision, by(1).recall, by(1).f1),
        (Some(1.0), Some(2.0 / 3.0), Some(0.8))
    );
    // Errors of length 1: 0 for B, 0.1 for A, 1 for C, which was not released.
    assert_eq!((by(1).legal_queries, by(1).estimated_queries), (3, 1));
    assert!((by(1).query_error.unwrap() - 0.1).abs() < 1e-12);
    // AB: |24 − 30| / 30. BC: C is unknown, so the estimate is 40·0/40 = 0 and the error 1.
    assert_eq!((by(2).legal_queries, by(2).estimated_queries), (2, 1));
    assert!((by(2).query_error.unwrap() - 0.6).abs() < 1e-12);
    assert_eq!(by(2).false_admissions, 1);
    assert_eq!((by(2).mean_loss, by(2).greatest_loss), (Some(0.5), Some(1)));
    assert_eq!(by(2).greatest_shortfall, Some(2.5));
    // Length 3: nothing is true; ABC keeps AB, ACC keeps A.
    let last = report.longest();
    assert_eq!(last.length, Some(3));
    assert_eq!(
        (last.precision, last.recall, last.f1, last.query_error),
        (Some(0.0), None, Some(0.0), None)
    );
    assert_eq!((last.mean_loss, last.greatest_loss), (Some(1.5), Some(2)));
    // k / 20 and, for nobody, k / 1.
    assert_eq!(last.mean_shortfall, Some((25.0 / 20.0 + 25.0) / 2.0));
    assert_eq!(last.greatest_shortfall, Some(25.0));
    assert_eq!((report.all.both, report.all.false_admissions), (3, 3));
    assert_eq!(report.all.mean_loss, Some(4.0 / 6.0));
    let rows = report.rows();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[2][..6], ["3", "0", "2", "0.000", "–", "0.000"]);
    assert_eq!(rows[3][0], "all");
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(
        serde_json::from_str::<FragmentReport>(&text).unwrap(),
        report
    );
}

#[test]
fn unreleased_fragments_are_estimated_from_their_parts() {
    let records = Sequences::from_codes(vec![vec![0_u32, 1, 2, 3]; 10]);
    let truth = FragmentTruth::count(&records, 1, 5, 4).unwrap();
    let error = |released: &[&[u32]], counts: &[u64]| {
        let released = Sequences::from_codes(released);
        let report = truth.compare(&released, counts).unwrap();
        report.longest().query_error.unwrap()
    };
    // ABC = 9·8/6 = 12, BCD = 8·5/4 = 10, so ABCD = 12·10/8 = 15 of 10.
    let parts: [&[u32]; 7] = [&[0], &[1], &[2], &[3], &[0, 1], &[1, 2], &[2, 3]];
    assert!((error(&parts, &[9, 6, 4, 5, 9, 8, 5]) - 0.5).abs() < 1e-12);
    // Single locations of 10 clients: 8·8/10 = 6.4, 6.4·6.4/8 = 5.12, 5.12²/6.4 = 4.096.
    assert!((error(&parts[..4], &[8; 4]) - 0.5904).abs() < 1e-12);
    assert_eq!(error(&[], &[]), 1.0);
}

#[test]
fn a_legal_query_has_a_count_above_k() {
    let records = Sequences::from_codes([vec![0_u32], vec![0], vec![1], vec![1], vec![1]]);
    let truth = FragmentTruth::count(&records, 1, 2, 1).unwrap();
    let report = truth.compare(&Sequences::empty(false), &[]).unwrap();
    assert_eq!((report.all.truth, report.all.legal_queries), (2, 1));
}

#[test]
fn nothing_at_all_is_undefined() {
    let none = Sequences::empty(false);
    let truth = FragmentTruth::count(&none, 1, 1, 2).unwrap();
    let report = truth.compare(&none, &[]).unwrap();
    let scores = &report.all;
    assert_eq!(
        (scores.precision, scores.recall, scores.f1),
        (None, None, None)
    );
    assert_eq!((scores.mean_loss, scores.greatest_loss), (None, None));
    assert_eq!((scores.query_error, scores.mean_shortfall), (None, None));
    assert_eq!(report.by_length.len(), 2);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let records = Sequences::from_codes([[0_u32, 1]]);
    assert!(FragmentTruth::count(&records, 0, 1, 1).is_err());
    assert!(FragmentTruth::count(&records, 1, 0, 1).is_err());
    assert!(FragmentTruth::count(&records, 1, 1, 0).is_err());
    let many = Sequences::from_codes([[0_u32], [1]]);
    assert!(FragmentTruth::count(&many, u64::MAX, 1, 1).is_err());
    let truth = FragmentTruth::count(&records, 1, 1, 1).unwrap();
    for (released, counts) in [
        (vec![vec![0_u32, 1]], vec![1_u64]),
        (vec![vec![]], vec![1]),
        (vec![vec![0], vec![0]], vec![1, 1]),
        (vec![vec![0]], vec![]),
    ] {
        assert!(
            truth
                .compare(&Sequences::from_codes(released), &counts)
                .is_err()
        );
    }
}

proptest! {
    #[test]
    fn counts_and_losses_are_those_of_brute_force(
        records in prop::collection::vec(prop::collection::vec(0..3_u32, 0..8), 0..12),
        per_record in 1..4_u64,
        k in 1..12_u64,
    ) {
        let longest = 4;
        let sequences = Sequences::from_codes(&records);
        let truth = FragmentTruth::count(&sequences, per_record, k, longest).unwrap();
        let all = every_fragment(3, longest);
        let listed = Sequences::from_codes(&all);
        let (supports, losses) = (truth.supports_of(&listed), truth.losses(&listed).unwrap());
        let frequent = |codes: &[u32]| support(&records, codes) * per_record >= k;
        for ((codes, counted), loss) in all.iter().zip(supports).zip(losses) {
            let expected = support(&records, codes) * per_record;
            prop_assert_eq!(counted, expected);
            prop_assert_eq!(truth.support(codes), (expected >= k).then_some(expected));
            let mut kept = 0;
            for start in 0..codes.len() {
                for end in start + 1..=codes.len() {
                    if frequent(&codes[start..end]) {
                        kept = kept.max(end - start);
                    }
                }
            }
            prop_assert_eq!(loss, codes.len() - kept);
        }
    }

    #[test]
    fn the_truth_itself_is_a_perfect_release(
        records in prop::collection::vec(prop::collection::vec(0..4_u32, 0..10), 1..20),
        k in 1..6_u64,
    ) {
        let sequences = Sequences::from_codes(&records);
        let truth = FragmentTruth::count(&sequences, 1, k, 3).unwrap();
        let (codes, counts): (Vec<_>, Vec<_>) = truth.fragments().into_iter().unzip();
        let report = truth.compare(&Sequences::from_codes(codes), &counts).unwrap();
        for scores in report.by_length.iter().chain([&report.all]) {
            prop_assert_eq!(scores.both, scores.truth);
            prop_assert_eq!(scores.false_admissions, 0);
            prop_assert!(scores.f1.is_none_or(|f1| f1 == 1.0));
            prop_assert!(scores.query_error.is_none_or(|error| error == 0.0));
            prop_assert!(scores.greatest_loss.is_none_or(|loss| loss == 0));
        }
    }
}
