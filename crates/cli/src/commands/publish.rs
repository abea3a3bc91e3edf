//! `wayveil publish METHOD`: through the one door, then to disk.
//!
//! The subcommands and their flags are made from the list of mechanisms, so that a new mechanism
//! appears here by itself.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use wayveil_core::{
    Booked, Cost, Dataset, Error, ErrorEstimate, ExpectedError, Mechanism, NonPrivate, PrivacyUnit,
    Raw, Released, Result, Terms,
};
use wayveil_io::{Page, check_release_target, read_gtfs_lines, read_taxonomy, write_release};
use wayveil_ledger::{Account, Ledger};
use wayveil_report::page::{ReleasePart, release_page};

use super::ledger::head_line;
use super::methods::{MethodArguments, WithEveryMethod};
use super::random_source;
use crate::beside::warnings;
use crate::books::{LedgerFile, absolute, account_in_words, account_json};
use crate::heard::Heard;
use crate::left::{Left, NOTHING_LEFT};
use crate::records::Records;
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil publish weave metro.parquet --epsilon 1 -o release/       the one to begin with
  wayveil publish hybrid-tree metro.parquet --epsilon 1 --height 12 -o release/ --report
  wayveil publish generalize taxi.parquet --epsilon 1 --clusters 20 --decoys 50 -o release/
  wayveil publish suppress city.parquet --k 10 --c 0.5 --l 4 --sensitive diagnosis=HIV -o release/";

/// What every method takes.
#[derive(Args)]
pub(crate) struct CommonArguments {
    /// The data file to publish from.
    input: PathBuf,

    /// The release folder to write.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,

    /// Keep at most this many trips of a person, each as a record of its own, instead of joining
    /// a person's trips to one record. More trips need more noise.
    #[arg(long, value_name = "M", conflicts_with = "trip_level")]
    max_trips: Option<NonZeroU32>,

    /// Protect single trips only, not people. The manifest says so.
    #[arg(long)]
    trip_level: bool,

    /// A table of the taxonomy of locations, with the columns label and parent, instead of the data
    /// file's own.
    #[arg(long, value_name = "FILE", conflicts_with = "taxonomy_gtfs")]
    taxonomy: Option<PathBuf>,

    /// A GTFS feed, a folder or a zip archive; each stop lies in the line that serves it most often.
    #[arg(long, value_name = "FEED")]
    taxonomy_gtfs: Option<PathBuf>,

    /// Accept a universe that was read off the data. The guarantee then holds only if the set of
    /// locations is public anyway, and the manifest says so.
    #[arg(long)]
    universe_from_data: bool,

    /// Say that parameters were chosen after looking at the raw data or at an evaluation of it. The
    /// guarantee then holds only given that choice, and the manifest says so.
    #[arg(long)]
    chosen_after_looking: bool,

    /// Make the same release every time. Marks it as not publishable; for tests and figures.
    #[arg(long, value_name = "SEED")]
    insecure_seed: Option<u64>,

    /// Put a page into the release that shows it in words, maps and charts: report.html, made of the
    /// release alone.
    #[arg(long)]
    report: bool,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,

    /// Publish also where the population has an allowance and the guarantee does not add up with
    /// others, so that the allowance cannot count it.
    #[arg(long)]
    beside_allowance: bool,

    #[command(flatten)]
    ledger: LedgerFile,
}

impl WithEveryMethod for CommonArguments {
    const EXAMPLE: &'static str = EXAMPLE;
    const DEFAULTS: &'static [(&'static str, &'static str)] = &[];
}

pub(crate) type PublishArguments = MethodArguments<CommonArguments>;

pub(crate) fn run(arguments: &PublishArguments, terminal: &Terminal) -> Result<()> {
    let mechanism = arguments.chosen.build()?;
    let publication = Publication::open(&arguments.common, terminal)?;
    let published = publication.publish(mechanism.as_ref(), Vec::new(), terminal)?;
    terminal.result(|| published.object.clone(), &published.text)
}

