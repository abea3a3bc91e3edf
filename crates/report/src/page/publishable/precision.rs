//! How far released counts can be relied on, known without raw data.

use wayveil_core::{FragmentCounts, NoisyCounts, Released, Result, Universe};

use crate::number::count_text;
use crate::page::charts::bars::{self, Bar};
use crate::page::charts::scale::Scale;
use crate::page::charts::scatter::{self, Lines, Point};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::html::Html;
use crate::page::wording::{grouped, number, path, percent};

/// Standard errors to either side that hold 95 % of a normal distribution.
const SURE: f64 = 1.96;
/// What counts as precise.
const WITHIN: f64 = 0.1;
const MOST_POINTS: usize = 120;
const MOST_FRAGMENTS: usize = 20;
/// Lengths with a mark of their own.
const LENGTHS: usize = 5;

/// What the page says of precision.
#[derive(Default)]
pub(super) struct Precision {
    pub(super) words: Vec<String>,
    pub(super) figures: Vec<Html>,
}

/// What is counted, and what may be said of it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Beginnings with noise; those that passed a threshold.
    Beginnings,
    /// Fragments with intervals that hold for one chosen in advance.
    Tested,
    /// Fragments with intervals of the noise alone.
    Baseline,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Beginnings => "counts",
            _ => "fragments",
        }
    }

    /// How far a count may be off, as it is called.
    fn reach(self) -> &'static str {
        match self {
            Self::Beginnings => "1.96 standard errors of the noise",
            _ => "reach of the stated interval",
        }
    }

    /// The same as an axis, relative to the count.
    fn axis(self) -> &'static str {
        match self {
            Self::Beginnings => "noise relative to the count, 1.96 standard errors",
            _ => "stated interval relative to the count",
        }
    }
}

/// How precise what a release counts is.
pub(super) fn of(release: &dyn Released) -> Result<Precision> {
    let mut precision = Precision::default();
    let manifest = release.manifest();
    let units = manifest.public_inputs.units;
    if let Some(counts) = release.counts() {
        let rows: Vec<Row> = (0..rows_of(counts))
            .map(|row| Row::of_count(counts, row))
            .collect();
        add(&mut precision, &rows, Kind::Beginnings, units)?;
    }
    if let Some(fragments) = release.fragments() {
        let rows: Vec<Row> = (0..rows_in(fragments))
            .map(|row| Row::of_fragment(fragments, row))
            .collect();
        let kind = match manifest.method.name.as_str() {
            "fastpub" => Kind::Tested,
            _ => Kind::Baseline,
        };
        add(&mut precision, &rows, kind, units)?;
        if let Some(figure) = top_fragments(fragments, release.universe()) {
            precision.figures.push(figure.html()?);
        }
    }
    Ok(precision)
}

fn rows_of(counts: &NoisyCounts) -> usize {
    counts
        .prefixes
        .len()
        .min(counts.estimate.len())
        .min(counts.standard_error.len())
}

fn rows_in(fragments: &FragmentCounts) -> usize {
    let columns = [
        fragments.count.len(),
        fragments.low.len(),
        fragments.high.len(),
    ];
    columns.into_iter().fold(fragments.len(), usize::min)
}

/// A released count and how far it may be off.
#[derive(Clone, Copy)]
struct Row {
    length: usize,
    count: f64,
    off: f64,
}

impl Row {
    fn of_count(counts: &NoisyCounts, row: usize) -> Self {
        Self {
            length: counts.prefixes.length(row),
            count: counts.estimate[row],
            off: SURE * counts.standard_error[row],
        }
    }

    fn of_fragment(fragments: &FragmentCounts, row: usize) -> Self {
        let (count, low, high) = (
            fragments.count[row],
            fragments.low[row],
            fragments.high[row],
        );
        Self {
            length: fragments.fragments.length(row),
            count: count as f64,
            off: count.saturating_sub(low).max(high.saturating_sub(count)) as f64,
        }
    }

    /// How far off, as a share of the count.
    fn share(&self) -> f64 {
        self.off / self.count
    }

