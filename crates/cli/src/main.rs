//! The program `wayveil`.

mod arguments;
mod commands;
mod compare;
mod facts;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;

fn main() -> ExitCode {
    // An interrupted run takes its unfinished files with it.
    let handler = ctrlc::set_handler(|| {
        wayveil_io::remove_unfinished();
        std::process::exit(130);
    });
    if let Err(cause) = handler {
        eprintln!("warning: interruptions will not be cleaned up after: {cause}");
    }
    let arguments = Arguments::parse();
    let terminal = terminal::Terminal::new(arguments.json, arguments.quiet);
    match commands::run(arguments.command, &terminal) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal.fail(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
