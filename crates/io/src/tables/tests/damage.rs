//! Files that are cut off, bent, of another kind, or announce too much.

use std::sync::LazyLock;

use arrow_ipc::CompressionType;
use arrow_ipc::writer::IpcWriteOptions;
use parquet::basic::{GzipLevel, ZstdLevel};
use parquet::file::properties::EnabledStatistics;
use proptest::prelude::*;

use super::*;
use crate::columns::DESCRIPTION_KEY;

fn message(bytes: Vec<u8>) -> String {
    let error = import(bytes, &options()).unwrap_err();
    assert_eq!(error.place().unwrap().file, "taps");
    assert!(error.advice().is_some(), "{error}");
    error.message().to_owned()
}

fn larger() -> RecordBatch {
    let labels: Vec<&str> = (0..500).map(|row| ["A", "B", "C"][row % 3]).collect();
    let uids: Vec<String> = (0..500).map(|row| format!("card {}", row % 17)).collect();
    let coded: arrow_array::DictionaryArray<arrow_array::types::Int32Type> =
        labels.into_iter().collect();
    batch(vec![
        (
            "uid",
            texts(&uids.iter().map(String::as_str).collect::<Vec<_>>()),
        ),
        ("location", Arc::new(coded)),
        ("datetime", numbers(&(0..500).collect::<Vec<_>>())),
    ])
}

