use super::*;

const SIZES: [&[(Mode, u32)]; 9] = [
    &[(Mode::Metro, 2)],
    &[(Mode::Metro, 17)],
    &[(Mode::Metro, 68)],
    &[(Mode::Metro, 5_000)],
    &[(Mode::Bus, 2)],
    &[(Mode::Bus, 944)],
    &[(Mode::Metro, 1), (Mode::Bus, 1)],
    &[(Mode::Metro, 68), (Mode::Bus, 944)],
    &[(Mode::Metro, 1_000), (Mode::Bus, 14_000)],
];

#[test]
fn every_network_is_whole() {
    for sizes in SIZES {
        let network = Network::build(sizes);
        let wanted: u32 = sizes.iter().map(|&(_, stations)| stations).sum();
        assert_eq!(network.stations.len() as u32, wanted);
        assert!((0..wanted).all(|station| !network.calls(station).is_empty()));
        assert_eq!(reached(&network), wanted as usize, "{sizes:?} falls apart");
        for (index, station) in (0u32..).zip(&network.stations) {
            let lowest = network.calls(index)[0].line;
            assert!(station.line <= lowest, "{index} belongs to a higher line");
        }
        for line in &network.lines {
            let mut stops = line.stops.clone();
            stops.sort_unstable();
            stops.dedup();
            assert_eq!(
                stops.len(),
                line.stops.len(),
                "a line stops twice at a station"
            );
        }
    }
}

fn reached(network: &Network) -> usize {
    let mut seen = vec![false; network.stations.len()];
    let mut to_visit = vec![0u32];
    while let Some(station) = to_visit.pop() {
        if !std::mem::replace(&mut seen[station as usize], true) {
            for call in network.calls(station) {
                to_visit.extend(&network.lines[call.line as usize].stops);
            }
        }
    }
    seen.into_iter().filter(|&seen| seen).count()
}

#[test]
fn lines_have_the_size_of_lines_and_cross() {
    for sizes in SIZES.into_iter().filter(|sizes| sizes[0].1 >= 34) {
        let network = Network::build(sizes);
        let mut own = vec![0; network.lines.len()];
        for station in &network.stations {
            own[station.line as usize] += 1;
        }
        assert!(own.iter().all(|own| (14..=36).contains(own)), "{own:?}");
        let stops: usize = network.lines.iter().map(|line| line.stops.len()).sum();
        let changes = stops - network.stations.len();
        assert!(
            changes >= network.lines.len(),
            "{sizes:?}: {changes} changes"
        );
    }
}

#[test]
fn neighbours_on_a_line_are_near_and_the_city_is_a_city() {
    let network = Network::build(&[(Mode::Metro, 68), (Mode::Bus, 944)]);
    for line in &network.lines {
        for pair in line.stops.windows(2) {
            let apart = network.distance(pair[0], pair[1]);
            assert!((0.02..4.0).contains(&apart), "{apart} km between {pair:?}");
        }
    }
    let centre = Point::default();
    let far = network
        .stations
        .iter()
        .map(|s| s.at.distance(centre))
        .fold(0.0, f64::max);
    assert!((6.0..=25.0).contains(&far), "the city reaches {far} km");
}
