//! What a release says of itself.

use std::path::PathBuf;

use serde_json::{Number, Value};
use wayveil_core::{Manifest, Model, PrivacyUnit, Universe};
use wayveil_io::Published;
use wayveil_mechanisms::find;
use wayveil_report::page::ComparedRelease;

use crate::promise;

/// One release of several.
pub(super) struct Row {
    /// What is shown of it; remarks are those of this comparison.
    pub(super) shown: ComparedRelease,
    /// What its manifest says that it is not good for.
    limits: Vec<String>,
}

impl Row {
    /// One for each release, from their manifests and sizes alone.
    pub(super) fn all(releases: &[(PathBuf, Published)]) -> Vec<Self> {
        let first = releases.first();
        let row = |(path, release): &(PathBuf, Published)| {
            let mut row = Self::of(path.display().to_string(), release);
            if let Some((name, one)) = first
                && !same_places(one.universe(), release.universe())
            {
                row.shown.remarks.push(format!(
                    "It has another set of locations than {}: their counts are not of the same places.",
                    name.display()
                ));
            }
            row
        };
        releases.iter().map(row).collect()
    }

    fn of(name: String, release: &Published) -> Self {
        let manifest = release.manifest();
        let model = &manifest.guarantee.model;
        let mut remarks = Vec::new();
        if let Some(reason) = &manifest.not_publishable_because {
            remarks.push(format!("Not to be published: {reason}."));
        }
        if manifest.guarantee.unit == PrivacyUnit::Trip {
            remarks.push("It protects single trips only, not people.".into());
        }
        if release.fragments().is_some() {
            remarks.push(
                "It is made of fragments: its trajectories are drawn from them and not worth comparing."
                    .into(),
            );
        }
        let epsilon = match model {
            Model::DifferentialPrivacy { epsilon, .. } => Some(*epsilon),
            _ => None,
        };
        Self {
            shown: ComparedRelease {
                name,
                method: method(manifest),
                guarantee: manifest.guarantee.in_words.clone(),
                promise: promise::short(model),
                epsilon,
                records: release.trajectories().len() as u64,
                symbols: release.trajectories().symbols() as u64,
                standard_error: standard_error(release),
                errors: Vec::new(),
                attack_advantage: None,
                attack_name: None,
                attack_shown: false,
                remarks,
            },
            limits: manifest.limits.clone(),
        }
    }

    /// As a page shows it: with its limits.
    pub(super) fn on_page(&self) -> ComparedRelease {
        let mut shown = self.shown.clone();
        shown.remarks.extend(self.limits.iter().cloned());
        shown
    }
}

/// Whether both have the same labels in the same order.
fn same_places(one: &Universe, other: &Universe) -> bool {
    let labels = |universe: &Universe| -> Vec<String> {
        let locations = universe.locations().iter();
        locations.map(|location| location.label.clone()).collect()
    };
    one.len() == other.len() && labels(one) == labels(other)
}

/// The method with the parameters that had to be chosen, but those that the promise tells.
fn method(manifest: &Manifest) -> String {
    let method = &manifest.method;
    let mut text = method.name.clone();
    if !matches!(method.variant.as_str(), "repaired" | "own") {
        text += &format!(" {}", method.variant);
    }
    let Ok(entry) = find(&method.name) else {
        return text;
    };
    let promised: &[&str] = match manifest.guarantee.model {
        Model::KclPrivacy { .. } => &["k", "c", "l", "sensitive"],
        _ => &["epsilon", "delta"],
    };
    for parameter in entry.parameters {
        let written = method.parameters.get(&parameter.name.replace('-', "_"));
        let chosen = match (written, parameter.default) {
            (Some(Value::Number(number)), None | Some("")) => number.to_string(),
            (Some(Value::String(text)), None) => text.clone(),
            (Some(Value::Number(number)), Some(default)) if differs(number, default) => {
                number.to_string()
            }
            _ => continue,
        };
        if !promised.contains(&parameter.name) {
            text += &format!(", {} {chosen}", parameter.name);
        }
    }
    text
}

/// Whether a number is another than a default that is a number too.
fn differs(number: &Number, default: &str) -> bool {
    let default = default.parse::<f64>().ok();
    default.is_some_and(|default| number.as_f64() != Some(default))
}

/// The median standard error of its counts, or of its fragments.
fn standard_error(release: &Published) -> Option<f64> {
    let counts = release.counts().map(|counts| &counts.standard_error);
    let fragments = release
        .fragments()
        .map(|fragments| &fragments.standard_error);
    let mut errors = counts.or(fragments)?.clone();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).copied()
}
