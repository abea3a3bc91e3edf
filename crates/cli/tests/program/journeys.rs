//! What users do, from a file to a release and back.

use super::common::{Place, names};

#[test]
fn from_generated_data_to_a_release() {
    let place = Place::new();
    place.ok("generate metro --records 3000 --insecure-seed 1 -o metro.parquet");
    let info = place.json("info metro.parquet");
    assert_eq!(info["records"], 3000);
    assert_eq!(info["locations"], 68);
    assert_eq!(info["symbols"], 12_630);
    assert_eq!(info["mean_length"], 4.21);
    assert_eq!(info["max_length"], 90);

    place.ok("publish prefix-tree metro.parquet --epsilon 1 --height 4 -o r/");
    assert_eq!(
        names(&place.path("r")),
        [
            "README.md",
            "counts.parquet",
            "locations.parquet",
            "manifest.json",
            "trajectories.parquet"
        ]
    );
    let release = place.json("info r/");
    assert_eq!(release["kind"], "release");
    assert_eq!(release["manifest"]["publishable"], true);
    assert_eq!(release["manifest"]["guarantee"]["epsilon"], 1.0);
    assert!(release["max_length"].as_u64().unwrap() <= 4);
    assert!(
        place
            .ok("info r")
            .contains("differential privacy, epsilon 1")
    );

    place.ok("convert r/ --to seq -o r.seq");
    let lines = std::fs::read_to_string(place.path("r.seq")).unwrap();
    assert_eq!(
        lines.lines().count() as u64,
        release["records"].as_u64().unwrap()
    );
    place.ok("convert r/ --to csv -o r.csv");
    place.ok("convert metro.parquet --to seq -o metro.seq");
    assert_eq!(
        names(&place.path("."))[0],
        "metro.parquet",
        "no hidden file is left"
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let place = Place::new();
    for name in ["a", "b"] {
        place.ok(&format!(
            "generate bus --records 2000 --insecure-seed 7 -o {name}.parquet"
        ));
        place.ok(&format!(
            "publish prefix-tree {name}.parquet --epsilon 2 --height 3 --insecure-seed 9 -o {name}"
        ));
    }
    let same = |left: &str, right: &str| {
        assert!(
            std::fs::read(place.path(left)).unwrap() == std::fs::read(place.path(right)).unwrap(),
            "{left} and {right} differ"
        );
    };
    same("a.parquet", "b.parquet");
    same("a/trajectories.parquet", "b/trajectories.parquet");
    same("a/counts.parquet", "b/counts.parquet");
    place.ok("generate bus --records 2000 --insecure-seed 8 -o c.parquet");
    assert_ne!(
        std::fs::read(place.path("a.parquet")).unwrap(),
        std::fs::read(place.path("c.parquet")).unwrap()
    );
    let manifest = &place.json("info a")["manifest"];
    assert_eq!(manifest["publishable"], false);
    let text = std::fs::read_to_string(place.path("a/manifest.json")).unwrap();
    assert!(
        !text.contains("seed\": "),
        "the manifest never names the seed"
    );
}

#[test]
fn taps_become_journeys() {
    let place = Place::new();
    place.write("stops.txt", "Harbour\nMarket\nMuseum\n").write(
        "taps.csv",
        "card;stop;time\n7;Market;2024-03-04 09:00\n8;Museum;2024-03-04 08:00\n\
         7;Harbour;2024-03-04 08:00\n7;Harbour;2024-03-04 08:00\n",
    );
    let columns = "--uid-column card --location-column stop --datetime-column time";
    let line = format!("import taps.csv --format events --universe stops.txt {columns}");
    let dry = place.json(&format!("{line} --dry-run"));
    assert_eq!(
        (dry["rows"].as_u64(), dry["duplicates"].as_u64()),
        (Some(4), Some(1))
    );
    assert_eq!(dry["out_of_order"], 2, "two rows stand after a later one");
    assert_eq!(
        place.names(),
        ["stops.txt", "taps.csv"],
        "a dry run writes nothing"
    );
    place.ok(&format!("{line} -o taps.parquet"));
    place.ok("convert taps.parquet --to seq -o taps.seq");
    let journeys = std::fs::read_to_string(place.path("taps.seq")).unwrap();
    assert_eq!(journeys, "Harbour Market\nMuseum\n");
}

#[test]
fn timed_sequences_are_published_with_their_bins() {
    let place = Place::new();
    place
        .write("x.seq", "A@0 B@2\n".repeat(300))
        .write("labels.txt", "A\nB\nC\n");
    place.ok("import x.seq --format seq --universe labels.txt --bins 4 -o x.parquet");
    place.ok("publish prefix-tree x.parquet --epsilon 4 --height 2 -o r");
    place.ok("convert r --to seq -o r.seq");
    let lines = std::fs::read_to_string(place.path("r.seq")).unwrap();
    assert!(
        lines.lines().filter(|line| *line == "A@0 B@2").count() > 250,
        "{lines}"
    );
}

#[test]
fn the_demo_runs_and_refuses_to_overwrite() {
    let place = Place::new();
    let out = place.ok("demo --records 3000");
    for part in [
        "wayveil-demo/release",
        "wayveil-demo/report.html",
        "wayveil-demo/compare.html",
        "weave",
        "suppress",
    ] {
        assert!(out.contains(part), "{out}\nlacks {part:?}");
    }
    assert_eq!(
        names(&place.path("wayveil-demo")),
        [
            "compare.html",
            "journeys.parquet",
            "ledger.sqlite",
            "ledger.sqlite.key",
            "picture.svg",
            "release",
            "report.html",
            "taps.parquet",
            "truthful"
        ]
    );
    for release in ["release", "truthful"] {
        assert!(
            place
                .path(&format!("wayveil-demo/{release}/report.html"))
                .exists()
        );
        assert!(
            place
                .json(&format!("info wayveil-demo/{release}"))
                .is_object()
        );
    }
    assert_eq!(place.json("verify wayveil-demo/truthful")["holds"], true);
    assert!(out.contains("the release, to be given away"), "{out}");
    place.fails("demo --records 3000", 2, &["exists already", "--force"]);
    let weak = place.ok("demo --records 3000 --epsilon 40 -o weak");
    assert!(weak.contains("hardly protected"), "{weak}");
    let seeded = place.ok("demo --records 3000 --insecure-seed 1 -o seeded");
    assert!(seeded.contains("not to be published"), "{seeded}");
    assert!(
        !seeded.contains("to be given away") && seeded.contains("Neither"),
        "{seeded}"
    );
    place.ok("demo --records 3000 --force");
    let demo = place.json("demo --records 3000 -o other");
    assert_eq!(demo["manifest"]["method"]["name"], "weave");
    assert_eq!(demo["comparison"]["releases"][1]["name"], "truthful");
    assert!(
        !place.ledger().exists(),
        "made-up people have books of their own"
    );
}

#[test]
fn shells_and_schema_are_served() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            place
                .ok(&format!("completions {shell}"))
                .contains("prefix-tree")
        );
    }
    place.ok("man pages");
    assert!(names(&place.path("pages")).contains(&"wayveil.1".to_owned()));
    let schema: serde_json::Value = serde_json::from_str(&place.ok("schema")).unwrap();
    assert!(schema["properties"]["guarantee"].is_object());
}

