//! Checks that entries follow from one another, and names the first that does not.

use std::collections::BTreeMap;

use wayveil_core::{Error, Result};

use crate::account::{Account, accounts};
use crate::entry::{Entry, Event, NOTHING_BEFORE, Row, Source, Spent, hex};

/// All entries of a ledger, checked.
#[derive(Clone, Debug)]
pub struct Chain {
    entries: Vec<Entry>,
}

impl Chain {
    /// Recomputes every hash and follows every link.
    pub(crate) fn check(rows: Vec<Row>) -> Result<Self> {
        let mut entries = Vec::with_capacity(rows.len());
        let mut last = NOTHING_BEFORE.to_owned();
        for (expected, row) in (1..).zip(rows) {
            if row.computed_hash() != row.hash {
                return Err(cooked(format!(
                    "entry {} was changed: its hash is not that of what it says",
                    row.number
                )));
            }
            if row.number != expected {
                return Err(cooked(format!(
                    "entry {expected} was removed: entry {} stands in its place",
                    row.number
                )));
            }
            if row.previous != last {
                return Err(cooked(format!(
                    "entry {expected} does not follow from the one before it: entry {} was changed, \
                     replaced or moved",
                    expected - 1
                )));
            }
            last.clone_from(&row.hash);
            entries.push(row.understood()?);
        }
        check_meaning(&entries)?;
        Ok(Self { entries })
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The hash of the last entry, over everything before it.
    pub fn head(&self) -> &str {
        self.entries
            .last()
            .map_or(NOTHING_BEFORE, |entry| &entry.hash)
    }

    /// All accounts, by population.
    pub fn accounts(&self) -> BTreeMap<String, Account> {
        accounts(&self.entries)
    }

    /// The entry of a spend that is booked and not done, if there is one that is the same in everything.
    pub(crate) fn open(&self, spent: &Spent) -> Option<&Entry> {
        self.entries.iter().find(|entry| match &entry.event {
            Event::Booked(earlier) => earlier == spent && !self.is_done(&entry.id),
            _ => false,
        })
    }

    /// Whether an entry is a spend on the answers of this name ([`wayveil_core::Spend::answers`]).
    pub fn is_about(&self, entry: &str, answers: &[u8; 32]) -> bool {
        let name = Source::Answers(hex(answers));
        let spent = self.booked(entry);
        spent.is_some_and(|spent| spent.source == name)
    }

    /// What was booked under a name, if anything was.
    pub(crate) fn booked(&self, entry: &str) -> Option<&Spent> {
        self.entries.iter().find_map(|it| match &it.event {
            Event::Booked(spent) if it.id == entry => Some(spent),
            _ => None,
        })
    }

    /// Whether an entry's release is known to be in its place.
    pub fn is_done(&self, entry: &str) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|it| it.id == entry && it.event == Event::Done)
    }

    /// The entries that were added after the one whose hash a publisher has kept, or a refusal: the
    /// ledger does not contain what it contained then.
    pub fn since(&self, head: &str) -> Result<&[Entry]> {
        let kept = head.trim().to_ascii_lowercase();
        if kept.len() != NOTHING_BEFORE.len() || !kept.bytes().all(|byte| byte.is_ascii_hexdigit())
        {
            return Err(Error::input(format!(
                "invalid head (got {head:?}): must be 64 hexadecimal digits"
            ))
            .hint("give the head as `wayveil publish` or `wayveil ledger show` printed it"));
        }
        match self.entries.iter().position(|entry| entry.hash == kept) {
            Some(index) => Ok(&self.entries[index + 1..]),
            None => Err(cooked(format!(
                "no entry has the hash {kept}: entries that it stood for were removed or rewritten, \
                 or it belongs to another ledger"
            ))),
        }
    }
}

/// What no program of ours writes, however well it is chained.
fn check_meaning(entries: &[Entry]) -> Result<()> {
    if entries.is_empty() {
        return Err(cooked(
            "the ledger was emptied: not even the entry that opened it is left".into(),
        ));
    }
    // Whether what was booked is done.
    let mut booked = BTreeMap::new();
    for entry in entries {
        let number = entry.number;
        let sound = match &entry.event {
            Event::Opened => number == 1,
            Event::Allowed { .. } => number > 1,
            Event::Booked(_) => number > 1 && booked.insert(entry.id.as_str(), false).is_none(),
            Event::Done => booked.insert(entry.id.as_str(), true) == Some(false),
        };
        if !sound {
            return Err(cooked(format!("entry {number} cannot stand where it does")));
        }
    }
    Ok(())
}

