//! The paper's method as it is printed. It keeps no differential privacy at all.
//!
//! # The steps
//! 1. Cluster the points of the data by k-means into K.
//! 2. Leave out as many randomly chosen trajectories as there will be decoys, so that the size of the
//!    database stays.
//! 3. Replace each point by its cluster; merge equal trajectories and count them.
//! 4. Add n₁ decoys of at least 25 points, each of a random cluster, with count 0. (A decoy that equals
//!    a trajectory disappears in it: 0 is added to its count.)
//! 5. Let μ be the mean count of the trajectories, Δf the largest difference between two of them, b =
//!    Δf/μ. Add to each count, and to the 0 of each decoy, Laplace noise of scale b about μ that is drawn
//!    again until it lies in (0, 2μ).
//!
//! # What the paper leaves open, and how it is read
//! - The location of the noise is not said. In the middle of its interval it is symmetric: μ.
//! - μ and Δf are of the n₁ counts `tc` of the first loop, which are those of real trajectories: the
//!   second loop adds noise to nothing. (The text calls the number of decoys n₁.) The example in the
//!   paper's picture needs this reading: noise of 1.93 is beyond 2μ if decoys count as zeros.
//! - Δf = 0, as when all trajectories differ, gives b = 0: the noise is μ itself. Every trajectory is
//!   then released with count 2 and every decoy with count 1.
//! - The check at the beginning, α < β, must be meant the other way round.
//! - The algorithm ends with ⊥ where there is no count; so it does here, by a refusal.
//! - Time stamps are made but not released: the printed release has clusters and counts only.
//!
//! # Why it promises nothing
//! The noise never lowers a count and its range and scale come from the data, as do the centres. A
//! release that is possible with a person in the data is impossible without them, so no ε holds.

use wayveil_core::{Coordinate, Error, RandomSource, Result, Sequences};
use wayveil_noise::choose_distinct;

use super::canonical::Canonical;
use super::decoys::{Drawing, Style, decoys};
use super::kmeans::{k_means, plus_plus};
use super::merge::merge;

/// k-means stops after this many rounds if it has not settled.
const ROUNDS: u32 = 300;

/// The paper's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsPublished {
    /// K.
    pub clusters: usize,
    /// n₁, of the text.
    pub decoys: u32,
    /// The least points of a decoy. The most are those of the longest trajectory.
    pub shortest_decoy: u32,
}

impl Default for AsPublished {
    /// The paper's experiment.
    fn default() -> Self {
        Self {
            clusters: 20,
            decoys: 50,
            shortest_decoy: 25,
        }
    }
}

/// The release of the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Trajectories of clusters, decoys among them, in the order of their clusters.
    pub trajectories: Sequences,
    /// The noisy count of each.
    pub counts: Vec<f64>,
    /// The centres of the clusters.
    pub centres: Vec<Coordinate>,
    /// For each cluster, the visited location nearest to its centre.
    pub places: Vec<u32>,
    /// The cluster of each location; the first for those that nobody visited.
    pub of_location: Vec<u32>,
}

impl Published {
    /// How records became trajectories.
    pub fn canonical(&self) -> Canonical<'_> {
        canonical(&self.of_location, self.centres.len())
    }
}

fn canonical(cluster_of_location: &[u32], clusters: usize) -> Canonical<'_> {
    Canonical {
        cluster_of_location,
        clusters,
        time: None,
        collapse: false,
        windows: None,
    }
}

