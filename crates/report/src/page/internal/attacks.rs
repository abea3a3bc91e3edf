//! What attackers got from the raw data and from the release.

use wayveil_core::Result;

use super::Section;
use crate::attack_chart::{
    AttackBar, AttackChart, AttackControl, AttackVerdict, KnowledgeCurve, QuestionGroup, Rate,
};
use crate::page::charts::bars::{self, Bar, Row};
use crate::page::charts::curves::{self, Curve, Place};
use crate::page::charts::scale::Scale;
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::model::InternalPart;
use crate::page::wording::percent;
use crate::words::harmless;

pub(super) fn section(internal: &InternalPart) -> Result<Section> {
    let section = Section::new("internal-attacks", "Attacks");
    let Some(chart) = &internal.attacks else {
        let why = internal
            .no_attacks_because
            .as_deref()
            .unwrap_or("none were made");
        return Ok(section.say(format!(
            "No attacks were made: {}.",
            harmless(why).trim_end_matches('.')
        )));
    };
    let groups = chart.groups.iter().enumerate();
    let figures = groups
        .filter(|(_, group)| !group.rows.is_empty())
        .map(|(at, group)| question(chart, group, at))
        .chain(chart.curve.as_ref().and_then(|it| curve(chart, it)));
    section
        .say(harmless(&chart.note))
        .say(format!(
            "A bar is how many of 100 {} in the attacked data the attack succeeds on, with its {} interval; the \
             dashed bar is the same attack on people who are not in it, or a coin. Only a bar that is called better \
             than chance shows that people are exposed. An attack that fails proves nothing. Attacks on the release are on releases that are made \
             again by the same method, so that people who are not in them can be compared with; not on this very file.",
            harmless(&chart.who),
            percent(chart.confidence)
        ))
        .draw(figures)
}

fn class(position: usize) -> &'static str {
    if position == 0 {
        "bar raw"
    } else {
        "bar release"
    }
}

fn name(chart: &AttackChart, position: usize) -> String {
    let published = chart.published.get(position).map(String::as_str);
    harmless(published.unwrap_or(if position == 0 { "raw data" } else { "release" }))
}

fn verdict_words(verdict: AttackVerdict) -> &'static str {
    match verdict {
        AttackVerdict::Better => "better than chance",
        AttackVerdict::NotShown => "not shown to be better than chance",
        AttackVerdict::NoControl => "nothing to compare with",
    }
}

fn question(chart: &AttackChart, group: &QuestionGroup, at: usize) -> Figure {
    let heading = harmless(&group.question);
    let mut table = Table::new(
        heading.clone(),
        &[
            "attack",
            "on",
            "#succeeds",
            "#from",
            "#to",
            "#control",
            "verdict",
        ],
    );
    let shown = |share: f64| Cell::shown(percent(share), share);
    let mut rows = Vec::new();
    for attack in &group.rows {
        let label = harmless(&attack.label);
        let mut drawn = Vec::new();
        for (position, bar) in attack.bars.iter().enumerate() {
            let on = name(chart, position);
            let mut row: Vec<Cell> = vec![label.clone().into(), on.clone().into()];
            match bar {
                AttackBar::NotPossible(reason) => {
                    let words = format!("not possible: {}", harmless(reason));
                    row.extend(["–"; 4].map(Cell::from));
                    row.push(words.clone().into());
                    let tip = format!("{label}, on {on}: {words}");
                    drawn.push(Bar::new(0.0, "not possible".into(), class(position), tip));
                }
                AttackBar::Found {
                    rate,
                    control,
                    verdict,
                } => {
                    let rate = rate.drawable();
                    let (control_share, beside) = control_of(*control);
                    let words = verdict_words(*verdict);
                    row.extend([rate.share, rate.low, rate.high].map(shown));
                    row.push(control_share.map_or("–".into(), shown));
                    row.push(words.into());
                    let [share, low, high] = [rate.share, rate.low, rate.high].map(percent);
                    let tip =
                        format!("{label}, on {on}: {share} ({low} to {high}){beside}; {words}");
                    let better = *verdict == AttackVerdict::Better;
                    let figure = if better {
                        format!("{share} ▲")
                    } else {
                        share
                    };
                    let mut bar = Bar::new(rate.share, figure, class(position), tip.clone());
                    bar.interval = Some((rate.low, rate.high));
                    drawn.push(bar);
                    if let Some(share) = control_share {
                        drawn.push(Bar::new(share, percent(share), "bar control", tip));
                    }
                }
            }
            table.row(row);
        }
        rows.push(Row { label, bars: drawn });
    }
    let drawing = bars::draw(&rows, &Scale::percent_up_to(1.0)).finish(&heading, "");
    let caption = summary(chart, group);
    Figure::new(
        format!("internal-attack-{}", at + 1),
        heading,
        caption,
        drawing,
        table,
    )
    .keys([
        Key::new("raw", name(chart, 0)),
        Key::new("release", "release"),
        Key::new("control", "people not in it, or a coin"),
        Key::new("line-whisker", "interval"),
    ])
}

