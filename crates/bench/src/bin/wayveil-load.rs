//! `wayveil-load campaign [--clients N] [--length N] [--store S] [--kills N] [--restarts N --restart-with SCRIPT] [--at-once N]
//! [--open]`,
//! `wayveil-load answers [--store S] [--block N] [--blocks N] [--at-once N] [--open]`,
//! `wayveil-load memory [--store S] [--answers N] [--at-once N]`; each with `--json` for programs.
//!
//! Under the name `wayveil` it is that program, so that services run in processes of their own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use wayveil_bench::collector::answers::{self, Load, Measured, NOTHING};
use wayveil_bench::collector::campaign;
use wayveil_bench::collector::{PRODUCT, Plan};
use wayveil_bench::report::{self, Comparison};

const USAGE: &str = "usage: wayveil-load campaign [--clients N] [--length N] [--store sqlite|postgres://…] [--kills N] \
                     [--restarts N --restart-with SCRIPT] [--at-once N] [--open]\n       \
                     wayveil-load answers [--store …] [--block N] [--blocks N] [--at-once N] [--open]\n       \
                     wayveil-load memory [--store …] [--answers N] [--at-once N]\n\
                     each with --json for programs";

/// Every option; which of them a command takes is left to it.
struct Options {
    clients: u64,
    length: u32,
    store: String,
    kills: usize,
    restarts: usize,
    script: Option<PathBuf>,
    at_once: Option<usize>,
    block: usize,
    blocks: usize,
    answers: usize,
    open: bool,
    json: bool,
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        clients: 2000,
        length: 3,
        store: "sqlite".into(),
        kills: 0,
        restarts: 0,
        script: None,
        at_once: None,
        block: 2000,
        blocks: 5,
        answers: 1_000_000,
        open: false,
        json: false,
    };
    while let Some(option) = words.next() {
        if option == "--open" {
            options.open = true;
            continue;
        }
        if option == "--json" {
            options.json = true;
            continue;
        }
        let value = words.next().ok_or(format!("{option} needs a value"))?;
        let number = || {
            value
                .parse()
                .map_err(|_| format!("{option} needs a number"))
        };
        match option.as_str() {
            "--store" => options.store = value,
            "--restart-with" => options.script = Some(value.into()),
            "--clients" => options.clients = number()? as u64,
            "--length" => options.length = number()? as u32,
            "--kills" => options.kills = number()?,
            "--restarts" => options.restarts = number()?,
            "--at-once" => options.at_once = Some(number()?),
            "--block" => options.block = number()?,
            "--blocks" => options.blocks = number()?,
            "--answers" => options.answers = number()?,
            _ => return Err(format!("unknown option {option}")),
        }
    }
    Ok(options)
}

fn run(mut words: impl Iterator<Item = String>) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|cause| cause.to_string())?;
    let command = words.next().ok_or("no command given")?;
    if ["help", "--help", "-h"].contains(&command.as_str()) {
        println!("{USAGE}");
        return Ok(());
    }
    let options = options(words)?;
    let load = |tokens| Load {
        program: program.clone(),
        store: options.store.clone(),
        block: options.block,
        blocks: options.blocks,
        at_once: options.at_once.unwrap_or(32),
        tokens,
    };
    match command.as_str() {
        "campaign" => {
            let restarts = options.script.clone().map(|it| (it, options.restarts));
            let report = campaign::run(&Plan {
                program,
                clients: options.clients,
                length: options.length,
                store: options.store,
                tokens: !options.open,
                kills: options.kills,
                restarts,
                workers: options.at_once.unwrap_or(16),
            })?;
            let lines: Vec<String> = report.to_string().lines().map(Into::into).collect();
            tell(options.json, &command, &[], &lines);
        }
        "answers" => {
            let measured = answers::run(&load(!options.open))?;
            let comparisons: Vec<Comparison> =
                measured.iter().flat_map(Measured::comparisons).collect();
            let lines: Vec<String> = measured.iter().map(Measured::to_string).collect();
            tell(options.json, &command, &comparisons, &lines);
        }
        "memory" => {
            let held = answers::memory(&load(false), options.answers)?;
            let told = |&(answers, bytes): &(usize, u64)| {
                format!("{answers:9} answers  {:6.1} MiB", bytes as f64 / 1048576.0)
            };
            let lines: Vec<String> = held.iter().map(told).collect();
            let comparisons = answers::held_beside_first(&held);
            tell(options.json, &command, &comparisons, &lines);
        }
        _ => return Err(format!("unknown command {command}")),
    }
    Ok(())
}

/// Prints lines for people, or all of it for programs.
fn tell(json: bool, name: &str, comparisons: &[Comparison], lines: &[String]) {
    match json {
        true => {
            let mut value = report::json(&format!("collector-{name}"), comparisons);
            value["lines"] = lines.into();
            println!("{value:#}");
        }
        false => lines.iter().for_each(|line| println!("{line}")),
    }
}

/// A service that replies as the collector does, and does nothing: `nothing CERTIFICATE KEY PORT`.
fn nothing(words: &[String]) -> Result<(), String> {
    let [certificate, key, port] = words else {
        return Err("nothing needs a certificate, a key and a port".into());
    };
    let listen = format!("127.0.0.1:{port}").parse().map_err(|_| "no port")?;
    wayveil_collector::program::serve_nothing(Path::new(certificate), Path::new(key), listen)
        .map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let called = |name: &str| words.first().is_some_and(|word| word == name);
    let done = match words.get(1).map(String::as_str) {
        Some(NOTHING) if called(PRODUCT) => nothing(&words[2..]),
        _ if called(PRODUCT) => return wayveil::program(),
        _ => run(words.into_iter().skip(1)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wayveil-load: {message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