    fn is_precise(&self) -> bool {
        self.count > 0.0 && self.share() <= WITHIN
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.filter(|it| it.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// From which count on so much is within the share that counts as precise; none where not so many took part.
fn precise_from(off: f64, units: Option<u64>) -> Option<f64> {
    let from = (off / WITHIN).ceil().max(1.0);
    let reachable = units.is_none_or(|units| from <= units as f64);
    (from.is_finite() && reachable).then_some(from)
}

fn add(precision: &mut Precision, rows: &[Row], kind: Kind, units: Option<u64>) -> Result<()> {
    if rows.is_empty() {
        precision.words.push(format!(
            "The release has no {}: nothing was frequent enough to be told.",
            kind.name()
        ));
        return Ok(());
    }
    precision.words.extend(match kind {
        Kind::Beginnings => about_beginnings(rows, units),
        kind => about_fragments(rows, kind),
    });
    precision.words.push(
        "Sums of many counts are relatively more precise, single rare routes much less: do not read anything \
         into a count that its error could have made."
            .into(),
    );
    let drawn = spread_out(rows);
    if !drawn.is_empty() {
        precision
            .figures
            .push(plot(rows, &drawn, kind, units).html()?);
    }
    Ok(())
}

/// Counts are released where they pass a threshold, which favours those whose noise was high; only first
/// locations were measured to be covered as the noise alone tells.
fn about_beginnings(rows: &[Row], units: Option<u64>) -> Vec<String> {
    let mut words = vec![format!(
        "The noise in a released count of records that begin with certain locations has a standard error of {}, \
         typically.",
        number(median(rows.iter().map(|row| row.off)) / SURE)
    )];
    let first: Vec<&Row> = rows.iter().filter(|row| row.length == 1).collect();
    if !first.is_empty() {
        let precise = first.iter().filter(|row| row.is_precise()).count();
        let from = precise_from(median(first.iter().map(|row| row.off)), units);
        words.push(match from {
            Some(from) => format!(
                "How many records begin with one location is within 1.96 standard errors in about 95 of 100 cases, \
                 and so within {} from about {} on: that holds for {} of the {} released counts of one location.",
                percent(WITHIN),
                number(from),
                grouped(precise as u64),
                grouped(first.len() as u64)
            ),
            None => format!(
                "How many records begin with one location is within 1.96 standard errors in about 95 of 100 cases; \
                 no such count is large enough for that to be within {}.",
                percent(WITHIN)
            ),
        });
    }
    if rows.iter().any(|row| row.length > 1) {
        words.push(
            "Longer beginnings are less sure than their noise tells (selection bias): only those whose noisy count \
             passed a threshold are released, which favours those whose noise was high. Counts near the \
             threshold are too high on average, and often further off than 1.96 standard errors; only counts far \
             above it are as sure as those of one location."
                .into(),
        );
    }
    words
}

fn about_fragments(rows: &[Row], kind: Kind) -> Vec<String> {
    let reach = format!(
        "The stated interval of a released count of clients who have a fragment reaches {} to either side, \
         typically.",
        number(median(rows.iter().map(|row| row.off)))
    );
    let sure = match kind {
        Kind::Tested => {
            "It is one of 95 % for a fragment that is chosen in advance, with clients drawn at random as the limits \
             say. Released fragments were chosen for being frequent: counts near the least number of clients \
             are too high on average, and their intervals hold the truth less often."
        }
        _ => {
            "It tells the noise alone: what makes counts too low or too high as a whole is left out, so that the true \
             count often lies outside of it."
        }
    };
    vec![reach, sure.into()]
}

/// Rows of every length, evenly over their sizes.
fn spread_out(rows: &[Row]) -> Vec<Row> {
    let mut drawn = Vec::new();
    for length in 1..=LENGTHS {
        let is_one = |row: &&Row| row.length.clamp(1, LENGTHS) == length;
        let mut of_length: Vec<Row> = rows.iter().filter(is_one).copied().collect();
        of_length.retain(|row| row.count >= 1.0 && row.share().is_finite());
        of_length.sort_by(|a, b| b.count.total_cmp(&a.count));
        let every = of_length.len().div_ceil(MOST_POINTS).max(1);
        drawn.extend(of_length.into_iter().step_by(every));
    }
    drawn
}

fn length_words(length: usize) -> String {
    match length {
        1 => "1 location".into(),
        LENGTHS => format!("{LENGTHS} or more"),
        length => format!("{length} locations"),
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn plot(rows: &[Row], drawn: &[Row], kind: Kind, units: Option<u64>) -> Figure {
    let points: Vec<Point> = drawn
        .iter()
        .map(|row| Point {
            x: row.count,
            y: row.share(),
            series: row.length.clamp(1, LENGTHS) - 1,
            tip: format!(
                "{}: {} ± {} ({})",
                length_words(row.length.clamp(1, LENGTHS)),
                number(row.count),
                number(row.off),
                percent(row.share())
            ),
        })
        .collect();
    let xs: Vec<f64> = points.iter().map(|point| point.x).collect();
    let ys: Vec<f64> = points.iter().map(|point| point.y).chain([WITHIN]).collect();
    let (x, y) = (Scale::powers(&xs, count_text), Scale::powers(&ys, percent));
    let lines = Lines {
        across: Some(WITHIN),
        ..Lines::default()
    };
    let name = kind.name();
    let heading = match kind {
        Kind::Beginnings => "Noise of counts, by their size",
        _ => "Intervals of fragments, by their size",
    };
    let drawing = scatter::draw(&points, (x, "released count"), (y, kind.axis()), &lines);
    let mut table = Table::new(
        format!("{} by length", capital(kind.reach())),
        &[
            "length",
            "#released",
            &format!("#{}", kind.reach()),
            "#within 10 % of the count from",
            "#counts that large",
            "#share",
        ],
    );
    for length in 1..=LENGTHS {
        let of_length: Vec<&Row> = rows
            .iter()
            .filter(|row| row.length.clamp(1, LENGTHS) == length)
            .collect();
        if of_length.is_empty() {
            continue;
        }
        let off = median(of_length.iter().map(|row| row.off));
        let precise = of_length.iter().filter(|row| row.is_precise()).count();
        let share = precise as f64 / of_length.len() as f64;
        table.row([
            length_words(length).into(),
            Cell::count(of_length.len() as u64),
            Cell::number(Some(off)),
            precise_from(off, units).map_or("never".into(), |from| Cell::number(Some(from))),
            Cell::count(precise as u64),
            Cell::shown(percent(share), share),
        ]);
    }
    let below = rows.len() - rows.iter().filter(|row| row.count >= 1.0).count();
    let unseen = match below {
        0 => String::new(),
        below => format!(" {} counts below 1 are not drawn.", grouped(below as u64)),
    };
    let bias = match kind {
        Kind::Baseline => " What is wrong with all counts together is not in it.",
        _ => " Counts near the threshold are too high on average, which is not in it.",
    };
    let caption = format!(
        "Each mark is a released count, at most {MOST_POINTS} of each length. Under the dashed line \
         {}{} {} at most {} of the count.{unseen}{bias}",
        if kind == Kind::Beginnings { "" } else { "the " },
        kind.reach(),
        if kind == Kind::Beginnings {
            "are"
        } else {
            "is"
        },
        percent(WITHIN)
    );
    let used = |length: &usize| {
        drawn
            .iter()
            .any(|row| row.length.clamp(1, LENGTHS) == *length)
    };
    let keys = (1..=LENGTHS).filter(used);
    let drawing = drawing.finish(heading, "");
    Figure::new(
        format!("precision-{name}"),
        heading,
        caption,
        drawing,
        table,
    )
    .keys(keys.map(|length| Key::new(format!("mark s{length}"), length_words(length))))
}

fn top_fragments(fragments: &FragmentCounts, universe: &Universe) -> Option<Figure> {
    let mut order: Vec<usize> = (0..rows_in(fragments)).collect();
    order.sort_by_key(|&row| (std::cmp::Reverse(fragments.count[row]), row));
    order.truncate(MOST_FRAGMENTS);
    let most = order.iter().map(|&row| fragments.high[row]).max()?;
    let mut table = Table::new(
        "The most frequent fragments",
        &["fragment", "#clients, as estimated", "#low", "#high"],
    );
    let mut rows = Vec::new();
    for row in order {
        let words = path(universe, fragments.fragments.codes_of(row));
        let (count, low, high) = (
            fragments.count[row],
            fragments.low[row],
            fragments.high[row],
        );
        let tip = format!(
            "{words}: {} ({} to {})",
            grouped(count),
            grouped(low),
            grouped(high)
        );
        table.row([
            words.clone().into(),
            Cell::count(count),
            Cell::count(low),
            Cell::count(high),
        ]);
        let mut bar = Bar::new(count as f64, grouped(count), "bar release", tip);
        bar.interval = Some((low as f64, high as f64));
        rows.push(bars::Row {
            label: words,
            bars: vec![bar],
        });
    }
    let heading = "Most frequent fragments";
    let drawing = bars::draw(&rows, &Scale::up_to(most as f64)).finish(heading, "");
    let caption = "How many clients have these locations one after the other, as estimated, with the stated interval of each count.";
    Some(Figure::new(
        "top-fragments",
        heading,
        caption,
        drawing,
        table,
    ))
}
