//! Exports are read back with a JSON parser and compared with what was exported.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use wayveil_core::{Clock, Coordinate, Group, Labels, Location, Origin, UniverseDocument};

use super::*;

const HOUR: u32 = 3600;

/// Places in Lisbon, on both sides of the antimeridian and on it; odd labels among them.
fn places() -> Vec<Location> {
    let place = |label: &str, lng: f64, lat: f64| Location {
        label: label.into(),
        name: (label == "A").then(|| "Alfa".into()),
        at: Some(Coordinate { lat, lng }),
        group: Some(0),
    };
    vec![
        place("A", -9.139_336_6, 38.722_252_4),
        place("B \"x\"\n", 179.5, -17.1),
        place("C, é", -179.0, -16.3),
        place("D", 180.0, 1e-7),
        place("E", 0.1 + 0.2, -0.0),
    ]
}

fn universe(locations: Vec<Location>) -> Arc<Universe> {
    let groups = vec![Group {
        label: "all".into(),
        parent: None,
    }];
    let document = UniverseDocument {
        origin: Origin::Declared("test".into()),
        locations,
        groups,
    };
    Arc::new(Universe::try_from(document).unwrap())
}

fn axis(bin_seconds: u32) -> TimeAxis {
    TimeAxis {
        clock: Some(Clock {
            starts: "2024-03-04T00:00:00+01:00".into(),
            bin_seconds,
            zone: "Europe/Paris".into(),
        }),
        ..TimeAxis::new(6, Origin::Declared("test".into()))
    }
}

/// Data of these visits, each a location and a bin; the axis decides whether it is timed.
fn data(records: &[Vec<(u32, u32)>], time: Option<TimeAxis>) -> Dataset {
    let mut trips = Sequences::empty(time.is_some());
    for record in records {
        let codes: Vec<u32> = record.iter().map(|visit| visit.0).collect();
        let bins = record.iter().map(|visit| visit.1);
        let bins: Vec<u32> = bins.filter(|_| time.is_some()).collect();
        trips.push(&codes, &bins);
    }
    let of_record = |choices| (0..records.len() as u32).map(|it| it % choices).collect();
    let column = |name: &str| Attribute {
        name: name.into(),
        values: ["old", "\u{1}"].into_iter().collect(),
        of_record: of_record(2),
    };
    let owners = Owners::Known {
        of_record: of_record(3),
        labels: ["p", "q\\", "r"].into_iter().collect::<Labels>(),
    };
    let columns = vec![column("age"), column("bins")];
    let universe = universe(places());
    Dataset::new(universe, time, trips, owners, columns, "p".into()).unwrap()
}

fn written(fill: impl FnOnce(&Path) -> Result<()>) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    fill(&path).unwrap();
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn geojson(data: &Dataset, what: GeoJson) -> Value {
    written(|path| export_raw_geojson(path, &Raw::new(data.clone()), what, false))
}

fn mfjson(data: &Dataset) -> (Value, MovingFeatures) {
    let mut counts = None;
    let document = written(|path| {
        counts = Some(export_raw_mfjson(path, &Raw::new(data.clone()), false)?);
        Ok(())
    });
    (document, counts.unwrap())
}

fn features(document: &Value) -> &[Value] {
    assert_eq!(document["type"], "FeatureCollection");
    assert_eq!(document["note"], "raw data: not for publication");
    let features = document["features"].as_array().unwrap();
    for feature in features {
        assert_eq!(feature["type"], "Feature");
    }
    features
}

fn numbers(list: &Value) -> Vec<u32> {
    let list = list.as_array().unwrap().iter();
    list.map(|it| it.as_u64().unwrap() as u32).collect()
}

/// The code of the place at these coordinates, to the last bit; +180 and −180 are one place.
fn code_at(position: &Value) -> u32 {
    let [lng, lat] = [0, 1].map(|index| position[index].as_f64().unwrap());
    let same = |it: &Location| {
        let at = it.at.unwrap();
        let lng = if lng == -180.0 { 180.0 } else { lng };
        (at.lng.to_bits(), at.lat.to_bits()) == (lng.to_bits(), lat.to_bits())
    };
    let found = places().iter().position(same);
    found.unwrap_or_else(|| panic!("nothing lies at {position}")) as u32
}

