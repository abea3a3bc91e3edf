//! What came of it, as Markdown.

use std::fmt::Write;

use wayveil_evaluate::samples::Samples;

use super::data::Data;
use super::measure::Measure;
use super::plan::{Centres, DELTA, Plan, Repaired, Way};
use super::{CURVES, MAP, NAME, Outcome};

const HEAD: &str = "\
How to read it stands in [generalize.md](generalize.md#measured). A cell has the mean of all repeats and half
the width of its 95 % interval (Student's t). A number in brackets: only so many repeats released anything, and
the mean is theirs. A dash: none did.

Repaired releases are made by the mechanism's own code with its defaults where nothing else is said: windows are a taxi's most
frequent ones (`--choose usual`), private centres take 0.3 of ε in 3 rounds, decoys have counts from T on.

- *journeys released*: different journeys (whole tracks or windows of n clusters) beside the decoys; as
  published, where nobody is told which they are, decoys among them. *T*: the least noisy count that is released. *Most taxis of a journey*:
  the greatest exact count, which a publisher would not tell.
- *points shown*: of all points of all taxis, those that lie in a journey or window that is released.
- *mutual information*: between raw tracks and what the release shows of each, Σ over positions, as the
  paper defines it; in square brackets the same sum after every taxi was given what is shown of another one; and as a
  share of what there is to know.
- *visits*, *pairs*, *lengths*: Jensen–Shannon divergences (0 equal, 1 disjoint) of visits over clusters, of pairs
  of clusters one after the other, and of lengths. *Patterns*: F1 of the 100 most frequent n-grams of clusters (1 best).
  These compare with raw tracks in the same clusters, decoys included.
- *moved*: earth mover's distance from the raw visits over cells to the released ones, in kilometres: what coarser
  places and noise cost together.
";

const COLUMNS: [Measure; 10] = [
    Measure::MostShared,
    Measure::Journeys,
    Measure::Shown,
    Measure::Bits,
    Measure::Share,
    Measure::Visits,
    Measure::Pairs,
    Measure::Patterns,
    Measure::Lengths,
    Measure::Distance,
];

/// All tables.
pub(super) fn markdown(plan: &Plan, data: &Data, outcomes: &[Outcome]) -> String {
    // Writing to a string cannot fail.
    let mut text = format!(
        "# `generalize` on {}: all numbers\n\nMade by `cargo xtask bench {NAME}`: {} clusters, \
         {} decoys, δ = {DELTA} where nothing else is said, {} repeats.\n{HEAD}\n",
        data.words(),
        plan.clusters,
        plan.decoys,
        plan.repeats,
    );
    text += &data_set(data);
    let _ = writeln!(
        text,
        "\n![The clusters]({MAP})\n\n![Curves over ε]({CURVES})\n"
    );
    let windows = |way: &Way, centres| {
        let usual = |it: &Repaired| it.is_usual() && it.centres == centres;
        !way.is_whole() && way.repaired().is_some_and(usual)
    };
    let public = |way: &Way| windows(way, Centres::Public);
    let private = |way: &Way| windows(way, Centres::Private);
    let other = |way: &Way| way.repaired().is_some_and(|it| !it.is_usual());
    let repeats = plan.repeats;
    let mut add = |title: &str, belongs: &dyn Fn(&Way) -> bool| {
        let chosen = outcomes.iter().filter(|outcome| belongs(&outcome.way));
        text += &section(title, &chosen.collect::<Vec<_>>(), repeats);
    };
    add("As published, and whole tracks", &Way::is_whole);
    add("Windows, public centres", &public);
    add("Windows, private centres", &private);
    add("Other ways", &other);
    text += &decoys(outcomes, repeats);
    text
}

fn data_set(data: &Data) -> String {
    let [south, west, north, east] = data.area;
    let [least, median, greatest] = data.lengths();
    let left_out = data.left_out;
    format!(
        "| | |\n| --- | --- |\n| taxis | {} |\n| points | {} |\n| points of a taxi | {least} to {greatest}, \
         median {median} |\n| public box | latitudes {south} to {north}, longitudes {west} to {east} |\n| cells | {} of {} m |\n\
         | left out | {} points outside the box, {} repeated rows, {} rows without coordinates, {} taxis \
         without a point in the box |\n",
        data.tracks.len(),
        data.points(),
        data.places.len(),
        super::data::CELL,
        left_out.outside,
        left_out.duplicates,
        left_out.invalid,
        left_out.taxis,
    )
}

/// A table of those that released anything, and of whole tracks; the others are named below it.
fn section(title: &str, outcomes: &[&Outcome], repeats: usize) -> String {
    let mut text = format!("## {title}\n\n| release | guarantee | T");
    for measure in COLUMNS {
        let _ = write!(text, " | {}", measure.words());
    }
    let _ = writeln!(
        text,
        " |\n| --- | --- | ---{} |",
        " | ---".repeat(COLUMNS.len())
    );
    let is_shown = |outcome: &&&Outcome| {
        let journeys = outcome.measured.of(Measure::Journeys).mean();
        outcome.way.is_whole() || journeys.is_some_and(|journeys| journeys > 0.0)
    };
    for outcome in outcomes.iter().filter(is_shown) {
        let way = &outcome.way;
        let threshold = outcome
            .threshold
            .map_or("–".into(), |threshold| threshold.to_string());
        let _ = write!(text, "| {} | {} | {threshold}", way.name(), way.guarantee());
        for measure in COLUMNS {
            let numbers = |measure| cell(outcome.measured.of(measure), measure, repeats);
            let _ = write!(text, " | {}", numbers(measure));
            if measure == Measure::Bits {
                let exchanged = outcome.measured.of(Measure::Chance).mean();
                let _ = write!(text, " [{:.0}]", exchanged.unwrap_or(0.0));
            }
        }
        text += " |\n";
    }
    text.push('\n');
    let empty = outcomes.iter().filter(|outcome| !is_shown(outcome));
    let empty: Vec<String> = empty.map(|outcome| nothing(outcome)).collect();
    if !empty.is_empty() {
        let _ = writeln!(
            text,
            "Nothing in any repeat (in brackets the most taxis of a journey, on average, and T): \
             {}.\n",
            empty.join("; ")
        );
    }
    text
}

/// A way that released nothing, and why.
fn nothing(outcome: &Outcome) -> String {
    let most = outcome.measured.of(Measure::MostShared).mean();
    format!(
        "{} ({:.1} < {})",
        outcome.way.words(),
        most.unwrap_or(0.0),
        outcome.threshold.unwrap_or(0)
    )
}

fn cell(samples: &Samples, measure: Measure, repeats: usize) -> String {
    let digits = measure.digits();
    let (Some(mean), some) = (samples.mean(), samples.len()) else {
        return "–".into();
    };
    // Of two repeats an interval is wider than what is measured.
    let half = samples.half_width().filter(|_| some > 2);
    let half = half.map(|half| format!(" ± {half:.digits$}"));
    let of = (some < repeats).then(|| format!(" ({some})"));
    let (half, of) = (half.unwrap_or_default(), of.unwrap_or_default());
    format!("{mean:.digits$}{half}{of}")
}

/// Whether the paper's decoys are told apart.
fn decoys(outcomes: &[Outcome], repeats: usize) -> String {
    let found = outcomes.iter().find(|it| it.way == Way::AsPublished);
    let Some(Outcome { measured, .. }) = found else {
        return String::new();
    };
    let cell = |measure| cell(measured.of(measure), measure, repeats);
    format!(
        "## The paper's decoys\n\nOf the journeys that the paper's method releases, {} % are rightly \
         called a taxi's or a decoy by whether at least half of their steps stay in their cluster, and {} % by \
         whether their count is at least 1.5.\n",
        cell(Measure::ToldByStays),
        cell(Measure::ToldByCount),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_mean_and_interval() {
        let samples: Samples = [1.0, 2.0, 3.0].into_iter().collect();
        assert_eq!(cell(&samples, Measure::Journeys, 3), "2.0 ± 2.5");
        assert_eq!(cell(&samples, Measure::Journeys, 9), "2.0 ± 2.5 (3)");
        assert_eq!(cell(&Samples::default(), Measure::Visits, 3), "–");
        let once: Samples = [0.25].into_iter().collect();
        assert_eq!(cell(&once, Measure::Visits, 3), "0.250 (1)");
    }
}
