//! Opens inputs of any common wrapping as a stream of plain bytes.
//!
//! Compression is recognised by its first bytes, not by the file's name; a UTF-8 byte-order mark
//! is removed. Nothing is held in memory but one buffer.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use wayveil_core::{Error, Result};

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// How zip archives with anything in them begin.
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";
const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const BUFFER: usize = 1 << 16;

/// A readable input with the name that error messages use.
pub struct Input {
    name: String,
    bytes: Box<dyn BufRead + Send>,
}

impl Input {
    /// Opens a file, compressed or not.
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_reader(&path.display().to_string(), open_file(path)?)
    }

    /// Wraps any stream, for instance standard input, under a name for error messages.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Result<Self> {
        let (start, bytes) = peek(reader).map_err(|cause| cannot_read(name, &cause))?;
        let plain: Box<dyn Read + Send> = if start.starts_with(GZIP) {
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, bytes)))
        } else if start.starts_with(ZSTD) {
            let decoder = zstd::stream::read::Decoder::new(bytes)
                .map_err(|cause| cannot_read(name, &cause))?;
            Box::new(decoder)
        } else {
            Box::new(bytes)
        };
        Self::from_plain(name, plain)
    }

    /// Wraps a stream out of an archive, which is not unwrapped further: an archive's limits would
    /// not hold for what is compressed a second time.
    pub(crate) fn from_archive(name: &str, reader: impl Read + Send + 'static) -> Result<Self> {
        let (start, bytes) = peek(reader).map_err(|cause| cannot_read(name, &cause))?;
        if [GZIP, ZSTD, ZIP].iter().any(|mark| start.starts_with(mark)) {
            return Err(
                Error::input("this file of the archive is itself compressed")
                    .in_file(name)
                    .hint("files must be plain text in the archive; unpack it and pack it again"),
            );
        }
        Self::from_plain(name, bytes)
    }

    fn from_plain(name: &str, reader: impl Read + Send + 'static) -> Result<Self> {
        let (start, mut plain) = peek(reader).map_err(|cause| cannot_read(name, &cause))?;
        refuse_columnar(name, &start)?;
        refuse_utf16(name, &start)?;
        if start.starts_with(UTF8_MARK) {
            let mut mark = [0; UTF8_MARK.len()];
            plain
                .read_exact(&mut mark)
                .map_err(|cause| cannot_read(name, &cause))?;
        }
        Ok(Self {
            name: name.to_owned(),
            bytes: Box::new(BufReader::with_capacity(BUFFER, plain)),
        })
    }

    /// What error messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The plain bytes, and the name.
    pub(crate) fn into_parts(self) -> (String, Box<dyn BufRead + Send>) {
        (self.name, self.bytes)
    }
}

/// The plain bytes.
impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

/// A stream whose first bytes were looked at and put back.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

/// The first bytes of a stream, and the whole stream.
fn peek<R: Read>(mut reader: R) -> io::Result<(Vec<u8>, Peeked<R>)> {
    let mut start = Vec::with_capacity(10);
    reader.by_ref().take(10).read_to_end(&mut start)?;
    Ok((start.clone(), Cursor::new(start).chain(reader)))
}

/// Says what a columnar file is. A list of labels may begin with the same letters; in these files
/// a control character follows, which no label has.
fn refuse_columnar(name: &str, start: &[u8]) -> Result<()> {
    let start = start.strip_prefix(UTF8_MARK).unwrap_or(start);
    let marks: [&[u8]; 2] = [b"PAR1", b"ARROW1"];
    let after = marks
        .iter()
        .find_map(|mark| start.strip_prefix(*mark)?.first());
    if after.is_some_and(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
        return Err(Error::input("this is a Parquet or Arrow file, not text")
            .in_file(name)
            .hint("--format parquet reads it"));
    }
    Ok(())
}

fn refuse_utf16(name: &str, start: &[u8]) -> Result<()> {
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(
            Error::input("the text is encoded as UTF-16; UTF-8 is needed")
                .in_file(name)
                .hint(format!("iconv -f utf-16 -t utf-8 {name} > utf8.csv")),
        );
    }
    Ok(())
}

/// Opens a file, or says why not.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Error::input("this is a folder, not a file").in_file(name));
    }
    File::open(path).map_err(|cause| cannot_open(&name, &cause))
}

