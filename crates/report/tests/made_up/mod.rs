//! Made-up releases of several kinds, and made-up raw data beside them: for tests and for the example
//! `pages`. Every test program uses some of it.
#![allow(dead_code, missing_docs, unreachable_pub)]

pub mod inside;
pub mod worlds;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use wayveil_core::manifest::{Method, NoiseRecord, PublicInputsRecord, Tool, UniverseRecord};
use wayveil_core::{
    Attribute, FragmentCounts, Guarantee, Knowledge, Labels, Manifest, Model, NoisyCounts, Origin,
    PrivacyUnit, Released, SensitiveValues, Sequences, TimeAxis, Universe,
};

/// Something that looks like a release.
pub struct MadeUp {
    pub manifest: Manifest,
    pub universe: Arc<Universe>,
    pub trajectories: Sequences,
    pub attributes: Vec<Attribute>,
    pub counts: Option<NoisyCounts>,
    pub fragments: Option<FragmentCounts>,
}

impl Released for MadeUp {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn universe(&self) -> &Arc<Universe> {
        &self.universe
    }

    fn time(&self) -> Option<&TimeAxis> {
        self.manifest.public_inputs.time.as_ref()
    }

    fn trajectories(&self) -> &Sequences {
        &self.trajectories
    }

    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    fn counts(&self) -> Option<&NoisyCounts> {
        self.counts.as_ref()
    }

    fn fragments(&self) -> Option<&FragmentCounts> {
        self.fragments.as_ref()
    }
}

impl MadeUp {
    /// A release of these trajectories by `method`, with this promise.
    pub fn new(
        universe: Universe,
        trajectories: Sequences,
        guarantee: Guarantee,
        method: &str,
    ) -> Self {
        let noisy = guarantee.model.is_differential_privacy();
        let promises = !matches!(guarantee.model, Model::None { .. });
        let manifest = Manifest {
            format: "wayveil-release".into(),
            format_version: 1,
            tool: Tool {
                name: "wayveil".into(),
                version: "0.1.0".into(),
            },
            id: "4f1c0e5d2b7a49c38e6d1f0a9b8c7d6e".into(),
            date: "2026-11-16".into(),
            publishable: promises,
            not_publishable_because: (!promises)
                .then(|| "it promises nothing: it is a sample".into()),
            method: Method {
                name: method.into(),
                variant: "repaired".into(),
                parameters: parameters(&guarantee.model),
            },
            guarantee,
            limits: vec![
                "Trajectories are cut after 12 visits.".into(),
                "Routes that few people take are missing.".into(),
            ],
            public_inputs: PublicInputsRecord {
                universe: UniverseRecord {
                    origin: universe.origin().clone(),
                    locations: universe.len() as u64,
                    sha256: "00".repeat(32),
                },
                time: None,
                units: None,
            },
            noise: NoiseRecord {
                distribution: match noisy {
                    true => "two-sided geometric, exact integer sampler".into(),
                    false => "none".into(),
                },
                randomness: "ChaCha20 keyed by the operating system's generator".into(),
            },
            attributes: Vec::new(),
            expected_error: None,
            files: Vec::new(),
        };
        Self {
            manifest,
            universe: Arc::new(universe),
            trajectories,
            attributes: Vec::new(),
            counts: None,
            fragments: None,
        }
    }

    pub fn timed(mut self, axis: TimeAxis) -> Self {
        self.manifest.public_inputs.time = Some(axis);
        self
    }

    pub fn with_counts(mut self, standard_error: f64) -> Self {
        self.counts = Some(prefix_counts(&self.trajectories, standard_error));
        self
    }

    pub fn with_fragments(mut self) -> Self {
        self.fragments = Some(fragment_counts(&self.trajectories));
        self
    }

