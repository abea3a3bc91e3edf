//! Tracks of Geolife.

use wayveil_core::Silent;
use wayveil_io::points::import_plt_from;

use crate::Target;
use crate::visits::points_are_sound;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "plt",
    run,
    seeds,
    words: &[
        "45.5,-73.56,0,492,39744.1,2019-03-01,02:53:04\n",
        "2019-03-01",
        "02:53:04",
        "-777",
        "\"",
        "\r\n",
        "1\n2\n3\n4\n5\n6\n",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    let preamble =
        "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255\r\n0\r\n";
    let tracks = [
        "\x00\x0045.5,-73.56,0,492,39744.1,2019-03-01,02:53:04\r\n45.5,-73.57,0,-777,39744.2,2019-03-01,02:53:10\r\n",
        "\x01\x1b45.5,-73.56,0,492,39744.1,2019-03-01,02:53:04\n45.5,-73.56,0,492,39744.1,2019-03-01,04:53:04\n",
        "\x06\x3445.5,400,0,492,39744.1,2019-03-01,02:53:04\n45.5,-73.56,0,492,39744.1,2019-03-02,23:59:59\n",
        "\x00\x00",
    ];
    let track = |track: &str| {
        let (options, rows) = track.split_at(2);
        format!("{options}{preamble}{rows}").into_bytes()
    };
    let mut seeds = tracks.map(track).to_vec();
    seeds.push(b"\x00\x00only\none\n".to_vec());
    seeds
}

fn run(data: &[u8]) -> bool {
    points_are_sound(data, |input, options| {
        import_plt_from(input, "x", options, &Silent)
    })
}
