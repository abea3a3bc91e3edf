//! `wayveil demo`: everything once, on generated data.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;
use wayveil_core::{
    Dataset, Delta, Error, NonPrivate, Raw, Release, Result, Terms, publish_booked,
};
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_io::output::{check_target, write_file, write_folder};
use wayveil_io::{write_dataset, write_release};
use wayveil_ledger::Ledger;
use wayveil_mechanisms::{Parameters, find};
use wayveil_report::{Row, bar_table, picture};

use super::random_source;
use crate::compare::compare;
use crate::facts::{Facts, thousands};
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil demo
  wayveil demo --records 200000 --epsilon 0.5 -o demo2";

/// Stations in the table.
const STATIONS_SHOWN: usize = 10;
const TABLE_WIDTH: usize = 78;
/// Deep enough to show journeys and returns; every level more leaves less budget for each.
const HEIGHT: &str = "6";
const LEDGER: &str = "ledger.sqlite";

#[derive(clap::Args)]
pub(crate) struct DemoArguments {
    /// How many people to make up.
    #[arg(long, value_name = "N", default_value = "100000")]
    records: u64,

    /// Privacy budget of the release.
    #[arg(long, value_name = "E", default_value = "1")]
    epsilon: String,

    /// Make the same demo every time. Marks the release as not publishable.
    #[arg(long, value_name = "SEED")]
    insecure_seed: Option<u64>,

    /// The folder to write.
    #[arg(long, short, value_name = "FOLDER", default_value = "wayveil-demo")]
    output: PathBuf,

    /// Replace the folder if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &DemoArguments, terminal: &Terminal) -> Result<()> {
    let entry = find("prefix-tree")?;
    let given = [("epsilon", arguments.epsilon.as_str()), ("height", HEIGHT)];
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, given)?)?;
    check_target(&arguments.output, arguments.force)?;
    terminal.say(&format!(
        "1/3  making up {} passengers of a metro and their journeys of a week",
        thousands(arguments.records)
    ));
    let mut random = random_source("demo", arguments.insecure_seed)?;
    let options = GenerateOptions {
        records: Some(arguments.records),
        ..GenerateOptions::default()
    };
    let raw = generate(Preset::Metro, &options, &mut random, terminal)?;

    terminal.say(&format!(
        "2/3  publishing their journeys with epsilon {} by the method {}",
        arguments.epsilon, entry.name
    ));
    let is_demo = |folder: &Path| folder.join("picture.svg").is_file();
    let booked = write_folder(&arguments.output, arguments.force, is_demo, |folder| {
        // Made-up people have books of their own: the user's are for real ones.
        let mut ledger = Ledger::open(&folder.join(LEDGER))?;
        let because = NonPrivate::because("the name of an account of made-up people");
        let population = raw
            .inspect(because, |data| data.population().to_owned())
            .for_publisher_only();
        ledger.allow(&population, &arguments.epsilon.parse()?, &Delta::zero())?;
        let terms = Terms::default();
        let booked = publish_booked(
            &raw,
            mechanism.as_ref(),
            &terms,
            &mut ledger,
            &mut random,
            terminal,
        )?;
        terminal.say("3/3  comparing the release with the raw data");
        write_dataset(&folder.join("metro.parquet"), &raw, false)?;
        write_release(&folder.join("release"), &booked, None, &mut ledger, false)?;
        write_picture(&folder.join("picture.svg"), &raw, booked.release())?;
        Ok(booked)
    })?;
    show(&raw, booked.release(), &arguments.output, terminal)
}

fn write_picture(path: &Path, raw: &Raw<Dataset>, release: &Release) -> Result<()> {
    let because = NonPrivate::because("a picture for the publisher, outside the release");
    let drawn = raw
        .inspect(because, |data| {
            compare(data, release, "A week on a made-up metro".into())
        })
        .map(|comparison| picture(&comparison));
    write_file(path, false, |file| {
        file.write_all(drawn.for_publisher_only().as_bytes())
            .map_err(|cause| Error::system("cannot write the picture", cause))
    })
}

fn show(raw: &Raw<Dataset>, release: &Release, folder: &Path, terminal: &Terminal) -> Result<()> {
    let because = NonPrivate::because("a table on the publisher's own terminal");
    let rows = raw.inspect(because, |data| most_visited(data, release));
    let path = |name: &str| folder.join(name).display().to_string();
    let text = format!(
        "\nshare of visits in percent: raw, and the release\n{}\n{}\n\n\
         the release, safe to give away   {}\n\
         its promise, limits and inputs   {}\n\
         raw against release, for you     {}\n\
         the made-up raw data             {}\n\
         what was spent on these people   {}\n\n\
         Next:  wayveil info {}\n",
        bar_table(&rows.for_publisher_only(), TABLE_WIDTH),
        release.manifest().guarantee.in_words,
        path("release"),
        path("release/manifest.json"),
        path("picture.svg"),
        path("metro.parquet"),
        path(LEDGER),
        path("release"),
    );
    let object = json!({
        "output": folder.display().to_string(),
        "release": path("release"),
        "picture": path("picture.svg"),
        "data": path("metro.parquet"),
        "ledger": path(LEDGER),
        "manifest": release.manifest(),
    });
    terminal.result(|| object, &text)
}

fn most_visited(data: &Dataset, release: &Release) -> Vec<Row> {
    let universe = data.universe();
    let raw = Facts::of(data.trips(), universe);
    let released = Facts::of(release.trajectories(), universe);
    let percent = |visits: u64, symbols: u64| 100.0 * visits as f64 / symbols.max(1) as f64;
    raw.top_locations(STATIONS_SHOWN)
        .into_iter()
        .map(|(code, visits)| {
            let location = &universe.locations()[code as usize];
            Row::new(
                location.name.as_ref().unwrap_or(&location.label),
                percent(visits, raw.symbols),
                percent(released.visits[code as usize], released.symbols),
            )
        })
        .collect()
}
