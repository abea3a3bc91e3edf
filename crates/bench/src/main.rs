//! `wayveil-bench [NAME...] [--quick] [--json] [--plot FILE]`, `wayveil-bench list`,
//! `wayveil-bench record [NAME...] [--quick] [--kept-only] [-o FOLDER]`,
//! `wayveil-bench audit [METHOD...] [--seconds S]`,
//! `wayveil-bench suppression-figures [--quick] [--records N] [-o FOLDER]`,
//! `wayveil-bench generalize-taxis [--quick] [--data FOLDER | --records N] [-o FOLDER]`,
//! `wayveil-bench fastpub-figures [--quick] [--data FOLDER] [-o FOLDER]`,
//! `wayveil-bench advice [--quick] [-o FOLDER]`,
//! `wayveil-bench weave [DATA[:RECORDS]...] [--epsilon E,...] [--repeats N] [--method M]... [--data FOLDER]
//! [--keep FILE [--kept-only]] [--table FILE]`,
//! `wayveil-bench weave-errors [DATA[:RECORDS]...] [--epsilon E,...] [--repeats N] [--fit] [--data FOLDER]`, or
//! `wayveil-bench weave-gps [PRESET[:RECORDS]] [--epsilon E] [--repeats N] [--data FOLDER] [--plot FILE]`.

use std::path::PathBuf;
use std::process::ExitCode;

use wayveil_bench::benchmarks::{self, Benchmark, Effort};
use wayveil_bench::taxis::{self, Taxis};
use wayveil_bench::{
    advice, audits, fastpub, figures, plot, record, report, weave, weave_errors, weave_gps,
};

const USAGE: &str = "usage: wayveil-bench [NAME...] [--quick] [--json] [--plot FILE]\n       \
                     wayveil-bench list\n       \
                     wayveil-bench record [NAME...] [--quick] [--kept-only] [-o FOLDER]\n       wayveil-bench audit [METHOD...] [--seconds S]\n       \
                     wayveil-bench suppression-figures [--quick] [--records N] [-o FOLDER]\n       \
                     wayveil-bench generalize-taxis [--quick] [--data FOLDER | --records N] \
                     [-o FOLDER]\n       \
                     wayveil-bench fastpub-figures [--quick] [--data FOLDER] [-o FOLDER]\n       \
                     wayveil-bench advice [--quick] [-o FOLDER]\n       \
                     wayveil-bench weave [DATA[:RECORDS]...] [--epsilon E,...] [--repeats N] \
                     [--method M]... [--data FOLDER] [--keep FILE [--kept-only]] [--table FILE]\n       \
                     wayveil-bench weave-errors [DATA[:RECORDS]...] [--epsilon E,...] [--repeats N] \
                     [--fit] [--data FOLDER]\n       \
                     wayveil-bench weave-gps [PRESET[:RECORDS]] [--epsilon E] [--repeats N] \
                     [--data FOLDER] [--plot FILE]";

const FIGURES: &str = "suppression-figures";

struct Arguments {
    names: Vec<String>,
    effort: Effort,
    json: bool,
    plot: Option<String>,
    /// How long each audit takes.
    seconds: u64,
    /// How many records the figures are made from, or how many taxis.
    records: Option<u64>,
    /// The folder of taxis or of page visits.
    data: Option<PathBuf>,
    /// Where the figures go.
    folder: Option<PathBuf>,
    /// What `weave` is tried on.
    weave: weave::Plan,
    /// Whether constants are fitted instead of checked.
    fit: bool,
    /// What `weave-gps` is tried on.
    gps: Option<weave_gps::Plan>,
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut parsed = Arguments {
        names: Vec::new(),
        effort: Effort::Full,
        json: false,
        plot: None,
        seconds: 120,
        records: None,
        data: None,
        folder: None,
        weave: weave::Plan::default(),
        fit: false,
        gps: None,
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => parsed.effort = Effort::Quick,
            "--json" => parsed.json = true,
            "--fit" => parsed.fit = true,
            "--plot" => parsed.plot = Some(arguments.next().ok_or("--plot needs a file")?),
            "--seconds" => {
                let given = arguments.next().and_then(|text| text.parse().ok());
                parsed.seconds = given.ok_or("--seconds needs a number")?;
            }
            "--records" => {
                let given = arguments.next().and_then(|text| text.parse().ok());
                parsed.records = Some(given.ok_or("--records needs a number")?);
            }
            "--data" => parsed.data = Some(arguments.next().ok_or("--data needs a folder")?.into()),
            "--epsilon" => {
                let given = arguments.next().ok_or("--epsilon needs numbers")?;
                parsed.weave.epsilons = given.split(',').map(String::from).collect();
            }
            "--repeats" => {
                let given = arguments.next().and_then(|text| text.parse().ok());
                parsed.weave.repeats = given.ok_or("--repeats needs a number")?;
            }
            "--method" => {
                let given = arguments.next().ok_or("--method needs a method")?;
                parsed.weave.methods.push(given);
            }
            "--keep" => {
                let given = arguments.next().ok_or("--keep needs a file")?;
                parsed.weave.keep = Some(given.into());
            }
            "--kept-only" => parsed.weave.kept_only = true,
            "--table" => {
                let given = arguments.next().ok_or("--table needs a file")?;
                parsed.weave.table = Some(given.into());
            }
            "-o" => parsed.folder = Some(arguments.next().ok_or("-o needs a folder")?.into()),
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name => parsed.names.push(name.to_owned()),
        }
    }
    let tried = [weave::NAME, weave_errors::NAME];
    if parsed
        .names
        .first()
        .is_some_and(|name| tried.contains(&name.as_str()))
    {
        parsed.weave.data = parsed.names.split_off(1);
        parsed.weave.folder = parsed.data.take();
    }
    if parsed
        .names
        .first()
        .is_some_and(|name| name == weave_gps::NAME)
    {
        parsed.gps = Some(weave_gps::Plan {
            folder: parsed.data.take(),
            preset: parsed.names.split_off(1).pop(),
            epsilon: match &parsed.weave.epsilons[..] {
                [one] => one.clone(),
                _ => "1".into(),
            },
            repeats: parsed.weave.repeats,
            picture: parsed.plot.take().map(PathBuf::from),
        });
    }
    if parsed.plot.is_some() && parsed.names.len() != 1 {
        return Err("--plot draws one benchmark".into());
    }
    let (taxis, fastpub) = (taxis::NAME, fastpub::NAME);
    let named = |experiments: &[&str]| experiments.iter().any(|name| parsed.names == [*name]);
    if parsed.records.is_some() && !named(&[FIGURES, taxis]) {
        return Err(format!("--records goes with {FIGURES} or {taxis}"));
    }
    let advice = advice::NAME;
    let records = parsed
        .names
        .first()
        .is_some_and(|name| name == record::NAME);
    if parsed.folder.is_some() && !records && !named(&[FIGURES, taxis, fastpub, advice]) {
        return Err(format!(
            "-o goes with {FIGURES}, {taxis}, {fastpub} or {advice}"
        ));
    }
    if parsed.data.is_some() && (!named(&[taxis, fastpub]) || parsed.records.is_some()) {
        return Err(format!(
            "--data goes with {taxis} or {fastpub}, and without --records"
        ));
    }
    Ok(parsed)
}

