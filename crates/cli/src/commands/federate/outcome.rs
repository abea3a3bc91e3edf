//! How good a simulated campaign was, and what was sent: for its publisher, never in the release.

use serde_json::{Value, json};
use wayveil_core::{Dataset, Error, FragmentCounts, NonPrivate, Result};
use wayveil_evaluate::fragments::{FragmentReport, FragmentTruth};
use wayveil_mechanisms::{Simulation, Traffic};

use super::super::publish::Published;
use crate::facts::thousands;
use crate::records::Records;
use crate::table::Table;

const NOTE: &str = "internal: computed from raw data, not for publication. Parameters chosen from it \
                    make a guarantee conditional on that choice.";

/// A comparison with the raw data, and messages.
pub(super) struct Outcome {
    report: FragmentReport,
    sent: Option<Traffic>,
}

impl Outcome {
    pub(super) fn of(published: &Published, simulation: &Simulation) -> Result<Self> {
        let none = FragmentCounts::empty();
        let released = published.booked.release().fragments().unwrap_or(&none);
        let asked = simulation.asked();
        let because = NonPrivate::because("the publisher is told how good a simulation was");
        let compare = |data: &Dataset| {
            let records = data.bounded(published.unit);
            let (per_record, length) = (asked.clients_per_record, asked.length as usize);
            let truth = FragmentTruth::count(&records, per_record, asked.k, length)?;
            truth.compare(&released.fragments, &released.count)
        };
        let Records::Here(raw) = &published.records else {
            return Err(Error::input(
                "a simulation is compared with records that are here, and these stay elsewhere",
            ));
        };
        let compared = raw.inspect(because, compare);
        Ok(Self {
            report: compared.for_publisher_only()?,
            sent: simulation.traffic(),
        })
    }

    /// The comparison for machines.
    pub(super) fn evaluation(&self) -> Value {
        let mut object = json!(self.report);
        object["internal"] = json!(true);
        object["note"] = json!(NOTE);
        object
    }

    /// The messages for machines.
    pub(super) fn traffic(&self) -> Value {
        let Some(sent) = &self.sent else {
            return Value::Null;
        };
        let clients = self.report.clients;
        let each = |all: f64, among: u64| all / among.max(1) as f64;
        json!({
            "internal": true,
            "clients": clients,
            "answers": sent.answers,
            "answers_per_client": each(sent.answers as f64, clients),
            "bits_up_per_answer": each(sent.bits_up, sent.answers),
            "bits_down_per_answer": each(sent.bits_down, sent.answers),
            "bits_up_per_client": each(sent.bits_up, clients),
            "bits_down_per_client": each(sent.bits_down, clients),
            "most_bits_up": sent.wire.map(|wire| wire.most_bits_up),
            "most_bits_down": sent.wire.map(|wire| wire.most_bits_down),
            "bytes_up_per_answer": sent.wire.map(|wire| each(wire.bytes_up as f64, sent.answers)),
            "bytes_down_per_answer": sent.wire.map(|wire| each(wire.bytes_down as f64, sent.answers)),
        })
    }

    /// Both for people.
    pub(super) fn in_words(&self) -> String {
        let mut table = Table::new(&FragmentReport::HEADINGS);
        for row in self.report.rows() {
            table.row(&row);
        }
        let clients = thousands(self.report.clients);
        let k = thousands(self.report.k);
        format!(
            "\nAgainst the raw data, fragments that at least {k} of {clients} clients have:\n{}{}\n{NOTE}\n",
            table.text(),
            self.sent_in_words()
        )
    }

    fn sent_in_words(&self) -> String {
        let Some(sent) = &self.sent else {
            return "Nothing was sent.".into();
        };
        let each = |all: f64| all / sent.answers.max(1) as f64;
        let (up, down) = (each(sent.bits_up), each(sent.bits_down));
        let answers = thousands(sent.answers);
        match sent.wire {
            None => format!(
                "Sent for each of {answers} answers: {up:.1} bits up, {down:.1} bits down; the method \
                 has no form in bytes."
            ),
            Some(wire) => format!(
                "Sent for each of {answers} answers: {up:.1} bits up (at most {:.1}), {down:.1} bits \
                 down (at most {:.1}), as information; {:.1} bytes up, {:.1} bytes down on the wire.",
                wire.most_bits_up,
                wire.most_bits_down,
                each(wire.bytes_up as f64),
                each(wire.bytes_down as f64)
            ),
        }
    }
}
