//! What came of the trials, as words and as Markdown.

use wayveil_evaluate::evaluation::Measured;

/// A method on a data set at one ε.
pub(super) struct Row {
    pub(super) data: String,
    pub(super) epsilon: String,
    pub(super) method: String,
    pub(super) measured: Vec<Measured>,
    /// Time of one run with its metrics, the mean over all settings.
    pub(super) seconds: f64,
}

/// The columns: a heading, and the numbers of it by name.
const COLUMNS: [(&str, &[&str]); 6] = [
    (
        "count-query error, groups 1–4",
        &[
            "count-query-error.group-1",
            "count-query-error.group-2",
            "count-query-error.group-3",
            "count-query-error.group-4",
        ],
    ),
    (
        "top 100, 200, 300",
        &[
            "top-patterns.true-positives-100",
            "top-patterns.true-positives-200",
            "top-patterns.true-positives-300",
        ],
    ),
    ("length", &["length-divergence"]),
    ("trip", &["trip-divergence"]),
    ("transition", &["transition-divergence"]),
    (
        "flow error: transitions, trips",
        &["flow-error.transitions", "flow-error.trips"],
    ),
];

impl Row {
    fn number(&self, name: &str) -> String {
        let found = self.measured.iter().find(|it| it.name() == name);
        match found.and_then(|it| it.samples.mean()) {
            Some(mean) if name.starts_with("top-patterns") => format!("{mean:.0}"),
            Some(mean) => format!("{mean:.4}"),
            None => "–".into(),
        }
    }

    fn cells(&self) -> Vec<String> {
        let column = |(_, names): &(&str, &[&str])| {
            let numbers: Vec<String> = names.iter().map(|name| self.number(name)).collect();
            numbers.join(" ")
        };
        COLUMNS.iter().map(column).collect()
    }

    /// One line for the impatient.
    pub(super) fn words(&self) -> String {
        format!(
            "{} {} {}: {} | {:.1} s",
            self.data,
            self.epsilon,
            self.method,
            self.cells().join(" | "),
            self.seconds
        )
    }

    /// All rows.
    pub(super) fn markdown(rows: &[Self]) -> String {
        let headings: Vec<&str> = COLUMNS.iter().map(|(heading, _)| *heading).collect();
        let mut text = format!("| data | ε | method | {} |\n", headings.join(" | "));
        text.push_str(&format!("| {} |\n", ["---"; 9].join(" | ")));
        for row in rows {
            let cells = row.cells().join(" | ");
            text.push_str(&format!(
                "| {} | {} | {} | {cells} |\n",
                row.data, row.epsilon, row.method
            ));
        }
        text
    }
}
