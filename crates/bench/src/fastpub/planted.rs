//! Populations in which many fragments lie just below k: how often one of them is released.
//!
//! 900 fragments are held by k − 1 clients each, as many as a promise about k must withstand, and 20
//! by more; the example of why a small share of false admissions can be a large share of what is
//! admitted. Either the fragments are single locations, or pairs that are looked for after the
//! locations they are made of. Every client is simulated by the client's own code.

use std::collections::BTreeMap;

use rayon::prelude::*;

use wayveil_core::{RandomSource, Result, Sequences};
use wayveil_evaluate::samples::Samples;
use wayveil_federated::campaign::{Campaign, Parameters};
use wayveil_federated::collector::Findings;
use wayveil_federated::simulate::{Options, per_client};

use super::NAME;
use super::data::Data;
use wayveil_reproduce::campaigns::{Method, Setting, parameters};

use super::plan::Plan;

/// Little noise, so that drawing clients without replacement matters most; and much.
const EPSILONS: [&str; 2] = ["10", "2"];

/// The level of false admissions.
pub(super) const XI: f64 = 0.01;

/// Different records.
const RECORDS: usize = 1000;
/// Records of a fragment that k − 1 clients hold.
const NEAR: usize = 100;
/// Records of the others, in turn.
const ABOVE: [usize; 4] = [125, 150, 175, 200];
const FRAGMENTS_NEAR: usize = 900;
const FRAGMENTS_ABOVE: usize = 20;
/// A fragment with this many times k is released in nearly every campaign, so that its interval is
/// one of a fragment fixed in advance.
const CLEAR: f64 = 1.4;

/// What the planted fragments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Locations,
    Pairs,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Locations, Self::Pairs];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Locations => "locations",
            Self::Pairs => "pairs",
        }
    }

    /// The fragment of a number; the ones above k come last.
    fn fragment(self, number: usize) -> Vec<u32> {
        let number = number as u32;
        match self {
            Self::Locations => vec![number],
            // 30 firsts with 30 seconds each, and two firsts with ten of the seconds.
            Self::Pairs if number < 900 => vec![number / 30, 30 + number % 30],
            Self::Pairs => vec![60 + (number - 900) / 10, 30 + (number - 900) % 10],
        }
    }

    fn locations(self) -> u32 {
        match self {
            Self::Locations => (FRAGMENTS_NEAR + FRAGMENTS_ABOVE) as u32,
            Self::Pairs => SEPARATOR + 1,
        }
    }

    fn length(self) -> u32 {
        match self {
            Self::Locations => 1,
            Self::Pairs => 2,
        }
    }
}

/// Stands after every pair, so that two of them do not make a third.
const SEPARATOR: u32 = 62;

/// A population, with the true number of clients of every fragment of its greatest length.
pub(super) struct Planted {
    kind: Kind,
    data: Data,
    supports: BTreeMap<Vec<u32>, u64>,
}

impl Planted {
    pub(super) fn new(kind: Kind, per_record: u64) -> Self {
        let mut records = vec![Vec::new(); RECORDS];
        for number in 0..FRAGMENTS_NEAR + FRAGMENTS_ABOVE {
            let held_by = match number.checked_sub(FRAGMENTS_NEAR) {
                None => NEAR,
                Some(above) => ABOVE[above % ABOVE.len()],
            };
            // Spread so that a record holds fragments of all kinds.
            let first = number * 389 % RECORDS;
            for at in 0..held_by {
                let record = &mut records[(first + at) % RECORDS];
                record.extend(kind.fragment(number));
                if kind == Kind::Pairs {
                    record.push(SEPARATOR);
                }
            }
        }
        let mut supports: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for record in &records {
            let mut own: Vec<&[u32]> = record.windows(kind.length() as usize).collect();
            own.sort_unstable();
            own.dedup();
            for fragment in own {
                *supports.entry(fragment.to_vec()).or_insert(0) += per_record;
            }
        }
        Self {
            kind,
            data: Data {
                name: kind.words(),
                title: kind.words().to_owned(),
                records: Sequences::from_codes(records),
                locations: kind.locations(),
                per_record,
                settings: vec![Setting {
                    length: kind.length(),
                    k: NEAR as u64 * per_record + 1,
                }],
            },
            supports,
        }
    }

    fn setting(&self) -> Setting {
        self.data.settings[0]
    }

    /// Whether it is one of those planted above k.
    fn is_above(&self, fragment: &[u32]) -> bool {
        let mut numbers = FRAGMENTS_NEAR..FRAGMENTS_NEAR + FRAGMENTS_ABOVE;
        numbers.any(|number| self.kind.fragment(number) == fragment)
    }

    fn support(&self, fragment: &[u32]) -> u64 {
        self.supports.get(fragment).copied().unwrap_or(0)
    }
}

/// What became of the planted fragments in all campaigns of a method.
#[derive(Clone, Debug, Default)]
pub(super) struct Admissions {
    pub(super) campaigns: u64,
    /// Campaigns with a false admission of the planted length.
    pub(super) with_any: u64,
    /// Fragments with k − 1 clients, in all campaigns, and those of them that were released.
    pub(super) near: u64,
    pub(super) near_released: u64,
    /// The planted ones above k, and those of them that were released.
    pub(super) above: u64,
    pub(super) above_released: u64,
    /// For each campaign the share of the false among the released of the planted length, 0 where
    /// nothing is released.
    pub(super) false_share: Samples,
    /// Intervals of released fragments that are clearly above k, and of all that were released; and
    /// how many cover the truth.
    pub(super) clear: u64,
    pub(super) clear_covered: u64,
    pub(super) intervals: u64,
    pub(super) covered: u64,
}

