//! Puts trajectories together, symbol by symbol, for every reader of a text form.

use std::sync::Arc;

use wayveil_core::{
    Attribute, Dataset, Error, Internal, NonPrivate, Origin, Owners, Raw, Result, Sequences,
    TimeAxis,
};

use crate::lines::{excerpt, whole_number};
use crate::summary::ImportSummary;
use crate::universe::{LEFT_OUT, LocationIndex, UniverseChoice, Unknown};

/// The longest line of a trajectory.
pub(crate) const LINE_LIMIT: usize = 16 << 20;

/// What a reader returns.
pub(crate) type Import = Result<(Raw<Dataset>, Internal<ImportSummary>)>;

/// Where the number of time bins comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bins {
    /// Stated, independently of the data.
    Declared(u32),
    /// One more than the largest that occurs. Reveals which occurs; `publish` asks again.
    FromData,
}

/// Trajectories that grow at the end.
pub(crate) struct SequenceBuilder {
    locations: LocationIndex,
    /// Whether symbols carry bins; unknown until the first symbol unless bins were declared.
    timed: Option<bool>,
    declared_bins: Option<u32>,
    /// Whether bins may be read off the data.
    free_bins: bool,
    most_bins: u32,
    /// The latest bin of the record that is open.
    latest: u32,
    offsets: Vec<u64>,
    codes: Vec<u32>,
    bins: Vec<u32>,
    out_of_order: u64,
}

/// What stands beside the trajectories.
pub(crate) struct Beside {
    pub(crate) owners: Owners,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) population: String,
}

impl SequenceBuilder {
    pub(crate) fn new(universe: &UniverseChoice, unknown: Unknown, bins: Option<Bins>) -> Self {
        let from_data = matches!(universe, UniverseChoice::FromData);
        Self {
            locations: LocationIndex::new(universe, unknown),
            timed: bins.map(|_| true),
            declared_bins: match bins {
                Some(Bins::Declared(bins)) => Some(bins),
                _ => None,
            },
            free_bins: bins == Some(Bins::FromData) || (bins.is_none() && from_data),
            most_bins: 0,
            latest: 0,
            offsets: vec![0],
            codes: Vec::new(),
            bins: Vec::new(),
            out_of_order: 0,
        }
    }

    /// Refuses a symbol with a bin among symbols without, and the other way round.
    pub(crate) fn agree_on_time(&mut self, symbol: &str, timed: bool) -> Result<()> {
        match (*self.timed.get_or_insert(timed), timed) {
            (true, false) => Err(Error::input(format!(
                "the symbol {symbol:?} has no time bin, others have"
            ))),
            (false, true) => Err(Error::input(format!(
                "the symbol {symbol:?} has a time bin, others have none"
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses bins where their number was to be stated and was not.
    pub(crate) fn need_bins(&self) -> Result<()> {
        if self.declared_bins.is_none() && !self.free_bins {
            return Err(Error::input("the number of time bins is not stated").hint("--bins N"));
        }
        Ok(())
    }

    /// Reads a bin; `form` is the hint for what is no number.
    pub(crate) fn bin(&self, text: &str, form: &str) -> Result<u32> {
        let bin = whole_number(text)
            .and_then(|bin| u32::try_from(bin).ok())
            .filter(|&bin| bin < u32::MAX);
        let bin = bin.ok_or_else(|| {
            Error::input(format!(
                "invalid time bin (got {:?}): a whole number from 0 on",
                excerpt(text)
            ))
            .hint(form)
        })?;
        self.allowed(bin)
    }

    /// Refuses a bin outside the stated ones.
    pub(crate) fn allowed(&self, bin: u32) -> Result<u32> {
        self.need_bins()?;
        match self.declared_bins {
            Some(bins) if bin >= bins => Err(Error::input(format!(
                "the time bin {bin} lies outside the declared {bins} bins, which are 0 to {}",
                i64::from(bins) - 1
            ))
            .hint(
                "state with --bins how many there are by the public time axis, not by what the \
                 data holds; cut records that leave it",
            )),
            _ => Ok(bin),
        }
    }

    /// The code of a label that was declared or met before.
    pub(crate) fn find(&self, label: &str) -> Option<u32> {
        self.locations.find(label)
    }

    /// The code of any label: known, added, or left out.
    pub(crate) fn locate(&mut self, label: &str) -> Result<u32> {
        match self.find(label) {
            Some(code) => Ok(code),
            None => self.locations.add(label),
        }
    }

    /// Appends a visit to the open record, unless its location is left out. A bin is given for
    /// all visits or for none, which [`agree_on_time`](Self::agree_on_time) watches over.
    pub(crate) fn visit(&mut self, code: u32, bin: Option<u32>) {
        if code == LEFT_OUT {
            return;
        }
        self.codes.push(code);
        if let Some(bin) = bin {
            self.most_bins = self.most_bins.max(bin + 1);
            self.out_of_order += u64::from(bin < self.latest);
            self.latest = bin.max(self.latest);
            self.bins.push(bin);
        }
    }

    /// Ends the open record; the next one is open.
    pub(crate) fn end_record(&mut self) {
        self.offsets.push(self.codes.len() as u64);
        self.latest = 0;
    }

    /// How many records have ended.
    pub(crate) fn records(&self) -> u64 {
        (self.offsets.len() - 1) as u64
    }

    /// The data and what to tell the publisher about them; `skipped` holds what the reader itself
    /// counted, and is filled in.
    pub(crate) fn finish(self, file: &str, beside: Beside, skipped: ImportSummary) -> Import {
        let records = self.records();
        let located = self.locations.finish(file)?;
        let mut codes = self.codes;
        if let Some(code_of) = &located.code_of {
            for code in &mut codes {
                *code = code_of[*code as usize];
            }
        }
        let timed = self.timed == Some(true);
        let time = timed.then(|| match self.declared_bins {
            Some(bins) => TimeAxis::new(bins, Origin::Declared("number of bins".into())),
            None => TimeAxis::new(self.most_bins, Origin::FromData),
        });
        let summary = ImportSummary {
            records,
            owners: match &beside.owners {
                Owners::EachRecord => records,
                Owners::Known { labels, .. } => labels.len() as u64,
            },
            symbols: codes.len() as u64,
            locations: located.universe.len() as u64,
            unknown: located.left_out,
            out_of_order: self.out_of_order,
            ..skipped
        };
        let trips = Sequences::new(self.offsets, codes, timed.then_some(self.bins))?;
        let dataset = Dataset::new(
            Arc::new(located.universe),
            time,
            trips,
            beside.owners,
            beside.attributes,
            beside.population,
        )?;
        let raw = Raw::new(dataset);
        let because = NonPrivate::because("the publisher is told what an import read and left out");
        let summary = raw.inspect(because, |_| summary);
        Ok((raw, summary))
    }
}
