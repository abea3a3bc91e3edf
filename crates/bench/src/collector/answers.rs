//! Answers in a second, durable and with tokens, beside a handler that does nothing behind the same TLS.
//!
//! Both services are processes of their own. Blocks of requests go to one and to the other in turn,
//! so that a slow minute of the machine hits both. The asking side takes part of the machine in both
//! cases, which makes ours look nearer to nothing than it is; the ratio of the processor time that the
//! two services use for one answer does not have this flaw, and is printed too.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tokio::task::JoinSet;
use wayveil_admission::{Admission, IssuerKey, Submission, TokenRequest};
use wayveil_collector::ask::{Asker, Heard, Http, Kept};
use wayveil_collector::campaign_file::CampaignFile;
use wayveil_core::RandomSource;
use wayveil_federated::collector::Collector;
use wayveil_federated::message::Answer;

use super::process::Process;
use super::scene::{Asked, Scene, free_port};
use crate::report::{Comparison, Goal};
use crate::rounds::Times;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Load {
    /// This program, which is also `wayveil` under that name.
    pub program: PathBuf,
    /// `sqlite`, or a connection string of PostgreSQL.
    pub store: String,
    /// Answers of one block.
    pub block: usize,
    /// Blocks of each kind.
    pub blocks: usize,
    /// Requests on their way at the same time.
    pub at_once: usize,
    /// Whether answers come with tokens.
    pub tokens: bool,
}

/// One way of connecting, measured.
#[derive(Clone, Debug)]
pub struct Measured {
    way: &'static str,
    /// At least so many of the floor's answers should be ours.
    goal: Goal,
    /// Answers in a second, of each block.
    ours: Vec<f64>,
    floor: Vec<f64>,
    latencies: Vec<Duration>,
    /// Milliseconds of processor time for an answer: ours, and nothing.
    processor: (f64, f64),
}

impl Measured {
    /// Our answers in a second over those of the floor, by medians.
    pub fn ratio(&self) -> f64 {
        median(&self.ours) / median(&self.floor)
    }

    /// For tables: microseconds for an answer, and of processor time for it.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let seconds = |rates: &[f64]| Times::new(rates.iter().map(|rate| 1e6 / rate).collect());
        let milliseconds = |value: f64| Times::new(vec![value * 1000.0]);
        let sides = [
            ("", seconds(&self.ours).zip(seconds(&self.floor)), self.goal),
            (
                ", processor time",
                milliseconds(self.processor.0).zip(milliseconds(self.processor.1)),
                Goal::default(),
            ),
        ];
        let comparison = |(what, sides, goal): (&str, Option<(Times, Times)>, Goal)| {
            let (ours, peer) = sides?;
            Some(Comparison {
                case: format!("{}{what}", self.way),
                unit: "µs/answer",
                peer_name: "nothing",
                ours,
                peer,
                goal,
                size: None,
            })
        };
        sides.into_iter().filter_map(comparison).collect()
    }

    fn percentile(&self, per_cent: usize) -> f64 {
        let mut sorted = self.latencies.clone();
        sorted.sort();
        let at = (sorted.len() * per_cent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).map_or(0.0, |it| it.as_secs_f64() * 1e3)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:18} ours {:6.0}/s  nothing {:6.0}/s  ratio {:.2}  p50 {:.1} ms  p99 {:.1} ms  processor {:.2} and {:.2} ms ({:.2})",
            self.way,
            median(&self.ours),
            median(&self.floor),
            self.ratio(),
            self.percentile(50),
            self.percentile(99),
            self.processor.0,
            self.processor.1,
            self.processor.1 / self.processor.0,
        )
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Measures with a new connection for every answer, and with connections that are kept.
pub fn run(load: &Load) -> Result<Vec<Measured>, String> {
    let bench = Bench::open(load)?;
    let runtime = tokio::runtime::Runtime::new().map_err(|cause| cause.to_string())?;
    let mut made = bench.submissions(2 * load.block * load.blocks)?.into_iter();
    let mut measured = Vec::new();
    let ways = [
        ("new connections", false, Goal::ratio(0.5)),
        ("kept connections", true, Goal::default()),
    ];
    for (way, kept, goal) in ways {
        let (mut ours, mut floor, mut latencies) = (Vec::new(), Vec::new(), Vec::new());
        let before = bench.processor();
        for _ in 0..load.blocks {
            let block: Vec<Vec<u8>> = made.by_ref().take(load.block).collect();
            let nothing = runtime.block_on(send(&bench.nothing, &block, load.at_once, kept))?;
            let counted = runtime.block_on(send(&bench.collector, &block, load.at_once, kept))?;
            floor.push(load.block as f64 / nothing.0.as_secs_f64());
            ours.push(load.block as f64 / counted.0.as_secs_f64());
            latencies.extend(counted.1);
        }
        let (after, all) = (
            bench.processor(),
            (load.block * load.blocks) as f64 / 1000.0,
        );
        measured.push(Measured {
            way,
            goal,
            ours,
            floor,
            latencies,
            processor: ((after.0 - before.0) / all, (after.1 - before.1) / all),
        });
    }
    Ok(measured)
}

