//! A real process that is killed at any moment. It is this test program again, told by an
//! environment variable to issue tokens.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::super::commands::issue;
use super::running::enrolled;
use super::*;
use crate::ask::{Asker, Http};
use crate::program::Stop;

const FILE: &str = "WAYVEIL_TEST_ISSUER";

/// Not a test by itself: what the process under test runs.
#[test]
#[ignore = "run by the test of this file, as a process of its own"]
fn issue_in_this_process() {
    if let Some(file) = std::env::var_os(FILE) {
        issue(Path::new(&file), &Stop::default(), |_| {}).unwrap();
    }
}

fn start(file: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            "issuer::tests::kills::issue_in_this_process",
        ])
        .env(FILE, file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Two phones with the same code ask again and again, each for its own request, while the issuer is
/// killed at moments drawn from a seed. One of the two is signed, always the same, and always alike.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_is_killed_never_signs_twice() {
    let port = free_port();
    let folder = folder(&spring("\"0.secret.pem\", \"1.secret.pem\""));
    let file = folder.path().join("issuer.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replace("127.0.0.1:0", &format!("127.0.0.1:{port}")),
    )
    .unwrap();
    let codes = enrolled(&folder, 24).await;
    let url = format!("https://127.0.0.1:{port}/v1/tokens");
    let asker = Asker::new(Some(&folder.path().join("cert.pem")), Http::Newest).unwrap();
    let over = Arc::new(AtomicBool::new(false));
    let mut child = start(&file);
    let phones: Vec<_> = (0..2)
        .map(|phone| {
            let bodies: Vec<Vec<u8>> = (codes.iter().enumerate())
                .map(|(at, code)| order(code, &request(phone, at as u64)))
                .collect();
            let (asker, url, over) = (asker.clone(), url.clone(), over.clone());
            tokio::spawn(ask_all(asker, url, over, bodies))
        })
        .collect();
    let mut moments = rng(5);
    for _ in 0..6 {
        tokio::time::sleep(Duration::from_millis(100 + moments.next_u64() % 700)).await;
        kill(child);
        child = start(&file);
    }
    over.store(true, Ordering::SeqCst);
    let mut heard = Vec::new();
    for phone in phones {
        heard.push(phone.await.unwrap());
    }
    kill(child);
    for at in 0..codes.len() {
        let signed = heard.iter().filter(|phone| phone[at].is_some()).count();
        assert_eq!(signed, 1, "the code {at} had {signed} tokens");
    }
}

/// Asks for all of them, round after round; what was signed of each, if it was.
async fn ask_all(
    asker: Asker,
    url: String,
    over: Arc<AtomicBool>,
    bodies: Vec<Vec<u8>>,
) -> Vec<Option<Vec<u8>>> {
    let mut known: Vec<Option<Option<Vec<u8>>>> = vec![None; bodies.len()];
    let mut tries = 0;
    loop {
        let last_time = over.load(Ordering::SeqCst);
        for (body, known) in bodies.iter().zip(&mut known) {
            let said = loop {
                tries += 1;
                assert!(tries < 4_000, "the issuer does not come back");
                match asker.post(&url, body.clone().into()).await {
                    Ok(heard) if heard.status == 200 => break Some(heard.body.to_vec()),
                    Ok(heard) if heard.status == 409 => break None,
                    Ok(heard) => assert!([429, 503].contains(&heard.status), "{}", heard.status),
                    Err(_) => {}
                }
                tokio::time::sleep(Duration::from_millis(30)).await;
            };
            match known {
                None => *known = Some(said),
                Some(before) => assert_eq!(*before, said, "it was decided otherwise before"),
            }
        }
        if last_time {
            return known.into_iter().map(Option::unwrap).collect();
        }
    }
}
