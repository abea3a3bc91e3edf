//! The figures as Markdown.

use std::collections::BTreeSet;
use std::fmt::Write;

use wayveil_mechanisms::suppress::Mode;

use super::Measured;
use super::measure::{Loss, Run};
use super::plan::{Figure, Measure, SCHEMES, Scheme, mode_words};

/// Where the paper states in words how much less local suppression loses than global suppression: in
/// figure 2, for the data set that this one is made after.
const STATED: (u32, &str) = (2, "stm-hours");

const HEAD: &str = "\
# What suppression loses: all figures

Made by `cargo xtask bench suppression-figures` from generated data; how to read it stands in
[suppress.md](suppress.md).

A cell tells what was lost and how long suppressing took, data in memory to output in memory.
Instances lost: the share of all doublets of all records that the output has no more. MFS lost: the
share of the raw table's maximal frequent sequences that are not frequent any more, in runs that are to
keep these; in brackets what the paper counts, by how much the output has fewer maximal frequent
sequences than the raw table (where a long one is lost, shorter ones become maximal, so that this can be
less, even below 0). A dash: there was nothing to lose. \"Local saves\" is (global − local) / global, and
\"record saves\" likewise; the paper states it for its real data set in words, and shows everything else as pictures without numbers.
\"One doublet of each record\" is the plainest output that meets (K, C)_L-privacy, to compare with: of every
record the doublet that most records hold, unless it violates by itself.
";

/// All tables.
pub(super) fn markdown(figures: &[Figure], measured: &[Measured]) -> String {
    // Writing to a string cannot fail.
    let mut text = format!("{HEAD}\n{}\n", data_sets(measured));
    for figure in figures {
        let _ = writeln!(text, "## {}\n", figure.title());
        let (title, picture) = (figure.title(), figure.picture());
        let _ = writeln!(text, "![{title}]({picture})\n");
        for measured in measured {
            for &measure in figure.measures {
                text += &block(figure, measured, measure);
            }
        }
    }
    let runs = || measured.iter().flat_map(|measured| &measured.runs);
    let done: Vec<&Loss> = runs().filter_map(|(_, run)| run.loss()).collect();
    let sequences: u64 = done.iter().map(|loss| loss.verified).sum();
    let _ = writeln!(
        text,
        "{} outputs, each looked at by the independent verifier ({} sequences in all): 0 violations.",
        done.len(),
        thousands(sequences)
    );
    for reason in refusals(runs().map(|(_, run)| run)) {
        let _ = writeln!(text, "\nRefused: {reason}.");
    }
    text
}

fn data_sets(measured: &[Measured]) -> String {
    let mut text = "| data set | records | doublets | instances | with a sensitive value |\n\
                    | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for Measured { data, doublets, .. } in measured {
        let records = data.trips.len();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} % |",
            data.name,
            thousands(records as u64),
            thousands(*doublets as u64),
            thousands(data.trips.symbols() as u64),
            100 * data.with_secret() / records.max(1)
        );
    }
    text
}

/// One data set and one measure.
fn block(figure: &Figure, measured: &Measured, measure: Measure) -> String {
    let mut text = format!("`{}`, {}:\n\n|", measured.data.name, measure.words());
    for (value, _) in &figure.points {
        let _ = write!(text, " | {} = {value}", figure.parameter);
    }
    text += " |\n| ---";
    text += &" | ---".repeat(figure.points.len());
    text += " |\n";
    if measure == Measure::Frequent {
        let raw = figure.points.iter().map(|&(_, setting)| {
            let run = measured.run(&figure.options(measure, SCHEMES[0], setting));
            let loss = run.and_then(Run::loss);
            loss.map_or("–".into(), |loss| thousands(loss.summary.frequent_before))
        });
        row(&mut text, "MFS of the raw table", raw);
    }
    for scheme in SCHEMES {
        let runs = figure.points.iter().map(|&(_, setting)| {
            let run = measured.run(&figure.options(measure, scheme, setting));
            run.map_or("–".into(), cell)
        });
        row(&mut text, &figure.name(scheme), runs);
    }
    let plain = figure.points.iter().map(|&(_, setting)| {
        let plain = measured.plain(setting);
        let lost = plain.and_then(|plain| match measure {
            Measure::Instances => plain.instances.map(percent),
            Measure::Frequent => plain.fewer.map(|fewer| format!("[{}]", percent(fewer))),
        });
        lost.unwrap_or_else(|| "–".into())
    });
    row(&mut text, "one doublet of each record", plain);
    for bounded_knowledge in [true, false] {
        for mode in [Mode::Record, Mode::Local] {
            let saved = savings(figure, measured, measure, (bounded_knowledge, mode));
            let promise = figure.promise(bounded_knowledge);
            let name = format!("{promise}: {} saves", mode_words(mode));
            let cells = saved.iter().map(|saved| saved.map_or("–".into(), percent));
            row(&mut text, &name, cells);
        }
        if bounded_knowledge && (figure.number, measured.data.name) == STATED {
            let stated = match measure {
                Measure::Instances => "75 %",
                Measure::Frequent => "68 %",
            };
            let cells = figure.points.iter().map(|_| String::new());
            row(&mut text, &format!("the paper, STM460K: {stated}"), cells);
        }
    }
    text.push('\n');
    text
}

