//! What the service says no to, and how.

use wayveil_admission::{Admission, IssuerKey, TokenRequest};
use wayveil_core::RandomSource;

use super::*;

/// The reply is a refusal with this status and code, a reason and advice.
fn assert_refused(heard: &Heard, status: u16, code: &str) {
    let body = json(heard);
    assert_eq!(
        (heard.status, body["code"].as_str()),
        (status, Some(code)),
        "{body}"
    );
    assert!(
        body["error"].is_string() && body["hint"].is_string(),
        "{body}"
    );
    assert!(heard.headers["cache-control"] == "no-store");
}

#[tokio::test]
async fn every_refusal_has_its_code() {
    let folder = campaign_folder(&campaign_text(""));
    for http in [Http::Newest, Http::One] {
        let service = Running::start(&folder, http).await;
        for (path, status, code) in [
            ("/v1/rounds/1/question/0123456789abcdef", 425, "early"),
            ("/v1/rounds/99/question/0123456789abcdef", 404, "unknown"),
            ("/v1/rounds/-1/question/0123456789abcdef", 404, "unknown"),
            ("/v1/rounds/0/question/12", 404, "unknown"),
            ("/v1/rounds/0/question/+123456789abcdef", 404, "unknown"),
            ("/v1/nothing", 404, "unknown"),
            ("/nothing", 404, "unknown"),
            ("/v1/answers", 405, "unknown"),
        ] {
            let heard = service.get(path).await;
            assert_refused(&heard, status, code);
            assert_eq!(heard.headers.contains_key("retry-after"), status == 425);
        }
        assert_refused(&service.post(b"").await, 422, "garbage");
        assert_refused(&service.post(&[7; 4096]).await, 422, "garbage");
        assert_refused(&service.post(&[7; 4097]).await, 413, "too-large");
        service.stop().await;
    }
}

/// Ten million bytes are not read: the reply comes, or the connection is ended before it can.
#[tokio::test]
async fn a_huge_body_is_not_waited_for() {
    let folder = campaign_folder(&campaign_text(""));
    for http in [Http::Newest, Http::One] {
        let service = Running::start(&folder, http).await;
        let huge = vec![0; 10_000_000];
        let url = service.url("/v1/answers");
        if let Ok(heard) = service.asker.post(&url, huge.into()).await {
            assert_refused(&heard, 413, "too-large");
        }
        assert_eq!(service.get("/healthz").await.status, 200);
        service.stop().await;
    }
}

/// Connections that say nothing: an address has room for so many, and they are ended soon.
#[tokio::test]
async fn who_says_nothing_does_not_keep_others_out() {
    let text = campaign_text("") + "requests_at_once = 5\nrequests_per_second = 1000\n";
    let folder = campaign_folder(&text);
    let service = Running::start(&folder, Http::Newest).await;
    let address = service.url("").replace("https://", "");
    let mut silent = Vec::new();
    for _ in 0..5 {
        silent.push(tokio::net::TcpStream::connect(&address).await.unwrap());
    }
    let asked = service.asker.get(&service.url("/healthz")).await;
    assert!(asked.is_err(), "there was room for a sixth connection");
    // The service ends them; nobody has to.
    for mut one in silent {
        let mut bytes = Vec::new();
        let ended = tokio::io::AsyncReadExt::read_to_end(&mut one, &mut bytes);
        let waited = tokio::time::timeout(std::time::Duration::from_secs(60), ended);
        assert!(waited.await.is_ok(), "a silent connection is kept");
    }
    let begun = std::time::Instant::now();
    while service.asker.get(&service.url("/healthz")).await.is_err() {
        assert!(begun.elapsed().as_secs() < 60, "nobody is let in again");
    }
    service.stop().await;
}

/// A handshake without a request is ended as soon as silence is.
#[tokio::test]
async fn who_asks_nothing_after_the_handshake_is_not_waited_for() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::Newest).await;
    let url = service.url("");
    let (_, mut silent) = service.asker.connect(&url).await.unwrap();
    let mut byte = [0];
    let ended = tokio::io::AsyncReadExt::read(&mut silent, &mut byte);
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), ended);
    assert!(!matches!(waited.await.expect("an end"), Ok(1..)));
    service.stop().await;
}

#[tokio::test]
async fn other_versions_are_told_which_are_spoken() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::Newest).await;
    for version in ["", "0", "2", "1.0", "01", "x"] {
        for (method, path) in [("GET", "/v1/campaign"), ("POST", "/v1/answers")] {
            let said = [(VERSION_HEADER, version)];
            let heard = service.ask(method, path, &[], &said).await;
            assert_refused(&heard, 426, "upgrade");
            assert_eq!(json(&heard)["versions"], serde_json::json!([1]));
        }
    }
    // Who watches the service need not speak the protocol.
    let heard = service
        .ask("GET", "/healthz", &[], &[(VERSION_HEADER, "")])
        .await;
    assert_eq!(heard.status, 200);
    service.stop().await;
}

#[tokio::test]
async fn a_token_admits_one_answer() {
    let text = campaign_text("").replace(
        "kind = \"open\"",
        "kind = \"tokens\"\nissuer = \"https://tokens.example.org\"\nkeys = [\"issuer.pem\"]",
    );
    let folder = campaign_folder(&text);
    let mut rng = RandomSource::insecure_seed(3).stream();
    let [ours, other] = [0, 1].map(|_| IssuerKey::generate(2048, &mut rng).unwrap());
    let pem = ours.public().to_pem().unwrap();
    std::fs::write(folder.path().join("issuer.pem"), pem).unwrap();
    let service = Running::start(&folder, Http::Newest).await;
    let announced = json(&service.get("/v1/campaign").await);
    let admission = &announced["admission"];
    assert_eq!(admission["kind"], "tokens");
    assert_eq!(admission["issuer"], "https://tokens.example.org");
    assert_eq!(admission["keys"][0]["id"], ours.public().id().to_string());

    let mut people = Person::crowd(&service.setup(), 3000);
    let collector = Collector::new(service.setup().campaign.clone()).unwrap();
    let round = collector.open().unwrap();
    let mut here = people.iter_mut().filter(|it| it.round() == Some(0));
    let (first, second) = (here.next().unwrap(), here.next().unwrap());
    let mut token = |key: &IssuerKey| {
        let request = TokenRequest::new(key.public(), &mut rng).unwrap();
        let signed = key.sign(&request.blinded(), &mut rng).unwrap();
        Admission::Token(request.finish(&signed).unwrap())
    };
    // A ticket where a token is asked for, and a token of another issuer.
    assert_refused(&service.post(&first.submission(round)).await, 403, "forged");
    first.admission = token(&other);
    assert_refused(&service.post(&first.submission(round)).await, 403, "forged");
    first.admission = token(&ours);
    let good = first.submission(round);
    // One bit of the signature, which stands at the end.
    let mut bent = good.clone();
    *bent.last_mut().unwrap() ^= 1;
    assert_refused(&service.post(&bent).await, 403, "forged");
    assert_eq!(json(&service.post(&good).await)["status"], "counted");
    assert_eq!(json(&service.post(&good).await)["status"], "repeated");
    second.admission = first.admission.clone();
    assert_refused(&service.post(&second.submission(round)).await, 409, "used");
    let status = json(&service.get("/v1/status").await);
    assert_eq!(status["round"]["answers"], 1);
    service.stop().await;
}
