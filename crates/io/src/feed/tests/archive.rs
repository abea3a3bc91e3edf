use proptest::prelude::*;

use super::super::archive::{FREE_SIZE, LARGEST_FILE, LARGEST_RATIO, MOST_ENTRIES, check_size};
use super::*;

/// All rows of a table.
fn rows(feed: &Feed, file: &str) -> Result<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    feed.need_sheet(file, "none")?.for_each(|_, fields| {
        rows.push(fields.iter().map(|field| field.to_string()).collect());
        Ok(())
    })?;
    Ok(rows)
}

fn stops(bytes: &[u8]) -> Result<Vec<Vec<String>>> {
    rows(&Place::bytes(bytes).open()?, STOPS)
}

const TABLE: &str = "stop_id\nA\nB\n";

#[test]
fn a_folder_and_an_archive_read_alike() {
    let place = Place::folder(&WHOLE_FEED);
    let folder = place.open().unwrap();
    for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
        let place = Place::bytes(&zipped(&WHOLE_FEED, method));
        let archive = place.open().unwrap();
        for (file, _) in WHOLE_FEED {
            assert_eq!(rows(&archive, file).unwrap(), rows(&folder, file).unwrap());
        }
        assert!(archive.open_sheet("shapes.txt").unwrap().is_none());
        assert_eq!(place.names(), ["feed.zip"]);
    }
    assert!(folder.open_sheet("shapes.txt").unwrap().is_none());
}

#[test]
fn tables_may_lie_in_a_folder_of_the_archive() {
    for name in ["gtfs/stops.txt", "a/b/stops.txt", "gtfs\\stops.txt"] {
        let files = [
            (name, TABLE),
            ("readme.txt", "x"),
            ("gtfs/extra/stops2.txt", "x"),
        ];
        let place = Place::zip(&files);
        assert_eq!(rows(&place.open().unwrap(), STOPS).unwrap().len(), 2);
    }
    let files = [
        ("x/mystops.txt", "x"),
        ("stops.txt", TABLE),
        ("__MACOSX/._stops.txt", "x"),
    ];
    assert!(Place::zip(&files).open().unwrap().has(STOPS));
    let two = [("a/stops.txt", TABLE), ("b/stops.txt", TABLE)];
    assert_says(
        Place::zip(&two).open(),
        &["2 feeds", "a/stops.txt", "b/stops.txt"],
    );
    let two = [("stops.txt", TABLE), ("b/stops.txt", TABLE)];
    assert_says(
        Place::zip(&two).open(),
        &["2 feeds", ": stops.txt, b/stops.txt"],
    );
}

#[test]
fn names_that_climb_out_are_only_names() {
    // A name that nothing else on the machine has.
    let place = Place::zip(&[("../wayveil-climbed-out/stops.txt", TABLE), ("/etc/x", "y")]);
    assert_eq!(rows(&place.open().unwrap(), STOPS).unwrap().len(), 2);
    assert_eq!(place.names(), ["feed.zip"]);
    let outside = place.folder.path().parent().unwrap();
    assert!(!outside.join("wayveil-climbed-out").exists());
}

#[test]
fn what_is_no_feed_is_named() {
    let missing = Feed::open(std::path::Path::new("/no/such/feed"));
    assert_says(missing, &["/no/such/feed", "no such folder or archive"]);
    for text in ["", "P", "stop_id\nA\n"] {
        assert_says(
            Place::bytes(text.as_bytes()).open(),
            &["neither a folder nor a zip"],
        );
    }
    let empty = zipped(&[], CompressionMethod::Stored);
    assert_says(Place::bytes(&empty).open(), &["the archive is empty"]);
    let folder = Place::folder(&[]);
    assert_says(
        rows(&folder.open().unwrap(), STOPS),
        &["the feed has no stops.txt"],
    );
}

#[test]
fn broken_archives_are_named() {
    let whole = zipped(
        &[("stops.txt", &TABLE.repeat(500))],
        CompressionMethod::Deflated,
    );
    assert_says(
        Place::bytes(b"PK\x03\x04 and nothing more").open(),
        &["damaged or cut off"],
    );
    // However much is missing, it is an error and never part of a table.
    for length in (5..whole.len()).step_by(7) {
        assert_says(stops(&whole[..length]), &["feed.zip"]);
    }
    // The data in the middle are damaged, or their checksum is.
    let method_and_more = 30 + "stops.txt".len();
    for at in [14, method_and_more + 5, method_and_more + 20] {
        let mut bent = whole.clone();
        bent[at] ^= 0x55;
        // The local header's checksum is not used; the directory's is.
        assert_eq!(stops(&bent).is_err(), at != 14, "byte {at}");
    }
}

#[test]
fn a_wrong_checksum_or_size_is_an_error() {
    let text = TABLE.repeat(100);
    for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
        let whole = zipped(&[("stops.txt", &text)], method);
        let directory = whole
            .windows(4)
            .rposition(|it| it == b"PK\x01\x02")
            .unwrap();
        for (at, says) in [(16, "checksum"), (24, "damaged")] {
            for more in [1u8, 255] {
                let mut bent = whole.clone();
                bent[directory + at] = bent[directory + at].wrapping_add(more);
                let error = assert_says(stops(&bent), &["feed.zip/stops.txt", says]);
                assert!(error.advice().unwrap().contains("unzip -t"), "{error}");
            }
        }
    }
}

