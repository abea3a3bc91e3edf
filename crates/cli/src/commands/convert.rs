//! `wayveil convert`: another format for a data file or a release.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;
use wayveil_core::{Error, Result};
use wayveil_io::output::check_target;
use wayveil_io::{
    Loaded, export_published_csv, export_raw_csv, load, write_dataset, write_published_seq,
    write_raw_seq,
};

use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil convert release/ --to seq -o release.seq
  wayveil convert metro.parquet --to csv -o metro.csv";

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// One trajectory a line, locations separated by blanks.
    Seq,
    /// A table with one visit a row.
    Csv,
    /// A data file.
    Parquet,
}

#[derive(clap::Args)]
pub(crate) struct ConvertArguments {
    /// A data file or a release folder.
    input: PathBuf,

    /// The format to write.
    #[arg(long, value_enum)]
    to: Target,

    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Result<()> {
    let (output, force) = (&arguments.output, arguments.force);
    check_target(output, force)?;
    let raw = match load(&arguments.input)? {
        Loaded::Data(raw) => {
            match arguments.to {
                Target::Seq => write_raw_seq(output, &raw, force)?,
                Target::Csv => export_raw_csv(output, &raw, force)?,
                Target::Parquet => write_dataset(output, &raw, force)?,
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
    terminal.result(
        || json!({ "output": path, "internal": raw }),
        &format!("wrote {path}{note}\n"),
    )
}
