//! Where advice comes from: facts, an earlier release, the raw data, or a release that is paid for.

use serde_json::{Value, json};
use wayveil_core::{
    Dataset, Epsilon, Error, NonPrivate, Origin, Raw, Released, Result, Terms, publish_booked,
};
use wayveil_evaluate::advise::{
    Arena, Facts, Sensitive, Source, like_release, look_at, lookalikes,
};
use wayveil_io::{Loaded, check_release_target, read_gtfs_lines, read_taxonomy, write_release};
use wayveil_ledger::{Account, Ledger};
use wayveil_mechanisms::{Parameters, find};

use super::super::random_source;
use super::arguments::AdviseArguments;
use crate::books::account_in_words;
use crate::heard::Heard;
use crate::terminal::Terminal;

/// Levels of the small release that is paid for: where people are, and the next two places. What comes
/// after is continued from there (see `like_release`), and more levels would leave each less of a small ε.
const PAID_HEIGHT: &str = "3";

/// A data file, and what is public about it.
pub(super) struct Stage {
    pub(super) raw: Raw<Dataset>,
    pub(super) facts: Facts,
    pub(super) population: String,
}

impl Stage {
    /// Reads the file and takes its public inputs.
    pub(super) fn open(arguments: &AdviseArguments, terminal: &Terminal) -> Result<Self> {
        let raw = match terminal.load(&arguments.input)? {
            Loaded::Data(raw) => raw,
            Loaded::Release(_) => {
                return Err(Error::input("this is a release already")
                    .in_file(arguments.input.display().to_string())
                    .hint(
                        "name the data file that is to be published; an earlier release is given \
                         with --like RELEASE",
                    ));
            }
        };
        let raw = with_taxonomy(raw, arguments)?;
        let because = NonPrivate::because("public inputs alone: places, axis, names of columns");
        let (facts, population) = raw
            .inspect(because, |data| {
                let facts = Facts::of(data, arguments.unit(), arguments.sizes());
                (facts, data.population().to_owned())
            })
            .for_publisher_only();
        facts.check()?;
        check_origins(&facts, arguments.universe_from_data)?;
        Ok(Self {
            raw,
            facts,
            population,
        })
    }
}

fn with_taxonomy(raw: Raw<Dataset>, arguments: &AdviseArguments) -> Result<Raw<Dataset>> {
    let because = NonPrivate::because("labels of a public taxonomy are matched with the universe");
    let universe = raw.inspect(because, |data| data.universe().clone());
    let universe = universe.for_publisher_only();
    match (&arguments.taxonomy, &arguments.taxonomy_gtfs) {
        (Some(file), _) => raw.with_taxonomy(read_taxonomy(file, &universe)?),
        (None, Some(feed)) => raw.with_taxonomy(read_gtfs_lines(feed, &universe)?),
        (None, None) => Ok(raw),
    }
}

/// Places and bins that were read off the data are no public facts, unless the publisher says so. The
/// door would refuse the release as well.
fn check_origins(facts: &Facts, accepted: bool) -> Result<()> {
    let bins = facts.time.as_ref().map(|axis| &axis.declared);
    let from_data = |origin: Option<&Origin>| origin == Some(&Origin::FromData);
    match from_data(Some(facts.universe.origin())) || from_data(bins) {
        true if !accepted => Err(Error::refused(
            "the set of locations or the number of time bins was read off the raw data, and is no \
             public fact",
        )
        .hint(
            "import again with a public list (--universe FILE), or accept a weaker guarantee with \
             --universe-from-data",
        )),
        _ => Ok(()),
    }
}

/// What methods are tried on.
pub(super) struct Knowledge {
    pub(super) source: Source,
    pub(super) people: u64,
    pub(super) arenas: Vec<Arena>,
    /// What was spent to know it.
    pub(super) paid: Option<Paid>,
}

/// A small release that was made for advice.
pub(super) struct Paid {
    pub(super) epsilon: Epsilon,
    pub(super) folder: String,
    pub(super) words: String,
}

impl Paid {
    pub(super) fn to_json(&self) -> Value {
        json!({ "epsilon": self.epsilon.to_string(), "output": self.folder })
    }
}

pub(super) fn gather(
    stage: &Stage,
    arguments: &AdviseArguments,
    sensitive: Option<&Sensitive>,
    most: u64,
    seed: u64,
    terminal: &Terminal,
) -> Result<Knowledge> {
    let facts = &stage.facts;
    let from_release = |released: &dyn Released, paid| -> Result<Knowledge> {
        let (people, arenas) = like_release(facts, sensitive, released, most, seed)?;
        Ok(Knowledge {
            source: Source::Release,
            people,
            arenas,
            paid,
        })
    };
    if let Some(path) = &arguments.like {
        return match terminal.load(path)? {
            Loaded::Release(published) => from_release(&*published, None),
            Loaded::Data(_) => Err(Error::input("this is raw data, not a release")
                .in_file(path.display().to_string())
                .hint("give --like the folder of a release; --look tries methods on raw data")),
        };
    }
    if arguments.look {
        let (people, arenas) = look_at(&stage.raw, facts.unit, most, seed)?;
        return Ok(Knowledge {
            source: Source::Raw,
            people,
            arenas,
            paid: None,
        });
    }
    if let (Some(epsilon), Some(folder)) = (arguments.pay()?, &arguments.output) {
        check_release_target(folder, false)?;
        let mut ledger = arguments.ledger.open(terminal)?;
        let booked = buy(stage, arguments, &epsilon, &mut ledger, terminal)?;
        write_release(folder, &booked, None, &mut ledger, false)?;
        let account = ledger.chain()?.accounts().remove(&stage.population);
        let account = account.unwrap_or_else(Account::empty);
        let folder = folder.display().to_string();
        let words = format!(
            "Spent epsilon {epsilon} on a small release, {folder}; it and the release that you publish \
             next add up. {}.",
            account_in_words(&stage.population, &account)
        );
        let paid = Paid {
            epsilon,
            folder,
            words,
        };
        return from_release(booked.release(), Some(paid));
    }
    let arenas = lookalikes(facts, sensitive, most, seed)?;
    Ok(Knowledge {
        source: Source::Facts,
        people: facts.sizes.people.unwrap_or(0),
        arenas,
        paid: None,
    })
}

/// Publishes the small release through the door, with parameters that are public.
fn buy(
    stage: &Stage,
    arguments: &AdviseArguments,
    epsilon: &Epsilon,
    ledger: &mut Ledger,
    terminal: &Terminal,
) -> Result<wayveil_core::Booked> {
    let entry = find("prefix-tree")?;
    let given = [
        ("epsilon", epsilon.to_string()),
        ("height", PAID_HEIGHT.into()),
    ];
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, given)?)?;
    let terms = Terms {
        unit: arguments.unit(),
        universe_from_data: arguments.universe_from_data,
        chosen_after_looking: false,
    };
    let mut random = random_source("publish", arguments.insecure_seed)?;
    let heard = Heard::before(terminal);
    let booked = publish_booked(
        &stage.raw,
        mechanism.as_ref(),
        &terms,
        ledger,
        &mut random,
        &heard,
    );
    if let (Err(_), Some(entry)) = (&booked, ledger.booked()) {
        terminal.warn(&format!(
            "this attempt is in the ledger as {entry} and counts as spent"
        ));
    }
    booked
}
