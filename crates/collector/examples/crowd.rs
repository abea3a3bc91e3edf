//! Made-up people with phones in one process, for trying a service out on this machine.
//!
//! `crowd certificate FOLDER` writes a certificate for the loopback; `crowd answer URL CERTIFICATE`
//! lets everybody of a campaign take part, round after round, until it has ended. Random numbers come
//! from seeds, so this is for made-up people only.

use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand_core::Rng;
use serde_json::Value;
use wayveil_admission::{Admission, Submission};
use wayveil_collector::ask::{Asker, Heard, Http};
use wayveil_core::{RandomSource, Result};
use wayveil_federated::client::{Client, Limits};
use wayveil_federated::message::{Question, Terms};

type Done<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One address may ask 50 times a second, and a person asks twice.
const BETWEEN: Duration = Duration::from_millis(45);

#[tokio::main]
async fn main() -> Done<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["certificate", folder] => certificate(Path::new(folder)),
        ["answer", url, trusted] => Crowd::gather(url, Path::new(trusted)).await?.answer().await,
        _ => Err("say: certificate FOLDER, or: answer URL CERTIFICATE".into()),
    }
}

fn certificate(folder: &Path) -> Done<()> {
    let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names)?;
    std::fs::write(folder.join("cert.pem"), made.cert.pem())?;
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem())?;
    Ok(())
}

/// One person's phone, with what it draws from.
struct Person {
    client: Client<'static>,
    source: RandomSource,
}

struct Crowd {
    url: String,
    asker: Asker,
    people: Vec<Person>,
}

impl Crowd {
    /// As many people as the campaign asks for.
    async fn gather(url: &str, trusted: &Path) -> Done<Self> {
        let asker = Asker::new(Some(trusted), Http::Newest)?;
        let campaign = json(&asker.get(&format!("{url}/v1/campaign")).await?)?;
        let terms = campaign["terms"].as_str().ok_or("no terms")?;
        let terms = Terms::decode(&URL_SAFE_NO_PAD.decode(terms)?)?;
        let locations = campaign["universe"]["locations"]
            .as_u64()
            .ok_or("no places")? as u32;
        let people = (0..terms.population).map(|seed| Person::new(&terms, locations, seed));
        Ok(Self {
            url: url.to_owned(),
            asker,
            people: people.collect::<Result<_>>()?,
        })
    }

    /// Everybody answers in their round, one after the other.
    async fn answer(mut self) -> Done<()> {
        loop {
            let campaign = json(&self.get("/v1/campaign").await?)?;
            let Some(round) = campaign["round"]["index"].as_u64() else {
                println!("{}", campaign["state"].as_str().unwrap_or("?"));
                return Ok(());
            };
            let here = |it: &Person| it.client.round() == Some(round as u32);
            let (here, later) = std::mem::take(&mut self.people).into_iter().partition(here);
            self.people = later;
            for person in here {
                if !self.take_part(person, round).await? {
                    break;
                }
            }
            tokio::time::sleep(BETWEEN).await;
        }
    }

    /// One person's answer; whether the round is still open.
    async fn take_part(&self, mut person: Person, round: u64) -> Done<bool> {
        let path = format!("/v1/rounds/{round}/question/{:016x}", person.client.place());
        let question = self.get(&path).await?;
        if question.status != 200 {
            return Ok(false);
        }
        let body = person.submission(&Question::decode(&question.body)?)?;
        let url = format!("{}/v1/answers", self.url);
        let heard = loop {
            let heard = self.asker.post(&url, body.clone().into()).await?;
            if !sent_away(&heard).await {
                break heard;
            }
        };
        tokio::time::sleep(BETWEEN).await;
        Ok(heard.status == 200)
    }

    async fn get(&self, path: &str) -> Result<Heard> {
        loop {
            let heard = self.asker.get(&format!("{}{path}", self.url)).await?;
            if !sent_away(&heard).await {
                return Ok(heard);
            }
        }
    }
}

/// Waits if one is to come again.
async fn sent_away(heard: &Heard) -> bool {
    let again = matches!(heard.status, 429 | 503);
    if again {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    again
}

fn json(heard: &Heard) -> Done<Value> {
    Ok(serde_json::from_slice(&heard.body)?)
}

impl Person {
    /// Most people go along the first places, some only a part of the way, and some anywhere.
    fn new(terms: &Terms, locations: u32, seed: u64) -> Result<Self> {
        let mut source = RandomSource::insecure_seed(seed);
        let mut rng = source.stream();
        let mut any = |most: u32| (rng.next_u64() % u64::from(most.max(1))) as u32;
        let trajectory = match any(20) {
            0..=11 => vec![0, 1, 2, any(locations)],
            12..=17 => vec![3 % locations, 1, 2, 4 % locations],
            _ => vec![any(locations), any(locations), any(locations)],
        };
        let limits = Limits {
            epsilon: "10".parse()?,
            per_client: 5,
            length: 5,
        };
        let mut rng = source.stream();
        Ok(Self {
            client: Client::join_for_good(terms.clone(), &limits, trajectory, &mut rng)?,
            source,
        })
    }

    fn submission(&mut self, question: &Question) -> Result<Vec<u8>> {
        let mut rng = self.source.stream();
        let (mut nonce, mut ticket) = ([0; 16], [0; 32]);
        rng.fill_bytes(&mut nonce);
        rng.fill_bytes(&mut ticket);
        let submission = Submission {
            answer: self.client.answer(question, &mut rng)?,
            nonce,
            admission: Admission::Ticket(ticket),
        };
        Ok(submission.encode())
    }
}
