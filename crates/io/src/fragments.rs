//! Fragments with their counts, as a table that anyone can open.
//!
//! ```text
//! fragment,count,length,standard_error,low,high
//! A,9214,1,35.5,9123,9306
//! A B%20b,4100,2,41.25,3994,4207
//! ```
//! A fragment is its labels separated by blanks. Characters that would be taken for something else are
//! percent-encoded, as in `seq`. The length is how many labels there are; `low` and `high` are the ends
//! of an interval about the count. Rows are ordered by length, then by count from the greatest, then by
//! location as in the universe. A row that does not fit is an error with its line and column.

use std::io::{self, Write};

use wayveil_core::{Error, FragmentCounts, Result, Universe};

use crate::csv::{Header, Table, write_field};
use crate::input::Input;
use crate::lines::{excerpt, whole_number};
use crate::seq::{unescape, write_escaped};

const COLUMNS: [&str; 6] = [
    "fragment",
    "count",
    "length",
    "standard_error",
    "low",
    "high",
];

/// Writes the table.
pub fn write_fragments_to(
    out: &mut impl Write,
    fragments: &FragmentCounts,
    universe: &Universe,
) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for (row, codes) in fragments.fragments.iter().enumerate() {
        let mut labels = Vec::new();
        for (at, &code) in codes.iter().enumerate() {
            if at > 0 {
                labels.push(b' ');
            }
            write_escaped(&mut labels, universe.label(code))?;
        }
        write_field(out, &String::from_utf8_lossy(&labels))?;
        writeln!(
            out,
            ",{},{},{:?},{},{}",
            fragments.count[row],
            codes.len(),
            fragments.standard_error[row],
            fragments.low[row],
            fragments.high[row]
        )?;
    }
    Ok(())
}

/// Reads the table, with labels of this universe.
pub fn read_fragments_from(input: Input, universe: &Universe) -> Result<FragmentCounts> {
    let file = input.name().to_owned();
    let table = Table::open(input, Some(b','))?;
    let places = columns(&table.header, &file)?;
    let mut read = FragmentCounts::empty();
    let mut lines = Vec::new();
    let mut codes = Vec::new();
    table.for_each(|line, fields| {
        let field = |column: usize| fields[places[column]].as_ref();
        let at = |column: usize| {
            let file = &file;
            move |error: Error| error.in_file(file).at_line(line).at_column(COLUMNS[column])
        };
        let number = |column: usize| whole(field(column)).map_err(at(column));
        labels(field(0), universe, &mut codes).map_err(at(0))?;
        if number(2)? != codes.len() as u64 {
            let error = Error::input(format!("the fragment has {} locations", codes.len()));
            return Err(at(2)(error));
        }
        read.fragments.push(&codes, &[]);
        read.count.push(number(1)?);
        read.standard_error.push(decimal(field(3)).map_err(at(3))?);
        read.low.push(number(4)?);
        read.high.push(number(5)?);
        lines.push(line);
        Ok(())
    })?;
    match read.fault() {
        Some((row, what)) => {
            let error = Error::input(format!("this fragment does not fit: {what}"));
            Err(error.in_file(file).at_line(lines[row]))
        }
        None => Ok(read),
    }
}

/// Where the columns are: these, in any order, and no others.
fn columns(header: &Header, file: &str) -> Result<[usize; 6]> {
    let hint = format!("the columns are {}", COLUMNS.join(","));
    let mut places = [0; 6];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        *place = header.need(name, &hint)?;
    }
    match (0..header.len()).find(|at| !places.contains(at)) {
        Some(other) => Err(Error::input("there is a column that has no meaning here")
            .in_file(file)
            .at_line(1)
            .at_column(header.column(other))
            .hint(hint)),
        None => Ok(places),
    }
}

fn labels(text: &str, universe: &Universe, codes: &mut Vec<u32>) -> Result<()> {
    codes.clear();
    for word in text.split(' ') {
        let label = unescape(word).map_err(|_| {
            Error::input(format!(
                "this is neither plain text nor a percent code: {:?}",
                excerpt(word)
            ))
            .hint("write % inside a label as %25, and a blank as %20")
        })?;
        if label.is_empty() {
            return Err(Error::input("a location is missing")
                .hint("separate labels by one blank; write a blank inside a label as %20"));
        }
        codes.push(universe.code(&label).ok_or_else(|| {
            let label = excerpt(&label);
            Error::input(format!("{label:?} is no location of the universe"))
        })?);
    }
    Ok(())
}

fn whole(text: &str) -> Result<u64> {
    whole_number(text).ok_or_else(|| {
        Error::input(format!(
            "invalid count (got {:?}): a whole number from 0 on",
            excerpt(text)
        ))
    })
}

