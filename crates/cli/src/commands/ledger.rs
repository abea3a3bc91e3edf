//! `wayveil ledger`: what was spent on whom, what may be, and whether the books are sound.

use std::path::Path;

use clap::Subcommand;
use serde_json::{Value, json};
use wayveil_core::{Epsilon, Rational, Result};
use wayveil_ledger::{Chain, Entry, Event, Ledger, Promise};

use crate::books::{
    LedgerFile, account_in_words, account_json, amount_cell, amount_json, name_cell,
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
  wayveil ledger allow riders-2024 --epsilon 3";
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
    #[arg(long, value_name = "E")]
    epsilon: Epsilon,

    /// The same for delta.
    #[arg(long, value_name = "D", default_value = "0")]
    delta: Rational,

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
    let path = arguments.ledger.path()?;
    let mut ledger = Ledger::open(&path)?;
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
        object["ledger"] = json!(path.display().to_string());
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
        ] {
            if count > 0 {
                notes += &format!("{}: {count} {what}\n", name_cell(population));
            }
        }
    }
    let text = if accounts.is_empty() {
        format!("nothing is in the ledger about this\n{}", head_line(&chain))
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
    let wanted = |entry: &&Entry| match &arguments.population {
        None => true,
        Some(only) => population_of(&chain, entry) == Some(only),
    };
    let entries: Vec<&Entry> = chain.entries().iter().filter(wanted).collect();
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
    for entry in &entries {
        let (amount, unit, method) = match &entry.event {
            Event::Booked(spent) => (
                match &spent.promise {
                    Promise::Composes(amount) => amount_cell(amount),
                    Promise::NotComposing(name) => format!("not composing: {name}"),
                },
                spent.unit.clone(),
                format!("{}, {}", spent.method, spent.variant),
            ),
            Event::Allowed { allowance, .. } => {
                (amount_cell(allowance), String::new(), String::new())
            }
            Event::Opened | Event::Done => Default::default(),
        };
        table.row(&[
            entry.number.to_string(),
            entry.time.clone(),
            kind(&entry.event).into(),
            shortened(&entry.id),
            population_of(&chain, entry).map_or_else(String::new, |name| name_cell(name)),
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
            .map(|entry| entry_json(&chain, entry))
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

/// Whom an entry is about; of `done`, whom what is done was about.
fn population_of<'a>(chain: &'a Chain, entry: &'a Entry) -> Option<&'a String> {
    match &entry.event {
        Event::Opened => None,
        Event::Allowed { population, .. } => Some(population),
        Event::Booked(spent) => Some(&spent.population),
        Event::Done => chain.entries().iter().find_map(|other| match &other.event {
            Event::Booked(spent) if other.id == entry.id => Some(&spent.population),
            _ => None,
        }),
    }
}

fn shortened(digits: &str) -> String {
    format!("{}…", digits.chars().take(SHORT).collect::<String>())
}

fn entry_json(chain: &Chain, entry: &Entry) -> Value {
    let mut object = json!({
        "number": entry.number,
        "time": entry.time,
        "kind": kind(&entry.event),
        "entry": entry.id,
        "population": population_of(chain, entry),
        "hash": entry.hash,
    });
    match &entry.event {
        Event::Booked(spent) => {
            match &spent.promise {
                Promise::Composes(amount) => object["amount"] = amount_json(amount),
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
