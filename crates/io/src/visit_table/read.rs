//! Reads tables of visits.

use std::borrow::Cow;
use std::path::Path;

use wayveil_core::{Error, Owners, Result};

use super::{BIN, COLUMNS, UID, VisitsOptions};
use crate::csv::{Header, Table};
use crate::input::Input;
use crate::lines::{excerpt, whole_number};
use crate::native::check_attribute_names;
use crate::sequence_builder::{Beside, Import, SequenceBuilder};
use crate::summary::ImportSummary;
use crate::text_column::TextColumn;
use crate::universe::check_label;

/// The fields of a row.
type Fields<'a> = [Cow<'a, str>];

/// Reads a file, compressed or not.
pub fn read_visits(path: &Path, options: &VisitsOptions) -> Import {
    read_visits_from(Input::open(path)?, options)
}

/// Reads any input.
pub fn read_visits_from(input: Input, options: &VisitsOptions) -> Import {
    let table = Table::open(input, None)?;
    let file = table.blocks.name().to_owned();
    let delimiter = table.blocks.delimiter();
    let mut reader = Reader::new(&file, &table.header, options)?;
    let blank_lines = table.for_each_counting_blank(|line, fields| {
        reader.row(line, fields).map_err(|(column, error)| {
            let name = reader.header.column(column);
            error.in_file(&file).at_line(line).at_column(name)
        })
    })?;
    if reader.open.is_some() {
        reader.trips.end_record();
    }
    let attribute = |(column, values): (usize, TextColumn)| {
        let name = reader.header.column(column);
        values.into_attribute(name)
    };
    let beside = Beside {
        owners: match reader.owners {
            Some((_, owners)) => Owners::Known {
                of_record: owners.of_record,
                labels: owners.values.into_labels(),
            },
            None => Owners::EachRecord,
        },
        attributes: reader.attributes.into_iter().map(attribute).collect(),
        population: options.population.clone(),
    };
    let counted = ImportSummary {
        rows: reader.rows,
        blank_lines,
        delimiter: Some(char::from(delimiter)),
        ..ImportSummary::default()
    };
    reader.trips.finish(&file, beside, counted)
}

/// An error and the column in which it lies.
type InColumn<T> = Result<T, (usize, Error)>;

/// Gives an error its column.
fn at(column: usize) -> impl FnOnce(Error) -> (usize, Error) {
    move |error| (column, error)
}

/// The trajectory of the latest row.
struct Open {
    number: u64,
    position: u64,
    first_line: u64,
}

struct Reader {
    header: Header,
    trajectory: usize,
    position: usize,
    location: usize,
    bin: Option<usize>,
    owners: Option<(usize, TextColumn)>,
    attributes: Vec<(usize, TextColumn)>,
    trips: SequenceBuilder,
    open: Option<Open>,
    rows: u64,
}

impl Reader {
    fn new(file: &str, header: &Header, options: &VisitsOptions) -> Result<Self> {
        let need = |wanted| {
            let hint = "the table is written by: wayveil convert DATA --to csv; other tables are \
                        imported with --format events";
            header.need(wanted, hint)
        };
        let [trajectory, position, location] = COLUMNS;
        let [trajectory, position, location] =
            [need(trajectory)?, need(position)?, need(location)?];
        let (uid, bin) = (header.find(UID)?, header.find(BIN)?);
        let placed = |error: Error| error.in_file(file).at_line(1);
        if let Some(nameless) = header.find("")? {
            let error = Error::input("the column has no name").hint("name it in the header");
            return Err(placed(error).at_column(nameless + 1));
        }
        let known = [Some(trajectory), Some(position), Some(location), uid, bin];
        let others = (0..header.len()).filter(|&column| !known.contains(&Some(column)));
        let attributes: Vec<_> = others.map(|it| (it, TextColumn::default())).collect();
        let names: Vec<_> = attributes.iter().map(|it| header.column(it.0)).collect();
        check_attribute_names(names.iter().map(String::as_str)).map_err(placed)?;
        let mut trips = SequenceBuilder::new(&options.universe, options.unknown, options.bins);
        if bin.is_some() {
            trips.need_bins().map_err(|it| placed(it).at_column(BIN))?;
        } else if options.bins.is_some() {
            let error = Error::input(format!("there is no column {BIN:?}"));
            let hint = "leave --bins out, or add the column with the time bin of each visit";
            return Err(placed(error.hint(hint)));
        }
        trips.agree_on_time(BIN, bin.is_some())?;
        Ok(Self {
            header: header.clone(),
            trajectory,
            position,
            location,
            bin,
            owners: uid.map(|column| (column, TextColumn::default())),
            attributes,
            trips,
            open: None,
            rows: 0,
        })
    }

