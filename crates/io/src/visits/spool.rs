//! Sorts any number of visits in bounded memory: sorted runs on disk, then one merge.
//!
//! Rows are sorted by owner, by the trip that the input names, and by time; rows of equal time keep
//! the order of the input. What fits into one run never touches the disk. Runs go to files without
//! a name, which the system removes with the program however it ends: raw data is not left behind.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use wayveil_core::{Error, Result};

/// Rows in a run: about two hundred megabytes.
const RUN_ROWS: usize = 1 << 23;
/// Bytes of a row on disk.
const STORED: usize = 20;
/// Memory for reading all runs together, and the least for one.
const MERGE_BUFFERS: usize = 16 << 20;
const LEAST_BUFFER: usize = 16 << 10;

/// One visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// The owner, and below it the trip that the input names.
    owner_and_trip: u64,
    pub(super) time: i64,
    /// The position in its run, which keeps the order of the input.
    position: u32,
    pub(super) code: u32,
}

impl Row {
    pub(super) fn owner(&self) -> u32 {
        (self.owner_and_trip >> 32) as u32
    }

    pub(super) fn trip(&self) -> u32 {
        self.owner_and_trip as u32
    }

    fn store(&self) -> [u8; STORED] {
        let mut bytes = [0; STORED];
        bytes[..8].copy_from_slice(&self.owner_and_trip.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.time.to_le_bytes());
        bytes[16..].copy_from_slice(&self.code.to_le_bytes());
        bytes
    }

    fn load(bytes: [u8; STORED]) -> Self {
        let part = |from: usize| -> [u8; 8] { std::array::from_fn(|at| bytes[from + at]) };
        Self {
            owner_and_trip: u64::from_le_bytes(part(0)),
            time: i64::from_le_bytes(part(8)),
            position: 0,
            code: u32::from_le_bytes(std::array::from_fn(|at| bytes[16 + at])),
        }
    }
}

/// Visits on their way to being sorted.
pub(super) struct Spool {
    folder: PathBuf,
    run_rows: usize,
    current: Vec<Row>,
    runs: Vec<File>,
}

impl Spool {
    /// A spool whose runs lie on the disk of a folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self::with_runs_of(folder, RUN_ROWS)
    }

    pub(super) fn with_runs_of(folder: &Path, run_rows: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            run_rows,
            // The system gives memory only as it is written to.
            current: Vec::with_capacity(run_rows),
            runs: Vec::new(),
        }
    }

    /// A spool that stands in for one that was taken.
    pub(super) fn empty() -> Self {
        Self::with_runs_of(Path::new(""), 0)
    }

    pub(super) fn push(&mut self, owner: u32, trip: u32, time: i64, code: u32) -> Result<()> {
        if self.current.len() == self.run_rows {
            self.write_run()?;
        }
        self.current.push(Row {
            owner_and_trip: u64::from(owner) << 32 | u64::from(trip),
            time,
            position: self.current.len() as u32,
            code,
        });
        Ok(())
    }

    fn sort(&mut self) {
        self.current.par_sort_unstable();
    }

    fn write_run(&mut self) -> Result<()> {
        self.sort();
        let failed = |cause: io::Error| self.failed(&cause);
        let file = tempfile::tempfile_in(&self.folder).map_err(failed)?;
        let mut out = BufWriter::with_capacity(1 << 18, file);
        for row in &self.current {
            out.write_all(&row.store()).map_err(failed)?;
        }
        let mut file = out
            .into_inner()
            .map_err(|cause| failed(cause.into_error()))?;
        file.rewind().map_err(failed)?;
        self.runs.push(file);
        self.current.clear();
        Ok(())
    }

    fn failed(&self, cause: &io::Error) -> Error {
        Error::system("cannot keep the rows on disk while they are sorted", cause)
            .in_file(self.folder.display().to_string())
            .hint("free some space there, or name another place for the output")
    }

    /// All rows in order.
    pub(super) fn sorted(mut self) -> Result<Sorted> {
        if self.runs.is_empty() {
            self.sort();
            return Ok(Sorted::InMemory(self.current.into_iter()));
        }
        if !self.current.is_empty() {
            self.write_run()?;
        }
        self.current = Vec::new();
        let buffer = (MERGE_BUFFERS / self.runs.len()).max(LEAST_BUFFER);
        let runs = std::mem::take(&mut self.runs);
        let mut merge = Merge {
            runs: (runs.into_iter())
                .map(|run| BufReader::with_capacity(buffer, run))
                .collect(),
            heads: BinaryHeap::new(),
            spool: self,
        };
        for run in 0..merge.runs.len() {
            if let Some(row) = merge.next_of(run)? {
                merge.heads.push(head(row, run));
            }
        }
        Ok(Sorted::Merged(merge))
    }
}

