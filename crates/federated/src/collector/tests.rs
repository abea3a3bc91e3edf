//! The collector fed with answers made by hand.

use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::statistics::probability_at_least;

use super::*;
use crate::campaign::{Control, Form, Parameters};
use crate::simulate::{Clients, Options, Supports, aggregated};

fn parameters(form: Form, locations: u32, length: u32) -> Parameters {
    let new = match form {
        Form::AsPublished => Parameters::as_published,
        Form::Repaired => Parameters::repaired,
    };
    new(locations, length, 1_000_000, 100_000, "4".parse().unwrap())
}

fn collector(parameters: &Parameters) -> Collector {
    Collector::new(Campaign::new(parameters.clone()).unwrap()).unwrap()
}

/// Answers the open round as so many clients of each block would on average, a `share` of whom have
/// a fragment, and closes it.
fn feed(collector: &mut Collector, clients: u64, share: impl Fn(&[u32]) -> f64) {
    let round = collector.open().unwrap();
    let mut tally = round.tally();
    for block in 0..round.blocks() {
        let question = round.question(block);
        let eta = round.response(block).flip().as_f64();
        let yes: Vec<u64> = question
            .codes
            .chunks(question.length as usize)
            .map(|f| clients as f64 * (eta + share(f) * (1.0 - 2.0 * eta)))
            .map(|yes| yes.round() as u64)
            .collect();
        tally.add_many(block, clients, &yes);
    }
    collector.merge(&tally).unwrap();
    collector.close().unwrap();
}

fn found<'a>(findings: &'a Findings, fragment: &[u32]) -> &'a Finding {
    let mut all = findings.fragments.iter();
    all.find(|finding| finding.fragment == fragment).unwrap()
}

/// k/N is 0.1. With 20,000 answers at n = 2, ε = 4: η = 1/(1 + e²) = 0.119, and Hoeffding's margin
/// √(−ln 0.01/40,000) = 0.0107 of the answers is 0.0141 of the clients: 0.12 passes, 0.11 does not.
#[test]
fn as_published_by_hand() {
    let mut published = parameters(Form::AsPublished, 4, 2);
    published.per_client = 2;
    let mut collector = collector(&published);
    let share = |fragment: &[u32]| match fragment {
        [0] | [0, 0] => 0.3,
        [1] => 0.12,
        [0, 1] => 0.11,
        [2] => 0.11,
        _ => 0.0,
    };
    feed(&mut collector, 20_000, share);
    let round = collector.open().unwrap();
    assert_eq!(round.slot().length, 2);
    let asked: Vec<Vec<u32>> = (0..round.blocks())
        .map(|b| round.question(b).codes)
        .collect();
    assert_eq!(asked, [[0, 0, 0, 1], [1, 0, 1, 1]]);
    feed(&mut collector, 20_000, share);
    assert!(collector.open().is_none());
    assert!(collector.close().is_err());
    let findings = collector.finish();
    let released: Vec<_> = findings.released().map(|f| f.fragment.as_slice()).collect();
    assert_eq!(released, [[0, 0]], "the longest alone");
    assert!(found(&findings, &[1]).admitted && !found(&findings, &[1]).released);
    assert!(!found(&findings, &[2]).admitted);
    let whole = found(&findings, &[0, 0]);
    assert!((whole.estimate - 300_000.0).abs() < 50.0);
    assert!(whole.interval.unwrap().0 > 290_000 && whole.interval.unwrap().1 < 310_000);
    assert_eq!(findings.traffic.clients, 4 * 20_000);
    assert_eq!(findings.traffic.most_answer_bits, 2.0);
    // Four locations: two bits each; two fragments of two; two rounds; two blocks.
    assert_eq!(findings.traffic.most_question_bits, 8.0 + 1.0 + 1.0);
}

#[test]
fn a_short_last_question_has_less_noise_as_published() {
    let published = parameters(Form::AsPublished, 6, 1);
    let mut collector = collector(&published);
    let round = collector.open().unwrap();
    assert_eq!((round.members(0).len(), round.members(1).len()), (5, 1));
    let eta = |block| round.response(block).flip().as_f64();
    assert!((eta(0) - 1.0 / (1.0 + 0.8_f64.exp())).abs() < 1e-12);
    assert!((eta(1) - 1.0 / (1.0 + 4_f64.exp())).abs() < 1e-12);
    feed(&mut collector, 100_000, |_| 0.25);
    let findings = collector.finish();
    for finding in &findings.fragments {
        assert!((finding.estimate - 250_000.0).abs() < 50.0, "{finding:?}");
    }
}

