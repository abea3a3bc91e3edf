use proptest::prelude::*;
use wayveil_core::RandomSource;

use super::*;
use crate::campaign::{Campaign, Parameters};
use crate::client::Limits;

fn terms(per_client: u32) -> Terms {
    let mut parameters = Parameters::repaired(5, 2, 1000, 10, "2".parse().unwrap());
    parameters.id = 77;
    parameters.per_client = per_client;
    // All clients in one round of the last length.
    parameters.shares = vec![vec![0.0], vec![1.0]];
    Terms::of(&Campaign::new(parameters).unwrap())
}

fn limits() -> Limits {
    Limits {
        epsilon: "2".parse().unwrap(),
        per_client: 5,
        length: 5,
    }
}

fn question(codes: Vec<u32>) -> Question {
    Question {
        campaign: 77,
        round: 1,
        block: 3,
        length: 2,
        codes,
    }
}

fn joined(seed: u64) -> Client<'static> {
    let mut rng = RandomSource::insecure_seed(seed).stream();
    Client::join_for_good(terms(2), &limits(), vec![0, 1, 2], &mut rng).unwrap()
}

fn through_bytes(client: &Client<'_>, trajectory: Vec<u32>) -> Client<'static> {
    let saved = Saved::decode(&client.save().encode()).unwrap();
    Client::restore(terms(2), trajectory, saved).unwrap()
}

#[test]
fn a_restored_client_gives_the_same_answer_and_refuses_another_question() {
    let asked = question(vec![0, 1, 3, 4]);
    for seed in 0..50 {
        let mut client = joined(seed);
        let mut rng = RandomSource::insecure_seed(1000 + seed).stream();
        let given = client.answer(&asked, &mut rng).unwrap();
        // Another trajectory and other noise change nothing.
        let mut restored = through_bytes(&client, vec![4, 4]);
        assert_eq!(restored.answer(&asked, &mut rng).unwrap(), given);
        assert_eq!(restored.save(), client.save());
        assert_eq!(restored.save().given(), Some(&given));
        for other in [question(vec![0, 1]), question(vec![0, 1, 3, 3])] {
            assert!(restored.answer(&other, &mut rng).is_err());
        }
    }
}

#[test]
fn round_and_place_are_drawn_once() {
    let client = joined(3);
    let restored = through_bytes(&client, vec![]);
    assert_eq!(restored.round(), Some(1));
    assert_eq!(restored.place(), client.place());
    assert!(restored.save().given().is_none());
    let not_drawn = Saved {
        round: None,
        place: 5,
        given: None,
    };
    assert_eq!(Saved::decode(&not_drawn.encode()).unwrap(), not_drawn);
    let mut left_out = Client::restore(terms(2), vec![], not_drawn).unwrap();
    let mut rng = RandomSource::insecure_seed(1).stream();
    assert!(left_out.answer(&question(vec![0, 1]), &mut rng).is_err());
}

#[test]
fn what_does_not_fit_the_terms_is_refused() {
    let mut rng = RandomSource::insecure_seed(9).stream();
    let mut client = joined(9);
    client
        .answer(&question(vec![0, 1, 3, 4]), &mut rng)
        .unwrap();
    let sound = client.save();
    assert!(Client::restore(terms(2), vec![], sound.clone()).is_ok());
    // Terms that allow one fragment only.
    assert!(Client::restore(terms(1), vec![], sound.clone()).is_err());
    let mut other = terms(2);
    other.campaign = 78;
    assert!(Client::restore(other, vec![], sound.clone()).is_err());
    let changed = |change: fn(&mut Saved)| {
        let mut saved = sound.clone();
        change(&mut saved);
        Client::restore(terms(2), vec![], saved).is_err()
    };
    assert!(changed(|saved| saved.round = Some(2)));
    assert!(changed(|saved| saved.round = Some(0)));
    assert!(changed(|saved| saved.round = None));
    assert!(changed(|saved| saved.given.as_mut().unwrap().1.block = 0));
    assert!(changed(
        |saved| saved.given.as_mut().unwrap().1.fragments = 1
    ));
    assert!(changed(|saved| saved.given.as_mut().unwrap().1.campaign = 1));
}

proptest! {
    /// Nothing panics, and what is read is written back the same.
    #[test]
    fn any_bytes_are_read_or_refused(at: usize, to: u8, cut: Option<u8>, answered: bool) {
        let mut client = joined(4);
        if answered {
            let mut rng = RandomSource::insecure_seed(5).stream();
            client.answer(&question(vec![0, 1]), &mut rng).unwrap();
        }
        let mut bytes = client.save().encode();
        let at = at % bytes.len();
        bytes[at] = to;
        bytes.truncate(cut.map_or(usize::MAX, usize::from));
        if let Ok(saved) = Saved::decode(&bytes) {
            prop_assert_eq!(saved.encode(), bytes);
        }
    }
}
