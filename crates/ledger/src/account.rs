//! What was spent on a population, exactly.
//!
//! ε and δ are added whatever the relation of an entry is. The sum bounds how much likelier all releases
//! together are than they would be if a person had been left out of those that hide presence, and had
//! done anything else in those under replacement: each release is compared with its own alternative, and
//! the factors multiply. It is no bound on telling apart two trajectories of someone who is in all of
//! them (see `docs/ledger.md`), nor on presence where that is not hidden.

use std::collections::BTreeMap;

use wayveil_core::Amount;

use crate::entry::{Entry, Event, Promise};

/// What was spent on one population.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The sum over all its entries, done or only booked.
    pub spent: Amount,
    /// What may be spent in all, if anything limits it.
    pub allowance: Option<Amount>,
    /// How many releases were booked.
    pub booked: u64,
    /// How many of them are known to be in their place.
    pub done: u64,
    /// How many of them have a guarantee that does not add up; `spent` says nothing about them.
    pub not_composing: u64,
    /// How many of them protect single trips only, so that `spent` is no promise about people.
    pub trips_only: u64,
    /// How many of them do not hide who takes part; they are in `spent`.
    pub presence_shown: u64,
}

/// The unit that protects single trips, as entries name it.
pub(crate) const TRIP: &str = "trip";

impl Account {
    /// An account on which nothing was done yet.
    pub fn empty() -> Self {
        Self {
            spent: Amount::zero(),
            allowance: None,
            booked: 0,
            done: 0,
            not_composing: 0,
            trips_only: 0,
            presence_shown: 0,
        }
    }

    /// What is left of the allowance, if there is one.
    pub fn left(&self) -> Option<Amount> {
        Some(self.allowance.as_ref()?.less(&self.spent))
    }

    /// Whether a spend can be made.
    pub(crate) fn admits(&self, amount: &Amount) -> bool {
        match &self.allowance {
            None => true,
            Some(allowance) => self.spent.plus(amount).within(allowance),
        }
    }
}

/// All accounts, by population.
pub(crate) fn accounts(entries: &[Entry]) -> BTreeMap<String, Account> {
    let mut accounts = BTreeMap::<String, Account>::new();
    let mut owner = BTreeMap::<&str, &str>::new();
    for entry in entries {
        match &entry.event {
            Event::Opened => {}
            Event::Allowed {
                population,
                allowance,
            } => {
                let account = of(&mut accounts, population);
                account.allowance = Some(allowance.clone());
            }
            Event::Booked(spent) => {
                owner.insert(&entry.id, &spent.population);
                let account = of(&mut accounts, &spent.population);
                account.booked += 1;
                account.trips_only += u64::from(spent.unit == TRIP);
                account.presence_shown += u64::from(spent.promise.shows_who_takes_part());
                match &spent.promise {
                    Promise::Composes { amount, .. } => account.spent = account.spent.plus(amount),
                    Promise::NotComposing(_) => account.not_composing += 1,
                }
            }
            Event::Done => {
                if let Some(population) = owner.get(entry.id.as_str()) {
                    of(&mut accounts, population).done += 1;
                }
            }
        }
    }
    accounts
}

fn of<'a>(accounts: &'a mut BTreeMap<String, Account>, population: &str) -> &'a mut Account {
    accounts
        .entry(population.to_owned())
        .or_insert_with(Account::empty)
}
