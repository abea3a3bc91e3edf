//! Taxis: points, and trips over a grid.

use std::collections::HashSet;
use std::io::Read;

use wayveil_core::{Origin, Owners, RandomSource, Silent};
use wayveil_io::generate::taxi::{AREA, Fix, points, save_points_csv, write_points_csv};
use wayveil_io::generate::{GenerateOptions, Preset};

use super::{look, made, on_threads, sized, timed};

fn fixes(taxis: u32, seed: u64) -> Vec<Fix> {
    points(taxis, &mut RandomSource::insecure_seed(seed)).collect()
}

fn csv(taxis: u64, cut: Option<u64>, seed: u64) -> (String, u64) {
    let mut bytes = Vec::new();
    let mut random = RandomSource::insecure_seed(seed);
    let written = write_points_csv(&mut bytes, taxis, cut, &mut random).unwrap();
    (String::from_utf8(bytes).unwrap(), written)
}

/// Metres between two fixes.
fn apart(one: &Fix, other: &Fix) -> f64 {
    let y = (one.lat() - other.lat()) * 111_200.0;
    let x = (one.lng() - other.lng()) * 77_940.0;
    x.hypot(y)
}

#[test]
fn taxis_drive_like_taxis() {
    let fixes = fixes(40, 1);
    let [south, west, north, east] = AREA;
    let inside =
        |fix: &Fix| (south..=north).contains(&fix.lat()) && (west..=east).contains(&fix.lng());
    assert!(fixes.iter().all(inside));
    let mean = fixes.len() / 40;
    assert!((2_500..2_900).contains(&mean), "{mean} points per taxi");
    let (mut breaks, mut standing, mut fast) = (0, 0, 0);
    let mut pairs = 0;
    for pair in fixes.windows(2).filter(|pair| pair[0].taxi == pair[1].taxi) {
        let seconds = pair[1].seconds - pair[0].seconds;
        if seconds > 120 {
            assert!(seconds > 3_600, "a break of {seconds} s");
            assert!(pair[0].trip < pair[1].trip);
            breaks += 1;
            continue;
        }
        assert!(seconds >= 30);
        assert!((0..=1).contains(&(pair[1].trip - pair[0].trip)));
        let speed = apart(&pair[0], &pair[1]) / seconds as f64;
        assert!(speed < 22.0, "{speed} m/s: {pair:?}");
        pairs += 1;
        standing += u32::from(speed < 0.5);
        fast += u32::from(speed > 7.0);
    }
    // Six shifts each.
    assert_eq!(breaks, 40 * 5);
    assert!((pairs / 10..pairs / 2).contains(&standing), "{standing}");
    assert!((pairs / 2..pairs * 3 / 4).contains(&fast), "{fast}");
}

/// Apart from jitter of at most 5.1 m a taxi is on a street: one of its coordinates is a multiple of
/// 250 m.
#[test]
fn taxis_keep_to_the_streets() {
    for fix in fixes(3, 2) {
        let off = |degrees: f64, metres_per_degree: f64| {
            let metres = degrees * metres_per_degree / 250.0;
            (metres - metres.round()).abs() * 250.0
        };
        let x = off(fix.lng() - AREA[1], 77_940.0);
        let y = off(fix.lat() - AREA[0], 111_200.0);
        assert!(x.min(y) < 5.4, "{x} {y} {fix:?}");
    }
}

#[test]
fn hot_spots_are_hot() {
    look(&made(Preset::Taxi, sized(30, None), 3), |data| {
        let mut visits = vec![0u32; 1_024];
        data.trips()
            .codes()
            .iter()
            .for_each(|&cell| visits[cell as usize] += 1);
        let mean = data.trips().symbols() as u32 / 1_024;
        let airport = visits[5 * 32 + 28];
        let corner = visits[0];
        assert!(
            airport > 4 * mean && corner < mean,
            "{airport} {mean} {corner}"
        );
        let middle: u32 = (12..20)
            .map(|row| visits[row * 32 + 12..row * 32 + 20].iter().sum::<u32>())
            .sum();
        assert!(middle > 64 * mean * 3, "{middle} {mean}");
    });
}

