//! The page for everybody, and the operator's own port.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;

/// What the operator's port says to a request with this host: status, headers and body as text.
async fn ask_operator(address: SocketAddr, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {host}\r\norigin: https://evil.example\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard).await.unwrap();
    String::from_utf8_lossy(&heard).into_owned()
}

/// A campaign with an operator's port, whose places have names that stand nowhere else.
fn watched_folder(rule: &str) -> tempfile::TempDir {
    let text = campaign_text(rule) + "operator = \"127.0.0.1:0\"\n";
    let folder = campaign_folder(&text);
    let places =
        "planted-quay\nplanted-mill\nplanted-hill\nplanted-gate\nplanted-dock\nplanted-park\n";
    std::fs::write(folder.path().join("stops.txt"), places).unwrap();
    folder
}

pub(super) async fn answer_round(service: &Running, people: &mut [Person]) {
    let announced = json(&service.get("/v1/campaign").await);
    let round = announced["round"]["index"].as_u64().unwrap() as u32;
    let here = people.iter_mut().filter(|it| it.round() == Some(round));
    for person in here.take(6) {
        let path = format!("/v1/rounds/{round}/question/{:016x}", person.place());
        let question = Question::decode(&service.get(&path).await.body).unwrap();
        person.answer(&question);
        assert_eq!(service.post(&person.again()).await.status, 200);
    }
}

/// Fragments are on the operator's page, and on nothing that the public port says of the campaign. The set of
/// places is public by itself, and a question names what it asks about; neither tells what survives.
#[tokio::test]
async fn fragments_are_for_the_operator_alone() {
    let folder = watched_folder("enough = 6");
    let service = Running::start(&folder, Http::Newest).await;
    let operator = service.operator.unwrap();
    let mut people = Person::crowd(&service.setup(), 3000);
    let mut shown = false;
    while json(&service.get("/v1/status").await)["state"] == "running" {
        answer_round(&service, &mut people).await;
        let page = ask_operator(operator, "localhost", "/").await;
        shown |= page.contains("planted-quay → planted-mill");
        for path in [
            "/",
            "/v1/status",
            "/v1/campaign",
            "/metrics",
            "/healthz",
            "/openapi.json",
        ] {
            let heard = service.get(path).await;
            assert_eq!(heard.status, 200, "{path}");
            let body = String::from_utf8(heard.body.to_vec()).unwrap();
            assert!(!body.contains("planted"), "{path}: {body}");
        }
    }
    assert!(shown, "the operator never saw a fragment");
    let page = String::from_utf8(service.get("/").await.body.to_vec()).unwrap();
    assert!(page.contains("The campaign is complete.") && !page.contains("planted"));
    for path in ["/operator/status.json", "/operator/", "/operator"] {
        assert_eq!(service.get(path).await.status, 404, "{path}");
    }
    service.stop().await;
}

#[tokio::test]
async fn the_public_page_may_load_and_tell_nothing() {
    let folder = campaign_folder(&campaign_text(""));
    let service = Running::start(&folder, Http::Newest).await;
    assert!(service.operator.is_none());
    let heard = service
        .ask("GET", "/", &[], &[("wayveil-protocol", "")])
        .await;
    assert_eq!(heard.status, 200);
    let header = |name: &str| heard.headers[name].to_str().unwrap();
    assert_eq!(header("content-type"), "text/html; charset=utf-8");
    assert_eq!(header("referrer-policy"), "no-referrer");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let policy = header("content-security-policy");
    for rule in [
        "default-src 'none'",
        "connect-src 'self'",
        "script-src 'sha256-",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(rule), "{rule} is not in {policy}");
    }
    assert!(!policy.contains("unsafe"));
    let page = String::from_utf8(heard.body.to_vec()).unwrap();
    assert!(
        page.contains("Harbour city") && page.contains("<title>Round 0 · Harbour city</title>")
    );
    service.stop().await;
}

#[tokio::test]
async fn the_operator_is_told_more_on_this_machine() {
    let folder = watched_folder("");
    let service = Running::start(&folder, Http::Newest).await;
    let operator = service.operator.unwrap();
    let said = ask_operator(operator, &operator.to_string(), "/operator/status.json").await;
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(!head.to_lowercase().contains("access-control"), "{head}");
    assert!(
        head.contains("cross-origin-resource-policy: same-origin"),
        "{head}"
    );
    assert!(head.contains("cache-control: no-store"), "{head}");
    let status: Value = serde_json::from_str(body).unwrap();
    assert_eq!(status["outcomes"]["counted"], 0);
    assert_eq!(status["lengths"][0]["candidates"], 6);
    let metrics = ask_operator(operator, "localhost:1", "/metrics").await;
    assert!(metrics.contains("wayveil_store_works 1"), "{metrics}");
    // A name that was made to point here is not served, whatever it asks for.
    for path in ["/", "/operator/status.json", "/metrics", "/nothing"] {
        let said = ask_operator(operator, "evil.example", path).await;
        assert!(said.starts_with("HTTP/1.1 421"), "{said}");
        assert!(
            !said.contains("planted") && !said.contains("wayveil_"),
            "{said}"
        );
    }
    service.stop().await;
}
