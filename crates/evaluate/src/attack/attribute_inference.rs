//! `attribute-inference`: what does a column beside the trajectory say of a person?
//!
//! **Attacker.** Knows 4 (`typical_points`) random visits of the victim, or all where these are
//! fewer, and guesses the victim's value in a column: the most frequent one among the published
//! records that match, of several the first in the order of their text. Where none matches, known
//! visits are left out, the last drawn first; at last everyone's most frequent value is taken.
//!
//! **Success.** It is the victim's value. One entry for each column of the raw data; a column that
//! was not published, or that outsiders do not have, has an entry without tries.

use rayon::prelude::*;
use wayveil_core::{Progress, Result};

use super::matching::Crowd;
use super::trials::{Trials, Victim};
use super::votes::{Votes, guess};
use super::{Attack, AttackSettings, Column, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "attribute-inference",
    about: "infers a value beside the trajectory from a few known visits",
    question: Question::Inference,
    definition: "The attacker knows 4 random visits of the victim, or all, and guesses the most \
                 frequent value of a column among published records that match; where none does, \
                 with fewer points, at last everyone's most frequent value. Success: the victim's \
                 value. One entry for each column; without tries where it was not published.",
    source: "attribute linkage; after the homogeneity attack of Machanavajjhala et al. (2007)",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let columns = &scene.people.columns;
    if columns.is_empty() {
        let reason = "the data has no columns beside the trajectory";
        return Ok(Outcome::NotPossible(reason.into()));
    }
    let published = |column: &Column| scene.target.records.column(&column.name);
    if columns.iter().all(|column| published(column).is_none()) {
        let reason = "no column beside the trajectory was published";
        return Ok(Outcome::NotPossible(reason.into()));
    }
    let trials = Trials {
        scene,
        settings,
        progress,
        name: ATTACK.name,
        nobody: "nobody has a visit",
    };
    let tried = trials.make(
        |visits| !visits.is_empty(),
        |victim, random| victim.reveal(settings.typical_points, random),
        |published, victims| {
            let crowd = Crowd::new(&published.sequences)?;
            let values: Vec<Option<Values<'_>>> = (columns.iter())
                .map(|truth| published.column(&truth.name).map(Values::of))
                .collect();
            let tried = |victim: &&Victim| -> Vec<Option<bool>> {
                let levels = crowd.narrow(&victim.record, &victim.revealed);
                let right = |truth: &Column, values: Option<&Values<'_>>| {
                    let truth = victim.among(scene).column(&truth.name)?;
                    let guessed = inferred(&crowd, &levels, values?);
                    Some(guessed == Some(&truth.of_record[victim.person]))
                };
                let columns = columns.iter().zip(&values);
                columns
                    .map(|(truth, values)| right(truth, values.as_ref()))
                    .collect()
            };
            Ok(victims.par_iter().map(tried).collect())
        },
    )?;
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| {
            // Where outsiders lack a column there is nothing to compare with.
            let has = |column: &Column| {
                let outsiders = scene.outsiders;
                outsiders.is_none_or(|outsiders| outsiders.column(&column.name).is_some())
            };
            let found = columns.iter().enumerate().map(|(at, truth)| {
                let has = has(truth);
                tried.found(&truth.name, |_, right: &Vec<Option<bool>>| {
                    right[at].filter(|_| has)
                })
            });
            Outcome::Found(found.collect())
        },
    ))
}

/// A column and its most frequent value.
struct Values<'a> {
    of_record: &'a [Box<str>],
    overall: Option<&'a str>,
}

impl<'a> Values<'a> {
    fn of(column: &'a Column) -> Self {
        let mut overall = Votes::new();
        for value in &column.of_record {
            overall.add(&**value, 1);
        }
        Self {
            of_record: &column.of_record,
            overall: overall.winner(),
        }
    }
}

/// The guess, from the forms that match the known points.
fn inferred<'a>(crowd: &Crowd, levels: &[Vec<u32>], values: &Values<'a>) -> Option<&'a str> {
    let answer = guess(levels, |_, form, votes| {
        for &person in crowd.people_of(form) {
            votes.add(&*values.of_record[person as usize], 1);
        }
    });
    answer.or(values.overall)
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;

    use super::super::People;
    use super::super::testing::{attack, found, successes};
    use super::*;

    fn people(sequences: Sequences, values: &[&str]) -> People {
        People {
            sequences,
            columns: vec![Column {
                name: "diagnosis".into(),
                of_record: values.iter().map(|&it| it.into()).collect(),
            }],
            owners: None,
        }
    }

    #[test]
    fn the_value_of_those_who_match_is_guessed() {
        let of =
            |records: &[&[u32]], values: &[&str]| people(Sequences::from_codes(records), values);
        // Alone at 1 and 2; three at 3, of whom two are well.
        let raw = of(
            &[&[1], &[2], &[3], &[3], &[3]],
            &["ill", "ill", "well", "well", "ill"],
        );
        let settings = AttackSettings::default();
        let result = found(attack(&ATTACK, &raw, &raw, &settings));
        // All but the last.
        assert_eq!(successes(&result), [("diagnosis", 5, 4)]);
    }

    #[test]
    fn what_was_not_published_is_said() {
        let mut raw = people(Sequences::from_codes([[1]]), &["ill"]);
        let settings = AttackSettings::default();
        let bare = People::bare(raw.sequences.clone());
        for (raw, published) in [(&raw, &bare), (&bare, &bare), (&bare, &raw)] {
            let outcome = attack(&ATTACK, raw, published, &settings);
            assert!(matches!(outcome, Outcome::NotPossible(_)));
        }
        let published = raw.clone();
        raw.columns.push(Column {
            name: "age".into(),
            of_record: vec!["7".into()],
        });
        let result = found(attack(&ATTACK, &raw, &published, &settings));
        assert_eq!(successes(&result), [("diagnosis", 1, 1), ("age", 0, 0)]);
    }
}
