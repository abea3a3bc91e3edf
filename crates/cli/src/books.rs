//! Which ledger is used, and how its figures are shown.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wayveil_core::{Amount, Error, Result};
use wayveil_ledger::{Account, Chain, Ledger, default_path};

use crate::terminal::Terminal;

/// The variable that names the ledger where no flag does.
const VARIABLE: &str = "WAYVEIL_LEDGER";

/// The choice of a ledger, for every command that uses one.
#[derive(clap::Args)]
pub(crate) struct LedgerFile {
    /// The ledger, instead of the one that WAYVEIL_LEDGER names or that lies in your data folder.
    #[arg(long = "ledger", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl LedgerFile {
    /// The file that a flag names.
    pub(crate) fn given(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Refuses the data folder of this machine where it may be gone tomorrow, and what was spent with it: whoever
    /// drives a cluster may be a machine that is made for one run.
    pub(crate) fn require_named(&self) -> Result<()> {
        match self.file.is_some() || named_by_variable().is_some() {
            true => Ok(()),
            false => Err(Error::input(
                "no ledger is named, and books in the data folder of this machine may be gone with it",
            )
            .hint(format!(
                "name a file on storage that stays, the same at every release: \
                 --ledger /mnt/books/ledger.sqlite, or its path in {VARIABLE}"
            ))),
        }
    }

    pub(crate) fn path(&self) -> Result<PathBuf> {
        if let Some(file) = &self.file {
            return Ok(file.clone());
        }
        match named_by_variable() {
            Some(name) => set_for_good(PathBuf::from(name)),
            None => default_path(),
        }
    }

    /// The entries of the ledger, where there is one; none is made. One that was named must be there.
    pub(crate) fn read_if_there(&self) -> Result<Option<Chain>> {
        let path = self.path()?;
        match self.file.is_some() || path.exists() {
            true => Ledger::read(&path).map(Some),
            false => Ok(None),
        }
    }

    /// Opens the ledger for writing. Where there was none, says so: earlier spending is not in it.
    pub(crate) fn open(&self, terminal: &Terminal) -> Result<Ledger> {
        let ledger = Ledger::open(&self.path()?)?;
        if ledger.is_new() {
            terminal.warn(&format!(
                "there was no ledger, and a new one was made: {}; nothing that was spent before is \
                 in it",
                absolute(ledger.path()).display()
            ));
        }
        Ok(ledger)
    }
}

fn named_by_variable() -> Option<OsString> {
    std::env::var_os(VARIABLE).filter(|name| !name.is_empty())
}

/// A variable holds in every folder; a relative path in it would mean another ledger in each.
fn set_for_good(path: PathBuf) -> Result<PathBuf> {
    if path.is_absolute() {
        return Ok(path);
    }
    Err(Error::input(format!(
        "invalid {VARIABLE} (got {:?}): a relative path names another ledger in every folder",
        path.display().to_string()
    ))
    .hint(format!(
        "give an absolute path in {VARIABLE}, such as {:?}, or name the file with --ledger FILE",
        absolute(&path).display().to_string()
    )))
}

/// The whole path, whatever the folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// An amount for machines: exact, and as numbers for reading.
pub(crate) fn amount_json(amount: &Amount) -> Value {
    json!({
        "epsilon": amount.epsilon.to_f64(),
        "epsilon_exact": amount.epsilon.exact_text(),
        "delta": amount.delta.to_f64(),
        "delta_exact": amount.delta.exact_text(),
    })
}

/// An account for machines.
pub(crate) fn account_json(population: &str, account: &Account) -> Value {
    json!({
        "population": population,
        "spent": amount_json(&account.spent),
        "allowance": account.allowance.as_ref().map(amount_json),
        "left": account.left().as_ref().map(amount_json),
        "releases": account.booked,
        "done": account.done,
        "not_composing": account.not_composing,
        "single_trips_only": account.trips_only,
        "presence_not_hidden": account.presence_shown,
    })
}

/// What is spent, and what is left of what, in one line.
pub(crate) fn account_in_words(population: &str, account: &Account) -> String {
    let spent = format!(
        "spent on the population {population:?} so far: {}",
        account.spent.in_words()
    );
    match (&account.allowance, account.left()) {
        (Some(allowance), Some(left)) => format!(
            "{spent} of {}; left: {}",
            allowance.in_words(),
            left.in_words()
        ),
        _ => spent,
    }
}

/// ε for a table, and δ where there is one.
pub(crate) fn amount_cell(amount: &Amount) -> String {
    let Amount { epsilon, delta } = amount;
    if delta.is_zero() {
        epsilon.to_string()
    } else {
        format!("{epsilon} (delta {})", delta.scientific())
    }
}

/// A name for a terminal, which must not be able to steer it: one with characters that are not seen
/// as themselves, such as control characters and those that turn the direction of a text, is quoted
/// and shows them by their numbers.
pub(crate) fn name_cell(name: &str) -> String {
    let quoted = format!("{name:?}");
    let as_it_is = quoted.len() == name.len() + 2;
    if as_it_is && !name.is_empty() {
        name.to_owned()
    } else {
        quoted
    }
}

/// As [`name_cell`], for a cell that may be empty.
pub(crate) fn text_cell(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        name_cell(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_steers_a_terminal() {
        for plain in ["riders-2024", "Zürich Süd", "東京", "it's"] {
            assert_eq!(name_cell(plain), plain);
        }
        for nasty in [
            "a\u{202e}b",
            "\u{2066}",
            "\u{200b}",
            "\u{feff}",
            "\u{1b}[31m",
            "\u{7f}",
            "\u{2028}",
            "\u{85}",
            "a\nb",
            "\u{ad}",
            "\u{e0001}",
        ] {
            let shown = name_cell(nasty);
            assert!(
                shown.is_ascii() && !shown.contains(char::is_control),
                "{shown}"
            );
        }
        assert_eq!(
            (name_cell("").as_str(), text_cell("").as_str()),
            ("\"\"", "")
        );
    }
}