    fn row(&mut self, line: u64, fields: &Fields<'_>) -> InColumn<()> {
        let number = whole(fields, self.trajectory)?;
        let position = whole(fields, self.position)?;
        self.rows += 1;
        let latest = self.open.take();
        let first_line = match latest {
            Some(open) if number < open.number => {
                return Err(at(self.trajectory)(
                    Error::input(format!(
                        "the trajectory {number} stands after the trajectory {}",
                        open.number
                    ))
                    .hint("sort the rows by trajectory and position, as numbers"),
                ));
            }
            Some(open) if number == open.number => {
                self.check_position(&open, position)?;
                self.check_same(&open, fields)?;
                open.first_line
            }
            other => {
                if other.is_some() {
                    self.trips.end_record();
                }
                self.begin(fields)?;
                line
            }
        };
        self.visit(position, fields)?;
        self.open = Some(Open {
            number,
            position,
            first_line,
        });
        Ok(())
    }
    fn check_position(&self, open: &Open, position: u64) -> InColumn<()> {
        let number = open.number;
        let (message, hint) = if open.position == 0 || position == 0 {
            (
                format!("the trajectory {number} has a row with position 0 and another row"),
                "position 0 marks a trajectory without visits, which is one row",
            )
        } else if position <= open.position {
            (
                format!("the position {position} stands after {}", open.position),
                "sort the rows by trajectory and position, as numbers",
            )
        } else {
            return Ok(());
        };
        Err(at(self.position)(Error::input(message).hint(hint)))
    }

    /// Refuses a row that has another owner or attribute than its trajectory.
    fn check_same(&self, open: &Open, fields: &Fields<'_>) -> InColumn<()> {
        for (column, values) in self.owners.iter().chain(&self.attributes) {
            let (text, before) = (&*fields[*column], values.last());
            if text != before {
                return Err(at(*column)(
                    Error::input(format!(
                        "the trajectory {} has {:?} here and {:?} in line {}",
                        open.number,
                        excerpt(text),
                        excerpt(before),
                        open.first_line
                    ))
                    .hint("owner and attributes belong to the trajectory: make the rows agree"),
                ));
            }
        }
        Ok(())
    }

    fn begin(&mut self, fields: &Fields<'_>) -> InColumn<()> {
        if let Some((column, _)) = self.owners {
            check_label(&fields[column], UID).map_err(at(column))?;
        }
        for (column, values) in self.owners.iter_mut().chain(&mut self.attributes) {
            values.push(&fields[*column]).map_err(at(*column))?;
        }
        Ok(())
    }

    fn visit(&mut self, position: u64, fields: &Fields<'_>) -> InColumn<()> {
        if position == 0 {
            let mut empty = [Some(self.location), self.bin].into_iter().flatten();
            return match empty.find(|&column| !fields[column].is_empty()) {
                Some(column) => Err(at(column)(
                    Error::input("a row with position 0 has a visit")
                        .hint("positions count from 1; 0 marks a trajectory without visits"),
                )),
                None => Ok(()),
            };
        }
        let label = &*fields[self.location];
        if self.trips.find(label).is_none() {
            check_label(label, "location").map_err(at(self.location))?;
        }
        let code = self.trips.locate(label).map_err(at(self.location))?;
        let bin = match self.bin {
            Some(column) => {
                let form = "the column bin holds the time bin of each visit, counted from 0";
                let bin = self.trips.bin(&fields[column], form);
                Some(bin.map_err(at(column))?)
            }
            None => None,
        };
        self.trips.visit(code, bin);
        Ok(())
    }
}

/// A whole number from 0 on.
fn whole(fields: &Fields<'_>, column: usize) -> InColumn<u64> {
    let text = &*fields[column];
    whole_number(text).ok_or_else(|| {
        at(column)(
            Error::input(format!(
                "invalid number (got {:?}): a whole number from 0 to {}",
                excerpt(text),
                u64::MAX
            ))
            .hint("the columns trajectory and position count from 1"),
        )
    })
}
