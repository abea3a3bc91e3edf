//! k-means of places in a city, beside scikit-learn.
//!
//! Both begin at the same centres and move them as often. scikit-learn is given unit vectors, which it
//! need not compute; its centres are means within the ball, ours are brought back to the sphere, which
//! in a city is no difference but for rounding. So nearly all places must be in the same cluster on both
//! sides, and the sums of squared distances equal, before anything is timed.

use std::hint::black_box;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::Command;

use wayveil_core::{Coordinate, RandomSource};
use wayveil_mechanisms::generalize::kmeans::{Clustering, k_means, plus_plus};
use wayveil_noise::{Stream, below};

use super::python::{self, Missing, Talk};
use super::{Benchmark, Effort};
use crate::report::{Comparison, Goal};
use crate::rounds::{Work, interleaved};

const CLUSTERS: usize = 200;
const ROUNDS: u32 = 20;
/// From nanoseconds to milliseconds.
const MILLISECONDS: u64 = 1_000_000;

const PACKAGES: [&str; 6] = [
    "scikit-learn==1.9.1",
    "numpy==2.4.6",
    "scipy==1.17.1",
    "joblib==1.6.0",
    "threadpoolctl==3.8.0",
    "narwhals==2.28.0",
];

/// Clusters for each line, which names the algorithm and a file for the clusters of the points (or `-`);
/// answers with the number of rounds.
const PROGRAM: &str = r#"
import sys
import numpy
from sklearn.cluster import KMeans

points = numpy.fromfile(sys.argv[1]).reshape(-1, 3)
start = numpy.fromfile(sys.argv[2]).reshape(-1, 3)
for line in sys.stdin:
    algorithm, file = line.split()
    found = KMeans(n_clusters=len(start), init=start, n_init=1, max_iter=int(sys.argv[3]), tol=0,
                   algorithm=algorithm).fit(points)
    if file != "-":
        found.labels_.astype("<u4").tofile(file)
    print(found.n_iter_, flush=True)
"#;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "kmeans",
    about: "k-means of places into 200 clusters, beside scikit-learn",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    match beside_peer(effort) {
        Ok(comparisons) => Ok(comparisons),
        Err(Missing::Left(why)) => {
            eprintln!("kmeans: the comparison with scikit-learn is left out: {why}");
            Ok(Vec::new())
        }
        Err(Missing::Failed(why)) => Err(why),
    }
}

fn beside_peer(effort: Effort) -> Result<Vec<Comparison>, Missing> {
    let python = python::environment("bench-sklearn", "import sklearn.cluster", &PACKAGES)
        .map_err(Missing::Left)?;
    compare(effort, &python).map_err(Missing::Failed)
}

fn compare(effort: Effort, python: &Path) -> Result<Vec<Comparison>, String> {
    let (rounds, number) = match effort {
        Effort::Quick => (2, 50_000),
        Effort::Full => (5, 1_000_000),
    };
    let mut rng = RandomSource::insecure_seed(11).stream();
    let places = city(number, &mut rng);
    let start = plus_plus(&places, None, CLUSTERS, &mut rng).map_err(|e| e.to_string())?;
    let cluster = || k_means(&places, None, &start, ROUNDS).map_err(|e| e.to_string());
    let found = cluster()?;

    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (points, centres) = (folder.path().join("points"), folder.path().join("start"));
    write(&points, &places)?;
    write(&centres, &start)?;
    let mut program = Command::new(python);
    program.args(["-c", PROGRAM]).arg(&points).arg(&centres);
    program.arg(ROUNDS.to_string());
    let mut peer = Talk::start("scikit-learn", program)?;

    let mut comparisons = Vec::new();
    for (algorithm, peer_name) in [
        ("lloyd", "scikit-learn lloyd"),
        ("elkan", "scikit-learn elkan"),
    ] {
        let labels = folder.path().join("labels");
        peer.answer(&format!("{algorithm} {}", labels.display()))?;
        agree(&places, &found, &read(&labels)?)?;
        let mut ours = || cluster().map(|found| drop(black_box(found)));
        let mut theirs = || peer.answer(&format!("{algorithm} -")).map(drop);
        let (ours, peer) = interleaved(rounds, work(&mut ours), work(&mut theirs))?;
        comparisons.push(Comparison {
            case: format!("{number} places, {CLUSTERS} clusters, {ROUNDS} rounds"),
            unit: "ms",
            peer_name,
            ours,
            peer,
            goal: Goal::ratio(1.0),
            size: None,
        });
    }
    Ok(comparisons)
}

