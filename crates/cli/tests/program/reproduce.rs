//! The papers' tables and figures, as a researcher asks for them.

use super::common::Place;

#[test]
fn everything_is_listed_for_people_and_machines() {
    let place = Place::new();
    let text = place.ok("reproduce");
    for name in [
        "000/table-3",
        "001/figure-6",
        "002/erratum-1",
        "003/figure-11",
        "004/figure-5",
    ] {
        assert!(text.contains(name), "{text}");
    }
    let list = place.json("reproduce");
    let list = list["entries"].as_array().unwrap();
    assert!(list.len() > 45);
    let table = list.iter().find(|it| it["entry"] == "000/table-3").unwrap();
    assert_eq!(table["reported"][1]["series"], "Full");
    assert_eq!(table["reported"][1]["values"][3]["value"], 169.0);
}

#[test]
fn an_entry_is_made_kept_and_gone_on_with() {
    let place = Place::new();
    let line = "reproduce 004/table-3 000/figure-1 --quick --records 800 --repeats 2 -o figures";
    let first = place.json(line);
    assert_eq!(first["holds"], true);
    assert_eq!(first["entries"].as_array().unwrap().len(), 2);
    assert!(first["entries"][0]["runs"]["made"].as_u64().unwrap() > 0);
    for ending in ["json", "md", "csv", "svg"] {
        let file = place.path(&format!("figures/004-table-3.{ending}"));
        assert!(file.metadata().unwrap().len() > 100, "{ending}");
    }
    let again = place.json(line);
    assert_eq!(again["entries"][0]["runs"]["made"], 0);
    assert_eq!(again["entries"][0]["cells"], first["entries"][0]["cells"]);
    let (code, text, says) = place.run(&line.replace("004/table-3", "002/table-2"));
    assert_eq!(code, 0);
    assert!(
        text.contains("| holds |") && text.contains("in figures"),
        "{text}"
    );
    assert!(says.contains("0 runs made"), "{says}");
}

#[test]
fn given_data_takes_the_place_of_what_is_made_up() {
    let place = Place::new();
    place.ok("generate metro --records 1000 --insecure-seed 3 -o m.parquet");
    let made = place.json("reproduce 000/table-3 --quick --repeats 2 --data m.parquet -o figures");
    let entry = &made["entries"][0];
    assert_eq!(entry["data"]["given"], "m.parquet");
    assert!(
        entry["cells"][0]["panel"]
            .as_str()
            .unwrap()
            .starts_with("given data")
    );
    // The patients' method needs times; that it refuses is told, and no failure.
    let made = place.json("reproduce 002/figure-4 --quick --data m.parquet -o figures");
    assert!(
        made["entries"][0]["cells"][0]["refused"].is_string(),
        "{made}"
    );
    place.fails(
        "reproduce 000/table-3 --data nothing.parquet",
        2,
        &["nothing.parquet"],
    );
}

#[test]
fn mistakes_are_named() {
    let place = Place::new();
    place.fails(
        "reproduce 000/tabel-3",
        2,
        &["000/tabel-3", "did you mean 000/table-3"],
    );
    place.fails(
        "reproduce everything",
        2,
        &["wayveil reproduce lists all of them"],
    );
    place.fails("reproduce 000/figure-1 --repeats 0", 2, &["--repeats"]);
    place.write("figures", "");
    place.fails("reproduce 000/figure-1 -o figures", 2, &["figures"]);
    std::fs::create_dir(place.path("kept")).unwrap();
    place.write("kept/kept.jsonl", "{}\n");
    place.fails("reproduce 000/figure-1 -o kept", 2, &["kept.jsonl:1", "-o"]);
}

#[test]
fn nothing_goes_into_a_release() {
    let place = Place::new();
    place.ok("generate metro --records 500 --insecure-seed 1 -o m.parquet");
    place.ok("publish prefix-tree m.parquet --epsilon 1 --height 2 --insecure-seed 2 -o r");
    place.fails("reproduce 000/figure-1 -o r", 2, &["within the release"]);
}
