//! `wayveil mine`: the patterns that many records have in common.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{Value, json};
use wayveil_core::{NonPrivate, Progress, Rational, Result, Sequences, Universe, Within};
use wayveil_evaluate::mine::{self, contiguous, timed};
use wayveil_io::Loaded;

use crate::facts::thousands;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
A pattern is held by a record that visits its locations in this order, with anything between them,
or nothing between them with --contiguous. In timed data a location is written with its time bin:
A@3. Patterns come by falling support, then rising length.

Example:
  wayveil mine release/ --top 20 --min-length 2
  wayveil mine metro.parquet --min-support 1% --maximal --csv > maximal.csv";

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["top", "min_support"]))]
pub(crate) struct MineArguments {
    /// A data file or a release folder.
    input: PathBuf,

    /// Find the K most frequent patterns.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    top: Option<u64>,

    /// Find all patterns that so many records hold, or so large a share of them (as in 0.5%).
    #[arg(long, value_name = "N|P%", value_parser = parse_support)]
    min_support: Option<MinSupport>,

    /// Only patterns that no longer frequent pattern (up to the greatest length) contains.
    #[arg(long, conflicts_with_all = ["top", "closed"])]
    maximal: bool,

    /// Only patterns that no longer one (up to the greatest length) contains with the same support.
    #[arg(long, conflicts_with = "top")]
    closed: bool,

    /// Nothing may come between a pattern's locations.
    #[arg(long)]
    contiguous: bool,

    /// The least length of a pattern.
    #[arg(long, value_name = "A", default_value_t = 1)]
    min_length: usize,

    /// The greatest length of a pattern.
    #[arg(long, value_name = "B", default_value_t = 5)]
    max_length: usize,

    /// Print a CSV table. With --json an array of patterns is printed instead.
    #[arg(long)]
    csv: bool,
}

/// Patterns between two words of progress.
const PATTERNS_PER_WORD: usize = 1 << 14;

/// The least support of a frequent pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MinSupport {
    Records(u64),
    /// A share as a fraction, above 0 and at most 1.
    Share(u64, u64),
}

impl MinSupport {
    fn of(self, records: u64) -> u64 {
        match self {
            Self::Records(support) => support,
            Self::Share(part, whole) => {
                let product = u128::from(part) * u128::from(records);
                // At most the number of records, since a share is at most 1.
                product.div_ceil(u128::from(whole)).max(1) as u64
            }
        }
    }
}

fn parse_support(text: &str) -> Result<MinSupport, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return match text.parse() {
            Ok(support) if support > 0 => Ok(MinSupport::Records(support)),
            _ => Err("expected a number of records from 1 on, or a share as in 0.5%".into()),
        };
    };
    let percent: Rational = percent
        .parse()
        .map_err(|e: wayveil_core::Error| e.to_string())?;
    let share = percent.divided_by(100).map_err(|e| e.to_string())?;
    match share.to_u64_parts() {
        Some((part, whole)) if part > 0 && part <= whole => Ok(MinSupport::Share(part, whole)),
        _ => Err("a share lies above 0% and is at most 100%".into()),
    }
}

/// Patterns in words, and how many records there are.
struct Found {
    records: u64,
    patterns: Vec<(Vec<String>, u64)>,
}

pub(crate) fn run(arguments: &MineArguments, terminal: &Terminal) -> Result<()> {
    let found = match terminal.load(&arguments.input)? {
        Loaded::Data(raw) => {
            let because = NonPrivate::because("shown to the publisher on their own terminal");
            let seen = raw.inspect(because, |data| {
                search(arguments, data.trips(), data.universe(), terminal)
            });
            let found = seen.transpose()?.for_publisher_only();
            terminal
                .warn("these patterns are internal: they come from raw data, not for publication");
            found
        }
        Loaded::Release(release) => search(
            arguments,
            release.trajectories(),
            release.universe(),
            terminal,
        )?,
    };
    let count = found.patterns.len() as u64;
    terminal.begin("writing patterns", Some(count));
    let text = if arguments.csv {
        csv(&found, terminal)
    } else {
        table(&found, terminal)
    };
    terminal.end();
    terminal.result(|| objects(&found, &Within(terminal)), &text)
}

