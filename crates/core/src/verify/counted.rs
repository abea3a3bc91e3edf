//! Records that stay elsewhere, by counts of them.
//!
//! Level by level: for every set of doublets that has to be extended it is asked how many people hold it with each
//! greater doublet, and how many of these have each sensitive value. What is looked at and what violates is what the
//! walk over records finds; every person is one record.

use std::collections::HashSet;

use super::{Bound, Demand, MAX_LENGTH, Tie, Verdict, Violation};
use crate::counting::{Alphabet, Counting, Having, Listed, What};
use crate::error::{Error, Result};

/// Sets that are extended at one level, at most: they travel to the records, and what they are extended by comes back.
const MOST_SETS: usize = 2_000_000;

/// People who are only counted, and their sensitive values by column.
pub struct Counted<'a> {
    /// Who counts, with a person's trips joined to one record.
    pub counting: &'a dyn Counting,
    /// The symbols of timed records.
    pub alphabet: Alphabet,
    /// The values that nobody may be tied to.
    pub sensitive: &'a [Vec<Having>],
}

/// A set of doublets that occurs: one that was extended, and by what.
struct Judged {
    set: Vec<u32>,
    owners: u64,
    few: bool,
    certain: bool,
    tie: Option<Tie>,
}

impl Judged {
    /// Whether nothing that holds this set can violate: one person is enough, and none of those has a sensitive value.
    fn is_harmless(&self, demand: &Demand) -> bool {
        demand.k <= 1 && self.tie.is_none()
    }
}

impl Counted<'_> {
    /// Looks at every set of up to L doublets, as [`super::verify`] does; tells the worst violations, at most `list`
    /// of either kind, and how many of all violate of which everything smaller is clean. In a [`Tie`] the value is its
    /// place among the sensitive ones of its column. Every level is asked for once.
    pub fn verify(&self, demand: &Demand, list: usize) -> Result<(Verdict, u64)> {
        let (bound, length) = self.limits(demand)?;
        let (mut verdict, mut minimal) = (Verdict::default(), 0);
        let mut sets = vec![Vec::new()];
        // Those of one length that do not violate, nor anything smaller in them, and are not harmless.
        let mut clean: HashSet<Vec<u32>> = HashSet::from([Vec::new()]);
        for level in 1..=length {
            let (mut longer, mut cleaner) = (Vec::new(), HashSet::new());
            self.level(&sets, demand.k, bound, |judged| {
                verdict.sequences += 1;
                let (few, harmless) = (judged.few, judged.is_harmless(demand));
                let violates = few || judged.certain;
                // Whatever holds a harmless set is as harmless, and what holds a violating one is not minimal.
                if (violates || !harmless) && all_parts_in(&clean, &judged.set) {
                    match violates {
                        true => minimal += 1,
                        false if level < length => _ = cleaner.insert(judged.set.clone()),
                        false => {}
                    }
                }
                if !few && !harmless && level < length {
                    if longer.len() == MOST_SETS {
                        return Err(too_many());
                    }
                    longer.push(judged.set.clone());
                }
                if violates {
                    verdict.add(self.named(judged), few, list);
                }
                Ok(())
            })?;
            (sets, clean) = (longer, cleaner);
        }
        Ok((verdict, minimal))
    }

    /// Which sensitive values nobody with a visit has, by column and place: they may be misspelt.
    pub fn absent(&self) -> Result<Vec<(usize, usize)>> {
        let mut absent = Vec::new();
        for (column, values) in self.sensitive.iter().enumerate() {
            for (place, having) in values.iter().enumerate() {
                let visits = self.counting.ask(What::Extensions {
                    sets: Listed::of([[]])?,
                    having: Some(having.clone()),
                })?;
                if visits.is_empty() {
                    absent.push((column, place));
                }
            }
        }
        Ok(absent)
    }

    fn limits(&self, demand: &Demand) -> Result<(Bound, usize)> {
        let length = demand.l.map(|l| l.get() as usize);
        match length.filter(|&length| length <= MAX_LENGTH) {
            Some(length) => Ok((demand.bound()?, length)),
            None => Err(Error::input(
                "records that stay elsewhere are verified for what an attacker knows up to some visits",
            )
            .hint(format!("give --l a number up to {MAX_LENGTH}"))),
        }
    }

    /// Looks at everything that occurs and is one of the sets with one doublet more.
    fn level(
        &self,
        sets: &[Vec<u32>],
        k: u32,
        bound: Bound,
        mut look: impl FnMut(Judged) -> Result<()>,
    ) -> Result<()> {
        if sets.is_empty() {
            return Ok(());
        }
        let ask = |having: Option<&Having>| {
            self.counting.ask(What::Extensions {
                sets: Listed::of(sets)?,
                having: having.cloned(),
            })
        };
        let held = ask(None)?;
        let mut with = Vec::new();
        if !bound.is_free() {
            for (column, values) in self.sensitive.iter().enumerate() {
                for (value, having) in (0u32..).zip(values) {
                    with.push((column, value, ask(Some(having))?));
                }
            }
        }
        let judge = |((set, symbol), owners): ((u32, u32), u64)| {
            let mut tie: Option<Tie> = None;
            for (column, value, tally) in &with {
                let found = tally.of((set, symbol));
                if found > tie.map_or(0, |tie| tie.with) {
                    tie = Some(Tie {
                        column: *column,
                        value: *value,
                        with: found,
                        of: owners,
                    });
                }
            }
            let mut longer = sets[set as usize].clone();
            longer.push(symbol);
            Judged {
                set: longer,
                owners,
                few: owners < u64::from(k),
                certain: tie.is_some_and(|tie| bound.is_exceeded_by(tie.with, tie.of)),
                tie,
            }
        };
        held.iter().map(judge).try_for_each(&mut look)
    }

    fn named(&self, judged: Judged) -> Violation {
        let name = |&symbol: &u32| (self.alphabet.bin(symbol), self.alphabet.location(symbol));
        Violation {
            sequence: judged.set.iter().map(name).collect(),
            owners: judged.owners,
            records: judged.owners,
            tie: judged.tie,
        }
    }
}

