//! `wayveil federate`: counting fragments of trajectories that stay with their owners.

mod arguments;
mod join;
mod outcome;
#[cfg(feature = "collector")]
mod release;
mod serve;
mod simulate;
mod status;

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

    /// Run a campaign: ask clients, count their answers, close rounds.
    #[command(after_help = serve::EXAMPLE)]
    Serve(serve::ServeArguments),

    /// Show how a campaign stands.
    #[command(after_help = status::EXAMPLE)]
    Status(status::StatusArguments),

    /// Take part in a campaign, with one trajectory that stays on this machine.
    #[command(after_help = join::EXAMPLE)]
    Join(Box<join::JoinArguments>),
}

/// Runs it; taking part may be answered with no.
pub(crate) fn run(arguments: &FederateArguments, terminal: &Terminal) -> Result<bool> {
    match &arguments.command {
        FederateCommand::Simulate(arguments) => simulate::run(arguments, terminal).map(|()| true),
        FederateCommand::Serve(arguments) => serve::run(arguments, terminal).map(|()| true),
        FederateCommand::Status(arguments) => status::run(arguments, terminal).map(|()| true),
        FederateCommand::Join(arguments) => join::run(arguments, terminal),
    }
}

/// What commands say that need a feature of the build.
#[cfg(not(feature = "collector"))]
fn not_built_in(command: &str) -> wayveil_core::Error {
    wayveil_core::Error::input(format!(
        "`wayveil federate {command}` is not part of this build"
    ))
    .hint("build it with: cargo build --release --locked --features collector")
}
