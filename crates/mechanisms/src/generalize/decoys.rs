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
pub struct Drawing {
    /// Like what.
    pub style: Style,
    /// The shortest and the longest, where they are not like released journeys.
    pub lengths: RangeInclusive<u32>,
    /// Whether a cluster may follow itself.
    pub stays: bool,
}

/// What decoys are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As the paper does: any length, and any cluster at each point. Where time is kept, any bins that do
    /// not go back, each choice of them as likely as another.
    Uniform,
    /// So that they look like the released journeys: a released length, a released first point, then
    /// from each cluster as released journeys went on, to a cluster and so many bins later, each as
    /// often as its count says. Where none went on, a released first cluster follows. Without any
    /// released journey: as the other.
    LikeReleased,
}

/// Draws `number` decoys, as journeys of symbols like the released ones.
///
/// Where time is kept, several points may lie in one bin. A decoy that would go on after the last bin
/// stays in it.
pub fn decoys<R: Rng + ?Sized>(
    number: usize,
    drawing: &Drawing,
    symbols: Symbols,
    released: &Sequences,
    counts: &[i64],
    rng: &mut R,
) -> Sequences {
    let model = match drawing.style {
        Style::Uniform => None,
        Style::LikeReleased => Model::of(symbols, released, counts),
    };
    let mut drawn = Sequences::empty(false);
    if symbols.is_empty() {
        return drawn;
    }
    for _ in 0..number {
        let decoy = match &model {
            Some(model) => model.draw(rng),
            None => uniform(drawing, symbols, rng),
        };
        drawn.push(&decoy, &[]);
    }
    drawn
}

fn uniform<R: Rng + ?Sized>(drawing: &Drawing, symbols: Symbols, rng: &mut R) -> Vec<u32> {
    let clusters = symbols.clusters();
    let mut decoy: Vec<u32> = Vec::new();
    for _ in 0..within(&drawing.lengths, rng) {
        let before = match drawing.stays {
            true => None,
            false => decoy.last().copied(),
        };
        let many = clusters - u32::from(before.is_some());
        let Some(many) = NonZeroU64::new(many.into()) else {
            break;
        };
        let drawn = below(many, rng) as u32;
        decoy.push(drawn + u32::from(before.is_some_and(|before| drawn >= before)));
    }
    if let Some(bins) = symbols.bins() {
        // Bins that do not go back are different numbers that do not, each less its rank.
        let points = decoy.len() as u64;
        let times = (u64::from(bins) + points).saturating_sub(1);
        let times = choose_distinct(times, points, rng).unwrap_or_default();
        for (rank, (cluster, time)) in decoy.iter_mut().zip(times).enumerate() {
            *cluster = symbols.symbol(*cluster, (time - rank as u64) as u32);
        }
    }
    decoy
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
    symbols: Symbols,
    lengths: Weighted,
    starts: Weighted,
    /// By cluster: where journeys went on to, and how many bins later, as a symbol.
    next: FxHashMap<u32, Weighted>,
    /// How many bins later, wherever.
    steps: Option<Weighted>,
}

/// How often a point is drawn again that would lie after the last bin.
const TRIES: usize = 16;

impl Model {
    /// None where no journey with a point has a positive count.
    fn of(symbols: Symbols, released: &Sequences, counts: &[i64]) -> Option<Self> {
        let (mut lengths, mut starts) = (Tally::default(), Tally::default());
        let (mut next, mut steps) = (FxHashMap::<u32, Tally>::default(), Tally::default());
        for (journey, &count) in released.iter().zip(counts) {
            let (Some(&first), Ok(count @ 1..)) = (journey.first(), u64::try_from(count)) else {
                continue;
            };
            add(&mut lengths, journey.len() as u32, count);
            add(&mut starts, first, count);
            for pair in journey.windows(2) {
                let later = symbols.bin(pair[1]).saturating_sub(symbols.bin(pair[0]));
                let tally = next.entry(symbols.cluster(pair[0])).or_default();
                let onward = symbols.symbol(symbols.cluster(pair[1]), later);
                add(tally, onward, count);
                add(&mut steps, later, count);
            }
        }
        Some(Self {
            symbols,
            lengths: Weighted::of(lengths)?,
            starts: Weighted::of(starts)?,
            next: next
                .into_iter()
                .filter_map(|(from, tally)| Some((from, Weighted::of(tally)?)))
                .collect(),
            steps: Weighted::of(steps),
        })
    }

    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<u32> {
        let length = self.lengths.draw(rng);
        let mut decoy: Vec<u32> = Vec::with_capacity(length as usize);
        for _ in 0..length {
            decoy.push(match decoy.last() {
                None => self.starts.draw(rng),
                Some(&last) => self.after(last, rng),
            });
        }
        decoy
    }

