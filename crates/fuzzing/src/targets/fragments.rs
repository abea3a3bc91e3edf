//! Tables of released fragments.

use wayveil_core::Universe;
use wayveil_io::{read_fragments_from, write_fragments_to};

use crate::Target;
use crate::check::{accepted, input};
use crate::samples::labels;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "fragments",
    run,
    seeds,
    words: &[
        "fragment,count,length,standard_error,low,high\n",
        "B%20b",
        "%2C%22",
        "A A,7,2,1.5,3,9\n",
        ",1e308,",
        ",NaN,",
        ",-0,",
        "18446744073709551615",
        "\r\n",
        "\"\"",
    ],
    longest: 512,
};

/// Labels that must be quoted, or encoded, or both.
fn universe() -> Universe {
    labels(&["A", "B b", "50%,\"\u{e9}\"", "a@b", "\u{feff}"])
}

fn seeds() -> Vec<Vec<u8>> {
    let header = "fragment,count,length,standard_error,low,high\n";
    [
        "",
        "A,9,1,0.5,8,10\nB%20b,9,1,0.5,8,10\nA B%20b,3,2,0.0,3,3\nB%20b A,2,2,1e-300,0,4\n",
        "a%40b,0,1,-0,0,0\r\n\n%EF%BB%BF A A,18446744073709551615,3,1e308,0,18446744073709551615",
        "\"50%25,\"\"\u{e9}\"\"\",4,1,1,4,4\n",
        "A,4,1,1,4,4\nA,3,1,1,3,3\n",
        "A,4,1,NaN,4,4\n",
        "A  A,4,3,1,4,4\n",
    ]
    .map(|rows| [header, rows].concat().into_bytes())
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let universe = universe();
    let read = |bytes: &[u8]| input(bytes).and_then(|input| read_fragments_from(input, &universe));
    let Some(fragments) = accepted(read(data)) else {
        return false;
    };
    fragments
        .check(universe.len())
        .expect("what was read makes sense");
    let mut written = Vec::new();
    write_fragments_to(&mut written, &fragments, &universe).expect("memory takes bytes");
    let again = read(&written).expect("what was written can be read");
    assert_eq!(again, fragments);
    true
}
