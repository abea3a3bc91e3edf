//! `wayveil federate`: counting fragments of trajectories that stay with their owners.

mod arguments;
mod enrol;
mod issue;
mod join;
mod keygen;
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

    /// Make a key that signs tokens: a secret file for the issuer, a public one for the collector.
    #[command(after_help = keygen::EXAMPLE)]
    Keygen(keygen::KeygenArguments),

    /// Draw a code for each person who may take part, and make the codes known to an issuer.
    #[command(after_help = enrol::EXAMPLE)]
    Enrol(enrol::EnrolArguments),

    /// Run an issuer: give everybody who has a code one token of each campaign.
    #[command(after_help = issue::EXAMPLE)]
    Issue(issue::IssueArguments),
}

/// Runs it; taking part may be answered with no.
pub(crate) fn run(arguments: &FederateArguments, terminal: &Terminal) -> Result<bool> {
    match &arguments.command {
        FederateCommand::Simulate(arguments) => simulate::run(arguments, terminal).map(|()| true),
        FederateCommand::Serve(arguments) => serve::run(arguments, terminal).map(|()| true),
        FederateCommand::Status(arguments) => status::run(arguments, terminal).map(|()| true),
        FederateCommand::Join(arguments) => join::run(arguments, terminal),
        FederateCommand::Keygen(arguments) => keygen::run(arguments, terminal).map(|()| true),
        FederateCommand::Enrol(arguments) => enrol::run(arguments, terminal).map(|()| true),
        FederateCommand::Issue(arguments) => issue::run(arguments, terminal).map(|()| true),
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
