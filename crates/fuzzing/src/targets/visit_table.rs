//! Wayveil's own tables of visits.

use wayveil_io::{VisitsOptions, export_raw_csv, read_visits, read_visits_from};

use crate::Target;
use crate::check::{accepted, input, inside, options, same, sequence_choices, survives_its_file};
use crate::scratch;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "visit-table",
    run,
    seeds,
    words: &[
        "uid",
        "trajectory,position,location",
        "bin",
        "fare",
        "1,1,A\n",
        "2,0,\n",
        "18446744073709551615",
        "\"",
        "\"\"",
        ";",
        "\t",
        "\r\n",
    ],
    longest: 1024,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "\x00trajectory,position,location\n1,1,A\n1,2,B\n2,0,\n3,7,A\n",
        "\x00uid,trajectory,position,location,bin,fare\nx,1,1,A,0,adult\nx,1,2,\"B, \"\"b\"\"\",3,adult\ny,2,0,,,\nx,3,1,A,1,\n",
        "\x09trajectory;position;location;bin\r\n1;1;A;23\r\n\r\n1;2;B;0\r\n",
        "\x03trajectory,position,location\n1,1,A\n1,2,Z\n2,1,Z\n",
        "\x00location\tposition\ttrajectory\t\"a;b\"\nA\t1\t1\t\"two\nlines\"\n",
        "\x00trajectory,position,location\n2,1,A\n1,1,A\n",
        "\x00trajectory,position,location\n",
    ]
    .map(Vec::from)
    .to_vec()
}

fn chosen_options(chosen: u8) -> VisitsOptions {
    let (universe, unknown, bins) = sequence_choices(chosen, &["A", "B", "Berri"]);
    VisitsOptions {
        unknown,
        bins,
        ..VisitsOptions::new(universe, "riders")
    }
}

fn run(data: &[u8]) -> bool {
    let (chosen, table) = options(data);
    let options = chosen_options(chosen);
    let read = input(table).and_then(|table| read_visits_from(table, &options));
    let Some((raw, summary)) = accepted(read) else {
        return false;
    };
    let summary = summary.for_publisher_only();
    let symbols = inside(&raw, |data| {
        assert_eq!(summary.records, data.trips().len() as u64);
        data.trips().symbols() as u64
    });
    assert_eq!(summary.symbols, symbols);
    // Every other row stands for a trajectory without visits.
    let without = summary.rows - symbols - summary.unknown.visits;
    assert!(without <= summary.records);
    if symbols > 0 {
        scratch::with(|folder| {
            let path = folder.join("visits.csv");
            // Some names cannot be columns; such an export is refused.
            if accepted(export_raw_csv(&path, &raw, true)).is_some() {
                let (back, _) = read_visits(&path, &options).expect("what was written can be read");
                same(&raw, &back);
            }
        });
    }
    survives_its_file(&raw);
    true
}
