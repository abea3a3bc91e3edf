//! What is attacked: people, and what was published of them, in one universe's codes.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wayveil_core::{
    Dataset, Error, Manifest, PrivacyUnit, Progress, RandomSource, Raw, Result, TimeAxis, Universe,
    Within,
};
use wayveil_evaluate::attack::{Again, Method, People, Scene, Target};
use wayveil_evaluate::{Compared, Side};
use wayveil_io::{Loaded, Published as Release};

use super::super::random_source;
use super::because;
use crate::memory::Foreign;
use crate::promise;

/// The raw data under pseudonyms, in words.
const RAW: &str = "raw, under pseudonyms";

/// What a published thing is called and how it was made.
#[derive(Clone, Debug)]
pub(super) struct Published {
    /// As given on the command line; `raw` for the raw data.
    pub(super) name: String,
    /// For people: its last name and its epsilon.
    pub(super) title: String,
    pub(super) made: Made,
}

/// How a published thing was made.
#[derive(Clone, Debug)]
pub(super) enum Made {
    /// The raw data under pseudonyms.
    AsItIs,
    /// A release with its manifest, and its universe where that has the raw data's codes.
    Release(Box<Manifest>, Option<Arc<Universe>>),
    /// A file of unknown origin.
    Elsewhere,
    /// What a mechanism of another program made of the people, in memory.
    Foreign(Maker),
}

/// A mechanism of another program.
#[derive(Clone)]
pub(super) struct Maker(pub(super) Foreign);

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// What is attacked, as it was named.
pub(super) enum Subject {
    /// A release or a data file.
    Loaded(Loaded),
    /// A mechanism, to be run on the people.
    Mechanism(Foreign),
}

/// What is attacked beside the raw data.
#[derive(Clone, Copy)]
pub(super) enum Given<'a> {
    Release(&'a Release),
    Data(&'a Raw<Dataset>),
    Mechanism(&'a Foreign),
}

impl<'a> From<&'a Subject> for Given<'a> {
    fn from(subject: &'a Subject) -> Self {
        match subject {
            Subject::Loaded(loaded) => loaded.into(),
            Subject::Mechanism(foreign) => Self::Mechanism(foreign),
        }
    }
}

impl<'a> From<&'a Loaded> for Given<'a> {
    fn from(loaded: &'a Loaded) -> Self {
        match loaded {
            Loaded::Release(release) => Self::Release(release),
            Loaded::Data(data) => Self::Data(data),
        }
    }
}

impl<'a> From<&'a Release> for Given<'a> {
    fn from(release: &'a Release) -> Self {
        Self::Release(release)
    }
}

/// Everything that attacks are made on.
pub(super) struct Stage<'a> {
    universe: &'a Arc<Universe>,
    time: Option<&'a TimeAxis>,
    people: People,
    /// The raw data first. What is not given here is the people themselves.
    published: Vec<(Published, Option<People>)>,
    outsiders: Option<People>,
    pub(super) unit: PrivacyUnit,
    /// Hears that a release is being made again.
    progress: &'a dyn Progress,
}

