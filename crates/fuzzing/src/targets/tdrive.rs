//! T-Drive's rows.

use wayveil_core::Silent;
use wayveil_io::points::import_tdrive_from;

use crate::Target;
use crate::visits::points_are_sound;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "tdrive",
    run,
    seeds,
    words: &[
        "1,2019-03-01 15:36:08,-73.56,45.5\n",
        "2019-03-01 15:36:08",
        "-73.56",
        "45.5",
        "\"",
        "\r\n",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    let seeds: [&[u8]; 5] = [
        b"\x00\x001,2019-03-01 15:36:08,-73.56,45.5\n1,2019-03-01 15:46:08,-73.5,45.6\n1,2019-03-01 15:46:08,-73.5,45.6\n",
        b"\x01\x1a7,2019-03-01 15:36:08,-73.56,45.5\r\n7,2019-03-01 14:00:00,-73.56,45.5\r\n\r\n8,2019-03-02 01:00:00,0,0\r\n",
        b"\x06\x041,2019-03-01 15:36:08,,45.5\n1,2019-03-01 02:59:00,-73.56,45.5\n1,2019-03-01 03:00:00,-73.56,45.5",
        b"\x00\x001,2019-03-01 15:36:08,45.5,-73.56\n",
        b"\x00\x00",
    ];
    seeds.map(Vec::from).to_vec()
}

fn run(data: &[u8]) -> bool {
    points_are_sound(data, |input, options| {
        import_tdrive_from(input, options, &Silent)
    })
}
