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
    Attribute, Budget, ColumnNames, Dataset, Labels, Manifest, Mechanism, Origin, Owners,
    PublicInputs, RandomSource, Raw, Result, Silent, Terms, TimeAxis, Universe, publish,
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
    mechanism: Box<dyn Mechanism>,
    terms: Terms,
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
            mechanism,
            terms,
        })
    }

    /// Publishes these people's records in memory. The numbers are positions among the people, in
    /// increasing order.
    ///
    /// Records keep their owners, so that what is bounded for an owner is bounded again.
    pub fn publish(&self, numbers: &[u32], random: &mut RandomSource) -> Result<People> {
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
            self.mechanism.as_ref(),
            &self.terms,
            &mut budget,
            random,
            &Silent,
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
mod tests {
    use wayveil_core::{PrivacyUnit, Sequences};
    use wayveil_mechanisms::ALL;

    use super::*;

    fn universe(origin: Origin) -> Arc<Universe> {
        let labels = ["A", "B", "C", "D", "E", "F"];
        Arc::new(Universe::from_labels(labels, origin).unwrap())
    }

    fn people() -> People {
        let records = (0..400u32).map(|at| vec![at % 6, (at / 6) % 6, at % 5]);
        People {
            sequences: Sequences::from_codes(records),
            columns: vec![Column {
                name: "fare".into(),
                of_record: (0..400).map(|at| ["half", "full"][at % 2].into()).collect(),
            }],
            owners: None,
        }
    }

    fn manifest_of(
        name: &str,
        given: &[(&str, &str)],
        universe: &Arc<Universe>,
        unit: PrivacyUnit,
    ) -> Manifest {
        let entry = find(name).unwrap();
        let parameters = Parameters::new(entry.parameters, given.iter().copied()).unwrap();
        let mechanism = (entry.build)(&parameters).unwrap();
        let people = people();
        let data = Dataset::new(
            Arc::clone(universe),
            None,
            people.sequences.clone(),
            Owners::EachRecord,
            people.columns.iter().map(attribute).collect(),
            "p".into(),
        );
        let terms = Terms {
            unit,
            universe_from_data: true,
            ..Terms::default()
        };
        let release = publish(
            &Raw::new(data.unwrap()),
            mechanism.as_ref(),
            &terms,
            &mut Budget::without_allowance(),
            &mut RandomSource::insecure_seed(1),
            &Silent,
        );
        // As it would be read from a file.
        let written = serde_json::to_string(release.unwrap().manifest()).unwrap();
        serde_json::from_str(&written).unwrap()
    }

    /// That it is read back rightly, `from_manifest` checks itself; here, that it can be.
    fn assert_made_again(name: &str, given: &[(&str, &str)], origin: Origin, unit: PrivacyUnit) {
        let universe = universe(origin);
        let manifest = manifest_of(name, given, &universe, unit);
        let people = people();
        let again = Again::from_manifest(&manifest, &people, &universe, None)
            .unwrap_or_else(|reason| panic!("{name} {given:?}: {reason}"));
        let numbers: Vec<u32> = (0..400).filter(|number| number % 3 != 0).collect();
        let mut random = RandomSource::insecure_seed(2);
        let released = again.publish(&numbers, &mut random).unwrap();
        assert!(released.columns.is_empty());
        let claim = again.mechanism.claim(&PublicInputs {
            universe: &universe,
            time: None,
            columns: ColumnNames::default(),
            unit,
        });
        let claim = claim.unwrap();
        assert_eq!(claim.guarantee.unit, manifest.guarantee.unit);
        assert_eq!(claim.guarantee.model, manifest.guarantee.model);
        for (name, written) in &manifest.method.parameters {
            assert!(alike(&claim.parameters[name], written), "{name}");
        }
    }

    #[test]
    fn every_method_is_read_back_from_its_manifest() {
        let declared = Origin::Declared("test".into());
        for entry in ALL {
            let examples: Vec<_> = entry
                .parameters
                .iter()
                .map(|p| (p.name, p.example))
                .collect();
            let needed: Vec<_> = entry
                .parameters
                .iter()
                .filter(|p| p.default.is_none() || p.name == "fan-out")
                .map(|p| (p.name, p.example))
                .collect();
            for given in [&examples, &needed] {
                for unit in [PrivacyUnit::Owner, PrivacyUnit::Trip] {
                    assert_made_again(entry.name, given, declared.clone(), unit);
                    assert_made_again(entry.name, given, Origin::FromData, unit);
                }
            }
        }
    }

    #[test]
    fn noise_is_fresh_in_every_release() {
        let universe = universe(Origin::FromData);
        let given = [("epsilon", "1"), ("height", "3")];
        let manifest = manifest_of("prefix-tree", &given, &universe, PrivacyUnit::Owner);
        let people = people();
        let again = Again::from_manifest(&manifest, &people, &universe, None).unwrap();
        let both = |seed| {
            let numbers: Vec<u32> = (0..400).collect();
            let mut random = RandomSource::insecure_seed(seed);
            [(); 2].map(|()| again.publish(&numbers, &mut random).unwrap())
        };
        assert_eq!(both(1), both(1));
        assert_ne!(both(1)[0], both(1)[1]);
        assert_ne!(both(1)[0], both(2)[0]);
    }

    #[test]
    fn unusual_parameters_are_read_back() {
        let tree = |given: &[(&str, &str)]| {
            let mut all = vec![("epsilon", "7/3"), ("height", "3")];
            all.extend_from_slice(given);
            assert_made_again("prefix-tree", &all, Origin::FromData, PrivacyUnit::Owner);
        };
        tree(&[("as-published", "true"), ("node-cap", "500")]);
        tree(&[("threshold", "9"), ("inference", "none")]);
        tree(&[("threshold", "auto"), ("rho", "0.37")]);
        tree(&[("split", "0.5,1/3,9")]);
    }

    #[test]
    fn what_cannot_be_made_again_has_a_reason() {
        let universe = universe(Origin::FromData);
        let people = people();
        let good = manifest_of(
            "prefix-tree",
            &[("epsilon", "1"), ("height", "3")],
            &universe,
            PrivacyUnit::Owner,
        );
        let reason = |manifest: &Manifest, universe: &Arc<Universe>, time: Option<&TimeAxis>| {
            let again = Again::from_manifest(manifest, &people, universe, time);
            again.err().expect("made again")
        };
        let changed = |change: &dyn Fn(&mut Manifest)| {
            let mut manifest = good.clone();
            change(&mut manifest);
            reason(&manifest, &universe, None)
        };
        let unknown = changed(&|manifest| manifest.method.name = "magic".into());
        assert!(unknown.contains("no method \"magic\""), "{unknown}");
        let missing = changed(&|manifest| {
            manifest.method.parameters.remove("epsilon");
        });
        assert!(missing.contains("--epsilon is missing"), "{missing}");
        for (name, value) in [
            ("location_threshold", serde_json::json!([1, 2])),
            ("colour", serde_json::json!("red")),
            ("height", serde_json::json!({"levels": 3})),
        ] {
            changed(&|manifest| {
                let parameters = &mut manifest.method.parameters;
                parameters.insert(name.to_owned(), value.clone());
            });
        }
        let other = changed(&|manifest| manifest.method.variant = "improved".into());
        assert!(other.contains("mean something else"), "{other}");
        let fewer = Arc::new(Universe::from_labels(["A"], Origin::FromData).unwrap());
        assert!(reason(&good, &fewer, None).contains("another set of locations"));
        let axis = TimeAxis::new(4, Origin::FromData);
        assert!(reason(&good, &universe, Some(&axis)).contains("time bins"));
    }

    #[test]
    fn a_claim_that_is_refused_is_a_reason() {
        let universe = universe(Origin::FromData);
        let mut manifest = manifest_of(
            "prefix-tree",
            &[("epsilon", "1"), ("height", "3")],
            &universe,
            PrivacyUnit::Owner,
        );
        manifest
            .method
            .parameters
            .insert("epsilon".into(), "1/1000000".into());
        let people = people();
        let again = Again::from_manifest(&manifest, &people, &universe, None);
        let reason = again.err().expect("made again");
        assert!(reason.contains("nothing but noise"), "{reason}");
    }
}
