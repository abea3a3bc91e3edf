//! `wayveil generate`: data sets made up on this machine.

use std::path::PathBuf;

use serde_json::json;
use wayveil_core::Result;
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_io::output::check_target;
use wayveil_io::write_dataset;

use super::random_source;
use crate::facts::thousands;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil generate metro --records 50000 -o metro.parquet";

#[derive(clap::Args)]
pub(crate) struct GenerateArguments {
    /// What to imitate.
    #[arg(value_parser = preset_parser())]
    preset: String,

    /// How many records, one per person; the preset's own number unless given.
    #[arg(long, value_name = "N")]
    records: Option<u64>,

    /// How many locations; the preset's own number unless given.
    #[arg(long, value_name = "N")]
    locations: Option<u32>,

    /// Make the same data every time. For tests and figures.
    #[arg(long, value_name = "SEED")]
    insecure_seed: Option<u64>,

    /// The data file to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
}

fn preset_parser() -> clap::builder::PossibleValuesParser {
    Preset::all()
        .map(|preset| {
            let info = preset.info();
            let help = format!(
                "{} ({} records, {} locations)",
                info.description,
                thousands(info.records),
                thousands(u64::from(info.locations()))
            );
            clap::builder::PossibleValue::new(info.name).help(help)
        })
        .collect::<Vec<_>>()
        .into()
}

pub(crate) fn run(arguments: &GenerateArguments, terminal: &Terminal) -> Result<()> {
    check_target(&arguments.output, arguments.force)?;
    let preset: Preset = arguments.preset.parse()?;
    let options = GenerateOptions {
        records: arguments.records,
        locations: arguments.locations,
    };
    let mut random = random_source("generate", arguments.insecure_seed)?;
    let raw = generate(preset, &options, &mut random, terminal)?;
    write_dataset(&arguments.output, &raw, arguments.force)?;
    let path = arguments.output.display().to_string();
    terminal.result(
        || json!({ "output": path, "preset": arguments.preset }),
        &format!("wrote {path}\n"),
    )
}
