//! One entry of the books, as it is stored, hashed and understood.

use sha2::{Digest, Sha256};
use wayveil_core::{Amount, Error, Neighbouring, Rational, Result};

/// What stands before the first entry.
pub(crate) const NOTHING_BEFORE: &str =
    "0000000000000000000000000000000000000000000000000000000000000000";
/// The first words of what is hashed, so that the hash of an entry is the hash of nothing else.
const DOMAIN: &str = "wayveil-ledger-entry 1\n";
const COMPOSES: &str = "differential-privacy";
/// Differential privacy under replacing one unit. A type of its own, so that a version which does not know
/// the relation refuses the entry instead of taking it for one that hides who takes part.
const COMPOSES_REPLACING: &str = "differential-privacy-by-replacement";
const COMPOSES_NOT: &str = "not-composing";
/// What the name of answers begins with, in the column of fingerprints. No keyed hash begins so.
const ANSWERS: &str = "answers ";
/// The guarantees that are known not to add up, by their names in manifests.
const KNOWN_NOT_COMPOSING: [&str; 2] = ["k-c-l-privacy", "none"];

/// An entry as stored: its number, what it says, and the hashes that chain it. Fields that a kind
/// does not use are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) kind: String,
    pub(crate) id: String,
    pub(crate) time: String,
    pub(crate) population: String,
    pub(crate) guarantee: String,
    pub(crate) promise: String,
    pub(crate) epsilon: String,
    pub(crate) delta: String,
    pub(crate) unit: String,
    pub(crate) method: String,
    pub(crate) variant: String,
    pub(crate) fingerprint: String,
    pub(crate) previous: String,
    pub(crate) hash: String,
}

impl Row {
    /// The names of the text columns in the order in which they are stored and hashed.
    pub(crate) const TEXTS: [&'static str; 13] = [
        "kind",
        "id",
        "time",
        "population",
        "guarantee",
        "promise",
        "epsilon",
        "delta",
        "unit",
        "method",
        "variant",
        "fingerprint",
        "previous",
    ];

    /// The text columns, in the order of [`TEXTS`](Self::TEXTS).
    pub(crate) fn texts(&self) -> [&str; 13] {
        [
            &self.kind,
            &self.id,
            &self.time,
            &self.population,
            &self.guarantee,
            &self.promise,
            &self.epsilon,
            &self.delta,
            &self.unit,
            &self.method,
            &self.variant,
            &self.fingerprint,
            &self.previous,
        ]
    }

    /// SHA-256 over all other fields. Every text is preceded by its length, so that no two entries
    /// have the same canonical form.
    pub(crate) fn computed_hash(&self) -> String {
        let mut canonical = format!("{DOMAIN}number {}\n", self.number);
        for (name, text) in Self::TEXTS.iter().zip(self.texts()) {
            canonical += &format!("{name} {}:{text}\n", text.len());
        }
        hex(&Sha256::digest(canonical))
    }

    /// The entry after `last`, ready to be stored.
    pub(crate) fn following(last: Option<&Entry>, id: String, time: String, event: &Event) -> Self {
        let mut row = Self {
            number: last.map_or(1, |entry| entry.number + 1),
            id,
            time,
            previous: last.map_or(NOTHING_BEFORE.into(), |entry| entry.hash.clone()),
            ..Self::default()
        };
        match event {
            Event::Opened => row.kind = "opened".into(),
            Event::Done => row.kind = "done".into(),
            Event::Allowed {
                population,
                allowance,
            } => {
                row.kind = "allowed".into();
                row.population.clone_from(population);
                row.set_amount(allowance);
            }
            Event::Booked(spent) => {
                row.kind = "booked".into();
                row.population.clone_from(&spent.population);
                match &spent.promise {
                    Promise::Composes {
                        amount,
                        neighbouring,
                    } => {
                        row.guarantee = match neighbouring {
                            Neighbouring::AddOrRemoveOneUnit => COMPOSES.into(),
                            Neighbouring::ReplaceOneUnit => COMPOSES_REPLACING.into(),
                        };
                        row.set_amount(amount);
                    }
                    Promise::NotComposing(name) => {
                        row.guarantee = COMPOSES_NOT.into();
                        row.promise.clone_from(name);
                    }
                }
                row.unit.clone_from(&spent.unit);
                row.method.clone_from(&spent.method);
                row.variant.clone_from(&spent.variant);
                row.fingerprint = match &spent.source {
                    Source::Unknown => String::new(),
                    Source::Records(fingerprint) => fingerprint.clone(),
                    Source::Answers(name) => format!("{ANSWERS}{name}"),
                };
            }
        }
        row.hash = row.computed_hash();
        row
    }

