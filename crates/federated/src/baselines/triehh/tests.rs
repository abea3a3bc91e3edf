//! Parameters and rounds of TrieHH.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use wayveil_core::{Delta, Epsilon, RandomSource, Sequences};
use wayveil_noise::statistics::{assert_plausible, assert_rejected, same_distribution};
use wayveil_noise::{below, choose_distinct};

use super::super::{Baseline, bits_for};
use super::parameters::{published_delta, published_rate};
use super::rounds::{Round, Tally, sample};
use super::{Sampling, TrieHh, Vote};

impl TrieHh {
    pub(super) fn for_test(
        locations: u32,
        rounds: usize,
        threshold: u64,
        sampling: Sampling,
        vote: Vote,
    ) -> Self {
        let (epsilon, delta) = ("1".parse().unwrap(), "1e-3".parse().unwrap());
        let mut trie = Self::repaired(locations, rounds, 1, &epsilon, &delta).unwrap();
        (trie.threshold, trie.sampling, trie.vote) = (threshold, sampling, vote);
        trie
    }
}

fn promise(epsilon: &str, delta: &str) -> (Epsilon, Delta) {
    (epsilon.parse().unwrap(), delta.parse().unwrap())
}

#[test]
fn published_parameters_by_hand() {
    assert!((published_delta(4) - 2.0 / 24.0).abs() < 1e-15);
    assert!((published_delta(10) - 8.0 / (7.0 * 3_628_800.0)).abs() < 1e-18);
    // At δ = 10⁻⁷ ten is not enough (3.1e-7) and eleven is (2.8e-8).
    let (epsilon, delta) = promise("2", "1e-7");
    let trie = TrieHh::published(17, 3, 47_000_000, &epsilon, &delta).unwrap();
    assert_eq!(trie.threshold(), 11);
    // 4.7e7·(1 − e^(−2/3))/11 = 2,079,035.9…
    assert_eq!(trie.sampling(), Sampling::Fixed(2_079_035));
    // At ε = 10 the other condition asks for θ ≥ e^(10/3) − 1 = 27.03…
    let (epsilon, _) = promise("10", "1e-7");
    let trie = TrieHh::published(17, 3, 47_000_000, &epsilon, &delta).unwrap();
    assert_eq!(trie.threshold(), 28);
    assert_eq!(trie.proved_delta(), None);
    // With γ = √n·rate the claimed ε is that of the budget again.
    let rate = published_rate(10.0 / 3.0, 28);
    assert!((3.0 * -(1.0 - 28.0 * rate).ln() - 10.0).abs() < 1e-9);
}

#[test]
fn published_parameters_nearly_keep_their_promise_with_independent_samples() {
    for epsilon in ["0.5", "1", "2", "4", "10"] {
        for rounds in 1..=5 {
            let (epsilon, delta) = promise(epsilon, "1e-7");
            let trie = TrieHh::published(17, rounds, 47_000_000, &epsilon, &delta).unwrap();
            let claimed = published_delta(trie.threshold());
            let proved = trie.with_independent_samples(47_000_000).proved_delta();
            assert!(
                proved.unwrap() <= 4.0 * rounds as f64 * claimed,
                "{proved:?}"
            );
        }
    }
}

#[test]
fn repaired_parameters_keep_the_promise_and_sample_more() {
    for epsilon in ["0.5", "1", "2", "4", "10"] {
        let (epsilon, delta) = promise(epsilon, "1e-9");
        let repaired = TrieHh::repaired(17, 3, 100_000, &epsilon, &delta).unwrap();
        assert!(repaired.proved_delta().unwrap() <= 1e-9);
        let published = TrieHh::published(17, 3, 47_000_000, &epsilon, &delta).unwrap();
        let rate = |trie: &TrieHh| trie.sampling().rate(47_000_000);
        let gain = if epsilon.to_f64() < 2.0 { 1.5 } else { 5.0 };
        assert!(rate(&repaired) > gain * rate(&published));
    }
}

