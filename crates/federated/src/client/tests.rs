use core::convert::Infallible;

use proptest::prelude::*;
use rand_core::TryRng;
use wayveil_core::RandomSource;

use super::answer::contains;
use super::*;
use crate::campaign::{Campaign, Parameters};

/// Plays which bits are turned over: the word 0 turns (it lies below any η), the largest does not.
/// The law of one turn, exactly η, is tested where it is drawn.
struct Turns<'a> {
    turns: core::slice::Iter<'a, bool>,
    /// 2^64/(1 + e^(ε/n)), about.
    eta: u64,
}

/// Far more than what floating point rounds off η, and far less than one η is off another.
const NEAR: u64 = 1 << 20;

impl TryRng for Turns<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("whole words are drawn")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let turned = *self.turns.next().expect("one word for each bit");
        // Just below η and just above: another η would turn both or neither.
        Ok(match turned {
            true => self.eta - NEAR,
            false => self.eta + NEAR,
        })
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("whole words are drawn")
    }
}

fn terms(locations: u32, length: u32, per_client: u32) -> Terms {
    let epsilon = "2".parse().unwrap();
    let mut parameters = Parameters::repaired(locations, length, 1000, 10, epsilon);
    parameters.per_client = per_client;
    // All clients in the first phase of the last length, so that a client's round is known.
    parameters.shares = (1..=length)
        .map(|l| vec![f64::from(u8::from(l == length))])
        .collect();
    Terms::of(&Campaign::new(parameters).unwrap())
}

fn limits() -> Limits {
    Limits {
        epsilon: "10".parse().unwrap(),
        per_client: 5,
        length: 5,
    }
}

/// All strings over so many locations of a length.
fn strings(locations: u32, length: u32) -> Vec<Vec<u32>> {
    (0..length).fold(vec![vec![]], |shorter, _| {
        let longer = |s: Vec<u32>| (0..locations).map(move |code| [s.as_slice(), &[code]].concat());
        shorter.into_iter().flat_map(longer).collect()
    })
}

fn question(terms: &Terms, codes: Vec<u32>) -> Question {
    Question {
        campaign: terms.campaign,
        round: terms.schedule.rounds() as u32 - 1,
        block: 0,
        length: terms.length(),
        codes,
    }
}

/// For each answer, how many bits are turned to give it: P = η^turned (1 − η)^(n − turned). Every
/// pattern of turns is played through the client; each answer must come from exactly one.
fn law(terms: &Terms, asked: &Question, trajectory: &[u32]) -> Vec<u32> {
    let n = asked.fragments();
    let mut turned_for = vec![None; 1 << n];
    for pattern in 0..1_u32 << n {
        let turns: Vec<bool> = (0..n).map(|bit| pattern >> bit & 1 == 1).collect();
        let mut client = Client {
            terms: std::borrow::Cow::Borrowed(terms),
            trajectory: std::borrow::Cow::Borrowed(trajectory),
            round: Some(asked.round),
            place: 0,
            given: None,
        };
        let eta = 1.0 / (1.0 + (terms.epsilon.to_f64() / n as f64).exp());
        let mut rng = Turns {
            turns: turns.iter(),
            eta: (eta * 2_f64.powi(64)) as u64,
        };
        let given = client.answer(asked, &mut rng).unwrap();
        assert!(
            rng.turns.next().is_none(),
            "one word for each bit, no fewer"
        );
        let before = turned_for[given.bits as usize].replace(pattern.count_ones());
        assert!(before.is_none(), "two patterns give one answer");
    }
    turned_for.into_iter().map(Option::unwrap).collect()
}

/// (1 − η)/η = e^(ε/n), so P[b | t]/P[b | t′] = e^(ε·(turned′ − turned)/n): at most e^ε exactly when
/// turned′ − turned ≤ n, whole numbers. All lists of 1 to 5 fragments (fewer of long ones), repeated ones among them, and
/// all pairs of trajectories of up to 4 visits over 2 and up to 3 over 3 locations.
#[test]
fn every_answer_is_locally_private_to_epsilon() {
    for (locations, longest, length, most) in
        [(2, 3, 1, 5), (2, 4, 2, 3), (2, 3, 3, 2), (3, 3, 2, 2)]
    {
        let terms = terms(locations, length, most);
        let trajectories: Vec<_> = (0..=longest).flat_map(|l| strings(locations, l)).collect();
        let fragments = strings(locations, length);
        let mut reached = 0;
        for n in 1..=most {
            for list in strings(fragments.len() as u32, n) {
                let codes = list.iter().flat_map(|&f| fragments[f as usize].clone());
                let asked = question(&terms, codes.collect());
                let laws: Vec<_> = trajectories
                    .iter()
                    .map(|t| law(&terms, &asked, t))
                    .collect();
                for (t, u) in laws.iter().flat_map(|t| laws.iter().map(move |u| (t, u))) {
                    for (turned, other) in t.iter().zip(u) {
                        assert!(other.saturating_sub(*turned) <= n);
                        reached = reached.max((other.saturating_sub(*turned)) * 60 / n);
                    }
                }
            }
        }
        assert_eq!(reached, 60, "some pair uses all of ε");
    }
}

