//! What the ledger says about a spend: refusals, warnings, and commands that help.

use std::path::Path;

use wayveil_core::{Amount, Error};

use crate::account::{Account, TRIP};
use crate::chain::Chain;
use crate::entry::{Entry, Event, Promise, Source, Spent};
use crate::location::default_path;

/// The command that sets an allowance, with the ledger named where it is not the usual one.
pub(crate) struct Hint {
    ledger: String,
}

impl Hint {
    pub(crate) fn new(path: &Path) -> Self {
        let usual = default_path().is_ok_and(|usual| usual == path);
        Self {
            ledger: match usual {
                true => String::new(),
                false => format!(" --ledger {}", quoted(&path.display().to_string())),
            },
        }
    }

    fn allow(&self, population: &str, amount: &Amount) -> String {
        let population = quoted(population);
        let mut flags = format!("--epsilon {}", amount.epsilon);
        if !amount.delta.is_zero() {
            flags += &format!(" --delta {}", amount.delta.scientific());
        }
        format!("wayveil ledger allow {population} {flags}{}", self.ledger)
    }
}

/// A word for a shell, from which nothing can steer a terminal: control characters and those that
/// turn the direction of a text are written by their numbers, as bash and zsh read them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:".contains(c);
    let shown = |c: char| "'\"\\".contains(c) || c.escape_debug().len() == 1;
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        word.to_owned()
    } else if !word.chars().all(shown) {
        let escaped: String = word
            .chars()
            .map(|c| match c {
                '\'' | '\\' => format!("\\{c}"),
                c if shown(c) => c.to_string(),
                c => format!("\\U{:08X}", u32::from(c)),
            })
            .collect();
        format!("$'{escaped}'")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Why a spend beyond the allowance is not made.
pub(crate) fn refusal(population: &str, account: &Account, amount: &Amount, hint: &Hint) -> Error {
    let allowance = account.allowance.clone().unwrap_or_else(Amount::zero);
    let after = account.spent.plus(amount);
    // Neither parameter is lowered on the way.
    let needed = Amount {
        epsilon: after.epsilon.max(allowance.epsilon.clone()),
        delta: after.delta.max(allowance.delta.clone()),
    };
    // A delta of zero is what must be seen where it stands in the way.
    let in_words = |it: &Amount| match amount.delta.is_zero() {
        true => it.in_words(),
        false => format!("epsilon {} and delta {}", it.epsilon, it.delta.scientific()),
    };
    let left = allowance.less(&account.spent);
    let smaller = if left.epsilon.is_zero() {
        String::new()
    } else if left.delta.is_zero() && !amount.delta.is_zero() {
        format!(
            "no delta is left: use a method without one and at most epsilon {}, or ",
            left.epsilon
        )
    } else {
        format!("ask for at most {}, or ", in_words(&left))
    };
    Error::refused(format!(
        "the budget of the population {population:?} is spent: this release costs {}, but {} of {} \
         are spent already",
        in_words(amount),
        in_words(&account.spent),
        in_words(&allowance),
    ))
    .hint(format!(
        "{smaller}raise the allowance on purpose: {}",
        hint.allow(population, &needed)
    ))
}

/// Why a release that no allowance can count is not made under one.
pub(crate) fn refusal_of_uncounted(population: &str, guarantee: &str) -> Error {
    Error::refused(format!(
        "the population {population:?} has an allowance, and this release cannot be counted: its \
         guarantee ({guarantee}) does not add up with others"
    ))
    .hint(
        "publish it beside the allowance on purpose with --beside-allowance; nothing is then \
         promised about the releases together",
    )
}

/// What a publisher should know about a spend that is admitted.
pub(crate) fn notes(chain: &Chain, account: &Account, spent: &Spent, hint: &Hint) -> Vec<String> {
    let population = &spent.population;
    let mut notes = Vec::new();
    match &spent.promise {
        Promise::NotComposing(name) => notes.push(format!(
            "the guarantee of this release ({name}) does not add up with others; it is in the \
             ledger, but not in the sum"
        )),
        Promise::Composes { amount, .. } if account.allowance.is_none() => {
            let sum = account.spent.plus(amount);
            notes.push(format!(
                "nothing limits what is spent on the population {population:?}: {} with this \
                 release; set an allowance with: {}",
                sum.in_words(),
                hint.allow(population, &sum)
            ));
        }
        Promise::Composes { .. } => {}
    }
    let alone = matches!(spent.promise, Promise::Composes { .. }) && account.not_composing == 0;
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
    let shown = account.presence_shown + u64::from(spent.promise.shows_who_takes_part());
    if shown > 0 && shown <= account.booked {
        notes.push(format!(
            "releases of the population {population:?} hide who takes part in some, and only what \
             they did in others: their sum does not hide who takes part"
        ));
    }
    let other = chain.entries().iter().find_map(|entry| match &entry.event {
        Event::Booked(earlier)
            if earlier.source == spent.source && earlier.population != spent.population =>
        {
            Some(&earlier.population)
        }
        _ => None,
    });
    match (other, &spent.source) {
        (None, _) | (_, Source::Unknown) => {}
        (Some(other), Source::Records(_)) => notes.push(format!(
            "the same data was published before as the population {other:?}: what is spent on the \
             same people adds up, but is counted apart; import with --population to join them"
        )),
        (Some(other), Source::Answers(_)) => notes.push(format!(
            "the same answers were booked before as the population {other:?}; they are counted for \
             both"
        )),
    }
    notes
}

/// What a publisher should know who goes on with an entry.
pub(crate) fn going_on(entry: &Entry) -> String {
    format!(
        "these answers were booked before, at {}, and their release was not finished: this goes on with \
         that entry, and nothing more is spent",
        entry.time
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, quoted_word) in [
            ("riders-2024", "riders-2024"),
            ("Zürich", "Zürich"),
            ("", "''"),
            ("-x", "'-x'"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("a\u{202e}b", "$'a\\U0000202Eb'"),
            ("\u{1b}'\\", "$'\\U0000001B\\'\\\\'"),
        ] {
            assert_eq!(quoted(word), quoted_word);
        }
    }
}
