//! GeoJSON, RFC 7946.
//!
//! A trajectory is a feature: a line, a point where there is one visit, no geometry where there is
//! none. Its properties are its number, counted from 1, the labels of its `locations` and, in
//! timed data, their `bins`; attributes stand beside them, and in raw data the owner's `uid`.

use std::io::{self, Write};

use wayveil_core::Result;

use super::features::{Features, begin, end, separate, text};
use super::{NAMED, View, no_coordinates};

/// What a GeoJSON file shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GeoJson {
    /// A line for each trajectory.
    #[default]
    Trajectories,
    /// A point for each location, with `label`, `name`, `group` and the number of `visits`. A
    /// location whose coordinates are not known has no geometry.
    Locations,
}

/// A file that can be written: everything that is needed is there.
pub(super) struct Document<'a> {
    features: Features<'a>,
    what: GeoJson,
}

impl<'a> Document<'a> {
    pub(super) fn new(view: &'a View<'a>, what: GeoJson) -> Result<Self> {
        match what {
            GeoJson::Trajectories => view.check_coordinates()?,
            GeoJson::Locations => {
                let locations = view.universe.locations();
                if locations.iter().all(|location| location.at.is_none()) {
                    let labels = locations.iter().map(|location| location.label.as_str());
                    let first: Vec<&str> = labels.take(NAMED).collect();
                    return Err(no_coordinates(&first, locations.len()));
                }
            }
        }
        let features = Features::new(view);
        Ok(Self { features, what })
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        begin(out, self.features.view, "")?;
        match self.what {
            GeoJson::Trajectories => self.trajectories(out)?,
            GeoJson::Locations => self.locations(out)?,
        }
        end(out)
    }

    fn trajectories(&self, out: &mut impl Write) -> io::Result<()> {
        let sequences = self.features.view.sequences;
        let mut first = true;
        for record in 0..sequences.len() {
            let (codes, bins) = (sequences.codes_of(record), sequences.bins_of(record));
            separate(out, &mut first)?;
            out.write_all(b"{\"type\":\"Feature\",\"geometry\":")?;
            self.features.geometry(out, codes)?;
            out.write_all(b",\"properties\":")?;
            self.features.properties(out, record, None, (codes, bins))?;
            out.write_all(b"}")?;
        }
        Ok(())
    }

    fn locations(&self, out: &mut impl Write) -> io::Result<()> {
        let view = self.features.view;
        let mut first = true;
        for (code, visits) in (0..).zip(view.visits()) {
            let location = &view.universe.locations()[code as usize];
            let place = location.at.map(|_| code);
            separate(out, &mut first)?;
            out.write_all(b"{\"type\":\"Feature\",\"geometry\":")?;
            self.features.geometry(out, place.as_slice())?;
            write!(out, ",\"properties\":{{\"label\":{}", text(&location.label))?;
            if let Some(name) = &location.name {
                write!(out, ",\"name\":{}", text(name))?;
            }
            if let Some(taxonomy) = view.universe.taxonomy() {
                let group = &taxonomy.groups()[taxonomy.group_of(code) as usize];
                write!(out, ",\"group\":{}", text(&group.label))?;
            }
            write!(out, ",\"visits\":{visits}}}}}")?;
        }
        Ok(())
    }
}
