//! What was asked for on the command line.

use std::path::PathBuf;

use crate::fuzz::Plan;

/// Help, printed when asked for and when a request is not understood.
pub(crate) const USAGE: &str = "\
The developers' commands of Wayveil.

cargo xtask test [--strict] [--only SUITE...]   every check; --strict: a skipped suite fails
cargo xtask bench [--quick]                     speed and memory, as ratios: all benchmarks, peers and collector among
                                                them, kept in docs/benchmarks and made into docs/benchmarks.md
cargo xtask bench record [NAME...] [--quick] [--kept-only]
                                                the same for some of them; --kept-only: the page alone, made again
cargo xtask bench NAME... [--quick] [--json] [--plot FILE]
                                                some of them, printed and not kept
cargo xtask bench audit [METHOD...] [--seconds S]
                                                every mechanism audited, or these; S seconds each (120)
cargo xtask bench suppression-figures [--quick] [--records N] [-o FOLDER]
                                                what suppression loses, as tables and pictures
cargo xtask bench generalize-taxis [--quick] [--data FOLDER | --records N] [-o FOLDER]
                                                generalised taxis, T-Drive's or made up, as tables and
                                                pictures
cargo xtask bench fastpub-figures [--quick] [--data FOLDER] [-o FOLDER]
                                                federated counting beside SFP and TrieHH, with MSNBC's page
                                                visits or without, as tables and pictures
cargo xtask bench advice [--quick] [-o FOLDER]
                                                advised settings beside the best of a sweep, as tables
cargo xtask bench weave [DATA[:RECORDS]...] [--epsilon E,...] [--repeats N] [--method M]... [--data FOLDER]
                        [--keep FILE [--kept-only]] [--table FILE]
                                                `weave` beside both trees at several heights; kept runs are not
                                                made again
cargo xtask bench weave-errors [DATA[:RECORDS]...] [--epsilon E,...] [--repeats N] [--fit] [--data FOLDER]
                                                what `weave` says of its own error, against the truth
cargo xtask bench weave-gps [PRESET[:RECORDS]] [--epsilon E] [--repeats N] [--data FOLDER] [--plot FILE]
                                                `weave` on GPS points, by AdaTrace's measures
cargo xtask bench pages [--records N]           how large the report of N records (1,210,096) is, and
                                                how long it takes to open; needs Chromium and Node.js
cargo xtask bench python [ROWS] [TIMES]         how taps pass from pandas, polars and pyarrow into the
                                                package, beside Rust from Parquet; needs Python
cargo xtask bench spark [RECORDS]               bytes between executors and to the driver, time by workers,
                                                memory by the size of the tree; needs Java and Python
cargo xtask bench collector campaign|answers|memory [--postgres] [OPTION...]
                                                whole campaigns of real clients under kills; answers in a
                                                second beside nothing; memory; `… help` tells the options;
                                                --postgres: in a database of Debian's, made for the run
cargo xtask bindings -o FOLDER                  the client for apps: sources in Kotlin, Swift and Python,
                                                and a library of this machine
cargo xtask site [-o FOLDER]                    the documentation as a site (target/site), its links checked
cargo xtask screenshots                         the pictures of pages in docs, taken in Chromium
cargo xtask fuzz [TARGET...] [--seconds N] [--jobs J] [--list]
                                                every parser on made-up bytes, N seconds each (600),
                                                J at a time (1); needs a C++ compiler
cargo xtask tidy                                only the tidiness rules, in a second

Suites of `test`, in order:
  format     cargo fmt --check
  lint       cargo clippy, warnings denied
  tests      unit, integration and documentation tests, the tidiness rules among them
  docs       the reference documentation builds without a warning
  demo       `wayveil demo` in an empty folder, twice
  site       the documentation becomes a site without a dead link
  readme     the commands that README.md and the pages of docs show, run as they stand
  recipient  a release opens in pyarrow, polars, duckdb and pandas, and its hashes hold
  oracle     metrics agree with numpy, scipy and scikit-learn
  browser    pages in Chromium: drawn, off the network, accessible, narrow, wide, dark, on paper
  python     the wheel: README's lines in an empty environment, the package's tests beside pandas
  spark      the wheel on a cluster of Spark: counts and releases as on one machine, workers killed
  bindings   the client for apps: a whole campaign from Kotlin and Python; Swift parsed, its header compiled
  recipe     the toy of docs/extending.md, added to a copy of the project: help, publish, evaluate, audit and Python know it