fn decimal(text: &str) -> Result<f64> {
    text.parse().map_err(|_| {
        Error::input(format!(
            "invalid number (got {:?}): digits with a decimal point",
            excerpt(text)
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;
    use wayveil_core::{Origin, Sequences};

    use super::*;

    fn universe() -> Universe {
        let labels = ["A", "B b", "50%,\"é\"", "NA", "12"];
        Universe::from_labels(labels, Origin::Declared("test".into())).unwrap()
    }

    fn read(text: &str) -> Result<FragmentCounts> {
        let input = Input::from_reader("fragments.csv", Cursor::new(text.to_owned()))?;
        read_fragments_from(input, &universe())
    }

    fn written(fragments: &FragmentCounts) -> String {
        let mut out = Vec::new();
        write_fragments_to(&mut out, fragments, &universe()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_worked_example() {
        let fragments = FragmentCounts {
            fragments: Sequences::from_codes([vec![0], vec![2], vec![3, 1, 4]]),
            count: vec![u64::MAX, 7, 0],
            standard_error: vec![0.0, 0.1, 1e-300],
            low: vec![0, 7, 0],
            high: vec![u64::MAX, 8, 0],
        };
        let text = written(&fragments);
        assert_eq!(
            text,
            "fragment,count,length,standard_error,low,high\n\
             A,18446744073709551615,1,0.0,0,18446744073709551615\n\
             \"50%25,\"\"é\"\"\",7,1,0.1,7,8\n\
             NA B%20b 12,0,3,1e-300,0,0\n"
        );
        assert_eq!(read(&text).unwrap(), fragments);
        let moved = "high,low,standard_error,length,count,fragment\n9,3,1e0,1,5,A\n";
        let moved = read(moved).unwrap();
        assert_eq!(
            (moved.low, moved.count, moved.high),
            (vec![3], vec![5], vec![9])
        );
        let none = read("fragment,count,length,standard_error,low,high\n").unwrap();
        assert_eq!(none, FragmentCounts::empty());
        assert_eq!(read(&written(&none)).unwrap(), none);
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        let header = "fragment,count,length,standard_error,low,high\n";
        let fine = "A,5,1,1,4,6\n";
        for (row, message, column) in [
            ("C,5,1,1,4,6", "\"C\" is no location", Some("fragment")),
            ("B b,4,2,1,4,6", "\"B\" is no location", Some("fragment")),
            ("A  A,4,2,1,4,6", "a location is missing", Some("fragment")),
            (",4,0,1,4,6", "a location is missing", Some("fragment")),
            ("A%2,4,1,1,4,6", "percent code", Some("fragment")),
            ("NA,-4,1,1,4,6", "invalid count", Some("count")),
            ("NA,4.0,1,1,4,6", "invalid count", Some("count")),
            ("NA,4,2,1,4,6", "has 1 locations", Some("length")),
            ("NA,4,1,x,4,6", "invalid number", Some("standard_error")),
            ("NA,4,1,NaN,4,6", "standard error is not", None),
            ("NA,4,1,-1,4,6", "standard error is not", None),
            ("NA,4,1,1,,6", "invalid count", Some("low")),
            (
                "NA,4,1,1,4,99999999999999999999",
                "invalid count",
                Some("high"),
            ),
            ("NA,4,1,1,5,6", "between low and high", None),
            ("NA,6,1,1,4,6", "out of order", None),
            ("A,4,1,1,4,6", "a second time", None),
            ("NA,4,1,1,4", "the row has 5 columns", Some("high")),
            ("\"NA,4,1,1,4,6", "not closed", Some("1")),
        ] {
            let error = read(&format!("{header}{fine}{row}\n")).unwrap_err();
            assert!(error.message().contains(message), "{row}: {error}");
            let place = error.place().unwrap();
            assert_eq!(place.file, "fragments.csv");
            assert_eq!(place.line, Some(3), "{row}: {error}");
            assert_eq!(place.column.as_deref(), column, "{row}: {error}");
        }
        for (header, message) in [
            ("", "empty"),
            ("fragment,count\n", "no column \"length\""),
            (
                "fragment,count,length,standard_error,low,high,x\n",
                "no meaning",
            ),
            (
                "fragment,count,length,standard_error,low,high,high\n",
                "two columns",
            ),
        ] {
            let error = read(header).unwrap_err();
            assert!(error.message().contains(message), "{header}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_fragments_come_back(
            rows in prop::collection::btree_map(
                prop::collection::vec(0u32..5, 1..4), (0u64..9, 0u64..9, any::<u64>(), 0f64..1e9), 0..12),
        ) {
            let mut rows: Vec<_> = rows.into_iter().collect();
            rows.sort_by_key(|(codes, (count, ..))| (codes.len(), u64::MAX - count, codes.clone()));
            let fragments = FragmentCounts {
                fragments: Sequences::from_codes(rows.iter().map(|(codes, _)| codes)),
                count: rows.iter().map(|(_, row)| row.0).collect(),
                standard_error: rows.iter().map(|(_, row)| row.3).collect(),
                low: rows.iter().map(|(_, row)| row.1.min(row.0)).collect(),
                high: rows.iter().map(|(_, row)| row.2.max(row.0)).collect(),
            };
            prop_assert!(fragments.check(5).is_ok());
            prop_assert_eq!(read(&written(&fragments)).unwrap(), fragments);
        }
    }
}
