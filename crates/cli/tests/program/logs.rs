//! What services write to standard error, and whether it names anybody.

use std::fs::{File, OpenOptions};

use serde_json::Value;

use super::common::Place;

/// All fields that a line may have. None of them is about a request.
const FIELDS: [&str; 5] = ["timestamp", "level", "message", "round", "answers"];

/// A file of the folder to write on, at its end.
pub(crate) fn append(place: &Place, name: &str) -> File {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).open(place.path(name));
    file.expect("a writable folder")
}

/// The lines that are JSON, as logs are.
fn lines(log: &str) -> impl Iterator<Item = Value> {
    log.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
}

/// The message of every line.
pub(crate) fn everything_said(log: &str) -> Vec<String> {
    lines(log)
        .map(|line| line["message"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// What in a log names a person or a request: a field that is not known, a code, anything of eight bytes that was posted (as
/// tokens and nonces were, in digits or as numbers), and any address but those where services listen.
pub(crate) fn identifiers(
    log: &str,
    codes: &[String],
    posted: &[&[u8]],
    listening: &[String],
) -> Vec<String> {
    let mut found = Vec::new();
    for line in lines(log) {
        let fields = line.as_object().expect("an object").keys();
        found.extend(
            fields
                .filter(|it| !FIELDS.contains(&it.as_str()))
                .map(|it| format!("field {it}")),
        );
    }
    let plain = log.to_lowercase();
    for code in codes {
        let code = code.to_lowercase();
        if plain.contains(&code) || plain.contains(&code.replace('-', "")) {
            found.push(format!("code {code}"));
        }
    }
    for (at, bytes) in posted.iter().enumerate() {
        let shown = bytes.windows(8).any(|part| {
            let digits: String = part.iter().map(|byte| format!("{byte:02x}")).collect();
            let numbers: Vec<String> = part.iter().map(u8::to_string).collect();
            plain.contains(&digits)
                || plain.contains(&numbers.join(", "))
                || plain.contains(&numbers.join(","))
        });
        found.extend(shown.then(|| format!("post {at}")));
    }
    let mut rest = plain;
    for address in listening {
        rest = rest.replace(address.as_str(), "");
    }
    for address in ["127.0.0.1", "::1"] {
        found.extend(rest.contains(address).then(|| format!("address {address}")));
    }
    found
}

/// What is looked for is found where it was planted.
#[test]
fn planted_identifiers_are_found() {
    let codes = ["4X7K-AAAA-BBBB".to_owned()];
    let post: [&[u8]; 1] = [&[0, 255, 3, 4, 5, 6, 7, 8, 9]];
    let listening = ["127.0.0.1:8443".to_owned()];
    let found = |line: &str| identifiers(line, &codes, &post, &listening);
    let clean = "listening at https://127.0.0.1:8443\n\
                 {\"level\":\"INFO\",\"message\":\"round closed\",\"round\":1,\"answers\":8}\n";
    assert_eq!(found(clean), [""; 0]);
    assert_eq!(everything_said(clean), ["round closed"]);
    for (planted, what) in [
        ("{\"message\":\"x\",\"client\":3}", "field client"),
        ("code 4x7k-aaaa-bbbb", "code 4x7k-aaaa-bbbb"),
        ("code 4X7KAAAABBBB", "code 4x7k-aaaa-bbbb"),
        ("token ff03040506070809", "post 0"),
        ("token [0, 255, 3, 4, 5, 6, 7, 8]", "post 0"),
        ("from 127.0.0.1:50122", "address 127.0.0.1"),
        ("from [::1]:50122", "address ::1"),
    ] {
        let log = format!("{clean}{planted}\n");
        assert_eq!(found(&log), [what], "{planted}");
    }
}
