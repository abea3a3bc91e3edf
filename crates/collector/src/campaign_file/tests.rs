use std::fs;
use std::time::Duration;

use super::*;

const GOOD: &str = r#"name = "Harbour city, spring"
universe = "stops.txt"
[asked]
clients = 100000
k = 5000
length = 3
epsilon = "2"
[rounds]
open_for = "24h"
quorum = 200
enough = 3000
[admission]
kind = "tokens"
issuer = "https://tokens.example.org/"
keys = ["issuer-1.pem"]
[service]
listen = "0.0.0.0:8443"
certificate = "cert.pem"
key = "key.pem"
store = "sqlite:campaign.db"
"#;

/// Reads a campaign file with this text, beside a list of four stops.
fn read(text: &str) -> Result<CampaignFile> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stops.txt"), "quay\nmill\nhill\ngate\n").unwrap();
    let path = folder.path().join("campaign.toml");
    fs::write(&path, text).unwrap();
    CampaignFile::read(&path)
}

#[test]
fn a_good_file_is_read_with_its_defaults() {
    let file = read(GOOD).unwrap();
    assert_eq!(file.name, "Harbour city, spring");
    assert_eq!(file.universe.len(), 4);
    let parameters = file.campaign.parameters();
    assert_eq!((parameters.population, parameters.k), (100_000, 5000));
    assert_eq!((parameters.xi, parameters.per_client), (0.01, 1));
    assert_eq!(parameters.control, Control::PerCandidate);
    let rule = file.rounds.of(0);
    assert_eq!(rule.open_for, Duration::from_secs(86_400));
    assert_eq!((rule.quorum, rule.enough), (200, Some(3000)));
    let AdmissionRule::Tokens { issuer, keys } = &file.admission else {
        panic!("{:?}", file.admission);
    };
    assert_eq!(issuer, "https://tokens.example.org");
    assert!(keys[0].file.ends_with("issuer-1.pem") && keys[0].file.is_absolute());
    assert!(matches!(&file.service.store, StoreAddress::Sqlite(path) if path.is_absolute()));
}

/// Lists give each round a rule of its own; they fit the number of rounds or are refused.
#[test]
fn rounds_may_differ() {
    let rounds = read(GOOD).unwrap().campaign.schedule().rounds();
    assert!(rounds > 2);
    let list = |value: &dyn Fn(usize) -> String, number: usize| {
        let values: Vec<String> = (0..number).map(value).collect();
        format!("[{}]", values.join(", "))
    };
    let each = GOOD
        .replace("\"24h\"", &list(&|at| format!("\"{}h\"", at + 1), rounds))
        .replace(
            "quorum = 200",
            &format!("quorum = {}", list(&|at| (at + 1).to_string(), rounds)),
        )
        .replace(
            "enough = 3000",
            &format!("enough = {}", list(&|at| (at + 9).to_string(), rounds)),
        );
    let file = read(&each).unwrap();
    for round in 0..rounds as u32 {
        let rule = file.rounds.of(round);
        let hours = Duration::from_secs(3600 * (u64::from(round) + 1));
        assert_eq!(rule.open_for, hours);
        assert_eq!(
            (rule.quorum, rule.enough),
            (u64::from(round) + 1, Some(u64::from(round) + 9))
        );
    }
    let short = GOOD.replace(
        "quorum = 200",
        &format!("quorum = {}", list(&|_| "9".into(), rounds - 1)),
    );
    let error = read(&short).unwrap_err();
    assert!(
        error.message().contains(&format!("for {rounds} rounds")),
        "{error}"
    );
    assert_eq!(error.place().and_then(|place| place.line), Some(10));
    // The same rule, written once or for each round, is the same campaign.
    let same = GOOD.replace(
        "quorum = 200",
        &format!("quorum = {}", list(&|_| "200".into(), rounds)),
    );
    assert_eq!(read(&same).unwrap().digest, read(GOOD).unwrap().digest);
}

