//! Files as others publish them, where they are at hand: in a folder `shared/data` beside the
//! project. They are not part of it.

use std::path::{Path, PathBuf};

use wayveil_core::{Dataset, Internal, Raw, Result};
use wayveil_io::{
    ImportSummary, MsnbcOptions, SeqOptions, SpmfOptions, UniverseChoice, read_msnbc, read_ngrams,
    read_seq, read_spmf,
};

fn shared(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("../shared/data").join(name);
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
    }
    Some(path).filter(|path| path.exists())
}

/// Records, symbols and locations of an import.
fn figures(import: Result<(Raw<Dataset>, Internal<ImportSummary>)>) -> (u64, u64, u64) {
    let summary = import.unwrap().1.for_publisher_only();
    assert_eq!((summary.rows, summary.blank_lines), (summary.records, 0));
    (summary.records, summary.symbols, summary.locations)
}

#[test]
fn page_categories() {
    if let Some(path) = shared("msnbc/msnbc.seq") {
        let import = read_msnbc(&path, &MsnbcOptions::new("visitors"));
        assert_eq!(figures(import), (31_790, 423_776, 17));
    }
}

#[test]
fn bicycle_stations() {
    if let Some(path) = shared("bike/bike.txt") {
        let options = SpmfOptions::new(UniverseChoice::FromData, "riders");
        let import = read_spmf(&path, &options);
        assert_eq!(figures(import), (21_078, 153_383, 67));
    }
}

#[test]
fn clicks_with_blanks_at_the_end_of_lines() {
    if let Some(path) = shared("bms1/bms1.seq") {
        let options = SeqOptions::new(UniverseChoice::FromData, "visitors");
        let import = read_seq(&path, &options);
        assert_eq!(figures(import), (59_601, 149_638, 497));
    }
}

#[test]
fn counts_of_fragments() {
    for (name, first_number, grams, single, total, longest) in [
        ("5", 154_439.0, 160, 17, 5_214_823.0, 5),
        ("20", 3_910_372.0, 224, 17, 5_214_823.0, 14),
        ("32", 9_317_985.0, 361, 18, 5_688_612.0, 32),
    ] {
        if let Some(path) = shared(&format!("msnbc/msnbc-original-{name}grams.dat")) {
            let table = read_ngrams(&path).unwrap();
            let summary = table.summary();
            assert_eq!((table.first_number, summary.grams), (first_number, grams));
            assert_eq!(summary.total_of_single, total);
            assert_eq!(summary.by_length[&1], single);
            let last = summary.by_length.last_key_value();
            assert_eq!(last.map(|(length, _)| *length), Some(longest));
        }
    }
}
