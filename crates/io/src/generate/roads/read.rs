//! Reads a road network from a folder of two text files.
//!
//! `vertices.txt` has a vertex on each line, `id x y`; `edges.txt` an edge, `id from to length`;
//! fields are separated by blanks, and empty lines are skipped. Ids are whole numbers, each used
//! once in its file. Coordinates and lengths are finite decimal numbers; a length is not negative.
//! Anything else is an error that names file, line and column.
//!
//! Edges from a vertex to itself, edges beside a shorter one, and what is not connected to the
//! largest piece are valid, of no use, and counted in [`LeftOut`](super::LeftOut).

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::{Error, Result};

use super::network::{Edge, RoadNetwork, UNIT};
use crate::input::Input;
use crate::lines::{Line, Lines};

const VERTICES: &str = "vertices.txt";
const EDGES: &str = "edges.txt";
/// The most vertices, and the most edges.
const MOST: usize = 1_000_000;
/// Coordinates lie within this distance of zero.
const FARTHEST: f64 = 1e9;
/// The greatest length: a million of them can be added up.
const LONGEST: f64 = 1e6;
/// The longest line in bytes.
const LINE: usize = 1 << 20;

impl RoadNetwork {
    /// Reads a network from a folder with `vertices.txt` (`id x y`) and `edges.txt`
    /// (`id from to length`).
    pub fn read(folder: &Path) -> Result<Self> {
        if !folder.is_dir() {
            return Err(Error::input("there is no such folder")
                .in_file(folder.display().to_string())
                .hint(format!(
                    "--network takes a folder with {VERTICES} and {EDGES}"
                )));
        }
        let vertices = Input::open(&folder.join(VERTICES))?;
        let edges = Input::open(&folder.join(EDGES))?;
        Self::read_from(vertices, edges)
    }

    /// The same from any two streams.
    pub fn read_from(vertices: Input, edges: Input) -> Result<Self> {
        let name = vertices.name().to_owned();
        let mut codes = FxHashMap::default();
        let mut places = Vec::new();
        each_row(vertices, ["id", "x", "y"], |row| {
            let id = row.whole(0)?;
            if codes.insert(id, places.len() as u32).is_some() {
                return Err(row.wrong(0, format!("vertex {id} appears twice")));
            }
            places.push((row.coordinate(1)?, row.coordinate(2)?));
            Ok(())
        })?;
        let mut ids = FxHashSet::default();
        let mut list = Vec::new();
        each_row(edges, ["id", "from", "to", "length"], |row| {
            let id = row.whole(0)?;
            if !ids.insert(id) {
                return Err(row.wrong(0, format!("edge {id} appears twice")));
            }
            let end = |field| {
                let vertex = row.whole(field)?;
                codes.get(&vertex).copied().ok_or_else(|| {
                    row.wrong(field, format!("vertex {vertex} is not in {VERTICES}"))
                })
            };
            let (from, to) = (end(1)?, end(2)?);
            let length = row.length(3)?;
            list.push(Edge { from, to, length });
            Ok(())
        })?;
        Self::new(&places, list, true).map_err(|error| error.in_file(name))
    }
}

/// The fields of a line.
struct Row<'a, const N: usize> {
    file: &'a str,
    line: u64,
    names: [&'static str; N],
    fields: [&'a str; N],
}

/// Reads all lines of a file.
fn each_row<const N: usize>(
    input: Input,
    names: [&'static str; N],
    mut take: impl FnMut(&Row<'_, N>) -> Result<()>,
) -> Result<()> {
    let mut lines = Lines::new(input, LINE);
    let file = lines.name().to_owned();
    let mut rows = 0;
    while let Some(Line { number, text }) = lines.next_line()? {
        let mut fields = [""; N];
        let mut found = 0;
        for field in text.split_ascii_whitespace() {
            if let Some(place) = fields.get_mut(found) {
                *place = field;
            }
            found += 1;
        }
        if found == 0 {
            continue;
        }
        let at_line = |message| Error::input(message).in_file(&file).at_line(number);
        if found != N {
            return Err(at_line(format!("{found} fields instead of {N}"))
                .hint(format!("a line has the fields {}", names.join(" "))));
        }
        rows += 1;
        if rows > MOST {
            return Err(at_line(format!("more than {MOST} lines")).hint("give a smaller network"));
        }
        take(&Row {
            file: &file,
            line: number,
            names,
            fields,
        })?;
    }
    Ok(())
}

impl<const N: usize> Row<'_, N> {
    fn wrong(&self, field: usize, message: String) -> Error {
        Error::input(message)
            .in_file(self.file)
            .at_line(self.line)
            .at_column(self.names[field])
            .hint(format!("a line has the fields {}", self.names.join(" ")))
    }

    fn invalid(&self, field: usize, why: &str) -> Error {
        let (name, got) = (self.names[field], self.fields[field]);
        self.wrong(field, format!("invalid {name} (got {got:?}): {why}"))
    }

    fn whole(&self, field: usize) -> Result<u64> {
        let parsed = self.fields[field].parse();
        parsed.map_err(|_| self.invalid(field, "it is a whole number from 0"))
    }

    fn decimal(&self, field: usize) -> Result<f64> {
        let parsed = self.fields[field].parse::<f64>();
        let finite = parsed.ok().filter(|number| number.is_finite());
        finite.ok_or_else(|| self.invalid(field, "it is a finite decimal number"))
    }

    fn coordinate(&self, field: usize) -> Result<i64> {
        let number = self.decimal(field)?;
        if number.abs() > FARTHEST {
            return Err(self.invalid(field, "it lies within ±1,000,000,000"));
        }
        Ok((number * UNIT).round() as i64)
    }

    fn length(&self, field: usize) -> Result<u64> {
        let number = self.decimal(field)?;
        if !(0.0..=LONGEST).contains(&number) {
            return Err(self.invalid(field, "it lies between 0 and 1,000,000"));
        }
        Ok((number * UNIT).round() as u64)
    }
}