    /// A column whose values come in turns.
    pub fn with_column(mut self, name: &str, values: &[&str]) -> Self {
        let mut labels = Labels::new();
        for value in values {
            labels.push(value);
        }
        let codes = (0..self.trajectories.len()).map(|at| (at * at % values.len()) as u32);
        self.manifest.attributes.push(name.into());
        self.attributes.push(Attribute {
            name: name.into(),
            values: labels,
            of_record: codes.collect(),
        });
        self
    }
}

fn parameters(model: &Model) -> BTreeMap<String, serde_json::Value> {
    let mut parameters = BTreeMap::new();
    parameters.insert("height".into(), 12.into());
    if let Model::DifferentialPrivacy { epsilon_exact, .. } = model {
        parameters.insert("epsilon".into(), epsilon_exact.clone().into());
    }
    if let Model::KclPrivacy { k, l, .. } = model {
        parameters.insert("k".into(), k.get().into());
        parameters.insert("l".into(), l.to_string().into());
    }
    parameters
}

pub fn pure(epsilon: &str) -> Guarantee {
    Guarantee::pure(&epsilon.parse().unwrap(), PrivacyUnit::Owner)
        .resting_on("The set of locations is public and was not taken from the data.")
        .resting_on("All parameters were chosen without looking at the data.")
}

pub fn approximate(epsilon: &str, delta: &str) -> Guarantee {
    Guarantee::differential_privacy(
        &epsilon.parse().unwrap(),
        &delta.parse().unwrap(),
        PrivacyUnit::Trip,
    )
}

pub fn local(epsilon: &str) -> Guarantee {
    Guarantee::local(&epsilon.parse().unwrap(), PrivacyUnit::Owner)
}

pub fn kcl() -> Guarantee {
    let sensitive = SensitiveValues {
        column: "diagnosis".into(),
        values: vec!["HIV".into()],
    };
    let (k, two) = (NonZeroU32::new(5).unwrap(), NonZeroU32::new(2).unwrap());
    Guarantee::kcl(
        k,
        &"1/2".parse().unwrap(),
        Knowledge::AtMost(two),
        vec![sensitive],
        PrivacyUnit::Owner,
    )
}

pub fn none() -> Guarantee {
    Guarantee::none("it is a sample of the raw data", PrivacyUnit::Owner)
        .resting_on("The sample was drawn at random.")
}

/// How many trajectories begin so, for prefixes of up to four locations.
fn prefix_counts(trajectories: &Sequences, standard_error: f64) -> NoisyCounts {
    let mut counts: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for codes in trajectories.iter() {
        for length in 1..=codes.len().min(4) {
            *counts.entry(codes[..length].to_vec()).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count > 2);
    NoisyCounts {
        prefixes: Sequences::from_codes(counts.keys()),
        noisy: counts.values().map(|&count| count as i64 + 3).collect(),
        estimate: counts.values().map(|&count| count as f64 + 0.6).collect(),
        standard_error: counts
            .keys()
            .map(|prefix| standard_error * (0.8 + 0.2 * prefix.len() as f64))
            .collect(),
    }
}

/// Fragments of up to three locations that are frequent, with intervals.
fn fragment_counts(trajectories: &Sequences) -> FragmentCounts {
    let mut counts: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for codes in trajectories.iter() {
        for length in 1..=3 {
            for fragment in codes.windows(length) {
                *counts.entry(fragment.to_vec()).or_default() += 1;
            }
        }
    }
    let mut rows: Vec<(Vec<u32>, u64)> = counts.into_iter().filter(|it| it.1 > 30).collect();
    rows.sort_by_key(|(codes, count)| (codes.len(), std::cmp::Reverse(*count), codes.clone()));
    let of = |part: fn(u64) -> u64| rows.iter().map(|it| part(it.1)).collect();
    FragmentCounts {
        fragments: Sequences::from_codes(rows.iter().map(|it| &it.0)),
        count: of(|count| count),
        standard_error: vec![20.0; rows.len()],
        low: of(|count| count.saturating_sub(45)),
        high: of(|count| count + 40),
    }
}

pub fn declared() -> Origin {
    Origin::Declared("a public list, made up".into())
}
