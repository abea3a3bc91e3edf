//! `wayveil ledger`: what was spent on whom, what may be, and whether the books are sound.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Subcommand;
use serde_json::{Value, json};
use wayveil_core::{Delta, Epsilon, Error, Result};
use wayveil_ledger::{Account, Chain, Entry, Event, Ledger, Promise};

use crate::books::{
    LedgerFile, absolute, account_in_words, account_json, amount_cell, amount_json, name_cell,
    text_cell,
};
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil ledger allow riders-2024 --epsilon 3
  wayveil ledger show
  wayveil ledger history riders-2024
  wayveil ledger verify --head 5f0c…";

const ALLOW_EXAMPLE: &str = "\
Example:
  wayveil ledger allow riders-2024 --epsilon 3 --delta 1e-8";
const SHOW_EXAMPLE: &str = "\
Examples:
  wayveil ledger show
  wayveil ledger show riders-2024 --json";
const HISTORY_EXAMPLE: &str = "\
Example:
  wayveil ledger history riders-2024";
const VERIFY_EXAMPLE: &str = "\
Examples:
  wayveil ledger verify
  wayveil ledger verify --head 5f0c…   with all 64 digits, as `publish` printed them";

/// How many digits of ids and hashes a table shows.
const SHORT: usize = 12;
/// How many populations a hint names.
const POPULATIONS_NAMED: usize = 10;

#[derive(clap::Args)]
pub(crate) struct LedgerArguments {
    #[command(subcommand)]
    command: LedgerCommand,
}

#[derive(Subcommand)]
enum LedgerCommand {
    /// Say how much may be spent on a population in all. Replaces an earlier allowance.
    #[command(after_help = ALLOW_EXAMPLE)]
    Allow(AllowArguments),
    /// Show what was spent on each population, what may be, and the head of the chain.
    #[command(after_help = SHOW_EXAMPLE)]
    Show(PopulationArguments),
    /// Show every entry.
    #[command(after_help = HISTORY_EXAMPLE)]
    History(PopulationArguments),
    /// Recompute the chain of entries. Exit code 1 where one was changed, removed or moved.
    #[command(after_help = VERIFY_EXAMPLE)]
    Verify(VerifyArguments),
}

#[derive(clap::Args)]
struct AllowArguments {
    /// The name given at import.
    population: String,

    /// The most that all releases together may spend.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Epsilon,

    /// The same for delta; with 0, only methods without a delta can be used.
    #[arg(
        long,
        value_name = "D",
        default_value = "0",
        allow_negative_numbers = true
    )]
    delta: Delta,

    #[command(flatten)]
    ledger: LedgerFile,
}

#[derive(clap::Args)]
struct PopulationArguments {
    /// Only this population.
    population: Option<String>,

    #[command(flatten)]
    ledger: LedgerFile,
}

#[derive(clap::Args)]
struct VerifyArguments {
    /// A head that was printed earlier and kept at another place: everything up to it must still
    /// be there. Without one, entries removed from the end cannot be noticed.
    #[arg(long, value_name = "HASH")]
    head: Option<String>,

    #[command(flatten)]
    ledger: LedgerFile,
}

pub(crate) fn run(arguments: &LedgerArguments, terminal: &Terminal) -> Result<()> {
    match &arguments.command {
        LedgerCommand::Allow(arguments) => allow(arguments, terminal),
        LedgerCommand::Show(arguments) => show(arguments, terminal),
        LedgerCommand::History(arguments) => history(arguments, terminal),
        LedgerCommand::Verify(arguments) => verify(arguments, terminal),
    }
}

fn allow(arguments: &AllowArguments, terminal: &Terminal) -> Result<()> {
    let mut ledger = arguments.ledger.open(terminal)?;
    let population = &arguments.population;
    let account = ledger.allow(population, &arguments.epsilon, &arguments.delta)?;
    if account.booked == 0 {
        terminal.say(&format!(
            "nothing was spent on the population {population:?} yet; `wayveil info FILE` tells the \
             population of a data file"
        ));
    }
    let chain = ledger.chain()?;
    let text = format!(
        "{}\n{}",
        account_in_words(population, &account),
        head_line(&chain)
    );
    let object = || {
        let mut object = account_json(population, &account);
        object["ledger"] = json!(absolute(ledger.path()).display().to_string());
        object["new_ledger"] = json!(ledger.is_new());
        object["head"] = json!(chain.head());
        object
    };
    terminal.result(object, &text)
}

