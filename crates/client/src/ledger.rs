//! What was spent in all campaigns: one file, a line for each campaign, never changed.
//!
//! A line names the campaign and its ε and ends in a hash of itself and all lines before it, so that
//! a line that was changed or taken out is seen. The end of the file can be cut off unseen: this
//! guards against faults, not against the phone's owner.

use sha2::{Digest, Sha256};
use wayveil_core::{Epsilon, Error, Rational, Result};

use crate::disk::Disk;
use crate::encoding::hex;

/// The file's name.
pub const NAME: &str = "ledger";

const START: &[u8] = b"wayveil client ledger 1";

/// The books of one person.
#[derive(Clone, Debug)]
pub struct Ledger {
    entries: Vec<(u64, Epsilon)>,
    /// The hash of the last line.
    hash: [u8; 32],
    /// The length of all whole lines.
    whole: u64,
}

impl Ledger {
    /// Reads the books. What follows the last whole line is an entry that was cut short: what it
    /// was to pay for was never sent.
    pub fn read(disk: &dyn Disk) -> Result<Self> {
        let bytes = disk.read(NAME)?.unwrap_or_default();
        let end = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| damaged(1))?;
        let mut ledger = Self {
            entries: Vec::new(),
            hash: Sha256::digest(START).into(),
            whole: end as u64,
        };
        for (number, line) in (1..).zip(text.lines()) {
            let entry = ledger.checked(line).ok_or_else(|| damaged(number))?;
            ledger.hash = chained(&ledger.hash, &body(&entry));
            ledger.entries.push(entry);
        }
        Ok(ledger)
    }

    /// The entry of a line that is in its one form and follows the lines before.
    fn checked(&self, line: &str) -> Option<(u64, Epsilon)> {
        let mut words = line.split(' ');
        let campaign = u64::from_str_radix(words.next()?, 16).ok()?;
        let epsilon = Rational::from_exact_text(words.next()?).ok()?;
        let entry = (campaign, Epsilon::new(epsilon).ok()?);
        let expected = format!(
            "{} {}",
            body(&entry),
            hex(&chained(&self.hash, &body(&entry)))
        );
        (line == expected && !self.has(campaign)).then_some(entry)
    }

    /// Whether a campaign was paid for.
    pub fn has(&self, campaign: u64) -> bool {
        self.entries.iter().any(|&(booked, _)| booked == campaign)
    }

    /// The campaigns that were paid for, with what each cost, in the order of booking.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &Epsilon)> {
        self.entries
            .iter()
            .map(|(campaign, spent)| (*campaign, spent))
    }

    /// How many campaigns were paid for.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was paid for.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The ε of all campaigns together.
    pub fn total(&self) -> Rational {
        let sum = |sum: Rational, (_, epsilon): &(u64, Epsilon)| sum.plus(epsilon.value());
        self.entries.iter().fold(Rational::zero(), sum)
    }

    /// Whether one more campaign would stay within the owner's total; the refusal says what is left.
    pub fn check(&self, epsilon: &Epsilon, most: &Epsilon) -> Result<()> {
        match self.total().plus(epsilon.value()) <= *most.value() {
            true => Ok(()),
            false => Err(Error::refused(format!(
                "the campaign's epsilon {epsilon} and the {} spent in {} earlier campaigns are above \
                 the {most} that this client accepts in all",
                self.total(),
                self.len()
            ))
            .hint("nothing was answered; who wants to accept more says so with --accept-total, in an app with acceptTotal")),
        }
    }

    /// Books a campaign, durably.
    pub fn book(&mut self, disk: &mut dyn Disk, campaign: u64, epsilon: &Epsilon) -> Result<()> {
        if self.has(campaign) {
            return Err(Error::refused("this campaign was paid for already"));
        }
        let entry = (campaign, epsilon.clone());
        let hash = chained(&self.hash, &body(&entry));
        let line = format!("{} {}\n", body(&entry), hex(&hash));
        disk.append(NAME, self.whole, line.as_bytes())?;
        self.whole += line.len() as u64;
        self.hash = hash;
        self.entries.push(entry);
        Ok(())
    }
}

