//! `wayveil report`: a release beside its raw data, as a page for the publisher.

mod budget;
mod internal;
mod json;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use wayveil_core::{Dataset, Error, Internal, NonPrivate, Raw, Result};
use wayveil_evaluate::Settings;
use wayveil_evaluate::attack::AttackSettings;
use wayveil_evaluate::repeated::{FEWEST, Repeats};
use wayveil_io::Published;
use wayveil_io::output::write_file;
use wayveil_ledger::Chain;
use wayveil_report::page::{ReleasePart, internal_page};

pub(super) use self::internal::{Seen, Wanted, released_side};
pub(super) use self::json::task as task_json;
use super::evaluate::number;
use crate::books::LedgerFile;
use crate::opened::{check_internal_target, raw_data, release};
use crate::settings_file;
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil report metro.parquet release/ -o report.html
  wayveil report metro.parquet release/ -o report.html --repeats 0 --no-attacks";

const USAGE: &str = "wayveil report RAW RELEASE -o report.html";

const NOTE: &str = "internal: computed from raw data, not for publication. Recipients get report.html of \
                    `wayveil publish --report`.";

/// The most repeats: more make intervals no narrower.
const MOST_REPEATS: usize = 1000;

/// Where nothing else is asked for: enough for an interval that is not much too wide, but no run is begun
/// after this time once there are the fewest.
const REPEATS: Repeats = Repeats::Within {
    time: Duration::from_secs(20),
    least: 5,
    most: 20,
};

#[derive(clap::Args)]
pub(crate) struct ReportArguments {
    /// The raw data file.
    raw: PathBuf,

    /// The release folder.
    release: PathBuf,

    /// The page to write, outside of any release.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// How often the release is made again in memory, for intervals; 0 for none. Without it 20 times,
    /// or fewer, but 5 at least, where that takes more than 20 seconds.
    #[arg(long, value_name = "N")]
    repeats: Option<usize>,

    /// How many people are attacked.
    #[arg(
        long,
        value_name = "N",
        default_value = "200",
        conflicts_with = "no_attacks"
    )]
    victims: usize,

    /// Make no attacks.
    #[arg(long)]
    no_attacks: bool,

    /// A file of settings for the metrics, as JSON; `wayveil evaluate --list` shows what there is.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    ledger: LedgerFile,
}

pub(crate) fn run(arguments: &ReportArguments, terminal: &Terminal) -> Result<()> {
    let wanted = wanted(arguments)?;
    let others = arguments.settings.as_deref();
    let sources = [arguments.raw.as_path(), arguments.release.as_path()];
    check_internal_target(
        &arguments.output,
        sources.into_iter().chain(others),
        arguments.force,
    )?;
    let raw = raw_data(&arguments.raw, USAGE, terminal)?;
    let release = release(&arguments.release, USAGE, terminal)?;
    let chain = arguments.ledger.read_if_there()?;
    let release = (arguments.release.clone(), release);
    let seen = look(&raw, &release, &wanted, chain.as_ref(), terminal)?;
    let (seen, bytes) = write_page(
        &arguments.output,
        arguments.force,
        &release.1,
        seen,
        terminal,
    )?;
    let path = arguments.output.display().to_string();
    let text = format!("{}\n{NOTE}\nwrote {path}\n", text(&seen));
    let object = || json::object(&seen, &release.1, &path, bytes, NOTE);
    terminal.result(object, &text)
}

fn wanted(arguments: &ReportArguments) -> Result<Wanted> {
    if let Some(repeats) = arguments.repeats
        && ((1..FEWEST).contains(&repeats) || repeats > MOST_REPEATS)
    {
        return Err(Error::input(format!(
            "invalid number of repeats (got {repeats}): an interval takes {FEWEST} to {MOST_REPEATS}"
        ))
        .hint("give --repeats 5, or --repeats 0 for no intervals"));
    }
    let attacks = AttackSettings {
        victims: arguments.victims,
        ..AttackSettings::default()
    };
    attacks.check()?;
    Ok(Wanted {
        repeats: match arguments.repeats {
            None => Some(REPEATS),
            Some(0) => None,
            Some(repeats) => Some(Repeats::Exactly(repeats)),
        },
        attacks: (!arguments.no_attacks).then_some(attacks),
        settings: settings_file::read(
            arguments.settings.as_deref(),
            "wayveil evaluate --list shows the settings and their defaults",
        )?,
    })
}

/// Computes everything that the page shows of raw data.
pub(super) fn look(
    raw: &Raw<Dataset>,
    release: &(PathBuf, Published),
    wanted: &Wanted,
    chain: Option<&Chain>,
    terminal: &Terminal,
) -> Result<Internal<Seen>> {
    let because = NonPrivate::because("a report for the publisher, outside of any release");
    raw.inspect(because, |data| {
        Seen::of(data, release, wanted, chain, terminal)
    })
    .transpose()
}

/// Draws and writes the page; says what is on it and how large it is.
pub(super) fn write_page(
    target: &Path,
    overwrite: bool,
    release: &Published,
    seen: Internal<Seen>,
    terminal: &Terminal,
) -> Result<(Seen, usize)> {
    terminal.say("drawing the page");
    let part = ReleasePart::of(release)?;
    let seen = seen.for_publisher_only();
    let page = internal_page(&part, &seen.part)?;
    write_file(target, overwrite, |file| {
        file.write_all(page.as_bytes())
            .map_err(|cause| Error::system("cannot write the page", cause))
    })?;
    Ok((seen, page.len()))
}

/// Errors by task, beside their lines.
fn text(seen: &Seen) -> String {
    let mut table = Table::new(&[
        "task",
        "error",
        "such releases",
        "another sample",
        "random places",
        "empty release",
    ]);
    for error in &seen.part.tasks {
        let interval = error.interval.map_or_else(
            || "–".into(),
            |it| format!("{} to {}", number(Some(it.low)), number(Some(it.high))),
        );
        let task = error.task;
        table.row(&[
            task.name().into(),
            number(error.error),
            interval,
            number(task.error(&seen.references.another_sample)),
            number(task.error(&seen.references.nothing)),
            number(error.nothing),
        ]);
    }
    let mut text = table.text();
    text += "error: 0 is as good as the raw data; an empty release is no data at all\n";
    text += &match &seen.part.no_intervals_because {
        Some(reason) => format!("no intervals: {reason}\n"),
        None => format!(
            "such releases: where 95 % of releases made like this lie, as {} made in memory tell\n",
            seen.part.repeats
        ),
    };
    for remark in &seen.remarks {
        text += &format!("{remark}\n");
    }
    if let Some(reason) = &seen.part.no_attacks_because {
        text += &format!("no attacks: {reason}\n");
    }
    text
}

/// The metrics' settings where nothing else is asked for.
impl Default for Wanted {
    fn default() -> Self {
        Self {
            repeats: Some(REPEATS),
            attacks: None,
            settings: Settings::default(),
        }
    }
}
