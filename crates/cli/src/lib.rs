//! The program `wayveil` as a library: one file per command.
//!
//! [`program`] is what runs in a terminal. [`Session`] runs the same commands for another program, such as
//! the Python package: with data in memory beside files, and answers as values.

mod arguments;
mod beside;
mod books;
mod commands;
mod drawn;
mod facts;
mod heard;
mod interrupt;
mod left;
mod memory;
mod opened;
mod overview;
mod places;
mod promise;
mod records;
mod session;
mod settings_file;
mod similar;
mod table;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
pub use memory::Foreign;
pub use session::{Answer, Failure, Listener, Session, command_line};

/// Runs the command that the process was started with.
pub fn program() -> ExitCode {
    // An interrupted run takes its unfinished files with it.
    let handler = ctrlc::set_handler(|| {
        if interrupt::is_handled() {
            return;
        }
        wayveil_io::remove_unfinished();
        std::process::exit(130);
    });
    if let Err(cause) = handler {
        eprintln!("warning: interruptions will not be cleaned up after: {cause}");
    }
    quieten_caught_panics();
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let arguments = Arguments::try_parse()
        .unwrap_or_else(|error| commands::another_methods_flag(error, &words).exit());
    let terminal = terminal::Terminal::new(arguments.json, arguments.quiet);
    match commands::run(arguments.command, &terminal) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            terminal.fail(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// A damaged file can make a decoder panic; that is caught and reported as an error, so the panic
/// itself is not worth a word.
pub fn quieten_caught_panics() {
    let speak = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !wayveil_io::panics_are_caught_here() {
            speak(panic);
        }
    }));
}
