//! `wayveil federate`: counting fragments of trajectories that stay with their owners.

mod arguments;
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
}

pub(crate) fn run(arguments: &FederateArguments, terminal: &Terminal) -> Result<()> {
    match &arguments.command {
        FederateCommand::Simulate(arguments) => simulate::run(arguments, terminal),
    }
}