fn show(arguments: &PopulationArguments, terminal: &Terminal) -> Result<()> {
    let path = arguments.ledger.path()?;
    let chain = Ledger::read(&path)?;
    let mut accounts = chain.accounts();
    if let Some(only) = &arguments.population {
        check_population(only, &accounts, &path)?;
        accounts.retain(|population, _| population == only);
    }
    let mut table = Table::new(&["population", "spent", "allowed", "left", "releases", "done"]);
    let mut notes = String::new();
    for (population, account) in &accounts {
        let cell = |amount: Option<&_>| amount.map_or("-".into(), amount_cell);
        table.row(&[
            name_cell(population),
            amount_cell(&account.spent),
            cell(account.allowance.as_ref()),
            cell(account.left().as_ref()),
            account.booked.to_string(),
            account.done.to_string(),
        ]);
        for (count, what) in [
            (
                account.booked - account.done,
                "booked but not marked as done; what became of them is not known, and they count \
                 as spent",
            ),
            (
                account.not_composing,
                "with a guarantee that does not add up; they are not in the sum",
            ),
            (
                account.trips_only,
                "protecting single trips only; the sum is no promise about people",
            ),
            (
                account.presence_shown,
                "hiding what people did, not who takes part; they are in the sum, which does not hide \
                 that either",
            ),
        ] {
            if count > 0 {
                notes += &format!("{}: {count} {what}\n", name_cell(population));
            }
        }
    }
    let text = if accounts.is_empty() {
        format!("nothing was spent or allowed yet\n{}", head_line(&chain))
    } else {
        format!("{}{notes}{}", table.text(), head_line(&chain))
    };
    let object = || {
        let populations: Vec<Value> = accounts
            .iter()
            .map(|(population, account)| account_json(population, account))
            .collect();
        described(&path, &chain, json!({ "populations": populations }))
    };
    terminal.result(object, &text)
}

fn history(arguments: &PopulationArguments, terminal: &Terminal) -> Result<()> {
    let path = arguments.ledger.path()?;
    let chain = Ledger::read(&path)?;
    if let Some(only) = &arguments.population {
        check_population(only, &chain.accounts(), &path)?;
    }
    let mut entries = with_populations(&chain);
    if let Some(only) = &arguments.population {
        entries.retain(|(_, population)| *population == Some(only));
    }
    let mut table = Table::new(&[
        "no",
        "time",
        "what",
        "entry",
        "population",
        "epsilon",
        "unit",
        "method",
        "hash",
    ]);
    for (entry, population) in &entries {
        let (amount, unit, method) = match &entry.event {
            Event::Booked(spent) => (
                match &spent.promise {
                    promise @ Promise::Composes { amount, .. } => {
                        let shown = promise.shows_who_takes_part();
                        let remark = if shown { ", by replacement" } else { "" };
                        amount_cell(amount) + remark
                    }
                    Promise::NotComposing(name) => {
                        format!("not composing: {}", text_cell(name))
                    }
                },
                text_cell(&spent.unit),
                format!(
                    "{}, {}",
                    text_cell(&spent.method),
                    text_cell(&spent.variant)
                ),
            ),
            Event::Allowed { allowance, .. } => {
                (amount_cell(allowance), String::new(), String::new())
            }
            Event::Opened | Event::Done => Default::default(),
        };
        table.row(&[
            entry.number.to_string(),
            text_cell(&entry.time),
            kind(&entry.event).into(),
            shortened(&entry.id),
            population.map_or_else(String::new, name_cell),
            amount,
            unit,
            method,
            shortened(&entry.hash),
        ]);
    }
    let text = format!("{}{}", table.text(), head_line(&chain));
    let object = || {
        let entries: Vec<Value> = entries
            .iter()
            .map(|(entry, population)| entry_json(entry, *population))
            .collect();
        described(&path, &chain, json!({ "history": entries }))
    };
    terminal.result(object, &text)
}