/// The visits that a geometry shows: pieces are joined, the cuts between them taken out.
fn codes_of_geometry(geometry: &Value) -> Vec<u32> {
    let at = &geometry["coordinates"];
    let positions = |line: &Value| line.as_array().unwrap().clone();
    match geometry["type"].as_str() {
        None => Vec::new(),
        Some("Point") => vec![code_at(at)],
        Some("LineString") => positions(at).iter().map(code_at).collect(),
        Some("MultiLineString") => {
            let mut line: Vec<Value> = Vec::new();
            for piece in positions(at) {
                let piece = positions(&piece);
                assert!(piece.len() > 1);
                for step in piece.windows(2) {
                    let lng = |index: usize| step[index][0].as_f64().unwrap();
                    assert!((lng(0) - lng(1)).abs() <= 180.0, "{step:?} crosses");
                }
                let mut piece = piece.as_slice();
                if let Some(end) = line.pop() {
                    // Both sides of a cut are one place, which no one visits.
                    assert_eq!(end[1], piece[0][1]);
                    assert_eq!(end[0].as_f64(), piece[0][0].as_f64().map(|lng| -lng));
                    piece = &piece[1..];
                }
                line.extend(piece.iter().cloned());
            }
            line.iter().map(code_at).collect()
        }
        Some(other) => panic!("{other}"),
    }
}

fn codes_of_properties(data: &Dataset, feature: &Value) -> Vec<u32> {
    let labels = feature["properties"]["locations"].as_array().unwrap();
    let code = |label: &Value| data.universe().code(label.as_str().unwrap()).unwrap();
    labels.iter().map(code).collect()
}

fn check_beside(data: &Dataset, record: usize, feature: &Value) {
    let Owners::Known { of_record, labels } = data.owners() else {
        panic!("owners are known");
    };
    let properties = &feature["properties"];
    assert_eq!(properties["uid"], labels.get(of_record[record] as usize));
    let value = ["old", "\u{1}"][record % 2];
    assert_eq!(properties["age"], value);
    assert_eq!(properties["attribute_bins"], value);
}

fn records() -> impl Strategy<Value = Vec<Vec<(u32, u32)>>> {
    let visit = (0..5_u32, 0..6_u32);
    proptest::collection::vec(proptest::collection::vec(visit, 0..9), 0..6)
}

