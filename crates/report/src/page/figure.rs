//! A plot or a map with its heading, caption, legend and the table of its numbers.

use askama::Template;
use wayveil_core::Result;

use super::html::Html;
use super::wording::{grouped, number};

/// The most rows of a table beside a figure.
pub(super) const MOST_ROWS: usize = 100;

/// A value of a table.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    /// The number to sort by, where the text does not read as it.
    pub(super) sort: String,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self {
            text,
            sort: String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Cell {
    /// A whole number.
    pub(super) fn count(value: u64) -> Self {
        Self::shown(grouped(value), value as f64)
    }

    /// A number, where there is one.
    pub(super) fn number(value: Option<f64>) -> Self {
        let value = value.unwrap_or(f64::NAN);
        Self::shown(number(value), value)
    }

    /// A number as it is shown elsewhere.
    pub(super) fn shown(text: String, value: f64) -> Self {
        let plain = text.parse() == Ok(value);
        let sort = match value.is_finite() && !plain {
            true => value.to_string(),
            false => String::new(),
        };
        Self { text, sort }
    }
}

/// A column of a table.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) title: String,
    pub(super) numeric: bool,
}

/// A table.
#[derive(Clone, Template)]
#[template(path = "table.html")]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// What is not in it.
    pub(super) note: String,
}

impl Table {
    /// A table with columns; the titles of those with numbers begin with `#`.
    pub(super) fn new(caption: impl Into<String>, titles: &[&str]) -> Self {
        let column = |title: &&str| Column {
            title: title.trim_start_matches('#').to_owned(),
            numeric: title.starts_with('#'),
        };
        Self {
            caption: caption.into(),
            columns: titles.iter().map(column).collect(),
            rows: Vec::new(),
            note: String::new(),
        }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Keeps the first rows, and says that there are more.
    pub(super) fn capped(mut self) -> Self {
        let all = self.rows.len();
        if all > MOST_ROWS {
            self.rows.truncate(MOST_ROWS);
            self.note = format!("The first {MOST_ROWS} of {} rows.", grouped(all as u64));
        }
        self
    }
}

/// An entry of a legend.
pub(super) struct Key {
    /// The class of its mark, as in the style sheet.
    pub(super) class: String,
    pub(super) words: String,
}

impl Key {
    pub(super) fn new(class: impl Into<String>, words: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            words: words.into(),
        }
    }
}

/// What of a map can be shown and hidden.
pub(super) struct Layer {
    /// The class of its group.
    pub(super) name: &'static str,
    pub(super) words: String,
}

/// A figure.
#[derive(Template)]
#[template(path = "figure.html")]
pub(super) struct Figure {
    pub(super) id: String,
    pub(super) heading: String,
    pub(super) caption: String,
    pub(super) drawing: Html,
    pub(super) keys: Vec<Key>,
    pub(super) table: Table,
    /// Whether it takes the whole width of the page.
    pub(super) wide: bool,
    /// Whether it can be zoomed.
    pub(super) map: bool,
    pub(super) layers: Vec<Layer>,
}

impl Figure {
    pub(super) fn new(
        id: impl Into<String>,
        heading: impl Into<String>,
        caption: impl Into<String>,
        drawing: Html,
        table: Table,
    ) -> Self {
        Self {
            id: id.into(),
            heading: heading.into(),
            caption: caption.into(),
            drawing,
            keys: Vec::new(),
            table,
            wide: false,
            map: false,
            layers: Vec::new(),
        }
    }

    pub(super) fn keys(mut self, keys: impl IntoIterator<Item = Key>) -> Self {
        self.keys = keys.into_iter().collect();
        self
    }

    pub(super) fn wide(mut self) -> Self {
        self.wide = true;
        self
    }

    pub(super) fn html(&self) -> Result<Html> {
        Html::of(self)
    }
}
