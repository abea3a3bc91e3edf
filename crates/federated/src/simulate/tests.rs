//! The engines against each other, and against clients that really speak the protocol.

use rand_core::Rng;
use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::statistics::{assert_plausible, assert_rejected, same_distribution};

use super::*;
use crate::campaign::{Control, Form, Parameters};
use crate::client::{Client, Limits};
use crate::collector::{Collector, Findings};
use crate::message::{Answer, Question, Terms};

const RECORDS: [&[u32]; 9] = [
    &[0, 1, 2],
    &[0, 1, 0, 1],
    &[1, 2],
    &[2],
    &[],
    &[0, 0, 1],
    &[1, 2, 0],
    &[0, 1],
    &[2, 2, 2, 1],
];

fn parameters(clients: &Clients<'_>, form: Form) -> Parameters {
    let new = match form {
        Form::AsPublished => Parameters::as_published,
        Form::Repaired => Parameters::repaired,
    };
    let mut parameters = new(3, 2, clients.len(), clients.len() / 3, "2".parse().unwrap());
    parameters.xi = 0.05;
    parameters
}

fn campaign(parameters: &Parameters) -> Campaign {
    Campaign::new(parameters.clone()).unwrap()
}

/// The campaign by messages: every client joins, waits for its round, and answers in bytes.
fn by_messages(
    parameters: &Parameters,
    clients: &Clients<'_>,
    options: &Options,
    source: &mut RandomSource,
) -> Findings {
    let mut rng = source.stream();
    let mut collector = Collector::new(campaign(parameters)).unwrap();
    let terms = Terms::of(collector.campaign()).encode().unwrap();
    let terms = Terms::decode(&terms).unwrap();
    let limits = Limits {
        epsilon: "2".parse().unwrap(),
        per_client: 5,
        length: 2,
    };
    let mut joined: Vec<Client<'_>> = (0..clients.len())
        .map(|at| {
            let trajectory = clients.records.codes_of((at / clients.per_record) as usize);
            Client::join(&terms, &limits, trajectory, &mut rng).unwrap()
        })
        .collect();
    while let Some(round) = collector.open().cloned() {
        let here = |client: &&mut Client<'_>| client.round() == Some(round.index() as u32);
        for client in joined.iter_mut().filter(here) {
            if (rng.next_u64() as f64) < options.drop_out * 2_f64.powi(64) {
                continue;
            }
            let question = round.question(round.block_of(client.place()));
            let question = Question::decode(&question.encode()).unwrap();
            let mut answer = client.answer(&question, &mut rng).unwrap();
            if (rng.next_u64() as f64) < options.poison * 2_f64.powi(64) {
                answer.bits = u64::MAX >> (64 - answer.fragments);
            }
            let answer = Answer::decode(&answer.encode()).unwrap();
            collector.record(&answer).unwrap();
        }
        collector.close().unwrap();
    }
    collector.finish()
}

/// What is compared: for some fragments how many answered and said yes in each phase, in coarse
/// cells, and what was decided.
#[derive(Default)]
struct Seen(Vec<[u64; 64]>);

impl Seen {
    fn add(&mut self, findings: &Findings, scale: u64) {
        let probes: [&[u32]; 4] = [&[0], &[2], &[0, 1], &[2, 2]];
        let mut values = Vec::new();
        for probe in probes {
            let found = findings.fragments.iter().find(|f| f.fragment == probe);
            let phases = found.map_or(&[][..], |f| &f.history.phases);
            for phase in 0..4 {
                let cell = |pick: fn(&crate::decide::sequential::Phase) -> u64| {
                    phases.get(phase).map_or(0, |p| 1 + pick(p) / scale)
                };
                values.push(cell(|p| p.asked));
                values.push(cell(|p| p.yes));
            }
            values.push(found.map_or(0, |f| 1 + u64::from(f.released)));
        }
        values.push(findings.fragments.len() as u64);
        values.push(findings.traffic.clients / (8 * scale));
        self.0.resize(values.len(), [0; 64]);
        for (cells, value) in self.0.iter_mut().zip(values) {
            cells[value.min(63) as usize] += 1;
        }
    }

    /// Each value has the same law in both, as far as it varies at all.
    fn assert_like(&self, other: &Seen, what: &str) {
        let mut compared = 0;
        for (at, (left, right)) in self.0.iter().zip(&other.0).enumerate() {
            if let Ok(outcome) = same_distribution(left, right) {
                assert!(!outcome.rejects(), "{what}, value {at}: {outcome}");
                compared += 1;
            } else {
                let most = |cells: &[u64; 64]| (0..64).max_by_key(|&cell| cells[cell]);
                assert_eq!(most(left), most(right), "{what}, value {at}");
            }
        }
        assert!(compared >= 10, "{what}: only {compared} values vary");
    }

    fn asked_of_first(&self) -> &[u64; 64] {
        &self.0[0]
    }
}

