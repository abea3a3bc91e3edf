//! What came of attacks, and how it is told on a terminal.

use std::time::Duration;

use wayveil_core::{PrivacyUnit, Result};
use wayveil_evaluate::attack::{
    Approach, Attack, AttackSettings, Control, Found, Outcome, Scene, Verdict,
};

use super::answers::{answers, level_on};
use super::stage::{Published, Stage};
use crate::table::Table;
use crate::terminal::Terminal;

/// Everything that was found.
pub(super) struct Results {
    pub(super) unit: PrivacyUnit,
    pub(super) people: usize,
    pub(super) settings: AttackSettings,
    /// The raw data first.
    pub(super) published: Vec<Published>,
    /// Why there is nobody to compare with, for each of them where that is so.
    pub(super) no_control: Vec<Option<String>>,
    pub(super) attacked: Vec<Attacked>,
}

/// One attack with its outcome on each published thing, in their order.
pub(super) struct Attacked {
    pub(super) attack: &'static Attack,
    pub(super) outcomes: Vec<Outcome>,
    /// What was attacked for each of them, in words.
    pub(super) made_on: Vec<&'static str>,
}

/// Makes every attack on everything that was published.
pub(super) fn attack_all(
    attacks: &[&'static Attack],
    stage: &Stage<'_>,
    settings: &AttackSettings,
    each: Option<Duration>,
    terminal: &Terminal,
) -> Result<Results> {
    let mut attacked = Vec::new();
    let positions = 0..stage.published().count();
    // How long a release takes, where that matters.
    let took: Vec<Option<Duration>> = match each {
        Some(_) => positions
            .clone()
            .map(|at| stage.time_of_making(at))
            .collect(),
        None => vec![None; positions.len()],
    };
    for attack in attacks {
        let (mut outcomes, mut made_on) = (Vec::new(), Vec::new());
        for (position, published) in stage.published().enumerate() {
            terminal.say(&format!("{} on {}", attack.name, published.title));
            let remakes = attack.remakes(settings);
            let run = |scene: &Scene<'_>| match too_long(took[position], remakes, each) {
                Some(reason) => Ok(Outcome::NotPossible(reason)),
                None => (attack.run)(scene, settings, terminal),
            };
            outcomes.push(stage.with_scene(position, run)?);
            made_on.push(stage.with_scene(position, |scene| attack.made_on(scene)));
        }
        attacked.push(Attacked {
            attack,
            outcomes,
            made_on,
        });
    }
    let no_control = |scene: &Scene<'_>| match scene.approach() {
        Approach::NoControl(reason) => Some(reason.to_owned()),
        Approach::Outsiders(_) | Approach::Halves => None,
    };
    Ok(Results {
        unit: stage.unit,
        people: stage.people(),
        settings: settings.clone(),
        published: stage.published().cloned().collect(),
        no_control: positions
            .map(|position| stage.with_scene(position, no_control))
            .collect(),
        attacked,
    })
}

/// Why an attack is left out that makes a release again so often, each taking so long.
fn too_long(took: Option<Duration>, remakes: usize, each: Option<Duration>) -> Option<String> {
    let (took, each) = (took?.as_secs_f64(), each?.as_secs_f64());
    let all = took * remakes as f64;
    (all > each).then(|| {
        format!(
            "it makes the release again {remakes} times, which would take about {all:.0} s here, more \
             than the {each:.0} s that an attack gets; `wayveil attack` takes the time"
        )
    })
}

impl Attacked {
    /// What was found on one published thing; nothing where the attack was not possible.
    pub(super) fn found(&self, position: usize) -> &[Found] {
        self.outcomes[position].figures()
    }

    /// The number of this name on one published thing.
    pub(super) fn named(&self, position: usize, name: &str) -> Option<&Found> {
        self.found(position).iter().find(|found| found.name == name)
    }

    /// The names of all numbers, in the order in which they first come.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for found in (0..self.outcomes.len()).flat_map(|position| self.found(position)) {
            if !names.contains(&found.name.as_str()) {
                names.push(&found.name);
            }
        }
        names
    }
}

