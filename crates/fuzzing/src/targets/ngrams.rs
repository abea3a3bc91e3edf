//! Tables of n-grams.

use std::fmt::Write;

use wayveil_io::{Ngrams, read_ngrams_from};

use crate::Target;
use crate::check::{accepted, input};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "ngrams",
    run,
    seeds,
    words: &[
        " : ",
        "1 3 : 22816.000000\n",
        "-0.0",
        "1e308",
        "NaN",
        "inf",
        "\r\n",
    ],
    longest: 512,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "154439\n1 3 : 22816.000000\n1 : 856173.000000\n",
        "\n1e308\n\na:b  \u{e9} : -0.5\r\n:: 7\n",
        "-0\nx : 1e308\ny : 1e308\n",
        "7\n1 : 2\n1 : 2\n",
        "7\n: 2\n",
        "7\n1 2\n",
    ]
    .map(Vec::from)
    .to_vec()
}

fn written(table: &Ngrams) -> String {
    let mut text = format!("{}\n", table.first_number);
    for gram in &table.grams {
        writeln!(text, "{} : {}", gram.symbols.join(" "), gram.count).expect("text takes text");
    }
    text
}

fn run(data: &[u8]) -> bool {
    let Some(table) = accepted(input(data).and_then(read_ngrams_from)) else {
        return false;
    };
    let summary = table.summary();
    assert_eq!(summary.grams, table.grams.len() as u64);
    assert_eq!(summary.by_length.values().sum::<u64>(), summary.grams);
    let again = input(written(&table).as_bytes()).and_then(read_ngrams_from);
    let again = again.expect("what was written can be read");
    assert_eq!(again.first_number, table.first_number);
    assert_eq!(again.grams, table.grams);
    true
}
