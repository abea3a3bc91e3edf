//! A zip archive as a folder of tables.
//!
//! The archive's directory is read once. Each table is then read by a stream of its own, which
//! opens the archive again at the table's place; see [`Unpacked`]. What an archive may demand is
//! limited: at most [`MOST_ENTRIES`] entries, and per file the sizes of [`check_size`], so that a
//! small file cannot keep the program busy for ever. Names of entries are only compared with names
//! of tables and never used as paths.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result};
use zip::CompressionMethod;
use zip::read::ZipArchive;
use zip::result::ZipError;

use super::STOPS;
use super::unpack::{FETCH_AGAIN, Unpacked};
use crate::input::{Input, ZIP, cannot_read, open_file};

/// The most entries of an archive; feeds have some dozens.
pub(super) const MOST_ENTRIES: usize = 10_000;
/// The largest file, unpacked.
pub(super) const LARGEST_FILE: u64 = 64 << 30;
/// Up to this size a file may be packed as tightly as it likes.
pub(super) const FREE_SIZE: u64 = 64 << 20;
/// How many times its packed size a larger file may have; tables of real feeds stay below 50.
pub(super) const LARGEST_RATIO: u64 = 200;

const LOCAL_HEADER: usize = 30;

/// Whether a file's first bytes are those of a zip archive, which may be empty.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    bytes.starts_with(ZIP) || bytes.starts_with(b"PK\x05\x06")
}

/// An archive's directory.
pub(super) struct Archive {
    path: PathBuf,
    name: String,
    /// Where in the archive the tables lie: empty, or a path that ends in a slash.
    folder: String,
    /// The files of that folder by name.
    entries: FxHashMap<String, Entry>,
    nested: Option<String>,
}

/// Where a file of the archive lies, and what it must unpack to.
struct Entry {
    header_start: u64,
    packed: u64,
    size: u64,
    checksum: u32,
    method: CompressionMethod,
    encrypted: bool,
}

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let damaged = |cause: ZipError| damaged(&name, cause);
        let archive = ZipArchive::new(BufReader::new(open_file(path)?)).map_err(damaged)?;
        if archive.len() > MOST_ENTRIES {
            return Err(Error::input(format!(
                "the archive has {} entries; at most {MOST_ENTRIES} are read",
                archive.len()
            ))
            .in_file(name)
            .hint("a GTFS feed has a few dozen files; pack only these"));
        }
        if archive.has_duplicate_names() {
            return Err(twice(&name, None));
        }
        let mut files: FxHashMap<String, Entry> = FxHashMap::default();
        for index in 0..archive.len() {
            let entry = archive.by_index_data(index).map_err(damaged)?;
            if entry.is_dir() {
                continue;
            }
            // Some programs write the separators of Windows.
            let inner = entry.name().map_err(damaged)?.replace('\\', "/");
            let place = Entry {
                header_start: entry.header_start(),
                packed: entry.compressed_size(),
                size: entry.size(),
                checksum: entry.crc32(),
                method: entry.compression(),
                encrypted: entry.encrypted(),
            };
            if files.insert(inner.clone(), place).is_some() {
                return Err(twice(&name, Some(&inner)));
            }
        }
        if files.is_empty() {
            return Err(Error::input("the archive is empty")
                .in_file(name)
                .hint(FETCH_AGAIN));
        }
        let folder = folder_of_stops(&name, files.keys())?;
        let nested = (files.keys())
            .filter(|inner| inner.to_lowercase().ends_with(".zip"))
            .min()
            .cloned();
        let entries = files.into_iter().filter_map(|(inner, entry)| {
            let file = inner.strip_prefix(&folder)?;
            (!file.contains('/')).then(|| (file.to_owned(), entry))
        });
        Ok(Self {
            path: path.to_owned(),
            entries: entries.collect(),
            name,
            folder,
            nested,
        })
    }

    /// What error messages call a file of the archive.
    pub(super) fn file_name(&self, file: &str) -> String {
        format!("{}/{}{file}", self.name, self.folder)
    }

    pub(super) fn has(&self, file: &str) -> bool {
        self.entries.contains_key(file)
    }

    /// The first archive within this one, if there is any.
    pub(super) fn nested_archive(&self) -> Option<&str> {
        self.nested.as_deref()
    }

    /// Begins to unpack a file that the archive has.
    pub(super) fn open_file(&self, file: &str) -> Result<Input> {
        let name = self.file_name(file);
        let placed = |error: Error| error.in_file(&name);
        let entry = (self.entries.get(file))
            .ok_or_else(|| placed(Error::input(format!("the archive has no {file}"))))?;
        entry.check().map_err(placed)?;
        let mut archive = open_file(&self.path)?;
        entry.go_to(&mut archive).map_err(placed)?;
        let packed = archive.take(entry.packed);
        let deflated = entry.method == CompressionMethod::Deflated;
        Input::from_archive(
            &name,
            Unpacked::new(packed, deflated, entry.size, entry.checksum),
        )
    }
}

