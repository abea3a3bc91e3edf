//! The ledger as the program uses it.

use std::path::Path;

use wayveil_core::{
    Booking, Books, Cost, Epsilon, Error, Model, PrivacyUnit, Rational, Result, Spend,
};

use crate::account::{Account, Amount, TRIP};
use crate::chain::Chain;
use crate::entry::{Event, Promise, Row, Spent, hex};
use crate::location::default_path;
use crate::secret;
use crate::store::{self, State, Store};

/// The publisher's books, open for writing.
pub struct Ledger {
    store: Store,
    key: [u8; 32],
    booked: Option<String>,
}

impl Ledger {
    /// Opens a ledger for writing and checks all of it; makes one if there is none.
    pub fn open(path: &Path) -> Result<Self> {
        let mut store = Store::open_or_create(path)?;
        let transaction = store.lock()?;
        if let State::Empty = store::state(&transaction, path)? {
            let id = hex(&secret::random::<16>()?);
            let row = Row::following(None, id, now(), &Event::Opened);
            store::create_schema(&transaction)
                .and_then(|()| store::append(&transaction, &row))
                .map_err(|cause| store::explained(path, &cause))?;
        }
        Chain::check(store::rows(&transaction, path)?).map_err(|error| in_file(error, path))?;
        let key = secret::load_or_create(path)?;
        transaction
            .commit()
            .map_err(|cause| store::explained(path, &cause))?;
        Ok(Self {
            store,
            key,
            booked: None,
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
            return Err(absent());
        }
        let store = Store::open(path)?;
        match store.state()? {
            State::Empty => Err(absent()),
            State::Ready => {
                store.check_structure()?;
                Chain::check(store.rows()?).map_err(|error| in_file(error, path))
            }
        }
    }

    /// All entries, checked.
    pub fn chain(&self) -> Result<Chain> {
        Chain::check(self.store.rows()?).map_err(|error| in_file(error, self.store.path()))
    }

    /// The entry that was booked last through this value, whatever became of its release.
    pub fn booked(&self) -> Option<&str> {
        self.booked.as_deref()
    }

    /// Gives a population an allowance, which replaces an earlier one. Returns its account.
    pub fn allow(
        &mut self,
        population: &str,
        epsilon: &Epsilon,
        delta: &Rational,
    ) -> Result<Account> {
        if *delta >= Rational::new(1, 1)? {
            return Err(
                Error::input(format!("invalid delta (got {delta}): must be below 1")).hint(
                    "common choices are far below one over the number of people, such as 1e-9",
                ),
            );
        }
        let allowance = Amount {
            epsilon: epsilon.value().clone(),
            delta: delta.clone(),
        };
        self.record(|_| {
            let event = Event::Allowed {
                population: population.to_owned(),
                allowance,
            };
            Ok((hex(&secret::random::<16>()?), event))
        })?;
        let mut accounts = self.chain()?.accounts();
        Ok(accounts.remove(population).unwrap_or_else(Account::empty))
    }

    /// Books a spend unless the allowance of its population forbids it.
    pub(crate) fn spend(&mut self, spent: Spent) -> Result<Booking> {
        let hint_for = Hint::new(self.store.path());
        let mut warnings = Vec::new();
        let entry = self.record(|chain| {
            let mut accounts = chain.accounts();
            let account = accounts
                .remove(&spent.population)
                .unwrap_or_else(Account::empty);
            match &spent.promise {
                Promise::Composes(amount) if !account.admits(amount) => {
                    return Err(refusal(&spent.population, &account, amount, &hint_for));
                }
                _ => warnings = notes(chain, &account, &spent, &hint_for),
            }
            Ok((hex(&secret::random::<16>()?), Event::Booked(spent)))
        })?;
        self.booked = Some(entry.clone());
        Ok(Booking { entry, warnings })
    }

    /// Appends one entry, decided upon with all others in view while nobody else can write.
    fn record(&mut self, decide: impl FnOnce(&Chain) -> Result<(String, Event)>) -> Result<String> {
        let path = self.store.path().to_owned();
        let transaction = self.store.lock()?;
        let chain = Chain::check(store::rows(&transaction, &path)?)
            .map_err(|error| in_file(error, &path))?;
        let (id, event) = decide(&chain)?;
        let row = Row::following(chain.entries().last(), id, now(), &event);
        store::append(&transaction, &row).map_err(|cause| store::explained(&path, &cause))?;
        transaction
            .commit()
            .map_err(|cause| store::explained(&path, &cause))?;
        Ok(row.id)
    }
}

impl Books for Ledger {
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking> {
        let promise = match (spend.cost, &spend.guarantee.model) {
            (Cost::NotComposing, model) | (_, model @ Model::None { .. }) => {
                Promise::NotComposing(model.name().to_owned())
            }
            (Cost::Pure(epsilon), Model::DifferentialPrivacy { .. }) => {
                Promise::Composes(Amount::pure(epsilon.value().clone()))
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
            fingerprint: spend.fingerprint(&self.key),
        })
    }

