//! What the phone's own books say, for its owner to read.

use wayveil_core::{Epsilon, Rational, Result};

use crate::disk::Disk;
use crate::ledger::Ledger;
use crate::outcome::Outcome;
use crate::state::{Stage, State};

/// All that was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The ε of all campaigns together.
    pub total: Rational,
    /// The campaigns that were paid for, in the order of booking.
    pub paid: Vec<Paid>,
}

/// A campaign that was paid for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paid {
    /// Its number.
    pub campaign: u64,
    /// What it cost.
    pub epsilon: Epsilon,
    /// Where it was joined, if the file that says so is still there.
    pub collector: Option<String>,
    /// How it ended, if it has and the file is still there.
    pub outcome: Option<Outcome>,
}

impl History {
    /// Reads the books.
    pub fn read(disk: &dyn Disk) -> Result<Self> {
        let ledger = Ledger::read(disk)?;
        let paid = ledger.entries().map(|(campaign, epsilon)| {
            let state = State::read(disk, campaign)?;
            let (collector, stage) = state.map(|kept| (kept.collector, kept.stage)).unzip();
            Ok(Paid {
                campaign,
                epsilon: epsilon.clone(),
                collector,
                outcome: match stage {
                    Some(Stage::Ended(outcome)) => Some(outcome),
                    Some(Stage::Joined(_)) | None => None,
                },
            })
        });
        Ok(Self {
            total: ledger.total(),
            paid: paid.collect::<Result<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Folder;

    #[test]
    fn what_was_paid_is_told_with_or_without_its_file() {
        let scratch = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(scratch.path()).unwrap();
        assert_eq!(History::read(&folder).unwrap().paid, []);
        let mut ledger = Ledger::read(&folder).unwrap();
        for (campaign, epsilon) in [(7, "1/2"), (8, "2")] {
            let epsilon = epsilon.parse().unwrap();
            ledger.book(&mut folder, campaign, &epsilon).unwrap();
        }
        let ended = State {
            collector: "https://count.example.org".to_owned(),
            stage: Stage::Ended(Outcome::Counted),
        };
        ended.keep(&mut folder, 8).unwrap();

        let history = History::read(&folder).unwrap();
        assert_eq!(history.total, "5/2".parse().unwrap());
        let [gone, there] = &history.paid[..] else {
            panic!("{history:?}");
        };
        assert_eq!(
            (gone.campaign, &gone.collector, &gone.outcome),
            (7, &None, &None)
        );
        assert_eq!(
            there.collector.as_deref(),
            Some("https://count.example.org")
        );
        assert_eq!(there.outcome, Some(Outcome::Counted));

        folder.replace(&State::file(8), b"changed").unwrap();
        let refused = History::read(&folder).unwrap_err();
        assert_eq!(refused.place().unwrap().file, State::file(8));
    }
}
