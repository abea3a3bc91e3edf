//! `wayveil evaluate`: what a release is still good for.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wayveil_core::{
    Counted, Counting, Dataset, Error, Internal, NonPrivate, PrivacyUnit, Raw, Result, Terms,
};
use wayveil_evaluate::evaluation::{Measured, Outcome, Trial, measure, try_mechanism, try_out};
use wayveil_evaluate::metrics::{self, Better, Metric};
use wayveil_evaluate::{Compared, Settings, Side, on_counts};
use wayveil_io::Loaded;
use wayveil_io::output::write_file;
use wayveil_report::curves;

use super::random_source;
use super::sweep::Sweep;
use crate::opened::raw_data;
use crate::settings_file;
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil evaluate metro.parquet release/
  wayveil evaluate metro.parquet release/ --metric count-query-error --metric top-patterns
  wayveil evaluate metro.parquet --publish weave --publish 'hybrid-tree height=12' \\
      --sweep epsilon=0.5,1,1.5 --repeats 5
  wayveil evaluate --list";

const NOTE: &str = "internal: computed from raw data, not for publication. Parameters chosen from it \
                    make a guarantee conditional on that choice.";

#[derive(clap::Args)]
pub(crate) struct EvaluateArguments {
    /// The raw data file.
    #[arg(required_unless_present = "list")]
    raw: Option<PathBuf>,

    /// A release, or another data file, to compare with it.
    #[arg(required_unless_present_any = ["list", "publish"], conflicts_with = "publish")]
    release: Option<PathBuf>,

    /// Publish in memory instead, and evaluate that: a method and its parameters. Can be given
    /// several times. Nothing is written.
    #[arg(long, value_name = "METHOD PARAMETER=VALUE...")]
    publish: Vec<String>,

    /// Try several values of a parameter.
    #[arg(long, value_name = "PARAMETER=VALUE,...", requires = "publish")]
    sweep: Option<String>,

    /// How often to publish each, for confidence intervals.
    #[arg(long, value_name = "N", default_value = "1", requires = "publish")]
    repeats: usize,

    /// Only this metric. Can be given several times.
    #[arg(long, value_name = "NAME")]
    metric: Vec<String>,

    /// A file of settings for the metrics, as JSON; see --list for what there is.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Publish from the same random numbers every time.
    #[arg(long, value_name = "SEED")]
    insecure_seed: Option<u64>,

    /// Draw what was tried out as an SVG.
    #[arg(long, value_name = "FILE", requires = "publish")]
    plot: Option<PathBuf>,

    /// Replace the plot if it exists.
    #[arg(long)]
    force: bool,

    /// List all metrics with their definitions.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(arguments: &EvaluateArguments, terminal: &Terminal) -> Result<()> {
    if arguments.list {
        return list(terminal);
    }
    let chosen = chosen(&arguments.metric)?;
    let settings: Settings = settings_file::read(
        arguments.settings.as_deref(),
        "wayveil evaluate --list shows the settings and their defaults",
    )?;
    let path = arguments.raw.as_deref().unwrap_or(Path::new(""));
    if let Some(counted) = terminal.memory().counted(path) {
        return on_counts(&counted, arguments, &settings, terminal);
    }
    let raw = raw_data(path, "wayveil evaluate RAW RELEASE", terminal)?;
    match &arguments.release {
        Some(release) => one(&raw, release, &chosen, &settings, terminal),
        None => several(&raw, arguments, &chosen, &settings, terminal),
    }
}