/// What the service held after so many answers, beside what it held after the first of them.
pub fn held_beside_first(held: &[(usize, u64)]) -> Vec<Comparison> {
    let Some(&(_, first)) = held.first() else {
        return Vec::new();
    };
    // Some of twenty are enough to see a slope.
    let rows = held.iter().enumerate();
    let rows = rows.filter(|(at, _)| at % 4 == 3);
    rows.map(|(_, &(answers, bytes))| Comparison {
        case: format!("after {answers} answers of one round"),
        unit: "MiB",
        peer_name: "after a twentieth",
        ours: Times::mebibytes(bytes),
        peer: Times::mebibytes(first),
        goal: Goal::ratio(0.8),
        size: None,
    })
    .collect()
}

/// Sends answers without end in sight and tells, after every twentieth of them, what the service holds.
pub fn memory(load: &Load, answers: usize) -> Result<Vec<(usize, u64)>, String> {
    let bench = Bench::open(load)?;
    let runtime = tokio::runtime::Runtime::new().map_err(|cause| cause.to_string())?;
    let mut held = Vec::new();
    let step = answers.div_ceil(20);
    for part in 1..=20 {
        let made = bench.submissions(step)?;
        runtime.block_on(send(&bench.collector, &made, load.at_once, true))?;
        held.push((part * step, bench.ours.resident_bytes().unwrap_or(0)));
    }
    Ok(held)
}

/// Both services, running.
struct Bench {
    collector: Target,
    nothing: Target,
    ours: Process,
    floor: Process,
    file: CampaignFile,
    key: Option<IssuerKey>,
    /// Kept until the end.
    _scene: Scene,
}

#[derive(Clone)]
struct Target {
    url: String,
    asker: Asker,
}

impl Bench {
    fn open(load: &Load) -> Result<Self, String> {
        let failed = |error: wayveil_core::Error| error.to_string();
        let scene = Scene::new(&load.program, &load.store)?;
        let mut random = RandomSource::os().map_err(|cause| cause.to_string())?;
        let key = match load.tokens {
            false => None,
            true => Some(IssuerKey::generate(2048, &mut random.stream()).map_err(failed)?),
        };
        let admission = match &key {
            None => "kind = \"open\"".to_owned(),
            Some(key) => {
                scene.write("issuer.pem", &key.public().to_pem().map_err(failed)?)?;
                "kind = \"tokens\"\nissuer = \"https://127.0.0.1:9\"\nkeys = [\"issuer.pem\"]"
                    .into()
            }
        };
        let file = scene.campaign(&Asked {
            clients: 10_000_000,
            k: 500_000,
            length: 3,
            epsilon: 2,
            rounds: "open_for = \"24h\"\nquorum = 1".into(),
            admission,
        })?;
        let asker = Asker::new(Some(&scene.path("cert.pem")), Http::One).map_err(failed)?;
        let port = free_port()?.to_string();
        let bench = Self {
            collector: Target {
                url: scene.url() + "/v1/answers",
                asker: asker.clone(),
            },
            nothing: Target {
                url: format!("https://127.0.0.1:{port}/v1/answers"),
                asker,
            },
            ours: scene.serve()?,
            floor: scene.start(&[
                NOTHING,
                &scene.text("cert.pem"),
                &scene.text("key.pem"),
                &port,
            ])?,
            file,
            key,
            _scene: scene,
        };
        bench.wait()?;
        Ok(bench)
    }

