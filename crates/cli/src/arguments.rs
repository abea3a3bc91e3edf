//! The command line as typed. Each command's own arguments stand in its file.

use clap::{Parser, Subcommand};

use crate::commands::{
    advise, attack, audit, compare, convert, demo, evaluate, federate, generate, import, info,
    ledger, mine, publish, query, report, reproduce, shell, universe, verify,
};

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 the answer is no (a check fails, a budget is spent, a
guarantee is refuted); 2 bad usage or input.

First steps:
  wayveil demo                                        everything once, on generated data
  wayveil import taps.csv --format events --universe stops.txt -o taps.parquet
  wayveil publish weave taps.parquet --epsilon 1 -o release/";

/// Publish the movement of many people without giving away any one of them.
#[derive(Parser)]
#[command(name = "wayveil", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Print one machine-readable object on standard output, and nothing else there.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print nothing but results and errors.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Everything once, on generated data: generate, publish in two ways, and reports to look at.
    #[command(after_help = demo::EXAMPLE)]
    Demo(demo::DemoArguments),
    /// Make up a data set with the statistics of a known one.
    #[command(after_help = generate::EXAMPLE)]
    Generate(generate::GenerateArguments),
    /// Make the public table of locations from a GTFS feed, a list or a table.
    #[command(after_help = universe::EXAMPLE)]
    Universe(universe::UniverseArguments),
    /// Read raw data into a data file.
    #[command(after_help = import::EXAMPLE)]
    Import(Box<import::ImportArguments>),
    /// Write a data file or a release in another format.
    #[command(after_help = convert::EXAMPLE)]
    Convert(convert::ConvertArguments),
    /// Say what a data file or a release is, in numbers and a small chart.
    #[command(after_help = info::EXAMPLE)]
    Info(info::InfoArguments),
    /// Say which method, parameters and epsilon would serve, and the command to type.
    #[command(after_help = advise::EXAMPLE)]
    Advise(Box<advise::AdviseArguments>),
    /// Turn raw data into a release with a stated guarantee.
    #[command(after_help = publish::EXAMPLE)]
    Publish(publish::PublishArguments),
    /// Count fragments of trajectories that stay with their owners: many clients, one noisy bit each.
    #[command(after_help = federate::EXAMPLE)]
    Federate(Box<federate::FederateArguments>),
    /// Try to refute what a method promises: an empirical lower bound on epsilon.
    #[command(after_help = audit::EXAMPLE)]
    Audit(audit::AuditArguments),
    /// Check whether every few visits are shared by enough people: (K, C)_L-privacy. Exit code 1 where
    /// they are not.
    #[command(after_help = verify::EXAMPLE)]
    Verify(verify::VerifyArguments),
    /// Show, limit and check what was spent on whom.
    #[command(after_help = ledger::EXAMPLE)]
    Ledger(ledger::LedgerArguments),
    /// Count the records that contain some locations.
    #[command(after_help = query::EXAMPLE)]
    Query(query::QueryArguments),
    /// Measure what a release is still good for, or try methods out in memory.
    #[command(after_help = evaluate::EXAMPLE)]
    Evaluate(evaluate::EvaluateArguments),
    /// Attack a release and the raw data: what could be found out of people who are in it?
    #[command(after_help = attack::EXAMPLE)]
    Attack(attack::AttackArguments),
    /// Show a release beside its raw data as a page for a browser: utility, attacks, budget. For the
    /// publisher alone.
    #[command(after_help = report::EXAMPLE)]
    Report(report::ReportArguments),
    /// Put releases side by side: what they promise, how large they are and, with raw data, how wrong
    /// answers get.
    #[command(after_help = compare::EXAMPLE)]
    Compare(compare::CompareArguments),
    /// Find the patterns that many records have in common.
    #[command(after_help = mine::EXAMPLE)]
    Mine(mine::MineArguments),
    /// Make the papers' tables and figures again: theirs beside ours, as published and repaired. Exit
    /// code 1 where a worked example comes out differently.
    #[command(after_help = reproduce::EXAMPLE)]
    Reproduce(reproduce::ReproduceArguments),
    /// Print the JSON Schema of a release's manifest.
    #[command(after_help = "Example:\n  wayveil schema > manifest.schema.json")]
    Schema,
    /// Print completions for a shell.
    #[command(after_help = shell::COMPLETIONS_EXAMPLE)]
    Completions(shell::CompletionsArguments),
    /// Write manual pages into a folder.
    #[command(after_help = shell::MAN_EXAMPLE)]
    Man(shell::ManArguments),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed_and_every_command_has_an_example() {
        let command = Arguments::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands() {
            let help = sub
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                help.contains("Example"),
                "{} has no example",
                sub.get_name()
            );
        }
    }
}
