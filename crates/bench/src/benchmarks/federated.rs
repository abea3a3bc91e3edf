//! A whole federated campaign with every client by itself, beside one pass that only checks every
//! drawn client's trajectory for what it is asked about.
//!
//! The floor is the same campaign without the clients' noise: it draws the same clients into the same
//! rounds, looks for the same candidates, and adds the noise of all clients of a question at once, so that
//! the next candidates have the same law.

use std::hint::black_box;

use wayveil_core::{NonPrivate, RandomSource, Sequences, Silent};
use wayveil_federated::campaign::{Campaign, Parameters};
use wayveil_federated::simulate::{Clients, Options, check_only, per_client};
use wayveil_io::generate::{GenerateOptions, Preset, generate};

use super::{Benchmark, Effort};
use crate::growth::Size;
use crate::report::{Comparison, Goal};
use crate::rounds::{Times, Work, interleaved};
use crate::{memory, msnbc};

const LENGTH: u32 = 5;
const EPSILON: &str = "2";

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "federated",
    about: "a campaign of 47 million simulated clients, beside checking their trajectories",
    run,
};

pub(super) const BY_CLIENTS: Benchmark = Benchmark {
    name: "federated-by-clients",
    about: "a campaign of 6 to 47 million simulated clients, beside checking their trajectories",
    run: by_clients,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    let mut comparisons = Vec::new();
    let file = msnbc::beside_workspace();
    if file.is_file() {
        let visits = msnbc::read_codes(&file)?;
        comparisons.extend(compare(effort, "MSNBC", &visits, msnbc::PAGES)?);
    } else {
        eprintln!(
            "federated: there is no shared/data/msnbc beside the workspace, so that it is left out"
        );
    }
    let (vehicles, locations) = oldenburg(effort)?;
    comparisons.extend(compare(effort, "oldenburg", &vehicles, locations)?);
    Ok(comparisons)
}

fn oldenburg(effort: Effort) -> Result<(Sequences, u32), String> {
    let options = GenerateOptions {
        records: match effort {
            Effort::Quick => Some(5_000),
            Effort::Full => None,
        },
        ..GenerateOptions::default()
    };
    let mut random = RandomSource::insecure_seed(7);
    let raw = generate(Preset::Oldenburg, &options, &mut random, &Silent);
    let because = NonPrivate::because("simulates clients with generated trajectories, to be timed");
    let codes = raw.map_err(|e| e.to_string())?.inspect(because, |data| {
        let records = Sequences::from_codes(data.trips().iter());
        (records, data.universe().len() as u32)
    });
    Ok(codes.for_publisher_only())
}

/// Vehicles that stand for more and more clients.
fn by_clients(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (vehicles, locations) = oldenburg(effort)?;
    let mut comparisons = Vec::new();
    for part in [8, 4, 2, 1] {
        let (rounds, wanted) = clients(effort);
        let of_size = of_size("oldenburg", &vehicles, locations, rounds, wanted / part)?;
        comparisons.extend(of_size.into_iter().filter(|it| it.size.is_some()));
    }
    Ok(comparisons)
}

/// Rounds, and how many clients there are at least.
fn clients(effort: Effort) -> (usize, u64) {
    match effort {
        Effort::Quick => (1, 200_000),
        Effort::Full => (5, 47_000_000),
    }
}

fn compare(
    effort: Effort,
    name: &str,
    records: &Sequences,
    locations: u32,
) -> Result<Vec<Comparison>, String> {
    let (rounds, wanted) = clients(effort);
    of_size(name, records, locations, rounds, wanted)
}

fn of_size(
    name: &str,
    records: &Sequences,
    locations: u32,
    rounds: usize,
    wanted: u64,
) -> Result<Vec<Comparison>, String> {
    let text = |error: wayveil_core::Error| error.to_string();
    let io = |error: std::io::Error| error.to_string();
    let clients = Clients {
        records,
        per_record: wanted.div_ceil(records.len().max(1) as u64),
    };
    // The paper's smallest share: 100,000 of 4.7·10⁷.
    let k = (clients.len() / 470).max(1);
    let epsilon = || EPSILON.parse().map_err(text);
    let repaired = Parameters::repaired(locations, LENGTH, clients.len(), k, epsilon()?);
    let published = Parameters::as_published(locations, LENGTH, clients.len(), k, epsilon()?);
    let mut comparisons = Vec::new();
    for (form, parameters) in [("repaired", repaired), ("as published", published)] {
        let campaign = || Campaign::new(parameters.clone()).map_err(text);
        let case = format!("{name}, {} clients, {form}", clients.len());
        memory::reset_peak().map_err(io)?;
        let loaded = memory::peak_rss_bytes().map_err(io)?;
        let mut random = RandomSource::insecure_seed(11);
        let options = Options::default();
        let found = per_client(campaign()?, &clients, &options, &mut random).map_err(text)?;
        let peak = memory::peak_rss_bytes().map_err(io)?;

        let mut ours_random = RandomSource::insecure_seed(12);
        let mut floor_random = RandomSource::insecure_seed(13);
        let mut ours = || {
            let found = per_client(campaign()?, &clients, &options, &mut ours_random);
            found.map(|found| drop(black_box(found))).map_err(text)
        };
        let mut floor = || {
            let asked = check_only(campaign()?, &clients, &mut floor_random);
            asked.map(|asked| _ = black_box(asked)).map_err(text)
        };
        let units = found.traffic.clients;
        let work = |run| Work { run, units };
        let (ours, peer) = interleaved(rounds, work(&mut ours), work(&mut floor))?;
        comparisons.push(Comparison {
            case: case.clone(),
            unit: "ns/client",
            peer_name: "checks",
            ours,
            peer,
            goal: Goal::ratio(1.0 / 3.0),
            size: Size::new("clients", clients.len() as f64, format!("{name}, {form}")),
        });
        comparisons.push(Comparison {
            case: format!("{case}, peak memory"),
            unit: "MiB",
            peer_name: "before",
            ours: Times::mebibytes(peak),
            peer: Times::mebibytes(loaded),
            goal: Goal::default(),
            size: None,
        });
    }
    Ok(comparisons)
}
