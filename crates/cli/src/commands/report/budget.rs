//! What the books say of the people in a report.

use wayveil_ledger::{Chain, Entry, Event, Promise, Spent};
use wayveil_report::page::{BudgetEntry, BudgetFacts};

/// The account of a population with its releases, the one with this id marked; none where the books do
/// not know the population.
pub(super) fn budget(chain: &Chain, population: &str, release: &str) -> Option<BudgetFacts> {
    let account = chain.accounts().remove(population)?;
    let booked = |entry: &Entry| match &entry.event {
        Event::Booked(spent) if spent.population == population => Some(line(entry, spent, release)),
        _ => None,
    };
    Some(BudgetFacts {
        population: population.into(),
        spent: account.spent.in_words(),
        spent_epsilon: account.spent.epsilon.to_f64(),
        allowance: account.allowance.as_ref().map(|it| it.in_words()),
        allowance_epsilon: account.allowance.as_ref().map(|it| it.epsilon.to_f64()),
        left: account.left().map(|left| left.in_words()),
        entries: chain.entries().iter().filter_map(booked).collect(),
    })
}

fn line(entry: &Entry, spent: &Spent, release: &str) -> BudgetEntry {
    let (cost, epsilon) = match &spent.promise {
        Promise::Composes { amount, .. } => (amount.in_words(), Some(amount.epsilon.to_f64())),
        Promise::NotComposing(name) => (format!("{name}, which does not add up"), None),
    };
    BudgetEntry {
        // The date of an RFC 3339 time.
        date: entry.time.chars().take(10).collect(),
        method: format!("{} ({})", spent.method, spent.variant),
        cost,
        epsilon,
        this_one: entry.id == release,
    }
}