Only when it is named:
  spark-3.5  as spark, on Spark 3.5 and without Spark Connect, which 3.5 does not bring along

Exit code: 0 all is well, 1 something failed, 2 the request was not understood.";

/// How long `fuzz` tries each target unless told.
const FUZZ_SECONDS: u64 = 600;

/// The benchmark that has a program, and options, of its own.
pub(crate) const LOAD: &str = "collector";

/// The word for keeping what benchmarks measure.
pub(crate) const RECORD: &str = "record";

/// What `bench` passes on.
const BENCH_OPTIONS: [&str; 14] = [
    "--quick",
    "--json",
    "--kept-only",
    "--plot",
    "--seconds",
    "--records",
    "--data",
    "--epsilon",
    "--repeats",
    "--method",
    "--keep",
    "--table",
    "--fit",
    "-o",
];

/// A request that was understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Test { strict: bool, only: Vec<String> },
    Bench(Vec<String>),
    Bindings(PathBuf),
    Fuzz(Plan),
    Screenshots,
    Site(Option<PathBuf>),
    Tidy,
}

/// Understands the words after `cargo xtask`, or says what is wrong with them.
pub(crate) fn parse(words: &[String], suites: &[&str]) -> Result<Request, String> {
    let Some((verb, rest)) = words.split_first() else {
        return Err("no command given".into());
    };
    match verb.as_str() {
        "help" | "--help" | "-h" => Ok(Request::Help),
        _ if rest.iter().any(|word| word == "--help" || word == "-h") => Ok(Request::Help),
        "test" => parse_test(rest, suites),
        "bench" if rest.first().is_some_and(|name| name == LOAD) => {
            Ok(Request::Bench(rest.to_vec()))
        }
        "bench" => match rest
            .iter()
            .find(|word| word.starts_with('-') && !BENCH_OPTIONS.contains(&word.as_str()))
        {
            Some(flag) => Err(format!("bench: unknown option {flag}")),
            // Nothing named is everything, kept and made into the page.
            None if rest.iter().all(|word| word == "--quick") => {
                Ok(Request::Bench([&[RECORD.to_owned()], rest].concat()))
            }
            None => Ok(Request::Bench(rest.to_vec())),
        },
        "bindings" => match rest {
            [flag, folder] if flag == "-o" => Ok(Request::Bindings(folder.into())),
            _ => Err("bindings: takes -o FOLDER".into()),
        },
        "site" => match rest {
            [] => Ok(Request::Site(None)),
            [flag, folder] if flag == "-o" => Ok(Request::Site(Some(folder.into()))),
            _ => Err("site: takes -o FOLDER or nothing".into()),
        },
        "fuzz" => parse_fuzz(rest).map(Request::Fuzz),
        "tidy" | "screenshots" => match rest.first() {
            Some(word) => Err(format!("{verb}: takes nothing (got {word})")),
            None if verb == "tidy" => Ok(Request::Tidy),
            None => Ok(Request::Screenshots),
        },
        other => Err(format!("unknown command {other}")),
    }
}

fn parse_test(words: &[String], suites: &[&str]) -> Result<Request, String> {
    let (mut strict, mut naming, mut only) = (false, false, Vec::new());
    for word in words {
        match word.as_str() {
            "--strict" => strict = true,
            "--only" => naming = true,
            flag if flag.starts_with('-') => return Err(format!("test: unknown option {flag}")),
            name if naming && suites.contains(&name) => only.push(name.to_owned()),
            name if naming => {
                let known = suites.join(", ");
                return Err(format!("test: unknown suite {name} (there are {known})"));
            }
            word => {
                return Err(format!(
                    "test: unexpected {word}; did you mean --only {word}?"
                ));
            }
        }
    }
    if naming && only.is_empty() {
        return Err("test: --only needs the name of a suite".into());
    }
    Ok(Request::Test { strict, only })
}

