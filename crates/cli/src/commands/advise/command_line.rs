//! The command to type: complete, quoted, for this file.

use std::path::{Path, PathBuf};

use wayveil_evaluate::advise::Point;

use super::arguments::AdviseArguments;

/// The words of `wayveil publish …` for an advised setting.
pub(super) fn words(
    arguments: &AdviseArguments,
    point: &Point,
    conditional: bool,
    beside_allowance: bool,
) -> Vec<String> {
    let mut words: Vec<String> = vec!["wayveil".into(), "publish".into(), point.method.clone()];
    words.push(operand(&arguments.input));
    for (name, value) in &point.parameters {
        words.extend(named(name, value));
    }
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend(named(name, &value));
        }
    };
    option("max-trips", arguments.max_trips.map(|it| it.to_string()));
    option("taxonomy", arguments.taxonomy.as_deref().map(operand));
    option(
        "taxonomy-gtfs",
        arguments.taxonomy_gtfs.as_deref().map(operand),
    );
    option("ledger", arguments.ledger.given().map(operand));
    for (flag, given) in [
        ("--trip-level", arguments.trip_level),
        ("--universe-from-data", arguments.universe_from_data),
        ("--chosen-after-looking", conditional),
        ("--beside-allowance", beside_allowance),
    ] {
        if given {
            words.push(flag.into());
        }
    }
    words.extend(["-o".into(), text(&free_folder())]);
    words
}

/// An option with its value, in one word where the value would be taken for a flag.
fn named(name: &str, value: &str) -> Vec<String> {
    match value.starts_with('-') {
        true => vec![format!("--{name}={value}")],
        false => vec![format!("--{name}"), value.to_owned()],
    }
}

/// The words as one line for a POSIX shell.
pub(super) fn line(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

/// A path that is not taken for a flag.
fn operand(path: &Path) -> String {
    let path = text(path);
    match path.starts_with('-') {
        true => format!("./{path}"),
        false => path,
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A name for the release that nothing has here.
fn free_folder() -> PathBuf {
    let names = std::iter::once("release".to_owned())
        .chain((2..).map(|number: u32| format!("release-{number}")));
    let mut free = names
        .map(PathBuf::from)
        .filter(|it| it.symlink_metadata().is_err());
    free.next().unwrap_or_else(|| "release".into())
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_meant() {
        for (word, shown) in [
            ("taps.parquet", "taps.parquet"),
            ("my taps.parquet", "'my taps.parquet'"),
            ("it's", "'it'\\''s'"),
            ("$HOME;rm", "'$HOME;rm'"),
            ("", "''"),
            ("été", "'été'"),
        ] {
            assert_eq!(quoted(word), shown);
        }
        assert_eq!(named("sensitive", "-x,y"), ["--sensitive=-x,y"]);
        assert_eq!(named("height", "3"), ["--height", "3"]);
        assert_eq!(operand(Path::new("-x")), "./-x");
    }
}