impl<'a> Stage<'a> {
    /// Brings everything into the raw data's codes, as records under the unit of privacy.
    pub(super) fn set<'r, R>(
        data: &'a Dataset,
        releases: &'r [(PathBuf, R)],
        outsiders: Option<&(PathBuf, Raw<Dataset>)>,
        progress: &'a dyn Progress,
    ) -> Result<Self>
    where
        Given<'r>: From<&'r R>,
    {
        let given = releases
            .iter()
            .map(|(path, one)| (path.as_path(), one.into()));
        let releases: Vec<(&Path, Given<'_>)> = given.collect();
        let unit = unit(&releases)?;
        let people = People::of(data, unit);
        let side = Side {
            universe: data.universe(),
            time: data.time(),
            sequences: &people.sequences,
        };
        let mut published = vec![(
            Published {
                name: "raw".into(),
                title: RAW.into(),
                made: Made::AsItIs,
            },
            None,
        )];
        for (path, given) in releases {
            let (made, records) = match given {
                Given::Mechanism(foreign) => {
                    let again =
                        Again::with(foreign.as_ref(), &people, data.universe(), data.time());
                    let records = again
                        .publish_all(&mut random_source("publish", None)?, &Within(progress))?;
                    (Made::Foreign(Maker(Arc::clone(foreign))), records)
                }
                Given::Release(release) => {
                    let other = Side {
                        universe: release.universe(),
                        time: release.time(),
                        sequences: release.trajectories(),
                    };
                    let compared =
                        Compared::new(side, other).map_err(|fault| named(fault, path))?;
                    // Another taxonomy over the same locations leaves the codes alone.
                    let same_codes = matches!(compared.released, Cow::Borrowed(_));
                    let universe = same_codes.then(|| Arc::clone(release.universe()));
                    let sequences = compared.released.into_owned();
                    let records = People::published(sequences, release.attributes());
                    let manifest = Box::new(release.manifest().clone());
                    (Made::Release(manifest, universe), records)
                }
                Given::Data(other) => (Made::Elsewhere, recoded(side, other, unit, path)?),
            };
            let described = Published {
                name: path.display().to_string(),
                title: title(path, &made),
                made,
            };
            published.push((described, Some(records)));
        }
        tell_apart(&mut published);
        let outsiders = outsiders
            .map(|(path, raw)| recoded(side, raw, unit, path))
            .transpose()?;
        Ok(Self {
            universe: data.universe(),
            time: data.time(),
            people,
            published,
            outsiders,
            unit,
            progress,
        })
    }

    /// How many records there are.
    pub(super) fn people(&self) -> usize {
        self.people.len()
    }

    /// What was published, the raw data first.
    pub(super) fn published(&self) -> impl Iterator<Item = &Published> {
        self.published.iter().map(|(described, _)| described)
    }

    /// Makes something of the scene of an attack on one published thing.
    pub(super) fn with_scene<R>(&self, position: usize, act: impl FnOnce(&Scene<'_>) -> R) -> R {
        let (described, records) = &self.published[position];
        // What an attacker who knows the method can do again.
        let again = match &described.made {
            Made::AsItIs => Err(String::new()),
            Made::Elsewhere => Err("it was made elsewhere".into()),
            Made::Foreign(Maker(foreign)) => Ok(Again::with(
                foreign.as_ref(),
                &self.people,
                self.universe,
                self.time,
            )),
            Made::Release(manifest, universe) => {
                let universe = universe.as_ref().unwrap_or(self.universe);
                Again::from_manifest(manifest, &self.people, universe, self.time)
            }
        };
        let remake = again.as_ref().map(|again| {
            |people: &[u32], random: &mut RandomSource| {
                again.publish(people, random, &Within(self.progress))
            }
        });
        let method = match (&described.made, &remake) {
            (Made::AsItIs, _) => Method::AsTheyAre,
            (_, Ok(remake)) => Method::Again(remake),
            (_, Err(reason)) => Method::Unknown((*reason).clone()),
        };
        act(&Scene {
            people: &self.people,
            target: Target {
                records: records.as_ref().unwrap_or(&self.people),
                method,
            },
            outsiders: self.outsiders.as_ref(),
            universe: self.universe,
            time: self.time,
        })
    }
}

impl Stage<'_> {
    /// How long it takes to make a published thing again from half of the people, as attacks do; none
    /// where it is not made again.
    pub(super) fn time_of_making(&self, position: usize) -> Option<Duration> {
        let every_second: Vec<u32> = (0..self.people.len() as u32).step_by(2).collect();
        self.with_scene(position, |scene| {
            let Method::Again(make) = &scene.target.method else {
                return None;
            };
            let began = Instant::now();
            let mut random = RandomSource::insecure_seed_for("how long it takes", 1);
            // What is refused here is refused there, and said there.
            make(&every_second, &mut random).ok()?;
            Some(began.elapsed())
        })
    }
}

/// The one unit of privacy that all releases have; a person where none says.
fn unit(releases: &[(&Path, Given<'_>)]) -> Result<PrivacyUnit> {
    let mut found: Option<(PrivacyUnit, &Path)> = None;
    for &(path, given) in releases {
        let unit = match given {
            Given::Release(release) => release.manifest().guarantee.unit,
            Given::Data(_) => continue,
            // A mechanism of another program is given people's joined records.
            Given::Mechanism(_) => PrivacyUnit::Owner,
        };
        match found {
            Some((known, first)) if known != unit => {
                return Err(Error::input(format!(
                    "{} protects {}, and this {}",
                    first.display(),
                    known.in_words(),
                    unit.in_words()
                ))
                .in_file(path.display().to_string())
                .hint("attack them one by one: victims are what a release protects"));
            }
            _ => found = Some((unit, path)),
        }
    }
    Ok(found.map_or(PrivacyUnit::Owner, |(unit, _)| unit))
}

/// The people of another data file in the codes of this side.
fn recoded(side: Side<'_>, other: &Raw<Dataset>, unit: PrivacyUnit, path: &Path) -> Result<People> {
    let recode = |data: &Dataset| {
        let people = People::of(data, unit);
        let other = Side {
            universe: data.universe(),
            time: data.time(),
            sequences: &people.sequences,
        };
        let sequences = Compared::new(side, other)?.released.into_owned();
        Ok(People {
            sequences,
            columns: people.columns,
            owners: people.owners,
        })
    };
    let recoded: Result<People> = other.inspect(because(), recode).for_publisher_only();
    recoded.map_err(|fault| named(fault, path))
}

fn named(fault: Error, path: &Path) -> Error {
    fault.in_file(path.display().to_string())
}

/// Gives those with the same title their paths.
fn tell_apart(published: &mut [(Published, Option<People>)]) {
    let titles: Vec<String> = (published.iter())
        .map(|(described, _)| described.title.clone())
        .collect();
    for ((described, _), own) in published.iter_mut().zip(&titles) {
        if titles.iter().filter(|title| *title == own).count() > 1 {
            described.title = with_model(&described.name, &described.made);
        }
    }
}

fn title(path: &Path, made: &Made) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    with_model(&name.to_string_lossy(), made)
}

fn with_model(name: &str, made: &Made) -> String {
    match made {
        Made::AsItIs | Made::Elsewhere | Made::Foreign(_) => name.to_owned(),
        Made::Release(manifest, _) => {
            format!("{name} ({})", promise::short(&manifest.guarantee.model))
        }
    }
}