/// The noise of a question is that of its n: η(1) < η(2), and each is 1/(1 + e^(ε/n)).
#[test]
fn the_noise_follows_from_the_number_of_fragments() {
    let terms = terms(2, 1, 5);
    for n in 1..=5_usize {
        let eta = response(&terms.epsilon, n).unwrap().flip().as_f64();
        assert!((eta - 1.0 / (1.0 + (2.0 / n as f64).exp())).abs() < 1e-15);
    }
}

#[test]
fn asking_again_brings_nothing_new_so_averaging_fails() {
    let terms = terms(3, 1, 1);
    let asked = question(&terms, vec![2]);
    let mut rng = RandomSource::insecure_seed(5).stream();
    let mut means = [0_u32; 2];
    for _ in 0..40 {
        let mut client = Client::join(&terms, &limits(), &[0, 2, 1], &mut rng).unwrap();
        let yes: u64 = (0..10_000)
            .map(|_| client.answer(&asked, &mut rng).unwrap().bits)
            .sum();
        assert!(
            yes == 0 || yes == 10_000,
            "a mean of {yes} tells more than one answer"
        );
        means[usize::from(yes > 0)] += 1;
    }
    // At ε = 2 a single answer is wrong with probability 0.12: the average is no better.
    assert!(means[0] > 0 && means[1] > means[0], "{means:?}");
}

#[test]
fn a_second_different_question_is_refused() {
    let terms = terms(3, 2, 2);
    let mut rng = RandomSource::insecure_seed(6).stream();
    let mut client = Client::join(&terms, &limits(), &[0, 1], &mut rng).unwrap();
    let first = question(&terms, vec![0, 1]);
    let given = client.answer(&first, &mut rng).unwrap();
    for other in [
        question(&terms, vec![1, 0]),
        question(&terms, vec![0, 1, 0, 1]),
        Question {
            block: 1,
            ..first.clone()
        },
    ] {
        assert!(client.answer(&other, &mut rng).is_err());
    }
    assert_eq!(client.answer(&first, &mut rng).unwrap(), given);
}

#[test]
fn questions_beyond_the_terms_are_refused_and_leave_the_client_free() {
    let terms = terms(3, 2, 2);
    let mut rng = RandomSource::insecure_seed(7).stream();
    let mut client = Client::join(&terms, &limits(), &[], &mut rng).unwrap();
    let good = question(&terms, vec![0, 1]);
    let changed = |change: fn(&mut Question)| {
        let mut question = good.clone();
        change(&mut question);
        question
    };
    for bad in [
        changed(|q| q.campaign += 1),
        changed(|q| q.round = 0),
        changed(|q| q.round = u32::MAX),
        changed(|q| q.length = 1),
        changed(|q| q.length = 0),
        changed(|q| q.codes = vec![]),
        changed(|q| q.codes = vec![0, 1, 0]),
        changed(|q| q.codes = vec![0; 6]),
        changed(|q| q.codes = vec![0, 3]),
    ] {
        assert!(client.answer(&bad, &mut rng).is_err(), "{bad:?}");
    }
    assert!(client.answer(&good, &mut rng).is_ok());
}

#[test]
fn short_and_empty_trajectories_answer() {
    let terms = terms(3, 3, 1);
    let asked = question(&terms, vec![0, 1, 2]);
    let mut rng = RandomSource::insecure_seed(8).stream();
    for trajectory in [&[][..], &[0], &[0, 1]] {
        let yes: u64 = (0..400)
            .map(|_| {
                let mut client = Client::join(&terms, &limits(), trajectory, &mut rng).unwrap();
                client.answer(&asked, &mut rng).unwrap().bits
            })
            .sum();
        assert!((1..200).contains(&yes), "{yes}: noise says yes at times");
    }
}

#[test]
fn a_campaign_beyond_the_limits_is_not_joined() {
    let terms = terms(3, 3, 2);
    let mut rng = RandomSource::insecure_seed(9).stream();
    let changes: [fn(&mut Limits); 3] = [
        |l| l.epsilon = "1.99".parse().unwrap(),
        |l| l.per_client = 1,
        |l| l.length = 2,
    ];
    for change in changes {
        let mut limits = limits();
        change(&mut limits);
        assert!(Client::join(&terms, &limits, &[], &mut rng).is_err());
    }
    assert!(Client::join(&terms, &limits(), &[], &mut rng).is_ok());
}

proptest! {
    #[test]
    fn containment_is_that_of_all_windows(
        trajectory in proptest::collection::vec(0_u32..3, 0..20),
        fragment in proptest::collection::vec(0_u32..3, 1..9),
    ) {
        let expected = (0..trajectory.len()).any(|at| trajectory[at..].starts_with(&fragment));
        prop_assert_eq!(contains(&trajectory, &fragment), expected);
    }
}