    fn done(&mut self, entry: &str) -> Result<()> {
        self.record(|chain| {
            let named = |event: fn(&Event) -> bool| {
                chain
                    .entries()
                    .iter()
                    .any(|other| other.id == entry && event(&other.event))
            };
            let booked = named(|event| matches!(event, Event::Booked(_)));
            if !booked || named(|event| matches!(event, Event::Done)) {
                return Err(Error::refused(format!(
                    "the ledger has no open entry {entry}"
                )));
            }
            Ok((entry.to_owned(), Event::Done))
        })
        .map(|_| ())
    }
}

/// The command that sets an allowance, with the ledger named where it is not the usual one.
struct Hint {
    ledger: String,
}

impl Hint {
    fn new(path: &Path) -> Self {
        let usual = default_path().is_ok_and(|usual| usual == path);
        Self {
            ledger: match usual {
                true => String::new(),
                false => format!(" --ledger {}", quoted(&path.display().to_string())),
            },
        }
    }

    fn allow(&self, population: &str, amount: &str) -> String {
        let population = quoted(population);
        format!("wayveil ledger allow {population} {amount}{}", self.ledger)
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn refusal(population: &str, account: &Account, amount: &Amount, hint: &Hint) -> Error {
    let allowance = account.allowance.clone().unwrap_or_else(Amount::zero);
    let after = account.spent.plus(amount);
    // Neither parameter is lowered on the way.
    let needed = Amount {
        epsilon: after.epsilon.max(allowance.epsilon.clone()),
        delta: after.delta.max(allowance.delta.clone()),
    };
    let mut flags = format!("--epsilon {}", needed.epsilon);
    if !needed.delta.is_zero() {
        flags += &format!(" --delta {}", needed.delta);
    }
    Error::refused(format!(
        "the budget of the population {population:?} is spent: this release costs {}, but {} of {} \
         are spent already",
        amount.in_words(),
        account.spent.in_words(),
        allowance.in_words(),
    ))
    .hint(format!(
        "{}raise the allowance on purpose: {}",
        match allowance.less(&account.spent) {
            left if left.epsilon.is_zero() => String::new(),
            left => format!("ask for at most {}, or ", left.in_words()),
        },
        hint.allow(population, &flags)
    ))
}

/// What a publisher should know about a spend that is admitted.
fn notes(chain: &Chain, account: &Account, spent: &Spent, hint: &Hint) -> Vec<String> {
    let population = &spent.population;
    let mut notes = Vec::new();
    match &spent.promise {
        Promise::NotComposing(name) => notes.push(format!(
            "the guarantee of this release ({name}) does not add up with others; it is in the \
             ledger, but not in the sum"
        )),
        Promise::Composes(amount) if account.allowance.is_none() => {
            let sum = account.spent.plus(amount);
            notes.push(format!(
                "nothing limits what is spent on the population {population:?}: {} with this \
                 release; set an allowance with: {}",
                sum.in_words(),
                hint.allow(population, &format!("--epsilon {}", sum.epsilon))
            ));
        }
        Promise::Composes(_) => {}
    }
    let alone = matches!(spent.promise, Promise::Composes(_)) && account.not_composing == 0;
    if account.booked > 0 && !alone {
        let times = if account.booked == 1 { "time" } else { "times" };
        notes.push(format!(
            "the population {population:?} was released {} {times} before: not all of these \
             guarantees add up, and nothing is promised about the releases together",
            account.booked
        ));
    }
    let trips = account.trips_only + u64::from(spent.unit == TRIP);
    if trips > 0 && trips <= account.booked {
        notes.push(format!(
            "releases of the population {population:?} protect single trips in part and people in \
             part: their sum is no promise about people"
        ));
    }
    let other = chain.entries().iter().find_map(|entry| match &entry.event {
        Event::Booked(earlier)
            if earlier.fingerprint == spent.fingerprint
                && earlier.population != spent.population =>
        {
            earlier.fingerprint.as_ref().map(|_| &earlier.population)
        }
        _ => None,
    });
    if let Some(other) = other {
        notes.push(format!(
            "the same data was published before as the population {other:?}: what is spent on the \
             same people adds up, but is counted apart; import with --population to join them"
        ));
    }
    notes
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
