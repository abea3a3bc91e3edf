//! The taxis: one record each, over the cells of a public grid.

use std::path::Path;
use std::sync::Arc;

use wayveil_core::{
    ColumnNames, Coordinate, NonPrivate, PrivacyUnit, PublicInputs, RandomSource, Result,
    Sequences, Silent, Universe,
};
use wayveil_io::generate::taxi;
use wayveil_io::points::import_tdrive;
use wayveil_io::{Arrangement, GeoBox, InvalidPoints, Places, PointOptions};
use wayveil_mechanisms::generalize::places;

/// Cells of this width and height, in metres.
pub(super) const CELL: f64 = 500.0;

/// Beijing within its sixth ring road and a little more: south, west, north, east.
const BEIJING: [f64; 4] = [39.7, 116.1, 40.1, 116.7];

/// The same generated taxis on every machine.
const SEED: u64 = 7;

/// Tracks with what is public about them.
pub(super) struct Data {
    pub(super) name: &'static str,
    pub(super) area: [f64; 4],
    pub(super) universe: Universe,
    /// Where the cells are.
    pub(super) places: Vec<Coordinate>,
    /// One track for each taxi.
    pub(super) tracks: Sequences,
    pub(super) left_out: LeftOut,
}

/// What the grid and the reader left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Points outside the box.
    pub(super) outside: u64,
    /// Rows that stood there before.
    pub(super) duplicates: u64,
    /// Rows without coordinates.
    pub(super) invalid: u64,
    /// Taxis without a point in the box.
    pub(super) taxis: u64,
}

fn cells([south, west, north, east]: [f64; 4]) -> Result<Places> {
    Places::grid_of_metres(GeoBox::new(south, west, north, east)?, CELL)
}

impl Data {
    /// A folder in T-Drive's form. All of a taxi's points are one track.
    pub(super) fn tdrive(path: &Path) -> Result<Self> {
        let grid = cells(BEIJING)?;
        let universe = grid.universe().clone();
        let mut options = PointOptions::new(Arc::new(grid), Arrangement::new("tdrive"));
        options.invalid = InvalidPoints::Drop;
        let (raw, summary) = import_tdrive(path, &options, &Silent)?.into_dataset(&Silent)?;
        let summary = summary.for_publisher_only();
        let because = NonPrivate::because("generalises public research data again and again");
        let tracks = raw.inspect(because, |data| {
            data.bounded(PrivacyUnit::Owner).into_owned()
        });
        Ok(Self {
            name: "taxis of T-Drive",
            area: BEIJING,
            places: places(&universe)?,
            universe,
            tracks: tracks.for_publisher_only(),
            left_out: LeftOut {
                outside: summary.outside_area,
                duplicates: summary.duplicates,
                invalid: summary.invalid_points,
                taxis: summary.owners_without_known_location,
            },
        })
    }

    /// A generated week of so many taxis, in the same form.
    pub(super) fn generated(taxis: u32) -> Result<Self> {
        let grid = cells(taxi::AREA)?;
        let mut random = RandomSource::insecure_seed(SEED);
        let mut tracks = Sequences::empty(false);
        let mut left_out = LeftOut::default();
        let (mut current, mut track) = (0, Vec::new());
        let mut end = |track: &mut Vec<u32>| {
            match track.is_empty() {
                true => left_out.taxis += 1,
                false => tracks.push(track, &[]),
            }
            track.clear();
        };
        let mut outside = 0;
        for fix in taxi::points(taxis, &mut random) {
            if fix.taxi != current {
                end(&mut track);
                current = fix.taxi;
            }
            match grid.code(fix.lat(), fix.lng()) {
                Some(code) => track.push(code),
                None => outside += 1,
            }
        }
        end(&mut track);
        left_out.outside = outside;
        let universe = grid.universe().clone();
        Ok(Self {
            name: "generated taxis",
            area: taxi::AREA,
            places: places(&universe)?,
            universe,
            tracks,
            left_out,
        })
    }

    /// What is public, with taxis as the unit of privacy.
    pub(super) fn public(&self) -> PublicInputs<'_> {
        PublicInputs {
            universe: &self.universe,
            time: None,
            unit: PrivacyUnit::Owner,
            columns: ColumnNames::of(&[]),
        }
    }

    /// How many taxis, and whose.
    pub(super) fn words(&self) -> String {
        format!("{} {}", self.tracks.len(), self.name)
    }

    /// Points of all tracks.
    pub(super) fn points(&self) -> usize {
        self.tracks.symbols()
    }

    /// Least, median and greatest number of points of a track.
    pub(super) fn lengths(&self) -> [usize; 3] {
        let mut lengths: Vec<usize> = (0..self.tracks.len())
            .map(|track| self.tracks.length(track))
            .collect();
        lengths.sort_unstable();
        let at = |index: usize| lengths.get(index).copied().unwrap_or(0);
        [
            at(0),
            at(lengths.len() / 2),
            at(lengths.len().saturating_sub(1)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn generated_taxis_have_one_track_each() {
        let data = Data::generated(3).unwrap();
        assert_eq!((data.tracks.len(), data.left_out), (3, LeftOut::default()));
        let [least, median, greatest] = data.lengths();
        assert!(least > 1_000 && least <= median && median <= greatest);
        assert_eq!(data.places.len(), data.universe.len());
    }

    #[test]
    fn files_of_taxis_are_read_and_what_lies_outside_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "1.txt",
            "1,2008-02-02 15:36:08,116.51172,39.92123\n\
             1,2008-02-02 15:36:08,116.51172,39.92123\n\
             1,2008-02-02 15:46:08,116.51135,39.93883\n\
             1,2008-02-02 15:56:08,0.0,0.0\n",
        );
        write("2.txt", "2,2008-02-02 15:36:08,100.0,39.9\n");
        let data = Data::tdrive(folder.path()).unwrap();
        assert_eq!((data.tracks.len(), data.points()), (1, 2));
        let left_out = LeftOut {
            outside: 2,
            duplicates: 1,
            invalid: 0,
            taxis: 1,
        };
        assert_eq!(data.left_out, left_out);
    }
}
