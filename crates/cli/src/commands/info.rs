//! `wayveil info`: what a data file or a release is.

use std::path::PathBuf;

use serde_json::json;
use wayveil_core::{Model, NonPrivate, Origin, Result, TimeAxis, Universe};
use wayveil_io::{Loaded, Published, load};
use wayveil_report::histogram_text;

use crate::facts::{Facts, thousands};
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil info metro.parquet
  wayveil info release/ --json";

/// Lengths shown one by one; longer ones share a line.
const LENGTHS_SHOWN: usize = 15;
const CHART_WIDTH: usize = 40;

#[derive(clap::Args)]
pub(crate) struct InfoArguments {
    /// A data file or a release folder.
    input: PathBuf,
}

pub(crate) fn run(arguments: &InfoArguments, terminal: &Terminal) -> Result<()> {
    match load(&arguments.input)? {
        Loaded::Data(raw) => {
            let because = NonPrivate::because("shown to the publisher on their own terminal");
            let seen = raw.inspect(because, |data| {
                let facts = Facts::of(data.trips(), data.universe());
                let mut object = facts.to_json(data.universe());
                object["kind"] = json!("data");
                object["internal"] = json!(true);
                object["population"] = json!(data.population());
                object["universe"] = json!(data.universe().origin());
                object["time_bins"] = json!(data.time().map(|axis| axis.bins));
                let text = format!(
                    "data file of the population {:?}; raw: these figures are not for \
                     publication\n{}{}{}",
                    data.population(),
                    origin_line(data.universe()),
                    time_line(data.time()),
                    describe(&facts, data.universe())
                );
                (object, text)
            });
            let (object, text) = seen.for_publisher_only();
            terminal.result(|| object, &text)
        }
        Loaded::Release(release) => {
            let facts = Facts::of(release.trajectories(), release.universe());
            let mut object = facts.to_json(release.universe());
            object["kind"] = json!("release");
            object["internal"] = json!(false);
            object["manifest"] = json!(release.manifest());
            let text = format!(
                "{}{}{}",
                promise(&release),
                time_line(release.time()),
                describe(&facts, release.universe())
            );
            terminal.result(|| object, &text)
        }
    }
}

fn time_line(time: Option<&TimeAxis>) -> String {
    time.map_or(String::new(), |axis| {
        format!("time bins     {}\n", axis.bins)
    })
}

fn origin_line(universe: &Universe) -> String {
    match universe.origin() {
        Origin::Declared(how) => format!("universe      declared public ({how})\n"),
        Origin::FromData => "universe      read off the data: publishing needs \
                             --universe-from-data\n"
            .into(),
    }
}

fn promise(release: &Published) -> String {
    let manifest = release.manifest();
    let model = match &manifest.guarantee.model {
        Model::DifferentialPrivacy { epsilon, .. } => {
            format!("differential privacy, epsilon {epsilon}")
        }
        Model::None { reason } => format!("none: {reason}"),
        _ => "of a kind that this version does not know".into(),
    };
    let publishable = match &manifest.not_publishable_because {
        None => String::new(),
        Some(reason) => format!("NOT PUBLISHABLE: {reason}\n"),
    };
    format!(
        "release by {} ({}), {}\n{publishable}guarantee     {model}\n{}\n",
        manifest.method.name, manifest.method.variant, manifest.date, manifest.guarantee.in_words
    )
}

fn describe(facts: &Facts, universe: &Universe) -> String {
    let top: Vec<String> = facts
        .top_locations(5)
        .into_iter()
        .map(|(code, visits)| format!("{} ({})", universe.label(code), thousands(visits)))
        .collect();
    format!(
        "records       {}\nlocations     {}\nsymbols       {}\nmean length   {:.2}\n\
         max length    {}\nmost visited  {}\n\nrecords by length\n{}",
        thousands(facts.records),
        thousands(facts.locations),
        thousands(facts.symbols),
        facts.mean_length(),
        facts.max_length,
        if top.is_empty() {
            "–".into()
        } else {
            top.join(", ")
        },
        histogram_text(&length_rows(facts), CHART_WIDTH)
    )
}

fn length_rows(facts: &Facts) -> Vec<(String, f64)> {
    let mut rows: Vec<(String, f64)> = facts
        .lengths
        .iter()
        .enumerate()
        .take(LENGTHS_SHOWN + 1)
        .filter(|&(length, &records)| length > 0 || records > 0)
        .map(|(length, &records)| (length.to_string(), records as f64))
        .collect();
    let longer: u64 = facts.lengths.iter().skip(LENGTHS_SHOWN + 1).sum();
    if longer > 0 {
        rows.push((format!("{}+", LENGTHS_SHOWN + 1), longer as f64));
    }
    rows
}