fn cannot_open(name: &str, cause: &io::Error) -> Error {
    if cause.kind() == io::ErrorKind::NotFound {
        return Error::input("there is no such file")
            .in_file(name)
            .hint("check the path; it is taken relative to the current folder");
    }
    Error::system("cannot open the file", cause).in_file(name)
}

/// A failed read: damaged compression is the input's fault, the rest is the machine's. A reader
/// that knows better what is wrong says so by an [`Error`] inside.
pub(crate) fn cannot_read(name: &str, cause: &io::Error) -> Error {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    let known = cause.get_ref().and_then(|it| it.downcast_ref::<Error>());
    if let Some(error) = known {
        return error.clone().in_file(name);
    }
    match cause.kind() {
        UnexpectedEof => Error::input("the compressed file is cut off")
            .in_file(name)
            .hint("fetch the file again; `gzip -t` or `zstd -t` checks it"),
        InvalidData | InvalidInput | Other => {
            Error::input(format!("the compressed file is damaged: {cause}"))
                .in_file(name)
                .hint("fetch the file again; `gzip -t` or `zstd -t` checks it")
        }
        _ => Error::system("cannot read the file", cause).in_file(name),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn text_of(bytes: Vec<u8>) -> Result<String> {
        let (name, mut plain) = Input::from_reader("x", Cursor::new(bytes))?.into_parts();
        let mut text = String::new();
        plain
            .read_to_string(&mut text)
            .map_err(|cause| cannot_read(&name, &cause))?;
        Ok(text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn unwraps_compression_and_byte_order_marks() {
        let marked = "\u{feff}uid\n";
        assert_eq!(text_of(b"uid\n".to_vec()).unwrap(), "uid\n");
        assert_eq!(text_of(marked.into()).unwrap(), "uid\n");
        assert_eq!(text_of(gzip(marked)).unwrap(), "uid\n");
        let two_members = [gzip("a\n"), gzip("b\n")].concat();
        assert_eq!(text_of(two_members).unwrap(), "a\nb\n");
        assert_eq!(
            text_of(zstd::encode_all(marked.as_bytes(), 1).unwrap()).unwrap(),
            "uid\n"
        );
        let two_frames = [
            zstd::encode_all(&b"a"[..], 1).unwrap(),
            zstd::encode_all(&b"b"[..], 1).unwrap(),
        ];
        assert_eq!(text_of(two_frames.concat()).unwrap(), "ab");
        for short in ["", "a", "ab"] {
            assert_eq!(text_of(short.into()).unwrap(), short);
        }
    }

    #[test]
    fn damaged_compression_is_an_input_error() {
        let long: String = (0..9999).map(|number| format!("{number},")).collect();
        let whole = gzip(&long);
        let error = text_of(whole[..whole.len() / 2].to_vec()).unwrap_err();
        assert_eq!(error.message(), "the compressed file is cut off");
        let mut bent = whole.clone();
        bent[whole.len() / 2] ^= 0xff;
        assert!(text_of(bent).is_err());
        let whole = zstd::encode_all(long.as_bytes(), 1).unwrap();
        assert!(text_of(whole[..whole.len() / 2].to_vec()).is_err());
    }

    #[test]
    fn columnar_files_are_named_and_labels_like_them_are_read() {
        for bytes in [&b"PAR1\x15\x04"[..], b"ARROW1\0\0", b"\xef\xbb\xbfPAR1\x15"] {
            let error = text_of(bytes.to_vec()).unwrap_err();
            assert_eq!(error.advice(), Some("--format parquet reads it"));
        }
        for text in [
            "PAR1",
            "PAR1A\n",
            "PAR1\nPAR2\n",
            "ARROW1\r\n",
            "\u{feff}PAR1A",
        ] {
            assert_eq!(
                text_of(text.into()).unwrap(),
                text.trim_start_matches('\u{feff}')
            );
        }
    }

    #[test]
    fn names_utf16_and_missing_files() {
        let error = text_of(vec![0xff, 0xfe, b'u', 0]).unwrap_err();
        assert!(
            error
                .advice()
                .unwrap()
                .starts_with("iconv -f utf-16 -t utf-8")
        );
        let error = Input::open(Path::new("/no/such/file")).err().unwrap();
        assert_eq!(error.message(), "there is no such file");
        assert_eq!(error.exit_code(), 2);
        assert!(Input::open(Path::new("/")).is_err());
    }
}
