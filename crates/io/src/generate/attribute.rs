//! The column beside the trajectory: values of which some are sensitive, in exact shares.
//!
//! Values depend on nothing else in a record. What an attacker learns about them from a
//! trajectory comes from how few people share it, and that is what methods are to prevent.

use rand_core::Rng;
use wayveil_core::{Attribute, Labels};

use super::draw;

/// A column of values and which of them are sensitive.
#[derive(Debug)]
pub struct AttributeInfo {
    /// The column's name.
    pub name: &'static str,
    /// The values that count as sensitive, equally frequent.
    pub sensitive: &'static [&'static str],
    /// The other values, equally frequent.
    pub others: &'static [&'static str],
    /// So many of a hundred records have a sensitive value, to the nearest record.
    pub sensitive_percent: u64,
}

/// Five values, one of them sensitive.
pub(super) const CITY_DIAGNOSES: AttributeInfo = AttributeInfo {
    name: "diagnosis",
    sensitive: &["HIV"],
    others: &["Flu", "Fever", "Allergy", "Fracture"],
    sensitive_percent: 20,
};

/// Twenty-four values, six of them sensitive.
pub(super) const STM_DIAGNOSES: AttributeInfo = AttributeInfo {
    name: "diagnosis",
    sensitive: &[
        "HIV",
        "Hepatitis",
        "Cancer",
        "Depression",
        "Epilepsy",
        "Tuberculosis",
    ],
    others: &[
        "Flu",
        "Fever",
        "Allergy",
        "Fracture",
        "Sprain",
        "Cold",
        "Migraine",
        "Burn",
        "Cough",
        "Eczema",
        "Sinusitis",
        "Toothache",
        "Backache",
        "Anaemia",
        "Tonsillitis",
        "Gastritis",
        "Bruise",
        "Check-up",
    ],
    sensitive_percent: 25,
};

impl AttributeInfo {
    /// All values, the sensitive ones first.
    pub fn values(&self) -> impl Iterator<Item = &'static str> {
        self.sensitive.iter().chain(self.others).copied()
    }

    /// How many of so many records have a sensitive value.
    pub fn sensitive_records(&self, records: u64) -> u64 {
        (records * self.sensitive_percent + 50) / 100
    }

    /// A value for every record, in random order.
    pub(super) fn column<R: Rng>(&self, records: usize, rng: &mut R) -> Attribute {
        let sensitive = self.sensitive_records(records as u64) as usize;
        let secrets = self.sensitive.len();
        let mut of_record: Vec<u32> = (0..records)
            .map(|record| match record.checked_sub(sensitive) {
                None => (record % secrets) as u32,
                Some(other) => (secrets + other % self.others.len()) as u32,
            })
            .collect();
        draw::shuffle(&mut of_record, rng);
        Attribute {
            name: self.name.to_owned(),
            values: self.values().collect::<Labels>(),
            of_record,
        }
    }
}