    fn set_amount(&mut self, amount: &Amount) {
        self.epsilon = amount.epsilon.exact_text();
        self.delta = amount.delta.exact_text();
    }

    fn amount(&self) -> Result<Amount> {
        let read = |text| {
            Rational::from_exact_text(text)
                .map_err(|error| Error::refused(format!("entry {}: {error}", self.number)))
        };
        Ok(Amount {
            epsilon: read(&self.epsilon)?,
            delta: read(&self.delta)?,
        })
    }

    /// Understands an entry, or refuses it.
    pub(crate) fn understood(self) -> Result<Entry> {
        let event = match self.kind.as_str() {
            "opened" => Event::Opened,
            "done" => Event::Done,
            "allowed" => Event::Allowed {
                allowance: self.amount()?,
                population: self.population,
            },
            "booked" => Event::Booked(Spent {
                promise: match self.guarantee.as_str() {
                    COMPOSES => Promise::Composes {
                        amount: self.amount()?,
                        neighbouring: Neighbouring::AddOrRemoveOneUnit,
                    },
                    COMPOSES_REPLACING => Promise::Composes {
                        amount: self.amount()?,
                        neighbouring: Neighbouring::ReplaceOneUnit,
                    },
                    COMPOSES_NOT if known_not_composing(&self.promise) => {
                        Promise::NotComposing(self.promise)
                    }
                    COMPOSES_NOT => {
                        return Err(self.not_known(&format!("the guarantee {:?}", self.promise)));
                    }
                    unknown => {
                        return Err(self.not_known(&format!("the type of guarantee {unknown:?}")));
                    }
                },
                population: self.population,
                unit: self.unit,
                method: self.method,
                variant: self.variant,
                source: match self.fingerprint.strip_prefix(ANSWERS) {
                    Some(name) => Source::Answers(name.to_owned()),
                    None if self.fingerprint.is_empty() => Source::Unknown,
                    None => Source::Records(self.fingerprint),
                },
            }),
            unknown => return Err(self.not_known(&format!("the kind {unknown:?}"))),
        };
        Ok(Entry {
            number: self.number,
            id: self.id,
            time: self.time,
            event,
            hash: self.hash,
        })
    }

    fn not_known(&self, what: &str) -> Error {
        Error::refused(format!(
            "entry {} of the ledger has {what}, which this version of wayveil cannot count",
            self.number
        ))
        .hint("use the version of wayveil that wrote it, or a newer one")
    }
}

/// An entry as understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1.
    pub number: u32,
    /// Its random name; of `done`, the name of what is done.
    pub id: String,
    /// When it was made, UTC.
    pub time: String,
    /// What happened.
    pub event: Event,
    /// The hash over it and, through the hash before it, over everything earlier.
    pub hash: String,
}

/// What an entry records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The ledger was made.
    Opened,
    /// A population was given an allowance, which replaces an earlier one.
    Allowed {
        /// Whose.
        population: String,
        /// How much may be spent in all.
        allowance: Amount,
    },
    /// Something was spent.
    Booked(Spent),
    /// The release of an earlier entry is in its place.
    Done,
}

/// A spend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// On whom.
    pub population: String,
    /// What for.
    pub promise: Promise,
    /// Whose presence is hidden.
    pub unit: String,
    /// The mechanism.
    pub method: String,
    /// Which form of it.
    pub variant: String,
    /// What it was made from.
    pub source: Source,
}

/// What a release was made from, as far as the books can recognise it.
///
/// Both kinds are kept in one column, which was always hashed. So a ledger from before there were names of answers needs no
/// change, and a version that does not know them counts such an entry as it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nothing to recognise it by.
    Unknown,
    /// Records in the house: a keyed hash of them.
    Records(String),
    /// Answers that were private before they arrived: their public name.
    Answers(String),
}

