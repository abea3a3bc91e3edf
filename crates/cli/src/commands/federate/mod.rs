//! `wayveil federate`: counting fragments of trajectories that stay with their owners.

mod arguments;
mod join;
mod outcome;
mod simulate;

use clap::Subcommand;
use wayveil_core::Result;

use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil federate simulate vehicles.parquet --clients-per-record 100 --k 50000 --length 3 \\
      --epsilon 4 -o fragments/";

#[derive(clap::Args)]
pub(crate) struct FederateArguments {
    #[command(subcommand)]
    command: FederateCommand,
}

#[derive(Subcommand)]
enum FederateCommand {
    /// Run a whole campaign on one machine, release what it finds, and compare that with the data.
    #[command(after_help = simulate::EXAMPLE)]
    Simulate(Box<arguments::SimulateArguments>),
    /// Take part in a campaign, with one trajectory that stays on this machine.
    #[command(after_help = join::EXAMPLE)]
    Join(Box<join::JoinArguments>),
}

/// Runs it; taking part may be answered with no.
pub(crate) fn run(arguments: &FederateArguments, terminal: &Terminal) -> Result<bool> {
    match &arguments.command {
        FederateCommand::Simulate(arguments) => simulate::run(arguments, terminal).map(|()| true),
        FederateCommand::Join(arguments) => join::run(arguments, terminal),
    }
}
