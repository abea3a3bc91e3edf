//! What holds for every parser.

use std::fs;
use std::io::Cursor;
use std::panic::PanicHookInfo;
use std::path::Path;

use wayveil_core::error::Kind;
use wayveil_core::{Dataset, Error, NonPrivate, Raw, Result, Universe};
use wayveil_io::{Bins, Input, UniverseChoice, Unknown, read_dataset, write_dataset};

use crate::samples::labels;
use crate::scratch;

/// Whether a panic is one that a reader turns into an error.
///
/// Parquet's reader may panic on damaged files, and that is caught. A panic in our own code beside
/// it would be caught as well, and is a fault all the same.
pub fn is_caught_by_reader(panic: &PanicHookInfo<'_>) -> bool {
    const OURS: [&str; 2] = ["crates/core/src", "crates/io/src"];
    let ours = panic
        .location()
        .is_some_and(|place| OURS.iter().any(|path| place.file().contains(path)));
    wayveil_io::panics_are_caught_here() && !ours
}

/// Bytes as an input that is called `input`.
pub(crate) fn input(bytes: &[u8]) -> Result<Input> {
    Input::from_reader("input", Cursor::new(bytes.to_vec()))
}

/// What a parser accepted. A refusal must be the input's fault and say something.
pub(crate) fn accepted<T>(parsed: Result<T>) -> Option<T> {
    parsed.map_err(|error| blames_input(&error)).ok()
}

/// Bytes in memory cannot make the machine fail; a thread that panicked shows as if it had.
fn blames_input(error: &Error) {
    assert_ne!(error.kind(), Kind::System, "{error}");
    assert!(!error.message().is_empty());
    assert!(!error.to_string().is_empty());
}

/// The first byte, which chooses options, and the rest.
pub(crate) fn options(data: &[u8]) -> (u8, &[u8]) {
    data.split_first()
        .map_or((0, data), |(&first, rest)| (first, rest))
}

/// Whether an input would be decompressed before it is read.
pub(crate) fn is_compressed(bytes: &[u8]) -> bool {
    const MAGIC: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK"];
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

/// How many lines a text has; none where it is compressed.
pub(crate) fn lines(bytes: &[u8]) -> Option<u64> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let ends = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let open = text.last().is_some_and(|&byte| byte != b'\n');
    (!is_compressed(bytes)).then_some(ends + u64::from(open))
}

/// Looks at what was read.
pub(crate) fn inside<T>(raw: &Raw<Dataset>, look: impl FnOnce(&Dataset) -> T) -> T {
    let because = NonPrivate::because("a made-up input is checked against what was read from it");
    raw.inspect(because, look).for_publisher_only()
}

/// Two data sets must be the same, apart from where their universes came from.
pub(crate) fn same(one: &Raw<Dataset>, other: &Raw<Dataset>) {
    inside(one, |one| {
        inside(other, |other| {
            assert_eq!(one.universe().locations(), other.universe().locations());
            assert_eq!(one.universe().taxonomy(), other.universe().taxonomy());
            assert_eq!(one.time(), other.time());
            assert_eq!(one.trips(), other.trips());
            assert_eq!(one.owners(), other.owners());
            assert_eq!(one.attributes(), other.attributes());
        });
    });
}

/// A data set must survive its own file.
pub(crate) fn survives_its_file(raw: &Raw<Dataset>) {
    scratch::with(|folder| {
        let path = folder.join("written.parquet");
        let written = write_dataset(&path, raw, true).and_then(|_| read_dataset(&path));
        same(
            raw,
            &written.expect("what was read can be written and read"),
        );
    });
}

/// A universe must survive its document, and keep the digest by which releases name it.
pub(crate) fn survives_its_document(universe: &Universe) {
    let text = serde_json::to_string(universe).expect("a universe is plain data");
    let back: Universe = serde_json::from_str(&text).expect("a universe reads its own document");
    assert_eq!(&back, universe);
    assert_eq!(back.digest(), universe.digest());
    for (code, location) in (0..).zip(universe.locations()) {
        assert_eq!(universe.code(&location.label), Some(code));
    }
}

/// Writes a file of the scratch folder.
pub(crate) fn put(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("the scratch folder takes files");
}

/// What the readers of sequences let one choose, by the lowest four bits of a byte.
pub(crate) fn sequence_choices(
    chosen: u8,
    declared: &[&str],
) -> (UniverseChoice, Unknown, Option<Bins>) {
    let universe = match chosen & 1 {
        1 => UniverseChoice::Declared(labels(declared)),
        _ => UniverseChoice::FromData,
    };
    let unknown = match chosen & 2 {
        2 => Unknown::Drop,
        _ => Unknown::Error,
    };
    let bins = [
        None,
        Some(Bins::FromData),
        Some(Bins::Declared(24)),
        Some(Bins::Declared(0)),
    ];
    (universe, unknown, bins[usize::from(chosen >> 2 & 3)])
}