fn body((campaign, epsilon): &(u64, Epsilon)) -> String {
    format!("{campaign:016x} {}", epsilon.value().exact_text())
}

fn chained(before: &[u8; 32], body: &str) -> [u8; 32] {
    let hash = Sha256::new().chain_update(before).chain_update(body);
    hash.finalize().into()
}

fn damaged(line: u64) -> Error {
    Error::input("the ledger of campaigns is damaged")
        .in_file(NAME)
        .at_line(line)
        .hint("without it nobody knows what was spent: take part in nothing more from this folder")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::disk::Folder;

    fn epsilon(text: &str) -> Epsilon {
        text.parse().unwrap()
    }

    fn booked(entries: &[(u64, &str)]) -> (tempfile::TempDir, Folder) {
        let scratch = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(scratch.path()).unwrap();
        let mut ledger = Ledger::read(&folder).unwrap();
        for (campaign, spent) in entries {
            ledger
                .book(&mut folder, *campaign, &epsilon(spent))
                .unwrap();
        }
        (scratch, folder)
    }

    #[test]
    fn what_is_booked_adds_up_exactly() {
        let (_scratch, mut folder) = booked(&[(7, "0.1"), (u64::MAX, "1/3"), (0, "2")]);
        let mut ledger = Ledger::read(&folder).unwrap();
        assert_eq!(ledger.len(), 3);
        assert_eq!(ledger.total(), "73/30".parse().unwrap());
        assert!(ledger.has(7) && ledger.has(u64::MAX) && !ledger.has(1));
        assert!(ledger.check(&epsilon("1"), &epsilon("103/30")).is_ok());
        assert!(
            ledger
                .check(&epsilon("1.0001"), &epsilon("103/30"))
                .is_err()
        );
        assert!(ledger.book(&mut folder, 7, &epsilon("1")).is_err());
    }

    #[test]
    fn an_entry_that_was_cut_short_is_written_anew() {
        let (_scratch, mut folder) = booked(&[(7, "1"), (8, "2")]);
        let whole = folder.read(NAME).unwrap().unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in first..whole.len() {
            folder.replace(NAME, &whole[..cut]).unwrap();
            let mut ledger = Ledger::read(&folder).unwrap();
            assert_eq!((ledger.len(), ledger.has(8)), (1, false), "{cut}");
            ledger.book(&mut folder, 8, &epsilon("2")).unwrap();
            assert_eq!(folder.read(NAME).unwrap().unwrap(), whole);
        }
    }

    #[test]
    fn a_line_taken_out_twice_or_moved_is_seen() {
        let (_scratch, mut folder) = booked(&[(7, "1"), (8, "2"), (9, "3")]);
        let text = String::from_utf8(folder.read(NAME).unwrap().unwrap()).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for order in [vec![1, 2], vec![0, 2], vec![1, 0, 2], vec![0, 0, 1, 2]] {
            let changed: String = order.iter().map(|&at: &usize| lines[at]).collect();
            folder.replace(NAME, changed.as_bytes()).unwrap();
            assert!(Ledger::read(&folder).is_err(), "{order:?}");
        }
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_seen(at: usize, to: u8) {
            let (_scratch, mut folder) = booked(&[(7, "1"), (8, "2")]);
            let sound = folder.read(NAME).unwrap().unwrap();
            let mut bytes = sound.clone();
            let at = at % bytes.len();
            bytes[at] = to;
            folder.replace(NAME, &bytes).unwrap();
            // The last line end may go: then the last entry counts as cut short.
            let cut_short = at == sound.len() - 1;
            prop_assert!(bytes == sound || cut_short || Ledger::read(&folder).is_err());
        }
    }
}