#[test]
fn nothing_comes_of_candidates_that_run_out() {
    for form in [Form::AsPublished, Form::Repaired] {
        let mut collector = collector(&parameters(form, 3, 3));
        while collector
            .open()
            .is_some_and(|round| round.slot().length == 1)
        {
            feed(&mut collector, 50_000, |_| 0.01);
        }
        assert!(collector.open().is_none(), "{form:?}");
        assert_eq!(collector.finish().released().count(), 0);
    }
}

/// A fragment at k is not published, but longer ones are made of it; those far below are neither
/// published nor extended.
#[test]
fn the_repaired_form_extends_what_is_not_refuted() {
    let mut collector = collector(&parameters(Form::Repaired, 6, 2));
    let share = |fragment: &[u32]| match fragment {
        [0] => 0.5,
        [1] => 0.1,
        _ => 0.02,
    };
    while collector
        .open()
        .is_some_and(|round| round.slot().length == 1)
    {
        feed(&mut collector, 20_000, share);
    }
    let round = collector.open().unwrap();
    let asked: Vec<Vec<u32>> = (0..round.blocks())
        .map(|b| round.question(b).codes)
        .collect();
    for pair in [[0, 0], [0, 1], [1, 0], [1, 1]] {
        assert!(
            asked.contains(&pair.to_vec()),
            "{pair:?} is not among {asked:?}"
        );
    }
    assert!(
        asked.len() < 9,
        "pairs of 0 and 1, and no more than fill up: {asked:?}"
    );
    let findings = collector.finish();
    assert!(found(&findings, &[0]).released);
    for below in 1..6 {
        assert!(!found(&findings, &[below]).admitted, "{below}");
    }
    let phases = |l: u32| &found(&findings, &[l]).history.phases;
    assert_eq!(
        phases(1).len(),
        4,
        "the undecided one is asked about to the end"
    );
    assert_eq!(phases(1)[3].rest, 0);
}

#[test]
fn questions_are_filled_up_with_other_candidates() {
    let mut repaired = parameters(Form::Repaired, 14, 1);
    repaired.per_client = 3;
    let mut collector = collector(&repaired);
    let shares = [0.5, 0.4, 0.1, 0.1, 0.1, 0.1];
    let share = |f: &[u32]| shares.get(f[0] as usize).copied().unwrap_or(0.01);
    let mut rounds = 0;
    while let Some(round) = collector.open() {
        for block in 0..round.blocks() {
            let mut members = round.members(block).to_vec();
            members.sort_unstable();
            members.dedup();
            assert_eq!(members.len(), 3, "three different ones in every question");
        }
        feed(&mut collector, 30_000, share);
        rounds += 1;
    }
    assert_eq!(rounds, 4);
    let findings = collector.finish();
    for location in 0..14 {
        let estimate = found(&findings, &[location]).estimate;
        assert!(
            (estimate - 1e6 * share(&[location])).abs() < 100.0,
            "{location}: {estimate}"
        );
    }
}

#[test]
fn answers_that_do_not_fit_are_refused() {
    let mut collector = collector(&parameters(Form::Repaired, 3, 1));
    let good = Answer {
        campaign: 0,
        round: 0,
        block: 2,
        fragments: 1,
        bits: 1,
    };
    let changes: [fn(&mut Answer); 6] = [
        |a| a.campaign = 1,
        |a| a.round = 1,
        |a| a.block = 3,
        |a| a.fragments = 2,
        |a| a.fragments = 0,
        |a| a.bits = 2,
    ];
    for change in changes {
        let mut bad = good;
        change(&mut bad);
        assert!(collector.record(&bad).is_err(), "{bad:?}");
    }
    collector.record(&good).unwrap();
    collector.close().unwrap();
    assert_eq!(collector.finish().traffic.clients, 1);
}

#[test]
fn a_hundred_thousand_candidates_are_asked_about_at_once() {
    let mut many = parameters(Form::Repaired, 100_000, 2);
    many.k = 10;
    let mut collector = collector(&many);
    assert_eq!(collector.open().unwrap().blocks(), 100_000);
    while collector
        .open()
        .is_some_and(|round| round.slot().length == 1)
    {
        feed(&mut collector, 50, |f| f64::from(u8::from(f[0] < 500)));
    }
    let round = collector.open().unwrap();
    assert_eq!(round.blocks(), 100_000, "as many as are allowed");
    let findings = collector.finish();
    assert!(found(&findings, &[499]).released);
    let pairs = findings.extents[1];
    let possible = pairs.candidates as u64 + pairs.cleaned + pairs.left_out;
    assert!(possible >= 250_000, "{pairs:?}");
}

