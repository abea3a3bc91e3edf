//! Wrappings: gzip, Zstandard, byte-order marks.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Target;
use crate::check::{accepted, input};

/// How much of an input is read. Compression makes much of little, and readers take it piece by
/// piece.
const MOST: u64 = 4 << 20;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "input",
    run,
    seeds,
    words: &["\u{feff}", "\x1f\u{8b}\x08"],
    longest: 1024,
};

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).expect("memory takes bytes");
    encoder.finish().expect("memory takes bytes")
}

fn zstd(plain: &[u8]) -> Vec<u8> {
    zstd::encode_all(plain, 1).expect("memory takes bytes")
}

fn seeds() -> Vec<Vec<u8>> {
    let text = "\u{feff}uid,location\nx,Été\n".repeat(3);
    let text = text.as_bytes();
    vec![
        Vec::new(),
        text.to_vec(),
        gzip(text),
        zstd(text),
        [gzip(b"a\n"), gzip(text)].concat(),
        [zstd(b"a\n"), zstd(text)].concat(),
        gzip(&zstd(text)),
        zstd(&vec![b'x'; 1 << 20]),
        gzip(&vec![0; 1 << 16]),
        b"\xff\xfeu\0i\0d\0".to_vec(),
        b"\xfe\xff\0u\0i\0d".to_vec(),
        b"\x1f\x8b".to_vec(),
        b"\x28\xb5\x2f".to_vec(),
    ]
}

/// The plain bytes; none where the input is refused at once. A later failure ends them.
fn plain(bytes: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut plain = Vec::new();
    let whole = accepted(input(bytes))?.take(MOST).read_to_end(&mut plain);
    Some((plain, whole.is_ok()))
}

fn run(data: &[u8]) -> bool {
    let Some((bytes, whole)) = plain(data) else {
        return false;
    };
    // What is not wrapped comes as it is, and any wrapping that we put around it comes off.
    const MAGIC: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xef\xbb\xbf"];
    if !MAGIC.iter().any(|magic| data.starts_with(magic)) {
        assert!(whole && bytes == data);
        assert_eq!(plain(&gzip(data)), Some((bytes.clone(), true)));
        assert_eq!(plain(&zstd(data)), Some((bytes, true)));
    }
    true
}
