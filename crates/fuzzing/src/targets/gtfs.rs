//! Timetables: `routes.txt`, `trips.txt`, `stop_times.txt` and `stops.txt`, each after the byte 1D
//! but the first. A file whose part is missing does not exist.

use std::fs;

use wayveil_io::read_gtfs_lines;

use crate::Target;
use crate::check::{accepted, put, survives_its_document};
use crate::{samples, scratch};

const FILES: [&str; 4] = ["routes.txt", "trips.txt", "stop_times.txt", "stops.txt"];

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "gtfs",
    run,
    seeds,
    words: &[
        "\x1d",
        "route_id",
        "route_short_name",
        "trip_id",
        "stop_id",
        "stop_code",
        "location_type",
        "parent_station",
        "\"",
        ",",
        "\r\n",
    ],
    longest: 2048,
};

fn seeds() -> Vec<Vec<u8>> {
    let routes = "route_id,route_short_name\nr1,green\nr2,\n r3 ,green\n";
    let trips = "route_id,trip_id\nr1,t1\nr2,t2\nr3,t3\n";
    let times = "trip_id,stop_id,stop_sequence\nt1,S1,1\nt1,S2,2\nt2,S3,1\nt3,S1,1\nt3,S1,9\n";
    let stops = "stop_id,stop_code,location_type,parent_station\nS1,11,0,\nS2,12,0,S3\nS3,13,1,\n";
    let coded = "stop_id,stop_code\nx,S1\ny,S2\nz,S3\n";
    let coded_times = "trip_id,stop_id\nt1,x\nt1,y\nt2,z\n";
    [
        vec![routes, trips, times],
        vec![routes, trips, times, stops],
        vec![routes, trips, coded_times, coded],
        vec![routes, trips],
        vec![
            "\u{feff}route_id\n\"r\"\"1\"\n",
            "trip_id,route_id\nt,\"r\"\"1\"\n",
            times,
        ],
    ]
    .map(|parts| parts.join("\x1d").into_bytes())
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let universe = samples::labels(&["S1", "S2", "S3"]);
    let read = scratch::with(|folder| {
        let mut parts = data.splitn(FILES.len(), |&byte| byte == 0x1d);
        for file in FILES {
            match parts.next() {
                Some(part) => put(&folder.join(file), part),
                // Most often there was none.
                None => drop(fs::remove_file(folder.join(file))),
            }
        }
        read_gtfs_lines(folder, &universe)
    });
    let Some(taxonomy) = accepted(read) else {
        return false;
    };
    let universe = universe.with_taxonomy(taxonomy);
    survives_its_document(&universe.expect("made for this universe"));
    true
}
