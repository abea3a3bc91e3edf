//! What commands find and leave in memory instead of files, where another program runs them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wayveil_core::{Counted, Dataset, Mechanism, Raw};
use wayveil_io::tables::Handed;

/// A mechanism of another program, which no list knows.
pub type Foreign = Arc<dyn Mechanism + Send + Sync>;

/// Data, tables and mechanisms by the names under which commands may ask for them.
#[derive(Default)]
pub(crate) struct Memory {
    data: Mutex<HashMap<PathBuf, Raw<Dataset>>>,
    /// Tables that are still to be imported, with their rows where those are known.
    tables: Mutex<HashMap<PathBuf, (Handed, Option<u64>)>>,
    /// Records that stay elsewhere, each to be published from once.
    counted: Mutex<HashMap<PathBuf, Counted>>,
    mechanisms: Mutex<HashMap<String, Foreign>>,
    /// Names of outputs that are not to be written.
    wanted: Mutex<HashSet<PathBuf>>,
}

/// Whoever panicked while holding the lock left whole entries.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    pub(crate) fn hold(&self, name: PathBuf, raw: Raw<Dataset>) {
        locked(&self.data).insert(name, raw);
    }

    /// The data of this name.
    pub(crate) fn data(&self, name: &Path) -> Option<Raw<Dataset>> {
        locked(&self.data).get(name).map(Raw::share)
    }

    pub(crate) fn hand(&self, name: PathBuf, table: Handed, rows: Option<u64>) {
        locked(&self.tables).insert(name, (table, rows));
    }

    /// The table of this name; it can be read once.
    pub(crate) fn table(&self, name: &Path) -> Option<(Handed, Option<u64>)> {
        locked(&self.tables).remove(name)
    }

    pub(crate) fn hold_counted(&self, name: PathBuf, counted: Counted) {
        locked(&self.counted).insert(name, counted);
    }

    /// The records of this name that stay elsewhere.
    pub(crate) fn counted(&self, name: &Path) -> Option<Counted> {
        locked(&self.counted).remove(name)
    }

    /// Whether there are such records.
    pub(crate) fn has_counted(&self, name: &Path) -> bool {
        locked(&self.counted).contains_key(name)
    }

    pub(crate) fn teach(&self, name: String, mechanism: Foreign) {
        locked(&self.mechanisms).insert(name, mechanism);
    }

    /// The mechanism of this name.
    pub(crate) fn mechanism(&self, name: &str) -> Option<Foreign> {
        locked(&self.mechanisms).get(name).cloned()
    }

    pub(crate) fn want(&self, name: PathBuf) {
        locked(&self.wanted).insert(name);
    }

    /// Whether what a command makes of this name is to stay in memory.
    pub(crate) fn wants(&self, name: &Path) -> bool {
        locked(&self.wanted).contains(name)
    }
}
