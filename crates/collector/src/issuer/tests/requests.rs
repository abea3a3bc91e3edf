//! What is signed, what is refused, and how.

use super::running::{Running, enrolled, open};
use super::*;
use crate::ask::Http;
use crate::service::VERSION_HEADER;

const TWO: &str = "[[campaign]]\nname = \"spring\"\nkeys = [\"1.secret.pem\", \"0.secret.pem\"]\n\
                   [[campaign]]\nname = \"autumn\"\nkeys = [\"2.secret.pem\"]\n";

#[tokio::test]
async fn a_code_is_good_for_one_token_of_each_campaign() {
    let folder = folder(TWO);
    let mut issuer = Running::start(&folder, Http::Newest).await;
    let codes = enrolled(&folder, 2).await;
    let first = request(0, 1);
    let signed = given(&issuer.ask_for(&codes[0], &first).await);
    let token = first.finish(&signed.signature).unwrap();
    token.verify(KEYS[0].public()).unwrap();
    for http in [Http::Newest, Http::One] {
        // The same again; and nothing else, whichever of the campaign's keys is to sign it.
        assert_eq!(given(&issuer.ask_for(&codes[0], &first).await), signed);
        for other in [request(0, 2), request(1, 3)] {
            assert_refused(&issuer.ask_for(&codes[0], &other).await, 409, "used");
        }
        issuer.stop().await;
        issuer = Running::start(&folder, http).await;
    }
    // The other campaign, and the other person, are not touched by it.
    given(&issuer.ask_for(&codes[0], &request(2, 4)).await);
    given(&issuer.ask_for(&codes[1], &request(1, 5)).await);
    issuer.stop().await;
}

/// What was blinded for one key is another request under the name of another.
#[tokio::test]
async fn the_same_message_under_another_key_is_another_request() {
    let folder = folder(TWO);
    let issuer = Running::start(&folder, Http::Newest).await;
    let code = &enrolled(&folder, 1).await[0];
    let mut small = request(0, 0);
    // One that both keys can sign.
    for seed in 1.. {
        if KEYS[1].public().can_sign(&small.blinded()) {
            break;
        }
        small = request(0, seed);
    }
    given(&issuer.ask_for(code, &small).await);
    let id = |key: usize| KEYS[key].public().id().to_string();
    let body = String::from_utf8(order(code, &small)).unwrap();
    let renamed = body.replace(&id(0), &id(1));
    assert_refused(&issuer.post(renamed.as_bytes()).await, 409, "used");
    issuer.stop().await;
}

#[tokio::test]
async fn every_refusal_has_its_code() {
    let folder = folder(&spring("\"0.secret.pem\""));
    for http in [Http::Newest, Http::One] {
        let issuer = Running::start(&folder, http).await;
        let code = &enrolled(&folder, 1).await[0];
        let good = String::from_utf8(order(code, &request(0, 1))).unwrap();
        let foreign = Code::draw(&mut rng(7));
        let mistyped = good.replace(&code.text()[..4], "0000");
        assert_refused(
            &issuer.ask_for(&foreign, &request(0, 1)).await,
            403,
            "unknown-code",
        );
        assert_refused(&issuer.post(mistyped.as_bytes()).await, 422, "mistyped");
        assert_refused(
            &issuer.ask_for(code, &request(1, 1)).await,
            404,
            "unknown-key",
        );
        for bad in ["", "{}", "[]", &good[1..], &good.replace("code", "Code")] {
            assert_refused(&issuer.post(bad.as_bytes()).await, 422, "garbage");
        }
        // Too large a number for the key, and too short a one.
        for blinded in [vec![0xFF; 256], vec![1; 255]] {
            let order = TokenOrder {
                code: code.clone(),
                key: KEYS[0].public().id(),
                blinded: wayveil_admission::BlindedMessage(blinded),
            };
            let heard = issuer.post(&order.encode().unwrap()).await;
            assert_refused(&heard, 422, "garbage");
        }
        assert_refused(&issuer.post(&[b' '; 4097]).await, 413, "too-large");
        assert_refused(&issuer.get("/v1/tokens").await, 405, "unknown");
        assert_refused(&issuer.get("/v1/campaign").await, 404, "unknown");
        let said = [(VERSION_HEADER, "2")];
        let (url, post) = (issuer.url("/v1/tokens"), hyper::Method::POST);
        let heard = issuer
            .asker
            .ask(post, &url, good.clone().into(), &said)
            .await;
        assert_refused(&heard.unwrap(), 426, "upgrade");
        // None of this has used the code up.
        given(&issuer.post(good.as_bytes()).await);
        issuer.stop().await;
    }
}