#[test]
fn the_hybrid_tree_takes_its_taxonomy_from_wherever_it_is_given() {
    let place = Place::new();
    place.ok("generate metro --records 20000 --insecure-seed 1 -o metro.parquet");
    let publish = |input: &str, flags: &str, output: &str| {
        place.ok(&format!(
            "publish hybrid-tree {input} --epsilon 1 --height 4 {flags} -o {output}"
        ));
        place.json(&format!("info {output}"))["manifest"]["method"]["parameters"].clone()
    };
    assert_eq!(publish("metro.parquet", "", "own")["taxonomy_groups"], 4);
    assert_eq!(
        publish("metro.parquet", "--fan-out 10", "built")["taxonomy_groups"],
        7
    );

    place
        .write("x.seq", "A B C\nD A\n".repeat(200))
        .write("labels.txt", "A\nB\nC\nD\n")
        .write("lines.csv", "label,parent\nA,red\nB,red\nC,blue\nD,blue\n")
        .write("short.csv", "label,parent\nA,red\nB,red\nC,blue\n")
        .write(
            "double.csv",
            "label,parent\nA,red\nA,blue\nB,red\nC,blue\nD,blue\n",
        );
    place.ok("import x.seq --format seq --universe labels.txt -o x.parquet");
    let line = "publish hybrid-tree x.parquet --epsilon 4 --height 2 -o r";
    place.fails(line, 2, &["needs a taxonomy", "--taxonomy", "--fan-out"]);
    place.fails(
        &format!("{line} --taxonomy short.csv"),
        2,
        &["short.csv", "D"],
    );
    place.fails(
        &format!("{line} --taxonomy double.csv"),
        2,
        &["double.csv:3", "A"],
    );
    assert_eq!(
        publish("x.parquet", "--taxonomy lines.csv", "file")["taxonomy_groups"],
        2
    );

    std::fs::create_dir(place.path("feed")).unwrap();
    place
        .write(
            "feed/routes.txt",
            "route_id,route_short_name\nr,red\nb,blue\n",
        )
        .write("feed/trips.txt", "route_id,trip_id\nr,1\nb,2\n")
        .write("feed/stops.txt", "stop_id,stop_name\nA,a\nB,b\nC,c\nD,d\n")
        .write(
            "feed/stop_times.txt",
            "trip_id,stop_id,stop_sequence\n1,A,1\n1,B,2\n2,C,1\n2,D,2\n2,A,3\n",
        );
    assert_eq!(
        publish("x.parquet", "--taxonomy-gtfs feed", "gtfs")["taxonomy_groups"],
        2
    );
}

