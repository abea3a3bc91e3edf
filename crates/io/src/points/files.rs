//! The files of a folder, in an order that does not depend on the machine.

use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};

/// How deep folders are searched.
const DEPTH: usize = 8;

/// All files below a folder whose names end so, also compressed, sorted by path; a file itself.
pub(super) fn files_below(path: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    if !path.exists() {
        return Err(Error::input("there is no such file or folder")
            .in_file(path.display().to_string())
            .hint("check the path; it is taken relative to the current folder"));
    }
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    search(path, ending, DEPTH, &mut found)?;
    if found.is_empty() {
        return Err(
            Error::input(format!("there is no file {ending} in this folder"))
                .in_file(path.display().to_string())
                .hint("name the folder that holds the files, or check --format"),
        );
    }
    found.sort();
    Ok(found)
}

fn search(folder: &Path, ending: &str, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |cause: std::io::Error| {
        Error::system("cannot list the folder", cause).in_file(folder.display().to_string())
    };
    for entry in folder.read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if path.is_dir() {
            let deeper = depth.checked_sub(1).ok_or_else(|| {
                Error::input(format!("folders lie more than {DEPTH} deep"))
                    .in_file(path.display().to_string())
                    .hint("name the folder that holds the files")
            })?;
            search(&path, ending, deeper, found)?;
        } else if path.is_file() && ends_so(&path, ending) {
            found.push(path);
        }
    }
    Ok(())
}

fn ends_so(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
    plain.ends_with(ending) && !name.starts_with('.')
}
