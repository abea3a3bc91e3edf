//! `wayveil federate join`: one person's part in a campaign.

use std::path::PathBuf;
use std::time::Duration;

use wayveil_core::{Epsilon, Error, Result};

pub(super) const EXAMPLE: &str = "\
The trajectory stays on this machine. One answer leaves it, turned over by chance.

Examples:
  wayveil federate join https://count.example.org --trajectory visits.txt
  wayveil federate join https://count.example.org --trajectory visits.txt \\
      --issuer https://tokens.example.org --issuer-code CODE --accept-epsilon 1 --accept-total 3 \\
      --wait 10m --json";

#[derive(clap::Args)]
#[cfg_attr(not(feature = "collector"), allow(dead_code))]
pub(crate) struct JoinArguments {
    /// The address of the collector, with https://.
    url: String,

    /// A text file: the labels of the places that were visited, one per line, in order. It is read
    /// and not kept.
    #[arg(long, value_name = "FILE")]
    trajectory: PathBuf,

    /// The address of the issuer, as it was handed out with the code, with https://. A collector that
    /// names another gets nothing: it could be that issuer itself, and learn who answered.
    #[arg(long, value_name = "URL", requires = "issuer_code")]
    issuer: Option<String>,

    /// The code that the issuer's operator handed out, where the campaign asks for one.
    #[arg(long, value_name = "CODE", requires = "issuer")]
    issuer_code: Option<String>,

    /// The largest ε that one campaign may ask.
    #[arg(long, value_name = "E", default_value = "2")]
    accept_epsilon: Epsilon,

    /// The largest ε of all campaigns together that were answered from the same folder.
    #[arg(long, value_name = "E", default_value = "4")]
    accept_total: Epsilon,

    /// The most fragments that one question may ask about. They share the campaign's ε.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..))]
    accept_fragments: u32,

    /// The most visits in a fragment that is asked about.
    #[arg(long, value_name = "N", default_value_t = 5,
        value_parser = clap::value_parser!(u32).range(1..))]
    accept_length: u32,

    /// The folder that keeps what must not be forgotten; one in the user's data folder if not given.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,

    /// Trust the certificates of this PEM file instead of the public authorities.
    #[arg(long, value_name = "FILE")]
    root_certificate: Option<PathBuf>,

    /// How long to wait for the round of this client and for servers that cannot be reached, such as
    /// 30s, 10m, 6h or 2d; until it has ended if not given. Call again to go on.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    wait: Option<Duration>,

    /// With a code: a random time up to this passes from having a token to asking for the question, so
    /// that who sees both cannot match them by their times. A round that closes in this time is missed.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10m")]
    spread: Duration,
}

