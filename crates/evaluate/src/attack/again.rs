//! Makes a release again, from fewer people: what an attacker can do who knows the method.
//!
//! A manifest tells method, parameters and public inputs, and nothing else is needed. Parameters
//! are read back by the mechanism's own table; what the table does not know was derived from them.
//! Whether they were read back rightly is not taken on trust: the mechanism must claim again what
//! the manifest says.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value;
use wayveil_core::{
    Attribute, Budget, ColumnNames, Dataset, Labels, Manifest, Mechanism, Origin, Owners, Progress,
    PublicInputs, RandomSource, Raw, Result, Terms, TimeAxis, Universe, publish,
};
use wayveil_mechanisms::{Parameter, Parameters, find};

use super::people::{Column, People, records_of};

/// The form of a method that is asked for by a switch of this name.
const AS_PUBLISHED: &str = "as-published";

/// A release's method over its public inputs, for any of the people.
pub struct Again<'a> {
    people: &'a People,
    attributes: Vec<Attribute>,
    universe: Arc<Universe>,
    time: Option<TimeAxis>,
    mechanism: Method<'a>,
    terms: Terms,
    noisy: bool,
}

/// A mechanism that was read back, or one that is at hand.
enum Method<'a> {
    ReadBack(Box<dyn Mechanism>),
    AtHand(&'a dyn Mechanism),
}

impl Method<'_> {
    fn get(&self) -> &dyn Mechanism {
        match self {
            Self::ReadBack(mechanism) => mechanism.as_ref(),
            Self::AtHand(mechanism) => *mechanism,
        }
    }
}

impl<'a> Again<'a> {
    /// Reads the method back from the manifest of a release of these people.
    ///
    /// `universe` and `time` are the release's public inputs, in which the people's codes are.
    ///
    /// # Errors
    /// The reason for which the release cannot be made again.
    pub fn from_manifest(
        manifest: &Manifest,
        people: &'a People,
        universe: &Arc<Universe>,
        time: Option<&TimeAxis>,
    ) -> Result<Self, String> {
        let record = &manifest.public_inputs;
        if record.universe.sha256 != universe.digest() {
            return Err(
                "the release was made with another set of locations or another taxonomy than \
                 this data has"
                    .into(),
            );
        }
        if record.time.as_ref() != time {
            return Err("the release has another axis of time bins than this data".into());
        }
        let from_data = |origin: &Origin| matches!(origin, Origin::FromData);
        let terms = Terms {
            unit: manifest.guarantee.unit,
            universe_from_data: from_data(&record.universe.origin)
                || time.is_some_and(|axis| from_data(&axis.declared)),
            chosen_after_looking: false,
        };
        let attributes: Vec<Attribute> = people.columns.iter().map(attribute).collect();
        let public = PublicInputs {
            universe,
            time,
            columns: ColumnNames::of(&attributes),
            unit: terms.unit,
        };
        let mechanism = mechanism(manifest, &public)?;
        Ok(Self {
            people,
            attributes,
            universe: Arc::clone(universe),
            time: time.cloned(),
            mechanism: Method::ReadBack(mechanism),
            terms,
            noisy: !manifest.rows_are_true(),
        })
    }

    /// With a mechanism that is at hand, of whatever origin, for people as units.
    pub fn with(
        mechanism: &'a dyn Mechanism,
        people: &'a People,
        universe: &Arc<Universe>,
        time: Option<&TimeAxis>,
    ) -> Self {
        Self {
            people,
            attributes: Vec::new(),
            universe: Arc::clone(universe),
            time: time.cloned(),
            mechanism: Method::AtHand(mechanism),
            terms: Terms {
                // In memory and for the publisher alone.
                universe_from_data: true,
                ..Terms::default()
            },
            // Nothing says that it has none.
            noisy: true,
        }
    }

    /// Whether the method has noise or other chance, as its manifest says.
    pub fn is_noisy(&self) -> bool {
        self.noisy
    }

