//! Unpacks one file of an archive as a stream that owns all it needs.

use std::fs::File;
use std::io::{self, BufReader, Read, Take};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use wayveil_core::Error;

const BUFFER: usize = 1 << 16;
/// What to do about a damaged archive.
pub(super) const FETCH_AGAIN: &str = "fetch the feed again; `unzip -t` checks it";

/// The unpacked bytes of a file: as many as the archive's directory says, with its checksum, or an
/// error. Memory is one buffer, whatever the size.
pub(super) struct Unpacked {
    bytes: Box<dyn Read + Send>,
    /// How many bytes are still to come.
    left: u64,
    sum: Crc,
    checksum: u32,
}

impl Unpacked {
    /// Unpacks what lies at the archive's current position.
    pub(super) fn new(packed: Take<File>, deflated: bool, size: u64, checksum: u32) -> Self {
        let packed = BufReader::with_capacity(BUFFER, packed);
        Self {
            bytes: if deflated {
                Box::new(DeflateDecoder::new(packed))
            } else {
                Box::new(packed)
            },
            left: size,
            sum: Crc::new(),
            checksum,
        }
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let count = self.bytes.read(buffer).map_err(explain)?;
        if count == 0 {
            if self.left > 0 {
                return Err(wrong("it ends too early"));
            }
            if self.sum.sum() != self.checksum {
                return Err(wrong("its checksum is another"));
            }
        }
        self.left = (self.left.checked_sub(count as u64))
            .ok_or_else(|| wrong("it is longer than the archive's directory says"))?;
        self.sum.update(&buffer[..count]);
        Ok(count)
    }
}

/// Damage is the archive's fault, everything else the machine's.
fn explain(cause: io::Error) -> io::Error {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    match cause.kind() {
        UnexpectedEof => wrong("it ends too early"),
        InvalidData | InvalidInput | Other => wrong(&cause.to_string()),
        _ => cause,
    }
}

fn wrong(how: &str) -> io::Error {
    let error = Error::input(format!("the file in the archive is damaged: {how}"));
    io::Error::new(io::ErrorKind::InvalidData, error.hint(FETCH_AGAIN))
}
