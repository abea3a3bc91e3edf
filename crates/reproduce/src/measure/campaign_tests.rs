use wayveil_core::Sequences;

use super::*;

fn run_on(
    records: &Sequences,
    (method, locations, per_record): (Method, u32, u64),
    setting: Setting,
    changed: Changed,
) -> BTreeMap<String, f64> {
    let population = Population {
        records,
        per_record,
        locations,
    };
    let mut random = RandomSource::insecure_seed(5);
    let epsilon = "10".parse().unwrap();
    let made = run(
        method,
        &population,
        &[setting],
        &epsilon,
        &changed,
        &mut random,
    );
    made.unwrap().remove(0)
}

/// Records that differ, over four locations, 0 → 1 → 2 being frequent in them.
fn some_records() -> Sequences {
    let record = |at: u32| match at % 4 {
        0 => vec![0, 1, 2, 3],
        1 => vec![0, 1, 2, at / 4 % 4],
        2 => vec![at / 4 % 4, 0, 1, at / 16 % 4],
        _ => vec![1, 2, at / 4 % 4, 1],
    };
    Sequences::from_codes((0..400).map(record))
}

/// A client that is asked about five fragments in each of four rounds gets 5 · 32 · (1 + 2 + 3 + 4) / 4 bits on average:
/// the paper's 400 bits for 5 bits of answer. How many clients a round has is drawn: the mean over a million clients is
/// off by 1 once in 10^20 times.
#[test]
fn full_questions_of_up_to_four_locations_are_the_papers_bits() {
    // Every client has every fragment, so that all are asked about, and all questions are full.
    let all = (0..5_u32.pow(4)).flat_map(|n| (0..4).map(move |digit| n / 5_u32.pow(digit) % 5));
    let records = Sequences::from_codes([all.collect::<Vec<u32>>()]);
    let setting = |length| Setting { length, k: 100_000 };
    let population = (Method::AsPublished, 5, 1_000_000);
    let four = run_on(&records, population, setting(4), Changed::default());
    assert!((four["bits-down-integers"] - 400.0).abs() < 1.0, "{four:?}");
    assert_eq!(four["bits-up"], 5.0);
    assert_eq!((four["f1"], four["to-find"]), (1.0, 625.0));
    let three = run_on(&records, population, setting(3), Changed::default());
    assert!(
        (three["bits-down-integers"] - 320.0).abs() < 1.0,
        "{three:?}"
    );
}

#[test]
fn a_location_is_an_integer_for_the_baselines_too() {
    let setting = Setting {
        length: 3,
        k: 20_000,
    };
    let records = some_records();
    let triehh = (Method::TrieHhPublished, 4, 1_000);
    let numbers = run_on(&records, triehh, setting, Changed::default());
    // Of four locations each has two bits.
    assert!(numbers["bits-down"] > 0.0);
    assert_eq!(numbers["bits-down-integers"], 16.0 * numbers["bits-down"]);
}

/// What is worked out is there at all only where it agrees with what the collector has counted. Many fragments have
/// 25,000 clients: whether those are gone on with hangs on standard errors where k is a little more.
#[test]
fn cleaning_is_worked_out_as_it_was_done() {
    let records = some_records();
    let lambdas = [0.0, 0.4, 0.8, 1.2, 2.0];
    for method in [
        Method::AsPublished,
        Method::PerCandidate,
        Method::FamilyWise,
    ] {
        for (per_client, k) in [(1, 20_000), (1, 25_500), (3, 25_500), (5, 20_000)] {
            for lambda in lambdas {
                let changed = Changed {
                    lambda: Some(lambda),
                    per_client: Some(per_client),
                    ..Changed::default()
                };
                let setting = Setting { length: 4, k };
                let numbers = run_on(&records, (method, 4, 1_000), setting, changed);
                let what = format!("{method:?} C {per_client} k {k} λ {lambda}: {numbers:?}");
                let cleaned = *numbers.get("cleaned").expect(&what);
                assert!((0.0..=1.0).contains(&cleaned), "{what}");
                assert!(cleaned == 0.0 || lambda > 0.0, "{what}");
                assert!(cleaned > 0.0 || lambda < 2.0, "{what}");
                assert_eq!(numbers.contains_key("cleaned-rightly"), cleaned > 0.0);
            }
        }
    }
}

/// 0 → 1 → 2 is what a chain does not expect: all who have 0 → 1 go on to 2, and 1 → 2 is half of what follows 1.
#[test]
fn frequent_fragments_that_are_cleaned_count_as_wrong() {
    let record = |at: u32| match at % 4 {
        0 => vec![0, 1, 2],
        1 => vec![3, 1, 4],
        2 => vec![5, 1, 2],
        _ => vec![6, 1, 4],
    };
    let records = Sequences::from_codes((0..40).map(record));
    let changed = |lambda| Changed {
        lambda: Some(lambda),
        ..Changed::default()
    };
    let setting = Setting {
        length: 3,
        k: 200_000,
    };
    let population = (Method::AsPublished, 7, 25_000);
    // S(0 1 2) = 250,000 and S(0 1)·S(1 2)/S(1) = 250,000·500,000/1,000,000 = 125,000, which is 0.625 k; so for the
    // other three beginnings, each with two ends: eight candidates, four of them frequent.
    let kept = run_on(&records, population, setting, changed(0.5));
    assert_eq!((kept["cleaned"], kept["f1"]), (0.0, 1.0));
    assert!(!kept.contains_key("cleaned-rightly"));
    let cleaned = run_on(&records, population, setting, changed(0.8));
    assert_eq!((cleaned["cleaned"], cleaned["cleaned-rightly"]), (1.0, 0.5));
    assert_eq!(cleaned.get("f1"), Some(&0.0));
}
