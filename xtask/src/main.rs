//! The developers' commands, behind `cargo xtask`.
//!
//! One command runs every check, so that a developer's machine and a build server cannot differ
//! in what they look at.

mod args;
mod command;
mod fuzz;
mod markdown;
mod pages;
mod readme;
mod scratch;
mod site;
mod suites;
mod tidy;
mod workspace;

use std::process::{Command, ExitCode};
use std::time::Duration;

use args::{Request, USAGE};
use command::End;
use workspace::Workspace;

/// Measuring takes long; hanging takes longer.
const BENCH_LIMIT: Duration = Duration::from_secs(6 * 60 * 60);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let request = match args::parse(&words, &suites::names()) {
        Ok(Request::Help) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Ok(request) => request,
        Err(complaint) => {
            eprintln!("{complaint}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let workspace = match Workspace::load() {
        Ok(workspace) => workspace,
        Err(complaint) => {
            eprintln!("{complaint}");
            return ExitCode::from(2);
        }
    };
    match request {
        Request::Help => unreachable!("answered above"),
        Request::Test { strict, only } => suites::run(&workspace, strict, &only),
        Request::Tidy => tidy::run(&workspace),
        Request::Bench(words) => match words.split_first() {
            Some((name, rest)) if name == "pages" => pages::measure(&workspace, rest),
            Some((name, rest)) if name == "python" => {
                pages::code(suites::wheel::bench(&workspace, rest))
            }
            Some((name, rest)) if name == "spark" => {
                pages::code(suites::spark::bench(&workspace, rest))
            }
            _ => bench(&workspace, &words),
        },
        Request::Bindings(folder) => pages::code(suites::bindings::command(&workspace, &folder)),
        Request::Site(folder) => pages::code(suites::site::command(&workspace, folder)),
        Request::Screenshots => pages::screenshots(&workspace),
        Request::Fuzz(plan) => fuzz::run(&workspace, &plan),
    }
}

fn bench(workspace: &Workspace, words: &[String]) -> ExitCode {
    let cargo = || workspace.cargo(&["run", "--release", "--locked", "-p", "wayveil-bench"]);
    match words.split_first() {
        Some((name, rest)) if name == args::LOAD => load(cargo(), rest),
        Some((name, rest)) if name == args::RECORD => record(workspace, rest),
        _ => measured(cargo().arg("--").args(words)),
    }
}

/// Benchmarks with what they measured kept in `docs`. Programs are built beforehand, so that nothing is compiled while
/// another thing is timed.
fn record(workspace: &Workspace, words: &[String]) -> ExitCode {
    // As the tests build it, so that little is built twice.
    let mut build = workspace.cargo(&["build", "--workspace", "--release", "--locked"]);
    build.args(["--features", suites::cargo::FEATURES]);
    build.args(["--bin", "wayveil-bench", "--bin", "wayveil-load"]);
    if !matches!(command::run(&mut build, BENCH_LIMIT), End::Exit(0)) {
        return ExitCode::FAILURE;
    }
    let mut program = Command::new(workspace.target.join("release/wayveil-bench"));
    program.arg(args::RECORD).args(words);
    program.arg("-o").arg(workspace.root.join("docs"));
    let database = |word: &String| word == "collector-campaign-postgres";
    let named = words.iter().any(|word| !word.starts_with('-'));
    let server = match words.iter().any(database) || !named {
        false => None,
        true => match suites::postgres::Postgres::start() {
            Ok(server) => Some(server),
            // The others can be measured without it; it is said which one is left out.
            Err(why) if !named => {
                eprintln!("bench: without PostgreSQL: {why:?}");
                None
            }
            Err(why) => return pages::code(Err(why)),
        },
    };
    if let Some(server) = &server {
        program.env("WAYVEIL_BENCH_STORE", server.campaign());
    }
    measured(&mut program)
}

/// The collector under load, in SQLite or in a PostgreSQL that lives as long as the run.
fn load(mut cargo: Command, words: &[String]) -> ExitCode {
    cargo.args(["--features", "collector", "--bin", "wayveil-load", "--"]);
    let (postgres, words): (Vec<_>, Vec<_>) = words.iter().partition(|word| *word == "--postgres");
    cargo.args(words);
    let server = match postgres.is_empty() {
        true => None,
        false => match suites::postgres::Postgres::start() {
            Ok(server) => Some(server),
            Err(why) => return pages::code(Err(why)),
        },
    };
    if let Some(server) = &server {
        cargo.args(["--store", &server.campaign()]);
        cargo.arg("--restart-with").arg(server.restart());
    }
    measured(&mut cargo)
}

fn measured(command: &mut Command) -> ExitCode {
    match command::run(command, BENCH_LIMIT) {
        End::Exit(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        other => {
            eprintln!("bench: {other}");
            ExitCode::FAILURE
        }
    }
}
