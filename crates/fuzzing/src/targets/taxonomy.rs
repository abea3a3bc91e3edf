//! Tables of groups.

use wayveil_io::read_taxonomy_from;

use crate::Target;
use crate::check::{accepted, input, survives_its_document};
use crate::samples::labels;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "taxonomy",
    run,
    seeds,
    words: &[
        "label",
        "parent",
        "label,parent\n",
        "\"",
        "\"\"",
        "metro",
        "A,",
        "B,",
        "C,",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    let deep: String = (0..70)
        .map(|level| format!("g{level},g{}\n", level + 1))
        .collect();
    [
        "label,parent\nA,green\nB,green\nC,bus\ngreen,metro\n",
        "parent;x;label\n\"the \"\"green\"\"\";;A\r\nbus;;B\r\nbus;;C\r\n",
        "label,parent\nA,g\nB,g\nC,h\ng,h\nh,g\n",
        "label,parent\nA,g\nB,g\nD,g\n",
        "label,parent\nA,A\n",
        &format!("label,parent\nA,g0\nB,g0\nC,g0\n{deep}"),
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let universe = labels(&["A", "B", "C"]);
    let read = input(data).and_then(|table| read_taxonomy_from(table, &universe));
    let Some(taxonomy) = accepted(read) else {
        return false;
    };
    let universe = universe.with_taxonomy(taxonomy);
    survives_its_document(&universe.expect("made for this universe"));
    true
}