/// Whether a set without any one of its doublets is among these.
fn all_parts_in(sets: &HashSet<Vec<u32>>, set: &[u32]) -> bool {
    (0..set.len()).all(|without| {
        let mut part = set.to_vec();
        part.remove(without);
        sets.contains(&part)
    })
}

fn too_many() -> Error {
    Error::input(format!(
        "more than {MOST_SETS} combinations of visits would have to be asked for at once"
    ))
    .hint("give --l a smaller number, or a larger --k")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use proptest::prelude::*;

    use super::super::{Column, Published, verify};
    use super::*;
    use crate::attribute::Attribute;
    use crate::counting::{Part, PrefixCounts, Question, Tally, tally};
    use crate::dataset::Owners;
    use crate::rational::Rational;
    use crate::sequences::Sequences;
    use crate::unit::PrivacyUnit;

    /// Records that are here, asked as if they were not.
    struct Asked<'a> {
        trips: &'a Sequences,
        column: Attribute,
    }

    impl Counting for Asked<'_> {
        fn prefixes(&self, _: Alphabet, _: u32) -> Result<Box<dyn PrefixCounts + '_>> {
            Err(Error::input("not asked for"))
        }

        fn ask(&self, what: What) -> Result<Tally> {
            let question = Question {
                unit: PrivacyUnit::Owner,
                locations: 4,
                bins: Some(3),
                columns: vec!["ill".into()],
                what,
            };
            let part = Part {
                trips: self.trips,
                owners: &Owners::EachRecord,
                attributes: std::slice::from_ref(&self.column),
            };
            tally(&question, &part)
        }
    }

    fn with<R>(
        rows: &[(Vec<(u32, u32)>, u32)],
        run: impl FnOnce(&Sequences, &[u32], &Counted<'_>) -> R,
    ) -> R {
        let mut trips = Sequences::empty(true);
        for (row, _) in rows {
            let (bins, codes): (Vec<u32>, Vec<u32>) = row.iter().copied().unzip();
            trips.push(&codes, &bins);
        }
        let values: Vec<u32> = rows.iter().map(|row| row.1).collect();
        let column = Attribute {
            name: "ill".into(),
            values: ["no", "yes", "very"].into_iter().collect(),
            of_record: values.clone(),
        };
        let having = |value: &str| Having {
            column: "ill".into(),
            value: value.into(),
        };
        let asked = Asked {
            trips: &trips,
            column,
        };
        let counted = Counted {
            counting: &asked,
            alphabet: Alphabet::new(4, 3).unwrap(),
            sensitive: &[vec![having("yes"), having("very")]],
        };
        run(&trips, &values, &counted)
    }

    fn demand(k: u32, c: (u64, u64), l: u32) -> Demand {
        Demand {
            k,
            c: Rational::new(c.0, c.1).unwrap(),
            l: NonZeroU32::new(l),
        }
    }

    proptest! {
        #[test]
        fn the_verdict_is_that_of_a_look_at_records(
            rows in prop::collection::vec(
                (prop::collection::vec((0u32..3, 0u32..4), 1..6), 0u32..3), 1..14),
            k in 1u32..4,
            part in 0u64..4,
            l in 1u32..4,
        ) {
            // A record of all doublets, so that nobody knows whole records.
            let mut rows = rows;
            rows.push(((0..3).flat_map(|bin| (0..4).map(move |code| (bin, code))).collect(), 0));
            let demand = demand(k, (part, 3), l);
            with(&rows, |trips, values, counted| {
                let columns = [Column { of_record: values, sensitive: &[1, 2] }];
                let published = Published { trips, owners: None, columns: &columns };
                let mut slow = verify(&published, &demand, 100_000).unwrap();
                let (mut fast, found) = counted.verify(&demand, 100_000).unwrap();
                // Of two values with equal shares either may be named.
                let bare = |verdict: &mut Verdict| {
                    let all = verdict.too_few.iter_mut().chain(&mut verdict.too_certain);
                    for tie in all.filter_map(|violation| violation.tie.as_mut()) {
                        (tie.column, tie.value) = (0, 0);
                    }
                };
                bare(&mut slow);
                bare(&mut fast);
                assert_eq!(slow, fast);
                // Minimal: violating, and nothing smaller is.
                let all: HashSet<Vec<(u32, u32)>> = slow.too_few.iter().chain(&slow.too_certain)
                    .map(|violation| violation.sequence.clone()).collect();
                let holds = |big: &[(u32, u32)], small: &[(u32, u32)]| {
                    small.len() < big.len() && small.iter().all(|it| big.contains(it))
                };
                let minimal = all.iter().filter(|it| !all.iter().any(|other| holds(it, other)));
                assert_eq!(found, minimal.count() as u64);
            });
        }
    }

    #[test]
    fn values_that_nobody_has_are_told_whatever_the_bound() {
        with(&[(vec![(0, 0)], 0), (vec![(1, 2)], 1)], |_, _, counted| {
            assert_eq!(counted.absent(), Ok(vec![(0, 1)]));
        });
    }

    #[test]
    fn what_cannot_violate_is_not_extended() {
        // One person is enough, and only the last row has a sensitive value, at a place of its own.
        let long: Vec<(u32, u32)> = (0..3)
            .flat_map(|bin| (0..3).map(move |code| (bin, code)))
            .collect();
        let rows = [(long, 0), (vec![(0, 3), (1, 3)], 1)];
        with(&rows, |_, _, counted| {
            let asked = Sets::default();
            let counted = Counted {
                counting: &Watched(counted.counting, &asked),
                ..*counted
            };
            let demand = demand(1, (1, 2), 3);
            // Either visit of the last row alone tells the value.
            assert_eq!(counted.verify(&demand, 1).unwrap().1, 2);
            assert_eq!(
                *asked.lock().unwrap(),
                [1, 2, 1],
                "sets of nobody sensitive were extended"
            );
        });
    }

    /// How many sets each question without a value was about.
    type Sets = std::sync::Mutex<Vec<usize>>;

    struct Watched<'a>(&'a dyn Counting, &'a Sets);

    impl Counting for Watched<'_> {
        fn prefixes(&self, alphabet: Alphabet, height: u32) -> Result<Box<dyn PrefixCounts + '_>> {
            self.0.prefixes(alphabet, height)
        }

        fn ask(&self, what: What) -> Result<Tally> {
            if let What::Extensions { sets, having: None } = &what {
                self.1.lock().unwrap().push(sets.len());
            }
            self.0.ask(what)
        }
    }

    #[test]
    fn knowledge_of_everything_is_refused() {
        with(&[(vec![(0, 0)], 0)], |_, _, counted| {
            let demand = Demand {
                l: None,
                ..demand(2, (1, 2), 1)
            };
            assert!(counted.verify(&demand, 1).is_err());
        });
    }
}