#[test]
fn the_engines_and_the_messages_have_one_law() {
    let records = Sequences::from_codes(RECORDS);
    let clients = Clients {
        records: &records,
        per_record: 60,
    };
    let mut per_client_asked = Vec::new();
    for (form, per_client_max, options) in [
        (Form::Repaired, 1, Options::default()),
        (
            Form::Repaired,
            2,
            Options {
                drop_out: 0.3,
                poison: 0.1,
            },
        ),
        (Form::AsPublished, 5, Options::default()),
        (
            Form::AsPublished,
            2,
            Options {
                drop_out: 0.2,
                poison: 0.2,
            },
        ),
    ] {
        let mut parameters = parameters(&clients, form);
        parameters.per_client = per_client_max;
        let mut source = RandomSource::insecure_seed(31);
        let mut supports = Supports::new(clients);
        let mut seen: [Seen; 3] = Default::default();
        for repeat in 0..2000 {
            let one = per_client(campaign(&parameters), &clients, &options, &mut source).unwrap();
            seen[0].add(&one, 4);
            let two = aggregated(campaign(&parameters), &mut supports, &options, &mut source);
            seen[1].add(&two.unwrap(), 4);
            // Real clients find their noise anew each time, which takes long.
            if repeat % 8 == 0 {
                let three = by_messages(&parameters, &clients, &options, &mut source);
                seen[2].add(&three, 4);
            }
        }
        let what = format!("{form:?} with {per_client_max}, {options:?}");
        seen[0].assert_like(&seen[1], &format!("{what}: aggregated"));
        seen[0].assert_like(&seen[2], &format!("{what}: by messages"));
        per_client_asked.push(*seen[0].asked_of_first());
    }
    // The comparison can fail: other options are told apart.
    let [plain, dropped] = [per_client_asked[0], per_client_asked[1]];
    assert_rejected(&same_distribution(&plain, &dropped).unwrap());
    assert_plausible(&same_distribution(&plain, &plain).unwrap());
}

#[test]
fn results_do_not_depend_on_threads() {
    let records = Sequences::from_codes((0..40_000_u32).map(|i| [i % 5, i / 7 % 5, i / 3 % 5]));
    let clients = Clients {
        records: &records,
        per_record: 20,
    };
    let mut parameters = Parameters::repaired(5, 3, clients.len(), 40_000, "2".parse().unwrap());
    parameters.control = Control::FamilyWise;
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut source = RandomSource::insecure_seed(3);
            per_client(
                campaign(&parameters),
                &clients,
                &Options::default(),
                &mut source,
            )
            .unwrap()
        })
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert!(one.released().count() > 5);
}

#[test]
fn supports_are_those_of_brute_force() {
    let records = Sequences::from_codes(RECORDS);
    let clients = Clients {
        records: &records,
        per_record: 7,
    };
    let mut supports = Supports::new(clients);
    for length in 1..=3_usize {
        let all: Vec<Vec<u32>> = (0..3_u32.pow(length as u32))
            .map(|n| (0..length).map(|at| n / 3_u32.pow(at as u32) % 3).collect())
            .collect();
        let expected: Vec<u64> = all
            .iter()
            .map(|fragment| {
                let has = |record: &&&[u32]| record.windows(length).any(|w| w == fragment);
                7 * RECORDS.iter().filter(has).count() as u64
            })
            .collect();
        assert_eq!(supports.of(length, &all.concat()).unwrap(), expected);
        assert_eq!(supports.of(length, &all[0]).unwrap(), expected[..1]);
    }
}

#[test]
fn clients_that_are_not_the_campaigns_are_refused() {
    let records = Sequences::from_codes(RECORDS);
    let clients = Clients {
        records: &records,
        per_record: 10,
    };
    let good = parameters(&clients, Form::Repaired);
    let mut source = RandomSource::insecure_seed(1);
    let mut run = |parameters: &Parameters, options: &Options| {
        per_client(campaign(parameters), &clients, options, &mut source).is_ok()
    };
    assert!(run(&good, &Options::default()));
    let mut fewer = good.clone();
    fewer.population -= 1;
    assert!(!run(&fewer, &Options::default()));
    let mut smaller = good.clone();
    smaller.locations = 2;
    assert!(!run(&smaller, &Options::default()));
    for (drop_out, poison) in [(-0.1, 0.0), (0.0, 1.5), (f64::NAN, 0.0)] {
        assert!(!run(&good, &Options { drop_out, poison }));
    }
    let everyone_leaves = Options {
        drop_out: 1.0,
        poison: 0.0,
    };
    assert!(run(&good, &everyone_leaves));
}

#[test]
fn the_floor_asks_as_many_clients() {
    let records = Sequences::from_codes(RECORDS);
    let clients = Clients {
        records: &records,
        per_record: 20_000,
    };
    let parameters = parameters(&clients, Form::Repaired);
    let mut source = RandomSource::insecure_seed(2);
    let asked = check_only(campaign(&parameters), &clients, &mut source).unwrap();
    let options = Options::default();
    let findings = per_client(campaign(&parameters), &clients, &options, &mut source).unwrap();
    let really = findings.traffic.clients;
    assert!(really > clients.len() / 2, "{really}");
    assert!(
        asked.abs_diff(really) < clients.len() / 50,
        "{asked} {really}"
    );
}
