//! Made-up journeys, to be put beside the released ones.
//!
//! They are drawn from public inputs and from released keys and counts alone, after the noise, and so
//! cost nothing. They protect nobody: the guarantee comes from the noise. They are there for those who
//! want single rows to be deniable.

use std::num::NonZeroU64;
use std::ops::RangeInclusive;

use rand_core::Rng;
use rustc_hash::FxHashMap;
use wayveil_core::Sequences;
use wayveil_noise::{below, choose_distinct};

use super::symbols::Symbols;

/// How decoys are drawn.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// As the paper does: a length between these, and any cluster at each point.
    Uniform(RangeInclusive<u32>),
    /// So that they look like the released journeys: a released length, a released first cluster, then
    /// from each cluster as released journeys went on, each as often as its count says. Where none went
    /// on, a released first cluster follows. Without any released journey: as the other, with these
    /// lengths.
    LikeReleased(RangeInclusive<u32>),
}

/// Draws `number` decoys, as journeys of symbols like the released ones.
///
/// Where time is kept a decoy has one time bin after the other, all different, each set of bins as
/// likely as another. A decoy longer than there are bins is cut to their number.
pub fn decoys<R: Rng + ?Sized>(
    number: usize,
    drawing: &Drawing,
    symbols: Symbols,
    released: &Sequences,
    counts: &[i64],
    rng: &mut R,
) -> Sequences {
    let (model, lengths) = match drawing {
        Drawing::Uniform(lengths) => (None, lengths),
        Drawing::LikeReleased(lengths) => (Model::of(symbols, released, counts), lengths),
    };
    let mut drawn = Sequences::empty(false);
    let Some(clusters) = NonZeroU64::new(u64::from(symbols.clusters())) else {
        return drawn;
    };
    for _ in 0..number {
        let most = symbols.bins().unwrap_or(u32::MAX);
        let mut decoy = match &model {
            Some(model) => model.draw(most, rng),
            None => {
                let length = within(lengths, rng).min(most);
                (0..length).map(|_| below(clusters, rng) as u32).collect()
            }
        };
        if let Some(bins) = symbols.bins() {
            // Never more than there are: the length was cut.
            let times = choose_distinct(bins.into(), decoy.len() as u64, rng).unwrap_or_default();
            for (cluster, bin) in decoy.iter_mut().zip(times) {
                *cluster = symbols.symbol(*cluster, bin as u32);
            }
        }
        drawn.push(&decoy, &[]);
    }
    drawn
}

/// A uniform number of a range; its start where the range is empty.
fn within<R: Rng + ?Sized>(range: &RangeInclusive<u32>, rng: &mut R) -> u32 {
    let more = u64::from(range.end().saturating_sub(*range.start()));
    NonZeroU64::new(more + 1).map_or(*range.start(), |many| {
        range.start() + below(many, rng) as u32
    })
}

/// Released journeys as a Markov chain of first order.
#[derive(Debug)]
struct Model {
    lengths: Weighted,
    starts: Weighted,
    /// By cluster: where journeys went on to.
    next: FxHashMap<u32, Weighted>,
}

impl Model {
    /// None where no journey with a point has a positive count.
    fn of(symbols: Symbols, released: &Sequences, counts: &[i64]) -> Option<Self> {
        let (mut lengths, mut starts) = (Tally::default(), Tally::default());
        let mut next: FxHashMap<u32, Tally> = FxHashMap::default();
        for (journey, &count) in released.iter().zip(counts) {
            let (Some(&first), Ok(count @ 1..)) = (journey.first(), u64::try_from(count)) else {
                continue;
            };
            add(&mut lengths, journey.len() as u32, count);
            add(&mut starts, symbols.cluster(first), count);
            for pair in journey.windows(2) {
                let tally = next.entry(symbols.cluster(pair[0])).or_default();
                add(tally, symbols.cluster(pair[1]), count);
            }
        }
        Some(Self {
            lengths: Weighted::of(lengths)?,
            starts: Weighted::of(starts)?,
            next: next
                .into_iter()
                .filter_map(|(from, tally)| Some((from, Weighted::of(tally)?)))
                .collect(),
        })
    }

    fn draw<R: Rng + ?Sized>(&self, most: u32, rng: &mut R) -> Vec<u32> {
        let length = self.lengths.draw(rng).min(most);
        let mut decoy: Vec<u32> = Vec::with_capacity(length as usize);
        for _ in 0..length {
            let onward = decoy.last().and_then(|last| self.next.get(last));
            decoy.push(onward.unwrap_or(&self.starts).draw(rng));
        }
        decoy
    }
}

type Tally = FxHashMap<u32, u64>;

fn add(tally: &mut Tally, value: u32, count: u64) {
    let sum = tally.entry(value).or_default();
    *sum = sum.saturating_add(count);
}

/// Values with whole weights.
#[derive(Debug)]
struct Weighted {
    values: Vec<u32>,
    /// The sum of the weights up to each value.
    sums: Vec<u64>,
    total: NonZeroU64,
}

impl Weighted {
    fn of(tally: Tally) -> Option<Self> {
        let mut pairs: Vec<(u32, u64)> = tally.into_iter().collect();
        pairs.sort_unstable();
        let mut sum = 0u64;
        let sums: Vec<u64> = pairs
            .iter()
            .map(|&(_, weight)| {
                sum = sum.saturating_add(weight);
                sum
            })
            .collect();
        Some(Self {
            values: pairs.into_iter().map(|(value, _)| value).collect(),
            sums,
            total: NonZeroU64::new(sum)?,
        })
    }

    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        let at = below(self.total, rng);
        self.values[self.sums.partition_point(|&sum| sum <= at)]
    }
}

