//! `wayveil federate simulate`: a campaign on one machine, through the one door.

use wayveil_core::{Dataset, Error, Mechanism, NonPrivate, PrivacyUnit, Raw, Result};
use wayveil_mechanisms::Asked;

use super::super::publish::Publication;
use super::arguments::SimulateArguments;
use super::outcome::Outcome;
use crate::facts::thousands;
use crate::records::Records;
use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
Every record stands for one client, or for R of them, each of which answers for itself.

Examples:
  wayveil federate simulate vehicles.parquet --clients-per-record 100 --k 50000 --length 3 \\
      --epsilon 4 -o fragments/
  wayveil federate simulate vehicles.parquet --clients-per-record 100 --k 50000 --epsilon 4 \\
      --control family-wise -o fragments/
  wayveil federate simulate vehicles.parquet --method triehh --k 2000 --epsilon 4 -o votes/";

pub(super) fn run(arguments: &SimulateArguments, terminal: &Terminal) -> Result<()> {
    let simulation = arguments.build()?;
    let publication = Publication::open(&arguments.common, terminal)?;
    if arguments.evaluate && matches!(publication.records(), Records::Elsewhere(_)) {
        return Err(Error::input(
            "a campaign is compared with records that are here, and these stay elsewhere",
        )
        .hint("add --no-evaluation"));
    }
    if matches!(publication.records(), Records::Elsewhere(_)) && simulation.on_counts().is_none() {
        return Err(Error::refused(
            "each of these clients answers from its own record, and the records stay where they are",
        )
        .hint("draw the numbers of clients: --engine numbers, of the method fastpub"));
    }
    let facts = Facts::of(publication.records(), publication.unit())?;
    facts.check(simulation.asked(), simulation.most_clients())?;
    let data = publication.records().data();
    let promised = facts.promised(data, publication.unit(), &simulation);
    let warnings = facts.warnings(simulation.asked(), promised);
    let mut published = publication.publish(&simulation, warnings, terminal)?;
    let outcome = match arguments.evaluate {
        true => Some(Outcome::of(&published, &simulation)?),
        false => None,
    };
    let of = |part: fn(&Outcome) -> serde_json::Value| outcome.as_ref().map(part);
    published.object["evaluation"] = of(Outcome::evaluation).into();
    published.object["traffic"] = of(Outcome::traffic).into();
    let text = outcome.as_ref().map(Outcome::in_words);
    let text = published.text + &text.unwrap_or_default();
    terminal.result(|| published.object, &text)
}

/// What is looked at before anything is spent.
struct Facts {
    records: u64,
    timed: bool,
}

impl Facts {
    fn of(records: &Records, unit: PrivacyUnit) -> Result<Self> {
        let because = || {
            NonPrivate::because(
                "how many clients take part is public in a campaign, and is checked before it",
            )
        };
        let look = |data: &Dataset| (data.bounded(unit).len() as u64, data.time().is_some());
        let here = records.data().inspect(because(), look);
        let (mut number, timed) = here.for_publisher_only();
        if let Records::Elsewhere(counted) = records {
            let count = counted.inspect(because(), unit, |counting| counting.records());
            number = count.for_publisher_only()?;
        }
        Ok(Self {
            records: number,
            timed,
        })
    }

    /// Refuses what could not find anything.
    fn check(&self, asked: &Asked, most: u64) -> Result<()> {
        if self.records == 0 {
            return Err(
                Error::input("there are no records, hence no clients to ask")
                    .hint("simulate with a data file that has records"),
            );
        }
        let per_record = asked.clients_per_record;
        let clients = self.records.checked_mul(per_record);
        let clients = clients.filter(|&clients| clients <= most).ok_or_else(|| {
            Error::input(format!(
                "{} records with {per_record} clients each are too many to be simulated: there may be \
                 {most} clients",
                self.records
            ))
            .hint("give a smaller --clients-per-record")
        })?;
        if clients < asked.k {
            return Err(Error::input(format!(
                "no fragment can be had by {} clients: there are {} of them",
                thousands(asked.k),
                thousands(clients)
            ))
            .hint("give a smaller --k, or more --clients-per-record"));
        }
        Ok(())
    }

    /// Whether anything is promised for a record; what the method refuses, the door will say.
    fn promised(&self, raw: &Raw<Dataset>, unit: PrivacyUnit, method: &dyn Mechanism) -> bool {
        let because = NonPrivate::because("the claim of a method, made of public inputs alone");
        let claim = |data: &Dataset| method.claim(&data.records(unit, &[])?.public);
        let claim = raw.inspect(because, claim).for_publisher_only();
        claim.is_ok_and(|claim| claim.guarantee.model.is_differential_privacy())
    }

    fn warnings(&self, asked: &Asked, promised: bool) -> Vec<String> {
        let mut warnings = Vec::new();
        if asked.clients_per_record > 1 {
            let record = match promised {
                true => {
                    let all = asked.epsilon.to_f64() * asked.clients_per_record as f64;
                    format!("a record's own epsilon is {all}")
                }
                false => "nothing is promised for a record".into(),
            };
            warnings.push(format!(
                "this is a simulation: each record stands for {} clients with epsilon {} each, so \
                 that {record}, and what is found shows what so many people would give, not what \
                 these have",
                asked.clients_per_record, asked.epsilon
            ));
        }
        if self.timed {
            warnings.push("times are left out: fragments are of locations only".into());
        }
        warnings
    }
}
