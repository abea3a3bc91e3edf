//! The sketch, its privacy, and the puzzle.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use wayveil_core::{Epsilon, RandomSource, Sequences};
use wayveil_noise::below;
use wayveil_noise::statistics::{
    assert_plausible, assert_rejected, chi_square, fit_integers, same_distribution,
};

use super::super::Baseline;
use super::run::{Group, Reports};
use super::sketch::{HashFunctions, Placed, Sketch, flip_probability, report_rate, row};
use super::words::{Alphabet, Words};
use super::{Sfp, Spending};

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

#[test]
fn words_and_pieces_by_hand() {
    let alphabet = Alphabet::new(4, 5).unwrap();
    // Digits 1, 4, 2, 2, 3 in base 5.
    let word = alphabet.encode(&[0, 3, 1, 1, 2]);
    assert_eq!(word, 1 + 4 * 5 + 2 * 25 + 2 * 125 + 3 * 625);
    assert_eq!(alphabet.decode(word), [0, 3, 1, 1, 2]);
    let pieces = [0, 1, 2].map(|position| alphabet.piece(word, position));
    assert_eq!(pieces, [1 + 4 * 5, 2 + 2 * 5, 3]);
    assert_eq!(alphabet.joined(pieces.into_iter()), word);
    assert_eq!((alphabet.words(), alphabet.all().len()), (1024, 1024));
    for word in alphabet.all() {
        let fragment = alphabet.decode(word);
        assert_eq!((fragment.len(), alphabet.encode(&fragment)), (5, word));
        for position in 0..alphabet.pieces() {
            let piece = alphabet.piece(word, position);
            assert!(alphabet.possible_pieces(position).contains(&piece));
        }
    }
    assert_eq!(
        [0, 1, 2].map(|p| alphabet.possible_pieces(p).len()),
        [16, 16, 4]
    );
    let records = Sequences::from_codes([vec![0, 1, 0, 1, 0], vec![], vec![1, 0]]);
    let words = Words::of(&records, &Alphabet::new(2, 2).unwrap());
    assert_eq!([0, 1, 2].map(|r| words.of_record(r).len()), [2, 0, 1]);
    assert!(Alphabet::new(64, 11).is_err() && Alphabet::new(0, 1).is_err());
}

#[test]
fn refuses_what_cannot_be() {
    assert!(Sfp::published(17, &[], &epsilon("1")).is_err());
    assert!(Sfp::published(17, &[0], &epsilon("1")).is_err());
    assert!(Sfp::improved(1000, &[7], &epsilon("1")).is_err());
    let sfp = Sfp::improved(2, &[1], &epsilon("1")).unwrap();
    assert!(sfp.clone().with_sketch(1, 10).is_err());
    let outside = Sequences::from_codes([[7]]);
    assert!(
        sfp.find(&outside, 1, 1, &mut RandomSource::insecure_seed(1))
            .is_err()
    );
    let nobody = sfp.find(
        &Sequences::empty(false),
        1,
        1,
        &mut RandomSource::insecure_seed(1),
    );
    assert_eq!(nobody.unwrap().fragments.len(), 0);
}

#[test]
fn columns_are_the_polynomials_remainders() {
    let mut rng = RandomSource::insecure_seed(5).stream();
    let hashes = HashFunctions::draw(50, 1000, &mut rng);
    let prime = (1_u128 << 61) - 1;
    for value in [0, 1, 77, 1 << 59, (1 << 60) - 1] {
        for function in 0..50 {
            let [a, b, c] = hashes.coefficients(function).map(u128::from);
            let x = u128::from(value);
            let expected = ((a * x + b) % prime * x + c) % prime % 1000;
            assert_eq!(hashes.column(function, value) as u128, expected);
        }
    }
}

