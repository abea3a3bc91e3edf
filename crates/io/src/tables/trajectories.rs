//! Rows that are whole trajectories: a list of labels each, and perhaps a list of time bins.

use std::ops::Range;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use wayveil_core::{Dataset, Error, Internal, Owners, Raw, Result};

use super::open::{Batches, Handed, Piece, TableFile};
use super::place::{Table, in_row, missing, unexpected_type};
use super::texts::{Integers, Texts, is_attribute, is_text_or_integer};
use crate::csv::Header;
use crate::native::check_attribute_names;
use crate::sequence_builder::{Beside, Bins, Import, SequenceBuilder};
use crate::summary::ImportSummary;
use crate::text_column::TextColumn;
use crate::universe::{UniverseChoice, Unknown, check_label};
use crate::visits::{check_owner, check_value};

/// Trajectories decoded at once.
const ROWS: usize = 1 << 13;

/// How a table of trajectories is to be read.
#[derive(Clone, Debug)]
pub struct TrajectoryTableOptions {
    /// Name of the column of lists of labels.
    pub column: String,
    /// Name of the column of lists of time bins, one per label, if there is one.
    pub bins_column: Option<String>,
    /// Name of the column of owners; without one, every row is its own owner.
    pub uid: Option<String>,
    /// Names of the columns to keep as attributes of the trajectory.
    pub attributes: Vec<String>,
    /// The set of locations.
    pub universe: UniverseChoice,
    /// What to do with locations outside of it.
    pub unknown: Unknown,
    /// The number of time bins. If not said, it may be taken from the data only where the
    /// locations are, too.
    pub bins: Option<Bins>,
    /// The name under which spending on these people is kept.
    pub population: String,
}

impl TrajectoryTableOptions {
    /// The column `locations` as in a release, without bins, owners and attributes; nothing
    /// unknown is accepted.
    pub fn new(universe: UniverseChoice, population: impl Into<String>) -> Self {
        Self {
            column: "locations".into(),
            bins_column: None,
            uid: None,
            attributes: Vec::new(),
            universe,
            unknown: Unknown::Error,
            bins: None,
            population: population.into(),
        }
    }
}

/// Reads a Parquet or Arrow file with one trajectory per row.
pub fn read_trajectories(
    path: &Path,
    options: &TrajectoryTableOptions,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    read(TableFile::open(path)?, options)
}

/// Reads such a file that lies in memory.
pub fn read_trajectories_from(
    name: &str,
    bytes: Vec<u8>,
    options: &TrajectoryTableOptions,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    read(TableFile::from_bytes(name, bytes)?, options)
}

/// Reads batches in memory with one trajectory per row.
pub fn read_trajectory_batches(
    name: &str,
    batches: Handed,
    options: &TrajectoryTableOptions,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    read(TableFile::from_memory(name, batches, None), options)
}

fn read(
    file: TableFile,
    options: &TrajectoryTableOptions,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    check_attribute_names(options.attributes.iter().map(String::as_str))?;
    if options.bins.is_some() && options.bins_column.is_none() {
        return Err(
            Error::input("time bins are stated, and no column of bins is named")
                .hint("name it with --bins-column NAME, or leave --bins out"),
        );
    }
    let header = file.header();
    let columns = Columns::find(&header, options)?;
    columns.check(&file, &header)?;
    let name = file.name.clone();
    let mut batches = file.read(&columns.all(), ROWS)?;
    let mut reader = Reader::new(&name, &header, &columns, options);
    while let Some(piece) = batches.next_piece()? {
        reader.take(&batches, &piece)?;
    }
    reader.finish(options)
}

struct Columns {
    labels: usize,
    bins: Option<usize>,
    uid: Option<usize>,
    attributes: Vec<usize>,
}

impl Columns {
    fn find(header: &Header, options: &TrajectoryTableOptions) -> Result<Self> {
        let find = |name: &Option<String>, flag: &str| match name {
            Some(name) => header.require(name, flag).map(Some),
            None => Ok(None),
        };
        let attributes = options.attributes.iter();
        Ok(Self {
            labels: header.require(&options.column, "--trajectory-column")?,
            bins: find(&options.bins_column, "--bins-column")?,
            uid: find(&options.uid, "--uid-column")?,
            attributes: attributes
                .map(|name| header.require(name, "--attribute"))
                .collect::<Result<_>>()?,
        })
    }

