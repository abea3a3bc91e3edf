//! What GeoJSON and MF-JSON have in common: features with geometries and properties.

use std::io::{self, Write};

use wayveil_core::{Coordinate, Owners};

use super::View;
use super::antimeridian::{crosses, pieces};

/// Names that Wayveil gives to properties; an attribute of the same name is renamed.
const OURS: [&str; 5] = ["trajectory", "part", "locations", "bins", "uid"];

/// Writes features of a view, with everything that repeats put into JSON once.
pub(super) struct Features<'a> {
    pub(super) view: &'a View<'a>,
    /// The label of each location, in JSON.
    labels: Vec<Box<str>>,
    /// The position of each location, in JSON; empty where it is not known.
    positions: Vec<Box<str>>,
    /// The names of attributes, in JSON, and of their values.
    attributes: Vec<(String, Vec<Box<str>>)>,
}

impl<'a> Features<'a> {
    pub(super) fn new(view: &'a View<'a>) -> Self {
        let locations = view.universe.locations().iter();
        let position = |at: Option<Coordinate>| at.map(position).unwrap_or_default();
        Self {
            view,
            labels: locations.clone().map(|it| text(&it.label)).collect(),
            positions: locations.map(|it| position(it.at).into()).collect(),
            attributes: attributes(view),
        }
    }

    /// The position of a location, in JSON.
    pub(super) fn position(&self, code: u32) -> &str {
        &self.positions[code as usize]
    }

    fn place(&self, code: u32) -> Option<Coordinate> {
        self.view.universe.locations()[code as usize].at
    }

    /// A line, a point for one visit, null for none.
    pub(super) fn geometry(&self, out: &mut impl Write, codes: &[u32]) -> io::Result<()> {
        match codes {
            [] => out.write_all(b"null"),
            [only] => write!(
                out,
                "{{\"type\":\"Point\",\"coordinates\":{}}}",
                self.position(*only)
            ),
            codes => self.line(out, codes),
        }
    }

    fn line(&self, out: &mut impl Write, codes: &[u32]) -> io::Result<()> {
        let step_crosses = |step: &[u32]| match (self.place(step[0]), self.place(step[1])) {
            (Some(from), Some(to)) => crosses(from, to),
            _ => false,
        };
        if !codes.windows(2).any(step_crosses) {
            out.write_all(b"{\"type\":\"LineString\",\"coordinates\":")?;
            list(out, codes, |out, &code| {
                out.write_all(self.position(code).as_bytes())
            })?;
            return out.write_all(b"}");
        }
        let line: Vec<Coordinate> = codes.iter().filter_map(|&code| self.place(code)).collect();
        match pieces(&line).as_slice() {
            [only] => {
                out.write_all(b"{\"type\":\"LineString\",\"coordinates\":")?;
                positions(out, only)?;
            }
            several => {
                out.write_all(b"{\"type\":\"MultiLineString\",\"coordinates\":")?;
                list(out, several, |out, piece| positions(out, piece))?;
            }
        }
        out.write_all(b"}")
    }

    /// The properties of a record, or of a part of one.
    pub(super) fn properties(
        &self,
        out: &mut impl Write,
        record: usize,
        part: Option<usize>,
        visits: (&[u32], &[u32]),
    ) -> io::Result<()> {
        write!(out, "{{\"trajectory\":{}", record + 1)?;
        if let Some(part) = part {
            write!(out, ",\"part\":{part}")?;
        }
        if let Owners::Known { of_record, labels } = self.view.owners {
            let uid = text(labels.get(of_record[record] as usize));
            write!(out, ",\"uid\":{uid}")?;
        }
        let (codes, bins) = visits;
        out.write_all(b",\"locations\":")?;
        list(out, codes, |out, &code| {
            out.write_all(self.labels[code as usize].as_bytes())
        })?;
        if self.view.sequences.is_timed() {
            out.write_all(b",\"bins\":")?;
            list(out, bins, |out, bin| write!(out, "{bin}"))?;
        }
        for (column, (name, values)) in self.view.attributes.iter().zip(&self.attributes) {
            let value = &values[column.of_record[record] as usize];
            write!(out, ",{name}:{value}")?;
        }
        out.write_all(b"}")
    }
}

/// Names and values of the attributes, in JSON. A name that is ours gets a word before it.
fn attributes(view: &View<'_>) -> Vec<(String, Vec<Box<str>>)> {
    let mut taken: Vec<String> = OURS.map(str::to_owned).into();
    taken.extend(view.attributes.iter().map(|it| it.name.clone()));
    let named = view.attributes.iter().map(|attribute| {
        let mut name = attribute.name.clone();
        if OURS.contains(&name.as_str()) {
            while taken.contains(&name) {
                name.insert_str(0, "attribute_");
            }
            taken.push(name.clone());
        }
        let values = attribute.values.iter().map(text).collect();
        (text(&name).into(), values)
    });
    named.collect()
}

/// The beginning of a collection, up to its first feature. `members` stand before the features.
pub(super) fn begin(out: &mut impl Write, view: &View<'_>, members: &str) -> io::Result<()> {
    out.write_all(b"{\"type\":\"FeatureCollection\",")?;
    if let Some(note) = &view.note {
        write!(out, "\"note\":{},", text(note))?;
    }
    write!(out, "{members}\"features\":[")
}

/// What stands before each feature: a feature has a line of its own.
pub(super) fn separate(out: &mut impl Write, first: &mut bool) -> io::Result<()> {
    out.write_all(if std::mem::take(first) { b"\n" } else { b",\n" })
}

/// The end of a collection.
pub(super) fn end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\n]}\n")
}

/// An array.
pub(super) fn list<W: Write, T>(
    out: &mut W,
    items: &[T],
    mut write: impl FnMut(&mut W, &T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write(out, item)?;
    }
    out.write_all(b"]")
}

fn positions(out: &mut impl Write, places: &[Coordinate]) -> io::Result<()> {
    list(out, places, |out, &at| {
        out.write_all(position(at).as_bytes())
    })
}

/// A string of JSON.
pub(super) fn text(text: &str) -> Box<str> {
    serde_json::Value::from(text).to_string().into()
}

/// Longitude first; the digits read back to the same numbers.
fn position(at: Coordinate) -> String {
    let number = |degrees: f64| serde_json::Value::from(degrees).to_string();
    format!("[{},{}]", number(at.lng), number(at.lat))
}