impl Admissions {
    fn add(&mut self, planted: &Planted, findings: &Findings) {
        let Setting { length, k } = planted.setting();
        let (mut released, mut wrong) = (0_u64, 0_u64);
        let longest = findings.released();
        for finding in longest.filter(|finding| finding.fragment.len() == length as usize) {
            let support = planted.support(&finding.fragment);
            released += 1;
            wrong += u64::from(support < k);
            self.near_released += u64::from(support == k - 1);
            self.above_released += u64::from(planted.is_above(&finding.fragment));
            if let Some((low, high)) = finding.interval {
                let covers = u64::from((low..=high).contains(&support));
                self.intervals += 1;
                self.covered += covers;
                if support as f64 >= CLEAR * k as f64 {
                    self.clear += 1;
                    self.clear_covered += covers;
                }
            }
        }
        self.campaigns += 1;
        self.with_any += u64::from(wrong > 0);
        self.near += FRAGMENTS_NEAR as u64;
        self.above += FRAGMENTS_ABOVE as u64;
        self.false_share
            .push(Some(wrong as f64 / released.max(1) as f64));
    }
}

/// One row of the table.
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) method: Method,
    pub(super) epsilon: &'static str,
    pub(super) clients: u64,
    pub(super) admissions: Admissions,
}

/// The forms of FASTPub, at two ε, on both populations.
pub(super) fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let planted = Planted::new(kind, plan.clients_per_planted);
        for epsilon in EPSILONS {
            for method in Method::ALL.into_iter().filter(|it| it.is_fastpub()) {
                let setting = planted.setting();
                let population = planted.data.population();
                let mut parameters = parameters(method, &population, setting, &epsilon.parse()?);
                parameters.xi = XI;
                let repeats = plan.planted_repeats;
                let admissions = repeated(&planted, &parameters, repeats)?;
                eprintln!(
                    "{}, {}, ε = {epsilon}: {} of {} below k released",
                    kind.words(),
                    method.words(),
                    admissions.near_released,
                    admissions.near
                );
                rows.push(Row {
                    kind,
                    method,
                    epsilon,
                    clients: planted.data.clients().len(),
                    admissions,
                });
            }
        }
    }
    Ok(rows)
}

/// Runs the same campaign again and again, every client by its own code.
fn repeated(planted: &Planted, parameters: &Parameters, repeats: u64) -> Result<Admissions> {
    let run = |repeat: u64| {
        let purpose = format!("{NAME} {}", planted.data.name);
        let mut random = RandomSource::insecure_seed_for(&purpose, repeat);
        let campaign = Campaign::new(parameters.clone())?;
        per_client(
            campaign,
            &planted.data.clients(),
            &Options::default(),
            &mut random,
        )
    };
    let findings: Vec<Findings> = (0..repeats)
        .into_par_iter()
        .map(run)
        .collect::<Result<_>>()?;
    let mut admissions = Admissions::default();
    for findings in &findings {
        admissions.add(planted, findings);
    }
    Ok(admissions)
}

#[cfg(test)]
mod tests {
    use wayveil_noise::statistics::probability_at_least;

    use super::*;
    use wayveil_core::Epsilon;

    /// How often the test below fails although everything is right, at most.
    const FALSE_ALARMS: f64 = 1e-9;

    #[test]
    fn the_populations_are_what_is_said() {
        for kind in Kind::ALL {
            let planted = Planted::new(kind, 10);
            let k = planted.setting().k;
            let with = |wanted: &dyn Fn(u64) -> bool| {
                (0..FRAGMENTS_NEAR + FRAGMENTS_ABOVE)
                    .filter(|&number| wanted(planted.support(&kind.fragment(number))))
                    .count()
            };
            assert_eq!(with(&|support| support == k - 1), FRAGMENTS_NEAR);
            assert_eq!(with(&|support| support > k), FRAGMENTS_ABOVE);
            // Nothing else lies between a half of k and k.
            let near = planted.supports.values();
            let near = near.filter(|&&support| support < k && 2 * support >= k);
            assert_eq!(near.count(), FRAGMENTS_NEAR);
        }
    }

    /// Whether the level is refuted per candidate, and family-wise.
    fn refuted(method: Method, tested_at: f64, level: f64) -> (bool, bool) {
        let planted = Planted::new(Kind::Locations, 300);
        let epsilon: Epsilon = "10".parse().unwrap();
        let population = planted.data.population();
        let mut parameters = parameters(method, &population, planted.setting(), &epsilon);
        parameters.xi = tested_at;
        let found = repeated(&planted, &parameters, 20).unwrap();
        let above = |wrong, of| probability_at_least(wrong, of, FALSE_ALARMS) > level;
        (
            above(found.near_released, found.near),
            above(found.with_any, found.campaigns),
        )
    }

    #[test]
    fn false_admissions_keep_to_the_level() {
        assert!(!refuted(Method::AsPublished, 0.05, 0.05).0);
        assert!(!refuted(Method::PerCandidate, 0.05, 0.05).0);
        assert_eq!(refuted(Method::FamilyWise, 0.05, 0.05), (false, false));
        // The test can tell: lower levels are refuted.
        assert_eq!(refuted(Method::PerCandidate, 0.05, 0.002), (true, true));
    }
}
