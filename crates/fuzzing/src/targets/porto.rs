//! Porto's trips.

use wayveil_core::Silent;
use wayveil_io::points::import_porto_from;

use crate::Target;
use crate::visits::points_are_sound;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "porto",
    run,
    seeds,
    words: &[
        "TAXI_ID",
        "TIMESTAMP",
        "POLYLINE",
        "MISSING_DATA",
        "True",
        "1551423600",
        "\"[[-73.56,45.5],[-73.57,45.5]]\"",
        "[",
        "],[",
        "[]",
        "\"",
        "9999-12-30",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    let seeds: [&[u8]; 5] = [
        b"\x00\x00\"TRIP_ID\",\"TAXI_ID\",\"TIMESTAMP\",\"MISSING_DATA\",\"POLYLINE\"\n\"T1\",\"7\",\"1551423600\",\"False\",\"[[-73.56,45.5],[-73.5,45.6],[-73.5,45.6]]\"\n\"T2\",\"7\",\"1551420000\",\"True\",\"[]\"\n",
        b"\x01\x19TAXI_ID,TIMESTAMP,POLYLINE\n7,1551423600,\"[[-73.56, 45.5] , [-73.56,45.5]]\"\n8,1551423599,\"[[0,0]]\"\n",
        b"\x06\x31POLYLINE;TAXI_ID;TIMESTAMP\n[[-73.56,45.5],[x,1],[-73.56,45.5]];7;9999-12-30\n",
        b"\x00\x00TAXI_ID,TIMESTAMP,POLYLINE\n7,1551423600,\"[[-73.56,45.5],]\"\n",
        b"\x00\x00TAXI_ID,POLYLINE\n7,[]\n",
    ];
    seeds.map(Vec::from).to_vec()
}

fn run(data: &[u8]) -> bool {
    points_are_sound(data, |input, options| {
        import_porto_from(input, options, &Silent)
    })
}
