//! People with phones, in one process.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand_core::Rng;
use wayveil_admission::{Admission, Submission};
use wayveil_core::{Origin, RandomSource, Universe};
use wayveil_federated::campaign::{Campaign, Parameters};
use wayveil_federated::client::{Client, Limits};
use wayveil_federated::collector::Round;
use wayveil_federated::message::{Answer, Question, Terms};

use crate::campaign_file::{RoundRule, RoundRules};
use crate::engine::{Clock, Setup};
use crate::gate::Admit;

/// A clock that stands still until it is moved.
#[derive(Clone, Default)]
pub(crate) struct HandClock(Arc<Mutex<Duration>>);

impl HandClock {
    pub(crate) fn set(&self, now: Duration) {
        *self.0.lock().unwrap() = now;
    }

    pub(crate) fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for HandClock {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }
}

/// A campaign of six places and fragments of up to two, whose rounds are open for 25 s.
pub(crate) fn setup(clients: u64, enough: Option<u64>) -> Arc<Setup> {
    let labels = ["quay", "mill", "hill", "gate", "dock", "park"];
    let universe = Universe::from_labels(labels, Origin::Declared("test".into())).unwrap();
    let mut parameters = Parameters::repaired(6, 2, clients, clients / 5, "6".parse().unwrap());
    parameters.id = 77;
    Arc::new(Setup {
        name: "test".into(),
        universe,
        campaign: Campaign::new(parameters).unwrap(),
        rounds: RoundRules::all(RoundRule {
            open_for: Duration::from_secs(25),
            quorum: 2,
            enough,
        }),
        admit: Admit::Open,
    })
}

/// One person's phone.
pub(crate) struct Person {
    client: Client<'static>,
    source: RandomSource,
    nonce: [u8; 16],
    pub(crate) admission: Admission,
    pub(crate) given: Option<Answer>,
}

impl Person {
    /// So many people, most of whom go from quay to mill.
    pub(crate) fn crowd(setup: &Setup, people: u64) -> Vec<Self> {
        let terms = Terms::of(&setup.campaign);
        (0..people).map(|seed| Self::new(&terms, seed)).collect()
    }

    fn new(terms: &Terms, seed: u64) -> Self {
        let mut source = RandomSource::insecure_seed(seed);
        let mut rng = source.stream();
        let trajectory = match rng.next_u64() % 4 {
            0 => vec![rng.next_u64() as u32 % 6, rng.next_u64() as u32 % 6],
            _ => vec![0, 1, rng.next_u64() as u32 % 6],
        };
        let limits = Limits {
            epsilon: "10".parse().unwrap(),
            per_client: 5,
            length: 5,
        };
        let (mut nonce, mut ticket) = ([0; 16], [0; 32]);
        rng.fill_bytes(&mut nonce);
        rng.fill_bytes(&mut ticket);
        Self {
            client: Client::join_for_good(terms.clone(), &limits, trajectory, &mut rng).unwrap(),
            source,
            nonce,
            admission: Admission::Ticket(ticket),
            given: None,
        }
    }

    pub(crate) fn round(&self) -> Option<u32> {
        self.client.round()
    }

    /// The word that says which question this person gets.
    pub(crate) fn place(&self) -> u64 {
        self.client.place()
    }

    /// The answer to a question, the same every time.
    pub(crate) fn answer(&mut self, question: &Question) -> Answer {
        let mut rng = self.source.stream();
        let answer = self.client.answer(question, &mut rng).unwrap();
        *self.given.insert(answer)
    }

    /// The bytes that this person sends, the same every time.
    pub(crate) fn submission(&mut self, round: &Round) -> Vec<u8> {
        self.claiming(round, |_| {})
    }

    /// What this person sent before.
    pub(crate) fn again(&self) -> Vec<u8> {
        self.sealed(self.given.unwrap(), self.nonce)
    }

    /// The same with the answer changed.
    pub(crate) fn claiming(&mut self, round: &Round, change: impl FnOnce(&mut Answer)) -> Vec<u8> {
        let mut answer = self.answer(&round.question(round.block_of(self.place())));
        change(&mut answer);
        self.sealed(answer, self.nonce)
    }

    /// What this person sent before, as an answer of a round that it was not meant for.
    pub(crate) fn reusing(&self, round: &Round, index: u32) -> Vec<u8> {
        let answer = Answer {
            round: index,
            block: 0,
            fragments: round.fragments(0) as u32,
            ..self.given.unwrap()
        };
        self.sealed(answer, self.nonce)
    }

    pub(crate) fn with_other_nonce(&mut self, round: &Round) -> Vec<u8> {
        self.submission(round);
        self.sealed(self.given.unwrap(), [0; 16])
    }

    fn sealed(&self, answer: Answer, nonce: [u8; 16]) -> Vec<u8> {
        let submission = Submission {
            answer,
            nonce,
            admission: self.admission.clone(),
        };
        submission.encode()
    }
}