impl Entry {
    /// Refuses what cannot be read, or should not be.
    fn check(&self) -> Result<()> {
        if self.encrypted {
            return Err(Error::input("the file is encrypted")
                .hint("unpack the archive with its password, and give the folder"));
        }
        let is_known = matches!(
            self.method,
            CompressionMethod::Stored | CompressionMethod::Deflated
        );
        if !is_known {
            return Err(Error::input(format!(
                "the file is compressed by a method that is not read ({})",
                self.method
            ))
            .hint("unpack the archive and give the folder, or pack it again with `zip`"));
        }
        check_size(self.packed, self.size)
    }

    /// Moves to the file's packed bytes: behind its local header, whose length only it tells.
    fn go_to(&self, archive: &mut File) -> Result<()> {
        let mut header = [0; LOCAL_HEADER];
        archive
            .seek(SeekFrom::Start(self.header_start))
            .and_then(|_| archive.read_exact(&mut header))
            .map_err(|_| cut_off())?;
        if !header.starts_with(ZIP) {
            return Err(
                Error::input("the archive's directory does not fit its content").hint(FETCH_AGAIN),
            );
        }
        let two = |at: usize| i64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let at = archive.seek(SeekFrom::Current(two(26) + two(28)));
        let end = at.ok().and_then(|start| start.checked_add(self.packed));
        let length = archive.metadata().map(|it| it.len());
        match (end, length) {
            (Some(end), Ok(length)) if end <= length => Ok(()),
            _ => Err(cut_off()),
        }
    }
}

/// Refuses a file that is larger than [`LARGEST_FILE`] or, beyond [`FREE_SIZE`], more than
/// [`LARGEST_RATIO`] times its packed size. The sizes are the directory's; a file that unpacks to
/// more than the directory says is refused at the first byte too many.
pub(super) fn check_size(packed: u64, size: u64) -> Result<()> {
    let hint = "if it is genuine, unpack the archive and give the folder";
    if size > LARGEST_FILE {
        return Err(Error::input(format!(
            "the file would unpack to {} GiB; at most {} are read from an archive",
            size >> 30,
            LARGEST_FILE >> 30
        ))
        .hint(hint));
    }
    if size > FREE_SIZE && size / LARGEST_RATIO > packed {
        return Err(Error::input(format!(
            "the file would unpack to more than {LARGEST_RATIO} times its size in the archive \
             ({packed} bytes to {size}), as no table does"
        ))
        .hint(hint));
    }
    Ok(())
}

/// The folder within the archive that holds the list of stops; the top where none does.
fn folder_of_stops<'a>(name: &str, files: impl Iterator<Item = &'a String>) -> Result<String> {
    let mut folders: Vec<&str> = files
        .filter_map(|inner| inner.strip_suffix(STOPS))
        .filter(|folder| folder.is_empty() || folder.ends_with('/'))
        .collect();
    folders.sort_unstable();
    match folders[..] {
        [] => Ok(String::new()),
        [folder] => Ok(folder.to_owned()),
        [first, second, ..] => Err(Error::input(format!(
            "the archive holds {} feeds: {first}{STOPS}, {second}{STOPS}{}",
            folders.len(),
            if folders.len() > 2 { ", …" } else { "" }
        ))
        .in_file(name)
        .hint("unpack the archive and give the folder of one of them")),
    }
}

fn twice(name: &str, file: Option<&str>) -> Error {
    let which = file.map_or("a file".to_owned(), |file| format!("{file:?}"));
    Error::input(format!("the archive holds {which} twice"))
        .in_file(name)
        .hint("unpack it, look which of the two is meant, and give the folder")
}

fn cut_off() -> Error {
    Error::input("the archive is cut off").hint(FETCH_AGAIN)
}

/// What is wrong with an archive as a whole.
fn damaged(name: &str, cause: ZipError) -> Error {
    match cause {
        ZipError::Io(cause) if cause.kind() != std::io::ErrorKind::UnexpectedEof => {
            cannot_read(name, &cause)
        }
        cause => Error::input(format!("the archive is damaged or cut off: {cause}"))
            .in_file(name)
            .hint(FETCH_AGAIN),
    }
}
