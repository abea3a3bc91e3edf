//! The ledger as the program uses it.

use std::path::Path;

use rusqlite::Connection;
use wayveil_core::{
    Amount, Booking, Books, Delta, Epsilon, Error, Model, PrivacyUnit, Result, Spend,
};

use crate::account::{Account, TRIP};
use crate::chain::{Chain, cooked};
use crate::entry::{Event, Promise, Row, Source, Spent, hex, known_not_composing};
use crate::secret;
use crate::store::{self, State, Store};
use crate::words::{Hint, going_on, notes, refusal, refusal_of_uncounted};

/// The publisher's books, open for writing.
pub struct Ledger {
    store: Store,
    key: [u8; 32],
    booked: Option<String>,
    is_new: bool,
    beside_allowance: bool,
}

impl Ledger {
    /// Opens a ledger for writing and checks all of it; makes one if there is none.
    pub fn open(path: &Path) -> Result<Self> {
        let mut store = Store::open_or_create(path)?;
        let transaction = store.lock()?;
        let is_new = matches!(store::state(&transaction, path)?, State::Empty);
        if is_new {
            secret::refuse_if_left_behind(path)?;
            let id = hex(&secret::random::<16>()?);
            let row = Row::following(None, id, now(), &Event::Opened);
            store::create_schema(&transaction)
                .and_then(|()| store::append(&transaction, &row))
                .map_err(|cause| store::explained(path, &cause))?;
        }
        checked(&transaction, path)?;
        transaction
            .commit()
            .map_err(|cause| store::explained(path, &cause))?;
        // Only now: a secret without a ledger tells that a ledger was lost, not that one was begun.
        let alone = store.lock()?;
        let key = secret::load_or_create(path)?;
        drop(alone);
        Ok(Self {
            store,
            key,
            booked: None,
            is_new,
            beside_allowance: false,
        })
    }

    /// Reads and checks a ledger that is there.
    pub fn read(path: &Path) -> Result<Chain> {
        let absent = || {
            Error::input("there is no ledger here yet")
                .in_file(path.display().to_string())
                .hint(
                    "it is made by the first `wayveil publish` or `wayveil ledger allow`; another \
                     is named with --ledger FILE or in WAYVEIL_LEDGER",
                )
        };
        if !path.exists() {
            secret::refuse_if_left_behind(path)?;
            return Err(absent());
        }
        let store = Store::open(path)?;
        match store::state(store.connection(), path)? {
            State::Empty => {
                secret::refuse_if_left_behind(path)?;
                Err(absent())
            }
            State::Ready => {
                store.check_structure()?;
                checked(store.connection(), path)
            }
        }
    }

