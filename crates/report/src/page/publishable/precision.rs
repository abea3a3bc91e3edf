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

/// How precise what a release counts is.
pub(super) fn of(release: &dyn Released) -> Result<Precision> {
    let mut precision = Precision::default();
    if let Some(counts) = release.counts() {
        let rows: Vec<Row> = (0..rows_of(counts))
            .map(|row| Row::of_count(counts, row))
            .collect();
        let what = "records that begin with certain locations";
        add(&mut precision, &rows, "counts", what, true)?;
    }
    if let Some(fragments) = release.fragments() {
        let rows: Vec<Row> = (0..rows_in(fragments))
            .map(|row| Row::of_fragment(fragments, row))
            .collect();
        let what = "people who have a fragment in their trajectory";
        add(&mut precision, &rows, "fragments", what, false)?;
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

fn add(precision: &mut Precision, rows: &[Row], kind: &str, what: &str, noise: bool) -> Result<()> {
    if rows.is_empty() {
        precision.words.push(format!(
            "The release has no {kind}: nothing was frequent enough to be told."
        ));
        return Ok(());
    }
    let off = median(rows.iter().map(|row| row.off));
    let precise = rows.iter().filter(|row| row.is_precise()).count();
    let source = match noise {
        true => format!(
            "The noise in a released count has a standard error of {}, typically.",
            number(off / SURE)
        ),
        false => format!(
            "The interval of a released count reaches {} to either side, typically.",
            number(off)
        ),
    };
    let mut words = format!(
        "{source} A count of {what} is therefore within {} in 95 of 100 cases from about {} on: that \
         holds for {} of the {} released {kind} ({}).",
        percent(WITHIN),
        number(off / WITHIN),
        grouped(precise as u64),
        grouped(rows.len() as u64),
        percent(precise as f64 / rows.len() as f64)
    );
    if noise {
        words += " Estimates are brought in line with each other after the noise, and are usually closer than that.";
    }
    precision.words.push(words);
    precision.words.push(
        "Sums of many counts are relatively more precise, single rare routes much less: do not read anything \
         into a count that its error could have made."
            .into(),
    );
    let drawn = spread_out(rows);
    if !drawn.is_empty() {
        precision.figures.push(plot(rows, &drawn, kind).html()?);
    }
    Ok(())
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

fn plot(rows: &[Row], drawn: &[Row], kind: &str) -> Figure {
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
    let heading = format!("How precise {kind} are, by their size");
    let drawing = scatter::draw(
        &points,
        (x, "released count"),
        (y, "off by, in 95 of 100 cases"),
        &lines,
    );
    let mut table = Table::new(
        format!("Precision of {kind} by length"),
        &[
            "length",
            "#released",
            "#typical error (95 %)",
            "#within 10 % from",
            "#that large",
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
            Cell::number(Some(off / WITHIN)),
            Cell::count(precise as u64),
            Cell::shown(percent(share), share),
        ]);
    }
    let below = rows.len() - rows.iter().filter(|row| row.count >= 1.0).count();
    let unseen = match below {
        0 => String::new(),
        below => format!(" {} counts below 1 are not drawn.", grouped(below as u64)),
    };
    let caption = format!(
        "Each mark is a released count, at most {MOST_POINTS} of each length. Under the dashed line a count is \
         within {}.{unseen}",
        percent(WITHIN)
    );
    let used = |length: &usize| {
        drawn
            .iter()
            .any(|row| row.length.clamp(1, LENGTHS) == *length)
    };
    let keys = (1..=LENGTHS).filter(used);
    let drawing = drawing.finish(&heading, "");
    Figure::new(
        format!("precision-{kind}"),
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
        &["fragment", "#people, as estimated", "#at least", "#at most"],
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
    let caption = "How many people have these locations one after the other, with the interval of each count.";
    Some(Figure::new(
        "top-fragments",
        heading,
        caption,
        drawing,
        table,
    ))
}
