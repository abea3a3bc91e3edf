//! `attribute-inference`: what does a column beside the trajectory say of a person?
//!
//! **Attacker.** Knows 4 (`typical_points`) random visits of the victim, or all where these are
//! fewer, and guesses the victim's value in a column: the most frequent one among the published
//! records that match, of several the first in the order of their text. Where none matches, known
//! visits are left out, the last drawn first; at last everyone's most frequent value is taken.
//!
//! **Success.** It is the victim's value. One entry for each column of the raw data; a column that
//! was not published has an entry without tries.
//!
//! **Guesser.** Asks the records of everyone but the victim, with their columns, in the same way.

use wayveil_core::{Progress, Result};

use super::matching::Side;
use super::singling_out::victims;
use super::stage::{Stage, Victim};
use super::votes::{Ranked, Votes, guess};
use super::{Attack, AttackSettings, Column, Found, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "attribute-inference",
    about: "infers a value beside the trajectory from a few known visits",
    question: Question::Inference,
    definition: "The attacker knows 4 random visits of the victim, or all, and guesses the most \
                 frequent value of a column among published records that match; where none does, \
                 with fewer points, at last everyone's most frequent value. Success: the victim's \
                 value. One entry for each column; without tries where it was not published. \
                 Guesser: the same among the records of everyone but the victim.",
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
    let stage = Stage::of(scene)?;
    let victims = victims(&stage, settings, settings.typical_points)?;
    if victims.is_empty() {
        return Ok(Outcome::NotPossible("nobody has a visit".into()));
    }
    let found = columns.iter().map(|truth| {
        let Some(published) = published(truth) else {
            return Found::paired(&truth.name, []);
        };
        let (published, known) = (Values::of(published), Values::of(truth));
        let results = stage.each(&victims, (progress, ATTACK.name), |victim, side| {
            let values = match side.exclude {
                None => &published,
                Some(_) => &known,
            };
            inferred(victim, side, values) == Some(&truth.of_record[victim.person])
        });
        Found::paired(&truth.name, results)
    });
    Ok(Outcome::Found(found.collect()))
}

/// A column and how often each value is in it.
struct Values<'a> {
    of_record: &'a [Box<str>],
    overall: Ranked<&'a str>,
}

impl<'a> Values<'a> {
    fn of(column: &'a Column) -> Self {
        let mut overall = Votes::new();
        for value in &column.of_record {
            overall.add(&**value, 1);
        }
        Self {
            of_record: &column.of_record,
            overall: overall.ranked(),
        }
    }
}

/// The guess on one side.
fn inferred<'a>(victim: &Victim, side: Side<'_>, values: &Values<'a>) -> Option<&'a str> {
    let value = |person: usize| &*values.of_record[person];
    let answer = guess(&victim.levels(side), |_, form, votes| {
        for person in side.people_of(form) {
            votes.add(value(person), 1);
        }
    });
    answer.or_else(|| {
        let mut own = Votes::new();
        if let Some(person) = side.exclude {
            own.add(value(person), 1);
        }
        values.overall.winner_without(&own)
    })
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;

    use super::super::People;
    use super::super::testing::{attack, found, random_records, successes, without};
    use super::*;

    fn people(sequences: Sequences, values: &[&str]) -> People {
        People {
            sequences,
            columns: vec![Column {
                name: "diagnosis".into(),
                of_record: values.iter().map(|&it| it.into()).collect(),
            }],
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
        // Attacker: all but the last. Guesser: the first two by the overall majority of the others
        // (2 ill, 2 well: ill), the well ones by a tie of ill and well, the last as well.
        assert_eq!(successes(&result), [("diagnosis", 5, 4, 2)]);
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
        assert_eq!(
            successes(&result),
            [("diagnosis", 1, 1, 0), ("age", 0, 0, 0)]
        );
    }

    #[test]
    fn the_guesser_knows_only_the_others() {
        for seed in 0..100 {
            let records = random_records(seed, 12, 4, 3, None);
            let values: Vec<&str> = (0..records.len())
                .map(|at| ["a", "b", "c"][(at * 7 + seed as usize) % 3])
                .collect();
            let all = people(records, &values);
            for person in 0..all.len() {
                let others = without(&all, person);
                let stage = Stage::new(&all.sequences, Some(&others.sequences)).unwrap();
                let values = [&others, &all].map(|it| Values::of(&it.columns[0]));
                for victim in victims(&stage, &AttackSettings::default(), 4).unwrap() {
                    if victim.person == person {
                        let attacker = inferred(&victim, stage.attacker(), &values[0]);
                        let guesser = inferred(&victim, stage.guesser(person), &values[1]);
                        assert_eq!(attacker, guesser, "seed {seed}");
                    }
                }
            }
        }
    }
}
