//! `wayveil attack`: what an attacker could do with a release, and with the raw data, beside what the
//! same attack does on people who are not in it.

mod answers;
mod json;
mod made;
mod picture;
mod results;
mod stage;

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wayveil_core::{Dataset, Error, Internal, NonPrivate, Raw, Result};
use wayveil_evaluate::attack::{self, Attack, AttackSettings};
use wayveil_io::Loaded;
use wayveil_io::output::write_file;
use wayveil_report::attack_chart;

pub(crate) use self::made::{Advantage, Attacks};
use self::results::Results;
use self::stage::{Stage, Subject};
use crate::opened::{check_internal_target, raw_data};
use crate::settings_file;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil attack metro.parquet release/
  wayveil attack metro.parquet release-1/ release-4/ --plot attacks.svg
  wayveil attack metro.parquet release/ --outsiders other-people.parquet
  wayveil attack --list";

const NOTE: &str = "internal: computed from raw data, not for publication. An attack that fails \
                    proves nothing: a better one may succeed.";

#[derive(clap::Args)]
pub(crate) struct AttackArguments {
    /// The raw data file.
    #[arg(required_unless_present = "list")]
    raw: Option<PathBuf>,

    /// Releases of it, or data files made from it elsewhere.
    #[arg(value_name = "RELEASE", required_unless_present = "list")]
    releases: Vec<PathBuf>,

    /// Only this attack. Can be given several times.
    #[arg(long = "attack", value_name = "NAME")]
    attacks: Vec<String>,

    /// How many people are attacked, of whom about half are in the data; all of them where there
    /// are fewer.
    #[arg(long, value_name = "N")]
    victims: Option<usize>,

    /// The most visits that an attacker knows; single figures are then for no more than these.
    #[arg(long, value_name = "N")]
    points: Option<usize>,

    /// Which victims are drawn, and what is known about them.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// How many releases are made again in memory, from random halves of the people, to be attacked.
    #[arg(long, value_name = "N")]
    trials: Option<usize>,

    /// How often the release is made again in memory, to learn what one person changes.
    #[arg(long, value_name = "N")]
    shadows: Option<usize>,

    /// A data file of people like these who are not in the data: with it, the releases themselves
    /// are attacked, and these people are the control.
    #[arg(long, value_name = "FILE")]
    outsiders: Option<PathBuf>,

    /// A file of settings for the attacks, as JSON; see --list for what there is. Flags go before
    /// it.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Draw the results as an SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Replace the plot if it exists.
    #[arg(long)]
    force: bool,

    /// List all attacks with their definitions.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(arguments: &AttackArguments, terminal: &Terminal) -> Result<()> {
    if arguments.list {
        return list(terminal);
    }
    let chosen = chosen(&arguments.attacks, attack::ALL)?;
    let settings = settings(arguments)?;
    let raw_path = arguments.raw.as_deref().unwrap_or(Path::new(""));
    if let Some(plot) = &arguments.plot {
        // Before long work, not after it.
        let releases = arguments.releases.iter();
        let others = [&arguments.outsiders, &arguments.settings];
        let sources = releases.chain(others.into_iter().flatten());
        let sources = sources.map(PathBuf::as_path).chain([raw_path]);
        check_internal_target(plot, sources, arguments.force)?;
    }
    if let Some(outsiders) = &arguments.outsiders {
        check_outsiders(outsiders, raw_path)?;
    }
    let raw = raw_data(raw_path, "wayveil attack RAW RELEASE...", terminal)?;
    let releases = arguments
        .releases
        .iter()
        .map(|path| Ok((path.clone(), subject(path, terminal)?)))
        .collect::<Result<Vec<_>>>()?;
    let outsiders = arguments
        .outsiders
        .as_deref()
        .map(|path| people_file(path, terminal))
        .transpose()?;
    let results: Internal<Results> = raw
        .inspect(because(), |data| {
            let stage = Stage::set(data, &releases, outsiders.as_ref(), terminal)?;
            results::attack_all(&chosen, &stage, &settings, None, terminal)
        })
        .transpose()?;
    let results = results.for_publisher_only();
    if let Some(plot) = &arguments.plot {
        let page = attack_chart(&picture::chart(&results));
        write_file(plot, arguments.force, |file| {
            file.write_all(page.as_bytes())
                .map_err(|cause| Error::system("cannot write the plot", cause))
        })?;
    }
    terminal.result(
        || json::object(&results, NOTE),
        &format!("{}{NOTE}\n", results.text()),
    )
}