/// The benchmarks of these names; all of them where none is named.
fn chosen(names: &[String]) -> Result<Vec<&'static Benchmark>, String> {
    if names.is_empty() {
        return Ok(benchmarks::ALL.iter().collect());
    }
    let find = |name: &String| {
        benchmarks::find(name).ok_or_else(|| format!("unknown benchmark {name}; see `list`"))
    };
    names.iter().map(find).collect()
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if arguments.names == ["list"] {
        for benchmark in benchmarks::ALL {
            println!("{:20} {}", benchmark.name, benchmark.about);
        }
        return Ok(());
    }
    if let Some(("audit", methods)) = arguments
        .names
        .split_first()
        .map(|(it, more)| (&**it, more))
    {
        return match audits::run(methods, arguments.seconds)? {
            true => Ok(()),
            false => Err("a method was refuted".into()),
        };
    }
    if arguments.names == [FIGURES] {
        let folder = arguments.folder.as_deref();
        let tables = figures::run(arguments.effort, arguments.records, folder)?;
        print!("{tables}");
        return Ok(());
    }
    if arguments.names == [taxis::NAME] {
        let records = arguments.records.map(u32::try_from).transpose();
        let records = records.map_err(|_| "--records is too large")?;
        let taxis = match &arguments.data {
            Some(data) => Taxis::TDrive(data),
            None => Taxis::Generated(records),
        };
        let tables = taxis::run(arguments.effort, taxis, arguments.folder.as_deref())?;
        print!("{tables}");
        return Ok(());
    }
    if arguments.names == [fastpub::NAME] {
        let (data, folder) = (arguments.data.as_deref(), arguments.folder.as_deref());
        let tables = fastpub::run(arguments.effort, data, folder)?;
        print!("{tables}");
        return Ok(());
    }
    if arguments.names == [advice::NAME] {
        print!(
            "{}",
            advice::run(arguments.effort, arguments.folder.as_deref())?
        );
        return Ok(());
    }
    if arguments.names == [weave::NAME] {
        print!("{}", weave::run(&arguments.weave)?);
        return Ok(());
    }
    if arguments.names == [weave_errors::NAME] {
        print!("{}", weave_errors::run(&arguments.weave, arguments.fit)?);
        return Ok(());
    }
    if let Some(plan) = &arguments.gps {
        print!("{}", weave_gps::run(plan)?);
        return Ok(());
    }
    if let Some((record::NAME, names)) = arguments
        .names
        .split_first()
        .map(|(it, more)| (&**it, more))
    {
        return record::run(&record::Plan {
            names: names.to_vec(),
            effort: arguments.effort,
            docs: arguments.folder.clone().unwrap_or_else(|| "docs".into()),
            kept_only: arguments.weave.kept_only,
        });
    }
    for benchmark in chosen(&arguments.names)? {
        let comparisons = (benchmark.run)(arguments.effort)?;
        if let Some(path) = &arguments.plot {
            let page = plot::svg(benchmark.about, &comparisons)?;
            std::fs::write(path, page).map_err(|cause| format!("cannot write {path}: {cause}"))?;
        }
        if arguments.json {
            println!("{:#}", report::json(benchmark.name, &comparisons));
        } else {
            println!("{}: {}", benchmark.name, benchmark.about);
            println!("{}", report::table(&comparisons));
        }
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
