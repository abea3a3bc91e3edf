//! Taps from CSV to a data file, beside merely walking through the CSV.
//!
//! The floor is what any reader must do: `csv`'s fastest loop over the records, which looks at
//! nothing. Ours reads the same file, groups and sorts the taps, and writes Parquet.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use wayveil_core::{Origin, Silent, Universe};
use wayveil_io::{Arrangement, EventsOptions, Position, UniverseChoice, import_events};

use super::{Benchmark, Effort};
use crate::memory;
use crate::report::{Comparison, Goal};
use crate::rounds::{Times, Work, interleaved};

const LOCATIONS: u64 = 1_012;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "import",
    about: "taps from CSV to a data file, beside walking through the CSV",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, rows, size) = match effort {
        Effort::Quick => (3, 800_000, "800 k taps"),
        Effort::Full => (5, 8_000_000, "8 M taps"),
    };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let table = folder.path().join("taps.csv");
    let bytes = write_taps(&table, rows).map_err(|e| e.to_string())?;
    let options = options()?;
    let target = folder.path().join("taps.parquet");
    let mut ours = || import(&table, &target, &options);

    // Before anything else has filled the allocator.
    memory::reset_peak().map_err(|e| e.to_string())?;
    ours()?;
    let peak = memory::peak_rss_bytes().map_err(|e| e.to_string())?;

    let mut peer = || walk(&table, rows);
    let (ours, peer) = interleaved(
        rounds,
        Work {
            run: &mut ours,
            units: rows,
        },
        Work {
            run: &mut peer,
            units: rows,
        },
    )?;
    let one = |value| Times::new(vec![value]).ok_or("no value".to_owned());
    Ok(vec![
        Comparison {
            case: format!("{size}, time"),
            unit: "ns/tap",
            peer_name: "csv walk",
            ours,
            peer,
            goal: Goal::ratio(0.2),
            size: None,
        },
        Comparison {
            case: format!("{size}, peak memory"),
            unit: "MiB",
            peer_name: "file",
            ours: one(mebibytes(peak))?,
            peer: one(mebibytes(bytes))?,
            goal: Goal::ratio(0.5),
            size: None,
        },
    ])
}

pub(super) fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn options() -> Result<EventsOptions, String> {
    let labels = (0..LOCATIONS).map(|stop| format!("S{stop:04}"));
    let universe = Universe::from_labels(labels, Origin::Declared("stops".into()))
        .map_err(|e| e.to_string())?;
    let position = Position::labels(UniverseChoice::Declared(universe));
    Ok(EventsOptions::new(position, Arrangement::new("bench")))
}

/// Writes taps in the order of time, as a fare system does; cards come and go at random.
fn write_taps(path: &Path, rows: u64) -> std::io::Result<u64> {
    let owners = (rows * 3 / 20).max(1);
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "uid,location,datetime")?;
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        // A linear congruential generator (Knuth's MMIX): the same file on every machine.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for row in 0..rows {
        let second = row * 604_800 / rows;
        let (day, time) = (second / 86_400 + 1, second % 86_400);
        writeln!(
            out,
            "{:010},S{:04},2019-03-{day:02}T{:02}:{:02}:{:02}",
            draw(owners) * 7_919,
            draw(LOCATIONS),
            time / 3600,
            time / 60 % 60,
            time % 60
        )?;
    }
    out.flush()?;
    Ok(path.metadata()?.len())
}

fn import(table: &Path, target: &Path, options: &EventsOptions) -> Result<(), String> {
    let imported = import_events(table, options, &Silent).map_err(|e| e.to_string())?;
    let written = imported.into_file(target, true, &Silent);
    written.map(drop).map_err(|e| e.to_string())
}

fn walk(table: &Path, rows: u64) -> Result<(), String> {
    let mut reader = csv::Reader::from_path(table).map_err(|e| e.to_string())?;
    let mut record = csv::ByteRecord::new();
    let mut seen = 0;
    while reader
        .read_byte_record(&mut record)
        .map_err(|e| e.to_string())?
    {
        seen += 1;
    }
    if seen == rows {
        Ok(())
    } else {
        Err(format!("the walk saw {seen} rows of {rows}"))
    }
}
