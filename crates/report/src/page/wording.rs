//! Numbers and names as a page shows them.

use wayveil_core::Universe;

use crate::words::{cut, harmless};

/// Stands between groups of three digits.
const THIN: char = '\u{202f}';
/// Between a number and its unit.
const NO_BREAK: char = '\u{a0}';

/// A whole number in groups of three digits.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        // Four digits stay together.
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            text.push(THIN);
        }
        text.push(digit);
    }
    text
}

/// A number with three digits that matter; a dash where there is none.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let size = value.abs();
    let sign = if value < 0.0 { "−" } else { "" };
    if size >= 1e15 {
        format!("{sign}{size:.1e}")
    } else if size >= 999.5 {
        format!("{sign}{}", grouped(size.round() as u64))
    } else if size == 0.0 {
        "0".into()
    } else if size < 1e-4 {
        format!("{sign}{size:.1e}")
    } else {
        let digits = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
        format!("{sign}{}", trimmed(&format!("{size:.digits$}")))
    }
}

/// A number that may be missing.
pub(super) fn number_or_dash(value: Option<f64>) -> String {
    number(value.unwrap_or(f64::NAN))
}

/// A share in percent: never 0 for something, nor 100 for less than all.
pub(super) fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "–".into();
    }
    let value = 100.0 * share;
    let text = match value.abs() {
        v if v > 0.0 && v < 0.05 => return format!("<0.1{NO_BREAK}%"),
        v if (99.95..100.0).contains(&v) => return format!(">99.9{NO_BREAK}%"),
        v if v < 9.95 || (v > 99.0 && v < 100.0) => trimmed(&format!("{value:.1}")),
        v if v >= 1e15 => format!("{value:.1e}"),
        v if v < 9999.5 => format!("{value:.0}"),
        v => grouped(v.round() as u64),
    };
    format!("{text}{NO_BREAK}%")
}

fn trimmed(text: &str) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text.into(),
    }
}

/// A count with what is counted.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    let what = if count == 1 { one } else { many };
    format!("{} {what}", grouped(count))
}

/// The most columns of a name: whoever gives a longer one does not mean a place.
const LONGEST_NAME: usize = 48;

/// What people call a location: its name, or else its label.
pub(super) fn name(universe: &Universe, code: u32) -> String {
    let location = universe.locations().get(code as usize);
    location.map_or_else(String::new, |it| {
        shortened(it.name.as_deref().unwrap_or(&it.label))
    })
}

fn shortened(name: &str) -> String {
    // Marks without a width of their own are counted too.
    let beginning: String = name.chars().take(2 * LONGEST_NAME).collect();
    cut(&harmless(&beginning), LONGEST_NAME)
}

/// The name and the label of a location, for tables.
pub(super) fn full_name(universe: &Universe, code: u32) -> String {
    match universe.locations().get(code as usize) {
        Some(it) => match &it.name {
            Some(name) if *name != it.label => {
                format!("{} ({})", shortened(name), shortened(&it.label))
            }
            _ => shortened(&it.label),
        },
        None => String::new(),
    }
}

/// Locations in a row, with arrows between them.
pub(super) fn path(universe: &Universe, codes: &[u32]) -> String {
    let names: Vec<String> = codes.iter().map(|&code| name(universe, code)).collect();
    names.join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let written = [0.0, 0.012_345, 1.0, 12.345, 999.6, 1234.5, -0.5, f64::NAN].map(number);
        assert_eq!(
            written,
            ["0", "0.0123", "1", "12.3", "1000", "1235", "−0.5", "–"]
        );
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(number(1e-7), "1.0e-7");
    }

    #[test]
    fn shares_are_never_rounded_to_nothing_or_all() {
        let written = [0.0, 0.0001, 0.034, 0.5, 0.9996, 1.0, 3.5, f64::INFINITY].map(percent);
        let expected = [
            "0 %", "<0.1 %", "3.4 %", "50 %", ">99.9 %", "100 %", "350 %", "–",
        ];
        assert_eq!(written, expected.map(|it| it.replace(' ', "\u{a0}")));
    }
}