    fn check(&self, file: &TableFile, header: &Header) -> Result<()> {
        let table = Table {
            file: &file.name,
            header,
            types: file
                .schema
                .fields()
                .iter()
                .map(|it| it.data_type())
                .collect(),
        };
        let labels = |it: &DataType| item_type(it).is_some_and(is_text_or_integer);
        let bins = |it: &DataType| item_type(it).is_some_and(DataType::is_integer);
        table.expect(self.labels, labels, "trajectory", "a list of labels")?;
        if let Some(column) = self.bins {
            table.expect(
                column,
                bins,
                "sequence of time bins",
                "a list of whole numbers",
            )?;
        }
        if let Some(column) = self.uid {
            table.expect(column, is_text_or_integer, "uid", "text or whole numbers")?;
        }
        for &column in &self.attributes {
            let wanted = "text, whole numbers or truth values";
            table.expect(column, is_attribute, "attribute", wanted)?;
        }
        Ok(())
    }

    fn all(&self) -> Vec<usize> {
        let mut all = vec![self.labels];
        all.extend(self.bins.iter().chain(&self.uid).chain(&self.attributes));
        all
    }
}

fn item_type(data_type: &DataType) -> Option<&DataType> {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) => Some(item.data_type()),
        _ => None,
    }
}

/// A column of lists: the items of all rows, and which are a row's.
struct Lists<'a> {
    array: &'a ArrayRef,
    items: &'a ArrayRef,
}

impl<'a> Lists<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        let items = match array.data_type() {
            DataType::List(_) => array.as_list_opt::<i32>()?.values(),
            _ => array.as_list_opt::<i64>()?.values(),
        };
        Some(Self { array, items })
    }

    /// The items of a row, none if it is null.
    fn get(&self, row: usize) -> Option<Range<usize>> {
        if self.array.is_null(row) {
            return None;
        }
        let (start, end) = match self.array.as_list_opt::<i32>() {
            Some(lists) => {
                let ends = lists.value_offsets();
                (i64::from(*ends.get(row)?), i64::from(*ends.get(row + 1)?))
            }
            None => {
                let ends = self.array.as_list_opt::<i64>()?.value_offsets();
                (*ends.get(row)?, *ends.get(row + 1)?)
            }
        };
        Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }
}

struct Reader<'a> {
    file: &'a str,
    header: &'a Header,
    columns: &'a Columns,
    trips: SequenceBuilder,
    owners: TextColumn,
    attributes: Vec<TextColumn>,
}

/// An error and the column of the file in which it lies.
type Faulty<T> = Result<T, (Error, usize)>;

/// A batch's columns by what they are.
struct Rows<'a> {
    labels: (Lists<'a>, Texts<'a>),
    bins: Option<(Lists<'a>, Integers)>,
    uids: Option<Texts<'a>>,
    attributes: Vec<Texts<'a>>,
}

impl<'a> Reader<'a> {
    fn new(
        file: &'a str,
        header: &'a Header,
        columns: &'a Columns,
        options: &TrajectoryTableOptions,
    ) -> Self {
        Self {
            file,
            header,
            columns,
            trips: SequenceBuilder::new(&options.universe, options.unknown, options.bins),
            owners: TextColumn::default(),
            attributes: columns
                .attributes
                .iter()
                .map(|_| TextColumn::default())
                .collect(),
        }
    }

    fn take(&mut self, batches: &Batches, piece: &Piece) -> Result<()> {
        let column = |column: usize| piece.batch.column(batches.place_of(column));
        let rows = || {
            let labels = Lists::of(column(self.columns.labels))?;
            let bins = match self.columns.bins {
                Some(at) => {
                    let lists = Lists::of(column(at))?;
                    let items = Integers::of(lists.items)?;
                    Some((lists, items))
                }
                None => None,
            };
            let uids = match self.columns.uid {
                Some(at) => Some(Texts::of(column(at))?),
                None => None,
            };
            let attributes = self.columns.attributes.iter();
            let attributes = attributes.map(|&at| Texts::of(column(at)));
            let texts = Texts::of(labels.items)?;
            Some(Rows {
                labels: (labels, texts),
                bins,
                uids,
                attributes: attributes.collect::<Option<_>>()?,
            })
        };
        let rows = rows().ok_or_else(|| unexpected_type().in_file(self.file))?;
        for row in 0..piece.batch.num_rows() {
            self.row(&rows, row).map_err(|(error, column)| {
                let number = piece.first_row + row as u64;
                in_row(error, self.file, number, &self.header.column(column))
            })?;
        }
        Ok(())
    }