/// 40 locations, half of them with one client fewer than k: how often are those published?
#[test]
fn false_admissions_keep_to_their_level() {
    let k = 600_u32;
    // One record for each client with location l: 599 for the odd ones, 900 for the even ones.
    let one_place =
        (0..40_u32).flat_map(|l| vec![[l]; if l % 2 == 1 { k as usize - 1 } else { 900 }]);
    let mut records = Sequences::from_codes(one_place);
    (0..70_000).for_each(|_| records.push(&[], &[]));
    let clients = Clients {
        records: &records,
        per_record: 1,
    };
    let mut supports = Supports::new(clients);
    let mut source = RandomSource::insecure_seed(17);
    for control in [
        Control::PerCandidate,
        Control::FamilyWise,
        Control::FalseDiscovery,
    ] {
        let mut parameters =
            Parameters::repaired(40, 1, clients.len(), k.into(), "6".parse().unwrap());
        (parameters.control, parameters.xi) = (control, 0.05);
        let repeats = 2000;
        let (mut single, mut any, mut true_ones, mut share) = (0, 0, 0, 0.0);
        for _ in 0..repeats {
            let campaign = Campaign::new(parameters.clone()).unwrap();
            let options = Options::default();
            let findings = aggregated(campaign, &mut supports, &options, &mut source).unwrap();
            let odd = |finding: &&Finding| finding.fragment[0] % 2 == 1;
            let (released, wrong) = (findings.released().count(), findings.released().filter(odd));
            let wrong = wrong.count();
            single += wrong as u64;
            any += u64::from(wrong > 0);
            true_ones += released - wrong;
            share += wrong as f64 / released.max(1) as f64 / f64::from(repeats);
        }
        // Lower bounds on the true rates, wrong once in 10⁹.
        let repeats = u64::from(repeats as u32);
        let (each, whole) = (
            probability_at_least(single, 20 * repeats, 1e-9),
            probability_at_least(any, repeats, 1e-9),
        );
        println!("{control:?}: {each:.4} {whole:.4} {share:.4}, {true_ones} rightly");
        assert!(each <= 0.05);
        assert!(true_ones > 0);
        match control {
            Control::PerCandidate => {}
            Control::FamilyWise => assert!(whole <= 0.05),
            Control::FalseDiscovery => assert!(share <= 0.06, "{share}"),
        }
    }
}

/// Counts that went through a store are those that were counted here, also where the last question
/// is short.
#[test]
fn a_tally_comes_back_from_its_numbers() {
    let collector = collector(&parameters(Form::AsPublished, 7, 1));
    let round = collector.open().unwrap();
    let mut tally = round.tally();
    let answers = [(0, 0b10101), (0, 0b00001), (1, 0b11), (1, 0b10)];
    for (block, bits) in answers {
        tally.add(block, bits);
    }
    let numbers = |tally: &Tally| -> (Vec<u64>, Vec<u64>) {
        let blocks = 0..round.blocks();
        (
            blocks.clone().map(|block| tally.answers(block)).collect(),
            blocks.flat_map(|block| tally.yes(block).to_vec()).collect(),
        )
    };
    let (of_blocks, yes) = numbers(&tally);
    assert_eq!((of_blocks.len(), yes.len()), (2, 7));
    assert_eq!((round.fragments(0), round.fragments(1)), (5, 2));
    let again = Tally::from_counts(round, of_blocks, yes).unwrap();
    assert_eq!(again, tally);
}

#[test]
fn numbers_that_no_answers_have_are_no_tally() {
    let collector = collector(&parameters(Form::Repaired, 3, 1));
    let round = collector.open().unwrap();
    let (blocks, fragments) = (round.blocks(), round.blocks());
    let good = (vec![2; blocks], vec![2; fragments]);
    assert!(Tally::from_counts(round, good.0.clone(), good.1.clone()).is_ok());
    type Change = fn(&mut (Vec<u64>, Vec<u64>));
    let changes: [Change; 7] = [
        |t| t.0.push(0),
        |t| t.1.push(0),
        |t| t.0.truncate(1),
        |t| t.1.clear(),
        |t| t.1[2] = 3,
        |t| t.0[0] = 1,
        |t| t.0[0] = u64::MAX,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        let error = Tally::from_counts(round, bad.0, bad.1).unwrap_err();
        assert_eq!(error.exit_code(), 1, "change {at}");
    }
}