/// Data, terms and books, before anything is spent.
pub(crate) struct Publication<'a> {
    common: &'a CommonArguments,
    ledger: Ledger,
    records: Records,
    terms: Terms,
}

/// What was published and written.
pub(crate) struct Published {
    /// The records it was made of.
    pub(crate) records: Records,
    /// What was written.
    pub(crate) booked: Booked,
    /// Whom it protects.
    pub(crate) unit: PrivacyUnit,
    /// The result for machines.
    pub(crate) object: Value,
    /// The result for people.
    pub(crate) text: String,
}

impl<'a> Publication<'a> {
    /// Checks that there is room for the output, opens the ledger and reads the data.
    pub(crate) fn open(common: &'a CommonArguments, terminal: &Terminal) -> Result<Self> {
        check_release_target(&common.output, common.force)?;
        // What nobody may publish needs no books that last.
        let for_good = common.insecure_seed.is_none();
        if for_good && terminal.memory().has_counted(&common.input) {
            common.ledger.require_named()?;
        }
        let mut ledger = common.ledger.open(terminal)?;
        if common.beside_allowance {
            ledger.accept_beside_allowance();
        }
        let records = with_taxonomy(Records::open(&common.input, terminal)?, common)?;
        let unit = match (common.max_trips, common.trip_level) {
            (Some(trips), _) => PrivacyUnit::OwnerBounded(trips),
            (None, true) => PrivacyUnit::Trip,
            (None, false) => PrivacyUnit::Owner,
        };
        let terms = Terms {
            unit,
            universe_from_data: common.universe_from_data,
            chosen_after_looking: common.chosen_after_looking,
        };
        Ok(Self {
            common,
            ledger,
            records,
            terms,
        })
    }

    /// The records.
    pub(crate) fn records(&self) -> &Records {
        &self.records
    }

    /// Whom the release shall protect.
    pub(crate) fn unit(&self) -> PrivacyUnit {
        self.terms.unit
    }

    /// Publishes and writes, after these warnings and those about columns.
    pub(crate) fn publish(
        mut self,
        mechanism: &dyn Mechanism,
        mut warned: Vec<String>,
        terminal: &Terminal,
    ) -> Result<Published> {
        let data = self.records.data();
        warned.extend(warnings(data, mechanism, self.terms.unit));
        warned.extend(about_delta(data, mechanism, self.terms.unit)?);
        for warning in &warned {
            terminal.warn(warning);
        }
        let outcome = self.book_and_write(mechanism, warned, terminal);
        match (outcome, self.ledger.booked()) {
            (Ok((booked, object, text)), _) => Ok(Published {
                records: self.records,
                booked,
                unit: self.terms.unit,
                object,
                text,
            }),
            (Err(error), None) => Err(error),
            (Err(error), Some(entry)) => {
                terminal.warn(&format!(
                    "this attempt is in the ledger as {entry} and counts as spent"
                ));
                Err(error)
            }
        }
    }

