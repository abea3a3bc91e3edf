//! Plain tables for terminals.

/// Rows of text, aligned when printed: the first column to the left, figures to the right.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self {
            rows: vec![header.iter().map(|&name| name.to_owned()).collect()],
        }
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        self.rows.push(cells.to_vec());
    }

    pub(crate) fn text(&self) -> String {
        let columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| {
                    if is_figure(cell) {
                        format!("{cell:>width$}")
                    } else {
                        format!("{cell:<width$}")
                    }
                })
                .collect();
            text += cells.join("  ").trim_end();
            text.push('\n');
        }
        text
    }
}

/// A name such as 000/table-3 is none.
fn is_figure(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !cell.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["name", "value"]);
        table.row(&["a".into(), "1.5".into()]);
        table.row(&["longer".into(), "12.25".into()]);
        assert_eq!(
            table.text(),
            "name    value\na         1.5\nlonger  12.25\n"
        );
    }
}