fn check_outsiders(outsiders: &Path, raw: &Path) -> Result<()> {
    match (outsiders.canonicalize(), raw.canonicalize()) {
        (Ok(outsiders), Ok(raw)) if outsiders == raw => {
            Err(Error::input("outsiders are the raw data itself")
                .in_file(outsiders.display().to_string())
                .hint("give --outsiders a data file of people who are not in the data"))
        }
        _ => Ok(()),
    }
}

/// What is attacked under this name.
fn subject(path: &Path, terminal: &Terminal) -> Result<Subject> {
    let named = path
        .to_str()
        .and_then(|name| terminal.memory().mechanism(name));
    match named {
        Some(foreign) => Ok(Subject::Mechanism(foreign)),
        None => terminal.load(path).map(Subject::Loaded),
    }
}

/// The permission that every look at raw data takes here.
fn because() -> NonPrivate {
    NonPrivate::because("attacks for the publisher's own terminal")
}

fn people_file(path: &Path, terminal: &Terminal) -> Result<(PathBuf, Raw<Dataset>)> {
    match terminal.load(path)? {
        Loaded::Data(raw) => Ok((path.to_owned(), raw)),
        Loaded::Release(_) => Err(Error::input("outsiders must be raw data, not a release")
            .in_file(path.display().to_string())
            .hint("give --outsiders a data file of people who are not in the data")),
    }
}

fn chosen(names: &[String], all: &[&'static Attack]) -> Result<Vec<&'static Attack>> {
    if names.is_empty() {
        return Ok(all.to_vec());
    }
    let find = |name: &String| {
        let found = all.iter().find(|attack| attack.name == name).copied();
        found.ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|attack| attack.name).collect();
            Error::input(format!("there is no attack {name:?}")).hint(format!(
                "the attacks are: {}; wayveil attack --list explains them",
                known.join(", ")
            ))
        })
    };
    let mut chosen: Vec<&'static Attack> = Vec::new();
    for attack in names.iter().map(find) {
        let attack = attack?;
        if !chosen.iter().any(|known| known.name == attack.name) {
            chosen.push(attack);
        }
    }
    Ok(chosen)
}

/// Settings from the file, with flags before it.
fn settings(arguments: &AttackArguments) -> Result<AttackSettings> {
    let mut settings: AttackSettings = settings_file::read(
        arguments.settings.as_deref(),
        "wayveil attack --list shows the settings and their defaults",
    )?;
    if let Some(victims) = arguments.victims {
        settings.victims = victims;
    }
    if let Some(points) = arguments.points {
        settings.points = points;
        settings.typical_points = settings.typical_points.min(points);
    }
    if let Some(seed) = arguments.seed {
        settings.seed = seed;
    }
    if let Some(trials) = arguments.trials {
        settings.trials = trials;
    }
    if let Some(shadows) = arguments.shadows {
        settings.shadows = shadows;
    }
    settings.check()?;
    Ok(settings)
}

fn list(terminal: &Terminal) -> Result<()> {
    let objects: Vec<Value> = attack::ALL
        .iter()
        .map(|attack| {
            json!({
                "name": attack.name,
                "about": attack.about,
                "question": attack.question.name(),
                "definition": attack.definition,
                "source": attack.source,
            })
        })
        .collect();
    let mut text = String::new();
    for attack in attack::ALL {
        text += &format!(
            "{} ({}): {}\n  {}\n  Source: {}\n\n",
            attack.name,
            attack.question.name(),
            attack.about,
            attack.definition,
            attack.source
        );
    }
    text += &format!(
        "Settings (JSON) and their defaults:\n  {}\n",
        json!(AttackSettings::default())
    );
    terminal.result(|| json!(objects), &text)
}

#[cfg(test)]
mod tests;
