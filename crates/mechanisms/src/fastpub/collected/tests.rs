//! A campaign of real clients in one process, published, and held against the simulator's form.

use std::sync::Arc;

use wayveil_core::{
    Booking, Books, Collected, Origin, RandomSource, Result, Silent, Spend, Universe,
    publish_collected,
};
use wayveil_federated::campaign::Parameters;
use wayveil_federated::client::{Client, Limits};
use wayveil_federated::collector::Collector;
use wayveil_federated::message::Terms;

use super::*;

/// Population, ε, fingerprint and name of answers.
type Told = (String, String, Option<String>, Option<[u8; 32]>);

/// Books that remember what they were told.
#[derive(Default)]
struct Remembered(Vec<Told>);

impl Books for Remembered {
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking> {
        let cost = spend.cost.amount().map(|it| it.epsilon.exact_text());
        self.0.push((
            spend.population().to_owned(),
            cost.unwrap_or_default(),
            spend.fingerprint(&[0; 32]),
            spend.answers().copied(),
        ));
        Ok(Booking {
            entry: "entry".into(),
            warnings: Vec::new(),
        })
    }

    fn done(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
}

const PEOPLE: u64 = 20_000;

fn campaign() -> Campaign {
    let epsilon = "4".parse().unwrap();
    Campaign::new(Parameters::repaired(4, 2, PEOPLE, 2_000, epsilon)).unwrap()
}

fn trajectory(person: u64) -> Vec<u32> {
    match person % 3 {
        0 => vec![0, 1, 2],
        1 => vec![1, 2],
        _ => vec![3],
    }
}

/// Every person by a client of their own, by messages in bytes.
fn held(seed: u64) -> Findings {
    let mut rng = RandomSource::insecure_seed(seed).stream();
    let mut collector = Collector::new(campaign()).unwrap();
    let bytes = Terms::of(collector.campaign()).encode().unwrap();
    let terms = Terms::decode(&bytes).unwrap();
    let limits = Limits {
        epsilon: "4".parse().unwrap(),
        per_client: 1,
        length: 2,
    };
    let mut clients: Vec<Client<'_>> = (0..PEOPLE)
        .map(|it| Client::join_for_good(terms.clone(), &limits, trajectory(it), &mut rng).unwrap())
        .collect();
    while let Some(round) = collector.open() {
        let round = round.clone();
        for client in &mut clients {
            if client.round() == Some(round.index() as u32) {
                let question = round.question(round.block_of(client.place()));
                let answer = client.answer(&question, &mut rng).unwrap();
                collector.record(&answer).unwrap();
            }
        }
        collector.close().unwrap();
    }
    collector.finish()
}

fn people(units: u64) -> Collected {
    let labels = ["a", "b", "c", "d"].map(String::from);
    let origin = Origin::Declared("a test".into());
    Collected {
        universe: Arc::new(Universe::from_labels(labels, origin).unwrap()),
        population: "phones".into(),
        units,
        answers: [7; 32],
    }
}

#[test]
fn a_campaign_is_booked_and_published_with_a_local_promise() {
    let findings = held(1);
    let frequent: Vec<Vec<u32>> = findings.released().map(|it| it.fragment.clone()).collect();
    assert!(frequent.contains(&vec![1, 2]), "{frequent:?}");
    let about = "Every person has one token.";
    let method = CollectedCampaign::new(campaign(), findings.clone(), vec![about.into()], vec![]);
    let mut books = Remembered::default();
    let mut random = RandomSource::insecure_seed(2);
    let booked =
        publish_collected(&people(PEOPLE), &method, &mut books, &mut random, &Silent).unwrap();
    assert_eq!(
        books.0,
        [("phones".into(), "4".into(), None, Some([7; 32]))]
    );
    let release = booked.release();
    let fragments = release.fragments().unwrap();
    assert_eq!(fragments.count.len(), frequent.len());
    assert_eq!(release.trajectories().len() as u64, PEOPLE);
    let manifest = release.manifest();
    assert!(manifest.guarantee.model.is_local());
    assert!(manifest.guarantee.rests_on.iter().any(|it| it == about));
    assert_eq!(manifest.public_inputs.units, Some(PEOPLE));
    assert_eq!(manifest.method.variant, "collected");
    // A fixed seed is never publishable.
    assert!(!manifest.publishable);
}

#[test]
fn it_goes_through_no_other_door_and_for_nobody_else() {
    let method = CollectedCampaign::new(campaign(), held(1), vec![], vec![]);
    let mut random = RandomSource::insecure_seed(2);
    let other = people(PEOPLE + 1);
    let refused = publish_collected(
        &other,
        &method,
        &mut Remembered::default(),
        &mut random,
        &Silent,
    );
    assert!(refused.unwrap_err().message().contains("its own people"));
    // A method that needs records in the house is refused before it is charged.
    let given = [("epsilon", "1")];
    let entry = crate::find("weave").unwrap();
    let parameters = crate::Parameters::new(entry.parameters, given).unwrap();
    let weave = (entry.build)(&parameters).unwrap();
    let mut books = Remembered::default();
    let refused = publish_collected(&people(5), weave.as_ref(), &mut books, &mut random, &Silent);
    assert!(
        refused
            .unwrap_err()
            .message()
            .contains("before they were sent")
    );
    assert!(books.0.is_empty());
}
