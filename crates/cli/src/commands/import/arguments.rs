//! What can be said about raw data on the command line.

use std::path::PathBuf;

use clap::ValueEnum;
use wayveil_core::{Error, Result};
use wayveil_io::dates::{DateOptions, DateOrder};
use wayveil_io::{Arrangement, BinAxis, InvalidPoints, ServiceDays, Unknown, parse_duration};

use crate::places::{CellArguments, FeedArguments};

/// The forms that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table with one visit a row: person, location, time.
    Events,
    /// A table with one point a row: person, latitude, longitude, time.
    Gps,
    /// One trajectory a line, locations separated by blanks.
    Seq,
    /// A table of visits as written by `wayveil convert --to csv`.
    Csv,
    /// Parquet, GeoParquet or Arrow (Feather) with columns as in events, gps or seq.
    Parquet,
    /// T-Drive: a folder of taxis' files, id,time,longitude,latitude.
    Tdrive,
    /// Geolife: folders NNN/Trajectory/*.plt.
    Geolife,
    /// Porto's train.csv: one trip a row, with a polyline.
    Porto,
    /// AdaTrace's text form: #id: and >0:longitude,latitude;…
    Adatrace,
    /// UCI's msnbc sequences; their 17 categories are known.
    Msnbc,
    /// SPMF's sequence databases: 1 -1 2 -1 -2.
    Spmf,
    /// Counts of n-grams, `1 3 : 22816`: written as a table fragment,count (-o x.csv).
    Ngrams,
}

impl Format {
    /// Whether positions are always coordinates.
    pub(super) fn has_points(self) -> bool {
        matches!(
            self,
            Self::Gps | Self::Tdrive | Self::Geolife | Self::Porto | Self::Adatrace
        )
    }

    /// Whether there are columns to name.
    pub(super) fn has_columns(self) -> bool {
        matches!(self, Self::Events | Self::Gps | Self::Parquet)
    }

