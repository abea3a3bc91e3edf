//! `seq` files.

use wayveil_io::{SeqOptions, read_seq, read_seq_from, write_raw_seq};

use crate::Target;
use crate::check::{accepted, input, inside, options, same, sequence_choices, survives_its_file};
use crate::scratch;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "seq",
    run,
    seeds,
    words: &[
        "@",
        "%40",
        "%25",
        "%20",
        "%C3%A9",
        "\t",
        "@4294967295",
        "@999999",
        "\r\n",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "\0A B%202 A\nB%202\n\nA\n",
        "\0Berri@7 Papineau@8\tFlu\nBerri@3\t\n",
        "\x01A B Berri\n  A  Z\n",
        "\x03A B Z\n\nZ\n",
        "\x04A@0 B@2 A@1\ta b\tc%09\n",
        "\x08A@0 Été@23\r\n",
        "\x0bA@0 Z@5 B@7\n",
        "\x10A\tFlu\tyes\n",
        "\0\u{feff}A %EF%BB%BF\n",
    ]
    .map(Vec::from)
    .to_vec()
}

fn chosen_options(chosen: u8) -> SeqOptions {
    let (universe, unknown, bins) = sequence_choices(chosen, &["A", "B", "Berri"]);
    SeqOptions {
        unknown,
        bins,
        attributes: match chosen & 16 {
            16 => vec!["health".into(), "known".into()],
            _ => Vec::new(),
        },
        ..SeqOptions::new(universe, "riders")
    }
}

fn run(data: &[u8]) -> bool {
    let (chosen, text) = options(data);
    let options = chosen_options(chosen);
    let read = input(text).and_then(|text| read_seq_from(text, &options));
    let Some((raw, summary)) = accepted(read) else {
        return false;
    };
    let summary = summary.for_publisher_only();
    let symbols = inside(&raw, |data| data.trips().symbols());
    assert_eq!(summary.symbols, symbols as u64);
    if symbols > 0 {
        let (back, _) = scratch::with(|folder| {
            let path = folder.join("written.seq");
            write_raw_seq(&path, &raw, true)
                .and_then(|()| read_seq(&path, &options))
                .expect("what was read can be written and read")
        });
        same(&raw, &back);
    }
    survives_its_file(&raw);
    true
}
