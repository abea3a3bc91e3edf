//! `wayveil federate status`: how a campaign stands.

use std::path::PathBuf;

use wayveil_core::Result;

use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
Examples:
  wayveil federate status https://collector.example.org:8443
  wayveil federate status https://127.0.0.1:8443 --root-certificate cert.pem --json";

#[derive(clap::Args)]
pub(crate) struct StatusArguments {
    /// The address of the service.
    url: String,

    /// A file of certificates (PEM) to trust instead of the usual authorities.
    #[arg(long, value_name = "FILE")]
    root_certificate: Option<PathBuf>,
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(arguments: &StatusArguments, _: &Terminal) -> Result<()> {
    let _ = (&arguments.url, &arguments.root_certificate);
    Err(super::not_built_in("status"))
}

#[cfg(feature = "collector")]
pub(super) fn run(arguments: &StatusArguments, terminal: &Terminal) -> Result<()> {
    let trusted = arguments.root_certificate.as_deref();
    let status = wayveil_collector::program::status(&arguments.url, trusted)?;
    let text = in_words(&status);
    terminal.result(|| status, &text)
}

/// The status for people: what it is, and a line for each round.
#[cfg(feature = "collector")]
fn in_words(status: &serde_json::Value) -> String {
    use crate::table::Table;

    let text = |value: &serde_json::Value| match value.as_str() {
        Some(text) => text.to_owned(),
        None if value.is_null() => "–".to_owned(),
        None => value.to_string(),
    };
    let mut words = format!("{}: {}", text(&status["name"]), text(&status["state"]));
    if let Some(why) = status["why"].as_str() {
        words += &format!(", as {why}");
    }
    match (status["published"].as_str(), &status["state"]) {
        (Some("yes"), _) => words += ", and published",
        (Some("no"), state) if state != "failed" => {
            let why = text(&status["not_published_because"]);
            words += &format!("\nnot published yet: {why}; it is tried again every minute");
        }
        _ => {}
    }
    if status["store_works"] == false {
        words += "\nthe store does not work: answers are not taken at the moment";
    }
    let mut table = Table::new(&[
        "round", "length", "phase", "answers", "quorum", "enough", "state",
    ]);
    let closed = status["closed"].as_array().into_iter().flatten();
    let open = Some(&status["round"]).filter(|round| !round.is_null());
    for round in closed.chain(open) {
        let state = match round["closes_in_seconds"].as_u64() {
            Some(seconds) => format!("closes in {seconds} s at the latest"),
            None => "closed".to_owned(),
        };
        let cell = |name: &str| text(&round[name]);
        let [index, length, phase] = ["index", "length", "phase"].map(cell);
        let [answers, quorum, enough] = ["answers", "quorum", "enough"].map(cell);
        table.row(&[index, length, phase, answers, quorum, enough, state]);
    }
    words += &format!("\n\n{}", table.text());
    if let Some(fragments) = status["found"]["fragments"].as_u64() {
        words += &format!("\n{fragments} fragments were found.\n");
    }
    words
}

#[cfg(all(test, feature = "collector"))]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_status_is_told_in_words() {
        let running = json!({
            "name": "Harbour city", "state": "running", "why": null, "store_works": true,
            "closed": [{"index": 0, "length": 1, "phase": 0, "answers": 700}],
            "round": {"index": 1, "length": 1, "phase": 1, "answers": 12, "quorum": 500,
                      "enough": null, "closes_in_seconds": 60},
            "found": null,
        });
        let words = in_words(&running);
        assert!(
            words.starts_with("Harbour city: running\n\nround"),
            "{words}"
        );
        assert!(words.contains("closes in 60 s at the latest"), "{words}");
        assert!(words.contains("closed"), "{words}");
        let failed = json!({
            "name": "Harbour city", "state": "failed", "why": "too few answered",
            "store_works": false, "closed": [], "round": null, "found": null,
            "published": "no", "not_published_because": "too few answered",
        });
        let words = in_words(&failed);
        assert!(!words.contains("tried again"), "{words}");
        assert!(words.contains("failed, as too few answered"), "{words}");
        assert!(words.contains("the store does not work"), "{words}");
        let complete = |published: &str, why: Option<&str>| {
            in_words(&json!({
                "name": "Harbour city", "state": "complete", "why": null, "store_works": true,
                "closed": [], "round": null, "found": {"fragments": 3},
                "published": published, "not_published_because": why,
            }))
        };
        let words = complete("no", Some("no room"));
        assert!(
            words.starts_with("Harbour city: complete\nnot published yet: no room;"),
            "{words}"
        );
        let words = complete("yes", None);
        assert!(
            words.starts_with("Harbour city: complete, and published\n"),
            "{words}"
        );
    }
}