/// A guarantee as far as adding up is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Differential privacy: adds up.
    Composes {
        /// What it costs.
        amount: Amount,
        /// Between which data sets it holds; whether taking part is hidden.
        neighbouring: Neighbouring,
    },
    /// Does not add up: the name of the guarantee.
    NotComposing(String),
}

impl Promise {
    /// Whether it adds up, but does not hide who takes part.
    pub fn shows_who_takes_part(&self) -> bool {
        let replacing = Neighbouring::ReplaceOneUnit;
        matches!(self, Self::Composes { neighbouring, .. } if *neighbouring == replacing)
    }
}

/// Whether a guarantee is one of those that are known not to add up.
pub(crate) fn known_not_composing(name: &str) -> bool {
    KNOWN_NOT_COMPOSING.contains(&name)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount() -> Amount {
        Amount {
            epsilon: "1/3".parse().unwrap(),
            delta: "1e-9".parse().unwrap(),
        }
    }

    #[test]
    fn events_come_back_from_their_rows() {
        let from = |promise, source| {
            Event::Booked(Spent {
                population: "p\n\"x\"".into(),
                promise,
                unit: "owner".into(),
                method: "m".into(),
                variant: "repaired".into(),
                source,
            })
        };
        let spent = |promise| from(promise, Source::Records("ab".into()));
        let nothing = || Promise::NotComposing("none".into());
        for event in [
            Event::Opened,
            Event::Done,
            Event::Allowed {
                population: String::new(),
                allowance: amount(),
            },
            spent(Promise::Composes {
                amount: amount(),
                neighbouring: Neighbouring::AddOrRemoveOneUnit,
            }),
            spent(Promise::Composes {
                amount: amount(),
                neighbouring: Neighbouring::ReplaceOneUnit,
            }),
            spent(nothing()),
            from(nothing(), Source::Unknown),
            from(nothing(), Source::Answers("ab".into())),
        ] {
            let row = Row::following(None, "id".into(), "now".into(), &event);
            assert_eq!(row.understood().unwrap().event, event);
        }
    }

    #[test]
    fn no_two_entries_are_hashed_alike() {
        let row = |method: &str, variant: &str| Row {
            method: method.into(),
            variant: variant.into(),
            ..Row::default()
        };
        let hashes = [
            row("a", "b").computed_hash(),
            row("a\nvariant 1:b", "").computed_hash(),
            row("", "ab").computed_hash(),
            row("ab", "").computed_hash(),
        ];
        for (index, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..index].contains(hash), "{index}");
        }
    }

    #[test]
    fn every_field_is_hashed() {
        let event = Event::Opened;
        let row = Row::following(None, "id".into(), "now".into(), &event);
        let changes: [fn(&mut Row); 14] = [
            |row| row.number += 1,
            |row| row.kind.push('x'),
            |row| row.id.push('x'),
            |row| row.time.push('x'),
            |row| row.population.push('x'),
            |row| row.guarantee.push('x'),
            |row| row.promise.push('x'),
            |row| row.epsilon.push('x'),
            |row| row.delta.push('x'),
            |row| row.unit.push('x'),
            |row| row.method.push('x'),
            |row| row.variant.push('x'),
            |row| row.fingerprint.push('x'),
            |row| row.previous.push('x'),
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut changed = row.clone();
            change(&mut changed);
            assert_ne!(changed.computed_hash(), row.hash, "change {index}");
        }
    }

    #[test]
    fn what_a_newer_version_wrote_is_refused() {
        let mut row = Row::following(None, "id".into(), "now".into(), &Event::Opened);
        row.kind = "lent".into();
        let refusal = row.clone().understood().unwrap_err();
        assert_eq!(refusal.exit_code(), 1);
        row.kind = "booked".into();
        row.guarantee = COMPOSES_NOT.into();
        row.promise = "l-diversity".into();
        let refusal = row.clone().understood().unwrap_err();
        assert!(refusal.message().contains("l-diversity"), "{refusal}");
        row.guarantee = "zero-concentrated".into();
        let refusal = row.understood().unwrap_err();
        assert!(refusal.message().contains("zero-concentrated"), "{refusal}");
    }
}