/// Sorted rows.
pub(super) enum Sorted {
    InMemory(std::vec::IntoIter<Row>),
    Merged(Merge),
}

/// The merge of several runs.
pub(super) struct Merge {
    runs: Vec<BufReader<File>>,
    heads: BinaryHeap<Reverse<Head>>,
    spool: Spool,
}

/// The next row of a run: owner and trip, time, the run, the code. Of rows that are equal up to
/// there, the earlier run's comes first.
type Head = (u64, i64, usize, u32);

fn head(row: Row, run: usize) -> Reverse<Head> {
    Reverse((row.owner_and_trip, row.time, run, row.code))
}

impl Merge {
    fn next_of(&mut self, run: usize) -> Result<Option<Row>> {
        let mut bytes = [0; STORED];
        let reader = &mut self.runs[run];
        match reader.read_exact(&mut bytes) {
            Ok(()) => Ok(Some(Row::load(bytes))),
            Err(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(cause) => Err(self.spool.failed(&cause)),
        }
    }

    fn next(&mut self) -> Result<Option<Row>> {
        let Some(&Reverse((owner_and_trip, time, run, code))) = self.heads.peek() else {
            return Ok(None);
        };
        let after = self.next_of(run)?;
        if let Some(mut first) = self.heads.peek_mut() {
            match after {
                // Mostly the same run goes on; then nothing moves.
                Some(row) => *first = head(row, run),
                None => {
                    PeekMut::pop(first);
                }
            }
        }
        Ok(Some(Row {
            owner_and_trip,
            time,
            position: 0,
            code,
        }))
    }
}

impl Sorted {
    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Row>> {
        match self {
            Self::InMemory(rows) => Ok(rows.next()),
            Self::Merged(merge) => merge.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Plain = (u32, u32, i64, u32);

    fn sorted(rows: &[Plain], run_rows: usize) -> Vec<Plain> {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::with_runs_of(folder.path(), run_rows);
        for &(owner, trip, time, code) in rows {
            spool.push(owner, trip, time, code).unwrap();
        }
        let mut sorted = spool.sorted().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut all = Vec::new();
        while let Some(row) = sorted.next().unwrap() {
            all.push((row.owner(), row.trip(), row.time, row.code));
        }
        all
    }

    proptest! {
        #[test]
        fn is_a_stable_sort_for_any_size_of_runs(
            rows in prop::collection::vec((0..4u32, 0..3u32, -3..3i64), 0..60),
            run_rows in 1..70usize,
        ) {
            // The code tells the order of the input.
            let rows: Vec<Plain> = rows.into_iter().enumerate()
                .map(|(at, (owner, trip, time))| (owner, trip, time, 1000 - at as u32)).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|&(owner, trip, time, _)| (owner, trip, time));
            // Equal rows of different runs come in the order of the runs.
            prop_assert_eq!(sorted(&rows, run_rows), expected);
        }
    }

    #[test]
    fn extremes_survive_the_disk() {
        let rows = [
            (u32::MAX, u32::MAX, i64::MAX, u32::MAX),
            (0, 0, i64::MIN, 0),
            (7, 1, -1, 3),
        ];
        assert_eq!(sorted(&rows, 1), [rows[1], rows[2], rows[0]]);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let mut spool = Spool::with_runs_of(Path::new("/no/such/folder"), 1);
        spool.push(0, 0, 0, 0).unwrap();
        let error = spool.push(0, 0, 0, 0).unwrap_err();
        assert!(error.message().contains("cannot keep the rows"));
    }
}
