//! A whole campaign of real clients, with faults, and whether what was published is what they answered.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand_core::Rng;
use serde_json::Value;
use wayveil_client::https::Https;
use wayveil_client::{Method, Outcome, Request, Settings, Transport};
use wayveil_collector::campaign_file::CampaignFile;
use wayveil_core::RandomSource;
use wayveil_federated::message::{Answer, Terms};

use super::line::{Line, Role};
use super::people::{Phone, limits};
use super::process::Process;
use super::replay::{difference, replay};
use super::scene::{Asked, Enrolled, Scene};

const EPSILON: u32 = 8;
/// How long the service may take for what is not answering: to start, to close a round, to publish.
const PATIENCE: Duration = Duration::from_secs(120);

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// This program, which is also `wayveil` under that name.
    pub program: PathBuf,
    /// How many people there are.
    pub clients: u64,
    /// Places of the longest fragments that are asked about; there are four rounds for each.
    pub length: u32,
    /// `sqlite`, or a connection string of PostgreSQL.
    pub store: String,
    /// Whether people need tokens, of a real issuer, instead of being let in as they come.
    pub tokens: bool,
    /// How often the service is killed, at moments drawn at random; every fifth time the issuer is too.
    pub kills: usize,
    /// What restarts the database, and how often that is done.
    pub restarts: Option<(PathBuf, usize)>,
    /// How many clients are busy at the same time.
    pub workers: usize,
}

/// What took place.
#[derive(Clone, Debug)]
pub struct Report {
    plan: Plan,
    /// Rounds that were held.
    pub rounds: usize,
    /// Clients that were told that they were counted.
    pub counted: u64,
    /// Clients that came too late, and were told so.
    pub late: u64,
    /// Clients that asked and never answered.
    pub vanished: u64,
    /// Fragments that were published.
    pub fragments: usize,
    /// Times the service was killed.
    pub kills: usize,
    /// Times the database was restarted.
    pub restarts: usize,
    requests: u64,
    elapsed: Duration,
    /// Of the last process.
    memory: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let store = self.plan.store.split(':').next().unwrap_or_default();
        writeln!(
            f,
            "clients    {} on {store} {} tokens, {} at a time",
            self.plan.clients,
            if self.plan.tokens { "with" } else { "without" },
            self.plan.workers
        )?;
        writeln!(
            f,
            "outcomes   {} counted, {} late, {} vanished; {} rounds",
            self.counted, self.late, self.vanished, self.rounds
        )?;
        writeln!(
            f,
            "faults     {} kills, {} restarts of the database",
            self.kills, self.restarts
        )?;
        writeln!(
            f,
            "time       {seconds:.0} s: {:.0} sessions and {:.0} connections in a second",
            (self.counted + self.late + self.vanished) as f64 / seconds,
            self.requests as f64 / seconds
        )?;
        writeln!(
            f,
            "memory     {:.0} MiB held by the service at the end",
            self.memory as f64 / 1048576.0
        )?;
        writeln!(
            f,
            "published  {} fragments, equal to those of the protocol core on the same answers",
            self.fragments
        )
    }
}

/// Runs a campaign, and says what is wrong if anything is.
pub fn run(plan: &Plan) -> Result<Report, String> {
    let scene = Scene::new(&plan.program, &plan.store)?;
    let held = Held::new(plan, &scene)?;
    let campaign = Campaign {
        service: Mutex::new(scene.serve()?),
        issuer: Mutex::new(match plan.tokens {
            true => Some(scene.issue()?),
            false => None,
        }),
        faults: Faults::draw(plan),
        done: AtomicU64::new(0),
        kills: AtomicUsize::new(0),
        restarts: AtomicUsize::new(0),
        requests: AtomicU64::new(0),
        held: &held,
    };
    campaign
        .run()
        .map_err(|why| format!("{why}\nthe service said:\n{}", scene.said()))
}

/// A campaign on disk, and who is in which of its rounds.
struct Held<'a> {
    plan: &'a Plan,
    scene: &'a Scene,
    file: CampaignFile,
    rounds: Vec<Vec<u64>>,
    https: Https,
    settings: Settings,
    /// Empty where nobody needs one.
    codes: Vec<String>,
}

