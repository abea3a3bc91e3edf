//! Page visits of msnbc.

use wayveil_io::{MsnbcOptions, Unknown, read_msnbc_from};

use crate::Target;
use crate::check::{accepted, input, inside, lines, options, survives_its_file};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "msnbc",
    run,
    seeds,
    words: &["% ", "frontpage", "travel", NAMES, "17", "18", "-1", "\r\n"],
    longest: 1024,
};

const NAMES: &str = "frontpage news tech local opinion on-air misc weather msn-news health living \
                     business msn-sports sports summary bbs travel";

fn seeds() -> Vec<Vec<u8>> {
    [
        format!("\0% Different categories\n\n{NAMES}\n\n% Sequences:\n\n1 1\n2\n3 2 2 4 17\n"),
        "\x001 1 \r\n2\r\n\t3  2 2".into(),
        "\x011 18 2\n99999999999999999999999\n-1\n0\n".into(),
        "\x001 18\n".into(),
        "\0frontpage news\n1\n".into(),
        "\0".into(),
    ]
    .map(String::into_bytes)
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let (chosen, text) = options(data);
    let options = MsnbcOptions {
        unknown: match chosen & 1 {
            1 => Unknown::Drop,
            _ => Unknown::Error,
        },
        ..MsnbcOptions::new("riders")
    };
    let read = input(text).and_then(|text| read_msnbc_from(text, &options));
    let Some((raw, summary)) = accepted(read) else {
        return false;
    };
    let summary = summary.for_publisher_only();
    inside(&raw, |data| {
        assert_eq!(summary.symbols, data.trips().symbols() as u64);
        assert_eq!(summary.records, data.trips().len() as u64);
        assert_eq!(summary.rows, summary.records);
    });
    if let Some(lines) = lines(text) {
        // One line may be the list of categories.
        let others = lines - summary.rows - summary.blank_lines - summary.comment_lines;
        assert!(others <= 1, "{others} lines are not accounted for");
    }
    survives_its_file(&raw);
    true
}