fn work(run: &mut dyn FnMut() -> Result<(), String>) -> Work<'_> {
    Work {
        run,
        units: MILLISECONDS,
    }
}

/// Most places lie about 500 busy spots of a city of 60 km, the others anywhere in it.
fn city(number: usize, rng: &mut Stream) -> Vec<Coordinate> {
    let mut upto = |most: u64| NonZeroU64::new(most).map_or(0, |most| below(most, rng)) as f64;
    let spots: Vec<(f64, f64)> = (0..500)
        .map(|_| (39.6 + upto(600_000) * 1e-6, 116.1 + upto(700_000) * 1e-6))
        .collect();
    (0..number)
        .map(|_| match upto(10) < 8.0 {
            true => {
                // The sum of three uniform steps: nearly a bell, some hundred metres wide.
                let (lat, lng) = spots[upto(500) as usize];
                let mut step = || (upto(1000) + upto(1000) + upto(1000) - 1500.0) * 1e-5;
                Coordinate {
                    lat: lat + step(),
                    lng: lng + step(),
                }
            }
            false => Coordinate {
                lat: 39.6 + upto(600_000) * 1e-6,
                lng: 116.1 + upto(700_000) * 1e-6,
            },
        })
        .collect()
}

fn vector(place: &Coordinate) -> [f64; 3] {
    let (lat, lng) = (place.lat.to_radians(), place.lng.to_radians());
    [lat.cos() * lng.cos(), lat.cos() * lng.sin(), lat.sin()]
}

fn write(file: &Path, places: &[Coordinate]) -> Result<(), String> {
    let bytes: Vec<u8> = places
        .iter()
        .flat_map(vector)
        .flat_map(f64::to_ne_bytes)
        .collect();
    std::fs::write(file, bytes).map_err(|e| e.to_string())
}

fn read(file: &Path) -> Result<Vec<u32>, String> {
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let word = |bytes: &[u8]| bytes.try_into().map_or(u32::MAX, u32::from_le_bytes);
    Ok(bytes.chunks_exact(4).map(word).collect())
}

/// At most one place in a thousand lies in another cluster, and the sums of squared distances from the
/// clusters' means differ by less than a thousandth.
fn agree(places: &[Coordinate], ours: &Clustering, theirs: &[u32]) -> Result<(), String> {
    let other = ours
        .of_point
        .iter()
        .zip(theirs)
        .filter(|(a, b)| a != b)
        .count();
    let sums = [&ours.of_point[..], theirs].map(|clusters| spread(places, clusters));
    let differ = (sums[0] / sums[1] - 1.0).abs();
    if theirs.len() != places.len()
        || other * 1000 > places.len()
        || differ.is_nan()
        || differ > 1e-3
    {
        return Err(format!(
            "scikit-learn puts {other} of {} places into other clusters, and the sums of squared \
             distances are {:e} and {:e}",
            places.len(),
            sums[0],
            sums[1]
        ));
    }
    Ok(())
}

/// The sum of squared distances from the clusters' means.
fn spread(places: &[Coordinate], clusters: &[u32]) -> f64 {
    let mut sums = vec![([0.0; 3], 0.0); CLUSTERS];
    let members = || places.iter().map(vector).zip(clusters);
    for (vector, &cluster) in members() {
        let Some((sum, number)) = sums.get_mut(cluster as usize) else {
            return f64::NAN;
        };
        (0..3).for_each(|axis| sum[axis] += vector[axis]);
        *number += 1.0;
    }
    let squared = |(vector, &cluster): ([f64; 3], &u32)| {
        let (sum, number) = sums[cluster as usize];
        let axis = |axis: usize| (vector[axis] - sum[axis] / number).powi(2);
        (0..3).map(axis).sum::<f64>()
    };
    members().map(squared).sum()
}
