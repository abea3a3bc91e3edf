//! Which ledger is used, and how its figures are shown.

use std::path::PathBuf;

use serde_json::{Value, json};
use wayveil_core::{Rational, Result};
use wayveil_ledger::{Account, Amount, default_path};

/// The variable that names the ledger where no flag does.
const VARIABLE: &str = "WAYVEIL_LEDGER";

/// The choice of a ledger, for every command that uses one.
#[derive(clap::Args)]
pub(crate) struct LedgerFile {
    /// The ledger, instead of the one that WAYVEIL_LEDGER names or that lies in your data folder.
    #[arg(long = "ledger", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl LedgerFile {
    pub(crate) fn path(&self) -> Result<PathBuf> {
        let named = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
        match self.file.clone().or_else(|| named().map(PathBuf::from)) {
            Some(path) => Ok(path),
            None => default_path(),
        }
    }
}

/// An amount for machines: exact, and as numbers for reading.
pub(crate) fn amount_json(amount: &Amount) -> Value {
    json!({
        "epsilon": amount.epsilon.to_f64(),
        "epsilon_exact": amount.epsilon.exact_text(),
        "delta": amount.delta.to_f64(),
        "delta_exact": amount.delta.exact_text(),
    })
}

/// An account for machines.
pub(crate) fn account_json(population: &str, account: &Account) -> Value {
    json!({
        "population": population,
        "spent": amount_json(&account.spent),
        "allowance": account.allowance.as_ref().map(amount_json),
        "left": account.left().as_ref().map(amount_json),
        "releases": account.booked,
        "done": account.done,
        "not_composing": account.not_composing,
        "single_trips_only": account.trips_only,
    })
}

/// What is spent, and what is left of what, in one line.
pub(crate) fn account_in_words(population: &str, account: &Account) -> String {
    let spent = format!(
        "spent on the population {population:?} so far: {}",
        account.spent.in_words()
    );
    match (&account.allowance, account.left()) {
        (Some(allowance), Some(left)) => format!(
            "{spent} of {}; left: {}",
            allowance.in_words(),
            left.in_words()
        ),
        _ => spent,
    }
}

/// ε for a table, and δ where there is one.
pub(crate) fn amount_cell(amount: &Amount) -> String {
    let Amount { epsilon, delta } = amount;
    if *delta == Rational::zero() {
        epsilon.to_string()
    } else {
        format!("{epsilon} (delta {delta})")
    }
}

/// A name for a terminal, which must not be able to steer it.
pub(crate) fn name_cell(name: &str) -> String {
    if name.is_empty() || name.chars().any(char::is_control) {
        format!("{name:?}")
    } else {
        name.to_owned()
    }
}
