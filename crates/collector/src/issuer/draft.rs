//! A file that nobody else may read, under a temporary name until it is whole.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};

/// A whole file under a temporary name. It goes away unless it is kept.
pub(super) struct Draft {
    temporary: PathBuf,
    target: PathBuf,
}

/// Refuses a name that is taken.
pub(super) fn check_is_free(target: &Path) -> Result<()> {
    match target.symlink_metadata() {
        Ok(_) => Err(taken(target)),
        Err(_) => Ok(()),
    }
}

impl Draft {
    /// Writes the file beside where it is to be, and on to the disk.
    pub(super) fn write(target: &Path, text: &str) -> Result<Self> {
        check_is_free(target)?;
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let draft = Self {
            temporary: target.with_file_name(name),
            target: target.to_owned(),
        };
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(&draft.temporary).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        match written {
            Ok(()) => Ok(draft),
            Err(cause) => Err(Error::system("cannot write", cause)
                .in_file(target.display().to_string())
                .hint("the folder must be there, and writable")),
        }
    }

    /// Gives it its name, unless somebody took that meanwhile.
    pub(super) fn keep(self) -> Result<()> {
        // A link, as a renaming would replace what is there.
        let kept = match fs::hard_link(&self.temporary, &self.target) {
            Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(taken(&self.target));
            }
            // Not every file system has links.
            Err(_) => {
                check_is_free(&self.target)?;
                fs::rename(&self.temporary, &self.target)
            }
            Ok(()) => Ok(()),
        };
        #[cfg(unix)]
        let kept = kept.and_then(|()| {
            let folder = self.target.parent().filter(|it| !it.as_os_str().is_empty());
            fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        });
        kept.map_err(|cause| {
            Error::system("cannot write", cause).in_file(self.target.display().to_string())
        })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}

fn taken(target: &Path) -> Error {
    Error::refused("there is something of this name already")
        .in_file(target.display().to_string())
        .hint("take another name: nothing is overwritten")
}
