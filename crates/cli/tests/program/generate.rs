//! Data made up on this machine.

use crate::common::Place;

#[test]
fn people_by_the_hour_have_a_sensitive_value() {
    let place = Place::new();
    let made = place.json("generate city --records 2000 --insecure-seed 1 -o city.parquet");
    assert_eq!(made["records"], 2_000);
    assert_eq!(
        (&made["locations"], &made["bins"]),
        (&26.into(), &24.into())
    );
    assert_eq!(made["attribute"]["sensitive"], serde_json::json!(["HIV"]));
    let info = place.json("info city.parquet");
    assert_eq!(
        (&info["symbols"], &info["time_bins"]),
        (&10_000.into(), &24.into())
    );

    let line = "generate stm-hours --records 100 --locations 17 --bins 72 -o hours.parquet";
    let made = place.json(line);
    assert_eq!(
        (&made["locations"], &made["bins"]),
        (&17.into(), &72.into())
    );
    assert_eq!(made["attribute"]["sensitive"].as_array().unwrap().len(), 6);
    let help = place.ok("generate --help");
    for says in [
        "HIV, Hepatitis",
        "80,000 people",
        "how many taxis",
        "2,700 points",
    ] {
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(says), "{says:?} is not in {help}");
    }
}

#[test]
fn taxis_as_points_and_as_trips() {
    let place = Place::new();
    let made = place.json("generate taxi --records 3 --insecure-seed 1 -o taxi.csv");
    let text = std::fs::read_to_string(place.path("taxi.csv")).unwrap();
    let points = text.lines().count() as u64 - 1;
    assert_eq!(
        (&made["taxis"], &made["points"]),
        (&3.into(), &points.into())
    );
    place.ok("generate taxi --records 3 --insecure-seed 1 -o taxi.csv.gz");
    let packed = std::fs::read(place.path("taxi.csv.gz")).unwrap();
    assert!(packed.starts_with(&[0x1f, 0x8b]));

    let made = place.json("generate taxi --records 3 --locations 60 -o taxi.parquet");
    assert_eq!(made["locations"], 64);
    assert_eq!(made["universe"], "generator taxi, 8 rows and 8 columns");
    assert!(made["records"].as_u64().unwrap() > 100);

    for (line, says) in [
        ("generate metro -o m.csv", "wayveil convert"),
        ("generate taxi --locations 9 -o t.csv", "--locations"),
        ("generate taxi --bins 9 -o t.csv.gz", "--bins"),
        ("generate taxi --records 0 -o t.csv", "records"),
    ] {
        place.fails(line, 2, &[says]);
    }
    assert_eq!(place.names(), ["taxi.csv", "taxi.csv.gz", "taxi.parquet"]);
}

#[test]
fn vehicles_on_a_given_network() {
    let place = Place::new();
    std::fs::create_dir(place.path("roads")).unwrap();
    place.write("roads/vertices.txt", "1 0 0\n2 15 0\n3 30 9\n");
    place.write("roads/edges.txt", "1 1 2 15\n2 2 3 20\n3 3 3 1\n");
    let line = "generate oldenburg --records 50 --bins 9 --network roads -o o.parquet";
    let made = place.json(line);
    let network = &made["network"];
    assert_eq!(
        (&network["vertices"], &network["edges"]),
        (&3.into(), &2.into())
    );
    assert_eq!(network["left_out"]["self_loops"], 1);
    assert_eq!(made["bins"], 9);

    place.write("roads/edges.txt", "1 1 2 15\n2 2 4 20\n");
    let again = "generate oldenburg --network roads -o p.parquet";
    place.fails(again, 2, &["edges.txt:2", "vertex 4"]);
    place.fails(
        "generate oldenburg --network no -o p.parquet",
        2,
        &["vertices.txt"],
    );
    place.fails(
        "generate city --network roads -o p.parquet",
        2,
        &["oldenburg"],
    );
    place.fails(
        "generate bus --bins 24 -o p.parquet",
        2,
        &["no time bins", "--bins"],
    );
    place.fails("generate city --bins 3 -o p.parquet", 2, &["between 12"]);
}
