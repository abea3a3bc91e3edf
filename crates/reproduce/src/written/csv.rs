//! A table for other programs: a row for each cell.

use crate::entry::Made;
use crate::reproduced::Reproduced;

const HEAD: &str =
    "entry,panel,parameter,at,series,form,mean,half_width,runs,refused,paper_series,paper";

/// The measured cells.
pub fn csv(made: &Reproduced) -> String {
    let parameter = match made.entry.made {
        Made::Measured { parameter, .. } => parameter,
        _ => "",
    };
    let mut text = format!("{HEAD}\n");
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for cell in &made.cells {
        let row = [
            made.name(),
            cell.panel.title.clone(),
            parameter.to_owned(),
            cell.at.clone(),
            cell.series.name.to_owned(),
            cell.series.form.words().to_owned(),
            number(cell.samples.mean()),
            number(cell.samples.half_width()),
            cell.samples.len().to_string(),
            cell.refused.clone().unwrap_or_default(),
            cell.paper.map_or("", |known| known.series).to_owned(),
            cell.paper.map_or(String::new(), |known| known.words()),
        ];
        text += &row.map(|field| quoted(&field)).join(",");
        text.push('\n');
    }
    text
}

fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