#[test]
fn a_row_has_its_law() {
    let flip = flip_probability(report_rate(&epsilon("2"), 1).unwrap());
    let q = flip.as_f64();
    assert!((q - 1.0 / (1.0 + 1_f64.exp())).abs() < 1e-12);
    let mut rng = RandomSource::insecure_seed(8).stream();
    let mut seen = [0; 8];
    for _ in 0..100_000 {
        let bits = row(1, 3, &flip, &mut rng);
        seen[bits.iter().fold(0, |n, &bit| n * 2 + usize::from(bit))] += 1;
    }
    let law = |column| {
        (0..8)
            .map(|bits| row_probability(column, bits, 3, q))
            .collect::<Vec<_>>()
    };
    assert_plausible(&chi_square(&seen, &law(1)).unwrap());
    assert_rejected(&chi_square(&seen, &law(0)).unwrap());
}

/// The probability of a row, its first bit highest.
fn row_probability(column: usize, bits: usize, width: usize, q: f64) -> f64 {
    (0..width)
        .map(|at| {
            let bit = bits >> (width - 1 - at) & 1 == 1;
            if bit == (at == column) { 1.0 - q } else { q }
        })
        .product()
}

/// Everything a client can send, with its probability: what is drawn is found by running the client
/// (and tested to be uniform), rows are enumerated.
fn transcript_law(group: &Group<'_>, record: usize, q: f64) -> BTreeMap<Vec<usize>, f64> {
    let mut rng = RandomSource::insecure_seed(record as u64).stream();
    let mut drawn: BTreeMap<String, (Reports, u64)> = BTreeMap::new();
    for _ in 0..8000 {
        let reports = group.reports(record, &mut rng);
        drawn
            .entry(format!("{reports:?}"))
            .or_insert((reports, 0))
            .1 += 1;
    }
    // Two functions for each report, two positions, and a coin where only one report is made.
    let weight = |reports: &Reports| match (reports.word, reports.piece) {
        (Some(_), None) => 0.25,
        _ => 0.125,
    };
    let counts: Vec<u64> = drawn.values().map(|(_, count)| *count).collect();
    let weights: Vec<f64> = drawn.values().map(|(reports, _)| weight(reports)).collect();
    assert_plausible(&chi_square(&counts, &weights).unwrap());
    let mut law = BTreeMap::new();
    for (reports, _) in drawn.values() {
        let column = |function, value| group.hashes.column(function, value);
        let word = reports.word.map(|(f, value)| (f, 9, column(f, value)));
        let piece = reports
            .piece
            .map(|(f, value, position)| (f, position, column(f, value)));
        let sent: Vec<_> = word.into_iter().chain(piece).collect();
        for bits in 0..8_usize.pow(sent.len() as u32) {
            let (mut transcript, mut probability) = (Vec::new(), weight(reports));
            for (i, &(function, position, column)) in sent.iter().enumerate() {
                let bits = bits / 8_usize.pow(i as u32) % 8;
                transcript.extend([function, position, bits]);
                probability *= row_probability(column, bits, 3, q);
            }
            *law.entry(transcript).or_insert(0.0) += probability;
        }
    }
    law
}

#[test]
fn a_client_is_locally_private_by_enumeration() {
    // Every word of length 3 over two locations, and a record without one.
    let mut records = vec![vec![0]];
    records.extend((0..8).map(|n| vec![n & 1, n >> 1 & 1, n >> 2]));
    let records = Sequences::from_codes(records);
    let whole = flip_probability(report_rate(&epsilon("3/2"), 1).unwrap()).as_f64();
    for spending in [Spending::Halves, Spending::OneReport] {
        let sfp = Sfp::published(2, &[3], &epsilon("3/2")).unwrap();
        let sfp = sfp.with_spending(spending).with_sketch(3, 2).unwrap();
        let mut rng = RandomSource::insecure_seed(4).stream();
        let group = Group::new(&sfp, &records, 3, &mut rng).unwrap();
        let worst = |q| {
            let laws: Vec<_> = (0..9).map(|r| transcript_law(&group, r, q)).collect();
            let mut worst: f64 = 0.0;
            for one in &laws {
                assert!((one.values().sum::<f64>() - 1.0).abs() < 1e-9);
                for other in &laws {
                    assert_eq!(one.len(), other.len());
                    let ratios = one.iter().map(|(sent, p)| p / other[sent]);
                    worst = ratios.fold(worst, f64::max);
                }
            }
            worst.ln()
        };
        let found = worst(group.flip().unwrap().as_f64());
        assert!(found <= 1.5 + 1e-9, "{spending:?}: {found}");
        assert!(
            found >= 1.5 - 1e-9,
            "{spending:?}: {found} is less than it may be"
        );
        // A client that forgot to halve is caught.
        assert!(spending == Spending::OneReport || worst(whole) > 2.9);
    }
}