fn control_of(control: Option<AttackControl>) -> (Option<f64>, String) {
    match control {
        None => (None, String::new()),
        Some(AttackControl::NotIn(rate)) => {
            let share = rate.drawable().share;
            (
                Some(share),
                format!("; on people who are not in it {}", percent(share)),
            )
        }
        Some(AttackControl::Coin(share)) => (Some(share), format!("; a coin {}", percent(share))),
    }
}

/// The verdicts of a question in a sentence.
fn summary(chart: &AttackChart, group: &QuestionGroup) -> String {
    let mut sentences = Vec::new();
    let most = group
        .rows
        .iter()
        .map(|row| row.bars.len())
        .max()
        .unwrap_or(0);
    for position in 0..most {
        let bars = group.rows.iter().filter_map(|row| row.bars.get(position));
        let (mut tried, mut better) = (0, 0);
        for bar in bars {
            if let AttackBar::Found { verdict, .. } = bar {
                tried += 1;
                better += usize::from(*verdict == AttackVerdict::Better);
            }
        }
        let on = name(chart, position);
        sentences.push(match (tried, better) {
            (0, _) => format!("On {on} none could be made."),
            (tried, 0) => format!("On {on} not shown to be better than chance: all {tried}."),
            (tried, better) => format!("On {on} better than chance (▲): {better} of {tried}."),
        });
    }
    sentences.join(" ")
}

fn curve(chart: &AttackChart, curve: &KnowledgeCurve) -> Option<Figure> {
    let all = || curve.lines.iter().chain(&curve.not_in).flatten();
    let most_known = all().map(|it| it.0).max()?;
    let heading = harmless(&curve.title);
    let mut table = Table::new(
        heading.clone(),
        &["on", "people", "#known", "#succeeds", "#from", "#to"],
    );
    let mut curves = Vec::new();
    let mut keys = Vec::new();
    for (lines, who, pale) in [
        (&curve.lines, "in it", false),
        (&curve.not_in, "not in it", true),
    ] {
        for (position, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
        {
            let on = name(chart, position);
            for (known, rate) in line {
                let Rate { share, low, high } = rate.drawable();
                let cells = [share, low, high].map(|value| Cell::shown(percent(value), value));
                let [a, b, c] = cells;
                table.row([
                    on.clone().into(),
                    who.into(),
                    Cell::count(u64::from(*known)),
                    a,
                    b,
                    c,
                ]);
            }
            let place = |(known, rate): &(u32, Rate)| {
                let rate = rate.drawable();
                Place {
                    x: f64::from(*known),
                    y: rate.share,
                    interval: (!pale).then_some((rate.low, rate.high)),
                    tip: format!("{on}, people {who}, {known} known: {}", percent(rate.share)),
                }
            };
            curves.push(Curve {
                series: position,
                places: line.iter().map(place).collect(),
                joined: true,
                pale,
            });
            if !pale {
                keys.push(Key::new(format!("mark s{}", position % 7), on.clone()));
            }
        }
    }
    keys.push(Key::new("line-reference", "people not in it, hollow marks"));
    let known = harmless(&curve.known);
    let x = (Scale::up_to(f64::from(most_known)), known.as_str());
    let drawing = curves::draw(&curves, 300.0, x, (Scale::percent_up_to(1.0), "succeeds"))
        .finish(&heading, "");
    let caption =
        "How success grows with what is known; hollow marks are people who are not in it.";
    Some(Figure::new("internal-attack-curve", heading, caption, drawing, table).keys(keys))
}
