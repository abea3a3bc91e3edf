//! `wayveil demo`: everything once, on generated data.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;
use wayveil_core::{
    Booked, Dataset, Delta, Error, Manifest, Mechanism, Model, NonPrivate, Raw, Result, Silent,
    Terms, publish_booked,
};
use wayveil_evaluate::Portrait;
use wayveil_evaluate::attack::AttackSettings;
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_io::output::{check_target, write_file, write_folder};
use wayveil_io::{Published, read_release, write_dataset, write_release};
use wayveil_ledger::Ledger;
use wayveil_mechanisms::{Parameters, find};
use wayveil_report::page::InternalPart;
use wayveil_report::{Row, bar_table, picture};

use super::compare::{Compared, without_times};
use super::publish::RECIPIENTS_PAGE;
use super::random_source;
use super::report::{Wanted, look, write_page};
use crate::drawn::{Words, comparison};
use crate::facts::thousands;
use crate::promise;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil demo
  wayveil demo --records 200000 --epsilon 0.5 -o demo2";

/// Above it a promise is weak.
const WEAK: f64 = 4.0;
/// Above it a promise hardly protects.
const HARDLY: f64 = 10.0;

/// Stations in the table.
const STATIONS_SHOWN: usize = 10;
const TABLE_WIDTH: usize = 78;
/// Enough to see what attacks come to; the command attack takes more.
const VICTIMS: usize = 200;

const TAPS: &str = "taps.parquet";
const JOURNEYS: &str = "journeys.parquet";
const RELEASE: &str = "release";
const TRUTHFUL: &str = "truthful";
const REPORT: &str = "report.html";
const COMPARE: &str = "compare.html";
const PICTURE: &str = "picture.svg";
const LEDGER: &str = "ledger.sqlite";

#[derive(clap::Args)]
pub(crate) struct DemoArguments {
    /// How many people to make up.
    #[arg(long, value_name = "N", default_value = "100000")]
    records: u64,

    /// Privacy budget of the noisy release.
    #[arg(long, value_name = "E", default_value = "1")]
    epsilon: String,

    /// Make the same demo every time. Marks the releases as not publishable.
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
    let noisy = method("weave", &[("epsilon", arguments.epsilon.as_str())])?;
    let truthful = [
        ("k", "5"),
        ("c", "0.5"),
        ("l", "2"),
        ("sensitive", "diagnosis=HIV"),
    ];
    let truthful = method("suppress", &truthful)?;
    check_target(&arguments.output, arguments.force)?;
    terminal.say(&format!(
        "1/4  making up {} passengers of a metro and their taps of two days",
        thousands(arguments.records)
    ));
    let mut random = random_source("demo", arguments.insecure_seed)?;
    let options = GenerateOptions {
        records: Some(arguments.records),
        ..GenerateOptions::default()
    };
    let taps = generate(Preset::StmHours, &options, &mut random, terminal)?;
    let because = NonPrivate::because("the hours are left out of made-up data");
    let journeys = taps.inspect(because, without_times).transpose()?;
    let journeys = Raw::new(journeys.for_publisher_only());

    let is_demo = |folder: &Path| folder.join(PICTURE).is_file();
    let shown = write_folder(&arguments.output, arguments.force, is_demo, |folder| {
        terminal.say(&format!(
            "2/4  publishing their journeys with epsilon {} by the method {}, and true taps by {}",
            arguments.epsilon,
            noisy.name(),
            truthful.name()
        ));
        // Made-up people have books of their own: the user's are for real ones.
        let mut ledger = Ledger::open(&folder.join(LEDGER))?;
        let because = NonPrivate::because("the name of an account of made-up people");
        let population = taps
            .inspect(because, |data| data.population().to_owned())
            .for_publisher_only();
        ledger.allow(&population, &arguments.epsilon.parse()?, &Delta::zero())?;
        // One of them is for show: the text says so.
        ledger.accept_beside_allowance();
        let mut publish = |raw: &Raw<Dataset>, mechanism: &dyn Mechanism| -> Result<Booked> {
            let terms = Terms::default();
            publish_booked(raw, mechanism, &terms, &mut ledger, &mut random, &Silent)
        };
        let released = [
            (RELEASE, publish(&journeys, noisy.as_ref())?),
            (TRUTHFUL, publish(&taps, truthful.as_ref())?),
        ];
        for (name, booked) in &released {
            let (target, page) = (folder.join(name), Some(RECIPIENTS_PAGE));
            write_release(&target, booked, page, &mut ledger, false)?;
        }
        write_dataset(&folder.join(TAPS), &taps, false)?;
        write_dataset(&folder.join(JOURNEYS), &journeys, false)?;

        terminal.say("3/4  comparing the release with the raw data, and attacking it");
        let read = |name: &str| Ok((PathBuf::from(name), read_release(&folder.join(name))?));
        let releases = [read(RELEASE)?, read(TRUTHFUL)?];
        let quiet = Terminal::new(false, true);
        let attacks = AttackSettings {
            victims: VICTIMS,
            ..AttackSettings::default()
        };
        let wanted = Wanted {
            attacks: Some(attacks.clone()),
            ..Wanted::default()
        };
        let chain = ledger.chain()?;
        let seen = look(&journeys, &releases[0], &wanted, Some(&chain), &quiet)?;
        let (seen, _) = write_page(&folder.join(REPORT), false, &releases[0].1, seen, &quiet)?;

        terminal.say("4/4  comparing both releases");
        // Suppressing again takes its time: fewer releases are made to be attacked.
        let fewer = AttackSettings {
            trials: 1,
            shadows: 0,
            ..attacks
        };
        let settings = &wanted.settings;
        let both = Compared::of(&releases, Some(&taps), settings, Some(&fewer), &quiet)?;
        both.write(&folder.join(COMPARE), false)?;
        let [(_, release), _] = releases;
        let shown = Shown {
            portrait: Portrait::of(release.trajectories(), release.universe(), release.time())?,
            release,
            internal: seen.part,
            both,
        };
        shown.write_picture(&folder.join(PICTURE))?;
        Ok(shown)
    })?;
    shown.tell(&arguments.output, terminal)
}

