//! `wayveil publish generalize` as publishers and recipients meet it.

use std::collections::BTreeMap;

use serde_json::Value;
use wayveil_io::{Loaded, load};

use super::common::{Place, write_timed_data};

/// 300 people on one way between four places of Fiji, across the antimeridian.
fn fiji() -> Place {
    let place = Place::new();
    write_timed_data(&place.path("x.parquet"));
    place
}

/// One taxi on a grid of nine cells, without times.
fn one_taxi() -> Place {
    let place = Place::new();
    let table = "uid,lat,lng,datetime\n\
                 1,39.1,116.1,2008-02-02 15:36\n1,39.5,116.5,2008-02-02 15:46\n\
                 1,39.9,116.9,2008-02-02 15:56\n";
    place.write("taxi.csv", table).ok(
        "import taxi.csv --format gps --area 39,116,40,117 --grid 3x3 --population p -o x.parquet",
    );
    place
}

/// The different journeys of a release and how often each is there.
fn journeys(place: &Place, release: &str) -> BTreeMap<Vec<u32>, u64> {
    let Loaded::Release(read) = load(&place.path(release)).expect("a release") else {
        panic!("not a release");
    };
    let mut counts = BTreeMap::new();
    for row in read.trajectories().iter() {
        *counts.entry(row.to_vec()).or_default() += 1;
    }
    counts
}

fn delta(guarantee: &Value) -> f64 {
    guarantee["delta"].as_f64().expect("a number")
}

#[test]
fn a_release_states_and_books_epsilon_and_delta() {
    let place = fiji();
    let line = "publish generalize x.parquet --epsilon 1 --clusters 3 --decoys 4 -o r";
    let found = place.json(line);
    let manifest = &found["manifest"];
    let guarantee = &manifest["guarantee"];
    assert_eq!(guarantee["model"], "differential-privacy");
    assert_eq!(guarantee["epsilon_exact"], "1");
    let stated = delta(guarantee);
    // T = 22: e^(−21)/(1 + e^(−1)).
    let exact = (-21f64).exp() / (1.0 + (-1f64).exp());
    assert!(stated >= exact && stated < exact * 1.00001, "{stated}");
    assert!(stated <= 1e-9);
    let parameters = &manifest["method"]["parameters"];
    for (name, value) in [
        ("clusters", Value::from(3)),
        ("decoys", 4.into()),
        ("threshold", 22.into()),
        ("window", 4.into()),
        ("choose", "usual".into()),
        ("centres", "public".into()),
        ("noise", "laplace".into()),
        ("journeys_of_a_unit", 1.into()),
    ] {
        assert_eq!(parameters[name], value, "{name}");
    }
    let spent = &found["ledger"]["account"]["spent"];
    assert_eq!(spent["delta_exact"], guarantee["delta_exact"]);
    assert_eq!(spent["epsilon_exact"], "1");
    assert!(place.ok("ledger history fiji").contains("(delta 5.5"));
    let limits = manifest["limits"].to_string();
    for words in [
        "Up to 4 of the different journeys are decoys",
        "Times are left out",
        "cluster",
    ] {
        assert!(limits.contains(words), "{limits}");
    }
    let counts = journeys(&place, "r");
    assert_eq!(counts.len(), 5, "{counts:?}");
    let largest = counts.values().max().expect("a count");
    assert!((250..350).contains(largest), "{counts:?}");
    assert!(counts.values().all(|count| *count >= 22));
    place.ok("info r");
    place.ok("evaluate x.parquet r --metric location-divergence");
}

#[test]
fn every_form_can_be_published() {
    let place = fiji();
    for (number, flags) in [
        "--noise truncated",
        "--noise pure --window 3",
        "--centres private --centres-share 1/4 --rounds 2",
        "--bins-together 4 --collapse --near 1",
        "--windows 2 --window 1 --max-trips 3",
        "--windows 2 --window 1 --choose first",
        "--window 2 --choose random",
        "--decoy-style uniform --delta 1e-6",
    ]
    .into_iter()
    .enumerate()
    {
        let line =
            format!("publish generalize x.parquet --epsilon 2 --clusters 4 {flags} -o r{number}");
        let guarantee = &place.json(&line)["manifest"]["guarantee"];
        assert_eq!(guarantee["epsilon_exact"], "2", "{flags}");
        assert_eq!(delta(guarantee) == 0.0, flags.contains("pure"), "{flags}");
        assert!(delta(guarantee) <= 1e-6, "{flags}");
        place.ok(&format!("info r{number}"));
    }
    // Times are the first of the bins that were put together.
    let Loaded::Release(timed) = load(&place.path("r3")).expect("a release") else {
        panic!("not a release");
    };
    let bins = timed.trajectories().bins().expect("a timed release");
    assert!(!bins.is_empty() && bins.iter().all(|bin| bin % 4 == 0));
}

