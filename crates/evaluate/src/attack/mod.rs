//! What an attacker could do with a release: one file per attack, one list.
//!
//! Every attack is made on what is published, with a little knowledge about a victim, and its
//! success is checked against the victim's true record. It is made on the raw data under
//! pseudonyms too, to see what the release takes away.
//!
//! # The control group
//! Half of the victims, by a fair coin for each, are **not in** what is attacked; the attack does not
//! know who (`trials.rs`). What it finds out about them follows from what others do: on those who
//! are in, only what goes beyond it is told by their own records. For membership the coin itself is
//! the control. Where the victims who are not in come from, and what is attacked, says
//! [`Scene::approach`].
//!
//! # Whose records
//! Victims are people ([`People`]), with the records that a release is made of under its unit of
//! privacy: all their rows joined, or single rows, of which one is attacked. A person is in with all
//! their rows or not at all.
//!
//! # Confidence
//! Intervals of success rates are those of Clopper and Pearson. Whether members fare worse than the
//! control is judged by Fisher's exact test, see [`Found::p_value`]. An attack that fails proves
//! nothing: a better one may succeed.

mod again;
mod attribute_inference;
mod coarse;
mod daytime;
mod exposure;
mod found;
mod halves;
mod hidden_visit;
mod home_and_work;
mod linkage;
mod matching;
mod membership_nearest;
mod membership_shadow;
mod nearest;
mod people;
mod presence;
mod probe;
mod questions;
mod rough_knowledge;
mod settings;
mod singling_out;
#[cfg(test)]
mod testing;
mod trials;
mod votes;

use wayveil_core::{Progress, RandomSource, Result, TimeAxis, Universe};

pub use again::Again;
pub use found::{Control, Found, Group};
pub use people::{Column, People};
pub use questions::{Answer, Headline, Made, QUESTIONS, Verdict, answers, level};
pub use settings::AttackSettings;

/// The questions that the European guidance on anonymisation asks (Article 29 Working Party,
/// Opinion 05/2014), and one that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// Can a person be isolated in the release?
    SinglingOut,
    /// Can a person's records be linked, in the release or with another source?
    Linkability,
    /// Can something about a person be inferred?
    Inference,
    /// Can it be told whether a person was in the data at all?
    Membership,
}

impl Question {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SinglingOut => "singling out",
            Self::Linkability => "linkability",
            Self::Inference => "inference",
            Self::Membership => "membership",
        }
    }
}

/// What the attacker is given.
pub struct Target<'a> {
    /// The published records: released trajectories, or raw ones under pseudonyms. Codes are those
    /// of the raw universe.
    pub records: &'a People,
    /// How it was made, where that is known and can be done again.
    pub method: Method<'a>,
}

/// How a target was made: what an attacker who knows everything but the secret can do again.
pub enum Method<'a> {
    /// The raw records themselves, under pseudonyms.
    AsTheyAre,
    /// Publishes these records in memory, in the way in which the release was made. The records
    /// are numbers of people in [`Scene::people`], in increasing order. All randomness comes from
    /// the given source: the same people must not lead to the same noise twice.
    Again(&'a Remake<'a>),
    /// It cannot be made again, for this reason.
    Unknown(String),
}

/// Publishes some of the people in memory, see [`Method::Again`].
pub type Remake<'a> = dyn Fn(&[u32], &mut RandomSource) -> Result<People> + Sync + 'a;

/// Everything that an attack is given. Only the attack's judge looks at what the attacker may not
/// know.
pub struct Scene<'a> {
    /// The truth: the people whose records were published.
    pub people: &'a People,
    /// What was published of them.
    pub target: Target<'a>,
    /// People like them whose records were not used, where there are any.
    pub outsiders: Option<&'a People>,
    /// The public set of locations.
    pub universe: &'a Universe,
    /// The public axis of time bins, in timed data.
    pub time: Option<&'a TimeAxis>,
}

/// What is attacked, and where the victims come from who are not in it.
pub enum Approach<'a> {
    /// The published records themselves; the others are these outsiders.
    Outsiders(&'a People),
    /// Releases that are made again from random halves of the people; the others are the other
    /// half.
    Halves,
    /// The published records themselves. Nobody is known who is not in them: they cannot be made
    /// again, for this reason.
    NoControl(&'a str),
}

impl Approach<'_> {
    /// What is attacked, in words.
    pub const fn in_words(&self) -> &'static str {
        match self {
            Self::Outsiders(_) | Self::NoControl(_) => "the release itself",
            Self::Halves => "made again from random halves",
        }
    }
}

impl<'a> Scene<'a> {
    /// How it is attacked.
    pub fn approach(&self) -> Approach<'_> {
        match (self.outsiders, &self.target.method) {
            (Some(outsiders), _) => Approach::Outsiders(outsiders),
            (None, Method::AsTheyAre | Method::Again(_)) => Approach::Halves,
            (None, Method::Unknown(reason)) => Approach::NoControl(reason),
        }
    }
}

/// What came of an attack.
pub enum Outcome {
    /// What it found, one entry for each number of known points and the like.
    Found(Vec<Found>),
    /// It cannot be made here, for this reason.
    NotPossible(String),
}

impl Outcome {
    /// What was found; nothing where the attack could not be made.
    pub fn figures(&self) -> &[Found] {
        match self {
            Self::Found(found) => found,
            Self::NotPossible(_) => &[],
        }
    }
}

/// An attack.
pub struct Attack {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it tries, in one line.
    pub about: &'static str,
    /// Which question it answers.
    pub question: Question,
    /// Attacker and success, exactly.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Makes it.
    pub run: fn(&Scene<'_>, &AttackSettings, &dyn Progress) -> Result<Outcome>,
}

impl Attack {
    /// How often it makes a release again, where there are no outsiders.
    pub fn remakes(&self, settings: &AttackSettings) -> usize {
        match self.name == membership_shadow::ATTACK.name {
            true => settings.shadows,
            false => settings.trials,
        }
    }

    /// What it is made on in a scene, in words.
    pub fn made_on(&self, scene: &Scene<'_>) -> &'static str {
        match self.name == membership_shadow::ATTACK.name {
            true => Approach::Halves.in_words(),
            false => scene.approach().in_words(),
        }
    }
}

/// Every attack.
pub static ALL: &[&Attack] = &[
    &singling_out::ATTACK,
    &rough_knowledge::ATTACK,
    &linkage::ATTACK,
    &hidden_visit::ATTACK,
    &attribute_inference::ATTACK,
    &home_and_work::ATTACK,
    &membership_nearest::ATTACK,
    &membership_shadow::ATTACK,
];

/// The attack of this name.
pub fn find(name: &str) -> Option<&'static Attack> {
    ALL.iter().find(|attack| attack.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attack_is_found_by_its_name_and_says_what_it_is() {
        for attack in ALL {
            let found = find(attack.name).unwrap();
            assert!(std::ptr::eq(found, *attack), "{} twice", attack.name);
            let plain = |it: char| it.is_ascii_lowercase() || it == '-';
            assert!(attack.name.chars().all(plain));
            for text in [attack.about, attack.definition, attack.source] {
                assert!(!text.is_empty() && !text.contains('\n'), "{}", attack.name);
            }
        }
        assert!(find("nothing").is_none());
    }
}