fn method(name: &str, given: &[(&str, &str)]) -> Result<Box<dyn Mechanism>> {
    let entry = find(name)?;
    let given = given.iter().copied();
    (entry.build)(&Parameters::new(entry.parameters, given)?)
}

/// What the demo shows. It has seen raw data, which is made up.
struct Shown {
    release: Published,
    portrait: Portrait,
    internal: InternalPart,
    both: Compared,
}

impl Shown {
    fn write_picture(&self, path: &Path) -> Result<()> {
        let guarantee = &self.release.manifest().guarantee;
        let words = Words {
            title: "Two days on a made-up metro".into(),
            note: guarantee.in_words.clone(),
            release_name: format!("Release ({})", promise::short(&guarantee.model)),
        };
        let drawn = picture(&comparison(
            self.release.universe(),
            &self.internal.raw,
            &self.portrait,
            words,
        ));
        write_file(path, false, |file| {
            file.write_all(drawn.as_bytes())
                .map_err(|cause| Error::system("cannot write the picture", cause))
        })
    }

    fn tell(&self, folder: &Path, terminal: &Terminal) -> Result<()> {
        let path = |name: &str| folder.join(name).display().to_string();
        let manifest = self.release.manifest();
        let inside = |name: &str, file: &str| path(&format!("{name}/{file}"));
        let text = format!(
            "\nshare of visits in percent: raw, and the release\n{}\n\
             {}\n\n\
             {:<32} {}\n\
             \x20 its page for recipients        {}\n\
             \x20 its promise, limits and inputs {}\n\
             true taps instead of it          {}\n\
             the release beside the raw data  {} (for you)\n\
             both releases side by side       {} (for you)\n\
             the same as a picture            {}\n\
             the made-up taps                 {} (without hours: {})\n\
             what was spent on these people   {}\n\n\
             The release has journeys without hours, and noise; the true taps have hours, and visits left\n\
             out. Errors of each are against what it was made from. {}\n\n\
             Open:  {} {}\n\
             Next:  wayveil info {}\n",
            bar_table(&self.most_visited(), TABLE_WIDTH),
            self.both.text(),
            protection(manifest),
            path(RELEASE),
            inside(RELEASE, "report.html"),
            inside(RELEASE, "manifest.json"),
            path(TRUTHFUL),
            path(REPORT),
            path(COMPARE),
            path(PICTURE),
            path(TAPS),
            path(JOURNEYS),
            path(LEDGER),
            giving_away(manifest),
            opener(),
            path(REPORT),
            path(RELEASE),
        );
        let object = json!({
            "output": folder.display().to_string(),
            "release": path(RELEASE),
            "truthful": path(TRUTHFUL),
            "report": path(REPORT),
            "compare": path(COMPARE),
            "picture": path(PICTURE),
            "data": path(TAPS),
            "journeys": path(JOURNEYS),
            "ledger": path(LEDGER),
            "manifest": self.release.manifest(),
            "comparison": self.both.to_json(None),
        });
        terminal.result(|| object, &text)
    }

    fn most_visited(&self) -> Vec<Row> {
        let (raw, released) = (&self.internal.raw, &self.portrait);
        let percent = |visits: u64, symbols: u64| 100.0 * visits as f64 / symbols.max(1) as f64;
        let most = raw.most_visited().into_iter().take(STATIONS_SHOWN);
        most.map(|code| {
            let location = &self.release.universe().locations()[code as usize];
            let at =
                |portrait: &Portrait| percent(portrait.visits[code as usize], portrait.symbols);
            let name = location.name.as_ref().unwrap_or(&location.label);
            Row::new(name, at(raw), at(released))
        })
        .collect()
    }
}

/// The release by what its manifest says of it.
fn protection(manifest: &Manifest) -> &'static str {
    match &manifest.guarantee.model {
        _ if !manifest.publishable => "the release, not to be published",
        Model::DifferentialPrivacy { epsilon, .. } if *epsilon > HARDLY => {
            "the release, hardly protected"
        }
        Model::DifferentialPrivacy { epsilon, .. } if *epsilon > WEAK => {
            "the release, weakly protected"
        }
        Model::None { .. } => "the release, without promise",
        _ => "the release, to be given away",
    }
}

fn giving_away(manifest: &Manifest) -> String {
    match (&manifest.not_publishable_because, manifest.publishable) {
        (_, true) => {
            "Give away one of them at\nmost: nothing is promised about both together.".into()
        }
        (Some(reason), false) => format!("Neither is to be\ngiven away: {reason}."),
        (None, false) => "Neither is to be\ngiven away.".into(),
    }
}

/// The program that shows a page, on most machines of this kind.
fn opener() -> &'static str {
    if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "start"
    } else {
        "xdg-open"
    }
}