#[test]
fn adding_up_rows_is_drawing_binomials() {
    let flip = flip_probability(report_rate(&epsilon("1"), 1).unwrap());
    let mut random = RandomSource::insecure_seed(6);
    let mut rng = random.stream();
    // Seven clients with function 0, four in column 2, and two with function 1, in column 0.
    let clients = [
        (0, 2),
        (0, 2),
        (0, 0),
        (0, 2),
        (0, 1),
        (0, 2),
        (0, 1),
        (1, 0),
        (1, 0),
    ];
    let placed = Placed::new(2, 3);
    clients
        .iter()
        .for_each(|&(function, column)| placed.place(function, column));
    let (mut fast, mut slow) = (vec![vec![0; 8]; 6], vec![vec![0; 8]; 6]);
    let mut products = [0.0; 2];
    const RUNS: usize = 20_000;
    for _ in 0..RUNS {
        let mut sketch = Sketch::empty(2, 3, &flip);
        for (function, column) in clients {
            sketch.add(function, &row(column, 3, &flip, &mut rng));
        }
        let aggregated = placed.flipped(&flip, &mut random);
        assert_eq!((aggregated.reports(), sketch.reports()), (9, 9));
        for cell in 0..6 {
            fast[cell][aggregated.ones()[cell] as usize] += 1;
            slow[cell][sketch.ones()[cell] as usize] += 1;
        }
        for (product, ones) in products.iter_mut().zip([aggregated.ones(), sketch.ones()]) {
            *product += (ones[0] * ones[2]) as f64 / RUNS as f64;
        }
    }
    for cell in 0..6 {
        assert_plausible(&same_distribution(&fast[cell], &slow[cell]).unwrap());
    }
    assert_rejected(&same_distribution(&fast[0], &slow[2]).unwrap());
    // Cells of one row are independent in both.
    assert!((products[0] - products[1]).abs() < 0.3, "{products:?}");
}

#[test]
fn estimates_are_without_bias_and_know_their_error() {
    let flip = flip_probability(report_rate(&epsilon("2"), 1).unwrap());
    let mut random = RandomSource::insecure_seed(9);
    let (mut sum, mut squares) = (0.0, 0.0);
    const RUNS: u32 = 300;
    for _ in 0..RUNS {
        let mut rng = random.stream();
        let hashes = HashFunctions::draw(64, 32, &mut rng);
        let placed = Placed::new(64, 32);
        // 500 reports of value 7, 1500 of 30 others.
        for report in 0..2000 {
            let function = below(NonZeroU64::new(64).unwrap(), &mut rng) as usize;
            let value = if report < 500 { 7 } else { 100 + report % 30 };
            placed.place(function, hashes.column(function, value));
        }
        let sketch = placed.flipped(&flip, &mut random);
        let found = sketch.frequencies(&hashes, &[7])[0];
        let z = (found.count - 500.0) / found.standard_error;
        sum += z;
        squares += z * z;
    }
    let runs = f64::from(RUNS);
    assert!(sum.abs() / runs.sqrt() < 6.0, "mean z {}", sum / runs);
    assert!(
        (0.6..1.6).contains(&(squares / runs)),
        "variance of z {}",
        squares / runs
    );
}

