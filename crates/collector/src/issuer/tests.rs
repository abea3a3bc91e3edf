//! The issuer over real TLS on the loopback, and its files.

mod apart;
mod claims;
mod files;
mod kills;
mod requests;
mod rotation;
mod running;

use std::sync::LazyLock;

use rand_core::Rng;
use serde_json::Value;
use tempfile::TempDir;
use wayveil_admission::{Code, IssuerKey, TokenGiven, TokenOrder, TokenRequest};
use wayveil_core::RandomSource;

use crate::ask::Heard;
use crate::testing::folder::{campaign_folder, campaign_text};

/// Three keys; drawing one takes a while.
static KEYS: LazyLock<[IssuerKey; 3]> =
    LazyLock::new(|| [1, 2, 3].map(|seed| IssuerKey::generate(2048, &mut rng(seed)).unwrap()));

fn rng(seed: u64) -> impl rand_core::CryptoRng {
    RandomSource::insecure_seed_for("issuer", seed).stream()
}

fn json(heard: &Heard) -> Value {
    serde_json::from_slice(&heard.body).unwrap()
}

/// An issuer's file with these tables of campaigns.
fn issuer_text(campaigns: &str) -> String {
    format!(
        r#"{campaigns}
[service]
listen = "127.0.0.1:0"
certificate = "cert.pem"
key = "key.pem"
store = "sqlite:issuer.db"
"#
    )
}

/// One campaign, whose keys are written so.
fn spring(keys: &str) -> String {
    format!("[[campaign]]\nname = \"spring\"\nkeys = [{keys}]\n")
}

/// A folder with a certificate, the keys as `0.secret.pem`, `0.pem` and so on, a campaign file and
/// an issuer's file.
fn folder(campaigns: &str) -> TempDir {
    let folder = campaign_folder(&campaign_text(""));
    for (at, key) in KEYS.iter().enumerate() {
        let write = |name: String, pem: String| {
            std::fs::write(folder.path().join(name), pem).unwrap();
        };
        write(format!("{at}.secret.pem"), key.to_pem().unwrap());
        write(format!("{at}.pem"), key.public().to_pem().unwrap());
    }
    rewrite(&folder, campaigns);
    folder
}

fn rewrite(folder: &TempDir, campaigns: &str) {
    let file = folder.path().join("issuer.toml");
    std::fs::write(file, issuer_text(campaigns)).unwrap();
}

fn request(key: usize, seed: u64) -> TokenRequest {
    TokenRequest::new(KEYS[key].public(), &mut rng(1000 + seed)).unwrap()
}

fn order(code: &Code, request: &TokenRequest) -> Vec<u8> {
    let order = TokenOrder {
        code: code.clone(),
        key: request.key().id(),
        blinded: request.blinded(),
    };
    order.encode().unwrap()
}

/// The signature of a reply that is one.
fn given(heard: &Heard) -> TokenGiven {
    assert_eq!(heard.status, 200, "{:?}", heard.body);
    TokenGiven::decode(&heard.body).unwrap()
}

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
}
