//! `wayveil-bench NAME [--quick] [--json]`, or `wayveil-bench list`.

use std::process::ExitCode;

use wayveil_bench::benchmarks::{self, Effort};
use wayveil_bench::report;

const USAGE: &str = "usage: wayveil-bench NAME [--quick] [--json]\n       wayveil-bench list";

struct Arguments {
    name: String,
    effort: Effort,
    json: bool,
}

fn parse(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut name = None;
    let mut effort = Effort::Full;
    let mut json = false;
    for argument in arguments {
        match argument.as_str() {
            "--quick" => effort = Effort::Quick,
            "--json" => json = true,
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            word if name.is_none() => name = Some(word.to_owned()),
            word => return Err(format!("one benchmark at a time (got {word} too)")),
        }
    }
    let name = name.ok_or("no benchmark named")?;
    Ok(Arguments { name, effort, json })
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if arguments.name == "list" {
        for benchmark in benchmarks::ALL {
            println!("{:16} {}", benchmark.name, benchmark.about);
        }
        return Ok(());
    }
    let benchmark = benchmarks::find(&arguments.name)
        .ok_or_else(|| format!("unknown benchmark {}; see `list`", arguments.name))?;
    let comparisons = (benchmark.run)(arguments.effort)?;
    if arguments.json {
        println!("{:#}", report::json(benchmark.name, &comparisons));
    } else {
        print!("{}", report::table(&comparisons));
    }
    Ok(())
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wayveil-bench: {message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
