//! The program `wayveil`.

use std::process::ExitCode;

fn main() -> ExitCode {
    wayveil::program()
}
