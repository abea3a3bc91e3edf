//! MF-JSON, the JSON encoding of OGC Moving Features (19-045r3), in its Prism form.
//!
//! A trajectory is a feature whose `temporalGeometry` is a `MovingPoint`: the visited places and
//! when each was visited, with nothing claimed between them (`Discrete`). The same places stand in
//! `geometry` for readers that know GeoJSON only; `time` spans the bins of the trajectory.
//!
//! The order of visits is known, the time within a bin is not. Moving Features wants instants that
//! rise strictly, so that the visits of one bin are spread evenly over it, the first at its start,
//! rounded down to whole seconds or, where they lie closer, to a thousandth, millionth or
//! billionth of one. All instants of a file have the same number of digits, in UTC.
//!
//! A moving point has two instants or more. Of a lone visit the place stands there twice, as of two
//! visits in the bin; `locations` has it once.
//!
//! A trajectory without visits has nothing to write and is counted instead; one whose time goes
//! back, as raw data may have, is cut there into features with a number `part`, counted too.

use std::io::{self, Write};

use wayveil_core::{Error, Result};

use super::View;
use super::features::{Features, begin, end, list, separate};
use crate::calendar::Calendar;

/// Longitude and latitude, and the Gregorian calendar, as the standard names them.
const SYSTEMS: &str = "\"crs\":{\"type\":\"Name\",\"properties\":{\"name\":\
                       \"urn:ogc:def:crs:OGC:1.3:CRS84\"}},\
                       \"trs\":{\"type\":\"Name\",\"properties\":{\"name\":\
                       \"urn:ogc:data:time:iso8601\"}},";

/// What the standard's schema asks of a moving point.
const LEAST_INSTANTS: usize = 2;

/// What was written as MF-JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MovingFeatures {
    /// Features in the file.
    pub features: u64,
    /// Trajectories without visits, which are not in the file.
    pub without_visits: u64,
    /// Trajectories whose time goes back, which were cut there.
    pub cut: u64,
}

/// A file that can be written: everything that is needed is there.
pub(super) struct Document<'a> {
    features: Features<'a>,
    calendar: Calendar,
    digits: u8,
}

impl<'a> Document<'a> {
    pub(super) fn new(view: &'a View<'a>) -> Result<Self> {
        let calendar = view.time.map_or(Ok(None), Calendar::of)?;
        let calendar = calendar.ok_or_else(|| no_clock(view.time.is_some()))?;
        view.check_coordinates()?;
        let sequences = view.sequences;
        let records = (0..sequences.len()).map(|record| sequences.bins_of(record));
        let crowd = records.flat_map(runs).map(<[u32]>::len).max();
        let crowd = crowd.map_or(LEAST_INSTANTS, |crowd| crowd.max(LEAST_INSTANTS));
        Ok(Self {
            digits: calendar.digits_for(crowd as u64),
            calendar,
            features: Features::new(view),
        })
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<MovingFeatures> {
        let sequences = self.features.view.sequences;
        let mut written = MovingFeatures::default();
        let mut first = true;
        begin(out, self.features.view, SYSTEMS)?;
        for record in 0..sequences.len() {
            let (mut codes, bins) = (sequences.codes_of(record), sequences.bins_of(record));
            let mut part = 0;
            for piece in bins.chunk_by(|before, after| before <= after) {
                let (here, rest) = codes.split_at(piece.len());
                codes = rest;
                part += 1;
                let numbered = (piece.len() < bins.len()).then_some(part);
                separate(out, &mut first)?;
                self.feature(out, record, numbered, (here, piece))?;
            }
            written.features += part as u64;
            written.without_visits += u64::from(part == 0);
            written.cut += u64::from(part > 1);
        }
        end(out)?;
        Ok(written)
    }

    fn feature(
        &self,
        out: &mut impl Write,
        record: usize,
        part: Option<usize>,
        visits: (&[u32], &[u32]),
    ) -> io::Result<()> {
        let (codes, bins) = visits;
        let twice = |visits: &[u32]| match visits {
            [only] => [*only; LEAST_INSTANTS].to_vec(),
            visits => visits.to_vec(),
        };
        let instant = |instant| self.calendar.text(instant, self.digits);
        out.write_all(b"{\"type\":\"Feature\",\"temporalGeometry\":{\"type\":\"MovingPoint\",")?;
        out.write_all(b"\"datetimes\":")?;
        list(out, &self.instants(&twice(bins)), |out, &at| {
            write!(out, "\"{}\"", instant(at))
        })?;
        out.write_all(b",\"coordinates\":")?;
        list(out, &twice(codes), |out, &code| {
            out.write_all(self.features.position(code).as_bytes())
        })?;
        out.write_all(b",\"interpolation\":\"Discrete\"},\"geometry\":")?;
        self.features.geometry(out, codes)?;
        if let (Some(first), Some(last)) = (bins.first(), bins.last()) {
            write!(
                out,
                ",\"time\":[\"{}\",\"{}\"]",
                instant(self.calendar.start_of(*first)),
                instant(self.calendar.start_of(last + 1))
            )?;
        }
        out.write_all(b",\"properties\":")?;
        self.features.properties(out, record, part, visits)?;
        out.write_all(b"}")
    }

    /// When visits in these bins took place, as far as is known; rises strictly.
    fn instants(&self, bins: &[u32]) -> Vec<i128> {
        let mut instants = Vec::with_capacity(bins.len());
        for run in runs(bins) {
            let visits = run.len() as u64;
            instants.extend(
                (0..visits).map(|visit| self.calendar.spread(run[0], (visit, visits), self.digits)),
            );
        }
        instants
    }
}

/// Visits in a row that share a bin.
fn runs(bins: &[u32]) -> impl Iterator<Item = &[u32]> {
    bins.chunk_by(|before, after| before == after)
}

fn no_clock(timed: bool) -> Error {
    let lack = if timed {
        "the time bins are bare numbers"
    } else {
        "these trajectories have no time"
    };
    Error::input(format!("{lack}: MF-JSON needs to know when each visit was")).hint(
        "import the data with a time axis: --bin-width, --bin-origin and --bins; or write places \
         without time with --to geojson",
    )
}