/// Every bad value is found where it stands.
#[test]
fn errors_name_line_and_column() {
    for (from, to, line, column, says) in [
        (
            "clients = 100000",
            "clients = \"many\"",
            4,
            "11",
            "invalid type",
        ),
        ("clients = 100000", "clients = -1", 4, "11", "-1"),
        ("k = 5000", "k = 5000\nkk = 1", 6, "1", "unknown field"),
        ("k = 5000", "k = 5000\nk = 1", 6, "1", "duplicate"),
        ("k = 5000", "k = 500000", 3, "1", "invalid k"),
        ("length = 3", "length = 0", 3, "1", "length"),
        ("length = 3\n", "", 3, "1", "length"),
        ("epsilon = \"2\"", "epsilon = \"0\"", 7, "11", "epsilon"),
        ("epsilon = \"2\"", "epsilon = 2", 7, "11", "invalid type"),
        ("\"24h\"", "\"24\"", 9, "12", "duration"),
        ("quorum = 200", "quorum = 0", 10, "10", "quorum"),
        ("quorum = 200", "quorum = 100001", 10, "10", "quorum"),
        (
            "quorum = 200",
            "quorum = 500",
            10,
            "10",
            "about 428 of the clients",
        ),
        ("enough = 3000", "enough = 199", 11, "10", "enough"),
        (
            "kind = \"tokens\"",
            "kind = \"closed\"",
            13,
            "8",
            "unknown variant",
        ),
        (
            "kind = \"tokens\"",
            "kind = \"open\"",
            12,
            "1",
            "neither issuer nor keys",
        ),
        ("keys = [\"issuer-1.pem\"]\n", "", 12, "1", "public keys"),
        ("https://", "http://", 14, "10", "issuer"),
        ("0.0.0.0:8443", "everywhere", 17, "10", "address"),
        ("sqlite:", "mysql:", 20, "9", "no store"),
        (
            "[service]",
            "[service]\noperator = \"0.0.0.0:9090\"",
            17,
            "12",
            "operator address",
        ),
        (
            "name = \"Harbour city, spring\"",
            "name = \"\"",
            1,
            "8",
            "name",
        ),
        ("[rounds]", "[rounds", 8, "8", ""),
        (
            "quorum = 200",
            "quorum = true",
            10,
            "10",
            "one for each round",
        ),
        (
            "key = ",
            "requests_per_second = 0\nkey = ",
            19,
            "23",
            "limit",
        ),
        (
            "[service]",
            "[extra]\nx = 1\n[service]",
            16,
            "2",
            "unknown field",
        ),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let error = read(&GOOD.replacen(from, to, 1)).unwrap_err();
        let place = error.place().cloned().unwrap_or_default();
        assert!(place.file.ends_with("campaign.toml"), "{error}");
        assert_eq!(place.line, Some(line), "{to:?}: {error}");
        assert_eq!(place.column.as_deref(), Some(column), "{to:?}: {error}");
        assert!(error.message().contains(says), "{to:?}: {error}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn the_operators_page_stays_on_this_machine() {
    let with = |address: &str| read(&format!("{GOOD}operator = \"{address}\"\n"));
    for good in ["127.0.0.1:9090", "[::1]:0", "127.4.5.6:80"] {
        let address = with(good).unwrap().service.operator;
        assert_eq!(address, Some(good.parse().unwrap()));
    }
    assert_eq!(read(GOOD).unwrap().service.operator, None);
    for bad in [
        "0.0.0.0:9090",
        "[::]:9090",
        "192.168.1.5:9090",
        "localhost:9090",
        "127.0.0.1",
        "",
    ] {
        let error = with(bad).unwrap_err();
        let place = error.place().cloned().unwrap_or_default();
        assert_eq!(
            (place.line, place.column.as_deref()),
            (Some(21), Some("12"))
        );
        assert!(error.advice().is_some_and(|it| it.contains("ssh -L")));
    }
}

#[test]
fn what_is_not_there_is_named() {
    let error = read(&GOOD.replace("stops.txt", "none.txt")).unwrap_err();
    assert!(error.to_string().contains("none.txt"), "{error}");
    let error = CampaignFile::read(Path::new("no/such.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no/such.toml: cannot be read")
    );
}

#[test]
fn keys_may_end_before_the_campaign() {
    let with = |keys: &str| read(&GOOD.replace("[\"issuer-1.pem\"]", keys));
    let file =
        with("[\"issuer-2.pem\", { file = \"issuer-1.pem\", not_after_round = 2 }]").unwrap();
    let AdmissionRule::Tokens { keys, .. } = &file.admission else {
        panic!("{:?}", file.admission);
    };
    let last: Vec<_> = keys.iter().map(|key| key.not_after_round).collect();
    assert_eq!(last, [None, Some(2)]);
    // Which keys there are is no part of what a campaign is.
    assert_eq!(file.digest, read(GOOD).unwrap().digest);
    for (keys, says) in [
        (
            "[{ file = \"a.pem\", not_after_round = 10 }]",
            "no key is good in the last round, 11",
        ),
        (
            "[\"b.pem\", { file = \"a.pem\", not_after_round = 12 }]",
            "the last round is 11",
        ),
        ("[{ file = \"a.pem\", not_after = 1 }]", "not_after"),
        ("[{ not_after_round = 1 }]", "file"),
        ("[3]", "the name of a file"),
    ] {
        let error = with(keys).unwrap_err();
        let shown = error.to_string();
        assert!(shown.contains(says), "{keys}: {shown}");
        assert!(shown.contains("campaign.toml:1"), "{keys}: {shown}");
        assert!(error.advice().is_some());
    }
    // The last round itself is the same as no end.
    assert!(with("[{ file = \"a.pem\", not_after_round = 11 }]").is_ok());
}

/// Where the service listens and which keys it takes may change; what is asked may not.
#[test]
fn the_digest_is_of_the_campaign_alone() {
    let digest = |from: &str, to: &str| read(&GOOD.replacen(from, to, 1)).unwrap().digest;
    let good = read(GOOD).unwrap();
    for (from, to) in [
        ("0.0.0.0:8443", "[::]:9000"),
        ("issuer-1.pem", "issuer-2.pem"),
        ("campaign.db", "other.db"),
        ("\"2\"", "\"2.0\""),
        ("\"24h\"", "\"1d\""),
    ] {
        assert_eq!(digest(from, to), good.digest, "{to}");
    }
    for (from, to) in [
        ("Harbour", "Harbor"),
        ("k = 5000", "k = 5001"),
        ("length = 3", "length = 2"),
        ("\"2\"", "\"3\""),
        ("100000", "100001"),
        ("quorum = 200", "quorum = 201"),
        ("\"24h\"", "\"23h\""),
        ("enough = 3000\n", ""),
        ("tokens.example.org", "coins.example.org"),
        ("epsilon", "xi = 0.02\nepsilon"),
        ("epsilon", "control = \"family-wise\"\nepsilon"),
        ("epsilon", "per_client = 2\nepsilon"),
    ] {
        assert_ne!(digest(from, to), good.digest, "{to}");
    }
    let id = good.campaign.parameters().id;
    assert_eq!(id.to_be_bytes(), good.digest[..8]);
}

#[test]
fn a_universe_comes_back_from_the_document_that_a_service_hands_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stops.json");
    let good = read(GOOD).unwrap();
    fs::write(&path, serde_json::to_vec(&good.universe).unwrap()).unwrap();
    assert_eq!(
        universe::read(&path).unwrap().digest(),
        good.universe.digest()
    );
    fs::write(&path, "{\n  \"origin\": 3 }").unwrap();
    let error = universe::read(&path).unwrap_err();
    assert!(
        error.to_string().contains("stops.json:2, column"),
        "{error}"
    );
    fs::write(
        &path,
        r#"{"origin": "from-data", "locations": [{"label": "a"}]}"#,
    )
    .unwrap();
    assert_eq!(universe::read(&path).unwrap_err().exit_code(), 1);
}