#[test]
fn refuses_what_cannot_be() {
    let (epsilon, delta) = promise("1", "1e-9");
    assert!(TrieHh::published(0, 3, 100, &epsilon, &delta).is_err());
    assert!(TrieHh::repaired(5, 0, 100, &epsilon, &delta).is_err());
    assert!(TrieHh::repaired(5, 3, 100, &epsilon, &Delta::zero()).is_err());
    assert!(TrieHh::published(5, 3, 100, &"1000".parse().unwrap(), &delta).is_err());
    let few = TrieHh::published(2, 1, 1_000, &epsilon, &delta).unwrap();
    let records = Sequences::from_codes([[0, 5]]);
    let mut random = RandomSource::insecure_seed(1);
    assert!(few.find(&records, 1000, 1, &mut random).is_err());
    let records = Sequences::from_codes([[0, 1]]);
    let sample_too_large = few.find(&records, 1, 1, &mut random).unwrap_err();
    assert!(sample_too_large.message().contains("subset"));
}

/// One client after the other, each with its own coins and a list of its fragments as code strings.
fn client_by_client(
    trie: &TrieHh,
    kept: &BTreeSet<Vec<u32>>,
    length: usize,
    records: &Sequences,
    per_record: u64,
    random: &mut RandomSource,
) -> Vec<(Vec<u32>, u32)> {
    let mut rng = random.stream();
    let clients = records.len() as u64 * per_record;
    let taking_part: Vec<u64> = match trie.sampling() {
        Sampling::Fixed(size) => choose_distinct(clients, size, &mut rng).unwrap(),
        Sampling::Independent(rate) => (0..clients)
            .filter(|_| below(NonZeroU64::new(1 << 32).unwrap(), &mut rng) < u64::from(rate))
            .collect(),
    };
    let mut votes = Vec::new();
    for client in taking_part {
        let codes = records.codes_of((client / per_record) as usize);
        let windows = codes.windows(length);
        let windows = windows.take(match trie.vote() {
            Vote::Beginning => 1,
            _ => usize::MAX,
        });
        let own: BTreeSet<&[u32]> = windows
            .filter(|window| kept.contains(&window[..length - 1]))
            .collect();
        let classes = [1, 2, 4, 8, 16, 32, 64];
        let class = match trie.vote() {
            Vote::DrawnWithClass => classes.iter().position(|&w| w >= own.len()).unwrap_or(6),
            _ => 0,
        };
        let sides = match trie.vote() {
            Vote::DrawnWithClass => own.len().max(classes[class]),
            _ => own.len(),
        };
        let Some(sides) = NonZeroU64::new(sides as u64) else {
            continue;
        };
        if let Some(fragment) = own.iter().nth(below(sides, &mut rng) as usize) {
            votes.push((fragment.to_vec(), class as u32));
        }
    }
    votes
}

fn histogram(counts: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut histogram = vec![0; 64];
    counts.for_each(|count| histogram[(count as usize).min(63)] += 1);
    histogram
}

/// Both forms, many times: the law of the number of votes for each (fragment, class) in round 2,
/// after a round that kept 0, 1 and 2 but not 3.
#[test]
fn the_simulation_is_what_single_clients_do() {
    let records = Sequences::from_codes([
        vec![0, 1, 2, 0, 1],
        vec![3, 0, 1],
        vec![2, 2, 2],
        vec![1],
        vec![0, 1, 0, 2, 1, 3],
        vec![],
    ]);
    let kept: BTreeSet<Vec<u32>> = (0..3).map(|code| vec![code]).collect();
    let at: Vec<u32> = (records.codes().iter())
        .map(|&code| if code < 3 { code } else { u32::MAX })
        .collect();
    for vote in [Vote::Beginning, Vote::Drawn, Vote::DrawnWithClass] {
        for sampling in [Sampling::Fixed(13), Sampling::Independent(0x5555_5555)] {
            let trie = TrieHh::for_test(4, 2, 1, sampling, vote);
            let round = Round {
                of: &trie,
                records: &records,
                length: 2,
                at: &at,
            };
            let mut random = RandomSource::insecure_seed(7);
            let mut watched = vec![];
            for fragment in [[0, 1], [2, 2], [2, 0], [1, 3]] {
                for class in 0..3 {
                    watched.push((fragment.to_vec(), class));
                }
            }
            let (mut fast, mut slow) = (vec![vec![]; 12], vec![vec![]; 12]);
            for _ in 0..4000 {
                let sampled = sample(sampling, records.len(), 6, &mut random).unwrap();
                let tally = round.votes(&sampled, &mut random);
                let single = client_by_client(&trie, &kept, 2, &records, 6, &mut random);
                for (i, (fragment, class)) in watched.iter().enumerate() {
                    let child = u64::from(fragment[0] * 4 + fragment[1]);
                    fast[i].push(*tally.get(&(child, *class)).unwrap_or(&0));
                    let votes = single.iter().filter(|vote| **vote == watched[i]);
                    slow[i].push(votes.count() as u64);
                }
            }
            for (fast, slow) in fast.iter().zip(&slow) {
                let (fast, slow) = (
                    histogram(fast.iter().copied()),
                    histogram(slow.iter().copied()),
                );
                if fast[0] == 4000 || slow[0] == 4000 {
                    assert_eq!(fast, slow);
                } else {
                    assert_plausible(&same_distribution(&fast, &slow).unwrap());
                    let mut planted = slow.clone();
                    planted.rotate_right(1);
                    assert_rejected(&same_distribution(&fast, &planted).unwrap());
                }
            }
        }
    }
}