fn verify(arguments: &VerifyArguments, terminal: &Terminal) -> Result<()> {
    let path = arguments.ledger.path()?;
    let chain = Ledger::read(&path)?;
    let since = match &arguments.head {
        Some(head) => Some(
            chain
                .since(head)
                .map_err(|error| error.in_file(path.display().to_string()))?
                .len(),
        ),
        None => None,
    };
    let kept = match since {
        None => "without --head, entries removed from the end would not be noticed\n".to_owned(),
        Some(added) => format!("the head that you kept is there; added since: {added}\n"),
    };
    let text = format!(
        "{} entries, each as it was written and following from the one before it\n{kept}{}",
        chain.entries().len(),
        head_line(&chain)
    );
    let object = || {
        described(
            &path,
            &chain,
            json!({ "sound": true, "added_since": since }),
        )
    };
    terminal.result(object, &text)
}

/// The line that a publisher copies to another place.
pub(super) fn head_line(chain: &Chain) -> String {
    format!(
        "head of the ledger, to be kept at another place: {}\n",
        chain.head()
    )
}

fn described(path: &Path, chain: &Chain, mut object: Value) -> Value {
    object["ledger"] = json!(path.display().to_string());
    object["head"] = json!(chain.head());
    object["entries"] = json!(chain.entries().len());
    object
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Opened => "opened",
        Event::Allowed { .. } => "allowed",
        Event::Booked(_) => "booked",
        Event::Done => "done",
    }
}

/// All entries with whom they are about; with `done`, whom what is done was about.
fn with_populations(chain: &Chain) -> Vec<(&Entry, Option<&str>)> {
    let mut booked = BTreeMap::new();
    chain
        .entries()
        .iter()
        .map(|entry| {
            let population = match &entry.event {
                Event::Opened => None,
                Event::Allowed { population, .. } => Some(population.as_str()),
                Event::Booked(spent) => {
                    booked.insert(entry.id.as_str(), spent.population.as_str());
                    Some(spent.population.as_str())
                }
                Event::Done => booked.get(entry.id.as_str()).copied(),
            };
            (entry, population)
        })
        .collect()
}

/// A name that is not in the books is a slip, not a population on which nothing was spent.
fn check_population(name: &str, accounts: &BTreeMap<String, Account>, ledger: &Path) -> Result<()> {
    if accounts.contains_key(name) {
        return Ok(());
    }
    let known: Vec<String> = accounts
        .keys()
        .take(POPULATIONS_NAMED)
        .map(|known| format!("{known:?}"))
        .collect();
    let hint = match accounts.len().checked_sub(known.len()) {
        _ if known.is_empty() => "nothing was spent or allowed on anyone yet".to_owned(),
        Some(more) if more > 0 => format!(
            "it has {} and {more} more; `wayveil ledger show` tells all",
            known.join(", ")
        ),
        _ => format!("it has {}", known.join(", ")),
    };
    Err(
        Error::input(format!("the ledger has no population {name:?}"))
            .in_file(ledger.display().to_string())
            .hint(hint),
    )
}

fn shortened(digits: &str) -> String {
    let kept: String = digits.chars().take(SHORT).collect();
    format!("{}…", text_cell(&kept))
}

fn entry_json(entry: &Entry, population: Option<&str>) -> Value {
    let mut object = json!({
        "number": entry.number,
        "time": entry.time,
        "kind": kind(&entry.event),
        "entry": entry.id,
        "population": population,
        "hash": entry.hash,
    });
    match &entry.event {
        Event::Booked(spent) => {
            match &spent.promise {
                Promise::Composes {
                    amount,
                    neighbouring,
                } => {
                    object["amount"] = amount_json(amount);
                    object["neighbouring"] = json!(neighbouring);
                }
                Promise::NotComposing(name) => object["not_composing"] = json!(name),
            }
            object["unit"] = json!(spent.unit);
            object["method"] = json!(spent.method);
            object["variant"] = json!(spent.variant);
        }
        Event::Allowed { allowance, .. } => object["amount"] = amount_json(allowance),
        Event::Opened | Event::Done => {}
    }
    object
}