fn chosen(names: &[String]) -> Result<Vec<&'static Metric>> {
    if names.is_empty() {
        return Ok(metrics::ALL.to_vec());
    }
    let find = |name: &String| {
        metrics::find(name).ok_or_else(|| {
            let known: Vec<_> = metrics::ALL.iter().map(|metric| metric.name).collect();
            Error::input(format!("there is no metric {name:?}"))
                .hint(format!("the metrics are: {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

fn list(terminal: &Terminal) -> Result<()> {
    let objects: Vec<Value> = metrics::ALL
        .iter()
        .map(|metric| {
            json!({
                "name": metric.name,
                "about": metric.about,
                "definition": metric.definition,
                "source": metric.source,
                "better": better(metric.better),
                "needs_coordinates": metric.spatial,
            })
        })
        .collect();
    let mut text = String::new();
    for metric in metrics::ALL {
        text += &format!(
            "{} ({} is better): {}\n  {}\n  Source: {}\n\n",
            metric.name,
            better(metric.better),
            metric.about,
            metric.definition,
            metric.source
        );
    }
    text += &format!(
        "Settings (JSON) and their defaults:\n  {}\n",
        json!(Settings::default())
    );
    terminal.result(|| json!(objects), &text)
}

pub(super) fn better(better: Better) -> &'static str {
    match better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    }
}

/// Compares raw data with a release, or with another data file.
fn one(
    raw: &Raw<Dataset>,
    release: &Path,
    chosen: &[&'static Metric],
    settings: &Settings,
    terminal: &Terminal,
) -> Result<()> {
    let because = || NonPrivate::because("metrics for the publisher's own terminal");
    let released = terminal.load(release)?;
    let measured: Internal<Vec<Measured>> = raw
        .inspect(because(), |data| {
            let run = |other: Side<'_>| {
                let compared = Compared::new(side(data), other)?;
                measure(&compared, chosen, settings, terminal)
            };
            match &released {
                Loaded::Release(published) => run(Side {
                    universe: published.universe(),
                    time: published.time(),
                    sequences: published.trajectories(),
                }),
                Loaded::Data(other) => other
                    .inspect(because(), |other| run(side(other)))
                    .for_publisher_only(),
            }
        })
        .transpose()?;
    tell(&measured.for_publisher_only(), terminal)
}

/// Compares records that stay elsewhere with a release, as far as counts of them go.
fn on_counts(
    counted: &Counted,
    arguments: &EvaluateArguments,
    settings: &Settings,
    terminal: &Terminal,
) -> Result<()> {
    let chosen = match arguments.metric.is_empty() {
        true => on_counts::metrics(),
        false => chosen(&arguments.metric)?,
    };
    let Some(path) = &arguments.release else {
        return Err(Error::input(
            "methods are tried out on records that are here, and these stay elsewhere",
        )
        .hint("compare them with a release"));
    };
    let Loaded::Release(released) = terminal.load(path)? else {
        return Err(
            Error::input("records that stay elsewhere are compared with a release")
                .in_file(path.display().to_string()),
        );
    };
    let because = || NonPrivate::because("metrics for the publisher's own terminal");
    let other = Side {
        universe: released.universe(),
        time: released.time(),
        sequences: released.trajectories(),
    };
    let measure = |data: &Dataset| {
        let look = |counting: &dyn Counting| {
            on_counts::measure(side(data), counting, other, &chosen, settings, terminal)
        };
        // Trips as they are, as with data that is here.
        let seen = counted.inspect(because(), PrivacyUnit::Trip, look);
        seen.for_publisher_only()
    };
    let measured = counted.public().inspect(because(), measure);
    tell(&measured.transpose()?.for_publisher_only(), terminal)
}

fn tell(measured: &[Measured], terminal: &Terminal) -> Result<()> {
    let mut table = Table::new(&["metric", "value", "better"]);
    let (defined, undefined): (Vec<_>, Vec<_>) =
        measured.iter().partition(|entry| !entry.samples.is_empty());
    for entry in &defined {
        table.row(&[
            entry.name(),
            number(entry.samples.mean()),
            better(entry.better).into(),
        ]);
    }
    let left_out = match undefined.len() {
        0 => String::new(),
        count => format!("{count} further values are not defined on this data.\n"),
    } + &why_undefined(measured);
    let object = json!({
        "internal": true,
        "note": NOTE,
        "metrics": values(measured),
        "undefined": reasons(measured),
    });
    terminal.result(|| object, &format!("{}\n{left_out}{NOTE}\n", table.text()))
}

/// Raw data as metrics take it.
pub(super) fn side(data: &Dataset) -> Side<'_> {
    Side {
        universe: data.universe(),
        time: data.time(),
        sequences: data.trips(),
    }
}

/// Metrics by name, each a number, or an object where runs were repeated.
fn values(measured: &[Measured]) -> Value {
    let entries = measured.iter().map(|entry| {
        let value = match entry.samples.half_width() {
            Some(half) => json!({
                "mean": entry.samples.mean(),
                "half_width": half,
                "runs": entry.samples.len(),
            }),
            None => json!(entry.samples.mean()),
        };
        (entry.name(), value)
    });
    entries.collect::<serde_json::Map<String, Value>>().into()
}

/// Why numbers are not defined, by metric, where one says.
fn reasons(measured: &[Measured]) -> BTreeMap<&'static str, &'static str> {
    let reason = |entry: &Measured| Some((entry.metric, entry.undefined_because?));
    measured.iter().filter_map(reason).collect()
}

/// The same in words, a line each.
fn why_undefined(measured: &[Measured]) -> String {
    let lines = reasons(measured).into_iter();
    lines
        .map(|(metric, because)| format!("{metric} is not defined: {because}.\n"))
        .collect()
}

/// Four digits are more than any of these metrics deserves.
pub(super) fn number(value: Option<f64>) -> String {
    match value {
        None => "undefined".into(),
        Some(value) if value.abs() >= 1000.0 || value.fract() == 0.0 => format!("{value:.0}"),
        Some(value) => format!("{value:.4}"),
    }
}

/// Publishes candidates in memory and compares them.
fn several(
    raw: &Raw<Dataset>,
    arguments: &EvaluateArguments,
    chosen: &[&'static Metric],
    settings: &Settings,
    terminal: &Terminal,
) -> Result<()> {
    let mut random = random_source("publish", arguments.insecure_seed)?;
    let sweep = Sweep::read(&arguments.publish, arguments.sweep.as_deref())?;
    let terms = Terms {
        universe_from_data: true,
        ..Terms::default()
    };
    let trial = Trial {
        terms: &terms,
        repeats: arguments.repeats.clamp(1, 10_000),
        metrics: chosen,
        settings,
    };
    let mut table = Table::new(&["candidate", "metric", "mean", "± 95 %", "better"]);
    let mut objects = Vec::new();
    let mut points = Vec::new();
    let mut why_not = String::new();
    for point in sweep.points() {
        let name = point.name.clone();
        terminal.say(&format!("trying {name}"));
        let known = terminal.memory().mechanism(&point.tried.method);
        let outcome = match known {
            Some(foreign) => try_mechanism(raw, foreign.as_ref(), &trial, &mut random, terminal),
            None => try_out(raw, &point.tried, &trial, &mut random, terminal),
        }?;
        match outcome.for_publisher_only() {
            Outcome::Refused(reason) => {
                table.row(&[name.clone(), "refused".into()]);
                terminal.say(&format!("refused: {reason}"));
                objects.push(json!({ "candidate": name, "refused": reason }));
            }
            Outcome::Measured(measured) => {
                for entry in &measured {
                    table.row(&[
                        name.clone(),
                        entry.name(),
                        number(entry.samples.mean()),
                        entry
                            .samples
                            .half_width()
                            .map_or(String::new(), |half| number(Some(half))),
                        better(entry.better).into(),
                    ]);
                }
                objects.push(json!({
                    "candidate": name,
                    "metrics": values(&measured),
                    "undefined": reasons(&measured),
                }));
                let more = why_undefined(&measured);
                if !why_not.contains(&more) {
                    why_not += &more;
                }
                points.push((point, measured));
            }
        }
    }
    if let Some(path) = &arguments.plot {
        let page = curves(&sweep.chart(&points));
        write_file(path, arguments.force, |file| {
            file.write_all(page.as_bytes())
                .map_err(|cause| Error::system("cannot write the plot", cause))
        })?;
    }
    let object = json!({ "internal": true, "note": NOTE, "candidates": objects });
    terminal.result(|| object, &format!("{}\n{why_not}{NOTE}\n", table.text()))
}
