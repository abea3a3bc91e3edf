//! How long suppression takes.

use wayveil_io::generate::Preset;

use super::suppressions::{FIXED, Sized};
use super::{candidate, series};
use crate::entry::{Form, Panel, Point, Run, Task};
use crate::scale::{Scale, Source};

/// By how much everything is smaller than in the paper where time is taken: one factor for all sizes, as K and K′ are
/// fixed.
fn factor(scale: &Scale) -> f64 {
    match (scale.given, scale.records) {
        (Some(_), _) => 1.0,
        (None, Some(records)) => records as f64 / 1_000_000.0,
        (None, None) => scale.either(1.0, 0.05),
    }
}

pub(super) fn times(scale: &Scale) -> Vec<Point> {
    // 26 blocks in 24 hours are 624 doublets; so many blocks make about as many as the paper has.
    let generated = |records: u64, doublets: u32| Source::Generated {
        preset: Preset::City,
        records,
        locations: Some(doublets.div_ceil(24)),
        bins: None,
        lengths: None,
    };
    let mut all: Vec<(&'static str, String, Source)> = Vec::new();
    if scale.given.is_some() {
        all.push(("records", "all".into(), Source::Given));
    } else {
        for records in scale.sizes(&[400_000, 800_000, 1_200_000]) {
            all.push(("records", records.to_string(), generated(records, 4_000)));
        }
        for doublets in [2_000, 4_000, 8_000] {
            for records in scale.sizes(&[1_000_000]) {
                all.push((
                    "doublets",
                    doublets.to_string(),
                    generated(records, doublets),
                ));
            }
        }
    }
    let ways = [
        (
            series("by record, repaired", Form::Repaired, Some("KCL-Local")),
            "mode=record",
        ),
        (
            series("local, repaired", Form::Repaired, Some("KCL-Local")),
            "mode=local",
        ),
    ];
    let smaller = |number: u64| ((number as f64 * factor(scale)).round() as u64).max(2);
    let (k, support) = (smaller(FIXED.k), smaller(FIXED.support));
    let mut points = Vec::new();
    for (what, at, source) in all {
        for (line, how) in &ways {
            let sized = Sized::new(scale, source, FIXED);
            let text = format!(
                "suppress k={k} c={} l=3 {how}{} preserve=mfs min-support={support}",
                sized.c, sized.sensitive
            );
            points.push(Point {
                panel: Panel {
                    title: format!("{}: seconds by number of {what}", source.name()),
                    reported: scale.unless_smaller(what),
                    // Their machine was another: nobody's seconds are beaten.
                    better: None,
                },
                series: line.clone(),
                at: at.clone(),
                runs: vec![Run {
                    source,
                    task: Task::Time(candidate(&text)),
                }],
                number: "seconds".into(),
            });
        }
    }
    points
}
