//! `wayveil compare`: releases side by side, by what they promise and what they are good for.

mod against;
mod row;

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};
use wayveil_core::{Dataset, Error, NonPrivate, Raw, Result};
use wayveil_evaluate::Settings;
use wayveil_evaluate::attack::AttackSettings;
use wayveil_io::Published;
use wayveil_io::output::write_file;
use wayveil_report::page::{ReleaseComparison, compare_page};

use self::against::against;
pub(super) use self::against::without_times;
use self::row::Row;
use super::evaluate::number;
use super::report::task_json;
use crate::facts::thousands;
use crate::opened::{check_internal_target, raw_data, release};
use crate::settings_file;
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil compare release-1/ release-4/
  wayveil compare release-1/ release-4/ --raw metro.parquet -o compare.html
  wayveil compare release-1/ truthful/ --raw metro.parquet --attacks";

const USAGE: &str = "wayveil compare RELEASE... --raw RAW";

const NOTE: &str = "internal: errors are computed from raw data, not for publication. Parameters chosen \
                    from them make a guarantee conditional on that choice.";

#[derive(clap::Args)]
pub(crate) struct CompareArguments {
    /// The release folders.
    #[arg(required = true, value_name = "RELEASE")]
    releases: Vec<PathBuf>,

    /// The raw data that they were made from: shows how wrong answers get.
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,

    /// Attack them too: how much better do attackers do on people who are in?
    #[arg(long, requires = "raw")]
    attacks: bool,

    /// How many people are attacked.
    #[arg(long, value_name = "N", default_value = "200", requires = "attacks")]
    victims: usize,

    /// A file of settings for the metrics, as JSON; `wayveil evaluate --list` shows what there is.
    #[arg(long, value_name = "FILE", requires = "raw")]
    settings: Option<PathBuf>,

    /// Draw them as a page for a browser.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &CompareArguments, terminal: &Terminal) -> Result<()> {
    let settings: Settings = settings_file::read(
        arguments.settings.as_deref(),
        "wayveil evaluate --list shows the settings and their defaults",
    )?;
    let attacks = AttackSettings {
        victims: arguments.victims,
        ..AttackSettings::default()
    };
    attacks.check()?;
    if let Some(output) = &arguments.output {
        let others = [&arguments.raw, &arguments.settings];
        let sources = arguments
            .releases
            .iter()
            .chain(others.into_iter().flatten());
        check_internal_target(output, sources.map(PathBuf::as_path), arguments.force)?;
    }
    let raw = match &arguments.raw {
        Some(path) => Some(raw_data(path, USAGE, terminal)?),
        None => None,
    };
    let releases = arguments
        .releases
        .iter()
        .map(|path| Ok((path.clone(), release(path, USAGE, terminal)?)))
        .collect::<Result<Vec<_>>>()?;
    each_once(&releases)?;
    let attacks = arguments.attacks.then_some(&attacks);
    let comparison = Compared::of(&releases, raw.as_ref(), &settings, attacks, terminal)?;
    if let Some(output) = &arguments.output {
        comparison.write(output, arguments.force)?;
    }
    let wrote = match &arguments.output {
        Some(output) => format!("wrote {}\n", output.display()),
        None => String::new(),
    };
    let object = || comparison.to_json(arguments.output.as_ref());
    terminal.result(object, &format!("{}{wrote}", comparison.text()))
}

/// A release beside itself compares nothing, and looks like two that agree.
fn each_once(releases: &[(PathBuf, Published)]) -> Result<()> {
    for (at, (path, release)) in releases.iter().enumerate() {
        let id = &release.manifest().id;
        let same = |(_, other): &&(PathBuf, Published)| other.manifest().id == *id;
        if let Some((first, _)) = releases[..at].iter().find(same) {
            return Err(Error::input(format!(
                "this is the same release as {}: both have the id {id}",
                first.display()
            ))
            .in_file(path.display().to_string())
            .hint("give every release once"));
        }
    }
    Ok(())
}

/// Releases side by side.
pub(super) struct Compared {
    rows: Vec<Row>,
    internal: bool,
}

impl Compared {
    /// Compares them, with raw data where there is some.
    pub(super) fn of(
        releases: &[(PathBuf, Published)],
        raw: Option<&Raw<Dataset>>,
        settings: &Settings,
        attacks: Option<&AttackSettings>,
        terminal: &Terminal,
    ) -> Result<Self> {
        let mut rows: Vec<Row> = Row::all(releases);
        if let Some(raw) = raw {
            let because = NonPrivate::because("a comparison for the publisher's own eyes");
            let look = |data: &Dataset| -> Result<()> {
                for (row, release) in rows.iter_mut().zip(releases) {
                    terminal.say(&format!("comparing {} with the raw data", row.shown.name));
                    against(row, data, release, settings, attacks, terminal)?;
                }
                Ok(())
            };
            raw.inspect(because, look).for_publisher_only()?;
        }
        Ok(Self {
            rows,
            internal: raw.is_some(),
        })
    }