#[cfg(test)]
mod tests {
    use wayveil_noise::RandomSource;

    use super::*;

    fn untimed() -> Symbols {
        Symbols::new(4, None).unwrap()
    }

    fn draw(
        number: usize,
        drawing: &Drawing,
        symbols: Symbols,
        keys: &[&[u32]],
        counts: &[i64],
    ) -> Vec<Vec<u32>> {
        let mut rng = RandomSource::insecure_seed(3).stream();
        let released = Sequences::from_codes(keys);
        let drawn = decoys(number, drawing, symbols, &released, counts, &mut rng);
        drawn.iter().map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn uniform_decoys_have_every_length_and_cluster() {
        let drawn = draw(2000, &Drawing::Uniform(25..=27), untimed(), &[], &[]);
        let mut lengths = [0; 3];
        let mut clusters = [0; 4];
        for decoy in &drawn {
            lengths[decoy.len() - 25] += 1;
            decoy
                .iter()
                .for_each(|&cluster| clusters[cluster as usize] += 1);
        }
        assert!(
            lengths.iter().all(|times| (560..=780).contains(times)),
            "{lengths:?}"
        );
        assert!(
            clusters
                .iter()
                .all(|times| (12_400..=13_600).contains(times)),
            "{clusters:?}"
        );
    }

    #[test]
    fn markov_decoys_go_only_where_released_journeys_went() {
        // From 0 to 1 three times as often as to 2; what has a count below one is not seen.
        let keys: [&[u32]; 4] = [&[0, 1], &[0, 2], &[3, 3, 3], &[]];
        let drawn = draw(
            4000,
            &Drawing::LikeReleased(9..=9),
            untimed(),
            &keys,
            &[3, 1, 0, 50],
        );
        let mut to_one = 0;
        for decoy in &drawn {
            assert_eq!(decoy.len(), 2);
            assert_eq!(decoy[0], 0);
            assert!(decoy[1] == 1 || decoy[1] == 2);
            to_one += i32::from(decoy[1] == 1);
        }
        assert!((2850..=3150).contains(&to_one), "{to_one}");
    }

    #[test]
    fn a_dead_end_begins_again() {
        // Lengths 1 and 3, but from 1 no journey went on.
        let keys: [&[u32]; 2] = [&[1], &[0, 1, 1]];
        let drawn = draw(
            50,
            &Drawing::LikeReleased(9..=9),
            untimed(),
            &keys[..1],
            &[5],
        );
        assert!(drawn.iter().all(|decoy| decoy == &[1]));
        let ends: [&[u32]; 2] = [&[2], &[0, 0, 3]];
        let drawn = draw(
            200,
            &Drawing::LikeReleased(9..=9),
            untimed(),
            &ends,
            &[1, 9],
        );
        let after_three =
            |decoy: &Vec<u32>| decoy.windows(2).any(|pair| pair[0] == 3 && pair[1] != 3);
        assert!(drawn.iter().any(after_three));
    }

    #[test]
    fn without_released_journeys_they_are_uniform() {
        for (keys, counts) in [(vec![], vec![]), (vec![&[1u32, 1][..]], vec![-4])] {
            let drawn = draw(
                300,
                &Drawing::LikeReleased(5..=5),
                untimed(),
                &keys,
                &counts,
            );
            assert!(drawn.iter().all(|decoy| decoy.len() == 5));
            assert!((0..4).all(|cluster| drawn.concat().contains(&cluster)));
        }
    }

    #[test]
    fn times_increase_and_a_decoy_longer_than_the_axis_is_cut() {
        let timed = Symbols::new(4, Some(6)).unwrap();
        for (lengths, length) in [(3..=3, 3), (25..=30, 6)] {
            for decoy in draw(200, &Drawing::Uniform(lengths.clone()), timed, &[], &[]) {
                assert_eq!(decoy.len(), length);
                let bins: Vec<u32> = decoy.iter().map(|symbol| symbol / 4).collect();
                assert!(bins.windows(2).all(|pair| pair[0] < pair[1]) && bins[length - 1] < 6);
            }
        }
        // A released journey may stand still in time; a decoy like it does not, and is cut as well.
        let still: Vec<u32> = vec![timed.symbol(1, 2); 9];
        for decoy in draw(20, &Drawing::LikeReleased(1..=1), timed, &[&still], &[7]) {
            let clusters: Vec<u32> = decoy.iter().map(|&symbol| timed.cluster(symbol)).collect();
            assert_eq!(clusters, [1; 6]);
        }
    }

    #[test]
    fn none_are_drawn_of_nothing() {
        assert!(draw(0, &Drawing::Uniform(3..=4), untimed(), &[], &[]).is_empty());
        let no_cluster = Symbols::new(0, None).unwrap();
        assert!(draw(5, &Drawing::Uniform(3..=4), no_cluster, &[], &[]).is_empty());
        #[expect(clippy::reversed_empty_ranges)]
        let backwards = Drawing::Uniform(4..=3);
        assert_eq!(draw(1, &backwards, untimed(), &[], &[])[0].len(), 4);
    }
}
