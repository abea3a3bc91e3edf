//! What TrieHH really promises, by exact enumeration.

use std::collections::BTreeMap;

use super::parameters::{published_delta, round_delta};
use super::rounds::Tally;
use super::{Sampling, TrieHh, Vote};

/// The least δ for which a law keeps ε towards another.
fn hockey_stick<T: Ord>(of: &BTreeMap<T, f64>, from: &BTreeMap<T, f64>, epsilon: f64) -> f64 {
    of.iter()
        .map(|(outcome, p)| p - epsilon.exp() * from.get(outcome).unwrap_or(&0.0))
        .filter(|excess| *excess > 0.0)
        .sum()
}

fn choose(n: u64, k: u64) -> f64 {
    (1..=k).fold(1.0, |ways, i| ways * (n - k + i) as f64 / i as f64)
}

/// A binomial variable's probabilities of 0, 1, …, n.
fn binomial_law(n: u64, p: f64) -> Vec<f64> {
    let powers = |k: u64| p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
    (0..=n).map(|k| choose(n, k) * powers(k)).collect()
}

/// Which words (a bit each) reach the threshold in a sample of `size` of a population in which word
/// i has `words[i]` votes and `silent` clients vote for words that cannot reach it.
fn fixed_law(words: &[u64], silent: u64, size: u64, threshold: u64) -> BTreeMap<u64, f64> {
    let mut ways = BTreeMap::from([((0, 0), 1.0)]);
    for (i, &votes) in words.iter().enumerate() {
        let mut next = BTreeMap::new();
        for ((kept, drawn), w) in ways {
            for x in 0..=votes.min(size - drawn) {
                let kept = kept | u64::from(x >= threshold) << i;
                *next.entry((kept, drawn + x)).or_insert(0.0) += w * choose(votes, x);
            }
        }
        ways = next;
    }
    let clients = words.iter().sum::<u64>() + silent;
    let mut law = BTreeMap::new();
    for ((kept, drawn), w) in ways {
        if size - drawn <= silent {
            *law.entry(kept).or_insert(0.0) +=
                w * choose(silent, size - drawn) / choose(clients, size);
        }
    }
    law
}

/// All ways to share out at most `clients` votes over words of at least `least` and at most `most`.
fn populations(clients: u64, least: u64, most: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for votes in least..=most.min(clients) {
        for mut rest in populations(clients - votes, least, votes) {
            rest.push(votes);
            all.push(rest);
        }
    }
    all
}

/// The largest δ over all populations of `clients` and all replacements of one client.
fn worst_delta(
    clients: u64,
    threshold: u64,
    epsilon: f64,
    law: impl Fn(&[u64], u64) -> BTreeMap<u64, f64>,
) -> f64 {
    let mut worst: f64 = 0.0;
    for words in populations(clients - 1, threshold - 1, clients - 1) {
        let silent = clients - 1 - words.iter().sum::<u64>();
        let with = |word: Option<usize>| {
            let mut words = words.clone();
            match word {
                Some(word) => words[word] += 1,
                None => return law(&words, silent + 1),
            }
            law(&words, silent)
        };
        let choices = || (0..words.len()).map(Some).chain([None]);
        let laws: Vec<_> = choices().map(with).collect();
        for one in &laws {
            for other in &laws {
                worst = worst.max(hockey_stick(one, other, epsilon));
            }
        }
    }
    worst
}

fn independent_law(words: &[u64], p: f64, threshold: u64) -> BTreeMap<u64, f64> {
    let mut law = BTreeMap::from([(0, 1.0)]);
    for (i, &votes) in words.iter().enumerate() {
        let reached: f64 = (binomial_law(votes, p).iter().skip(threshold as usize)).sum();
        law = (law.iter())
            .flat_map(|(kept, w)| [(*kept, w * (1.0 - reached)), (kept | 1 << i, w * reached)])
            .collect();
    }
    law
}

