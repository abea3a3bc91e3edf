//! Keys that change while a campaign runs: collector and issuer, each over TLS.

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wayveil_admission::{Admission, Token};
use wayveil_core::Result;
use wayveil_federated::collector::Collector;

use super::running::{Running, enrolled};
use super::*;
use crate::ask::{Asker, Http};
use crate::campaign_file::CampaignFile;
use crate::engine::Setup;
use crate::service::Service;
use crate::testing::people::Person;

/// A collector in this process, and what it should have counted.
pub(super) struct Counting {
    pub(super) setup: Setup,
    plain: Collector,
    url: String,
    asker: Asker,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<()>>,
}

impl Counting {
    /// Starts with a campaign whose rounds end after three answers, and these keys.
    pub(super) async fn start(folder: &TempDir, keys: &str) -> Self {
        let admission = format!("kind = \"tokens\"\nissuer = \"https://tokens\"\nkeys = [{keys}]");
        let text = campaign_text("enough = 3").replace("kind = \"open\"", &admission);
        let path = folder.path().join("campaign.toml");
        std::fs::write(&path, text).unwrap();
        let file = CampaignFile::read(&path).unwrap();
        let setup = Setup {
            name: file.name.clone(),
            universe: file.universe.clone(),
            campaign: file.campaign.clone(),
            rounds: file.rounds.clone(),
            admit: crate::gate::Admit::Open,
        };
        let service = Service::open(file, Box::new(|_| Ok(()))).await.unwrap();
        let url = format!("https://{}", service.address().unwrap());
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(service.run(async {
            let _ = stopped.await;
        }));
        Self {
            plain: Collector::new(setup.campaign.clone()).unwrap(),
            setup,
            url,
            asker: Asker::new(Some(&folder.path().join("cert.pem")), Http::Newest).unwrap(),
            stop,
            ended,
        }
    }

    /// Starts again with other keys, and goes on.
    pub(super) async fn with_keys(self, folder: &TempDir, keys: &str) -> Self {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
        Self {
            plain: self.plain,
            ..Self::start(folder, keys).await
        }
    }

    pub(super) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }

    /// The open round, which closes with every third answer that is counted.
    fn round(&self) -> u32 {
        self.plain.open().unwrap().index() as u32
    }

    pub(super) async fn post(&self, bytes: Vec<u8>) -> Heard {
        let url = self.url.clone() + "/v1/answers";
        self.asker.post(&url, bytes.into()).await.unwrap()
    }

    /// Sends a person's answer with a token.
    async fn answer(&mut self, person: &mut Person, token: &Token) -> Heard {
        person.admission = Admission::Token(token.clone());
        let bytes = person.submission(self.plain.open().unwrap());
        self.post(bytes).await
    }

    /// The same for a token that is good.
    async fn count(&mut self, person: &mut Person, token: &Token) {
        let heard = self.answer(person, token).await;
        assert_eq!(json(&heard)["status"], "counted", "{:?}", heard.body);
        self.plain.record(&person.given.unwrap()).unwrap();
        let announced = json(
            &self
                .asker
                .get(&(self.url.clone() + "/v1/campaign"))
                .await
                .unwrap(),
        );
        if announced["round"]["index"] != self.round() {
            self.plain.close().unwrap();
        }
    }
}

pub(super) async fn token(issuer: &Running, code: &Code, key: usize, seed: u64) -> Token {
    let request = request(key, seed);
    let given = given(&issuer.ask_for(code, &request).await);
    request.finish(&given.signature).unwrap()
}

/// So many people of a round, who have not answered yet.
fn of_round(people: &mut Vec<Person>, round: u32) -> Person {
    let at = people
        .iter()
        .position(|it| it.round() == Some(round))
        .unwrap();
    people.swap_remove(at)
}

