//! Trajectories on other programs' maps.

use serde_json::{Value, json};

use super::common::{Place, write_timed_data};

fn features(document: &Value) -> &[Value] {
    assert_eq!(document["type"], "FeatureCollection");
    document["features"].as_array().unwrap()
}

#[test]
fn a_metro_and_its_release_become_lines() {
    let place = Place::new();
    place.ok("generate metro --records 2000 --insecure-seed 1 -o metro.parquet");
    place.ok("publish prefix-tree metro.parquet --epsilon 1 --height 4 -o r");
    place.ok("convert metro.parquet --to geojson --what locations -o stations.json");
    let stations = place.read_json("stations.json");
    let stations = features(&stations);
    assert_eq!(stations.len(), 68);
    let place_of = |label: &Value| {
        let station = stations
            .iter()
            .find(|it| it["properties"]["label"] == *label);
        station.unwrap()["geometry"]["coordinates"].clone()
    };
    for (input, internal) in [("metro.parquet", true), ("r", false)] {
        let info = place.json(&format!("info {input}"));
        let said = place.json(&format!("convert {input} --to geojson -o x.json --force"));
        assert_eq!(said, json!({"output": "x.json", "internal": internal}));
        let document = place.read_json("x.json");
        assert_eq!(document.get("note").is_some(), internal);
        let mut visits = 0;
        for (index, feature) in features(&document).iter().enumerate() {
            let properties = &feature["properties"];
            assert_eq!(properties["trajectory"], index + 1);
            assert_eq!(properties.get("uid").is_some(), internal);
            let labels = properties["locations"].as_array().unwrap();
            visits += labels.len();
            let places: Vec<Value> = labels.iter().map(place_of).collect();
            let geometry = match places.as_slice() {
                [] => Value::Null,
                [only] => json!({"type": "Point", "coordinates": only}),
                _ => json!({"type": "LineString", "coordinates": places}),
            };
            assert_eq!(feature["geometry"], geometry);
        }
        assert_eq!(info["records"], features(&document).len());
        assert_eq!(info["symbols"], visits);
    }
}

#[test]
fn timed_data_and_their_release_become_moving_points() {
    let place = Place::new();
    write_timed_data(&place.path("fiji.parquet"));
    let said = place.json("convert fiji.parquet --to mfjson -o raw.json");
    assert_eq!(said["features"], 300);
    assert_eq!(
        (&said["without_visits"], &said["cut"]),
        (&json!(0), &json!(0))
    );
    let a_day = json!({
        "type": "Feature",
        "temporalGeometry": {
            "type": "MovingPoint",
            "datetimes": ["2024-03-03T20:00:00Z", "2024-03-03T20:30:00Z", "2024-03-03T22:00:00Z"],
            "coordinates": [[178.5, -18.0], [-179.5, -17.0], [179.5, -17.0]],
            "interpolation": "Discrete",
        },
        "geometry": {"type": "MultiLineString", "coordinates": [
            [[178.5, -18.0], [180.0, -17.25]],
            [[-180.0, -17.25], [-179.5, -17.0], [-180.0, -17.0]],
            [[180.0, -17.0], [179.5, -17.0]],
        ]},
        "time": ["2024-03-03T20:00:00Z", "2024-03-03T23:00:00Z"],
        "properties": {"trajectory": 1, "locations": ["A", "B", "C"], "bins": [8, 8, 10]},
    });
    let raw = place.read_json("raw.json");
    assert_eq!(raw["note"], "raw data: not for publication");
    assert_eq!(features(&raw)[0], a_day);

    place.ok("publish prefix-tree fiji.parquet --epsilon 6 --height 3 --insecure-seed 1 -o r");
    let (code, _, err) = place.run("convert r --to mfjson -o r.json");
    assert_eq!(code, 0);
    assert!(err.contains("must not be published"), "{err}");
    let release = place.read_json("r.json");
    assert!(
        release["note"]
            .as_str()
            .unwrap()
            .contains("must not be published")
    );
    let as_it_was = features(&release).iter().filter(|feature| {
        let motion = &feature["temporalGeometry"];
        *motion == a_day["temporalGeometry"] && feature["geometry"] == a_day["geometry"]
    });
    assert!(as_it_was.count() > 200);
    for feature in features(&release) {
        let motion = &feature["temporalGeometry"];
        let times = motion["datetimes"].as_array().unwrap();
        // Texts of one form in one zone: their order is that of the times.
        let rising = times
            .windows(2)
            .all(|pair| pair[0].as_str() < pair[1].as_str());
        assert!(rising, "{times:?}");
        assert_eq!(times.len(), motion["coordinates"].as_array().unwrap().len());
    }
}
