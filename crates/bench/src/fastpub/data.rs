//! The populations: page visits of MSNBC, with and without duplication, and generated vehicles.

use std::path::Path;

use wayveil_core::{NonPrivate, RandomSource, Sequences, Silent};
use wayveil_federated::simulate::Clients;
use wayveil_io::generate::{GenerateOptions, Preset, generate};

use wayveil_reproduce::campaigns::{Population, Setting};

use super::plan::Plan;
use crate::msnbc;

/// The same vehicles on every machine.
const SEED: u64 = 7;

const DUPLICATED: &str = "msnbc";
const ONCE: &str = "msnbc-once";

/// Clients and what is asked of them.
pub(super) struct Data {
    /// For files and progress.
    pub(super) name: &'static str,
    /// For headings.
    pub(super) title: String,
    pub(super) records: Sequences,
    pub(super) locations: u32,
    /// How many clients have each record.
    pub(super) per_record: u64,
    pub(super) settings: Vec<Setting>,
}

impl Data {
    /// All that there are. Without a folder the page visits are left out.
    pub(super) fn all(plan: &Plan, folder: Option<&Path>) -> Result<Vec<Self>, String> {
        let mut all = Vec::new();
        if let Some(folder) = folder {
            let records = msnbc::read_codes(&folder.join(msnbc::FILE))?;
            let times = plan.clients_per_visit;
            all.push(Self::visits(plan, records.clone(), times));
            all.push(Self::visits(plan, records, 1));
        }
        all.push(Self::oldenburg(plan)?);
        Ok(all)
    }

    /// The greatest k is scaled with the number of clients for each record.
    fn visits(plan: &Plan, records: Sequences, per_record: u64) -> Self {
        let (name, title) = match per_record {
            1 => (ONCE, "MSNBC reduced, not duplicated".to_owned()),
            times => (DUPLICATED, format!("MSNBC reduced × {times}")),
        };
        let full = plan.clients_per_visit.max(1);
        let scaled = |k: &u64| (k * per_record + full / 2) / full;
        Self {
            name,
            title,
            records,
            locations: msnbc::PAGES,
            per_record,
            settings: plan.settings(plan.ks.iter().map(scaled)),
        }
    }

    fn oldenburg(plan: &Plan) -> Result<Self, String> {
        let preset = Preset::Oldenburg;
        let options = GenerateOptions {
            records: Some(plan.vehicles),
            locations: plan.cells,
            ..GenerateOptions::default()
        };
        let mut random = RandomSource::insecure_seed(SEED);
        let raw = generate(preset, &options, &mut random, &Silent).map_err(|e| e.to_string())?;
        let because = NonPrivate::because("simulates clients with generated trajectories");
        let (records, locations) = raw
            .inspect(because, |data| {
                let codes = data.trips().iter();
                (Sequences::from_codes(codes), data.universe().len() as u32)
            })
            .for_publisher_only();
        Ok(Self {
            name: preset.info().name,
            title: format!("generated `oldenburg` × {}", plan.clients_per_vehicle),
            records,
            locations,
            per_record: plan.clients_per_vehicle,
            settings: plan.settings(plan.ks.iter().copied()),
        })
    }

    /// Whether these are the page visits, in whatever number.
    pub(super) fn is_visits(&self) -> bool {
        self.name == DUPLICATED || self.name == ONCE
    }

    /// Whether these are the page visits as the paper has them.
    pub(super) fn is_duplicated_visits(&self) -> bool {
        self.name == DUPLICATED
    }

    pub(super) fn population(&self) -> Population<'_> {
        Population {
            records: &self.records,
            per_record: self.per_record,
            locations: self.locations,
        }
    }

    pub(super) fn clients(&self) -> Clients<'_> {
        self.population().clients()
    }

    /// The mean number of locations of a record.
    pub(super) fn mean_length(&self) -> f64 {
        self.records.symbols() as f64 / self.records.len().max(1) as f64
    }

    /// The picture's file.
    pub(super) fn picture(&self) -> String {
        format!("fastpub-{}.svg", self.name)
    }
}
