//! The public set of locations as the command line states it.

use std::path::Path;

use clap::ValueEnum;
use wayveil_core::{Error, Result, Universe};
use wayveil_io::feed::{Level, StopLabel};
use wayveil_io::place::parse_metres;
use wayveil_io::{Feed, FeedUniverse, GeoBox, Places, UniverseChoice, read_feed_universe};

#[derive(Clone, Copy, ValueEnum)]
enum LevelArgument {
    /// Every stop and platform.
    Stops,
    /// Every station, and every stop that lies in none.
    Stations,
}

#[derive(Clone, Copy, ValueEnum)]
enum LabelArgument {
    /// The stop_id.
    Id,
    /// The stop_code; stops of one code are one location.
    Code,
}

/// What to take of a timetable.
#[derive(clap::Args)]
#[command(next_help_heading = "GTFS feeds")]
pub(crate) struct FeedArguments {
    /// What the locations are; stops unless given.
    #[arg(long, value_enum)]
    level: Option<LevelArgument>,

    /// By what locations are called; their id unless given.
    #[arg(long, value_enum)]
    label: Option<LabelArgument>,

    /// Only locations at which routes of this type stop, such as 1 for metro and 3 for bus. Needs
    /// the feed's timetable.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    route_type: Vec<u16>,
}

impl FeedArguments {
    pub(crate) fn options(&self) -> FeedUniverse {
        FeedUniverse {
            level: match self.level {
                None | Some(LevelArgument::Stops) => Level::Stops,
                Some(LevelArgument::Stations) => Level::Stations,
            },
            label: match self.label {
                None | Some(LabelArgument::Id) => StopLabel::StopId,
                Some(LabelArgument::Code) => StopLabel::StopCode,
            },
            route_types: self.route_type.clone(),
        }
    }

    /// Refuses options that another source would silently ignore.
    pub(crate) fn refuse(&self) -> Result<()> {
        let given = [
            ("--level", self.level.is_some()),
            ("--label", self.label.is_some()),
            ("--route-type", !self.route_type.is_empty()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(Error::input(format!("{flag} is for GTFS feeds only"))
                .hint(format!("leave out {flag}, or give a GTFS folder or zip"))),
            None => Ok(()),
        }
    }

    /// A universe from a list, a table or a feed.
    pub(crate) fn read_universe(&self, path: &Path) -> Result<UniverseChoice> {
        if !Feed::is_here(path)? {
            self.refuse()
                .map_err(|error| error.in_file(path.display().to_string()))?;
            return wayveil_io::read_universe(path).map(UniverseChoice::Declared);
        }
        let found = read_feed_universe(&Feed::open(path)?, &self.options())?;
        Ok(UniverseChoice::Aliased {
            universe: found.universe,
            aliases: found.aliases,
        })
    }
}

/// Cells of a public area.
#[derive(clap::Args)]
#[command(next_help_heading = "Cells")]
pub(crate) struct CellArguments {
    /// The public area in degrees; west may exceed east across the 180th meridian.
    #[arg(long, value_name = "S,W,N,E", allow_hyphen_values = true)]
    area: Option<String>,

    /// Cells of a grid over --area: rows x columns (32x32), or the size of a cell (500m).
    #[arg(long, value_name = "RxC|SIZE", conflicts_with = "h3")]
    grid: Option<String>,

    /// H3 cells of this resolution that meet --area.
    #[arg(long, value_name = "0-15")]
    h3: Option<u8>,
}

impl CellArguments {
    /// Whether an area is stated.
    pub(crate) fn has_area(&self) -> bool {
        self.area.is_some()
    }

    /// Whether cells are asked for.
    pub(crate) fn are_given(&self) -> bool {
        self.grid.is_some() || self.h3.is_some()
    }

    /// The cells, if any are asked for. A resolution of H3 may also go with a list of cells.
    pub(crate) fn places(&self, listed: Option<Universe>) -> Result<Option<Places>> {
        let area: Option<GeoBox> = match &self.area {
            Some(area) => Some(area.parse()?),
            None => None,
        };
        let places = match (&self.grid, self.h3, area, listed) {
            (Some(grid), _, Some(area), None) => self::grid(area, grid),
            (Some(_), _, None, _) => {
                Err(Error::input("a grid needs the public area that it covers")
                    .hint("--area 39.75,116.2,40.05,116.55 --grid 32x32"))
            }
            (None, Some(resolution), Some(area), None) => Places::h3(area, resolution),
            (None, Some(resolution), None, Some(listed)) => Places::h3_of(listed, resolution),
            (None, Some(_), None, None) => Err(Error::input(
                "H3 cells need the public area that they cover",
            )
            .hint("--area 39.75,116.2,40.05,116.55 --h3 8, or --universe FILE with cell ids")),
            (_, _, Some(_), Some(_)) => Err(Error::input(
                "the area and the list of locations both say what the locations are",
            )
            .hint("leave out --area or --universe")),
            (None, None, Some(_), None) => {
                Err(Error::input("an area needs cells").hint("--grid 32x32, --grid 500m or --h3 8"))
            }
            (None, None, None, _) => return Ok(None),
        };
        places.map(Some)
    }
}

fn grid(area: GeoBox, grid: &str) -> Result<Places> {
    let Some((rows, columns)) = grid.split_once(['x', 'X', '×']) else {
        return Places::grid_of_metres(area, parse_metres(grid)?);
    };
    let count = |text: &str| {
        text.trim().parse().map_err(|_| {
            Error::input(format!("invalid grid (got {grid:?})"))
                .hint("--grid 32x32 for rows and columns, or --grid 500m for the size of a cell")
        })
    };
    Places::grid(area, count(rows)?, count(columns)?)
}