#[test]
fn a_table_holds_the_points() {
    let (text, written) = csv(70, None, 4);
    let fixes = fixes(70, 4);
    assert_eq!(written, fixes.len() as u64);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("uid,lat,lng,datetime"));
    for (line, fix) in lines.by_ref().zip(&fixes) {
        let instant = jiff::Timestamp::from_second(fix.seconds).unwrap();
        let (lat, lng) = (fix.lat(), fix.lng());
        let wanted = format!("t{:07},{lat:.6},{lng:.6},{instant}", fix.taxi + 1);
        assert_eq!(line, wanted);
    }
    assert_eq!(lines.next(), None);

    for cut in [0, 1, 2_000, written - 1, written, written + 9] {
        let (part, rows) = csv(70, Some(cut), 4);
        assert_eq!(rows, cut.min(written));
        assert_eq!(part.lines().count() as u64, rows + 1);
        assert!(text.starts_with(&part));
    }
    assert!(write_points_csv(Vec::new(), 0, None, &mut RandomSource::insecure_seed(1)).is_err());
}

#[test]
fn threads_do_not_change_a_table() {
    let on = |threads| on_threads(threads, || csv(70, Some(150_000), 5));
    assert!(on(1) == on(2));
}

#[test]
fn a_packed_table_unpacks_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str| {
        let path = folder.path().join(name);
        let mut random = RandomSource::insecure_seed(6);
        let points = save_points_csv(&path, 3, &mut random, false, &Silent).unwrap();
        (std::fs::read(path).unwrap(), points)
    };
    let (plain, points) = save("a.csv");
    let (packed, same) = save("a.csv.gz");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice())
        .read_to_end(&mut text)
        .unwrap();
    assert!(packed.len() < plain.len() / 2);
    assert!(text == plain && points == same);
}

#[test]
fn trips_are_the_points_on_a_grid() {
    let raw = made(Preset::Taxi, timed(5, Some(100), 168), 7);
    let fixes = fixes(5, 7);
    look(&raw, |data| {
        let origin = "generator taxi, 10 rows and 10 columns".to_owned();
        assert_eq!(data.universe().origin(), &Origin::Declared(origin));
        assert_eq!(
            data.time().unwrap().clock.as_ref().unwrap().bin_seconds,
            3600
        );
        let Owners::Known { of_record, labels } = data.owners() else {
            panic!("owners are not known");
        };
        assert_eq!((labels.len(), labels.get(4)), (5, "t0000005"));
        // The slow way: trip by trip, the nearest of all cells' centres.
        let nearest = |fix: &Fix| {
            let off = |code: &u32| {
                let at = data.universe().locations()[*code as usize].at.unwrap();
                let (x, y) = ((at.lng - fix.lng()) / 0.3, (at.lat - fix.lat()) / 0.2);
                ((x.abs().max(y.abs())) * 1e9) as u64
            };
            (0..100).min_by_key(off).unwrap()
        };
        let trips = fixes.chunk_by(|a, b| (a.taxi, a.trip) == (b.taxi, b.trip));
        let mut count = 0;
        for (record, trip) in trips.enumerate() {
            let mut visits: Vec<(u32, u32)> = Vec::new();
            for fix in trip {
                let cell = nearest(fix);
                if visits.last().is_none_or(|last| last.0 != cell) {
                    let hour = (fix.seconds - 1_709_510_400) / 3600;
                    visits.push((cell, hour as u32));
                }
            }
            let codes = data.trips().codes_of(record).iter().copied();
            let found: Vec<(u32, u32)> = codes
                .zip(data.trips().bins_of(record).iter().copied())
                .collect();
            assert_eq!(found, visits);
            assert_eq!(of_record[record], trip[0].taxi);
            count += 1;
        }
        assert_eq!(data.trips().len(), count);
    });
}

#[test]
fn sizes_scale() {
    for (locations, rows, columns) in [(2, 2, 1), (50, 7, 7), (1_024, 32, 32), (100_000, 316, 316)]
    {
        look(&made(Preset::Taxi, sized(2, Some(locations)), 8), |data| {
            assert_eq!(data.universe().len(), rows * columns);
            let used: HashSet<u32> = data.trips().codes().iter().copied().collect();
            assert!(used.len() > 1);
            assert!(data.time().is_none());
        });
    }
    for bins in [1, 7, 1_000_000] {
        look(&made(Preset::Taxi, timed(2, None, bins), 9), |data| {
            assert_eq!(data.time().unwrap().bins, bins);
        });
    }
    let info = Preset::Taxi.info();
    assert_eq!((info.records, info.locations), (500, 1_024));
    assert!(GenerateOptions::default().network.is_none());
}
