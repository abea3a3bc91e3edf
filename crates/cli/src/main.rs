//! The program `wayveil`.

mod arguments;
mod beside;
mod books;
mod commands;
mod drawn;
mod facts;
mod heard;
mod left;
mod opened;
mod overview;
mod places;
mod promise;
mod settings_file;
mod table;
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
    quieten_caught_panics();
    let arguments =
        Arguments::try_parse().unwrap_or_else(|error| commands::another_methods_flag(error).exit());
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
fn quieten_caught_panics() {
    let speak = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !wayveil_io::panics_are_caught_here() {
            speak(panic);
        }
    }));
}