    /// Waits until both reply.
    fn wait(&self) -> Result<(), String> {
        let runtime = tokio::runtime::Runtime::new().map_err(|cause| cause.to_string())?;
        for target in [&self.collector, &self.nothing] {
            let begun = Instant::now();
            let ask = || target.asker.post(&target.url, b"nothing".to_vec().into());
            while runtime.block_on(ask()).is_err() {
                if begun.elapsed() > Duration::from_secs(60) {
                    return Err(format!("{} does not reply", target.url));
                }
                std::thread::sleep(Duration::from_millis(30));
            }
        }
        Ok(())
    }

    /// Seconds of processor time of both services.
    fn processor(&self) -> (f64, f64) {
        let of = |process: &Process| process.processor_seconds().unwrap_or(f64::NAN);
        (of(&self.ours), of(&self.floor))
    }

    /// Answers to questions of the first round, each with a token or a ticket of its own.
    fn submissions(&self, number: usize) -> Result<Vec<Vec<u8>>, String> {
        let collector = Collector::new(self.file.campaign.clone()).map_err(|it| it.to_string())?;
        let round = collector.open().ok_or("the campaign has no round")?;
        let made = (0..number).into_par_iter().map(|at| {
            let mut random = RandomSource::os().map_err(|cause| cause.to_string())?;
            let mut rng = random.stream();
            let block = at % round.blocks();
            let mut nonce = [0; 16];
            rand_core::Rng::fill_bytes(&mut rng, &mut nonce);
            let admission = match &self.key {
                None => {
                    let mut ticket = [0; 32];
                    rand_core::Rng::fill_bytes(&mut rng, &mut ticket);
                    Admission::Ticket(ticket)
                }
                Some(key) => {
                    let token = TokenRequest::new(key.public(), &mut rng).and_then(|request| {
                        let signature = key.sign(&request.blinded(), &mut rng)?;
                        request.finish(&signature)
                    });
                    Admission::Token(token.map_err(|error| error.to_string())?)
                }
            };
            let answer = Answer {
                campaign: self.file.campaign.parameters().id,
                round: 0,
                block: block as u32,
                fragments: round.fragments(block) as u32,
                bits: at as u64 & 1,
            };
            Ok(Submission {
                answer,
                nonce,
                admission,
            }
            .encode())
        });
        made.collect()
    }
}

/// The word that makes this program a service that does nothing.
pub const NOTHING: &str = "nothing";

/// Sends over a connection that is kept, or over a new one: the service ends each after two minutes.
async fn over_kept(
    target: &Target,
    line: &mut Option<Kept>,
    body: &bytes::Bytes,
) -> wayveil_core::Result<Heard> {
    if let Some(line) = line
        && let Ok(heard) = line.post(body.clone()).await
    {
        return Ok(heard);
    }
    let opened = target.asker.keep(&target.url).await?;
    line.insert(opened).post(body.clone()).await
}

/// Sends every body once, and tells how long all of them took and each of them.
async fn send(
    target: &Target,
    bodies: &[Vec<u8>],
    at_once: usize,
    kept: bool,
) -> Result<(Duration, Vec<Duration>), String> {
    let bodies: std::sync::Arc<Vec<bytes::Bytes>> =
        std::sync::Arc::new(bodies.iter().cloned().map(Into::into).collect());
    let next = std::sync::Arc::new(AtomicUsize::new(0));
    let mut workers = JoinSet::new();
    let begun = Instant::now();
    for _ in 0..at_once {
        let (target, bodies, next) = (target.clone(), bodies.clone(), next.clone());
        workers.spawn(async move {
            let mut line: Option<Kept> = None;
            let mut latencies = Vec::new();
            while let Some(body) = bodies.get(next.fetch_add(1, Ordering::Relaxed)) {
                let begun = Instant::now();
                let heard = match kept {
                    false => target.asker.post(&target.url, body.clone()).await,
                    true => over_kept(&target, &mut line, body).await,
                };
                let heard = heard.map_err(|error| error.to_string())?;
                if heard.status != 200 {
                    return Err(format!("{}: {:?}", heard.status, heard.body));
                }
                latencies.push(begun.elapsed());
            }
            Ok(latencies)
        });
    }
    let mut latencies = Vec::with_capacity(bodies.len());
    while let Some(done) = workers.join_next().await {
        latencies.extend(done.map_err(|cause| cause.to_string())??);
    }
    Ok((begun.elapsed(), latencies))
}