impl<'a> Held<'a> {
    fn new(plan: &'a Plan, scene: &'a Scene) -> Result<Self, String> {
        let enrolled = match plan.tokens {
            true => scene.enrol(plan.clients)?,
            false => Enrolled {
                codes: Vec::new(),
                issuer: None,
                admission: "kind = \"open\"".to_owned(),
            },
        };
        let asked = |enough: &str| Asked {
            clients: plan.clients,
            k: plan.clients / 8,
            length: plan.length,
            epsilon: EPSILON,
            rounds: format!("open_for = \"24h\"\nquorum = 1\n{enough}"),
            admission: enrolled.admission.clone(),
        };
        // Who is in which round does not depend on when rounds close, so that can be chosen after it:
        // a round closes with the last answer that is meant to come.
        let file = scene.campaign(&asked(""))?;
        let terms = Terms::of(&file.campaign);
        let mut rounds = vec![Vec::new(); file.campaign.schedule().rounds()];
        for person in 0..plan.clients {
            if let Some(round) = Phone::round(person, &terms, &limits(EPSILON))? {
                rounds[round as usize].push(person);
            }
        }
        let counted = |people: &Vec<u64>| {
            let counted = people
                .iter()
                .filter(|&&person| Role::of(person).is_counted());
            counted.count().max(1).to_string()
        };
        let enough: Vec<String> = rounds.iter().map(counted).collect();
        let file = scene.campaign(&asked(&format!("enough = [{}]", enough.join(", "))))?;
        let mut settings = Settings::new(scene.url());
        settings.limits = limits(EPSILON);
        settings.total = limits(EPSILON).epsilon;
        settings.patience = Duration::from_secs(24 * 3600);
        settings.spread = Duration::ZERO;
        settings.issuer = enrolled.issuer;
        Ok(Self {
            plan,
            scene,
            file,
            rounds,
            https: scene.https()?,
            settings,
            codes: enrolled.codes,
        })
    }

    fn line(&self, role: Role) -> Line {
        Line {
            https: self.https.clone(),
            role,
            open: role.is_counted(),
            answer: None,
            fault: None,
            requests: 0,
        }
    }