fn compressed(codec: CompressionType) -> Vec<u8> {
    let options = IpcWriteOptions::default()
        .try_with_compression(Some(codec))
        .unwrap();
    let batch = larger();
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

static FORMS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(all_forms);

fn all_forms() -> Vec<Vec<u8>> {
    let batch = larger();
    vec![
        as_parquet_by(&batch, Compression::UNCOMPRESSED, 200),
        as_parquet_by(&batch, Compression::SNAPPY, 200),
        as_parquet_by(&batch, Compression::GZIP(GzipLevel::default()), 200),
        as_parquet_by(&batch, Compression::LZ4_RAW, 200),
        as_parquet_by(&batch, Compression::ZSTD(ZstdLevel::default()), 200),
        as_file(&batch),
        as_stream(&batch),
        compressed(CompressionType::LZ4_FRAME),
        compressed(CompressionType::ZSTD),
    ]
}

#[test]
fn every_compression_gives_the_same() {
    let mut all = all_forms()
        .into_iter()
        .map(|bytes| import(bytes, &options()).unwrap());
    let first = all.next().unwrap();
    assert_eq!((first.summary.rows, first.summary.owners), (500, 17));
    assert!(all.all(|other| other == first));
}

#[test]
fn other_files_are_recognised() {
    assert_eq!(message(Vec::new()), "the file is empty");
    for start in [
        &b"uid,location,datetime\n"[..],
        b"P",
        b"PAR",
        b"ARROW",
        b"\0\0\0\0",
        b"FEA1",
        b"PARE",
    ] {
        assert_eq!(
            message(start.to_vec()),
            "this is neither a Parquet nor an Arrow file"
        );
    }
    for (start, what) in [
        ("PAR1", "Parquet"),
        ("PAR1PAR1", "Parquet"),
        ("ARROW1", "Arrow"),
    ] {
        assert!(
            message(start.into()).starts_with(&format!("the {what} file is cut off")),
            "{start}"
        );
    }
    assert_eq!(message(vec![0xff; 4]), "the Arrow file is cut off");
    let no_footer = message(b"ARROW1\0\0ARROW1".to_vec());
    assert!(no_footer.contains("announces more than it can hold"));
    let advice = |bytes: &[u8]| {
        import(bytes.to_vec(), &options())
            .unwrap_err()
            .advice()
            .unwrap()
            .to_owned()
    };
    assert!(advice(&[0x1f, 0x8b, 8, 0]).contains("gzip -d"));
    assert!(advice(b"uid,x").contains("--format events"));
}

#[test]
fn files_of_wayveil_are_not_imported_again() {
    let with = |description: &str| {
        let plain = simple();
        let metadata = [(DESCRIPTION_KEY.to_owned(), description.to_owned())];
        let schema = Schema::clone(&plain.schema()).with_metadata(metadata.into());
        as_parquet(&plain.with_schema(Arc::new(schema)).unwrap())
    };
    assert_eq!(
        message(with(r#"{"format":"wayveil-data"}"#)),
        "this is a data file of wayveil already; there is nothing to import"
    );
    let part = "this file is part of a release of wayveil";
    assert_eq!(message(with(r#"{"format":"wayveil-locations"}"#)), part);
    assert_eq!(message(with("bent")), part);
}

#[test]
fn compression_that_is_not_built_in_is_named() {
    // The writer cannot make such files either: the codec is written into the metadata of another.
    let bytes = as_parquet_by(&simple(), Compression::UNCOMPRESSED, 1000);
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
    let start = bytes.len() - 8 - footer;
    let mut found = Vec::new();
    for at in start..bytes.len() - 8 {
        // Field 4 of a column's metadata, a small number: the codec, zero so far.
        for (codec, name) in [(4u8, "Brotli"), (3, "LZO")] {
            if bytes[at] == 0x15 && bytes[at + 1] == 0 {
                let mut bent = bytes.clone();
                bent[at + 1] = codec * 2;
                if let Err(error) = import(bent, &options())
                    && error.message()
                        == format!("the file is compressed with {name}, which is not supported")
                {
                    assert!(error.advice().unwrap().contains("zstd"));
                    found.push(name);
                }
            }
        }
    }
    assert_eq!(found.len(), 6, "three columns, two codecs: {found:?}");
}

#[test]
fn what_is_cut_off_is_an_error() {
    for (form, bytes) in all_forms().into_iter().enumerate() {
        for length in (0..bytes.len()).step_by(7) {
            let result = import(bytes[..length].to_vec(), &options());
            // A stream may end after any message.
            assert!(
                result.is_err() || form == 6,
                "form {form}, {length} of {}",
                bytes.len()
            );
        }
    }
}

#[test]
fn lengths_are_compared_with_the_file_before_room_is_made() {
    // A footer, a message and a body of gigabytes.
    let mut file = as_file(&simple());
    let at = file.len() - 10;
    file[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
    assert!(message(file).contains("announces more than it can hold"));
    let mut stream = as_stream(&simple());
    stream[4..8].copy_from_slice(&i32::MAX.to_le_bytes());
    assert_eq!(message(stream), "the Arrow file is cut off");
    let mut parquet = as_parquet(&simple());
    let at = parquet.len() - 8;
    parquet[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(message(parquet).contains("announces more than it can hold"));
    for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let bytes = compressed(codec);
        let mut refused = 0;
        // Somewhere in it stand the eight bytes of a part's plain length: 500 numbers of 8 bytes.
        for at in 0..bytes.len() - 8 {
            if bytes[at..at + 8] == 4000u64.to_le_bytes() {
                let mut bent = bytes.clone();
                bent[at..at + 8].copy_from_slice(&(1u64 << 45).to_le_bytes());
                let words = message(bent);
                assert!(
                    words.starts_with("a batch of the Arrow file announces"),
                    "{words}"
                );
                refused += 1;
            }
        }
        assert_eq!(refused, 1);
    }
}

#[test]
fn announced_parts_of_parquet_are_checked_beforehand() {
    // Two billion row groups.
    let footer = [0x49, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0, 0];
    let length = (footer.len() as u32).to_le_bytes();
    let file = [b"PAR1", &footer[..], &length, b"PAR1"].concat();
    assert!(message(file).contains("announces more than it can hold"));
    // A page of a megabyte, made of less than can grow to that.
    let rows = 20_000;
    let table = batch(vec![
        ("datetime", numbers(&vec![7; rows])),
        ("uid", texts(&vec!["x"; rows])),
        ("location", texts(&vec!["A"; rows])),
    ]);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties)).unwrap();
    writer.write(&table).unwrap();
    writer.close().unwrap();
    assert_eq!(
        import(bytes.clone(), &options()).unwrap().summary.rows,
        rows as u64
    );
    // The first page begins after the magic: its type, and its size of three bytes.
    assert_eq!((bytes[4], bytes[5], bytes[6]), (0x15, 0, 0x15));
    assert!(bytes[7] >= 0x80 && bytes[8] >= 0x80 && bytes[9] < 0x80);
    bytes[7..10].copy_from_slice(&[0xfe, 0xff, 0x7f]);
    assert!(message(bytes).contains("announces more than it can hold"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_bent_file_makes_it_panic(
        form in 0usize..9,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        tail: bool,
    ) {
        let mut bytes = FORMS[form].clone();
        let length = bytes.len();
        for (place, value) in changes {
            let at = if tail { length - 1 - place.index(length.min(600)) } else { place.index(length) };
            bytes[at] = value;
        }
        let _ = import(bytes.clone(), &options());
        let _ = read_trajectories_from("x", bytes, &TrajectoryTableOptions::new(declared(&["A"]), "x"));
    }

    #[test]
    fn no_bytes_make_it_panic(
        start in prop::sample::select(vec![&b"PAR1"[..], b"ARROW1\0\0", b"\xff\xff\xff\xff", b""]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        end in prop::sample::select(vec![&b"PAR1"[..], b"ARROW1", b""]),
    ) {
        let _ = import([start, &bytes, end].concat(), &options());
    }
}

#[test]
fn a_page_that_grows_a_thousandfold_is_refused() {
    let long = "0".repeat(80 << 20);
    let bomb = batch(vec![
        ("uid", texts(&["a"])),
        ("location", texts(&[&long])),
        ("datetime", numbers(&[1])),
    ]);
    let bytes = as_parquet_by(&bomb, Compression::ZSTD(ZstdLevel::default()), 200);
    assert!(bytes.len() < 100_000);
    assert!(message(bytes).contains("1000 times its size"));
}
