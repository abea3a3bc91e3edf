//! Lists of locations.

use wayveil_io::universe::read_universe_list;

use crate::Target;
use crate::check::{accepted, input, survives_its_document};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "universe-list",
    run,
    seeds,
    words: &["\r\n", "\u{feff}", "#", "\u{85}", "\u{2028}"],
    longest: 512,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "A\nB\n",
        "A\r\n\r\n# b\r\nÉté",
        "\u{feff}A",
        "A\nA\n",
        " \n",
        "",
    ]
    .map(Vec::from)
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let Some(universe) = accepted(input(data).and_then(read_universe_list)) else {
        return false;
    };
    survives_its_document(&universe);
    let labels: Vec<_> = universe
        .locations()
        .iter()
        .map(|it| it.label.as_str())
        .collect();
    // A list has no way to write these two down.
    if labels[0].starts_with('\u{feff}') || labels.iter().any(|label| label.ends_with('\r')) {
        return true;
    }
    let list = labels.join("\n");
    let back = input(list.as_bytes()).and_then(read_universe_list);
    assert_eq!(back, Ok(universe));
    true
}