impl AsPublished {
    /// Does it. Records are trajectories of locations that have places.
    pub fn run(
        &self,
        records: &Sequences,
        places: &[Coordinate],
        random: &mut RandomSource,
    ) -> Result<Published> {
        let visits = visits(records, places.len())?;
        if records.codes().is_empty() {
            return Err(Error::refused("no trajectory has a point").hint(
                "the published method clusters the points of the data: give data with visits",
            ));
        }
        let visited: Vec<u32> = (0..places.len() as u32)
            .filter(|&place| visits[place as usize] > 0)
            .collect();
        let points: Vec<Coordinate> = visited.iter().map(|&at| places[at as usize]).collect();
        let weights: Vec<u32> = visited.iter().map(|&at| visits[at as usize]).collect();
        let rng = &mut random.stream();
        let start = plus_plus(&points, Some(&weights), self.clusters, rng)?;
        let clustering = k_means(&points, Some(&weights), &start, ROUNDS)?;
        let mut cluster_of_location = vec![0; places.len()];
        for (&place, &cluster) in visited.iter().zip(&clustering.of_point) {
            cluster_of_location[place as usize] = cluster;
        }
        let canonical = canonical(&cluster_of_location, clustering.centres.len());
        let kept = self.kept(records, rng)?;
        let merged = merge(&canonical.journeys(&kept, random)?.sequences, None)?;
        let noise = BoundedLaplace::of(&merged.counts).ok_or_else(nothing_left)?;
        let longest = (0..records.len())
            .map(|record| records.length(record))
            .max();
        let longest = longest.unwrap_or(0).max(self.shortest_decoy as usize) as u32;
        let made_up = decoys(
            self.decoys as usize,
            &Drawing {
                style: Style::Uniform,
                lengths: self.shortest_decoy..=longest,
                stays: true,
            },
            canonical.symbols()?,
            &Sequences::empty(false),
            &[],
            rng,
        );
        let mut all: Vec<(&[u32], u64)> = merged.keys.iter().zip(merged.counts).collect();
        all.extend(made_up.iter().map(|decoy| (decoy, 0)));
        // A trajectory before the decoy that equals it.
        all.sort_unstable_by_key(|&(key, count)| (key, std::cmp::Reverse(count)));
        all.dedup_by_key(|(key, _)| *key);
        Ok(Published {
            trajectories: Sequences::from_codes(all.iter().map(|(key, _)| key)),
            counts: all
                .iter()
                .map(|&(_, count)| count as f64 + noise.draw(rng))
                .collect(),
            places: clustering
                .representatives(&points)
                .into_iter()
                .map(|point| visited[point as usize])
                .collect(),
            centres: clustering.centres,
            of_location: cluster_of_location,
        })
    }

    /// The trajectories that no decoy takes the place of.
    fn kept<R: rand_core::Rng>(&self, records: &Sequences, rng: &mut R) -> Result<Sequences> {
        let kept = (records.len() as u64).saturating_sub(self.decoys.into());
        let chosen = choose_distinct(records.len() as u64, kept, rng).unwrap_or_default();
        if chosen.is_empty() {
            return Err(nothing_left());
        }
        Ok(Sequences::from_codes(
            chosen
                .into_iter()
                .map(|record| records.codes_of(record as usize)),
        ))
    }
}

fn nothing_left() -> Error {
    Error::refused("no trajectory would be left: decoys take the place of as many")
        .hint("ask for fewer --decoys, or leave out --as-published")
}

/// How often each location is visited.
fn visits(records: &Sequences, places: usize) -> Result<Vec<u32>> {
    let mut visits = vec![0u32; places];
    for &code in records.codes() {
        let visits = visits.get_mut(code as usize).ok_or_else(|| {
            Error::input(format!(
                "location code {code} lies outside the universe of {places} locations"
            ))
        })?;
        *visits = visits.saturating_add(1);
    }
    Ok(visits)
}

/// Laplace noise about μ, of scale b, drawn again until it lies in (0, 2μ).
#[derive(Clone, Copy, Debug, PartialEq)]
struct BoundedLaplace {
    mean: f64,
    scale: f64,
}

impl BoundedLaplace {
    /// None where there is no count.
    fn of(counts: &[u64]) -> Option<Self> {
        let (least, greatest) = (counts.iter().min()?, counts.iter().max()?);
        let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        (mean > 0.0).then(|| Self {
            mean,
            scale: (greatest - least) as f64 / mean,
        })
    }

