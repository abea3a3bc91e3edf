//! How wide text is, and how to make it fit.
//!
//! Nothing here knows a font, so widths are estimates on the wide side.

/// The columns that text takes on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    match c as u32 {
        // Marks that stand on the letter before, and joiners.
        0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        // East Asian scripts, full-width forms and pictographs.
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The width of text in pixels.
pub(crate) fn pixels(text: &str, size: f64) -> f64 {
    size * text.chars().map(ems_of).sum::<f64>()
}

/// Widths as in the wider of the common sans-serif fonts, in parts of the text's size.
fn ems_of(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '|' | '\'' => 0.29,
        ' ' | '.' | ',' | ':' | ';' | 'I' | '!' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' => 0.41,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.98,
        '+' | '<' | '=' | '>' | '~' | '&' | '→' => 0.84,
        'A'..='Z' => 0.74,
        ' '..='~' => 0.63,
        c => 0.7 * columns_of(c) as f64,
    }
}

/// Text of at most so many columns, cut with "…".
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.into();
    }
    if width == 0 {
        return String::new();
    }
    let mut used = 0;
    let fits = |c: &char| {
        used += columns_of(*c);
        used < width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// Text of at most so many pixels, cut with "…".
pub(crate) fn cut_to_pixels(text: &str, size: f64, width: f64) -> String {
    if pixels(text, size) <= width {
        return text.into();
    }
    let mut used = pixels("…", size);
    let fits = |c: &char| {
        used += size * ems_of(*c);
        used <= width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// Text in lines of at most so many pixels, broken at spaces; what is left over is cut.
pub(crate) fn wrap(text: &str, size: f64, width: f64, at_most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() >= at_most;
        match lines.last_mut() {
            Some(line) if full || pixels(line, size) + pixels(word, size) + 0.34 * size < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
        .iter()
        .map(|line| cut_to_pixels(line, size, width))
        .collect()
}

/// Text without what could steer a terminal or a reader: controls and changes of direction.
pub(crate) fn harmless(text: &str) -> String {
    let clean = |c: char| match c {
        c if c.is_control() => '\u{fffd}',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_by_columns() {
        assert_eq!(cut("Central", 7), "Central");
        assert_eq!(cut("Central", 6), "Centr…");
        assert_eq!(cut("Old Town", 5), "Old…");
        assert_eq!(cut("東京駅", 5), "東京…");
        assert_eq!(cut("Central", 1), "…");
        assert_eq!(cut("Central", 0), "");
    }

    #[test]
    fn cuts_by_pixels() {
        for text in [
            "Central Station",
            "WWWWWWWWWWWW",
            "iiiiiiiiiiiiiiiiiiiiiiii",
            "東京駅東京駅",
        ] {
            let cut = cut_to_pixels(text, 10.0, 60.0);
            assert!(cut.ends_with('…') && pixels(&cut, 10.0) <= 60.0, "{cut}");
        }
        assert_eq!(cut_to_pixels("Central", 10.0, 60.0), "Central");
    }

    #[test]
    fn wraps_and_keeps_the_rest_to_a_cut_line() {
        let lines = wrap("one two three four five six", 10.0, 70.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'), "{lines:?}");
        assert!(wrap("", 10.0, 50.0, 2).is_empty());
        assert!(wrap("word", 10.0, 50.0, 0).len() <= 1);
    }

    #[test]
    fn takes_the_teeth_out_of_text() {
        assert_eq!(harmless("a\u{1b}[31m\u{202e}"), "a\u{fffd}[31m\u{fffd}");
    }
}
