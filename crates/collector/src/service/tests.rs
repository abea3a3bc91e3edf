//! The service over real TLS on the loopback.

mod described;
mod ending;
mod pages;
mod refusals;
mod running;

use running::Running;

use serde_json::Value;
use wayveil_federated::collector::Collector;
use wayveil_federated::message::Question;

use wayveil_core::Universe;

use super::*;
use crate::ask::{Asker, Heard, Http};
use crate::testing::folder::{campaign_folder, campaign_text};
use crate::testing::people::Person;

fn json(heard: &Heard) -> Value {
    serde_json::from_slice(&heard.body).unwrap()
}

/// A whole campaign, each client over a connection of its own. Rounds close with ten answers; the
/// service is stopped and started again in the middle of each.
#[tokio::test]
async fn a_campaign_from_announcement_to_findings() {
    let folder = campaign_folder(&campaign_text("enough = 10"));
    let file = CampaignFile::read(&folder.path().join("campaign.toml")).unwrap();
    let setup = Setup {
        name: file.name.clone(),
        universe: file.universe.clone(),
        campaign: file.campaign.clone(),
        rounds: file.rounds,
        admit: Admit::Open,
    };
    let mut people = Person::crowd(&setup, 3000);
    let mut plain = Collector::new(file.campaign.clone()).unwrap();
    let mut service = Running::start(&folder, Http::Newest).await;
    let mut sent = Vec::new();
    loop {
        let announced = json(&service.get("/v1/campaign").await);
        if announced["state"] == "complete" {
            break;
        }
        assert_eq!(announced["state"], "running");
        let round = announced["round"]["index"].as_u64().unwrap() as u32;
        let here = people.iter_mut().filter(|it| it.round() == Some(round));
        for (at, person) in here.take(10).enumerate() {
            let path = format!("/v1/rounds/{round}/question/{:016x}", person.place());
            let heard = service.get(&path).await;
            assert_eq!((heard.status, heard.by_http2), (200, true));
            let answer = person.answer(&Question::decode(&heard.body).unwrap());
            plain.record(&answer).unwrap();
            let bytes = person.again();
            let heard = service.post(&bytes).await;
            assert_eq!(
                (heard.status, &json(&heard)["status"]),
                (200, &"counted".into())
            );
            sent.push(bytes);
            if at == 5 {
                service.stop().await;
                service = Running::start(&folder, Http::Newest).await;
                let heard = service.post(sent.last().unwrap()).await;
                assert_eq!(json(&heard)["status"], "repeated");
            }
        }
        plain.close().unwrap();
    }
    let expected = plain.finish();
    assert_eq!(service.findings().await, expected);
    let status = json(&service.get("/v1/status").await);
    assert_eq!(status["found"]["answers"], sent.len());
    assert_eq!(status["found"]["fragments"], expected.released().count());
    assert_eq!(service.post(&sent[0]).await.status, 410);
    let metrics = service.get("/metrics").await;
    let metrics = String::from_utf8(metrics.body.to_vec()).unwrap();
    assert!(metrics.contains("wayveil_campaign_state{state=\"complete\"} 1"));
    service.stop().await;
}

#[tokio::test]
async fn many_at_once_are_all_counted() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::Newest).await;
    let mut people = Person::crowd(&service.setup(), 3000);
    let round = Collector::new(service.setup().campaign.clone()).unwrap();
    let round = round.open().unwrap();
    let here = people.iter_mut().filter(|it| it.round() == Some(0));
    let bytes: Vec<Vec<u8>> = here.map(|it| it.submission(round)).collect();
    assert!(bytes.len() > 5);
    let sending: Vec<_> = (bytes.iter().chain(&bytes))
        .map(|bytes| {
            let (asker, url, bytes) = (
                service.asker.clone(),
                service.url("/v1/answers"),
                bytes.clone(),
            );
            tokio::spawn(async move { asker.post(&url, bytes.into()).await.unwrap() })
        })
        .collect();
    let mut counted = 0;
    for heard in sending {
        let heard = heard.await.unwrap();
        assert_eq!(heard.status, 200, "{:?}", heard.body);
        counted += usize::from(json(&heard)["status"] == "counted");
    }
    assert_eq!(counted, bytes.len());
    let status = json(&service.get("/v1/status").await);
    assert_eq!(status["round"]["answers"], bytes.len());
    service.stop().await;
}

#[tokio::test]
async fn the_universe_is_known_by_its_hash() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::One).await;
    let announced = json(&service.get("/v1/campaign").await);
    let heard = service.get("/v1/universe").await;
    assert!(!heard.by_http2);
    let hash = document::hex(&<sha2::Sha256 as sha2::Digest>::digest(&heard.body));
    assert_eq!(announced["universe"]["sha256"], hash);
    let universe: Universe = serde_json::from_slice(&heard.body).unwrap();
    assert_eq!(announced["universe"]["locations"], universe.len());
    let tag = heard.headers["etag"].to_str().unwrap();
    let known = [("if-none-match", tag)];
    let heard = service.ask("GET", "/v1/universe", &[], &known).await;
    assert_eq!((heard.status, heard.body.len()), (304, 0));
    let terms = announced["terms"].as_str().unwrap();
    let terms = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, terms);
    let terms = wayveil_federated::message::Terms::decode(&terms.unwrap()).unwrap();
    assert_eq!(announced["campaign"], terms.campaign.to_string());
    service.stop().await;
}

/// Every route that is described is there, and nothing is there that is not described.
#[tokio::test]
async fn the_description_is_that_of_the_routes() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::Newest).await;
    let described: Value = json(&service.get("/openapi.json").await);
    let paths = described["paths"].as_object().unwrap();
    let source = include_str!("routes.rs");
    let routes: Vec<&str> = (source.split(".route(\"").skip(1))
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(routes.len(), paths.len());
    for (path, operations) in paths {
        assert!(routes.contains(&path.as_str()), "{path}");
        let real = path
            .replace("{round}", "0")
            .replace("{place}", "0123456789abcdef");
        for method in ["get", "post"] {
            let heard = service.ask(&method.to_uppercase(), &real, b"x", &[]).await;
            let is_described = operations.get(method).is_some();
            assert_eq!(heard.status != 405, is_described, "{method} {path}");
            if is_described {
                let replies = operations[method]["responses"].as_object().unwrap();
                assert!(replies.contains_key(&heard.status.to_string()), "{path}");
                described::passed_by(path, &operations[method]);
                described::assert_fits(&described, &operations[method], &heard);
            }
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn an_address_that_asks_too_often_is_sent_away() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::Newest).await;
    // In a far future that address has nothing left, and time does not go back.
    let (here, later) = (
        "127.0.0.1".parse().unwrap(),
        std::time::Duration::from_secs(1 << 30),
    );
    while service.shared.limiter.admits(here, later) {}
    let heard = service.get("/v1/campaign").await;
    assert_eq!(
        (heard.status, &json(&heard)["code"]),
        (429, &"slow-down".into())
    );
    assert!(heard.headers.contains_key("retry-after"));
    service.stop().await;
}
