//! The commands, one file each.

pub(crate) mod advise;
pub(crate) mod attack;
pub(crate) mod audit;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod federate;
pub(crate) mod generate;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod ledger;
mod methods;
pub(crate) mod mine;
pub(crate) mod publish;
pub(crate) mod query;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod shell;
mod sweep;
pub(crate) mod universe;
pub(crate) mod verify;

use wayveil_core::{Error, RandomSource, Result, manifest};

pub(crate) use methods::another_methods_flag;

use crate::arguments::Command;
use crate::terminal::Terminal;

/// Runs a command. What was asked may be answered with no.
pub(crate) fn run(command: Command, terminal: &Terminal) -> Result<bool> {
    let done = match command {
        Command::Advise(arguments) => return advise::run(&arguments, terminal),
        Command::Audit(arguments) => return audit::run(&arguments, terminal),
        Command::Federate(arguments) => return federate::run(&arguments, terminal),
        Command::Reproduce(arguments) => return reproduce::run(&arguments, terminal),
        Command::Verify(arguments) => return verify::run(&arguments, terminal),
        Command::Demo(arguments) => demo::run(&arguments, terminal),
        Command::Generate(arguments) => generate::run(&arguments, terminal),
        Command::Universe(arguments) => universe::run(&arguments, terminal),
        Command::Import(arguments) => import::run(&arguments, terminal),
        Command::Convert(arguments) => convert::run(&arguments, terminal),
        Command::Info(arguments) => info::run(&arguments, terminal),
        Command::Publish(arguments) => publish::run(&arguments, terminal),
        Command::Ledger(arguments) => ledger::run(&arguments, terminal),
        Command::Query(arguments) => query::run(&arguments, terminal),
        Command::Attack(arguments) => attack::run(&arguments, terminal),
        Command::Evaluate(arguments) => evaluate::run(&arguments, terminal),
        Command::Compare(arguments) => compare::run(&arguments, terminal),
        Command::Report(arguments) => report::run(&arguments, terminal),
        Command::Mine(arguments) => mine::run(&arguments, terminal),
        Command::Schema => terminal.print(&format!("{:#}\n", manifest::schema())),
        Command::Completions(arguments) => shell::completions(&arguments, terminal),
        Command::Man(arguments) => shell::man(&arguments, terminal),
    };
    done.map(|()| true)
}

/// The operating system's randomness, or a fixed seed where one was asked for by name. Data and
/// noise made from the same seed share nothing.
fn random_source(purpose: &str, insecure_seed: Option<u64>) -> Result<RandomSource> {
    match insecure_seed {
        Some(seed) => Ok(RandomSource::insecure_seed_for(purpose, seed)),
        None => RandomSource::os()
            .map_err(|cause| Error::system("cannot read the system's random generator", cause)),
    }
}
