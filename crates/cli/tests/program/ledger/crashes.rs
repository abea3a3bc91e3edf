//! The program stopped at any moment: what was published is booked.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use wayveil_ledger::{Event, Ledger};

use super::{publish, riders};
use crate::common::Place;

const KILLS: u32 = 160;
const AT_LEAST: u32 = 40;
const ENOUGH: Duration = Duration::from_secs(20);

/// The ids of all manifests under a folder, also in folders that are not finished.
fn manifests(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            manifests(&path, found);
        } else if path.ends_with("manifest.json") {
            // One that was being written when the program died is no manifest yet.
            let text = std::fs::read(&path).expect("a readable file");
            if let Ok(value) = serde_json::from_slice::<serde_json::Value>(&text) {
                found.push(value["id"].as_str().expect("an id").to_owned());
            }
        }
    }
}

/// The entries that were booked, and those that are done. Reading checks the whole chain.
fn entries(place: &Place) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut booked, mut done) = (BTreeSet::new(), BTreeSet::new());
    if !place.ledger().exists() || std::fs::metadata(place.ledger()).is_ok_and(|it| it.len() == 0) {
        return (booked, done);
    }
    let chain = Ledger::read(&place.ledger()).expect("sound books");
    for entry in chain.entries() {
        match entry.event {
            Event::Booked(_) => booked.insert(entry.id.clone()),
            Event::Done => done.insert(entry.id.clone()),
            _ => continue,
        };
    }
    (booked, done)
}

#[test]
fn a_program_killed_at_any_moment_has_booked_what_it_published() {
    let place = riders();
    let start = Instant::now();
    place.ok(&publish("0.01", "first"));
    let usual = start.elapsed().mul_f64(1.2);
    let (mut killed, mut unfinished) = (0, 0);
    let begun = Instant::now();
    for round in 0..KILLS {
        if round >= AT_LEAST && begun.elapsed() > ENOUGH {
            break;
        }
        let output = format!("r{round}");
        let mut child = place
            .command(&publish("0.01", &output))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Multiples of the golden ratio spread evenly, whatever their number.
        sleep(usual.mul_f64((f64::from(round) * 0.618_033_988_75).fract()));
        child.kill().expect("it can be killed");
        killed += u32::from(!child.wait().expect("it ends").success());

        let (booked, done) = entries(&place);
        let mut ids = Vec::new();
        manifests(&place.path("."), &mut ids);
        for id in &ids {
            assert!(booked.contains(id), "round {round}: {id} is not booked");
        }
        if place.path(&output).exists() {
            place.ok(&format!("info {output}"));
        }
        assert!(done.is_subset(&booked));
        for id in &done {
            assert!(
                ids.contains(id),
                "round {round}: {id} is done but not there"
            );
        }
        unfinished = booked.len() - done.len();
    }
    println!("{killed} kills, {unfinished} spends whose release is not marked as done");
    assert!(killed > 0);
    // Everything that was booked counts, and life goes on.
    place.ok(&publish("0.01", "last"));
    let (booked, done) = entries(&place);
    assert_eq!(booked.len() - done.len(), unfinished);
    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(account["releases"], booked.len());
    let hundredths = account["spent"]["epsilon"].as_f64().unwrap() * 100.0;
    assert!((hundredths - booked.len() as f64).abs() < 1e-6);
}