fn row(text: &mut String, name: &str, cells: impl Iterator<Item = String>) {
    *text += &format!("| {name}");
    for cell in cells {
        *text += &format!(" | {cell}");
    }
    *text += " |\n";
}

fn cell(run: &Run) -> String {
    let Some(loss) = run.loss() else {
        return "refused".into();
    };
    let Some(share) = loss.share else {
        return format!("–, {:.1} s", loss.seconds);
    };
    let paper = loss.fewer.map(|fewer| format!(" [{}]", percent(fewer)));
    format!(
        "{}{}, {:.1} s",
        percent(share),
        paper.unwrap_or_default(),
        loss.seconds
    )
}

/// What a mode saves of what global suppression loses; none where that is nothing.
fn savings(
    figure: &Figure,
    measured: &Measured,
    measure: Measure,
    (bounded_knowledge, mode): (bool, Mode),
) -> Vec<Option<f64>> {
    let points = figure.points.iter();
    points
        .map(|&(_, setting)| {
            let share = |mode| {
                let scheme = Scheme {
                    bounded_knowledge,
                    mode,
                };
                let run = measured.run(&figure.options(measure, scheme, setting))?;
                run.loss()?.share
            };
            let (saving, global) = (share(mode)?, share(Mode::Global)?);
            (global > 0.0).then(|| (global - saving) / global)
        })
        .collect()
}

/// Why runs were refused, each reason once.
fn refusals<'a>(runs: impl Iterator<Item = &'a Run>) -> BTreeSet<&'a str> {
    runs.filter_map(|run| match run {
        Run::Refused(why) => Some(why.as_str()),
        Run::Done(_) => None,
    })
    .collect()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Digits in groups of three.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;
    use wayveil_mechanisms::suppress::{Preserve, Summary};

    use super::*;
    use crate::benchmarks::Effort;
    use crate::figures::data::Data;
    use crate::figures::plain::Plain;
    use crate::figures::plan::Plan;

    /// Local runs lose a quarter of what global ones lose; the first is refused.
    fn measured(figures: &[Figure]) -> Measured {
        let mut trips = Sequences::empty(true);
        trips.push(&[0, 1], &[5, 5]);
        let plain = Plain {
            instances: Some(0.5),
            fewer: Some(0.25),
        };
        let runs = figures.iter().flat_map(Figure::all_options);
        let runs = runs.enumerate().map(|(at, options)| {
            let share = match options.mode {
                Mode::Record => 0.1,
                Mode::Local => 0.2,
                Mode::Global => 0.8,
            };
            let run = match at {
                0 => Run::Refused("too long".into()),
                _ => Run::Done(Loss {
                    share: Some(share),
                    fewer: matches!(options.preserve, Preserve::MaximalFrequent { .. })
                        .then_some(-0.125),
                    seconds: 1.25,
                    summary: Summary::default(),
                    verified: 1_000,
                }),
            };
            (options, run)
        });
        Measured {
            doublets: 2,
            runs: runs.collect(),
            plain: figures
                .iter()
                .flat_map(|figure| &figure.points)
                .map(|&(_, setting)| (setting, plain))
                .collect(),
            data: Data {
                name: "stm-hours",
                trips,
                values: vec![0],
                sensitive: vec![0],
            },
        }
    }

    #[test]
    fn tables_tell_losses_savings_and_refusals() {
        let figures = Plan::new(Effort::Quick).figures();
        let text = markdown(&figures, &[measured(&figures)]);
        for line in [
            "| `stm-hours` | 1 | 2 | 2 | 100 % |",
            "## Figure 2: loss against K (L = 3, C = 0.6, K′ = 20)",
            "| | K = 2 | K = 4 |",
            "| (K, C)_L, record | refused | 10.0 %, 1.2 s |",
            "| (K, C)_L, local | 20.0 %, 1.2 s | 20.0 %, 1.2 s |",
            "| one doublet of each record | 50.0 % | 50.0 % |",
            "| one doublet of each record | [25.0 %] | [25.0 %] |",
            "| (K, C)_L: record saves | – | 87.5 % |",
            "| (K, C)_L: local saves | 75.0 % | 75.0 % |",
            "| the paper, STM460K: 75 % |  |  |",
            "| the paper, STM460K: 68 % |  |  |",
            "| confidence bounding, global | 80.0 %, 1.2 s | 80.0 %, 1.2 s |",
            "| k-anonymity, local | 20.0 % [-12.5 %], 1.2 s | 20.0 % [-12.5 %], 1.2 s |",
            "59 outputs, each looked at by the independent verifier (59,000 sequences in all): \
             0 violations.",
            "Refused: too long.",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }

    #[test]
    fn numbers_have_commas() {
        let texts = [0, 999, 1_000, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
