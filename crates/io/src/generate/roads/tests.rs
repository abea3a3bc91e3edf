use std::io::Cursor;

use wayveil_core::Silent;

use super::network::Edge;
use super::*;
use crate::input::Input;

fn read(vertices: &str, edges: &str) -> Result<RoadNetwork> {
    let input = |name: &str, text: &str| {
        Input::from_reader(name, Cursor::new(text.as_bytes().to_vec())).unwrap()
    };
    RoadNetwork::read_from(input("vertices.txt", vertices), input("edges.txt", edges))
}

const SQUARE: &str = "10 0 0\n11 100 0\n12 100 100\n13 0 100\n";

#[test]
fn what_cannot_be_moved_on_is_left_out_and_counted() {
    let vertices = format!("{SQUARE}14 5 5\n15 900 900\n16 905 905\n");
    let edges = "0 10 11 100\n1 11 12 100.5\n\n2 12 11 70\n3 12 12 1\n4 13 12 0\n5 15 16 4\n";
    let network = read(&vertices, edges).unwrap();
    assert_eq!((network.vertices(), network.edges()), (4, 3));
    let left_out = LeftOut {
        self_loops: 1,
        parallel_edges: 1,
        vertices_apart: 3,
        edges_apart: 1,
    };
    assert_eq!(network.left_out(), left_out);
    // The shorter of the parallel edges stays; the far vertices do not widen the box.
    assert_eq!(network.edges_at(1), [(0, 100_000_000), (2, 70_000_000)]);
    let grid = Grid {
        rows: 2,
        columns: 2,
    };
    assert_eq!(network.cells(grid), [0, 1, 3, 2]);
}

#[test]
fn mistakes_in_files_are_placed() {
    for (vertices, edges, file, line, column, says) in [
        ("1 0 NaN\n", "", "vertices.txt", 1, "y", "finite"),
        ("1 0 0\n2 inf 0\n", "", "vertices.txt", 2, "x", "finite"),
        ("1 0 0\n2 2e9 0\n", "", "vertices.txt", 2, "x", "within"),
        ("1 0 0\n\n1 1 0\n", "", "vertices.txt", 3, "id", "twice"),
        ("-1 0 0\n", "", "vertices.txt", 1, "id", "whole number"),
        (SQUARE, "0 10 11 5\n1 10 14 5\n", "edges.txt", 2, "to", "14"),
        (SQUARE, "0 9 11 5\n", "edges.txt", 1, "from", "vertex 9"),
        (SQUARE, "0 10 11 -5\n", "edges.txt", 1, "length", "between"),
        (SQUARE, "0 10 11 NaN\n", "edges.txt", 1, "length", "finite"),
        (SQUARE, "0 10 11 1e7\n", "edges.txt", 1, "length", "between"),
        (
            SQUARE,
            "0 10 11 1\n0 11 12 1\n",
            "edges.txt",
            2,
            "id",
            "twice",
        ),
        (SQUARE, "0 10 11\n", "edges.txt", 1, "", "3 fields"),
        (SQUARE, "0 10 11 1 1\n", "edges.txt", 1, "", "5 fields"),
    ] {
        let error = read(vertices, edges).unwrap_err();
        let place = error.place().unwrap();
        assert_eq!(
            (place.file.as_str(), place.line),
            (file, Some(line)),
            "{error}"
        );
        assert_eq!(place.column.as_deref().unwrap_or(""), column, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.advice().is_some());
    }
}

#[test]
fn a_network_needs_two_places() {
    for (vertices, edges) in [
        ("", ""),
        ("1 0 0\n", "0 1 1 5\n"),
        (SQUARE, ""),
        ("1 3 3\n2 3 3\n", "0 1 2 5\n"),
    ] {
        let error = read(vertices, edges).unwrap_err();
        assert!(error.message().contains("road network"), "{error}");
        assert!(error.advice().is_some());
    }
}

#[test]
fn the_made_up_network_has_the_size_of_the_real_one() {
    let network = made_up::network().unwrap();
    assert_eq!((network.vertices(), network.edges()), (6_105, 7_035));
    assert_eq!(network.left_out(), LeftOut::default());
    let degree = |vertex| network.edges_at(vertex).len();
    let dead_ends = (0..6_105).filter(|&vertex| degree(vertex) == 1).count();
    assert_eq!(dead_ends, 635);
    assert!((0..6_105).all(|vertex| degree(vertex) <= 4));
    let mean = network.mean_edge();
    assert!((60_000_000..110_000_000).contains(&mean), "{mean}");
    let cells = network.cells(Grid::about(64));
    let empty = (0..64).filter(|cell| !cells.contains(cell)).count();
    assert_eq!(empty, 0);
}