#[test]
fn one_taxi_makes_an_empty_release_with_advice() {
    let place = one_taxi();
    for (flags, advice) in [
        (
            "--window all",
            "cut records into short journeys with --window",
        ),
        ("--window 3", "choose a shorter --window"),
    ] {
        let line =
            format!("publish generalize x.parquet --epsilon 1 --clusters 4 {flags} --force -o r");
        let (code, _, err) = place.run(&line);
        assert_eq!(code, 0, "{err}");
        assert_eq!(err.contains("Whole tracks"), flags.contains("all"), "{err}");
        assert!(
            err.contains("nothing is released") && err.contains(advice),
            "{err}"
        );
        assert!(journeys(&place, "r").is_empty());
        assert_eq!(place.json("info r")["records"], 0);
        // Programs are told too, once.
        let warnings = place.json(&line)["warnings"].clone();
        let told = |words: &str| {
            let told = warnings.as_array().expect("a list").iter();
            told.filter(|it| it.as_str().is_some_and(|it| it.contains(words)))
                .count()
        };
        assert_eq!(told("nothing is released"), 1, "{warnings}");
        assert_eq!((told(advice), told("nothing limits")), (1, 1), "{warnings}");
    }
    assert_eq!(
        place.json("ledger show")["populations"][0]["spent"]["epsilon_exact"],
        "4"
    );
    // Nothing is shorter than one point, but there are other ways.
    let (_, _, err) = place
        .run("publish generalize x.parquet --epsilon 1 --clusters 4 --window 1 --windows 2 -o one");
    assert!(
        err.contains("fewer --windows")
            && err.contains("larger --delta")
            && !err.contains("shorter"),
        "{err}"
    );
}

#[test]
fn fewer_places_than_clusters_are_clusters_of_their_own() {
    let place = fiji();
    let line = "publish generalize x.parquet --epsilon 1 --decoys 0 -o r";
    let (code, _, err) = place.run(line);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("only 4 locations, fewer than --clusters 20"),
        "{err}"
    );
    let counts = journeys(&place, "r");
    assert_eq!(counts.keys().collect::<Vec<_>>(), [&[0u32, 1, 2]]);
}

#[test]
fn a_decoy_longer_than_the_time_that_there_is_has_several_points_in_a_bin() {
    let place = fiji();
    let line = "publish generalize x.parquet --epsilon 1 --clusters 4 --decoys 4 --bins-together 12 \
                --decoy-style uniform -o r";
    place.ok(line);
    let counts = journeys(&place, "r");
    assert!(
        counts.len() > 1 && counts.keys().all(|journey| journey.len() == 3),
        "{counts:?}"
    );
    let Loaded::Release(read) = load(&place.path("r")).expect("a release") else {
        panic!("not a release");
    };
    let rows = read.trajectories();
    assert!((0..rows.len()).all(|row| rows.bins_of(row).is_sorted()));
}

/// A candidate that is published in memory and measured.
fn tried(place: &Place, metric: &str, candidate: &str) -> Value {
    let line = format!("evaluate x.parquet --json --metric {metric}");
    let mut command = place.command(&line);
    let output = command.args(["--publish", candidate]).output();
    serde_json::from_slice(&output.expect("it starts").stdout).expect("one JSON object")
}

#[test]
fn a_large_delta_is_told_and_one_that_promises_nothing_is_refused() {
    let place = fiji();
    let line = |delta| format!("publish generalize x.parquet --epsilon 1 --delta {delta} -o r");
    place.fails(&line("0.9"), 1, &["no promise", "--delta"]);
    assert!(!place.path("r").exists());
    assert_eq!(
        place.json("ledger show")["populations"]
            .as_array()
            .map(Vec::len),
        Some(0)
    );
    let found = place.json(&line("1e-3"));
    assert!(
        found["warnings"].to_string().contains("weak promise"),
        "{found}"
    );
    assert!(
        found["manifest"]["limits"]
            .to_string()
            .contains("weak promise")
    );
    let usual = place.json(&format!("{} --force", line("1e-9")));
    assert!(
        !usual["warnings"].to_string().contains("weak promise"),
        "{usual}"
    );
    // Trying it out is free.
    let tried = tried(&place, "kendall-tau", "generalize epsilon=1 delta=0.9");
    assert!(tried["candidates"][0]["refused"].is_null(), "{tried}");
}

#[test]
fn recipients_are_told_what_rows_are() {
    let place = fiji();
    for (flags, says) in [
        ("", "made by at least one person"),
        ("--noise pure", "nearly all were made by people"),
        ("--as-published", "made by at least one person"),
    ] {
        place.ok(&format!(
            "publish generalize x.parquet --epsilon 1 {flags} --force -o r"
        ));
        let page = std::fs::read_to_string(place.path("r/README.md")).expect("a page");
        assert!(page.contains(says) && !page.contains("synthetic"), "{page}");
    }
    place.ok("publish prefix-tree x.parquet --epsilon 1 --height 3 -o tree");
    let page = std::fs::read_to_string(place.path("tree/README.md")).expect("a page");
    assert!(
        page.contains("synthetic: drawn to fit noisy counts"),
        "{page}"
    );
}