#[tokio::test]
async fn keys_and_numbers_are_public() {
    let folder = folder(&spring(
        "\"1.secret.pem\", { file = \"0.secret.pem\", retired = true }",
    ));
    let issuer = Running::start(&folder, Http::Newest).await;
    let code = &enrolled(&folder, 1).await[0];
    let document = json(&issuer.get("/v1/issuer").await);
    assert_eq!(document["protocol"], 1);
    for (at, (key, signs)) in [(1, true), (0, false)].into_iter().enumerate() {
        let (shown, key): (&Value, &IssuerKey) = (&document["keys"][at], &KEYS[key]);
        assert_eq!(shown["id"], key.public().id().to_string());
        assert_eq!(
            (&shown["campaign"], &shown["signs"]),
            (&"spring".into(), &signs.into())
        );
        assert!(shown["public_key"].as_str().unwrap().starts_with("MIIB"));
    }
    given(&issuer.ask_for(code, &request(1, 1)).await);
    let metrics = String::from_utf8(issuer.get("/metrics").await.body.to_vec()).unwrap();
    for line in [
        "wayveil_issuer_requests_total{outcome=\"signed\"} 1",
        "wayveil_issuer_requests_total{outcome=\"used\"} 0",
        "wayveil_issuer_store_works 1",
    ] {
        assert!(
            metrics.lines().any(|it| it == line),
            "{line} is not in\n{metrics}"
        );
    }
    assert_eq!(issuer.get("/healthz").await.status, 200);
    // Every route that is described is there.
    let described = json(&issuer.get("/openapi.json").await);
    for path in described["paths"].as_object().unwrap().keys() {
        assert_ne!(issuer.get(path).await.status, 404, "{path}");
    }
    issuer.stop().await;
}

/// Of many requests at once with one code, over two issuers that share a store, one is signed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_at_once_one_is_signed() {
    let folder = folder(&spring("\"0.secret.pem\", \"1.secret.pem\""));
    let issuers = [
        Running::start(&folder, Http::Newest).await,
        Running::start(&folder, Http::Newest).await,
    ];
    let codes = enrolled(&folder, 3).await;
    for (person, code) in codes.iter().enumerate() {
        let asking: Vec<_> = (0..16)
            .map(|at| {
                let issuer = &issuers[at % 2];
                let (asker, url) = (issuer.asker.clone(), issuer.url("/v1/tokens"));
                let body = order(code, &request(at / 2 % 2, (person * 100 + at) as u64));
                tokio::spawn(async move { asker.post(&url, body.into()).await.unwrap() })
            })
            .collect();
        let mut signed = 0;
        for heard in asking {
            let heard = heard.await.unwrap();
            match heard.status {
                200 => signed += 1,
                _ => assert_refused(&heard, 409, "used"),
            }
        }
        assert_eq!(signed, 1);
    }
    for issuer in issuers {
        issuer.stop().await;
    }
}

#[tokio::test]
async fn who_tries_codes_is_sent_away() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let issuer = Running::start(&folder, Http::Newest).await;
    let code = &enrolled(&folder, 1).await[0];
    let mut sent_away = 0;
    for round in 0..10 {
        let guesses: Vec<_> = (0..60)
            .map(|at| {
                let guess = Code::draw(&mut rng(100 * round + at));
                let (asker, url) = (issuer.asker.clone(), issuer.url("/v1/tokens"));
                let body = order(&guess, &request(0, 1));
                tokio::spawn(async move { asker.post(&url, body.into()).await.unwrap() })
            })
            .collect();
        for heard in guesses {
            let heard = heard.await.unwrap();
            match heard.status {
                429 => sent_away += 1,
                _ => assert_refused(&heard, 403, "unknown-code"),
            }
        }
        if sent_away > 0 {
            break;
        }
    }
    assert!(sent_away > 0, "nobody is ever sent away");
    // An honest person behind the same address comes through after a while.
    for _ in 0..100 {
        let heard = issuer.ask_for(code, &request(0, 1)).await;
        match heard.status {
            200 => return issuer.stop().await,
            status => assert_eq!(status, 429),
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the honest are kept out too");
}

#[tokio::test]
async fn a_campaign_cannot_be_renamed_to_give_second_tokens() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let error = async || open(&folder).await.err().map(|error| error.to_string());
    assert_eq!(error().await, None);
    rewrite(
        &folder,
        &spring("\"0.secret.pem\"").replace("spring", "summer"),
    );
    assert!(error().await.unwrap().contains("another campaign"));
    rewrite(&folder, &spring("\"1.secret.pem\", \"1.secret.pem\""));
    assert!(error().await.unwrap().contains("listed before"));
    rewrite(&folder, &spring("\"missing.pem\""));
    assert!(error().await.unwrap().contains("missing.pem"));
    // A public key signs nothing.
    rewrite(&folder, &spring("\"0.pem\""));
    assert!(error().await.unwrap().contains("0.pem"));
}