proptest! {
    #[test]
    fn geojson_gives_the_trajectories_back(records in records(), timed: bool) {
        let data = data(&records, timed.then(|| axis(HOUR)));
        let document = geojson(&data, GeoJson::Trajectories);
        let features = features(&document);
        prop_assert_eq!(features.len(), records.len());
        for (record, feature) in features.iter().enumerate() {
            let codes = data.trips().codes_of(record);
            prop_assert_eq!(&feature["properties"]["trajectory"], record + 1);
            prop_assert_eq!(codes_of_properties(&data, feature), codes);
            // D lies on the antimeridian: among pieces it cannot be told from a cut.
            if !codes.contains(&3) || feature["geometry"]["type"] != "MultiLineString" {
                prop_assert_eq!(codes_of_geometry(&feature["geometry"]), codes);
            }
            if timed {
                let bins = numbers(&feature["properties"]["bins"]);
                prop_assert_eq!(bins, data.trips().bins_of(record));
            }
            check_beside(&data, record, feature);
        }
    }

    #[test]
    fn mfjson_gives_the_trajectories_back(
        records in records(),
        bin_seconds in prop_oneof![Just(1_u32), Just(7), Just(HOUR)],
    ) {
        let data = data(&records, Some(axis(bin_seconds)));
        let (document, counts) = mfjson(&data);
        prop_assert_eq!(&document["trs"]["properties"]["name"], "urn:ogc:data:time:iso8601");
        let starts = "2024-03-03T23:00:00Z".parse::<jiff::Timestamp>().unwrap();
        let bin = |time: i128| {
            (time - starts.as_nanosecond()) / (i128::from(bin_seconds) * 1_000_000_000)
        };
        let features = features(&document);
        let mut back: Vec<Vec<(u32, u32)>> = vec![Vec::new(); records.len()];
        let mut cut = std::collections::BTreeSet::new();
        for feature in features {
            let record = feature["properties"]["trajectory"].as_u64().unwrap() as usize - 1;
            let motion = &feature["temporalGeometry"];
            prop_assert_eq!(&motion["type"], "MovingPoint");
            prop_assert_eq!(&motion["interpolation"], "Discrete");
            let positions = motion["coordinates"].as_array().unwrap().iter();
            let mut codes: Vec<u32> = positions.map(code_at).collect();
            let times = instants(&motion["datetimes"]);
            prop_assert_eq!(times.len(), codes.len());
            prop_assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
            let span = instants(&feature["time"]);
            prop_assert!(span[0] <= times[0] && times[times.len() - 1] < span[1]);
            let mut bins: Vec<u32> = times.iter().map(|&time| bin(time) as u32).collect();
            prop_assert!(times.len() >= 2);
            if feature["properties"]["locations"].as_array().unwrap().len() == 1 {
                prop_assert_eq!((codes[0], bins[0]), (codes[1], bins[1]));
                codes.pop();
                bins.pop();
            }
            prop_assert_eq!(&codes_of_properties(&data, feature), &codes);
            prop_assert_eq!(&numbers(&feature["properties"]["bins"]), &bins);
            if feature["properties"].get("part").is_some() {
                cut.insert(record);
            }
            back[record].extend(codes.into_iter().zip(bins));
            check_beside(&data, record, feature);
        }
        prop_assert_eq!(&back, &records);
        let empty = records.iter().filter(|record| record.is_empty()).count() as u64;
        let expected = MovingFeatures {
            features: features.len() as u64,
            without_visits: empty,
            cut: cut.len() as u64,
        };
        prop_assert_eq!(counts, expected);
    }
}

fn instants(list: &Value) -> Vec<i128> {
    let instant = |text: &Value| {
        let text = text.as_str().unwrap();
        assert!(text.ends_with('Z'), "{text} is not in UTC");
        text.parse::<jiff::Timestamp>().unwrap().as_nanosecond()
    };
    list.as_array().unwrap().iter().map(instant).collect()
}

#[test]
fn a_geojson_file_by_hand() {
    let data = data(
        &[vec![(1, 0), (2, 2)], vec![(0, 5)], vec![]],
        Some(axis(HOUR)),
    );
    let document = geojson(&data, GeoJson::Trajectories);
    // From 179.5° E to 179° W: the antimeridian is a third of the way.
    let cut = -17.1 + (0.5 / 1.5) * (-16.3 - -17.1);
    assert_eq!(
        document["features"][0],
        json!({
            "type": "Feature",
            "geometry": {"type": "MultiLineString", "coordinates": [
                [[179.5, -17.1], [180.0, cut]], [[-180.0, cut], [-179.0, -16.3]]
            ]},
            "properties": {
                "trajectory": 1, "uid": "p", "locations": ["B \"x\"\n", "C, é"], "bins": [0, 2],
                "age": "old", "attribute_bins": "old"
            }
        })
    );
    let point = json!({"type": "Point", "coordinates": [-9.139_336_6, 38.722_252_4]});
    assert_eq!(document["features"][1]["geometry"], point);
    assert_eq!(document["features"][2]["geometry"], Value::Null);
    assert_eq!(
        document["features"][2]["properties"]["locations"],
        json!([])
    );
}

