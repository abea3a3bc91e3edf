//! Where the records are that are published from: here, or where another program has them counted.

use std::path::Path;

use wayveil_core::{
    Booked, Books, Counted, Dataset, Error, Mechanism, Progress, RandomSource, Raw, Result,
    Taxonomy, Terms, publish_booked, publish_counted,
};
use wayveil_io::Loaded;

use crate::terminal::Terminal;

/// Records before the door.
pub(crate) enum Records {
    /// In memory.
    Here(Raw<Dataset>),
    /// Elsewhere, where they stay and are counted.
    Elsewhere(Counted),
}

impl Records {
    /// Opens a data file, or what another program holds under this name.
    pub(crate) fn open(path: &Path, terminal: &Terminal) -> Result<Self> {
        if let Some(counted) = terminal.memory().counted(path) {
            return Ok(Self::Elsewhere(counted));
        }
        match terminal.load(path)? {
            Loaded::Data(raw) => Ok(Self::Here(raw)),
            Loaded::Release(_) => Err(Error::input("this is a release already")
                .in_file(path.display().to_string())
                .hint("publish from a data file, made by `wayveil import` or `generate`")),
        }
    }

    /// A data set with everything public; without records where they are elsewhere.
    pub(crate) fn data(&self) -> &Raw<Dataset> {
        match self {
            Self::Here(raw) => raw,
            Self::Elsewhere(counted) => counted.public(),
        }
    }

    /// Puts another taxonomy over the locations.
    pub(crate) fn with_taxonomy(self, taxonomy: Taxonomy) -> Result<Self> {
        Ok(match self {
            Self::Here(raw) => Self::Here(raw.with_taxonomy(taxonomy)?),
            Self::Elsewhere(counted) => Self::Elsewhere(counted.with_taxonomy(taxonomy)?),
        })
    }

    /// Through the one door.
    pub(crate) fn publish(
        &self,
        mechanism: &dyn Mechanism,
        terms: &Terms,
        books: &mut dyn Books,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Booked> {
        match self {
            Self::Here(raw) => publish_booked(raw, mechanism, terms, books, random, progress),
            Self::Elsewhere(counted) => {
                publish_counted(counted, mechanism, terms, books, random, progress)
            }
        }
    }
}
