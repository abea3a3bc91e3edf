//! Campaign files on disk, for tests.

use tempfile::TempDir;

/// A campaign of six places; rounds have the given further rule.
pub(crate) fn campaign_text(rule: &str) -> String {
    format!(
        r#"name = "Harbour city"
universe = "stops.txt"
[asked]
clients = 3000
k = 600
length = 2
epsilon = "6"
[rounds]
open_for = "1h"
quorum = 2
{rule}
[admission]
kind = "open"
[service]
listen = "127.0.0.1:0"
certificate = "cert.pem"
key = "key.pem"
store = "sqlite:campaign.db"
"#
    )
}

/// A folder with a campaign file, its universe, and a certificate for the loopback.
pub(crate) fn campaign_folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("stops.txt", "quay\nmill\nhill\ngate\ndock\npark\n");
    write("campaign.toml", text);
    let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    write("cert.pem", &made.cert.pem());
    write("key.pem", &made.signing_key.serialize_pem());
    folder
}
