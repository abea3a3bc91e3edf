//! `wayveil federate issue`: tokens for the people who were enrolled.

use std::path::PathBuf;

use wayveil_core::Result;

use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
The issuer's file says which campaigns tokens are for, with which keys they are signed, and where the
service listens. Everybody who was enrolled gets one token of each campaign. The issuer never sees
an answer, and the collector never sees a code. It can be stopped and started again at any time.

Example:
  wayveil federate keygen -o issuer-1
  wayveil federate enrol issuer.toml --people 1000 -o codes.txt
  wayveil federate issue issuer.toml";

#[derive(clap::Args)]
pub(crate) struct IssueArguments {
    /// The issuer's file (TOML).
    issuer: PathBuf,
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(arguments: &IssueArguments, _: &Terminal) -> Result<()> {
    let _ = &arguments.issuer;
    Err(super::not_built_in("issue"))
}

#[cfg(feature = "collector")]
pub(super) fn run(arguments: &IssueArguments, terminal: &Terminal) -> Result<()> {
    use wayveil_collector::issuer::commands::issue;
    use wayveil_collector::program::Stop;

    let stop = Stop::default();
    let stopper = stop.clone();
    crate::interrupt::instead(move || stopper.now());
    issue(&arguments.issuer, &stop, |address| {
        terminal.say(&format!("listening at https://{address}"));
    })
}