#[tokio::test]
async fn old_tokens_are_good_to_their_last_round_and_nobody_gets_two() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let issuer = Running::start(&folder, Http::Newest).await;
    let codes = enrolled(&folder, 12).await;
    let mut counting = Counting::start(&folder, "\"0.pem\"").await;
    let mut people = Person::crowd(&counting.setup, 3000);
    // Six people have their tokens before keys change.
    let mut early = Vec::new();
    for (seed, code) in (0..6).zip(&codes) {
        early.push(token(&issuer, code, 0, seed).await);
    }
    for token in &early[..3] {
        counting.count(&mut of_round(&mut people, 0), token).await;
    }
    assert_eq!(counting.round(), 1);

    issuer.stop().await;
    rewrite(
        &folder,
        &spring("\"1.secret.pem\", { file = \"0.secret.pem\", retired = true }"),
    );
    let issuer = Running::start(&folder, Http::Newest).await;
    let keys = "\"1.pem\", { file = \"0.pem\", not_after_round = 1 }";
    let mut counting = counting.with_keys(&folder, keys).await;
    let announced = counting
        .asker
        .get(&(counting.url.clone() + "/v1/campaign"))
        .await
        .unwrap();
    let announced = &json(&announced)["admission"]["keys"];
    assert_eq!(announced[0]["not_after_round"], Value::Null);
    assert_eq!(announced[1]["not_after_round"], 1);
    // Who has a token of the old key gets it again, and none of the new one.
    assert_eq!(token(&issuer, &codes[4], 0, 4).await, early[4]);
    for (code, seed) in codes[..6].iter().zip(50..) {
        assert_refused(&issuer.ask_for(code, &request(1, seed)).await, 409, "used");
        assert_refused(&issuer.ask_for(code, &request(0, seed)).await, 409, "used");
    }
    // The old key signs nothing new, which uses no code up.
    assert_refused(
        &issuer.ask_for(&codes[6], &request(0, 60)).await,
        410,
        "retired",
    );
    let late = token(&issuer, &codes[6], 1, 61).await;

    // In its last round the old key's tokens are good, beside the new key's.
    counting
        .count(&mut of_round(&mut people, 1), &early[3])
        .await;
    counting.count(&mut of_round(&mut people, 1), &late).await;
    counting
        .count(&mut of_round(&mut people, 1), &early[4])
        .await;
    // After it they are not; the new key's are.
    assert_eq!(counting.round(), 2);
    let mut person = of_round(&mut people, 2);
    let heard = counting.answer(&mut person, &early[5]).await;
    assert_refused(&heard, 403, "forged");
    assert!(
        json(&heard)["error"]
            .as_str()
            .unwrap()
            .contains("no longer")
    );
    let fresh = token(&issuer, &codes[7], 1, 70).await;
    counting.count(&mut person, &fresh).await;
    // A token that was used is not good again, in this round or with another answer.
    let mut other = of_round(&mut people, 2);
    for spent in [&late, &fresh] {
        assert_refused(&counting.answer(&mut other, spent).await, 409, "used");
    }
    counting.stop().await;
    issuer.stop().await;
}

/// A token of an issuer that the campaign does not know, which is sound by itself.
#[tokio::test]
async fn another_issuers_token_is_refused() {
    let (here, elsewhere) = (
        folder(&spring("\"0.secret.pem\"")),
        folder(&spring("\"2.secret.pem\"")),
    );
    let issuer = Running::start(&elsewhere, Http::Newest).await;
    let code = &enrolled(&elsewhere, 1).await[0];
    let mut counting = Counting::start(&here, "\"0.pem\"").await;
    let mut people = Person::crowd(&counting.setup, 3000);
    let foreign = token(&issuer, code, 2, 1).await;
    foreign.verify(KEYS[2].public()).unwrap();
    let heard = counting
        .answer(&mut of_round(&mut people, 0), &foreign)
        .await;
    assert_refused(&heard, 403, "forged");
    counting.stop().await;
    issuer.stop().await;
}