fn search(
    arguments: &MineArguments,
    trips: &Sequences,
    universe: &Universe,
    progress: &dyn Progress,
) -> Result<Found> {
    let records = trips.len() as u64;
    let lengths = arguments.min_length..=arguments.max_length;
    let symbols = timed::symbols(trips, universe.len())?;
    let patterns = match (arguments.top, arguments.min_support) {
        (Some(top), _) => {
            let top = usize::try_from(top).unwrap_or(usize::MAX);
            let find = if arguments.contiguous {
                contiguous::top_k
            } else {
                mine::top_k
            };
            find(&symbols, top, lengths, progress)?
        }
        (None, support) => {
            let support = support.map_or(1, |support| support.of(records));
            let find = match (arguments.contiguous, arguments.maximal, arguments.closed) {
                (false, true, _) => mine::maximal,
                (false, false, true) => mine::closed,
                (false, false, false) => mine::frequent,
                (true, true, _) => contiguous::maximal,
                (true, false, true) => contiguous::closed,
                (true, false, false) => contiguous::frequent,
            };
            find(&symbols, support, lengths, progress)?
        }
    };
    let word = |&symbol: &u32| {
        if !trips.is_timed() {
            return universe.label(symbol).to_owned();
        }
        let (location, bin) = timed::parts(symbol, universe.len());
        format!("{}@{bin}", universe.label(location))
    };
    let mut spelt = Vec::with_capacity(patterns.len());
    progress.begin("spelling patterns", Some(patterns.len() as u64));
    for (at, found) in patterns.into_iter().enumerate() {
        tell(at, progress);
        spelt.push((found.codes.iter().map(word).collect(), found.support));
    }
    progress.end();
    Ok(Found {
        records,
        patterns: spelt,
    })
}

/// Tells of progress at every so many patterns, of which there may be millions.
fn tell(at: usize, progress: &dyn Progress) {
    if at > 0 && at.is_multiple_of(PATTERNS_PER_WORD) {
        progress.advance(PATTERNS_PER_WORD as u64);
    }
}

fn objects(found: &Found, progress: &dyn Progress) -> Value {
    let object = |(at, (words, support)): (usize, &(Vec<String>, u64))| {
        tell(at, progress);
        json!({ "pattern": words, "support": support })
    };
    found.patterns.iter().enumerate().map(object).collect()
}

fn share(support: u64, found: &Found) -> f64 {
    support as f64 / found.records.max(1) as f64
}

fn table(found: &Found, progress: &dyn Progress) -> String {
    if found.patterns.is_empty() {
        return "no pattern fits\n".into();
    }
    let support = |support: &u64| thousands(*support);
    let most = found.patterns.iter().map(|(_, most)| support(most).len());
    let width = most.max().unwrap_or(0).max("support".len());
    let first = found.patterns.len().to_string().len().max("rank".len());
    let mut text = format!(
        "{:>first$}  {:>width$}   share  pattern\n",
        "rank", "support"
    );
    for (at, (words, count)) in found.patterns.iter().enumerate() {
        tell(at, progress);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>first$}  {:>width$}  {:>5.1}%  {}",
            at + 1,
            support(count),
            100.0 * share(*count, found),
            words.join(" → ")
        );
    }
    text
}

fn csv(found: &Found, progress: &dyn Progress) -> String {
    let mut text = String::from("rank,pattern,length,support,share\n");
    for (at, (words, support)) in found.patterns.iter().enumerate() {
        tell(at, progress);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{support},{}",
            at + 1,
            quoted(&words.join(" ")),
            words.len(),
            share(*support, found)
        );
    }
    text
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supports_are_numbers_or_shares() {
        assert_eq!(parse_support("12"), Ok(MinSupport::Records(12)));
        for (text, records, support) in [
            ("10%", 31_790, 3179),
            ("10%", 31_791, 3180),
            ("0.5%", 100, 1),
            ("100%", 7, 7),
            ("1%", 0, 1),
        ] {
            assert_eq!(parse_support(text).unwrap().of(records), support, "{text}");
        }
        for text in ["", "0", "-1", "x", "1.5", "%", "0%", "101%", "-1%", "x%"] {
            assert!(parse_support(text).is_err(), "{text} was accepted");
        }
    }

    #[test]
    fn cells_are_quoted_where_needed() {
        assert_eq!(quoted("A B"), "A B");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
