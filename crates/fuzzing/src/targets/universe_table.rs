//! Tables of locations.

use wayveil_io::universe::read_universe_table;

use crate::Target;
use crate::check::{accepted, input, survives_its_document};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "universe-table",
    run,
    seeds,
    words: &[
        "label",
        "name",
        "lat",
        "lng",
        "parent",
        "label,lat,lng\n",
        "\"",
        "-0.0",
        "1e-400",
        "inf",
        "NaN",
        "90",
        "-180",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "label,name,lat,lng,parent\nA,Berri,45.5,-73.56,green\nB,,,,green\n",
        "lng;label;lat\n-180;\"A;\"\"b\"\"\";90\r\n0.1;B;1e-320\r\n",
        "label\tparent\nA\tgreen\nB\t\n",
        "label\nA\nA\n",
        "label,lat\nA,45\n",
        "name\nA\n",
    ]
    .map(Vec::from)
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let read = accepted(input(data).and_then(read_universe_table));
    read.iter().for_each(survives_its_document);
    read.is_some()
}
