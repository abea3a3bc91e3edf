//! The plots of a comparison.

use wayveil_evaluate::Task;

use super::{entry_of, error_of, nothing_of_task};
use crate::page::charts::bars::{self, Bar, Row};
use crate::page::charts::scale::Scale;
use crate::page::charts::{Field, WIDTH};
use crate::page::drawing::{Drawing, Hold};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::internal::{task_caption, task_heading};
use crate::page::model::ComparedRelease;
use crate::page::wording::{counted, grouped, number, percent};
use crate::words::harmless;

const HEIGHT: f64 = 320.0;
/// The width of the lane of releases without an ε.
const LANE: f64 = 86.0;
/// From this ratio on an axis goes by powers of ten.
const WIDE: f64 = 20.0;
/// The height of the band of releases whose attacks are not shown to do better than chance.
const BAND: f64 = 46.0;
/// Said instead of an advantage that may be chance.
pub(super) const NOT_SHOWN: &str = "not shown";
/// More releases than this are named by tips alone.
const MOST_NAMES: usize = 14;

/// The methods of the releases, in the order in which they come.
fn methods(releases: &[ComparedRelease]) -> Vec<String> {
    let mut methods: Vec<String> = Vec::new();
    for release in releases {
        let method = method_of(release);
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    methods
}

/// The name of a method without its parameters.
fn method_of(release: &ComparedRelease) -> String {
    let words = release.method.split_whitespace().next();
    harmless(words.unwrap_or("release").trim_end_matches(','))
}

fn series_of(release: &ComparedRelease, methods: &[String]) -> usize {
    let method = method_of(release);
    methods.iter().position(|it| *it == method).unwrap_or(0)
}

fn method_keys(releases: &[ComparedRelease]) -> Vec<Key> {
    let methods = methods(releases).into_iter().enumerate();
    methods
        .map(|(at, words)| Key::new(format!("mark s{}", at % 6 + 1), words))
        .collect()
}

/// An axis of shares: by powers of ten where they differ much.
fn shares(values: &[f64]) -> Scale {
    let positive = || {
        values
            .iter()
            .copied()
            .filter(|it| *it > 0.0 && it.is_finite())
    };
    let (least, largest) = (
        positive().fold(f64::INFINITY, f64::min),
        positive().fold(0.0, f64::max),
    );
    match largest / least > WIDE {
        true => Scale::powers(values, percent),
        false => Scale::percent_up_to(largest),
    }
}

/// The error of a task by ε.
pub(super) fn error_against_epsilon(releases: &[ComparedRelease], task: Task) -> Figure {
    let methods = methods(releases);
    let known: Vec<(&ComparedRelease, f64)> = releases
        .iter()
        .filter_map(|it| Some((it, error_of(it, task)?)))
        .collect();
    let epsilons: Vec<f64> = known
        .iter()
        .filter_map(|(it, _)| it.epsilon)
        .filter(|it| it.is_finite())
        .collect();
    let ends = known.iter().flat_map(|(it, error)| {
        let interval = entry_of(it, task).and_then(|entry| entry.interval);
        [
            Some(*error),
            interval.map(|it| it.low),
            interval.map(|it| it.high),
        ]
    });
    let nothing = nothing_of_task(releases, task);
    let ends: Vec<f64> = ends.flatten().chain(nothing).collect();
    let lane = known.iter().any(|(it, _)| it.epsilon.is_none());
    let heading = task_heading(task);

    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    let room = if lane { LANE } else { 0.0 };
    let x = epsilon_axis(&epsilons);
    let field = Field::beside(&mut drawing, room, (x, "ε"), (shares(&ends), "error"));
    let (right, top, foot) = field.ends();
    if lane {
        let middle = right + 12.0 + (LANE - 12.0) / 2.0;
        drawing.bar((right + 14.0, top), (LANE - 16.0, foot - top), "lane", "");
        drawing.text((middle, foot + 17.0), Hold::Middle, "soft", "no ε");
    }
    if let Some(nothing) = nothing {
        let y = field.y_of(nothing);
        drawing.line((field.x_start(), y), (right, y), "reference");
        drawing.text(
            (right - 4.0, y - 4.0),
            Hold::End,
            "soft small halo",
            "an empty release",
        );
    }
    let mut places: Vec<(f64, f64, String)> = Vec::new();
    for (series, method) in methods.iter().enumerate() {
        let mut of_method: Vec<&(&ComparedRelease, f64)> = known
            .iter()
            .filter(|(it, _)| method_of(it) == *method)
            .collect();
        of_method.sort_by(|a, b| {
            a.0.epsilon
                .unwrap_or(f64::MAX)
                .total_cmp(&b.0.epsilon.unwrap_or(f64::MAX))
        });
        let with_epsilon = of_method
            .iter()
            .filter_map(|(it, error)| Some((it.epsilon?, *error)));
        let line: Vec<(f64, f64)> = with_epsilon
            .map(|(epsilon, error)| field.at(epsilon, error))
            .collect();
        drawing.polyline(&line, &format!("curve c{}", series % 6 + 1));
        let without = of_method
            .iter()
            .filter(|(it, _)| it.epsilon.is_none())
            .count();
        let mut in_lane = 0;
        for (release, error) in of_method {
            let y = field.y_of(*error);
            let x = match release.epsilon {
                Some(epsilon) => field.x_of(epsilon),
                None => {
                    in_lane += 1;
                    right + 14.0 + (LANE - 16.0) * in_lane as f64 / (without + 1) as f64
                }
            };
            let interval = entry_of(release, task).and_then(|entry| entry.interval);
            if let Some(it) = interval {
                let (top, foot) = (field.y_of(it.high), field.y_of(it.low));
                let commands = format!(
                    "M{x:.1} {top:.1}V{foot:.1}M{:.1} {top:.1}h6M{:.1} {foot:.1}h6",
                    x - 3.0,
                    x - 3.0
                );
                drawing.path(&commands, "whisker", "");
            }
            let tip = format!(
                "{}: {}, error {}",
                harmless(&release.name),
                harmless(&release.promise),
                percent(*error)
            );
            drawing.mark(
                (x, y),
                4.6,
                series,
                &format!("dot s{}", series % 6 + 1),
                &tip,
            );
            places.push((x, y, harmless(&release.name)));
        }
    }
    names(&mut drawing, &places);
    let mut table = Table::new(
        heading,
        &[
            "release",
            "promise",
            "#error",
            "#from",
            "#to",
            "#empty release",
        ],
    );
    for (release, error) in &known {
        let interval = entry_of(release, task).and_then(|entry| entry.interval);
        let shown = |value: f64| Cell::shown(percent(value), value);
        table.row([
            harmless(&release.name).into(),
            harmless(&release.promise).into(),
            shown(*error),
            shown(interval.map_or(f64::NAN, |it| it.low)),
            shown(interval.map_or(f64::NAN, |it| it.high)),
            shown(
                entry_of(release, task)
                    .and_then(|entry| entry.nothing)
                    .unwrap_or(f64::NAN),
            ),
        ]);
    }
    let beside = nothing.map_or_else(String::new, |nothing| {
        format!(
            " An empty release would have {}: what comes near that is of no use.",
            percent(nothing)
        )
    });
    let caption = format!("{}.{beside}", task_caption(task));
    Figure::new(
        format!("error-{task}"),
        heading,
        caption,
        drawing.finish(heading, ""),
        table,
    )
    .keys(
        method_keys(releases)
            .into_iter()
            .chain(nothing.map(|_| Key::new("line-reference", "an empty release"))),
    )
}

/// The axis of ε; one value alone stands in its middle.
fn epsilon_axis(epsilons: &[f64]) -> Scale {
    let positive = || epsilons.iter().copied().filter(|it| *it > 0.0);
    let (least, largest) = (
        positive().fold(f64::INFINITY, f64::min),
        positive().fold(0.0, f64::max),
    );
    if least == largest && positive().count() == epsilons.len() {
        return Scale::around(least, number);
    }
    match epsilons.is_empty() {
        true => Scale::around(1.0, number),
        false => Scale::powers(epsilons, number),
    }
}

/// Names beside marks, where there is room.
fn names(drawing: &mut Drawing, places: &[(f64, f64, String)]) {
    use crate::page::charts::TEXT;
    use crate::svg::Frame;
    use crate::words::{cut_to_pixels, pixels};
    if places.len() > MOST_NAMES {
        return;
    }
    let mut taken: Vec<Frame> = places
        .iter()
        .map(|(x, y, _)| Frame::new(x - 5.0, y - 5.0, 10.0, 10.0))
        .collect();
    for (x, y, name) in places {
        let name = cut_to_pixels(name, TEXT, 120.0);
        let wide = pixels(&name, TEXT);
        let spots = [
            (x + 9.0, y + 4.0),
            (x - 9.0 - wide, y + 4.0),
            (x - wide / 2.0, y - 9.0),
            (x - wide / 2.0, y + 19.0),
        ];
        let free = spots.into_iter().find(|spot| {
            let frame = Frame::new(spot.0, spot.1 - TEXT + 2.0, wide, TEXT);
            let inside = frame.x > 2.0 && frame.right() < WIDTH - 2.0 && frame.y > 16.0;
            inside && taken.iter().all(|other| other.common(&frame) == 0.0)
        });
        if let Some(spot) = free {
            taken.push(Frame::new(spot.0, spot.1 - TEXT + 2.0, wide, TEXT));
            drawing.text(spot, Hold::Start, "halo small", &name);
        }
    }
}

/// What attacks gain, by the error of a task; none where no release has both.
pub(super) fn advantage_against_error(releases: &[ComparedRelease], task: Task) -> Option<Figure> {
    let methods = methods(releases);
    let known: Vec<(&ComparedRelease, f64, f64)> = releases
        .iter()
        .filter_map(|it| {
            Some((
                it,
                error_of(it, task)?,
                it.attack_advantage.filter(|it| it.is_finite())?,
            ))
        })
        .collect();
    if known.is_empty() {
        return None;
    }
    let errors: Vec<f64> = known.iter().map(|it| it.1).collect();
    let shown = known.iter().filter(|it| it.0.attack_shown);
    let most = shown.map(|it| it.2).fold(0.01, f64::max);
    let none_shown = known.iter().any(|it| !it.0.attack_shown);
    let band = if none_shown { BAND } else { 0.0 };
    let mut drawing = Drawing::new(WIDTH, HEIGHT + band);
    let field = Field::above(
        &mut drawing,
        band,
        (shares(&errors), "error"),
        (Scale::percent_up_to(most), "attack advantage"),
    );
    let (right, _, foot) = field.ends();
    if none_shown {
        let (left, top) = (field.x_start(), foot + 6.0);
        drawing.bar((left, top), (right - left, BAND - 8.0), "lane", "");
        let words = "not shown to be more than chance";
        drawing.text((left + 6.0, top + 13.0), Hold::Start, "soft small", words);
    }
    let heading = format!("{}: privacy against error", task_heading(task));
    let mut table = Table::new(
        heading.clone(),
        &["release", "promise", "#error", "#attack advantage", "by"],
    );
    let mut places = Vec::new();
    for (release, error, advantage) in &known {
        let (x, y) = match release.attack_shown {
            true => field.at(*error, *advantage),
            false => (field.x_of(*error), foot + BAND - 14.0),
        };
        let advantage = match release.attack_shown {
            true => Cell::shown(percent(*advantage), *advantage),
            false => NOT_SHOWN.into(),
        };
        let series = series_of(release, &methods);
        let by = harmless(release.attack_name.as_deref().unwrap_or("–"));
        let name = harmless(&release.name);
        let tip = format!(
            "{name}: error {}, attack advantage {} ({by})",
            percent(*error),
            advantage.text
        );
        let hollow = if release.attack_shown { "" } else { " pale" };
        drawing.mark(
            (x, y),
            4.6,
            series,
            &format!("dot s{}{hollow}", series % 6 + 1),
            &tip,
        );
        table.row([
            name.clone().into(),
            harmless(&release.promise).into(),
            Cell::shown(percent(*error), *error),
            advantage,
            by.into(),
        ]);
        places.push((x, y, name));
    }
    names(&mut drawing, &places);
    let caption = "The greatest advantage of any attack: how much more often it succeeds on people who are in. Hollow marks in the band: \
        no advantage is shown to be more than chance; their height means nothing.";
    let id = format!("tradeoff-{task}");
    Some(
        Figure::new(
            id,
            heading.clone(),
            caption,
            drawing.finish(&heading, ""),
            table,
        )
        .keys(method_keys(releases)),
    )
}

/// Records and visits of each.
pub(super) fn sizes(releases: &[ComparedRelease]) -> Figure {
    let mut table = Table::new("Size", &["release", "#records", "#visits"]);
    let rows: Vec<Row> = releases
        .iter()
        .map(|release| {
            let name = harmless(&release.name);
            table.row([
                name.clone().into(),
                Cell::count(release.records),
                Cell::count(release.symbols),
            ]);
            let tip = format!(
                "{name}: {}, {}",
                counted(release.records, "record", "records"),
                counted(release.symbols, "visit", "visits")
            );
            Row {
                label: name,
                bars: vec![Bar::new(
                    release.records as f64,
                    grouped(release.records),
                    "bar release",
                    tip,
                )],
            }
        })
        .collect();
    let largest = releases.iter().map(|it| it.records).max().unwrap_or(0);
    let heading = "Records";
    let drawing = bars::draw(&rows, &Scale::up_to(largest as f64)).finish(heading, "");
    Figure::new(
        "sizes-records",
        heading,
        "How many trajectories each release has.",
        drawing,
        table,
    )
}

/// Standard errors of released counts, where some release has them.
pub(super) fn standard_errors(releases: &[ComparedRelease]) -> Option<Figure> {
    let known: Vec<(String, f64)> = releases
        .iter()
        .filter_map(|it| {
            Some((
                harmless(&it.name),
                it.standard_error.filter(|it| it.is_finite())?,
            ))
        })
        .collect();
    let largest = known.iter().map(|it| it.1).reduce(f64::max)?;
    let heading = "Standard error of the noise in counts";
    let mut table = Table::new(heading, &["release", "#standard error"]);
    let rows: Vec<Row> = known
        .into_iter()
        .map(|(name, error)| {
            table.row([name.clone().into(), Cell::number(Some(error))]);
            let tip = format!("{name}: {}", number(error));
            Row {
                label: name,
                bars: vec![Bar::new(error, number(error), "bar release", tip)],
            }
        })
        .collect();
    let drawing = bars::draw(&rows, &Scale::up_to(largest)).finish(heading, "");
    let caption = "Of the noise, typically, in records. Counts near the threshold of a release are too high on average, which is not in it.";
    Some(Figure::new(
        "sizes-errors",
        heading,
        caption,
        drawing,
        table,
    ))
}
