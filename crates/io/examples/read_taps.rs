//! Reads a Parquet file of taps into memory, and prints how long it took and how much memory it took at most:
//! what the Python package is measured beside.
//!
//!     read_taps TAPS.parquet STOPS.txt

use std::path::Path;
use std::time::Instant;

use wayveil_core::{Result, Silent};
use wayveil_io::tables::import_columns;
use wayveil_io::{Arrangement, EventsOptions, Position, UniverseChoice, Unknown, read_universe};

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [taps, stops] = words.as_slice() else {
        eprintln!("usage: read_taps TAPS.parquet STOPS.txt");
        std::process::exit(2);
    };
    let position = Position::Location {
        column: "location".into(),
        universe: UniverseChoice::Declared(read_universe(Path::new(stops))?),
        unknown: Unknown::Error,
    };
    let options = EventsOptions::new(position, Arrangement::new("taps"));
    let before = peak();
    let start = Instant::now();
    let (raw, _) = import_columns(Path::new(taps), &options, &Silent)?.into_dataset(&Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(r#"{{"seconds": {seconds}, "growth": {}}}"#, peak() - before);
    drop(raw);
    Ok(())
}

/// The most memory that was resident, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|it| it.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
