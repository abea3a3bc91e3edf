//! Faults of a real process: killed at any moment, and without room on its disk.
//!
//! The process is this test program again, told by an environment variable to serve a campaign.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand_core::Rng;
use tempfile::TempDir;
use wayveil_core::RandomSource;
use wayveil_federated::collector::Collector;

use super::*;
use crate::campaign_file::StoreAddress;
use crate::engine::{Clock, Setup};
use crate::gate::Admit;
use crate::store::{Identity, KeptCounts, Store};
use crate::testing::folder::{campaign_folder, campaign_text};
use crate::testing::people::Person;

const CAMPAIGN: &str = "WAYVEIL_TEST_CAMPAIGN";

/// Not a test by itself: what the process under test runs.
#[test]
#[ignore = "run by the tests of this file, as a process of its own"]
fn serve_in_this_process() {
    if let Some(campaign) = std::env::var_os(CAMPAIGN) {
        serve(
            CampaignFile::read(Path::new(&campaign)).unwrap(),
            Box::new(|_| Ok(())),
            &Stop::default(),
            |_, _| {},
        )
        .unwrap();
    }
}

/// Not a test by itself: the same by a clock that a file tells.
#[tokio::test]
#[ignore = "run by the tests of this file, as a process of its own"]
async fn serve_by_a_clock_of_ours() {
    if let Some(campaign) = std::env::var_os(CAMPAIGN) {
        let file = CampaignFile::read(Path::new(&campaign)).unwrap();
        let clock = Box::new(ToldClock(Path::new(&campaign).with_file_name(TIME)));
        let service = Service::open_with(file, Box::new(|_| Ok(())), clock);
        let never = std::future::pending();
        service.await.unwrap().run(never).await.unwrap();
    }
}

/// The file with the time, in seconds.
const TIME: &str = "time.txt";

/// A clock that stands at what a file says.
struct ToldClock(PathBuf);

impl Clock for ToldClock {
    fn now(&self) -> Duration {
        let told = std::fs::read_to_string(&self.0).unwrap_or_default();
        Duration::from_secs(told.trim().parse().unwrap_or(0))
    }
}

/// A campaign on disk at a port of its own, and who answers its first round.
struct Scene {
    folder: TempDir,
    url: String,
    asker: Asker,
    submissions: Vec<Vec<u8>>,
    expected: KeptCounts,
    identity: Identity,
}

impl Scene {
    /// About a hundred people are in the first round, which is open for an hour.
    fn new() -> Self {
        Self::open_for("1h")
    }

    fn open_for(time: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = port.local_addr().unwrap().port();
        let text = campaign_text("")
            .replace("127.0.0.1:0", &format!("127.0.0.1:{port}"))
            .replace("clients = 3000", "clients = 20000")
            .replace("k = 600", "k = 4000")
            .replace("1h", time);
        let folder = campaign_folder(&text);
        let file = CampaignFile::read(&folder.path().join("campaign.toml")).unwrap();
        let setup = Setup {
            name: file.name,
            universe: file.universe,
            campaign: file.campaign,
            rounds: file.rounds,
            admit: Admit::Open,
        };
        let collector = Collector::new(setup.campaign.clone()).unwrap();
        let round = collector.open().unwrap();
        let mut people = Person::crowd(&setup, 20_000);
        let here = people.iter_mut().filter(|it| it.round() == Some(0));
        let (mut blocks, mut yes) = (BTreeMap::new(), BTreeMap::new());
        let submissions = here
            .map(|person| {
                let bytes = person.submission(round);
                let answer = person.given.unwrap();
                *blocks.entry(answer.block).or_insert(0) += 1;
                if answer.bits == 1 {
                    *yes.entry(answer.block).or_insert(0) += 1;
                }
                bytes
            })
            .collect();
        let trusted = folder.path().join("cert.pem");
        Self {
            url: format!("https://127.0.0.1:{port}/v1/answers"),
            asker: Asker::new(Some(&trusted), Http::Newest).unwrap(),
            submissions,
            expected: KeptCounts {
                blocks: blocks.into_iter().collect(),
                yes: yes
                    .into_iter()
                    .map(|(block, yes)| (block, 0, yes))
                    .collect(),
            },
            identity: Identity {
                id: setup.campaign.parameters().id,
                digest: file.digest,
            },
            folder,
        }
    }

    fn campaign(&self) -> PathBuf {
        self.folder.path().join("campaign.toml")
    }

    /// Starts the service, with a limit on the size of files in blocks of the shell.
    fn start(&self, limit: Option<u32>) -> Child {
        self.start_as("serve_in_this_process", limit)
    }