/// Shortest distances to a vertex by relaxing all edges as long as one helps (Bellman–Ford).
fn relaxed(network: &RoadNetwork, destination: u32) -> Vec<u64> {
    let mut distance = vec![u64::MAX; network.vertices()];
    distance[destination as usize] = 0;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for here in 0..network.vertices() as u32 {
            for &(there, length) in network.edges_at(here) {
                let through = distance[there as usize].saturating_add(length);
                if through < distance[here as usize] {
                    distance[here as usize] = through;
                    changed = true;
                }
            }
        }
    }
    distance
}

#[test]
fn ways_are_shortest() {
    let mut rng = RandomSource::insecure_seed(1).stream();
    for _ in 0..50 {
        let places: Vec<(i64, i64)> = (0..30)
            .map(|_| {
                (
                    draw::below(99, &mut rng) as i64,
                    draw::below(99, &mut rng) as i64,
                )
            })
            .collect();
        let edge = |_| Edge {
            from: draw::below(30, &mut rng) as u32,
            to: draw::below(30, &mut rng) as u32,
            length: draw::below(20, &mut rng),
        };
        let network = RoadNetwork::new(&places, (0..60).map(edge).collect(), true).unwrap();
        let mut ways = Ways::new(&network);
        for destination in 0..network.vertices() as u32 {
            ways.lead_to(destination);
            for (vertex, distance) in (0u32..).zip(relaxed(&network, destination)) {
                assert_eq!(ways.distance(vertex), distance);
                let walked = std::iter::successors(Some((vertex, 0)), |&(at, _)| ways.onward(at));
                assert_eq!(walked.map(|(_, length)| length).sum::<u64>(), distance);
            }
        }
    }
}

fn followed(network: &RoadNetwork, start: u32, step: u64, timed: Option<(u32, u32)>) -> Visits {
    let grid = Grid {
        rows: 2,
        columns: 4,
    };
    let mut ways = Ways::new(network);
    ways.lead_to(0);
    let journey = Journey {
        start,
        destination: 0,
        step,
        first_bin: timed.map_or(0, |(first, _)| first),
    };
    let bins = timed.map(|(_, bins)| bins);
    let mut visits = Visits::default();
    follow(
        network,
        grid,
        &network.cells(grid),
        &ways,
        &journey,
        bins,
        &mut visits,
    );
    visits
}

/// The square from its third corner, 200 to go by the second: cells of 25 by 50.
#[test]
fn a_vehicle_is_seen_once_in_a_step() {
    let network = read(SQUARE, "0 10 11 100\n1 11 12 100\n2 12 13 300\n").unwrap();
    let visits = followed(&network, 2, 30_000_000, None);
    // At 0 and 30 of the eastern side, 60 and 90; then at 20, 50, 80 of the southern; then there.
    assert_eq!(visits.codes, [7, 3, 1, 0]);
    let timed = followed(&network, 2, 30_000_000, Some((5, 100)));
    assert_eq!(
        (timed.codes, timed.bins),
        (vec![7, 3, 1, 0], vec![5, 7, 10, 11])
    );
    let cut = followed(&network, 2, 30_000_000, Some((5, 8)));
    assert_eq!((cut.codes, cut.bins), (vec![7, 3], vec![5, 7]));
    // Too fast to be seen but at its ends.
    assert_eq!(followed(&network, 2, 900_000_000, None).codes, [7, 0]);
    assert_eq!(followed(&network, 0, 1, None).codes, [0]);
}

#[test]
fn large_networks_have_fewer_destinations() {
    let long = 200_000;
    let places: Vec<(i64, i64)> = (0..long).map(|x| (x, 0)).collect();
    let edge = |x: u32| Edge {
        from: x,
        to: x + 1,
        length: 1,
    };
    let edges = (0..long as u32 - 1).map(edge).collect();
    let network = RoadNetwork::new(&places, edges, true).unwrap();
    let size = Size {
        records: 6_000,
        locations: 64,
        bins: None,
    };
    let journeys = draw_journeys(&network, &size, &mut RandomSource::insecure_seed(1));
    let mut destinations: Vec<u32> = journeys.iter().map(|j| j.destination).collect();
    destinations.sort_unstable();
    destinations.dedup();
    assert_eq!(destinations.len(), EFFORT / 200_000);
    assert!(journeys.iter().all(|j| j.start != j.destination));
}

/// The real network, where it is at hand.
#[test]
fn reads_the_network_of_oldenburg() {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = manifest.join("../../../shared/data/oldenburg-network");
    if !folder.is_dir() {
        println!("skipped: the network of Oldenburg is not here");
        return;
    }
    let network = RoadNetwork::read(&folder).unwrap();
    assert_eq!((network.vertices(), network.edges()), (6_105, 7_029));
    assert_eq!(network.left_out().parallel_edges, 6);
    let size = Size {
        records: 500,
        locations: 64,
        bins: None,
    };
    let mut random = RandomSource::insecure_seed(1);
    assert!(super::generate(&size, Some(&network), &mut random, &Silent).is_ok());
}
