//! Parquet and Arrow files with one trajectory per row.

use wayveil_io::{Bins, TrajectoryTableOptions, UniverseChoice, Unknown, read_trajectories_from};

use crate::Target;
use crate::check::{accepted, inside, options, survives_its_file};
use crate::samples::labels;
use crate::tables;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "trajectory-table",
    run,
    seeds,
    words: &[
        "PAR1",
        "ARROW1",
        "locations",
        "bins",
        "uid",
        "fare",
        "item",
        "ARROW:schema",
    ],
    longest: 1 << 13,
};

fn seeds() -> Vec<Vec<u8>> {
    let file = |(file, bytes): (usize, Vec<u8>)| {
        let chosen = [0x00, 0x18, 0x7c, 0x03][file % 4];
        [&[chosen][..], bytes.as_slice()].concat()
    };
    let files = tables::trajectories().into_iter().enumerate();
    files.map(file).collect()
}

fn chosen_options(chosen: u8) -> TrajectoryTableOptions {
    let bit = |number: u8| chosen >> number & 1 == 1;
    let universe = match bit(0) {
        true => UniverseChoice::Declared(labels(&["A", "Berri"])),
        false => UniverseChoice::FromData,
    };
    TrajectoryTableOptions {
        unknown: match bit(1) {
            true => Unknown::Drop,
            false => Unknown::Error,
        },
        bins: [
            None,
            Some(Bins::Declared(24)),
            Some(Bins::FromData),
            Some(Bins::Declared(0)),
        ][usize::from(chosen >> 2 & 3)],
        bins_column: bit(4).then(|| "bins".into()),
        uid: bit(5).then(|| "uid".into()),
        attributes: bit(6).then(|| "fare".into()).into_iter().collect(),
        ..TrajectoryTableOptions::new(universe, "riders")
    }
}

fn run(data: &[u8]) -> bool {
    let (chosen, file) = options(data);
    let read = read_trajectories_from("input", file.to_vec(), &chosen_options(chosen));
    let Some((raw, summary)) = accepted(read) else {
        return false;
    };
    let summary = summary.for_publisher_only();
    inside(&raw, |data| {
        assert_eq!(summary.symbols, data.trips().symbols() as u64);
        assert_eq!(summary.records, data.trips().len() as u64);
        assert_eq!(summary.rows, summary.records);
        assert_eq!(data.time().is_some(), data.trips().is_timed());
    });
    survives_its_file(&raw);
    true
}