    fn start_as(&self, process: &str, limit: Option<u32>) -> Child {
        let limit = limit.map_or(String::new(), |blocks| format!("ulimit -f {blocks};"));
        let script = format!("trap '' XFSZ; {limit} exec \"$0\" \"$@\"");
        Command::new("sh")
            .args(["-c", &script])
            .arg(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact"])
            .arg(format!("program::faults::{process}"))
            .env(CAMPAIGN, self.campaign())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Sends one submission; its status and what it says, if there was a reply.
    async fn send(&self, bytes: &[u8]) -> Option<(u16, Value)> {
        let heard = self
            .asker
            .post(&self.url, bytes.to_vec().into())
            .await
            .ok()?;
        Some((heard.status, serde_json::from_slice(&heard.body).ok()?))
    }

    /// Sends until it is taken; whether it was counted just now.
    async fn send_until_taken(&self, bytes: &[u8]) -> bool {
        for _ in 0..2000 {
            match self.send(bytes).await {
                Some((200, said)) => return said["status"] == "counted",
                None | Some((429 | 503, _)) => tokio::time::sleep(Duration::from_millis(30)).await,
                Some(other) => panic!("{other:?}"),
            }
        }
        panic!("the service does not come back")
    }

    /// What the service says of itself.
    async fn asked(&self, path: &str) -> (u16, Value) {
        let url = self.url.replace("/v1/answers", path);
        let heard = self.asker.get(&url).await.unwrap();
        let body = serde_json::from_slice(&heard.body).unwrap_or_default();
        (heard.status, body)
    }

    /// What the store has of the first round, once no process uses it.
    async fn counts(&self) -> KeptCounts {
        let address = StoreAddress::Sqlite(self.folder.path().join("campaign.db"));
        let mut store = Store::open(address, self.identity).await.unwrap();
        let counts = store.counts(0).await.unwrap();
        store.close().await;
        counts
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Eight kills at moments drawn from a seed, while everybody sends again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_is_killed_loses_nothing() {
    let scene = Arc::new(Scene::new());
    assert!(scene.submissions.len() > 50);
    let over = Arc::new(AtomicBool::new(false));
    let first = scene.start(None);
    let clients: Vec<_> = (0..4)
        .map(|client| {
            let (scene, over) = (scene.clone(), over.clone());
            tokio::spawn(async move {
                let mut counted = Vec::new();
                loop {
                    let last_time = over.load(Ordering::SeqCst);
                    let mine = (0..scene.submissions.len()).filter(|at| at % 4 == client);
                    for at in mine {
                        if scene.send_until_taken(&scene.submissions[at]).await {
                            counted.push(at);
                        }
                    }
                    if last_time {
                        return counted;
                    }
                }
            })
        })
        .collect();
    let mut rng = RandomSource::insecure_seed(11).stream();
    let mut child = first;
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(100 + rng.next_u64() % 900)).await;
        kill(child);
        child = scene.start(None);
    }
    over.store(true, Ordering::SeqCst);
    let mut heard = BTreeSet::new();
    for client in clients {
        for at in client.await.unwrap() {
            assert!(heard.insert(at), "{at} was counted twice");
        }
    }
    kill(child);
    assert_eq!(scene.counts().await, scene.expected);
}

/// A disk that is full is told as 503, and what was counted before stays counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_nothing() {
    let scene = Scene::new();
    let child = scene.start(Some(160));
    // The service is there when its first reply is.
    while scene.send(b"no submission").await.is_none() {
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    let (mut counted, mut sent_away) = (0, 0);
    for bytes in &scene.submissions {
        match scene.send(bytes).await.unwrap() {
            (200, _) => counted += 1,
            (503, said) => {
                assert_eq!(said["code"], "unavailable");
                sent_away += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(
        sent_away > 0,
        "the disk was not full; {counted} were counted"
    );
    kill(child);
    let child = scene.start(None);
    let mut fresh = 0;
    for bytes in &scene.submissions {
        fresh += u32::from(scene.send_until_taken(bytes).await);
    }
    assert!(
        fresh <= sent_away,
        "{fresh} of {sent_away}: others were lost"
    );
    kill(child);
    assert_eq!(scene.counts().await, scene.expected);
}

/// Whether files of a process may grow, as on a disk with room.
#[cfg(target_os = "linux")]
fn has_room(child: &Child, room: bool) {
    let bytes = if room { "unlimited" } else { "0" };
    let set = Command::new("prlimit")
        .args(["--pid", &child.id().to_string()])
        .arg(format!("--fsize={bytes}:unlimited"))
        .status();
    assert!(set.expect("prlimit, of util-linux").success());
}

/// A disk that fills up when a round is to be closed: the round stays open, which is told; when there is room again it is
/// closed with all of its answers, and the next one begins.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_when_a_round_closes_loses_nothing() {
    let scene = Scene::open_for("10s");
    let child = scene.start_as("serve_by_a_clock_of_ours", None);
    for bytes in &scene.submissions {
        assert!(scene.send_until_taken(bytes).await);
    }
    has_room(&child, false);
    std::fs::write(scene.folder.path().join(TIME), "10").unwrap();
    while scene.asked("/healthz").await.0 == 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Some ticks later nothing has changed.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (_, status) = scene.asked("/v1/status").await;
    assert_eq!(status["store_works"], false);
    assert_eq!(
        (&status["state"], &status["round"]["index"]),
        (&"running".into(), &0.into())
    );
    assert_eq!(scene.send(&scene.submissions[0]).await.unwrap().0, 503);
    has_room(&child, true);
    let status = loop {
        let (_, status) = scene.asked("/v1/status").await;
        if status["round"]["index"] == 1 {
            break status;
        }
        assert_eq!(status["state"], "running", "{status}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(status["store_works"], true);
    assert_eq!(status["closed"][0]["answers"], scene.submissions.len());
    assert_eq!(scene.asked("/healthz").await.0, 200);
    let (code, said) = scene.send(&scene.submissions[0]).await.unwrap();
    assert_eq!((code, &said["status"]), (200, &"repeated".into()));
    kill(child);
    assert_eq!(scene.counts().await, scene.expected);
}
