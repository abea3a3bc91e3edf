//! Columns side by side: how values spread.

use super::{Field, WIDTH, scale::Scale};
use crate::page::drawing::{Drawing, Hold};

const HEIGHT: f64 = 250.0;
/// Labels under the columns, at most.
const MOST_LABELS: usize = 13;

/// One of the sets of columns.
pub(in crate::page) struct Series<'a> {
    pub(in crate::page) class: &'static str,
    pub(in crate::page) values: &'a [u64],
}

/// Draws one or two series over the same steps.
pub(in crate::page) fn draw(
    labels: &[String],
    series: &[Series<'_>],
    (x_title, y_title): (&str, &str),
    tip: impl Fn(usize) -> String,
) -> Drawing {
    let steps = labels.len().max(1);
    let largest = series.iter().flat_map(|it| it.values).max();
    let largest = largest.map_or(0.0, |&value| value as f64);
    let mut across = Scale::up_to(steps as f64);
    across.ticks.clear();
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    let field = Field::draw(
        &mut drawing,
        (across, x_title),
        (Scale::up_to(largest), y_title),
    );
    let (left, foot) = (field.left, field.top + field.height);
    let step = field.width / steps as f64;
    let wide = step * if step > 6.0 { 0.8 } else { 1.0 } / series.len().max(1) as f64;
    for at in 0..steps {
        for (place, set) in series.iter().enumerate() {
            let value = set.values.get(at).copied().unwrap_or(0) as f64;
            if value == 0.0 {
                continue;
            }
            let top = field.y_of(value).min(foot - 0.8);
            let start = left
                + step * at as f64
                + wide * place as f64
                + (step - wide * series.len() as f64) / 2.0;
            drawing.bar((start, top), (wide, foot - top), set.class, &tip(at));
        }
    }
    let every = steps.div_ceil(MOST_LABELS);
    for (at, label) in labels.iter().enumerate().step_by(every) {
        let x = left + step * (at as f64 + 0.5);
        drawing.text((x, foot + 17.0), Hold::Middle, "soft", label);
    }
    drawing
}
