//! The MSNBC page visits, where they are at hand: one record a line, numbers separated by blanks.

use std::path::{Path, PathBuf};

use wayveil_core::Sequences;

/// How many kinds of pages there are, numbered from 1: public, and not taken from the data.
pub(crate) const PAGES: u32 = 17;

/// The file's name.
pub(crate) const FILE: &str = "msnbc.seq";

/// Where the file is looked for.
pub(crate) fn beside_workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("../shared/data/msnbc").join(FILE)
}

/// Reads the numbers as they stand.
pub(crate) fn read(file: &Path) -> Result<Sequences, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|cause| format!("cannot read {}: {cause}", file.display()))?;
    let mut sequences = Sequences::empty(false);
    for line in text.lines() {
        let codes: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
        sequences.push(&codes.map_err(|e| format!("{line:?}: {e}"))?, &[]);
    }
    Ok(sequences)
}

/// Reads them as location codes from 0.
pub(crate) fn read_codes(file: &Path) -> Result<Sequences, String> {
    let pages = read(file)?;
    let odd = pages
        .codes()
        .iter()
        .find(|&&page| !(1..=PAGES).contains(&page));
    match odd {
        Some(page) => Err(format!(
            "{}: page {page} is not one of 1 to {PAGES}",
            file.display()
        )),
        None => Ok(Sequences::from_codes(pages.iter().map(|record| {
            record.iter().map(|page| page - 1).collect::<Vec<_>>()
        }))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_codes_from_zero_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        std::fs::write(&file, "1 17\n3\n").unwrap();
        assert_eq!(read(&file).unwrap().codes(), [1, 17, 3]);
        assert_eq!(read_codes(&file).unwrap().codes(), [0, 16, 2]);
        std::fs::write(&file, "18\n").unwrap();
        assert!(read_codes(&file).unwrap_err().contains("page 18"));
        std::fs::write(&file, "x\n").unwrap();
        assert!(read(&file).is_err());
    }
}