#[test]
fn mutual_information_is_measured_in_place_or_said_to_be_undefined() {
    let place = fiji();
    for method in ["generalize epsilon=1", "generalize epsilon=1 as-published"] {
        let candidate = format!("{method} clusters=4 decoys=5");
        let found = tried(&place, "mutual-information", &candidate);
        let metrics = &found["candidates"][0]["metrics"];
        // Everybody does the same: there is nothing to tell, and it is defined.
        assert_eq!(
            metrics["mutual-information.bits"].as_f64(),
            Some(0.0),
            "{found}"
        );
    }
    place.ok("publish generalize x.parquet --epsilon 1 --decoys 1 --insecure-seed 1 -o r");
    let line = "evaluate x.parquet r --metric mutual-information";
    let text = place.ok(line);
    assert!(
        text.contains("do not correspond to records") && text.contains("--publish"),
        "{text}"
    );
    let found = place.json(line);
    let reason = found["undefined"]["mutual-information"].to_string();
    assert!(reason.contains("do not correspond"), "{found}");
}

#[test]
fn what_cannot_be_promised_is_refused_before_anything_is_spent() {
    let place = fiji();
    for (flags, code, says) in [
        (
            "--epsilon 1 --delta 0",
            1,
            &["needs a delta above 0", "--noise pure"][..],
        ),
        (
            "--epsilon 1 --delta 0 --noise truncated",
            1,
            &["needs a delta above 0"],
        ),
        (
            "--epsilon 0.000001",
            1,
            &["nothing but noise", "larger epsilon"],
        ),
        ("--epsilon 0", 2, &["epsilon"]),
        ("--epsilon 1 --noise pure --window all", 1, &["--window"]),
        ("--epsilon 1 --clusters 0", 2, &["clusters"]),
        (
            "--epsilon 1 --centres private --centres-share 1",
            2,
            &["below 1"],
        ),
        ("--epsilon 1 --decoys 900000", 1, &["--decoys"]),
        ("--epsilon 1 --window 0", 2, &["window", "or all"]),
        (
            "--epsilon 1 --choose best",
            2,
            &["usual, first or random", "--choose"],
        ),
        (
            "--epsilon 1 --rounds 5",
            2,
            &["public centres", "--centres private"],
        ),
        ("--epsilon 1 --near 1000000", 2, &["near", "equal journeys"]),
        (
            "--epsilon 2 --window 1000 --decoys 300000",
            1,
            &["points", "smaller --window"],
        ),
    ] {
        place.fails(
            &format!("publish generalize x.parquet {flags} -o r"),
            code,
            says,
        );
    }
    place
        .write("labels.txt", "A\nB\n")
        .write("y.seq", "A B\n")
        .ok("import y.seq --format seq --universe labels.txt -o y.parquet");
    for flags in ["", "--as-published"] {
        let line = format!("publish generalize y.parquet --epsilon 1 {flags} -o r");
        place.fails(&line, 2, &["no coordinates", "universe with coordinates"]);
    }
    place.fails(
        "publish generalize y.parquet --epsilon 1 --bins-together 2 -o r",
        2,
        &["no coordinates"],
    );
    assert!(!place.path("r").exists());
    let spent = place.json("ledger show");
    assert_eq!(
        spent["populations"].as_array().map(Vec::len),
        Some(0),
        "{spent}"
    );
}

#[test]
fn as_published_needs_more_records_than_decoys() {
    let place = fiji();
    place.fails(
        "publish generalize x.parquet --epsilon 1 --decoys 300 --as-published -o r",
        1,
        &["fewer --decoys"],
    );
    assert!(!place.path("r").exists());
}

#[test]
fn as_published_promises_nothing_and_is_refuted() {
    let place = fiji();
    let line =
        "publish generalize x.parquet --epsilon 1 --clusters 3 --decoys 5 --as-published -o r";
    let found = place.json(line);
    let manifest = &found["manifest"];
    assert_eq!(manifest["guarantee"]["model"], "none");
    assert_eq!(manifest["method"]["variant"], "as-published");
    assert_eq!(manifest["publishable"], false);
    assert!(found["left"].is_null(), "no row is a person's");
    let reason = manifest["guarantee"]["reason"].as_str().expect("a reason");
    assert_eq!(reason.matches(". ").count(), 1, "two sentences: {reason}");
    let page = std::fs::read_to_string(place.path("r/README.md")).expect("a page");
    assert!(
        page.contains("Not to be published") && !page.contains("truthful"),
        "{page}"
    );

    let audit = "audit generalize --epsilon 1 --as-published --runs 1000 --insecure-seed 3";
    let text = place.ok(audit);
    assert!(text.contains("Nothing is claimed"), "{text}");
    let (code, out, err) = place.run(&format!("{audit} --against 2"));
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("REFUTED") && out.contains("2 is held against it"),
        "{out}"
    );
    let text = place.ok("audit generalize --epsilon 1 --delta 0.01 --runs 300 --insecure-seed 3");
    assert!(
        text.contains("Not refuted") && text.contains("1 is claimed"),
        "{text}"
    );
}