    /// Draws and writes the page.
    pub(super) fn write(&self, target: &std::path::Path, overwrite: bool) -> Result<()> {
        let page = compare_page(&ReleaseComparison {
            releases: self.rows.iter().map(Row::on_page).collect(),
            internal: self.internal,
        })?;
        write_file(target, overwrite, |file| {
            file.write_all(page.as_bytes())
                .map_err(|cause| Error::system("cannot write the page", cause))
        })
    }

    /// For machines.
    pub(super) fn to_json(&self, output: Option<&PathBuf>) -> Value {
        let releases = self.rows.iter().map(|row| {
            let shown = &row.shown;
            json!({
                "name": shown.name,
                "method": shown.method,
                "promise": shown.promise,
                "guarantee": shown.guarantee,
                "epsilon": shown.epsilon,
                "records": shown.records,
                "visits": shown.symbols,
                "standard_error": shown.standard_error,
                "errors": shown.errors.iter().map(task_json).collect::<Vec<_>>(),
                "attack_advantage": shown.attack_advantage,
                "attack": shown.attack_name,
                "attack_shown": shown.attack_shown,
                "remarks": shown.remarks,
            })
        });
        json!({
            "internal": self.internal,
            "note": self.internal.then_some(NOTE),
            "releases": releases.collect::<Vec<_>>(),
            "output": output.map(|path| path.display().to_string()),
        })
    }

    /// The errors of an empty release; a line for each release where they differ, since raw data can
    /// have its times left out.
    fn of_nothing(&self) -> String {
        let line = |row: &Row| {
            let errors = row.shown.errors.iter().filter_map(|error| {
                let percent = 100.0 * error.nothing?;
                Some(format!("{} {percent:.0} %", error.task.name()))
            });
            errors.collect::<Vec<_>>().join(", ")
        };
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for row in &self.rows {
            let (line, name) = (line(row), row.shown.name.as_str());
            match groups.iter_mut().find(|(known, _)| *known == line) {
                Some((_, names)) => names.push(name),
                None if line.is_empty() => {}
                None => groups.push((line, vec![name])),
            }
        }
        let one = groups.len() == 1;
        let told = groups.iter().map(|(line, names)| match one {
            true => format!("  an empty release: {line}\n"),
            false => format!(
                "  an empty release in place of {}: {line}\n",
                names.join(", ")
            ),
        });
        told.collect()
    }

    /// A table, and what is to be said beside it.
    pub(super) fn text(&self) -> String {
        let tasks = self.rows.first().map_or(&[][..], |row| &row.shown.errors);
        let attacked = self
            .rows
            .iter()
            .any(|row| row.shown.attack_advantage.is_some());
        let mut header = vec![
            "release", "method", "promise", "records", "visits", "± count",
        ];
        header.extend(tasks.iter().map(|error| error.task.name()));
        if attacked {
            header.push("attacks");
        }
        let mut table = Table::new(&header);
        for row in &self.rows {
            let shown = &row.shown;
            let some = |value: Option<f64>| value.map_or("–".into(), |it| number(Some(it)));
            let mut cells = vec![
                shown.name.clone(),
                shown.method.clone(),
                shown.promise.clone(),
                thousands(shown.records),
                thousands(shown.symbols),
                some(shown.standard_error),
            ];
            cells.extend(shown.errors.iter().map(|error| some(error.error)));
            if attacked {
                cells.push(match (shown.attack_advantage, shown.attack_shown) {
                    (Some(_), false) => "not shown".into(),
                    (advantage, _) => some(advantage),
                });
            }
            table.row(&cells);
        }
        let mut text = table.text() + "± count: median standard error of released counts\n";
        if self.internal {
            text += "by task: 0 is as good as the raw data; no data at all has these errors:\n";
            text += &self.of_nothing();
        }
        if attacked {
            text += "attacks: how much better the best attack is on people who are in, from 0 to 1; made on \
                     releases that are made again like these, from random halves of the people\n";
        }
        for row in &self.rows {
            for remark in &row.shown.remarks {
                text += &format!("{}: {remark}\n", row.shown.name);
            }
        }
        if self.internal {
            text += &format!("{NOTE}\n");
        }
        text
    }
}
