//! `wayveil info`: what a data file or a release is.

use std::path::PathBuf;

use serde_json::json;
use wayveil_core::{Error, FragmentCounts, Model, NonPrivate, Origin, Result, TimeAxis, Universe};
use wayveil_io::{Loaded, Published};

use crate::beside::{columns_json, columns_text};
use crate::facts::thousands;
use crate::overview::Overview;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Example:
  wayveil info metro.parquet
  wayveil info release/ --json";

#[derive(clap::Args)]
pub(crate) struct InfoArguments {
    /// A data file or a release folder.
    input: PathBuf,
}

pub(crate) fn run(arguments: &InfoArguments, terminal: &Terminal) -> Result<()> {
    let placed = |error: Error| error.in_file(arguments.input.display().to_string());
    match terminal.load(&arguments.input)? {
        Loaded::Data(raw) => {
            let because = NonPrivate::because("shown to the publisher on their own terminal");
            let seen = raw.inspect(because, |data| {
                let overview = Overview::of(data.trips(), data.universe(), data.time())?;
                let mut object = overview.to_json();
                object["kind"] = json!("data");
                object["internal"] = json!(true);
                object["population"] = json!(data.population());
                object["universe"] = json!(data.universe().origin());
                object["time_bins"] = json!(data.time().map(|axis| axis.bins));
                object["attributes"] = columns_json(data.attributes());
                object["clock"] = json!(data.time().and_then(|axis| axis.clock.as_ref()));
                let text = format!(
                    "data file of the population {:?}; raw: these figures are not for \
                     publication\n{}{}{}{}",
                    data.population(),
                    origin_line(data.universe()),
                    time_line(data.time()),
                    columns_text(data.attributes()),
                    overview.text()
                );
                Ok((object, text))
            });
            let (object, text) = seen.for_publisher_only().map_err(placed)?;
            terminal.result(|| object, &text)
        }
        Loaded::Release(release) => {
            let (universe, time) = (release.universe(), release.time());
            let overview = Overview::of(release.trajectories(), universe, time).map_err(placed)?;
            let mut object = overview.to_json();
            object["kind"] = json!("release");
            object["internal"] = json!(false);
            object["manifest"] = json!(release.manifest());
            object["attributes"] = columns_json(release.attributes());
            object["fragments"] = json!(release.fragments().map(FragmentCounts::len));
            let text = format!(
                "{}{}{}{}",
                promise(&release),
                time_line(release.time()),
                columns_text(release.attributes()) + &fragments_line(&release),
                overview.text()
            );
            terminal.result(|| object, &text)
        }
    }
}

fn fragments_line(release: &Published) -> String {
    let Some(fragments) = release.fragments() else {
        return String::new();
    };
    // By length, so that the last is the longest.
    let longest = fragments.fragments.iter().last().map_or(0, <[u32]>::len);
    let count = thousands(fragments.len() as u64);
    format!("fragments     {count} with their counts, of up to {longest} locations\n")
}

fn time_line(time: Option<&TimeAxis>) -> String {
    let Some(axis) = time else {
        return String::new();
    };
    let when = axis.clock.as_ref().map_or(String::new(), |clock| {
        let width = duration(clock.bin_seconds);
        format!(" of {width} from {} ({})", clock.starts, clock.zone)
    });
    let bins = thousands(axis.bins.into());
    format!("time bins     {bins}{when}\n")
}

/// A time span in the largest unit of which it is a whole number.
fn duration(seconds: u32) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    let fits = |unit: &(u32, &str)| seconds > 0 && seconds.is_multiple_of(unit.0);
    let (unit, name) = units.into_iter().find(fits).unwrap_or((1, "second"));
    match seconds / unit {
        1 => format!("1 {name}"),
        count => format!("{} {name}s", thousands(count.into())),
    }
}

fn origin_line(universe: &Universe) -> String {
    match universe.origin() {
        Origin::Declared(how) => format!("universe      declared public ({how})\n"),
        Origin::FromData => "universe      read off the data: publishing needs \
                             --universe-from-data\n"
            .into(),
    }
}

fn promise(release: &Published) -> String {
    let manifest = release.manifest();
    let model = match &manifest.guarantee.model {
        Model::DifferentialPrivacy {
            epsilon,
            delta,
            local,
            ..
        } => {
            let kind = if *local {
                "local differential"
            } else {
                "differential"
            };
            let delta = match *delta > 0.0 {
                true => format!(", delta {delta:e}"),
                false => String::new(),
            };
            format!("{kind} privacy, epsilon {epsilon}{delta}")
        }
        Model::KclPrivacy { k, c_exact, l, .. } => format!(
            "(K, C)_L-privacy with K = {k}, C = {c_exact}, L = {l}; not differential privacy, does not \
             compose"
        ),
        Model::None { reason } => format!("none: {reason}"),
        _ => "of a kind that this version does not know".into(),
    };
    let publishable = match &manifest.not_publishable_because {
        None => String::new(),
        Some(reason) => format!("NOT PUBLISHABLE: {reason}\n"),
    };
    format!(
        "release by {} ({}), {}\n{publishable}guarantee     {model}\n{}\n",
        manifest.method.name, manifest.method.variant, manifest.date, manifest.guarantee.in_words
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_in_whole_units() {
        let words = [1, 59, 60, 5400, 3600, 172_800, 0].map(duration);
        let expected = [
            "1 second",
            "59 seconds",
            "1 minute",
            "90 minutes",
            "1 hour",
            "2 days",
            "0 seconds",
        ];
        assert_eq!(words, expected);
    }
}
