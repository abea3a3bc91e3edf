//! What was asked for on the command line.

/// Help, printed when asked for and when a request is not understood.
pub(crate) const USAGE: &str = "\
The developers' commands of Wayveil.

cargo xtask test [--strict] [--only SUITE...]   every check; --strict: a skipped suite fails
cargo xtask bench [NAME...] [--quick] [--json] [--plot FILE]
                                                speed and memory, as ratios
cargo xtask tidy                                only the tidiness rules, in a second

Suites of `test`, in order:
  format     cargo fmt --check
  lint       cargo clippy, warnings denied
  tests      unit, integration and documentation tests, the tidiness rules among them
  docs       the reference documentation builds without a warning
  demo       `wayveil demo` in an empty folder, twice
  readme     the commands that README.md shows, run as they stand
  recipient  a release opens in pyarrow, polars, duckdb and pandas, and its hashes hold
  oracle     metrics agree with numpy, scipy and scikit-learn

Exit code: 0 all is well, 1 something failed, 2 the request was not understood.";

/// What `bench` passes on.
const BENCH_OPTIONS: [&str; 3] = ["--quick", "--json", "--plot"];

/// A request that was understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Test { strict: bool, only: Vec<String> },
    Bench(Vec<String>),
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
        "bench" => match rest
            .iter()
            .find(|word| word.starts_with('-') && !BENCH_OPTIONS.contains(&word.as_str()))
        {
            Some(flag) => Err(format!("bench: unknown option {flag}")),
            None => Ok(Request::Bench(rest.to_vec())),
        },
        "tidy" => match rest.first() {
            Some(word) => Err(format!("tidy: takes nothing (got {word})")),
            None => Ok(Request::Tidy),
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
            parse_line("bench a --quick"),
            Ok(Request::Bench(only(&["a", "--quick"])))
        );
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
            "bench --slow",
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