#[test]
fn keeps_by_class_and_weighs_votes() {
    let trie = TrieHh::for_test(
        4,
        2,
        5,
        Sampling::Independent(1 << 31),
        Vote::DrawnWithClass,
    );
    let tally = Tally::from_iter([((6, 0), 5), ((6, 2), 4), ((6, 3), 7), ((1, 1), 4)]);
    let kept = trie.keep(&tally, &[vec![3], vec![2]], 0.5);
    assert_eq!(kept.len(), 1, "only 6 has a class that reaches five votes");
    let (child, estimate) = &kept[0];
    assert_eq!((*child, &estimate.fragment), (6, &vec![2, 2]));
    // 5 votes of weight 1 and 7 of weight 8, at rate 1/2; the 4 of weight 4 are not shown.
    assert_eq!(estimate.count, 10.0 + 112.0);
    assert_eq!(
        estimate.standard_error,
        (5.0 * 2.0 + 7.0 * 16.0 * 15.0_f64).sqrt()
    );
}

/// With everyone sampled and no threshold to speak of, estimates meet the true counts.
#[test]
fn estimates_are_without_bias_where_they_should_be() {
    let records = Sequences::from_codes([vec![0, 1, 2, 0, 1], vec![1, 2, 3], vec![2]]);
    let almost_all = Sampling::Independent(u32::MAX);
    let trie = TrieHh::for_test(4, 3, 1, almost_all, Vote::DrawnWithClass);
    let mut random = RandomSource::insecure_seed(3);
    let found = trie.find(&records, 100_000, 1, &mut random).unwrap();
    let mut seen = 0;
    for (i, fragment) in found.fragments.iter().enumerate() {
        let holds = |record: &&[u32]| record.windows(fragment.len()).any(|w| w == fragment);
        let truth = records.iter().filter(holds).count() as f64 * 100_000.0;
        let error = (found.count[i] - truth).abs();
        assert!(
            error <= 6.5 * found.standard_error[i] + 1.0,
            "{fragment:?}: {error}"
        );
        seen += 1;
    }
    assert_eq!(seen, 4 + 4 + 4, "all locations, pairs and triples");
    let beginnings = trie.with_vote(Vote::Beginning);
    let found = beginnings.find(&records, 100_000, 1, &mut random).unwrap();
    assert_eq!(found.fragments.len(), 3 + 2 + 2);
}

#[test]
fn counts_bits() {
    assert_eq!(
        [0, 1, 2, 3, 4, 5, 256, 257].map(bits_for),
        [0, 0, 1, 2, 2, 3, 8, 9]
    );
    let records = Sequences::from_codes([[0, 1]]);
    let trie = TrieHh::for_test(2, 2, 1, Sampling::Fixed(10), Vote::Drawn);
    let found = trie
        .find(&records, 10, 1, &mut RandomSource::insecure_seed(1))
        .unwrap();
    // Round 1: three answers (two locations or nothing), nothing asked. Round 2: both locations kept
    // surely but for one case in 512, a bit each to ask; four pairs or nothing to answer.
    assert_eq!(found.traffic.answers, 20);
    assert_eq!(found.traffic.bits_down, 10 * 2);
    assert_eq!(found.traffic.bits_up, 10 * 2 + 10 * 3);
}