/// A change of one byte of an archive may pass where it does not matter, and must not panic.
#[test]
fn any_bent_byte_is_survived() {
    let whole = zipped(
        &[("stops.txt", &TABLE.repeat(20))],
        CompressionMethod::Deflated,
    );
    let right = stops(&whole).unwrap();
    let place = Place::bytes(&whole);
    for at in 0..whole.len() {
        for bit in [0x01, 0x80, 0xff] {
            let mut bent = whole.clone();
            bent[at] ^= bit;
            std::fs::write(&place.path, &bent).unwrap();
            if let Ok(found) = place.open().and_then(|feed| rows(&feed, STOPS)) {
                assert_eq!(found, right, "byte {at}");
            }
        }
    }
}

#[test]
fn encrypted_and_unknown_methods_are_refused() {
    let whole = zipped(&[("stops.txt", TABLE)], CompressionMethod::Stored);
    let directory = whole
        .windows(4)
        .rposition(|it| it == b"PK\x01\x02")
        .unwrap();
    let mut encrypted = whole.clone();
    encrypted[directory + 8] |= 1;
    encrypted[6] |= 1;
    assert_says(stops(&encrypted), &["feed.zip/stops.txt", "encrypted"]);
    for method in [12u8, 14, 93, 99] {
        let mut other = whole.clone();
        other[directory + 10] = method;
        other[8] = method;
        assert_says(stops(&other), &["feed.zip"]);
    }
    let mut other = whole.clone();
    other[directory + 10] = 12;
    assert_says(stops(&other), &["method that is not read"]);
}

#[test]
fn names_that_stand_twice_are_refused() {
    // The writer refuses them, so two names of one length are made equal.
    let files = [("stops.txt", TABLE), ("stopz.txt", "stop_id\nC\n")];
    let mut bytes = zipped(&files, CompressionMethod::Stored);
    let places: Vec<usize> = (bytes.windows(9).enumerate())
        .filter(|(_, it)| it == b"stopz.txt")
        .map(|(at, _)| at)
        .collect();
    assert_eq!(places.len(), 2, "in the header and in the directory");
    for at in places {
        bytes[at + 4] = b's';
    }
    assert_says(Place::bytes(&bytes).open(), &["twice"]);
    let slashes = [("a/stops.txt", TABLE), ("a\\stops.txt", TABLE)];
    assert_says(Place::zip(&slashes).open(), &["\"a/stops.txt\" twice"]);
}

#[test]
fn an_archive_within_an_archive_is_refused() {
    let inner = zipped(&[("stops.txt", TABLE)], CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive
        .start_file("google_transit.zip", SimpleFileOptions::default())
        .unwrap();
    archive.write_all(&inner).unwrap();
    let outer = archive.finish().unwrap().into_inner();
    let error = assert_says(stops(&outer), &["the feed has no stops.txt"]);
    assert!(error.advice().unwrap().contains("google_transit.zip"));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(TABLE.as_bytes()).unwrap();
    for packed in [
        inner,
        gzip.finish().unwrap(),
        zstd::encode_all(TABLE.as_bytes(), 1).unwrap(),
    ] {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        archive
            .start_file("stops.txt", SimpleFileOptions::default())
            .unwrap();
        archive.write_all(&packed).unwrap();
        let outer = archive.finish().unwrap().into_inner();
        assert_says(stops(&outer), &["feed.zip/stops.txt", "itself compressed"]);
    }
}

#[test]
fn bombs_are_refused() {
    // Zeros beyond the free size, packed about a thousandfold.
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive
        .start_file("stops.txt", SimpleFileOptions::default())
        .unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..=(FREE_SIZE >> 20) {
        archive.write_all(&zeros).unwrap();
    }
    let mut bomb = archive.finish().unwrap().into_inner();
    assert!(bomb.len() < 1 << 20);
    assert_says(stops(&bomb), &["feed.zip/stops.txt", "200 times"]);
    // The directory lies about the size: refused at the first byte too many. Rows come before.
    let directory = bomb.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    bomb[directory + 24..directory + 28].copy_from_slice(&1000u32.to_le_bytes());
    assert_says(stops(&bomb), &["longer than the archive's directory says"]);
}

#[test]
fn sizes_have_limits() {
    assert!(check_size(0, FREE_SIZE).is_ok());
    assert!(check_size(1, FREE_SIZE + LARGEST_RATIO).is_err());
    let packed = FREE_SIZE;
    assert!(check_size(packed, packed * LARGEST_RATIO).is_ok());
    assert!(check_size(packed, (packed + 1) * LARGEST_RATIO).is_err());
    assert!(check_size(LARGEST_FILE, LARGEST_FILE).is_ok());
    assert_says(check_size(LARGEST_FILE, LARGEST_FILE + 1), &["64 GiB"]);
    assert!(check_size(u64::MAX, u64::MAX).is_err());
}

#[test]
fn too_many_entries_are_refused() {
    let names: Vec<String> = (0..=MOST_ENTRIES)
        .map(|number| format!("{number}"))
        .collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let bytes = zipped(&files, CompressionMethod::Stored);
    assert_says(
        Place::bytes(&bytes).open(),
        &["10001 entries", "at most 10000"],
    );
    let bytes = zipped(&files[..MOST_ENTRIES], CompressionMethod::Stored);
    assert!(Place::bytes(&bytes).open().is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Blocks, buffers and the archive's own chunks meet at any place.
    #[test]
    fn large_tables_come_out_whole(rows_wanted in 0usize..60_000, width in 1usize..40) {
        let text: String = (0..rows_wanted)
            .map(|row| format!("{row:0>width$}\n"))
            .collect();
        let bytes = zipped(&[("stops.txt", &format!("stop_id\n{text}"))], CompressionMethod::Deflated);
        let found = stops(&bytes).unwrap();
        prop_assert_eq!(found.len(), rows_wanted);
        let same = found.iter().enumerate().all(|(row, it)| it[0] == format!("{row:0>width$}"));
        prop_assert!(same);
    }
}