    fn after<R: Rng + ?Sized>(&self, last: u32, rng: &mut R) -> u32 {
        let symbols = self.symbols;
        let (bin, bins) = (symbols.bin(last), symbols.bins().unwrap_or(1));
        let mut cluster = 0;
        for _ in 0..TRIES {
            let later = match self.next.get(&symbols.cluster(last)) {
                Some(onward) => {
                    let onward = onward.draw(rng);
                    cluster = symbols.cluster(onward);
                    symbols.bin(onward)
                }
                None => {
                    cluster = symbols.cluster(self.starts.draw(rng));
                    self.steps.as_ref().map_or(0, |steps| steps.draw(rng))
                }
            };
            if later < bins - bin {
                return symbols.symbol(cluster, bin + later);
            }
        }
        symbols.symbol(cluster, bin)
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
    use std::collections::{BTreeMap, BTreeSet};

    use wayveil_noise::RandomSource;
    use wayveil_noise::statistics::{assert_plausible, chi_square};

    use super::*;

    fn untimed() -> Symbols {
        Symbols::new(4, None).unwrap()
    }

    fn uniform_of(lengths: RangeInclusive<u32>) -> Drawing {
        Drawing {
            style: Style::Uniform,
            lengths,
            stays: true,
        }
    }

    fn like_released(lengths: RangeInclusive<u32>) -> Drawing {
        Drawing {
            style: Style::LikeReleased,
            ..uniform_of(lengths)
        }
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
        let drawn = draw(2000, &uniform_of(25..=27), untimed(), &[], &[]);
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
            &like_released(9..=9),
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
        let drawn = draw(50, &like_released(9..=9), untimed(), &keys[..1], &[5]);
        assert!(drawn.iter().all(|decoy| decoy == &[1]));
        let ends: [&[u32]; 2] = [&[2], &[0, 0, 3]];
        let drawn = draw(200, &like_released(9..=9), untimed(), &ends, &[1, 9]);
        let after_three =
            |decoy: &Vec<u32>| decoy.windows(2).any(|pair| pair[0] == 3 && pair[1] != 3);
        assert!(drawn.iter().any(after_three));
    }

    #[test]
    fn without_released_journeys_they_are_uniform() {
        for (keys, counts) in [(vec![], vec![]), (vec![&[1u32, 1][..]], vec![-4])] {
            let drawn = draw(300, &like_released(5..=5), untimed(), &keys, &counts);
            assert!(drawn.iter().all(|decoy| decoy.len() == 5));
            assert!((0..4).all(|cluster| drawn.concat().contains(&cluster)));
        }
    }

    #[test]
    fn uniform_times_do_not_go_back_and_every_choice_is_as_likely() {
        // Three points in three bins: ten ways.
        let timed = Symbols::new(4, Some(3)).unwrap();
        let mut seen: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for decoy in draw(20_000, &uniform_of(3..=3), timed, &[], &[]) {
            let bins = decoy.iter().map(|&symbol| timed.bin(symbol)).collect();
            *seen.entry(bins).or_default() += 1;
        }
        assert!(seen.keys().all(|bins| bins.is_sorted() && bins[2] < 3));
        let counts: Vec<u64> = seen.into_values().collect();
        assert_plausible(&chi_square(&counts, &[0.1; 10]).unwrap());
        // Longer than the axis.
        for decoy in draw(50, &uniform_of(25..=30), timed, &[], &[]) {
            let bins = decoy.iter().map(|&symbol| timed.bin(symbol));
            assert!((25..=30).contains(&decoy.len()) && bins.is_sorted());
        }
    }

    #[test]
    fn without_stays_no_cluster_follows_itself() {
        let drawing = Drawing {
            stays: false,
            ..uniform_of(40..=40)
        };
        let drawn = draw(300, &drawing, untimed(), &[], &[]);
        let follows = |pair: &[u32]| pair[0] != pair[1];
        assert!(
            drawn
                .iter()
                .all(|it| it.len() == 40 && it.windows(2).all(follows))
        );
        // All places that may follow do.
        let pairs: BTreeSet<&[u32]> = drawn.iter().flat_map(|it| it.windows(2)).collect();
        assert_eq!(pairs.len(), 12);
        let one = Symbols::new(1, None).unwrap();
        assert_eq!(draw(1, &drawing, one, &[], &[]), [[0]]);
    }

    #[test]
    fn markov_times_go_on_as_released_ones_do() {
        let timed = Symbols::new(4, Some(6)).unwrap();
        let of = |points: [(u32, u32); 3]| points.map(|(cluster, bin)| timed.symbol(cluster, bin));
        // Two points in one bin, then two bins later.
        let key = of([(0, 1), (1, 1), (2, 3)]);
        for decoy in draw(50, &like_released(1..=1), timed, &[&key], &[7]) {
            assert_eq!(decoy, key);
        }
        // From the last bin there is no way on: it stays there.
        let keys = [of([(0, 0), (0, 4), (0, 5)]), of([(0, 5), (0, 5), (0, 5)])];
        let keys = [&keys[0][..], &keys[1][..]];
        for decoy in draw(200, &like_released(1..=1), timed, &keys, &[9, 1]) {
            let bins: Vec<u32> = decoy.iter().map(|&symbol| timed.bin(symbol)).collect();
            assert!(
                decoy.len() == 3 && bins.is_sorted() && bins[2] < 6,
                "{bins:?}"
            );
        }
        // Longer than the axis, as a released journey may be.
        let still = vec![timed.symbol(1, 2); 9];
        for decoy in draw(20, &like_released(1..=1), timed, &[&still], &[7]) {
            assert_eq!(decoy, still);
        }
    }

    #[test]
    fn none_are_drawn_of_nothing() {
        assert!(draw(0, &uniform_of(3..=4), untimed(), &[], &[]).is_empty());
        let no_cluster = Symbols::new(0, None).unwrap();
        assert!(draw(5, &uniform_of(3..=4), no_cluster, &[], &[]).is_empty());
        #[expect(clippy::reversed_empty_ranges)]
        let backwards = uniform_of(4..=3);
        assert_eq!(draw(1, &backwards, untimed(), &[], &[])[0].len(), 4);
    }
}
