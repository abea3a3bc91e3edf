//! What the two baselines that FASTPub is compared with have in common.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wayveil_core::{Output, Progress, PublicInputs, RandomSource, Records, Result, Transcript};
use wayveil_federated::baselines::{self, Baseline, Found};

use crate::fragments::{Asked, Row, from_rows, trajectories};
use crate::simulated::Traffic;

/// Standard errors to each side of a count, for 95 % of a normal distribution.
const INTERVAL: f64 = 1.96;

/// Runs a baseline that is made for a number of clients, and releases what it finds.
pub(crate) fn run<B: Baseline>(
    asked: &Asked,
    make: impl FnOnce(u64) -> Result<B>,
    records: &Records<'_>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<(Output, Option<Traffic>)> {
    let clients = asked.clients(records);
    let mut found = None;
    if asked.enough(clients, progress) {
        progress.begin("asking clients", None);
        let per_record = asked.clients_per_record;
        found = Some(make(clients)?.find(&records.sequences, per_record, asked.k, random)?);
        progress.end();
    }
    let fragments = match &found {
        Some(found) => from_rows(rows(found, clients)),
        None => from_rows(Vec::new()),
    };
    if fragments.is_empty() && found.is_some() {
        progress.warn(
            "no fragment is published: no estimate reaches k. More clients, a smaller k or a larger \
             epsilon find more. What was spent stays spent",
        );
    }
    progress.begin("drawing trajectories", None);
    let trajectories = trajectories(&fragments, clients, records, asked.longest, random)?;
    progress.end();
    let sent = found.as_ref().map(|found| sent(&found.traffic));
    let output = Output {
        trajectories,
        attributes: Vec::new(),
        counts: None,
        fragments: Some(fragments),
        expected_error: None,
        transcript: Transcript::told_by(move || {
            found.map_or_else(Vec::new, |found| found.seen.told())
        }),
    };
    Ok((output, sent))
}

/// Counts in whole clients, at most all of them.
fn rows(found: &Found, clients: u64) -> Vec<Row<'_>> {
    let whole = |count: f64| (count.max(0.0) as u64).min(clients);
    let numbers = found.count.iter().zip(&found.standard_error);
    let row = |(codes, (&count, &error)): (_, (&f64, &f64))| {
        let aside = INTERVAL * error;
        let count = count.clamp(0.0, clients as f64);
        let (low, high) = (
            whole((count - aside).floor()),
            whole((count + aside).ceil()),
        );
        (codes, whole(count.round()), error, low, high)
    };
    found.fragments.iter().zip(numbers).map(row).collect()
}

fn sent(traffic: &baselines::Traffic) -> Traffic {
    Traffic {
        answers: traffic.answers,
        bits_up: traffic.bits_up as f64,
        bits_down: traffic.bits_down as f64,
        wire: None,
    }
}

/// The parameters that both have, for the manifest.
pub(crate) fn parameters(asked: &Asked) -> BTreeMap<String, Value> {
    BTreeMap::from([
        (
            "epsilon".to_owned(),
            json!(asked.epsilon.value().exact_text()),
        ),
        ("k".to_owned(), json!(asked.k)),
        ("length".to_owned(), json!(asked.length)),
        (
            "clients_per_record".to_owned(),
            json!(asked.clients_per_record),
        ),
        ("longest".to_owned(), json!(asked.longest)),
    ])
}

/// What a recipient of either must not expect, and `about_counts` beside it.
pub(crate) fn limits(asked: &Asked, about_counts: &str, public: &PublicInputs<'_>) -> Vec<String> {
    let mut limits = vec![
        format!(
            "A fragment is published when its estimate reaches {}. Nothing bounds how likely one is \
             published that fewer clients have.",
            asked.k
        ),
        about_counts.to_owned(),
        format!(
            "Intervals are {INTERVAL} standard errors to each side of a count, and leave out what \
             makes counts too low or too high as a whole."
        ),
    ];
    limits.extend(asked.limits(public));
    limits
}

#[cfg(test)]
pub(crate) mod testing {
    use std::borrow::Cow;
    use std::sync::Mutex;

    use wayveil_core::{ColumnNames, Mechanism, Origin, PrivacyUnit, Sequences, Universe};

    use super::*;

    pub(crate) fn universe(locations: u32) -> Universe {
        let labels = (0..locations).map(|code| code.to_string());
        Universe::from_labels(labels, Origin::Declared("test".into())).unwrap()
    }

    pub(crate) fn public(universe: &Universe) -> PublicInputs<'_> {
        PublicInputs {
            universe,
            time: None,
            unit: PrivacyUnit::Owner,
            columns: ColumnNames::of(&[]),
        }
    }

    /// A third goes 0 1 2, a third 3 4, a third stays at 5, with two who go a way of their own.
    pub(crate) fn crowds(size: usize) -> Sequences {
        let ways: [&[u32]; 3] = [&[0, 1, 2], &[3, 4], &[5]];
        let many = (0..3 * size).map(|person| ways[person % 3]);
        Sequences::from_codes(many.chain([&[2][..], &[2]]))
    }

    /// Keeps warnings.
    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Progress for Heard {
        fn begin(&self, _step: &str, _total: Option<u64>) {}
        fn advance(&self, _parts: u64) {}
        fn end(&self) {}
        fn warn(&self, warning: &str) {
            self.0.lock().unwrap().push(warning.to_owned());
        }
    }

    /// What a mechanism makes of these rows, and what it warns of.
    pub(crate) fn run(
        mechanism: &dyn Mechanism,
        public: PublicInputs<'_>,
        rows: Sequences,
    ) -> (Output, Vec<String>) {
        let records = Records {
            public,
            units: Some(rows.len() as u64),
            sequences: Cow::Owned(rows),
            attributes: Vec::new(),
            owners: None,
        };
        let (random, heard) = (&mut RandomSource::insecure_seed(5), Heard::default());
        let output = mechanism.run(&records, random, &heard).unwrap();
        (output, heard.0.into_inner().unwrap())
    }
}
