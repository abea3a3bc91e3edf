//! `wayveil federate enrol`: a code for each person.

use std::path::PathBuf;

use wayveil_core::Result;

use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
Hand one code to each person, and then delete the file: the issuer keeps hashes alone. The issuer may
be running.

Example:
  wayveil federate enrol issuer.toml --people 1000 -o codes.txt";

#[derive(clap::Args)]
pub(crate) struct EnrolArguments {
    /// The issuer's file (TOML).
    issuer: PathBuf,

    /// For how many people codes are drawn.
    #[arg(long, value_name = "N")]
    people: u32,

    /// The file that the codes are written to, one per line; it must not be there yet.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(arguments: &EnrolArguments, _: &Terminal) -> Result<()> {
    let _ = (&arguments.issuer, &arguments.people, &arguments.output);
    Err(super::not_built_in("enrol"))
}

#[cfg(feature = "collector")]
pub(super) fn run(arguments: &EnrolArguments, terminal: &Terminal) -> Result<()> {
    use serde_json::json;
    use wayveil_collector::issuer::commands::enrol;

    let known = enrol(&arguments.issuer, arguments.people, &arguments.output)?;
    let (people, file) = (arguments.people, arguments.output.display().to_string());
    let words = format!(
        "{people} codes are in {file}, which only you can read. The issuer knows {known} codes now.\n\
         Hand one to each person, and delete the file.\n"
    );
    terminal.result(
        || json!({ "people": people, "codes": file, "known": known }),
        &words,
    )
}