/// A whole number with a unit.
fn duration(text: &str) -> Result<Duration> {
    let refused = || {
        Error::input(format!(
            "invalid time (got {text:?}): give a whole number with a unit, such as 30s, 10m, 6h or 2d"
        ))
    };
    let unit = text.chars().last().ok_or_else(refused)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86400,
        _ => return Err(refused()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| refused())?;
    let seconds = number.checked_mul(seconds).ok_or_else(refused)?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(_: &JoinArguments, _: &crate::terminal::Terminal) -> Result<bool> {
    Err(super::not_built_in("join"))
}

#[cfg(feature = "collector")]
pub(super) use with_network::run;

#[cfg(feature = "collector")]
mod with_network {
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use serde_json::{Value, json};
    use wayveil_client::https::Https;
    use wayveil_client::ledger::Ledger;
    use wayveil_client::transport::ThreadSleeper;
    use wayveil_client::{Folder, Outcome, Settings, Tools, take_part};
    use wayveil_core::{Error, Result};

    use super::super::super::random_source;
    use super::JoinArguments;
    use crate::terminal::Terminal;

    pub(crate) fn run(arguments: &JoinArguments, terminal: &Terminal) -> Result<bool> {
        let trajectory = trajectory(&arguments.trajectory)?;
        let mut transport = match &arguments.root_certificate {
            Some(file) => {
                let roots = Https::with_roots(&read(file)?);
                roots.map_err(|error| error.in_file(file.display().to_string()))?
            }
            None => Https::new(),
        };
        let mut disk = Folder::open(folder(arguments)?)?;
        let outcome = take_part(
            &settings(arguments),
            &trajectory,
            Tools {
                disk: &mut disk,
                transport: &mut transport,
                sleeper: &mut ThreadSleeper,
                random: &mut random_source("federate join", None)?,
            },
        )?;
        let ledger = Ledger::read(&disk)?;
        let object = || {
            let mut object = json!(outcome);
            object["spent"] = Value::String(ledger.total().to_string());
            object["campaigns"] = ledger.len().into();
            object
        };
        terminal.result(object, &in_words(&outcome, &ledger))?;
        Ok(matches!(outcome, Outcome::Counted | Outcome::NotDrawn))
    }

    fn settings(arguments: &JoinArguments) -> Settings {
        let mut settings = Settings::new(&arguments.url);
        settings.limits.epsilon = arguments.accept_epsilon.clone();
        settings.limits.per_client = arguments.accept_fragments;
        settings.limits.length = arguments.accept_length;
        settings.total = arguments.accept_total.clone();
        settings.issuer = arguments.issuer.clone();
        settings.code = arguments.issuer_code.clone();
        settings.patience = arguments.wait.unwrap_or(Duration::MAX);
        settings.spread = arguments.spread;
        settings
    }

    fn in_words(outcome: &Outcome, ledger: &Ledger) -> String {
        let spent = format!(
            "This folder has spent epsilon {} in {} campaigns.\n",
            ledger.total(),
            ledger.len()
        );
        let came = match outcome {
            Outcome::Counted => "The answer was counted.\n".to_owned(),
            Outcome::NotDrawn => {
                "This client was not drawn: nothing was asked of it and nothing left it.\n"
                    .to_owned()
            }
            Outcome::Later { seconds, why } => {
                format!("Not yet: {why}\nCall again in {seconds} seconds.\n")
            }
            Outcome::Stopped { code, why } => format!("It ends here ({code}): {why}\n"),
        };
        came + &spent
    }

    fn folder(arguments: &JoinArguments) -> Result<PathBuf> {
        match &arguments.state {
            Some(folder) => Ok(folder.clone()),
            None => wayveil_ledger::default_path()
                .map(|ledger| ledger.with_file_name("client"))
                .map_err(|error| error.hint("name a folder with --state FOLDER")),
        }
    }

    /// The labels of a text file; empty lines count for nothing.
    fn trajectory(file: &Path) -> Result<Vec<String>> {
        let text = String::from_utf8(read(file)?).map_err(|_| {
            Error::input("the trajectory is no text in UTF-8")
                .in_file(file.display().to_string())
                .hint("give a text file with one label per line")
        })?;
        let labels = text
            .lines()
            .map(str::trim)
            .filter(|label| !label.is_empty());
        Ok(labels.map(str::to_owned).collect())
    }

    fn read(file: &Path) -> Result<Vec<u8>> {
        std::fs::read(file).map_err(|cause| {
            let doing = format!("cannot read {}", file.display());
            Error::system(doing, cause).hint("name a file that exists and can be read")
        })
    }

    #[cfg(test)]
    mod tests {
        use clap::Parser;

        use super::*;

        #[derive(Parser)]
        struct Typed {
            #[command(flatten)]
            join: JoinArguments,
        }

        fn with(flags: &[&str]) -> Settings {
            let words = ["join", "https://x", "--trajectory", "visits.txt"];
            let typed = Typed::try_parse_from(words.iter().chain(flags)).expect("sound words");
            settings(&typed.join)
        }

        #[test]
        fn an_owner_accepts_what_is_typed() {
            let plain = Settings::new("https://x").limits;
            assert_eq!(with(&[]).limits, plain);
            let more = with(&["--accept-fragments", "3", "--accept-length", "7"]).limits;
            assert_eq!((more.per_client, more.length), (3, 7));
            assert_eq!(more.epsilon, plain.epsilon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [
            ("0s", 0),
            ("30s", 30),
            ("10m", 600),
            ("6h", 21600),
            ("2d", 172_800),
        ] {
            assert_eq!(duration(text).unwrap(), Duration::from_secs(seconds));
        }
        for bad in [
            "",
            "s",
            "10",
            "1.5h",
            "-1s",
            "1w",
            "99999999999999999999d",
            "1é",
        ] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
