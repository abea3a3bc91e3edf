//! Road networks: vertices and, after the byte 1D, edges.

use std::sync::Arc;

use wayveil_core::{RandomSource, Silent};
use wayveil_io::generate::{GenerateOptions, Preset, RoadNetwork, generate};

use crate::Target;
use crate::check::{accepted, input, inside};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "network",
    run,
    seeds,
    words: &[
        "\x1d",
        "1000000000",
        "-1000000000",
        "1000000",
        "1e-7",
        "18446744073709551615",
        "\t",
        "\r\n",
    ],
    longest: 512,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "1 0 0\n2 3 4\n3 6.5 0\n\x1d1 1 2 5\n2 2 3 4.5\n3 3 1 6.5\n",
        "7 -1e9 -1e9\n8 1e9 1e9\n9 0 0\n10 1 1\r\n\x1d0 7 8 1e6\n1 8 7 0\n2 7 7 1\n3 9 9 1\n",
        "1 0 0\n2 0 0.000001\n\x1d1 1 2 0\n",
        "1 0 0\n2 0 0\n\x1d1 1 2 0\n",
        "1 0 0\n1 1 1\n\x1d",
        "1 0 0\n\x1d1 1 2 3\n",
    ]
    .map(Vec::from)
    .to_vec()
}

/// Lines of a file that say something, where they are plain text.
fn rows(bytes: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let says_something = |line: &&str| line.split_ascii_whitespace().next().is_some();
    Some(text.split('\n').filter(says_something).count())
}

fn run(data: &[u8]) -> bool {
    let mut parts = data.splitn(2, |&byte| byte == 0x1d);
    let vertices = parts.next().unwrap_or_default();
    let edges = parts.next().unwrap_or_default();
    let read = input(vertices).and_then(|vertices| RoadNetwork::read_from(vertices, input(edges)?));
    let Some(network) = accepted(read) else {
        return false;
    };
    assert!(network.vertices() >= 2 && network.edges() + 1 >= network.vertices());
    let left_out = network.left_out();
    // Nothing is dropped without being counted.
    if let Some(rows) = rows(vertices) {
        assert_eq!(rows, network.vertices() + left_out.vertices_apart as usize);
    }
    if let Some(rows) = rows(edges) {
        let unused = left_out.self_loops + left_out.parallel_edges + left_out.edges_apart;
        assert_eq!(rows, network.edges() + unused as usize);
    }
    let options = GenerateOptions {
        records: Some(2),
        locations: Some(9),
        network: Some(Arc::new(network)),
        ..GenerateOptions::default()
    };
    let mut random = RandomSource::insecure_seed_for("fuzzing", 3);
    let made = generate(Preset::Oldenburg, &options, &mut random, &Silent);
    let made = made.expect("vehicles can move on any network");
    inside(&made, |data| assert_eq!(data.trips().len(), 2));
    true
}