/// Three words of five in everybody's hands, one piece report and one word report each.
#[test]
fn the_puzzle_is_put_together() {
    let words = [
        vec![0, 3, 1, 4, 2],
        vec![4, 4, 0, 1, 1],
        vec![0, 3, 2, 2, 2],
    ];
    let records = Sequences::from_codes(&words);
    for spending in [Spending::Halves, Spending::OneReport] {
        let sfp = Sfp::published(5, &[5], &epsilon("6")).unwrap();
        let sfp = sfp.with_spending(spending).with_sketch(128, 64).unwrap();
        let mut random = RandomSource::insecure_seed(2);
        let found = sfp.find(&records, 20_000, 10_000, &mut random).unwrap();
        let mut fragments: Vec<_> = found.fragments.iter().map(<[u32]>::to_vec).collect();
        fragments.sort();
        let mut expected = words.to_vec();
        expected.sort();
        assert_eq!(fragments, expected, "{spending:?}");
        for (count, error) in found.count.iter().zip(&found.standard_error) {
            assert!((count - 20_000.0).abs() < 6.0 * error && *error < 2_000.0);
        }
        let (up, down) = found.traffic.per_answer();
        let (row, position) = (128.0 + 6.0, 2.0);
        match spending {
            Spending::Halves => assert_eq!(up, 2.0 * row + position),
            Spending::OneReport => assert!((up - (row + position / 2.0)).abs() < 0.1),
        }
        assert_eq!((down, found.traffic.answers), (0.0, 60_000));
    }
}

/// Clients with d = 1 and d = 3 distinct pairs that share none: scaled counts are right in total.
#[test]
fn counts_are_scaled_by_the_mean_number_of_fragments() {
    let records = Sequences::from_codes([vec![0, 1, 2, 3], vec![4, 5], vec![4, 5], vec![4, 5]]);
    let sfp = Sfp::improved(6, &[2], &epsilon("8"))
        .unwrap()
        .with_sketch(256, 64)
        .unwrap();
    let found = sfp
        .find(&records, 50_000, 5_000, &mut RandomSource::insecure_seed(3))
        .unwrap();
    assert_eq!(found.fragments.codes_of(0), [4, 5]);
    // Mean d = 6/4: the pair of the short ones 150,000·3/2, the others 50,000/3·3/2.
    let expected = [225_000.0, 25_000.0, 25_000.0, 25_000.0];
    assert_eq!(found.count.len(), 4);
    for (count, expected) in found.count.iter().zip(expected) {
        assert!(
            (count - expected).abs() < 0.15 * expected,
            "{count} for {expected}"
        );
    }
    let plain = Sfp::published(6, &[2], &epsilon("8"))
        .unwrap()
        .with_sketch(256, 64)
        .unwrap();
    let found = plain
        .find(&records, 50_000, 5_000, &mut RandomSource::insecure_seed(3))
        .unwrap();
    assert!((found.count[0] - 150_000.0).abs() < 15_000.0);
}

/// The drawn word: uniform over the distinct ones, not over positions.
#[test]
fn words_are_drawn_uniformly() {
    let records = Sequences::from_codes([[0, 0, 0, 0, 1, 0]]);
    let sfp = Sfp::published(2, &[2], &epsilon("1")).unwrap();
    let mut rng = RandomSource::insecure_seed(1).stream();
    let group = Group::new(&sfp, &records, 2, &mut rng).unwrap();
    let words: Vec<i64> = (0..60_000)
        .map(|_| group.reports(0, &mut rng).word.unwrap().1 as i64)
        .collect();
    let own = [[0, 0], [0, 1], [1, 0]].map(|f| group.alphabet.encode(&f) as i64);
    let law = |word| if own.contains(&word) { 1.0 / 3.0 } else { 0.0 };
    assert_plausible(&fit_integers(&words, 0..=9, law).unwrap());
}
