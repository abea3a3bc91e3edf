//! SPMF's sequences.

use wayveil_io::{Itemsets, SpmfOptions, read_spmf_from};

use crate::Target;
use crate::check::{accepted, input, inside, lines, options, sequence_choices, survives_its_file};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "spmf",
    run,
    seeds,
    words: &[
        " -1 ",
        " -2\n",
        "@ITEM=",
        "@ITEM=1=apple\n",
        "@CONVERTED_FROM_TEXT\n",
        "<0>",
        "<4294967295>",
        "18446744073709551615",
        "\r\n",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "\x001 -1 2 -1 -2\n3 -1 -2\n-2\n\n# remark\n",
        "\x00@CONVERTED_FROM_TEXT\n@ITEM=1=apple pie\n@ITEM=2=pear\n@ITEM=-1=|\n1 -1 2 -1 -2\n",
        "\x00<0> 1 -1 <3> 2 -1 -2\r\n<7> 1 -1 -2\r\n",
        "\x101 2 -1 003 -1 -2\n",
        "\x031 -1 9 -1 -2\n9 -1 -2\n",
        "\x09<0> 1 -1 <23> 2 -1 -2\n",
        "\x001 2 -1 -2\n",
        "\x001 -1\n",
    ]
    .map(Vec::from)
    .to_vec()
}

fn chosen_options(chosen: u8) -> SpmfOptions {
    let (universe, unknown, bins) = sequence_choices(chosen, &["1", "2", "apple"]);
    SpmfOptions {
        unknown,
        bins,
        itemsets: match chosen & 16 {
            16 => Itemsets::Flatten,
            _ => Itemsets::Single,
        },
        ..SpmfOptions::new(universe, "riders")
    }
}

fn run(data: &[u8]) -> bool {
    let (chosen, text) = options(data);
    let read = input(text).and_then(|text| read_spmf_from(text, &chosen_options(chosen)));
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
        let seen = summary.rows + summary.blank_lines + summary.comment_lines;
        assert_eq!(seen, lines);
    }
    survives_its_file(&raw);
    true
}
