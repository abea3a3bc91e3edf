//! Runs that are kept in a file of JSON lines, so that a long experiment can be stopped and gone on with, and the runs
//! of methods that did not change need not be made again.
//!
//! A line for each run; of several lines for the same run the last counts. To measure a method anew, take its lines
//! out of the file.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

/// Which run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The data set.
    pub data: String,
    /// The budget, where there is one.
    pub epsilon: String,
    /// A method with its parameters.
    pub setting: String,
    /// Runs of a setting are numbered from 0; the number is part of the seed.
    pub run: usize,
}

/// What came of one run: numbers by name, or a refusal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What was measured.
    pub numbers: BTreeMap<String, f64>,
    /// Why nothing was.
    pub refused: Option<String>,
}

/// All runs that are known, and where new ones are written.
#[derive(Debug, Default)]
pub struct Kept {
    runs: BTreeMap<Key, Run>,
    file: Option<File>,
}

impl Kept {
    /// What a file holds; it is made where there is none. A last line that was cut off is left out.
    pub fn open(path: &Path) -> Result<Self, String> {
        let failed = |cause: std::io::Error| format!("{}: {cause}", path.display());
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        let text = std::fs::read_to_string(path).map_err(failed)?;
        // A line without an end was being written when the experiment was stopped.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(failed)?;
            file.flush().map_err(failed)?;
        }
        let mut runs = BTreeMap::new();
        for (at, line) in text[..whole].lines().enumerate() {
            let (key, run) = read(line)
                .ok_or_else(|| format!("{}:{}: not a kept run", path.display(), at + 1))?;
            runs.insert(key, run);
        }
        Ok(Self {
            runs,
            file: Some(file),
        })
    }

    /// A run, where it is known.
    pub fn get(&self, key: &Key) -> Option<&Run> {
        self.runs.get(key)
    }

    /// Keeps a run.
    pub fn put(&mut self, key: Key, run: Run) -> Result<(), String> {
        if let Some(file) = &mut self.file {
            let line = format!("{}\n", write(&key, &run));
            file.write_all(line.as_bytes())
                .map_err(|cause| format!("cannot keep a run: {cause}"))?;
        }
        self.runs.insert(key, run);
        Ok(())
    }
}

fn write(key: &Key, run: &Run) -> Value {
    json!({
        "data": key.data,
        "epsilon": key.epsilon,
        "setting": key.setting,
        "run": key.run,
        "numbers": run.numbers,
        "refused": run.refused,
    })
}

fn read(line: &str) -> Option<(Key, Run)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| value[name].as_str().map(String::from);
    let key = Key {
        data: text("data")?,
        epsilon: text("epsilon")?,
        setting: text("setting")?,
        run: value["run"].as_u64()?.try_into().ok()?,
    };
    let numbers = value["numbers"].as_object()?.iter();
    let numbers = numbers.map(|(name, number)| Some((name.clone(), number.as_f64()?)));
    let run = Run {
        numbers: numbers.collect::<Option<_>>()?,
        refused: text("refused"),
    };
    Some((key, run))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(run: usize) -> Key {
        Key {
            data: "metro".into(),
            epsilon: "0.1".into(),
            setting: "prefix-tree height=4".into(),
            run,
        }
    }

    fn run(number: f64) -> Run {
        Run {
            numbers: [("length-divergence".to_owned(), number)].into(),
            refused: None,
        }
    }

    #[test]
    fn what_is_kept_is_found_again_and_the_last_line_of_a_run_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.jsonl");
        let mut kept = Kept::open(&path).unwrap();
        kept.put(key(0), run(0.1)).unwrap();
        kept.put(key(1), run(1.0 / 3.0)).unwrap();
        kept.put(key(0), run(0.2)).unwrap();
        let again = Kept::open(&path).unwrap();
        assert_eq!(again.get(&key(0)), Some(&run(0.2)));
        assert_eq!(again.get(&key(1)), Some(&run(1.0 / 3.0)));
        assert_eq!(again.get(&key(2)), None);
    }

    #[test]
    fn a_line_that_was_cut_off_is_made_again_and_a_wrong_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.jsonl");
        Kept::open(&path).unwrap().put(key(0), run(0.1)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}{}", &text[..20])).unwrap();
        let mut kept = Kept::open(&path).unwrap();
        assert_eq!(kept.get(&key(1)), None);
        kept.put(key(1), run(0.3)).unwrap();
        let again = Kept::open(&path).unwrap();
        assert_eq!(again.get(&key(1)), Some(&run(0.3)));

        std::fs::write(&path, "{\"data\":\"metro\"}\n").unwrap();
        let wrong = Kept::open(&path).unwrap_err();
        assert!(wrong.contains("kept.jsonl:1: not a kept run"), "{wrong}");
    }
}
