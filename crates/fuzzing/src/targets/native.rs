//! Data files.

use wayveil_io::read_dataset;

use crate::Target;
use crate::check::{accepted, put, survives_its_file};
use crate::{samples, scratch};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "native",
    run,
    seeds: samples::data_files,
    words: &[
        "PAR1",
        "wayveil",
        "locations",
        "bins",
        "uid",
        "element",
        "wayveil-data",
    ],
    longest: 1 << 14,
};

fn run(data: &[u8]) -> bool {
    let read = scratch::with(|folder| {
        let path = folder.join("data.parquet");
        put(&path, data);
        read_dataset(&path)
    });
    let read = accepted(read);
    read.iter().for_each(survives_its_file);
    read.is_some()
}