pub(crate) fn cooked(message: String) -> Error {
    Error::refused(message).hint(
        "restore the ledger from a copy whose head you have kept; until then nothing is published \
         on it",
    )
}

#[cfg(test)]
mod tests {
    use wayveil_core::Amount;

    use super::*;
    use crate::entry::Promise;

    fn chained(events: &[(&str, Event)]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for (id, event) in events {
            let last = rows.last().map(|row| row.clone().understood().unwrap());
            rows.push(Row::following(
                last.as_ref(),
                (*id).into(),
                "t".into(),
                event,
            ));
        }
        rows
    }

    fn sample() -> Vec<Row> {
        let allowed = |population: &str, epsilon: &str| Event::Allowed {
            population: population.into(),
            allowance: Amount::pure(epsilon.parse().unwrap()),
        };
        chained(&[
            ("a", Event::Opened),
            ("b", allowed("p", "1")),
            ("c", allowed("p", "2")),
            ("d", allowed("q", "3")),
        ])
    }

    fn refusal(rows: Vec<Row>) -> String {
        let error = Chain::check(rows).expect_err("cooked books");
        assert_eq!(error.exit_code(), 1);
        error.message().to_owned()
    }

    #[test]
    fn whatever_is_done_to_an_entry_is_named() {
        assert_eq!(Chain::check(sample()).unwrap().entries().len(), 4);

        let mut changed = sample();
        changed[1].epsilon = "9".into();
        assert!(refusal(changed.clone()).contains("entry 2 was changed"));
        changed[1].hash = changed[1].computed_hash();
        assert!(refusal(changed).contains("entry 3 does not follow"));

        let mut removed = sample();
        removed.remove(2);
        assert!(refusal(removed.clone()).contains("entry 3 was removed"));
        removed[2].number = 3;
        removed[2].hash = removed[2].computed_hash();
        assert!(refusal(removed).contains("entry 3 does not follow"));

        let mut moved = sample();
        moved.swap(1, 2);
        assert!(refusal(moved.clone()).contains("entry 2 was removed"));
        (moved[1].number, moved[2].number) = (2, 3);
        assert!(refusal(moved).contains("entry 2 was changed"));
    }

    #[test]
    fn a_kept_head_tells_what_the_chain_alone_cannot() {
        let whole = Chain::check(sample()).unwrap();
        let head = whole.head().to_owned();
        assert_eq!(whole.since(&head).unwrap(), []);
        assert_eq!(whole.since(&whole.entries()[1].hash).unwrap().len(), 2);

        let mut short = sample();
        short.pop();
        let short = Chain::check(short).expect("a chain that ends early is a chain");
        assert_eq!(short.since(&head).unwrap_err().exit_code(), 1);

        let mut rewritten = sample();
        rewritten[1].epsilon = "9".into();
        for index in 1..rewritten.len() {
            rewritten[index].previous = rewritten[index - 1].hash.clone();
            rewritten[index].hash = rewritten[index].computed_hash();
        }
        let rewritten = Chain::check(rewritten).expect("hashed anew, it is a chain");
        assert_eq!(rewritten.since(&head).unwrap_err().exit_code(), 1);

        assert_eq!(whole.since("12ab").unwrap_err().exit_code(), 2);
    }

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        refusal(chained(&[("a", Event::Opened), ("b", Event::Opened)]));
        refusal(chained(&[("a", Event::Opened), ("b", Event::Done)]));
        let booked = || {
            Event::Booked(Spent {
                population: "p".into(),
                promise: Promise::NotComposing("none".into()),
                unit: "owner".into(),
                method: "m".into(),
                variant: "repaired".into(),
                source: Source::Unknown,
            })
        };
        let (opened, done) = (("a", Event::Opened), ("b", Event::Done));
        let first = ("b", booked());
        let sound = [opened.clone(), first.clone(), done.clone()];
        assert!(Chain::check(chained(&sound)).is_ok());
        refusal(chained(&[
            opened.clone(),
            first.clone(),
            done.clone(),
            done.clone(),
        ]));
        refusal(chained(&[opened, first.clone(), done, first.clone()]));
        refusal(chained(&[first]));
    }

    #[test]
    fn a_ledger_without_its_first_entry_is_refused() {
        assert!(refusal(vec![]).contains("emptied"));
        assert!(refusal(sample().split_off(1)).contains("entry 1 was removed"));
        let allowed = Event::Allowed {
            population: "p".into(),
            allowance: Amount::pure("1".parse().unwrap()),
        };
        assert!(refusal(chained(&[("a", allowed)])).contains("entry 1 cannot stand"));
    }
}