#[test]
fn the_published_tree_is_refused_where_it_explodes() {
    let place = Place::new();
    place.ok("generate stm --records 2000 --insecure-seed 1 -o stm.parquet");
    let line = "publish prefix-tree stm.parquet --epsilon 1 --height 12 --as-published -o r";
    place.fails(line, 1, &["explode", "31.0 false children", "--node-cap"]);
    assert_eq!(place.names(), ["stm.parquet"]);
    place.ok(&format!("{line} --node-cap 3000"));
    place.ok("generate metro --records 2000 --locations 17 --insecure-seed 1 -o small.parquet");
    place.ok("publish prefix-tree small.parquet --epsilon 1 --height 12 --as-published -o s");
    let manifest = &place.json("info s")["manifest"];
    assert_eq!(manifest["method"]["variant"], "as-published");
    assert_eq!(manifest["guarantee"]["model"], "differential-privacy");
}

/// Everything that must not reach a release is made recognisable, and all its bytes are searched.
#[test]
fn nothing_raw_reaches_a_release() {
    let place = Place::new();
    std::fs::create_dir(place.path("SENTINELFOLDER")).unwrap();
    // 7,919 people, of whom one visits a location that nobody else does.
    let mut lines = "A B\n".repeat(7918);
    lines += "SENTINELSTOP\n";
    place
        .write("SENTINELFOLDER/x.seq", lines)
        .write("labels.txt", "A\nB\nSENTINELSTOP\n");
    place.ok(
        "import SENTINELFOLDER/x.seq --format seq --universe labels.txt \
         --population SENTINELPEOPLE -o SENTINELFOLDER/x.parquet",
    );
    place.ok(
        "publish prefix-tree SENTINELFOLDER/x.parquet --epsilon 1 --height 2 \
         --insecure-seed 424242424242 -o r",
    );
    for name in names(&place.path("r")) {
        let bytes = std::fs::read(place.path("r").join(&name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for raw in [
            "SENTINELFOLDER",
            "SENTINELPEOPLE",
            "424242424242",
            "7919",
            "7,919",
        ] {
            assert!(!text.contains(raw), "{name} holds {raw}");
        }
        if name == "trajectories.parquet" || name == "counts.parquet" {
            assert!(
                !text.contains("SENTINELSTOP"),
                "{name} shows a single person"
            );
        }
    }
}

/// Records of length zero change no count, so that nothing but id and date may differ.
#[test]
fn what_is_not_counted_leaves_no_trace() {
    let place = Place::new();
    place
        .write("labels.txt", "A\nB\n")
        .write("few.seq", "A B\n".repeat(300))
        .write("many.seq", "A B\n".repeat(300) + &"\n".repeat(50));
    for name in ["few", "many"] {
        place.ok(&format!(
            "import {name}.seq --format seq --universe labels.txt -o {name}.parquet"
        ));
        place.ok(&format!(
            "publish prefix-tree {name}.parquet --epsilon 1 --height 2 --insecure-seed 5 -o {name}"
        ));
    }
    for file in [
        "trajectories.parquet",
        "counts.parquet",
        "locations.parquet",
    ] {
        let read = |name: &str| std::fs::read(place.path(name).join(file)).unwrap();
        assert!(read("few") == read("many"), "{file} differs");
    }
}

#[test]
fn help_describes_each_method() {
    let place = Place::new();
    for (method, words) in [
        ("weave", "fit noisy counts of many kinds"),
        ("prefix-tree", "Noisy counts of how trajectories begin"),
        ("hybrid-tree", "asking for lines before stations"),
        ("generalize", "journeys between clusters of places"),
    ] {
        assert!(place.ok("publish --help").contains(words));
        assert!(
            place
                .ok(&format!("publish {method} --help"))
                .contains(words)
        );
    }
}

#[test]
fn publishing_without_a_method_names_the_one_to_begin_with() {
    let place = Place::new();
    let said = &[
        "metro.parquet",
        "a method comes first",
        "publish weave metro.parquet",
    ];
    place.fails("publish metro.parquet --epsilon 1 -o r", 2, said);
    place.fails(
        "publish waeve metro.parquet --epsilon 1 -o r",
        2,
        &["'weave'"],
    );
}