#[test]
fn an_mfjson_file_by_hand() {
    let visits = vec![(0, 1), (4, 1), (0, 1), (4, 3), (0, 2)];
    let data = data(&[visits, vec![]], Some(axis(HOUR)));
    let (document, counts) = mfjson(&data);
    assert_eq!(
        document["features"][0]["temporalGeometry"],
        json!({
            "type": "MovingPoint",
            "datetimes": [
                "2024-03-04T00:00:00Z", "2024-03-04T00:20:00Z", "2024-03-04T00:40:00Z",
                "2024-03-04T02:00:00Z"
            ],
            "coordinates": [
                [-9.139_336_6, 38.722_252_4], [0.1 + 0.2, -0.0], [-9.139_336_6, 38.722_252_4],
                [0.1 + 0.2, -0.0]
            ],
            "interpolation": "Discrete"
        })
    );
    let lone = &document["features"][1]["temporalGeometry"];
    let twice = json!(["2024-03-04T01:00:00Z", "2024-03-04T01:30:00Z"]);
    assert_eq!(lone["datetimes"], twice, "a moving point has two instants");
    assert_eq!(lone["coordinates"][0], lone["coordinates"][1]);
    let span = |index: usize| document["features"][index]["time"].clone();
    assert_eq!(
        span(0),
        json!(["2024-03-04T00:00:00Z", "2024-03-04T03:00:00Z"])
    );
    assert_eq!(
        span(1),
        json!(["2024-03-04T01:00:00Z", "2024-03-04T02:00:00Z"])
    );
    assert_eq!(document["features"][1]["properties"]["part"], 2);
    let expected = MovingFeatures {
        features: 2,
        without_visits: 1,
        cut: 1,
    };
    assert_eq!(counts, expected);
}

#[test]
fn locations_are_points_with_their_visits() {
    let data = data(&[vec![(0, 0), (2, 0), (0, 0)]], None);
    let document = geojson(&data, GeoJson::Locations);
    let features = features(&document);
    assert_eq!(features.len(), 5);
    assert_eq!(
        features[0],
        json!({
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [-9.139_336_6, 38.722_252_4]},
            "properties": {"label": "A", "name": "Alfa", "group": "all", "visits": 2}
        })
    );
    assert_eq!(features[1]["properties"]["visits"], 0);
    assert_eq!(features[2]["properties"]["visits"], 1);
}

#[test]
fn what_lacks_coordinates_or_a_clock_is_refused() {
    let bare = |located: usize, time: Option<TimeAxis>| {
        let mut locations = places();
        for location in &mut locations[located..] {
            location.at = None;
        }
        let bins = time.as_ref().map(|_| vec![0; 5]);
        let trips = Sequences::new(vec![0, 5], vec![4, 3, 2, 1, 0], bins).unwrap();
        let owners = Owners::EachRecord;
        let universe = universe(locations);
        Raw::new(Dataset::new(universe, time, trips, owners, vec![], "p".into()).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let geo = |raw, what| export_raw_geojson(&path, &raw, what, false).unwrap_err();
    let error = geo(bare(1, None), GeoJson::Trajectories);
    assert!(
        error
            .message()
            .starts_with("4 locations without coordinates (\"B")
    );
    assert!(error.message().contains("\"D\" and 1 more)"), "{error}");
    assert!(error.advice().unwrap().contains("--universe"));
    let error = geo(bare(4, None), GeoJson::Trajectories);
    assert!(
        error
            .message()
            .starts_with("1 location without coordinates (\"E\")")
    );
    let error = geo(bare(0, None), GeoJson::Locations);
    assert!(error.message().contains("and 2 more"), "{error}");
    let mf = |raw| export_raw_mfjson(&path, &raw, false).unwrap_err();
    let error = mf(bare(5, None));
    assert!(error.message().contains("have no time"), "{error}");
    assert!(error.advice().unwrap().contains("--bin-width"));
    let numbers = TimeAxis::new(1, Origin::FromData);
    let error = mf(bare(5, Some(numbers)));
    assert!(error.message().contains("bare numbers"), "{error}");
    assert!(mf(bare(4, Some(axis(1)))).message().contains("coordinates"));
    assert!(!path.exists());
    // Some are known: the others are on the list, without a point.
    export_raw_geojson(&path, &bare(4, None), GeoJson::Locations, false).unwrap();
    let document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(document["features"][4]["geometry"], Value::Null);
}
