//! What came of attacks, and how it is told on a terminal.

use wayveil_core::{PrivacyUnit, Result};
use wayveil_evaluate::attack::{Attack, AttackSettings, Found, Outcome, Scene};

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
    pub(super) attacked: Vec<Attacked>,
}

/// One attack with its outcome on each published thing, in their order.
pub(super) struct Attacked {
    pub(super) attack: &'static Attack,
    pub(super) outcomes: Vec<Outcome>,
}

/// Makes every attack on everything that was published.
pub(super) fn attack_all(
    attacks: &[&'static Attack],
    stage: &Stage<'_>,
    settings: &AttackSettings,
    terminal: &Terminal,
) -> Result<Results> {
    let mut attacked = Vec::new();
    for attack in attacks {
        let mut outcomes = Vec::new();
        for (position, published) in stage.published().enumerate() {
            terminal.say(&format!("{} on {}", attack.name, published.title));
            let run = |scene: &Scene<'_>| (attack.run)(scene, settings, terminal);
            outcomes.push(stage.with_scene(position, run)?);
        }
        attacked.push(Attacked { attack, outcomes });
    }
    Ok(Results {
        unit: stage.unit,
        people: stage.people(),
        settings: settings.clone(),
        published: stage.published().cloned().collect(),
        attacked,
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
            PrivacyUnit::OwnerBounded(_) | PrivacyUnit::Trip => "trips",
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
            let verdict = match answer.better {
                Some(true) => " BETTER THAN GUESSING.",
                Some(false) => " No better than guessing.",
                None => "",
            };
            let title = &self.published[answer.position].title;
            text += &format!("  {title}:{verdict} {}\n", answer.text);
        }
        if !self.attacked.is_empty() {
            text += &format!(
                "\nShares of {} with {} % intervals; * better than guessing, with that confidence for all \
                 figures of a column together.\n",
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
        header.push("guesser");
        let mut table = Table::new(&header);
        for name in attacked.names() {
            let label = if name.is_empty() { "–" } else { name };
            let mut row = vec![label.to_owned()];
            let mut guessers: Vec<String> = Vec::new();
            for position in 0..self.published.len() {
                let found = attacked.named(position, name);
                let level = level_on(self, position);
                row.push(found.map_or("–".into(), |found| cell(found, alpha, level)));
                let guesser = found.and_then(|found| guesser_cell(found, alpha));
                guessers.extend(guesser.filter(|text| !guessers.contains(text)));
            }
            row.push(guessers.join(" / "));
            table.row(&row);
        }
        let attack = attacked.attack;
        let mut text = format!("{} ({})\n", attack.name, attack.about);
        if !attacked.names().is_empty() {
            text += &table.text();
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
}

fn cell(found: &Found, alpha: f64, level: f64) -> String {
    let Some(rate) = found.rate() else {
        return "no victims".into();
    };
    let mark = if found.better_than_guessing(level) {
        " *"
    } else {
        ""
    };
    format!("{}{mark}", with_interval(rate, Some(found.interval(alpha))))
}

fn guesser_cell(found: &Found, alpha: f64) -> Option<String> {
    let rate = found.guesser_rate()?;
    Some(with_interval(rate, found.guesser_interval(alpha)))
}

fn with_interval(rate: f64, interval: Option<(f64, f64)>) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    match interval {
        Some((low, high)) => format!("{} % ({}–{})", percent(rate), percent(low), percent(high)),
        None => format!("{} %", percent(rate)),
    }
}
