//! What data and releases look like at a glance.

use serde_json::{Value, json};

use super::common::{Place, write_timed_data};

#[test]
fn visits_by_location_hour_and_place() {
    let place = Place::new();
    write_timed_data(&place.path("fiji.parquet"));
    let info = place.json("info fiji.parquet");
    assert_eq!(info["visits_per_location"]["unvisited"], 1);
    let top = &info["visits_per_location"]["top"];
    assert_eq!(top.as_array().unwrap().len(), 3);
    assert_eq!(
        (&top[0]["location"], &top[0]["visits"]),
        (&json!("A"), &json!(300))
    );
    assert_eq!(top[0]["share"], 1.0 / 3.0);
    let mut hours = [0; 24];
    (hours[8], hours[10]) = (600, 300);
    assert_eq!(info["time_of_day"], json!(hours));
    let bounds = json!({"south": -18.0, "west": 178.5, "north": -16.0, "east": -179.5});
    assert_eq!(info["bounds"], bounds);
    assert_eq!(info["clock"]["zone"], "Pacific/Fiji");

    let text = place.ok("info fiji.parquet");
    for part in [
        "time bins     24 of 1 hour from 2024-03-04T00:00:00+12:00 (Pacific/Fiji)\n",
        "most visited of 4 locations, 1 without a visit\n",
        "300   33.3 %\n",
        "(Pacific/Fiji)\n00 ",
        "08  ███████████████████████████████  600\n09 ",
        "\n16.00° S, 178.50° E\n┌",
        "visits  · none  ░ up to 19  ▒ up to 75  ▓ up to 169  █ up to 300\n",
    ] {
        assert!(text.contains(part), "{text}\nlacks {part:?}");
    }
    place.ok("publish prefix-tree fiji.parquet --epsilon 6 --height 3 -o r");
    let release = place.json("info r");
    assert_eq!(release["bounds"], bounds);
    assert!(release["time_of_day"][8].as_u64().unwrap() > 500);
}

/// Imports sequences over a universe and returns what info says, for machines and for people.
fn info(sequences: &str, universe: (&str, &str), flags: &str) -> (Value, String) {
    let place = Place::new();
    let (file, table) = universe;
    place.write("x.seq", sequences).write(file, table);
    place.ok(&format!(
        "import x.seq --format seq --universe {file} {flags} -o x.parquet"
    ));
    (place.json("info x.parquet"), place.ok("info x.parquet"))
}

#[test]
fn nothing_to_show_is_no_failure() {
    let (object, text) = info("", ("u.txt", "A\n"), "");
    assert_eq!(
        object["visits_per_location"],
        json!({"top": [], "unvisited": 1})
    );
    assert_eq!(
        (&object["bounds"], &object["time_of_day"]),
        (&Value::Null, &Value::Null)
    );
    assert!(!text.contains("locations by visits") && !text.contains("most visited"));

    let (object, text) = info("", ("u.csv", "label,lat,lng\nA,1,2\n"), "--bins 3");
    assert_eq!(object["bounds"]["west"], 2.0);
    assert!(
        text.contains("│·│") && text.contains("visits  · none\n"),
        "{text}"
    );
    assert!(text.contains("visits by time bin\n0 "), "{text}");
}

#[test]
fn places_that_coincide_or_are_unknown() {
    let (_, text) = info("A B\nA\n", ("u.csv", "label,lat,lng\nA,1,2\nB,1,2\n"), "");
    assert!(
        text.contains("│█│") && text.contains("█ up to 3\n"),
        "{text}"
    );
    assert!(
        text.contains("most visited of 2 locations, each has visits\n"),
        "{text}"
    );

    let table = "label,lat,lng\nA,1,2\nB,,\nC,,\n";
    let (_, text) = info("A B\n", ("u.csv", table), "");
    assert!(
        text.contains("2 locations without coordinates are not on the map\n"),
        "{text}"
    );

    let (object, text) = info("A@0 A@49\n", ("u.txt", "A\n"), "--bins 50");
    assert_eq!(object["time_of_day"], Value::Null, "bins have no clock");
    assert!(text.contains("visits by time bin\n0–2    ██"), "{text}");
    assert!(text.contains("\n48–49  ██"), "{text}");
}