    /// All entries, checked.
    pub fn chain(&self) -> Result<Chain> {
        checked(self.store.connection(), self.store.path())
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// Whether there was no ledger before this one was opened: nothing spent earlier is in it.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// From now on also books releases that cannot be counted, because their guarantee does not add
    /// up, on populations that have an allowance. Without this they are refused.
    pub fn accept_beside_allowance(&mut self) {
        self.beside_allowance = true;
    }

    /// The entry that was booked last through this value, whatever became of its release.
    pub fn booked(&self) -> Option<&str> {
        self.booked.as_deref()
    }

    /// Gives a population an allowance, which replaces an earlier one. Returns its account.
    pub fn allow(&mut self, population: &str, epsilon: &Epsilon, delta: &Delta) -> Result<Account> {
        let allowance = Amount {
            epsilon: epsilon.value().clone(),
            delta: delta.value().clone(),
        };
        self.record(|_| {
            let event = Event::Allowed {
                population: population.to_owned(),
                allowance,
            };
            Ok((hex(&secret::random::<16>()?), Some(event)))
        })?;
        let mut accounts = self.chain()?.accounts();
        Ok(accounts.remove(population).unwrap_or_else(Account::empty))
    }

    /// Books a spend unless the allowance of its population forbids it. One on answers goes on with the entry that
    /// an unfinished publication of them has left: it is counted already ([`Books::book`] says why that is
    /// sound for answers, and for nothing else).
    pub(crate) fn spend(&mut self, spent: Spent) -> Result<Booking> {
        let hint_for = Hint::new(self.store.path());
        let beside_allowance = self.beside_allowance;
        let mut warnings = Vec::new();
        let entry = self.record(|chain| {
            if matches!(spent.source, Source::Answers(_))
                && let Some(entry) = chain.open(&spent)
            {
                warnings = vec![going_on(entry)];
                return Ok((entry.id.clone(), None));
            }
            let mut accounts = chain.accounts();
            let account = accounts
                .remove(&spent.population)
                .unwrap_or_else(Account::empty);
            match &spent.promise {
                Promise::Composes { amount, .. } if !account.admits(amount) => {
                    return Err(refusal(&spent.population, &account, amount, &hint_for));
                }
                Promise::NotComposing(name) if account.allowance.is_some() && !beside_allowance => {
                    return Err(refusal_of_uncounted(&spent.population, name));
                }
                _ => warnings = notes(chain, &account, &spent, &hint_for),
            }
            Ok((hex(&secret::random::<16>()?), Some(Event::Booked(spent))))
        })?;
        self.booked = Some(entry.clone());
        Ok(Booking { entry, warnings })
    }

    /// Appends one entry, or names one that is there already, decided upon with all others in view while nobody else can write. When it
    /// returns, the entry was read again from the file: before the commit, with all that it must
    /// make sense with, and after it.
    fn record(
        &mut self,
        decide: impl FnOnce(&Chain) -> Result<(String, Option<Event>)>,
    ) -> Result<String> {
        let path = self.store.path().to_owned();
        let transaction = self.store.lock()?;
        let chain = checked(&transaction, &path)?;
        let (id, event) = decide(&chain)?;
        let Some(event) = event else {
            return Ok(id);
        };
        let row = Row::following(chain.entries().last(), id, now(), &event);
        store::append(&transaction, &row).map_err(|cause| store::explained(&path, &cause))?;
        if checked(&transaction, &path)?.head() != row.hash {
            return Err(in_file(not_kept(row.number), &path));
        }
        transaction
            .commit()
            .map_err(|cause| store::explained(&path, &cause))?;
        confirm(&path, &row)?;
        Ok(row.id)
    }
}

impl Books for Ledger {
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking> {
        let promise = match (spend.cost.amount(), &spend.guarantee.model) {
            (Some(amount), Model::DifferentialPrivacy { neighbouring, .. }) => Promise::Composes {
                amount,
                neighbouring: *neighbouring,
            },
            (None, model) | (_, model @ Model::None { .. })
                if known_not_composing(model.name()) =>
            {
                Promise::NotComposing(model.name().to_owned())
            }
            (_, model) => {
                return Err(Error::refused(format!(
                    "the ledger does not know how to count the guarantee {}",
                    model.name()
                )));
            }
        };
        self.spend(Spent {
            population: spend.population().to_owned(),
            promise,
            unit: match spend.guarantee.unit {
                PrivacyUnit::Owner => "owner".into(),
                PrivacyUnit::OwnerBounded(trips) => format!("owner, at most {trips} trips"),
                PrivacyUnit::Trip => TRIP.into(),
            },
            method: spend.method.to_owned(),
            variant: spend.variant.to_owned(),
            source: match (spend.answers(), spend.fingerprint(&self.key)) {
                (Some(name), _) => Source::Answers(hex(name)),
                (None, Some(fingerprint)) => Source::Records(fingerprint),
                (None, None) => Source::Unknown,
            },
        })
    }

    fn done(&mut self, entry: &str) -> Result<()> {
        self.record(|chain| {
            if chain.booked(entry).is_none() || chain.is_done(entry) {
                return Err(Error::refused(format!(
                    "the ledger has no open entry {entry}"
                )));
            }
            Ok((entry.to_owned(), Some(Event::Done)))
        })
        .map(|_| ())
    }
}

/// All entries of a file that is a ledger, inside or outside a transaction.
fn checked(connection: &Connection, path: &Path) -> Result<Chain> {
    match store::state(connection, path)? {
        State::Empty => Err(in_file(cooked("the ledger was emptied".into()), path)),
        State::Ready => {
            Chain::check(store::rows(connection, path)?).map_err(|error| in_file(error, path))
        }
    }
}

/// Reads an entry again, through the name of the file: it must be there as it was written, in the
/// file that others will find. Others may have appended to it meanwhile.
fn confirm(path: &Path, row: &Row) -> Result<()> {
    let again = Store::open(path)?;
    let found = store::rows(again.connection(), path)?;
    match found.iter().find(|other| other.number == row.number) {
        Some(other) if other == row => Ok(()),
        _ => Err(in_file(not_kept(row.number), path)),
    }
}

fn not_kept(number: u32) -> Error {
    cooked(format!(
        "the ledger was changed: entry {number} is not in it as it was just written"
    ))
}

fn in_file(error: Error, path: &Path) -> Error {
    error.in_file(path.display().to_string())
}

fn now() -> String {
    jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}

#[cfg(test)]
mod tests;