    /// Publishes everyone's records in memory.
    pub fn publish_all(
        &self,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<People> {
        let everyone: Vec<u32> = (0..self.people.len() as u32).collect();
        self.publish(&everyone, random, progress)
    }

    /// Publishes these people's records in memory. The numbers are positions among the people, in
    /// increasing order.
    ///
    /// Records keep their owners, so that what is bounded for an owner is bounded again.
    pub fn publish(
        &self,
        numbers: &[u32],
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<People> {
        let only = |attribute: &Attribute| Attribute {
            name: attribute.name.clone(),
            values: attribute.values.clone(),
            of_record: numbers
                .iter()
                .map(|&number| attribute.of_record[number as usize])
                .collect(),
        };
        let data = Dataset::new(
            Arc::clone(&self.universe),
            self.time.clone(),
            records_of(&self.people.sequences, numbers),
            self.owners(numbers),
            self.attributes.iter().map(only).collect(),
            "an attack in memory".into(),
        )?;
        // Nobody but the attack's judge sees it.
        let mut budget = Budget::without_allowance();
        let release = publish(
            &Raw::new(data),
            self.mechanism.get(),
            &self.terms,
            &mut budget,
            random,
            progress,
        )?;
        Ok(People::published(
            release.trajectories().clone(),
            release.attributes(),
        ))
    }
}

impl Again<'_> {
    /// The owners of these records, numbered as they come.
    fn owners(&self, numbers: &[u32]) -> Owners {
        let Some(owners) = &self.people.owners else {
            return Owners::EachRecord;
        };
        let mut codes = FxHashMap::default();
        let of_record = numbers.iter().map(|&number| {
            let next = codes.len() as u32;
            *codes.entry(owners[number as usize]).or_insert(next)
        });
        let of_record = of_record.collect();
        let labels = (0..codes.len()).map(|code| code.to_string());
        Owners::Known {
            of_record,
            labels: labels
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str)
                .collect(),
        }
    }
}

fn attribute(column: &Column) -> Attribute {
    let mut codes = FxHashMap::default();
    let mut values: Vec<&str> = Vec::new();
    let of_record = column.of_record.iter().map(|value| {
        *codes.entry(&**value).or_insert_with(|| {
            values.push(value);
            (values.len() - 1) as u32
        })
    });
    let of_record = of_record.collect();
    Attribute {
        name: column.name.clone(),
        values: values.into_iter().collect::<Labels>(),
        of_record,
    }
}

/// The mechanism that claims over these public inputs what the manifest says.
fn mechanism(manifest: &Manifest, public: &PublicInputs<'_>) -> Result<Box<dyn Mechanism>, String> {
    let method = &manifest.method;
    let reason = |error: wayveil_core::Error| {
        let name = &method.name;
        format!("{name} cannot be made again from its manifest: {error}")
    };
    let entry = find(&method.name).map_err(reason)?;
    let given = given(manifest, entry.parameters);
    let parameters = Parameters::new(entry.parameters, given).map_err(reason)?;
    let mechanism = (entry.build)(&parameters).map_err(reason)?;
    let claim = mechanism.claim(public).map_err(reason)?;
    let same = claim.variant == method.variant
        && claim.parameters.len() == method.parameters.len()
        && claim
            .parameters
            .iter()
            .zip(&method.parameters)
            .all(|((name, value), (other, written))| name == other && alike(value, written));
    if !same {
        return Err(format!(
            "{} cannot be made again from its manifest: its parameters mean something else in \
             this version",
            method.name
        ));
    }
    Ok(mechanism)
}

/// The parameters of the manifest that the mechanism's table knows, as texts.
fn given(manifest: &Manifest, known: &[Parameter]) -> Vec<(String, String)> {
    let knows = |name: &str| known.iter().any(|parameter| parameter.name == name);
    let mut given = Vec::new();
    for (name, value) in &manifest.method.parameters {
        let name = name.replace('_', "-");
        if !knows(&name) {
            continue;
        }
        let text = text(value);
        // "auto, rho 1/2": a value with another parameter that belongs to it.
        let mut parts = text.split(", ");
        let first = parts.next().unwrap_or_default().to_owned();
        let others: Option<Vec<_>> = parts
            .map(|part| part.split_once(' ').filter(|(name, _)| knows(name)))
            .collect();
        match others {
            Some(others) => {
                given.push((name, first));
                given.extend(others.into_iter().map(|(n, v)| (n.into(), v.into())));
            }
            None => given.push((name, text)),
        }
    }
    if manifest.method.variant == AS_PUBLISHED && knows(AS_PUBLISHED) {
        given.push((AS_PUBLISHED.into(), "true".into()));
    }
    given
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Equal, but for the last digits of a fraction that went through a file.
fn alike(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => (left - right).abs() <= 1e-12 * left.abs().max(right.abs()),
        _ => left == right,
    }
}

#[cfg(test)]
mod tests;
