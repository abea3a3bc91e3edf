//! `wayveil federate serve`: a campaign as a service.

use std::path::PathBuf;

use wayveil_core::Result;

use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
The campaign file says what is asked of whom, when rounds close, who may answer, and where the service
listens. It can be stopped and started again at any time; nothing that was counted is lost.

Example:
  wayveil federate serve campaign.toml";

#[derive(clap::Args)]
pub(crate) struct ServeArguments {
    /// The campaign file (TOML).
    campaign: PathBuf,
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(arguments: &ServeArguments, _: &Terminal) -> Result<()> {
    let _ = &arguments.campaign;
    Err(super::not_built_in("serve"))
}

#[cfg(feature = "collector")]
pub(super) fn run(arguments: &ServeArguments, terminal: &Terminal) -> Result<()> {
    use wayveil_collector::program::{Stop, serve};

    let stop = Stop::default();
    let stopper = stop.clone();
    crate::interrupt::instead(move || stopper.now());
    serve(&arguments.campaign, publish, &stop, |address| {
        terminal.say(&format!("listening at https://{address}"));
    })
}

/// What is done with what a campaign has found. A process that is started again for a complete campaign
/// comes here again.
#[cfg(feature = "collector")]
fn publish(
    findings: &wayveil_federated::collector::Findings,
    _: &wayveil_core::Universe,
    _: &wayveil_federated::campaign::Parameters,
) -> Result<()> {
    let fragments = findings.released().count();
    eprintln!("{fragments} fragments were found; the counts behind them are in the store");
    Ok(())
}
