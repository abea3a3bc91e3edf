//! From a compressed table through a data file to plain text and back.

use std::fs;
use std::io::Write;

use wayveil_core::{Dataset, NonPrivate, Raw, Sequences, Silent};
use wayveil_io::{
    Arrangement, EventsOptions, Loaded, Position, SeqOptions, UniverseChoice, load, read_events,
    read_seq, read_universe, write_dataset, write_raw_seq,
};

fn trips(raw: &Raw<Dataset>) -> Sequences {
    let because = NonPrivate::because("a test compares");
    raw.inspect(because, |data| data.trips().clone())
        .for_publisher_only()
}

#[test]
fn taps_become_a_data_file_and_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let table = "uid,location,datetime\nx,B 2,2019-03-01 08:00\ny,A,1551423600\nx,A,2019-03-01\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(table.as_bytes()).unwrap();
    fs::write(at("taps.csv.gz"), gzip.finish().unwrap()).unwrap();
    fs::write(
        at("taps.csv.zst"),
        zstd::encode_all(table.as_bytes(), 1).unwrap(),
    )
    .unwrap();
    fs::write(at("stops.txt"), "A\nB 2\n").unwrap();
    let universe = UniverseChoice::Declared(read_universe(&at("stops.txt")).unwrap());

    let options = EventsOptions::new(
        Position::labels(universe.clone()),
        Arrangement::new("riders"),
    );
    for name in ["taps.csv.gz", "taps.csv.zst"] {
        let (raw, summary) = read_events(&at(name), &options, &Silent).unwrap();
        assert_eq!(summary.for_publisher_only().rows, 3);
        assert_eq!(trips(&raw), Sequences::from_codes([vec![0, 1], vec![0]]));
        write_dataset(&at("taps.parquet"), &raw, true).unwrap();
    }
    let Loaded::Data(raw) = load(&at("taps.parquet")).unwrap() else {
        panic!("a data file")
    };
    write_raw_seq(&at("taps.seq"), &raw, false).unwrap();
    assert_eq!(fs::read_to_string(at("taps.seq")).unwrap(), "A B%202\nA\n");
    let (back, _) = read_seq(&at("taps.seq"), &SeqOptions::new(universe, "riders")).unwrap();
    assert_eq!(trips(&back), trips(&raw));
}