impl Results {
    /// What a victim is, in the plural.
    pub(super) fn who(&self) -> &'static str {
        match self.unit {
            PrivacyUnit::Owner => "people",
            PrivacyUnit::OwnerBounded(_) | PrivacyUnit::Trip => "people's trips",
        }
    }

    /// Tables and answers.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for attacked in &self.attacked {
            text += &self.table(attacked);
            text.push('\n');
        }
        let mut asked = None;
        for answer in answers(self) {
            if asked != Some(answer.question) {
                asked = Some(answer.question);
                text += &format!("{}\n", answer.question.name());
            }
            let verdict = match answer.verdict {
                Some(Verdict::BetterThanChance) => " BETTER THAN CHANCE.".into(),
                Some(other) => format!(" {}.", capital(other.in_words())),
                None => String::new(),
            };
            let title = &self.published[answer.position].title;
            text += &format!("  {title}:{verdict} {}\n", answer.text);
        }
        for (published, reason) in self.published.iter().zip(&self.no_control) {
            if let Some(reason) = reason {
                text += &format!(
                    "\n{}: no control, because it cannot be made again ({reason}). Give people \
                     who are not in the data: --outsiders FILE\n",
                    published.title
                );
            }
        }
        if !self.attacked.is_empty() {
            text += &format!(
                "\nShares of {} in what was attacked, with {} % intervals, and of people who \
                 are not in it; * better than chance, with that confidence for all figures of a \
                 column together.\n",
                self.who(),
                (1e6 * (1.0 - self.settings.alpha)).round() / 1e4
            );
        }
        text
    }

    fn table(&self, attacked: &Attacked) -> String {
        let alpha = self.settings.alpha;
        let mut header = vec![""];
        header.extend(self.published.iter().map(|published| &*published.title));
        let mut table = Table::new(&header);
        for name in attacked.names() {
            let label = if name.is_empty() { "–" } else { name };
            let mut row = vec![label.to_owned()];
            for position in 0..self.published.len() {
                let found = attacked.named(position, name);
                let level = level_on(self, position);
                row.push(found.map_or("–".into(), |found| cell(found, alpha, level)));
            }
            table.row(&row);
        }
        let attack = attacked.attack;
        let mut text = format!("{} ({})\n", attack.name, attack.about);
        if !attacked.names().is_empty() {
            text += &table.text();
            text += &self.made_on(attacked);
        }
        for (published, outcome) in self.published.iter().zip(&attacked.outcomes) {
            match outcome {
                Outcome::NotPossible(reason) => {
                    text += &format!("{}: not possible: {reason}\n", published.title);
                }
                Outcome::Found(found) if found.is_empty() => {
                    text += &format!("{}: nothing to attack\n", published.title);
                }
                Outcome::Found(_) => {}
            }
        }
        text
    }

    /// What was attacked, said once where it is the same for all.
    fn made_on(&self, attacked: &Attacked) -> String {
        let mut ways: Vec<(&str, Vec<&str>)> = Vec::new();
        let made = self.published.iter().zip(&attacked.made_on);
        for ((published, words), outcome) in made.zip(&attacked.outcomes) {
            if outcome.figures().is_empty() {
                continue;
            }
            match ways.iter_mut().find(|(known, _)| known == words) {
                Some((_, titles)) => titles.push(&published.title),
                None => ways.push((words, vec![&published.title])),
            }
        }
        let ways: Vec<String> = match ways.as_slice() {
            [(words, _)] => vec![(*words).to_owned()],
            ways => (ways.iter())
                .map(|(words, titles)| format!("{words} ({})", titles.join(", ")))
                .collect(),
        };
        format!("attacked: {}\n", ways.join("; "))
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Those who are in, and what stands beside them.
fn cell(found: &Found, alpha: f64, level: f64) -> String {
    let Some(rate) = found.rate() else {
        return "no victims".into();
    };
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let (low, high) = found.interval(alpha);
    let mark = if found.better_than_chance(level) {
        " *"
    } else {
        ""
    };
    let control = match (found.control, found.control_rate()) {
        (Control::Coin(_), Some(rate)) => format!("coin {} %", percent(rate)),
        (Control::Outsiders(_), Some(rate)) => format!("not in it {} %", percent(rate)),
        _ => "no control".into(),
    };
    format!(
        "{} % ({}–{}){mark}, {control}",
        percent(rate),
        percent(low),
        percent(high)
    )
}

#[cfg(test)]
mod bounds {
    use super::*;

    #[test]
    fn an_attack_that_would_take_too_long_says_how_long() {
        let seconds = |it| Some(Duration::from_secs(it));
        let reason = too_long(seconds(5), 64, seconds(20)).expect("320 s are too long");
        assert!(
            reason.contains("64 times") && reason.contains("320 s"),
            "{reason}"
        );
        assert_eq!(too_long(seconds(5), 4, seconds(20)), None);
        assert_eq!(too_long(seconds(500), 64, None), None, "no limit was set");
        assert_eq!(
            too_long(None, 64, seconds(1)),
            None,
            "nothing is made again"
        );
    }
}