/// Samples of a fixed size break the published promise; independent ones of the same rate keep it.
#[test]
fn the_published_promise_fails_for_samples_of_fixed_size() {
    // clients, sample, threshold; all with sample ≤ clients/(threshold + 1).
    let cases = [(20, 4, 4), (30, 5, 5), (36, 6, 5), (25, 5, 4), (30, 6, 4)];
    let found = cases.map(|(clients, size, threshold)| {
        let p = size as f64 / clients as f64;
        let epsilon = -(1.0 - threshold as f64 * p).ln();
        let fixed = |words: &[u64], silent| fixed_law(words, silent, size, threshold);
        let independent = |words: &[u64], _| independent_law(words, p, threshold);
        let claimed = published_delta(threshold);
        let held = worst_delta(clients, threshold, epsilon, independent);
        assert!(held <= claimed, "{held} above {claimed}");
        assert!(held <= round_delta(threshold, p, threshold as f64 * p));
        (worst_delta(clients, threshold, epsilon, fixed), claimed)
    });
    let fails = found.map(|(real, claimed)| real > claimed);
    assert_eq!(fails, [true, true, true, false, false]);
    // The last of them has a sample of √n; worked by hand in the module's text.
    assert!((found[2].0 - 30.0 / 1260.0).abs() < 1e-12, "{}", found[2].0);
}

/// The law of what one round shows, votes included, by running the rule that keeps on every sample.
fn shown_law(votes: &[u64], trie: &TrieHh, p: f64) -> BTreeMap<Vec<(u64, u64)>, f64> {
    let mut law = BTreeMap::new();
    for sample in 0..1_u32 << votes.len() {
        let mut tally = Tally::default();
        for (client, &word) in votes.iter().enumerate() {
            if sample >> client & 1 == 1 {
                *tally.entry((word, 0)).or_insert(0) += 1;
            }
        }
        let shown = trie.keep(&tally, &[vec![]], 1.0);
        let shown = shown.iter().map(|(word, e)| (*word, e.count as u64));
        let sampled = sample.count_ones() as i32;
        let weight = p.powi(sampled) * (1.0 - p).powi(votes.len() as i32 - sampled);
        *law.entry(shown.collect()).or_insert(0.0) += weight;
    }
    law
}

#[test]
fn the_theorem_holds_on_every_sample_of_small_populations() {
    let (p, q) = (0.25, 0.6);
    let trie = TrieHh::for_test(3, 1, 3, Sampling::Independent(1 << 30), Vote::Drawn);
    let bound = round_delta(3, p, q);
    let epsilon = -(1.0_f64 - q).ln();
    let mut worst: f64 = 0.0;
    for a in 0..=9 {
        for b in 0..=9 - a {
            let mut votes = vec![0; a];
            votes.resize(a + b, 1);
            votes.resize(9, 2);
            let laws = [0, 1, 2].map(|own| {
                let mut votes = votes.clone();
                votes.push(own);
                shown_law(&votes, &trie, p)
            });
            for one in &laws {
                for other in &laws {
                    worst = worst.max(hockey_stick(one, other, epsilon));
                }
            }
        }
    }
    assert!(worst <= bound, "{worst} above {bound}");
    assert!(
        worst > bound / 100.0,
        "the bound {bound} is far from {worst}"
    );
}

/// Independent counts of the two words that differ, votes shown, in populations of any size.
#[test]
fn the_theorem_holds_for_larger_counts() {
    for (threshold, p, q) in [
        (4, 0.1, 0.4),
        (11, 0.044, 0.487),
        (9, 0.3, 0.6),
        (12, 0.5, 0.95),
    ] {
        let shown = |votes: u64| {
            let law = binomial_law(votes, p);
            let hidden: f64 = law.iter().take(threshold as usize).sum();
            let shown = law.into_iter().zip(0..).skip(threshold as usize);
            let mut shown: BTreeMap<u64, f64> = shown.map(|(w, c)| (c, w)).collect();
            shown.insert(0, hidden);
            shown
        };
        let both = |a: &BTreeMap<u64, f64>, b: &BTreeMap<u64, f64>| {
            let pairs = a
                .iter()
                .flat_map(|(&x, v)| b.iter().map(move |(&y, w)| ((x, y), v * w)));
            pairs.collect::<BTreeMap<_, _>>()
        };
        let bound = round_delta(threshold, p, q);
        let laws: Vec<_> = (0..=90).map(shown).collect();
        let mut worst: f64 = 0.0;
        for a in 0..90 {
            for b in (0..90).step_by(11) {
                let one = both(&laws[a + 1], &laws[b]);
                let other = both(&laws[a], &laws[b + 1]);
                let epsilon = -(1.0 - q).ln();
                worst = worst.max(hockey_stick(&one, &other, epsilon));
            }
        }
        assert!(worst <= bound, "θ {threshold}: {worst} above {bound}");
        assert!(
            worst > bound / 1e3,
            "θ {threshold}: {bound} is far from {worst}"
        );
    }
}
