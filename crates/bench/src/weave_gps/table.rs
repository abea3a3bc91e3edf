//! What came of it, as Markdown.

use wayveil_evaluate::samples::Samples;

use super::Plan;
use super::data::Data;

/// One number of a metric in one view.
pub(super) struct Row {
    number: &'static str,
    view: &'static str,
    /// Of the trips themselves, on the grid that is published over.
    pub(super) rounded: Option<f64>,
    pub(super) peer: Option<f64>,
    pub(super) ours: Samples,
}

impl Row {
    pub(super) fn new(number: &'static str, view: &'static str) -> Self {
        Self {
            number,
            view,
            rounded: None,
            peer: None,
            ours: Samples::default(),
        }
    }

    fn words(&self) -> String {
        let number = |it: Option<f64>| it.map_or("–".into(), |it| format!("{it:.4}"));
        let interval = match self.ours.half_width() {
            Some(half) => format!("{} ± {half:.4}", number(self.ours.mean())),
            None => number(self.ours.mean()),
        };
        format!(
            "| {} | {} | {} | {} | {interval} |\n",
            self.number,
            self.view,
            number(self.rounded),
            number(self.peer),
        )
    }
}

/// The whole table, with what it is of.
pub(super) fn markdown(data: &Data, side: u32, plan: &Plan, rows: &[Row]) -> String {
    let mut text = format!(
        "{}: {} trips, ε = {}, one trip as the unit, {side} × {side} public cells, {} repeats\n\n\
         | metric | seen on | the trips on those cells | AdaTrace | weave |\n\
         | --- | --- | --- | --- | --- |\n",
        data.name,
        data.trips.len(),
        plan.epsilon,
        plan.repeats,
    );
    text.extend(rows.iter().map(Row::words));
    text
}