    /// Booked first, then renamed into place, then marked as done.
    fn book_and_write(
        &mut self,
        mechanism: &dyn Mechanism,
        mut warnings: Vec<String>,
        terminal: &Terminal,
    ) -> Result<(Booked, Value, String)> {
        let Self {
            common,
            ledger,
            records,
            terms,
        } = self;
        let mut random = random_source("publish", common.insecure_seed)?;
        // What the books and the mechanism warn of comes this way.
        let heard = Heard::before(terminal);
        let booked = records.publish(mechanism, terms, ledger, &mut random, &heard)?;
        let page = common.report.then_some(RECIPIENTS_PAGE);
        let manifest = write_release(&common.output, &booked, page, ledger, common.force)?;
        if let Some(reason) = &manifest.not_publishable_because {
            terminal.warn(&format!("this release must not be published: {reason}"));
        }
        warnings.extend(heard.into_warnings());
        let raw = records.data();
        let left = Left::of(raw, booked.release(), terms.unit)?;
        if let Some(left) = &left {
            terminal.say(&left.in_words());
            if left.is_nothing() {
                terminal.warn(NOTHING_LEFT);
                warnings.push(NOTHING_LEFT.into());
            }
        }
        let chain = ledger.chain()?;
        let because = NonPrivate::because("the name of the publisher's account, which is not data");
        let population = raw
            .inspect(because, |data| data.population().to_owned())
            .for_publisher_only();
        let account = chain.accounts().remove(&population);
        let account = account.unwrap_or_else(Account::empty);
        terminal.say(&account_in_words(&population, &account));
        let path = common.output.display().to_string();
        let text = format!(
            "{}\n{}{}wrote {path}\n",
            manifest.guarantee.in_words,
            manifest
                .expected_error
                .as_ref()
                .map_or_else(String::new, own_error),
            head_line(&chain)
        );
        let object = json!({
            "output": path,
            "manifest": manifest,
            "warnings": warnings,
            "left": left.as_ref().map(Left::to_json),
            "ledger": {
                "path": absolute(ledger.path()).display().to_string(),
                "new": ledger.is_new(),
                "head": chain.head(),
                "account": account_json(&population, &account),
            },
        });
        Ok((booked, object, text))
    }
}

/// What a release says of its own error, as a short table.
fn own_error(expected: &ExpectedError) -> String {
    let mut table = Table::new(&["its own error", "estimate", "10 %", "90 %"]);
    for it in &expected.estimates {
        let [value, low, high] = [it.value, it.low, it.high].map(ErrorEstimate::shown);
        table.row(&[it.about().to_owned(), value, low, high]);
    }
    format!("{}({})\n", table.text(), expected.made)
}

/// The page of a release, for its recipients.
pub(super) const RECIPIENTS_PAGE: Page =
    |release: &dyn Released| release_page(&ReleasePart::of(release)?);

/// The most that may be promised to recipients with: one person in a hundred may be given away.
const MOST_DELTA: f64 = 0.01;

/// Refuses a δ that promises nothing to speak of, and has a word on one that is large. What the method
/// itself refuses, the door will say.
fn about_delta(
    raw: &Raw<Dataset>,
    mechanism: &dyn Mechanism,
    unit: PrivacyUnit,
) -> Result<Option<String>> {
    let because = NonPrivate::because("the claim of a method, made of public inputs alone");
    let claim = |data: &Dataset| mechanism.claim(&data.records(unit, &[])?.public);
    let Ok(claim) = raw.inspect(because, claim).for_publisher_only() else {
        return Ok(None);
    };
    let Cost::DifferentialPrivacy { delta, .. } = claim.cost else {
        return Ok(None);
    };
    if delta.to_f64() > MOST_DELTA {
        return Err(Error::refused(format!(
            "delta {delta} is no promise: with that probability a person may be given away \
             altogether"
        ))
        .hint(format!(
            "choose a --delta far below one over the number of people, such as 1e-9, and never above \
             {MOST_DELTA}"
        )));
    }
    Ok(delta.is_weak().then(|| {
        format!(
            "delta {delta} is a weak promise: with that probability a person may be given away \
             altogether; choose a --delta far below one over the number of people, such as 1e-9"
        )
    }))
}

/// Replaces the taxonomy of the locations where another one was given.
fn with_taxonomy(records: Records, common: &CommonArguments) -> Result<Records> {
    let because = NonPrivate::because("labels of a public taxonomy are matched with the universe");
    let universe = records
        .data()
        .inspect(because, |data| data.universe().clone())
        .for_publisher_only();
    match (&common.taxonomy, &common.taxonomy_gtfs) {
        (Some(file), _) => records.with_taxonomy(read_taxonomy(file, &universe)?),
        (None, Some(feed)) => records.with_taxonomy(read_gtfs_lines(feed, &universe)?),
        (None, None) => Ok(records),
    }
}
