//! `wayveil convert`: another format for a data file or a release.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;
use wayveil_core::{Error, Result};
use wayveil_io::output::{check_not_source, check_target};
use wayveil_io::{
    GeoJson, Loaded, MovingFeatures, export_published_csv, export_published_geojson,
    export_published_mfjson, export_raw_csv, export_raw_geojson, export_raw_mfjson, write_dataset,
    write_published_seq, write_raw_seq,
};

use crate::facts::thousands;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil convert release/ --to seq -o release.seq
  wayveil convert metro.parquet --to csv -o metro.csv
  wayveil convert release/ --to geojson --what locations -o stations.geojson";

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// One trajectory a line, locations separated by blanks.
    Seq,
    /// A table with one visit a row.
    Csv,
    /// A data file.
    Parquet,
    /// Lines on a map, one a trajectory (RFC 7946); locations need coordinates.
    #[value(name = "geojson")]
    GeoJson,
    /// Moving points (OGC 19-045r3); locations need coordinates and time bins a clock. Visits in
    /// one bin are spread evenly over it.
    #[value(name = "mfjson")]
    MfJson,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// A line for each trajectory.
    Trajectories,
    /// A point for each location, with its visits.
    Locations,
}

impl From<What> for GeoJson {
    fn from(what: What) -> Self {
        match what {
            What::Trajectories => GeoJson::Trajectories,
            What::Locations => GeoJson::Locations,
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct ConvertArguments {
    /// A data file or a release folder.
    input: PathBuf,

    /// The format to write.
    #[arg(long, value_enum)]
    to: Target,

    /// What a GeoJSON file shows.
    #[arg(long, value_enum, default_value_t = What::Trajectories)]
    what: What,

    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Result<()> {
    let (output, force) = (&arguments.output, arguments.force);
    if arguments.what == What::Locations && !matches!(arguments.to, Target::GeoJson) {
        return Err(Error::input("--what locations is for GeoJSON only")
            .hint("add --to geojson; a release holds them in locations.parquet"));
    }
    check_target(output, force)?;
    check_not_source(output, &arguments.input)?;
    let what = arguments.what.into();
    let mut moving = None;
    // What the input lacks is said of the input; what fails in writing names the output already.
    let placed = |error: Error| match error.place() {
        Some(_) => error,
        None => error.in_file(arguments.input.display().to_string()),
    };
    let raw = match terminal.load(&arguments.input)? {
        Loaded::Data(raw) => {
            match arguments.to {
                Target::Seq => write_raw_seq(output, &raw, force)?,
                Target::Csv => export_raw_csv(output, &raw, force)?,
                Target::Parquet => write_dataset(output, &raw, force)?,
                Target::GeoJson => {
                    export_raw_geojson(output, &raw, what, force).map_err(placed)?;
                }
                Target::MfJson => {
                    moving = Some(export_raw_mfjson(output, &raw, force).map_err(placed)?);
                }
            }
            true
        }
        Loaded::Release(release) => {
            if let Some(reason) = &release.manifest().not_publishable_because {
                terminal.warn(&format!("this release must not be published: {reason}"));
            }
            match arguments.to {
                Target::Seq => write_published_seq(output, &release, force)?,
                Target::Csv => export_published_csv(output, &release, force)?,
                Target::Parquet => {
                    return Err(Error::input("a release holds Parquet files already").hint(
                        format!(
                            "use {}",
                            arguments.input.join("trajectories.parquet").display()
                        ),
                    ));
                }
                Target::GeoJson => {
                    export_published_geojson(output, &release, what, force).map_err(placed)?;
                }
                Target::MfJson => {
                    moving =
                        Some(export_published_mfjson(output, &release, force).map_err(placed)?);
                }
            }
            false
        }
    };
    let path = output.display().to_string();
    let note = if raw {
        " (raw: not for publication)"
    } else {
        ""
    };
    let lost = moving.map(what_does_not_move).unwrap_or_default();
    terminal.result(
        || {
            let mut object = json!({ "output": path, "internal": raw });
            if let Some(moving) = moving {
                object["features"] = json!(moving.features);
                object["without_visits"] = json!(moving.without_visits);
                object["cut"] = json!(moving.cut);
            }
            object
        },
        &format!("wrote {path}{note}\n{lost}"),
    )
}

/// What became of trajectories that are not moving points.
fn what_does_not_move(moving: MovingFeatures) -> String {
    let mut text = String::new();
    if moving.without_visits > 0 {
        text += &format!(
            "left out {} without visits: they are at no time anywhere\n",
            trajectories(moving.without_visits)
        );
    }
    if moving.cut > 0 {
        text += &format!(
            "cut {} where time goes back; parts have a number\n",
            trajectories(moving.cut)
        );
    }
    text
}

fn trajectories(count: u64) -> String {
    let word = if count == 1 {
        "trajectory"
    } else {
        "trajectories"
    };
    format!("{} {word}", thousands(count))
}
