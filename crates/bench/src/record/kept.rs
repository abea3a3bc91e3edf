//! One benchmark's numbers, as a file.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::machine::Machine;

/// What a benchmark has measured, when and where.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) benchmark: String,
    pub(super) about: String,
    /// Whether it was a quick run, which is less exact.
    pub(super) quick: bool,
    pub(super) date: String,
    pub(super) machine: Machine,
    #[serde(flatten)]
    pub(super) measured: Measured,
}

/// What a benchmark prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    #[serde(default)]
    pub(super) results: Vec<Compared>,
    #[serde(default)]
    pub(super) growth: Vec<Grown>,
    /// What is told in words.
    #[serde(default)]
    pub(super) lines: Vec<String>,
}

/// Ours beside the other, in one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Compared {
    pub(super) case: String,
    pub(super) unit: String,
    pub(super) ours: Side,
    pub(super) peer_name: String,
    pub(super) peer: Side,
    pub(super) ratio: f64,
    pub(super) ratio_min: Option<f64>,
    pub(super) ratio_max: Option<f64>,
    pub(super) goal: String,
    pub(super) reached: Option<bool>,
    #[serde(default)]
    pub(super) size: Option<Placed>,
}

/// Where a case lies on a curve.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Placed {
    pub(super) of: String,
    pub(super) value: f64,
    pub(super) line: String,
}

/// The times of one side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Side {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) rounds: usize,
}

/// How one curve grows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Grown {
    pub(super) line: String,
    pub(super) of: String,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) unit: String,
    pub(super) peer_name: String,
    pub(super) ours: Exponent,
    pub(super) peer: Exponent,
}

/// A fitted exponent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Exponent {
    pub(super) exponent: f64,
    pub(super) error: Option<f64>,
}

impl Kept {
    /// Keeps it in a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|cause| cause.to_string())?;
        let path = folder.join(format!("{}.json", self.benchmark));
        super::replace(&path, &(text + "\n"))
    }

    /// All that are kept in a folder, in the order of their names here.
    pub(super) fn read_all(folder: &Path, names: &[&str]) -> Result<Vec<Kept>, String> {
        let mut all = Vec::new();
        for name in names {
            let path = folder.join(format!("{name}.json"));
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            let kept = serde_json::from_str(&text);
            all.push(kept.map_err(|cause| format!("{}: {cause}", path.display()))?);
        }
        Ok(all)
    }
}