    /// Asks for the status until it is as wished.
    fn wait(&self, wished: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let (begun, url) = (Instant::now(), self.scene.url() + "/v1/status");
        let request = Request {
            method: Method::Get,
            url: &url,
            content_type: "",
            body: &[],
            most: 1 << 20,
        };
        loop {
            let reply = self.https.clone().send(&request);
            let status = reply
                .ok()
                .and_then(|reply| serde_json::from_slice(&reply.body).ok());
            match status {
                Some(status) if wished(&status) => return Ok(status),
                status if begun.elapsed() > PATIENCE => {
                    return Err(format!("the service does not go on: {status:?}"));
                }
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// When the service is killed and the database restarted: after so many sessions.
struct Faults {
    kills: BTreeSet<u64>,
    restarts: BTreeSet<u64>,
}

impl Faults {
    fn draw(plan: &Plan) -> Self {
        let mut rng = RandomSource::insecure_seed(plan.clients).stream();
        // Nine in ten sessions are over when the last fault comes.
        let mut some = |number: usize| {
            let mut drawn = BTreeSet::new();
            while drawn.len() < number.min(plan.clients as usize / 20) {
                drawn.insert(rng.next_u64() % (plan.clients * 9 / 10));
            }
            drawn
        };
        Self {
            kills: some(plan.kills),
            restarts: some(plan.restarts.as_ref().map_or(0, |(_, number)| *number)),
        }
    }
}

struct Campaign<'a> {
    held: &'a Held<'a>,
    service: Mutex<Process>,
    issuer: Mutex<Option<Process>>,
    faults: Faults,
    done: AtomicU64,
    /// Faults that took place.
    kills: AtomicUsize,
    restarts: AtomicUsize,
    requests: AtomicU64,
}

/// What came of the sessions of one round.
#[derive(Default)]
struct Came {
    answers: Vec<Answer>,
    waiting: Vec<(Phone, Line)>,
    vanished: u64,
}

impl Campaign<'_> {
    fn run(&self) -> Result<Report, String> {
        let begun = Instant::now();
        let (mut answers, mut late, mut vanished) = (Vec::new(), 0, 0);
        let mut waiting = Vec::new();
        for (round, people) in self.held.rounds.iter().enumerate() {
            let status = self
                .held
                .wait(|status| status["round"]["index"] == round || status["state"] != "running")?;
            if status["state"] != "running" {
                break;
            }
            // Last round's late ones come now.
            late += self.late(std::mem::take(&mut waiting))?;
            let came = self.sessions(people)?;
            answers.push(came.answers);
            vanished += came.vanished;
            waiting = came.waiting;
        }
        late += self.late(waiting)?;
        let status = self.held.wait(|status| status["state"] != "running")?;
        let manifest = self.held.scene.path("release/manifest.json");
        let asked = Instant::now();
        while !manifest.exists() && asked.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        let fragments = self.compare(&status, &answers)?;
        let service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Report {
            plan: self.held.plan.clone(),
            rounds: answers.len(),
            counted: answers.iter().map(|round| round.len() as u64).sum(),
            late,
            vanished,
            fragments,
            kills: self.kills.load(Ordering::Relaxed),
            restarts: self.restarts.load(Ordering::Relaxed),
            requests: self.requests.load(Ordering::Relaxed),
            elapsed: begun.elapsed(),
            memory: service.resident_bytes().unwrap_or(0),
        })
    }

    /// Everybody of one round, so many at a time.
    fn sessions(&self, people: &[u64]) -> Result<Came, String> {
        let next = AtomicUsize::new(0);
        let came = Mutex::new(Came::default());
        let failed = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.held.plan.workers {
                scope.spawn(|| {
                    while let Some(&person) = people.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let done = self.session(person, &came);
                        if let Err(why) = done.and_then(|()| self.disturb()) {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                            next.store(people.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(why) => Err(why),
            None => Ok(came.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn session(&self, person: u64, came: &Mutex<Came>) -> Result<(), String> {
        let (role, mut phone) = (Role::of(person), Phone::of(person));
        let mut line = self.held.line(role);
        let mut settings = self.held.settings.clone();
        settings.code = self.held.codes.get(person as usize).cloned();
        if !role.is_counted() {
            // The line is cut when it matters: this client gives up for now.
            settings.patience = Duration::from_secs(60);
        }
        let outcome = phone.take_part(&settings, &mut line)?;
        self.requests.fetch_add(line.requests, Ordering::Relaxed);
        if let Some(fault) = line.fault {
            return Err(fault);
        }
        let mut came = came.lock().unwrap_or_else(PoisonError::into_inner);
        match (role, &outcome, line.answer) {
            (Role::Plain | Role::Twice, Outcome::Counted, Some(answer)) => {
                came.answers.push(answer)
            }
            (Role::Vanishes, Outcome::Later { .. }, _) => came.vanished += 1,
            // The last answer that was meant to come had come before this client asked: it never does.
            (Role::Vanishes | Role::Late, Outcome::Stopped { code, .. }, None)
                if code == "closed" =>
            {
                came.vanished += 1
            }
            (Role::Late, Outcome::Later { .. }, Some(_)) => came.waiting.push((phone, line)),
            // Cut off by a fault before it had an answer: it vanished too.
            (Role::Late, Outcome::Later { .. }, None) => came.vanished += 1,
            _ => return Err(format!("person {person} ({role:?}): {outcome:?}")),
        }
        Ok(())
    }

    /// Those who answer when their round is over: each is told so, and none is counted.
    fn late(&self, waiting: Vec<(Phone, Line)>) -> Result<u64, String> {
        let number = waiting.len() as u64;
        for (mut phone, mut line) in waiting {
            line.open = true;
            match phone.take_part(&self.held.settings, &mut line)? {
                Outcome::Stopped { code, .. } if code == "closed" => {}
                other => return Err(format!("a late answer was met with {other:?}")),
            }
            self.requests.fetch_add(line.requests, Ordering::Relaxed);
        }
        Ok(number)
    }

    /// Kills and restarts, if it is time.
    fn disturb(&self) -> Result<(), String> {
        let done = self.done.fetch_add(1, Ordering::Relaxed);
        if self.faults.kills.contains(&done) {
            let mut service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
            // Not always between two sessions.
            std::thread::sleep(Duration::from_micros(done.wrapping_mul(7919) % 20_000));
            service.kill();
            self.kills.fetch_add(1, Ordering::Relaxed);
            *service = self.held.scene.serve()?;
            let mut issuer = self.issuer.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(issuer) = issuer.as_mut().filter(|_| done.is_multiple_of(5)) {
                issuer.kill();
                *issuer = self.held.scene.issue()?;
            }
        }
        if let (true, Some((script, _))) = (
            self.faults.restarts.contains(&done),
            &self.held.plan.restarts,
        ) {
            let ended = Command::new(script).status();
            if !ended.is_ok_and(|ended| ended.success()) {
                return Err(format!("{} failed", script.display()));
            }
            self.restarts.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Compares what was published with what the core makes of the same answers.
    fn compare(&self, status: &Value, answers: &[Vec<Answer>]) -> Result<usize, String> {
        if status["state"] != "complete" {
            return Err(format!("the campaign did not complete: {}", status["why"]));
        }
        let told: Vec<Option<u64>> = (status["closed"].as_array())
            .map(|rounds| {
                rounds
                    .iter()
                    .map(|round| round["answers"].as_u64())
                    .collect()
            })
            .unwrap_or_default();
        let counted: Vec<Option<u64>> = (answers.iter())
            .map(|answers| Some(answers.len() as u64))
            .collect();
        if told != counted {
            return Err(format!("the service counted {told:?}, clients {counted:?}"));
        }
        let findings = replay(&self.held.file, answers)?;
        let release = wayveil_io::read_release(&self.held.scene.path("release"));
        let release = release.map_err(|error| error.to_string())?;
        let Some(fragments) = release.fragments() else {
            return Err("the release has no fragments".into());
        };
        match difference(fragments, &findings) {
            Some(difference) => Err(difference),
            None => Ok(fragments.len()),
        }
    }
}