    /// Drawn at once from the law that drawing again leads to: the distance from μ is exponential,
    /// given that it is below μ. Drawing again could take very long where counts differ much.
    fn draw<R: rand_core::Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let word = rng.next_u64();
        if self.scale == 0.0 {
            return self.mean;
        }
        let uniform = (word >> 11) as f64 / (1u64 << 53) as f64;
        let inside = -(-self.mean / self.scale).exp_m1();
        let distance = -self.scale * (-uniform * inside).ln_1p();
        match word & 1 {
            0 => self.mean - distance,
            _ => self.mean + distance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinate {
        Coordinate { lat, lng }
    }

    /// Three towns of two places each, and one place that nobody visits.
    fn towns() -> Vec<Coordinate> {
        let mut places = Vec::new();
        for town in 0..3 {
            for place in 0..2 {
                places.push(at(45.0 + f64::from(town), 7.0 + f64::from(place) * 0.01));
            }
        }
        places.push(at(0.0, 0.0));
        places
    }

    fn run(how: AsPublished, records: &[Vec<u32>]) -> Result<Published> {
        how.run(
            &Sequences::from_codes(records),
            &towns(),
            &mut RandomSource::insecure_seed(8),
        )
    }

    #[test]
    fn steps_by_hand() {
        let how = AsPublished {
            clusters: 3,
            decoys: 2,
            shortest_decoy: 25,
        };
        let records: Vec<Vec<u32>> = (0..10).map(|n| vec![n % 2, 2 + n % 2, 4 + n % 2]).collect();
        let published = run(how, &records).unwrap();
        assert_eq!(published.centres.len(), 3);
        // All ten are the same through towns; two have made room for decoys.
        assert_eq!(published.trajectories.len(), 3);
        let of_length = |length: usize| {
            let lengths = published.trajectories.iter().map(<[u32]>::len);
            let found: Vec<f64> = lengths
                .zip(&published.counts)
                .filter(|(own, _)| *own == length)
                .map(|(_, &count)| count)
                .collect();
            found
        };
        // One count of 8: the mean is 8, nothing differs, the noise is 8.
        assert_eq!(of_length(3), [16.0]);
        assert_eq!(of_length(25), [8.0, 8.0]);
        for (cluster, &place) in published.places.iter().enumerate() {
            let centre = published.centres[cluster];
            assert!((towns()[place as usize].lat - centre.lat).abs() < 0.1);
        }
    }

    #[test]
    fn noise_never_lowers_a_count_and_a_decoy_stays_below_twice_the_mean() {
        let how = AsPublished {
            clusters: 6,
            decoys: 5,
            shortest_decoy: 25,
        };
        let records: Vec<Vec<u32>> = (0..40)
            .map(|n| vec![n % 3, if n < 20 { 3 } else { n % 6 }])
            .collect();
        let published = run(how, &records).unwrap();
        let lengths = published.trajectories.iter().map(<[u32]>::len);
        for (length, &count) in lengths.zip(&published.counts) {
            assert!(count > if length == 2 { 1.0 } else { 0.0 });
        }
        // One seed, one release.
        assert_eq!(run(how, &records).unwrap(), published);
    }

    #[test]
    fn decoys_as_many_as_trajectories_leave_nothing() {
        let how = AsPublished::default();
        let one_taxi = run(how, &[vec![0, 1, 2]]).unwrap_err();
        assert!(one_taxi.to_string().contains("no trajectory"), "{one_taxi}");
        assert!(run(how, &[]).is_err());
        let none = AsPublished { decoys: 0, ..how };
        let alone = run(none, &[vec![0, 1, 2]]).unwrap();
        assert_eq!(alone.counts, [2.0]);
        // Three visited places are at most three clusters.
        assert_eq!(alone.centres.len(), 3);
        assert!(run(none, &[vec![99]]).is_err());
        let pointless = run(none, &[vec![]]).unwrap_err();
        assert!(pointless.to_string().contains("has a point"), "{pointless}");
    }

    #[test]
    fn the_bounded_noise_is_what_drawing_again_gives() {
        let noise = BoundedLaplace::of(&[1, 1, 4]).unwrap();
        assert_eq!(
            noise,
            BoundedLaplace {
                mean: 2.0,
                scale: 1.5
            }
        );
        let mut rng = RandomSource::insecure_seed(9).stream();
        let draws: Vec<f64> = (0..40_000).map(|_| noise.draw(&mut rng)).collect();
        assert!(draws.iter().all(|&draw| draw > 0.0 && draw < 4.0));
        // The share within 1 of the middle: (1 − e^(−1/b)) / (1 − e^(−μ/b)).
        let near = draws
            .iter()
            .filter(|draw| (*draw - 2.0).abs() < 1.0)
            .count() as f64
            / 40_000.0;
        let expected = (1.0 - (-1.0f64 / 1.5).exp()) / (1.0 - (-2.0f64 / 1.5).exp());
        assert!((near - expected).abs() < 0.015, "{near} {expected}");
        let above = draws.iter().filter(|draw| **draw > 2.0).count();
        assert!((19_400..=20_600).contains(&above), "{above}");
        assert_eq!(BoundedLaplace::of(&[3, 3]).unwrap().draw(&mut rng), 3.0);
        assert_eq!(BoundedLaplace::of(&[]), None);
        // Where drawing again would take a million tries.
        let wide = BoundedLaplace {
            mean: 1.0,
            scale: 1e6,
        };
        assert!(
            (0..1000)
                .map(|_| wide.draw(&mut rng))
                .all(|draw| (0.0..=2.0).contains(&draw))
        );
    }

    #[test]
    fn the_papers_picture_fits_the_reading() {
        let noise = BoundedLaplace::of(&[1, 1, 1, 2, 2]).unwrap();
        for added in [
            1.46781, 0.83188, 0.705873, 0.58152, 0.71865, 1.92746, 0.82741, 1.8422,
        ] {
            assert!(added > 0.0 && added < 2.0 * noise.mean);
        }
        let with_decoys = BoundedLaplace::of(&[1, 1, 0, 1, 2, 0, 2, 0]).unwrap();
        assert!(1.92746 > 2.0 * with_decoys.mean);
    }
}