fn parse_fuzz(words: &[String]) -> Result<Plan, String> {
    let mut plan = Plan {
        targets: Vec::new(),
        seconds: FUZZ_SECONDS,
        jobs: 1,
        list: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().and_then(|value| value.parse::<u32>().ok());
            let value = value.filter(|&value| value > 0);
            value.ok_or(format!("fuzz: {word} needs a whole number above 0"))
        };
        match word.as_str() {
            "--seconds" => plan.seconds = number()?.into(),
            "--jobs" => plan.jobs = number()? as usize,
            "--list" => plan.list = true,
            flag if flag.starts_with('-') => return Err(format!("fuzz: unknown option {flag}")),
            name => plan.targets.push(name.to_owned()),
        }
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Request, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words, &["format", "lint"])
    }

    #[test]
    fn requests_are_understood() {
        let only = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        assert_eq!(parse_line("tidy"), Ok(Request::Tidy));
        assert_eq!(
            parse_line("bindings -o here"),
            Ok(Request::Bindings("here".into()))
        );
        assert_eq!(
            parse_line("bench collector campaign --clients 9"),
            Ok(Request::Bench(
                ["collector", "campaign", "--clients", "9"]
                    .map(str::to_owned)
                    .to_vec()
            ))
        );
        assert_eq!(parse_line("bench"), Ok(Request::Bench(only(&["record"]))));
        assert_eq!(
            parse_line("bench --quick"),
            Ok(Request::Bench(only(&["record", "--quick"])))
        );
        assert_eq!(
            parse_line("bench a --quick"),
            Ok(Request::Bench(only(&["a", "--quick"])))
        );
        for line in [
            "bench audit --seconds 90",
            "bench audit generalize --seconds 90",
            "bench a --records 9 -o here",
            "bench generalize-taxis --data there",
            "bench fastpub-figures --data there -o here",
            "bench advice --quick -o here",
            "bench record laplace --quick",
            "bench weave metro --epsilon 1 --repeats 2 --keep here --table there",
        ] {
            let words = line.split_whitespace().skip(1).map(str::to_owned);
            assert_eq!(parse_line(line), Ok(Request::Bench(words.collect())));
        }
        for (line, strict, names) in [
            ("test", false, &[][..]),
            ("test --only lint format", false, &["lint", "format"]),
            ("test --only lint --strict", true, &["lint"]),
        ] {
            assert_eq!(
                parse_line(line),
                Ok(Request::Test {
                    strict,
                    only: only(names)
                }),
                "{line}"
            );
        }
        assert_eq!(parse_line("test --help"), Ok(Request::Help));
        for (line, targets, seconds, jobs, list) in [
            ("fuzz", &[][..], 600, 1, false),
            ("fuzz seq dates --seconds 5", &["seq", "dates"], 5, 1, false),
            ("fuzz --jobs 2 seq --list", &["seq"], 600, 2, true),
        ] {
            let plan = Plan {
                targets: only(targets),
                seconds,
                jobs,
                list,
            };
            assert_eq!(parse_line(line), Ok(Request::Fuzz(plan)), "{line}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for line in [
            "",
            "tests",
            "test lint",
            "test --only",
            "test --only rust",
            "test --fast",
            "tidy all",
            "bindings",
            "bindings here",
            "bindings -o",
            "bench --slow",
            "fuzz --fast",
            "fuzz --seconds",
            "fuzz --seconds 0",
            "fuzz --jobs many",
        ] {
            assert!(parse_line(line).is_err(), "{line:?} was taken");
        }
    }

    #[test]
    fn the_help_names_every_suite() {
        for name in crate::suites::names() {
            assert!(
                USAGE.contains(&format!("\n  {name} ")),
                "{name} is missing from the help"
            );
        }
    }
}
