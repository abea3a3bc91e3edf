//! GPS points from CSV to cells in a data file, beside merely parsing the CSV.
//!
//! The floor reads the same file with `csv`'s fastest loop and turns its coordinates into numbers,
//! no more: no dates, no people, no cells, no sorting, no output. Memory is measured on the file
//! and on one of half its size: it must not grow with the file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use wayveil_core::Silent;
use wayveil_io::generate::taxi;
use wayveil_io::{Arrangement, EventsOptions, GeoBox, Places, Position, import_events};
use wayveil_noise::RandomSource;

use super::import::mebibytes;
use super::{Benchmark, Effort};
use crate::memory;
use crate::report::{Comparison, Goal};
use crate::rounds::{Times, Work, interleaved};

/// The resolution of H3, whose cells are about 350 m wide.
const RESOLUTION: u8 = 9;
/// Enough for twenty million points in their week.
const TAXIS: u64 = 8_000;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "gps",
    about: "GPS points from CSV to grid and H3 cells, beside parsing the CSV",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, points, size) = match effort {
        Effort::Quick => (3, 1_000_000, "1 M points"),
        Effort::Full => (3, 20_000_000, "20 M points"),
    };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [half, whole] = ["half.csv", "whole.csv"].map(|name| folder.path().join(name));
    write_points(&half, points / 2)?;
    write_points(&whole, points)?;
    let target = folder.path().join("points.parquet");
    let [south, west, north, east] = taxi::AREA;
    let area = GeoBox::new(south, west, north, east).map_err(words)?;
    let grid = Places::grid(area, 64, 64).map_err(words)?;
    let cells = Places::h3(area, RESOLUTION).map_err(words)?;

    let mut all = Vec::new();
    for (name, places) in [("grid 64 × 64", grid), ("H3 resolution 9", cells)] {
        let mut arrangement = Arrangement::new("bench");
        arrangement.scratch = folder.path().to_owned();
        let options = EventsOptions::new(Position::points(Arc::new(places)), arrangement);
        let mut peaks = Vec::new();
        for file in [&half, &whole] {
            memory::reset_peak().map_err(|e| e.to_string())?;
            import(file, &target, &options)?;
            peaks.push(memory::peak_rss_bytes().map_err(|e| e.to_string())?);
        }
        let mut ours = || import(&whole, &target, &options);
        let mut peer = || parse(&whole, points);
        let (ours, peer) = interleaved(
            rounds,
            Work {
                run: &mut ours,
                units: points,
            },
            Work {
                run: &mut peer,
                units: points,
            },
        )?;
        let one = |value| Times::new(vec![value]).ok_or("no value".to_owned());
        all.push(Comparison {
            case: format!("{size} to {name}, time"),
            unit: "ns/point",
            peer_name: "csv parse",
            ours,
            peer,
            goal: Goal::default(),
            size: None,
        });
        all.push(Comparison {
            case: format!("{size} to {name}, peak memory"),
            unit: "MiB",
            peer_name: "half the file",
            ours: one(mebibytes(peaks[1]))?,
            peer: one(mebibytes(peaks[0]))?,
            goal: Goal::ratio(0.8),
            size: None,
        });
    }
    Ok(all)
}

fn words(error: wayveil_core::Error) -> String {
    error.to_string()
}

fn write_points(path: &Path, points: u64) -> Result<(), String> {
    let file = File::create(path).map_err(|e| e.to_string())?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let mut random = RandomSource::insecure_seed(1);
    let written =
        taxi::write_points_csv(&mut out, TAXIS, Some(points), &mut random).map_err(words)?;
    out.flush().map_err(|e| e.to_string())?;
    if written == points {
        Ok(())
    } else {
        Err(format!("{written} points were made instead of {points}"))
    }
}

fn import(table: &Path, target: &Path, options: &EventsOptions) -> Result<(), String> {
    let imported = import_events(table, options, &Silent).map_err(words)?;
    let written = imported.into_file(target, true, &Silent);
    written.map(drop).map_err(words)
}

fn parse(table: &Path, points: u64) -> Result<(), String> {
    let mut reader = csv::Reader::from_path(table).map_err(|e| e.to_string())?;
    let mut record = csv::ByteRecord::new();
    let (mut seen, mut sum) = (0, 0.0);
    while reader
        .read_byte_record(&mut record)
        .map_err(|e| e.to_string())?
    {
        for column in [1, 2] {
            let text = std::str::from_utf8(&record[column]).map_err(|e| e.to_string())?;
            sum += text.parse::<f64>().map_err(|e| e.to_string())?;
        }
        seen += 1;
    }
    std::hint::black_box(sum);
    if seen == points {
        Ok(())
    } else {
        Err(format!("the pass saw {seen} points of {points}"))
    }
}
