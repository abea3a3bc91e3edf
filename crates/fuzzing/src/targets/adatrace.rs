//! AdaTrace's points without times.

use wayveil_core::Silent;
use wayveil_io::points::import_adatrace_from;

use crate::Target;
use crate::visits::points_are_sound;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "adatrace",
    run,
    seeds,
    words: &["#0:\n", ">0:", "-73.56,45.5;", ";", ",", "\r\n", "1e-320"],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    let seeds: [&[u8]; 6] = [
        b"\x00\x00#0:\n>0:-73.56,45.5;-73.5,45.6;\n#1:\n>0:-73.56,45.5;\n",
        b"\x01\x08#a\n>0:-73.56,45.5;-73.56,45.5\n>1:-73.5,45.6;\r\n\r\n#b:\n>0:\n",
        b"\x06\x00#0:\n>0:180,-1;0,90;x,y;-73.56,45.5;1,1;\n#0:\n>0:-73.56,45.5;\n",
        b"\x00\x10#0:\n>0:-73.56,45.5;\n",
        b"\x00\x00>0:-73.56,45.5;\n",
        b"\x00\x00#0:\n>0:-73.56;\n",
    ];
    seeds.map(Vec::from).to_vec()
}

fn run(data: &[u8]) -> bool {
    points_are_sound(data, |input, options| {
        import_adatrace_from(input, options, &Silent)
    })
}