    fn row(&mut self, rows: &Rows<'_>, row: usize) -> Faulty<()> {
        let columns = self.columns;
        let (lists, labels) = &rows.labels;
        let at = |error: Error| (error, columns.labels);
        let items = lists.get(row).ok_or_else(|| at(missing("trajectory")))?;
        let bins = match (&rows.bins, columns.bins) {
            (Some((lists, bins)), Some(column)) => {
                let own = lists
                    .get(row)
                    .ok_or_else(|| (missing("list of bins"), column))?;
                if own.len() != items.len() {
                    let error = Error::input(format!(
                        "there are {} time bins for {} locations",
                        own.len(),
                        items.len()
                    ));
                    return Err((
                        error.hint("both lists of a row need the same length"),
                        column,
                    ));
                }
                Some((own.start, bins, column))
            }
            _ => None,
        };
        let mut scratch = String::new();
        for (place, item) in items.enumerate() {
            let label = labels.get(item, &mut scratch);
            let label = label.ok_or_else(|| at(missing("location")))?;
            let code = match self.trips.find(label) {
                Some(code) => code,
                None => check_label(label, "location")
                    .and_then(|()| self.trips.locate(label))
                    .map_err(at)?,
            };
            let bin = match bins {
                Some((start, bins, column)) => {
                    let bin = self.bin(bins.get(start + place));
                    Some(bin.map_err(|error| (error, column))?)
                }
                None => None,
            };
            self.trips.visit(code, bin);
        }
        self.trips.end_record();
        if let (Some(uids), Some(column)) = (&rows.uids, columns.uid) {
            let at = |error: Error| (error, column);
            let uid = uids.get(row, &mut scratch);
            let uid = uid.ok_or_else(|| at(missing("uid")))?;
            check_owner(uid).map_err(at)?;
            self.owners.push(uid).map_err(at)?;
        }
        let attributes = rows.attributes.iter().zip(&mut self.attributes);
        for ((texts, values), &column) in attributes.zip(&columns.attributes) {
            let text = texts.get(row, &mut scratch).unwrap_or_default();
            let taken = check_value(text).and_then(|()| values.push(text));
            taken.map_err(|error| (error, column))?;
        }
        Ok(())
    }

    fn bin(&self, bin: Option<i128>) -> Result<u32> {
        let bin = bin.ok_or_else(|| missing("time bin"))?;
        let small = u32::try_from(bin).ok().filter(|&bin| bin < u32::MAX);
        let small = small.ok_or_else(|| {
            Error::input(format!(
                "invalid time bin (got {bin}): a whole number from 0 on"
            ))
            .hint("write the number of the bin, counted from 0")
        })?;
        self.trips.allowed(small)
    }

    fn finish(mut self, options: &TrajectoryTableOptions) -> Import {
        if self.columns.bins.is_some() {
            // Also where no row has a visit.
            self.trips.agree_on_time("", true)?;
        }
        let owners = match self.columns.uid {
            Some(_) => Owners::Known {
                of_record: self.owners.of_record,
                labels: self.owners.values.into_labels(),
            },
            None => Owners::EachRecord,
        };
        let named = options.attributes.iter().zip(self.attributes);
        let beside = Beside {
            owners,
            attributes: named
                .map(|(name, column)| column.into_attribute(name.clone()))
                .collect(),
            population: options.population.clone(),
        };
        let skipped = ImportSummary {
            rows: self.trips.records(),
            files: 1,
            ..ImportSummary::default()
        };
        self.trips
            .finish(self.file, beside, skipped)
            .map_err(|error| error.in_file(self.file))
    }
}
