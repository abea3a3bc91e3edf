//! Where advice comes from: facts, an earlier release, the raw data, or a release that is paid for.

use serde_json::{Value, json};
use wayveil_core::{
    Dataset, Epsilon, Error, Manifest, Model, NonPrivate, Origin, Raw, Released, Result, Terms,
    publish_booked,
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

/// The rows of a release may be off by this share where they are taken for the number of people.
const MOST_OFF: f64 = 0.1;

/// A data file, and what is public about it.
pub(super) struct Stage {
    pub(super) raw: Raw<Dataset>,
    pub(super) facts: Facts,
    pub(super) population: String,
}

impl Stage {
    /// Whether places or bins were read off the data.
    pub(super) fn has_inputs_from_data(&self) -> bool {
        let bins = self.facts.time.as_ref().map(|axis| &axis.declared);
        *self.facts.universe.origin() == Origin::FromData || bins == Some(&Origin::FromData)
    }
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
        let stage = Self {
            raw,
            facts,
            population,
        };
        check_origins(&stage, arguments.universe_from_data)?;
        Ok(stage)
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
fn check_origins(stage: &Stage, accepted: bool) -> Result<()> {
    match stage.has_inputs_from_data() {
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
    /// What the release that was learned from passes on.
    pub(super) inherited: Vec<String>,
    /// Whether the number of people is the rows of the release.
    pub(super) rows_of_release: bool,
}

impl Knowledge {
    /// Whether a choice by it makes a guarantee conditional.
    pub(super) fn is_conditional(&self) -> bool {
        self.source == Source::Raw || !self.inherited.is_empty()
    }
}

/// A small release that was made for advice.
pub(super) struct Paid {
    pub(super) epsilon: Epsilon,
    pub(super) folder: String,
    pub(super) words: String,
}

impl Paid {
    /// Said where no advice came of it.
    pub(super) fn after_an_error(&self) -> String {
        format!(
            "epsilon {} was spent on {} and stays spent; --like {1} learns from it without paying again",
            self.epsilon, self.folder
        )
    }

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
        let manifest = released.manifest();
        if facts.sizes.people.is_none() {
            check_rows(manifest, released.trajectories().len())?;
        }
        let (people, arenas) = like_release(facts, sensitive, released, most, seed)?;
        Ok(Knowledge {
            source: Source::Release,
            people,
            arenas,
            paid,
            inherited: inherited(manifest),
            rows_of_release: facts.sizes.people.is_none(),
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
            inherited: Vec::new(),
            rows_of_release: false,
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
            "Spent epsilon {epsilon} on a small release, {folder}. {}.",
            account_in_words(&stage.population, &account)
        );
        let paid = Paid {
            epsilon,
            folder,
            words,
        };
        let told = paid.after_an_error();
        let known = from_release(booked.release(), Some(paid));
        if known.is_err() {
            terminal.warn(&told);
        }
        return known;
    }
    let arenas = lookalikes(facts, sensitive, most, seed)?;
    Ok(Knowledge {
        source: Source::Facts,
        people: facts.sizes.people.unwrap_or(0),
        arenas,
        paid: None,
        inherited: Vec::new(),
        rows_of_release: false,
    })
}

/// The rows of a release as the number of people: only where noise has moved them little.
fn check_rows(manifest: &Manifest, rows: usize) -> Result<()> {
    if manifest.public_inputs.units == Some(rows as u64) {
        return Ok(());
    }
    let ask = |message: String| {
        Err(Error::input(message)
            .hint("give --people about how many there are, a number that you would say in public"))
    };
    let Model::DifferentialPrivacy { epsilon, local, .. } = &manifest.guarantee.model else {
        return ask("the rows of this release are a true count, which nobody made public".into());
    };
    let levels = manifest.method.parameters.get("height");
    let levels = levels.and_then(Value::as_f64).unwrap_or(1.0);
    // Noise of a count of every place at one level, added up.
    let places = manifest.public_inputs.universe.locations as f64;
    let off = (2.0 * places).sqrt() * levels / epsilon;
    match *local || off > rows as f64 * MOST_OFF {
        true => ask(format!(
            "the rows of this release ({rows}) say too little of how many people there were"
        )),
        false => Ok(()),
    }
}

/// What a choice by this release rests on, where the release is not what costs nothing more.
fn inherited(manifest: &Manifest) -> Vec<String> {
    let mut all = Vec::new();
    if !manifest.guarantee.model.is_differential_privacy() {
        all.push(
            "That release is not differentially private: what is chosen by it depends on true rows.".into(),
        );
    }
    if !manifest.publishable {
        let reason = manifest.not_publishable_because.as_deref();
        all.push(format!(
            "That release must not be published ({}): what is chosen by it may tell what it holds.",
            reason.unwrap_or("no reason is given").trim_end_matches('.')
        ));
    }
    let mut conditions = manifest.guarantee.rests_on.iter();
    if conditions.any(|it| it.contains("chosen after looking")) {
        all.push("That release was itself chosen after looking at raw data.".into());
    }
    all
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