    /// Whether visits have dates.
    pub(super) fn has_dates(self) -> bool {
        matches!(
            self,
            Self::Events | Self::Gps | Self::Parquet | Self::Tdrive | Self::Geolife | Self::Porto
        )
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum OutsideUniverse {
    /// Stop and name the first one.
    Error,
    /// Leave them out and count them.
    Drop,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Order {
    /// Year, month, day.
    Ymd,
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
}

#[derive(clap::Args)]
pub(crate) struct ImportArguments {
    /// The file or folder to read; gzip and zstd are recognised.
    pub(super) input: PathBuf,

    /// What kind of data it is.
    #[arg(long, value_enum)]
    pub(super) format: Format,

    /// The name under which spending on these people is kept; the file's name unless given.
    #[arg(long, value_name = "NAME")]
    pub(super) population: Option<String>,

    /// Read and report, but write nothing.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// The data file to write.
    #[arg(long, short, value_name = "FILE", required_unless_present = "dry_run")]
    pub(super) output: Option<PathBuf>,

    /// Replace the output if it exists.
    #[arg(long)]
    pub(super) force: bool,

    #[command(flatten)]
    pub(super) places: PlaceArguments,

    #[command(flatten)]
    pub(super) columns: ColumnArguments,

    #[command(flatten)]
    pub(super) dates: DateArguments,

    #[command(flatten)]
    pub(super) records: RecordArguments,

    #[command(flatten)]
    pub(super) sequences: SequenceArguments,
}

/// Where: the public set of locations, and which point belongs to which.
#[derive(clap::Args)]
#[command(next_help_heading = "Places")]
pub(crate) struct PlaceArguments {
    /// The public list of locations: a label per line, a table with the columns label, name, lat,
    /// lng, parent, or a GTFS feed (folder or zip).
    #[arg(long, value_name = "FILE", conflicts_with = "universe_from_data")]
    pub(super) universe: Option<PathBuf>,

    /// Other names of the locations of --universe: a table with the columns alias and label, for executors of a cluster,
    /// which do not have the feed.
    #[arg(long, value_name = "FILE", hide = true, requires = "universe")]
    pub(super) aliases: Option<PathBuf>,

    /// Take the list of locations from the data. Publishing then needs the same flag again.
    #[arg(long)]
    pub(super) universe_from_data: bool,

    /// What to do with locations outside the universe; an error unless given.
    #[arg(long, value_enum)]
    pub(super) unknown: Option<OutsideUniverse>,

    /// Points become the nearest location of --universe within this distance (300m, 1.5km).
    #[arg(long, value_name = "DISTANCE", conflicts_with_all = ["grid", "h3"])]
    pub(super) nearest: Option<String>,

    /// What to do with coordinates that are missing or no degrees; an error unless given.
    #[arg(long, value_enum)]
    pub(super) invalid: Option<OutsideUniverse>,

    #[command(flatten)]
    pub(super) cells: CellArguments,

    #[command(flatten)]
    pub(super) feed: FeedArguments,
}

impl PlaceArguments {
    pub(super) fn unknown(&self) -> Unknown {
        match self.unknown {
            None | Some(OutsideUniverse::Error) => Unknown::Error,
            Some(OutsideUniverse::Drop) => Unknown::Drop,
        }
    }

    pub(super) fn invalid(&self) -> InvalidPoints {
        match self.invalid {
            None | Some(OutsideUniverse::Error) => InvalidPoints::Error,
            Some(OutsideUniverse::Drop) => InvalidPoints::Drop,
        }
    }
}

/// Which column is what.
#[derive(clap::Args)]
#[command(next_help_heading = "Columns (events, gps, parquet)")]
pub(super) struct ColumnArguments {
    /// The column that names the person; uid unless given.
    #[arg(long, value_name = "COLUMN")]
    pub(super) uid_column: Option<String>,

    /// The column that names a person's trips, if there is one.
    #[arg(long, value_name = "COLUMN")]
    pub(super) trip_column: Option<String>,

    /// The column that names the location; location unless given.
    #[arg(long, value_name = "COLUMN")]
    pub(super) location_column: Option<String>,

    /// The column of latitudes; lat unless given.
    #[arg(long, value_name = "COLUMN")]
    pub(super) lat_column: Option<String>,

    /// The column of longitudes; lng unless given.
    #[arg(long, value_name = "COLUMN")]
    pub(super) lng_column: Option<String>,

    /// The column with date and time, or two of them (date,time); datetime unless given.
    #[arg(long, value_name = "COLUMN[,COLUMN]", value_delimiter = ',')]
    pub(super) datetime_column: Vec<String>,

    /// Parquet with a trajectory a row: the column that lists its locations.
    #[arg(long, value_name = "COLUMN")]
    pub(super) trajectory_column: Option<String>,

    /// Parquet with a trajectory a row: the column that lists its time bins.
    #[arg(long, value_name = "COLUMN", requires = "trajectory_column")]
    pub(super) bins_column: Option<String>,

    /// Parquet with a trajectory a row: every row is a person of its own.
    #[arg(long, requires = "trajectory_column")]
    pub(super) without_uid: bool,

    /// Further columns to keep, one value per person.
    #[arg(long = "attribute", value_name = "COLUMN", value_delimiter = ',')]
    pub(super) attributes: Vec<String>,

    /// What separates columns; found from the header unless given. `tab` for a tab.
    #[arg(long, value_name = "CHARACTER")]
    pub(super) delimiter: Option<String>,
}

impl ColumnArguments {
    pub(super) fn delimiter(&self) -> Result<Option<u8>> {
        match self.delimiter.as_deref() {
            None => Ok(None),
            Some("tab" | "\\t") => Ok(Some(b'\t')),
            Some(text) => match text.as_bytes() {
                [byte] if byte.is_ascii() => Ok(Some(*byte)),
                _ => Err(Error::input(format!(
                    "invalid delimiter (got {text:?}): must be one ASCII character or `tab`"
                ))),
            },
        }
    }
}

/// When.
#[derive(clap::Args)]
#[command(next_help_heading = "Dates")]
pub(super) struct DateArguments {
    /// Which part of a date comes first, for dates such as 03/04/2024.
    #[arg(long, value_enum)]
    pub(super) date_order: Option<Order>,

    /// The form of dates, in strftime's letters, for instance '%d.%m.%Y %H:%M'.
    #[arg(long, value_name = "FORM")]
    pub(super) date_format: Option<String>,

    /// The time zone of dates that do not name one; UTC unless given.
    #[arg(long, value_name = "ZONE")]
    pub(super) timezone: Option<String>,

    /// The time zone of days (--day-starts) and time bins; --timezone unless given.
    #[arg(long, value_name = "ZONE")]
    pub(super) local_timezone: Option<String>,

    /// Read hours up to 47, as a service day that ends after midnight has them: 25:10.
    #[arg(long)]
    pub(super) hours_beyond_midnight: bool,

    /// Time bins: their width (15m, 1h, 1d). Needs --bin-origin and --bins.
    #[arg(long, value_name = "LENGTH", requires = "bin_origin")]
    pub(super) bin_width: Option<String>,

    /// Time bins: the date and time at which the first one begins.
    #[arg(long, value_name = "DATE", requires = "bin_width")]
    bin_origin: Option<String>,

    /// Time bins: the public number of them.
    #[arg(long, value_name = "N")]
    pub(super) bins: Option<u32>,
}

impl DateArguments {
    pub(super) fn options(&self) -> DateOptions {
        DateOptions {
            order: self.date_order.map(|order| match order {
                Order::Ymd => DateOrder::Ymd,
                Order::Dmy => DateOrder::Dmy,
                Order::Mdy => DateOrder::Mdy,
            }),
            format: self.date_format.clone(),
            zone: self.timezone.clone().unwrap_or_else(|| "UTC".into()),
            hours_beyond_midnight: self.hours_beyond_midnight,
        }
    }

    /// The zone of days and bins.
    fn local_zone(&self) -> String {
        let zone = self.local_timezone.clone();
        zone.unwrap_or_else(|| self.options().zone)
    }

    fn axis(&self) -> Result<Option<BinAxis>> {
        match (&self.bin_width, &self.bin_origin, self.bins) {
            (None, None, None) => Ok(None),
            (Some(width), Some(origin), Some(bins)) => {
                let width = parse_duration(width)?;
                let dates = DateOptions {
                    zone: self.local_zone(),
                    ..self.options()
                };
                BinAxis::new(origin, width, bins, &dates).map(Some)
            }
            _ => Err(Error::input(
                "a time axis needs the width of its bins, where they begin and how many there are",
            )
            .hint("--bin-width 1h --bin-origin 2024-03-04 --bins 168")),
        }
    }
}

/// How visits become records.
#[derive(clap::Args)]
#[command(next_help_heading = "Records (dated visits)")]
pub(super) struct RecordArguments {
    /// Begin another trip after a longer time without a visit (30m, 2h).
    #[arg(long, value_name = "LENGTH")]
    pub(super) max_gap: Option<String>,

    /// Begin another trip with each day; days begin at this time (03:00), in --local-timezone.
    #[arg(long, value_name = "HH:MM")]
    pub(super) day_starts: Option<String>,

    /// Of visits to one location that follow each other, keep the first.
    #[arg(long)]
    pub(super) collapse_stays: bool,
}

impl ImportArguments {
    pub(super) fn arrangement(&self) -> Result<Arrangement> {
        let records = &self.records;
        let mut arrangement = Arrangement::new(self.population()?);
        arrangement.max_gap = match &records.max_gap {
            Some(gap) => Some(parse_duration(gap)?),
            None => None,
        };
        arrangement.days = match &records.day_starts {
            Some(starts) => Some(ServiceDays::new(starts, &self.dates.local_zone())?),
            None => None,
        };
        arrangement.collapse_stays = records.collapse_stays;
        arrangement.axis = self.dates.axis()?;
        if let Some(output) = &self.output {
            // Long inputs are sorted beside their result: raw data goes nowhere else.
            arrangement.scratch = match output.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
                _ => PathBuf::from("."),
            };
        }
        Ok(arrangement)
    }

    pub(super) fn population(&self) -> Result<String> {
        let population = self.population.clone().unwrap_or_else(|| {
            let name = self.input.file_name().unwrap_or_default();
            let name = name.to_string_lossy();
            name.split('.').next().unwrap_or_default().to_owned()
        });
        if population.trim().is_empty() {
            return Err(
                Error::input("the people have no name to keep their spending under")
                    .hint("--population NAME"),
            );
        }
        Ok(population)
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ItemsetsArgument {
    /// An itemset has one item; more are an error.
    Single,
    /// Take the items one after the other.
    Flatten,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Sequences (seq, spmf)")]
pub(super) struct SequenceArguments {
    /// Names of the columns that follow the trajectory after tabs.
    #[arg(long = "attribute-name", value_name = "NAME", value_delimiter = ',')]
    pub(super) attribute_names: Vec<String>,

    /// SPMF: what to do with several items at once; single unless given.
    #[arg(long, value_enum)]
    pub(super) itemsets: Option<ItemsetsArgument>,
}
