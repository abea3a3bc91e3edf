//! Records in a coarser form, each for itself: clusters for places, stays collapsed, cut into windows.
//!
//! Whatever is done to a record here depends on that record alone (and, where windows are chosen at
//! random, on coins of its own). So the presence of a unit with R records changes the journeys of
//! those R records and no other, which is at most R·m journeys for windows with at most m each, and R
//! without windows. Nothing that compares records may be done before noise is added.

use rayon::prelude::*;
use wayveil_core::{Error, RandomSource, Result, Sequences};

use super::symbols::Symbols;
use super::windows::{Windows, chosen};

/// Records of one piece of work, which draws from a stream of its own.
const PIECE: usize = 4096;

/// How records become journeys.
#[derive(Clone, Debug)]
pub struct Canonical<'a> {
    /// The cluster of each location.
    pub cluster_of_location: &'a [u32],
    /// How many clusters there are.
    pub clusters: usize,
    /// Whether time is kept, in bins of a public axis; a stay then begins when it began.
    pub time: Option<CoarseTime>,
    /// Whether points in a row that lie in one cluster become one, the first.
    pub collapse: bool,
    /// Whether records are cut.
    pub windows: Option<Windows>,
}

/// Several bins of the public axis taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoarseTime {
    /// The bins of the axis.
    pub bins: u32,
    /// How many of them make one; the last may have fewer.
    pub together: u32,
}

/// The canonical journeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journeys {
    /// The journeys, in the order of their records, as symbols.
    pub sequences: Sequences,
    /// The record that each comes from. A record has no two equal journeys.
    pub record: Vec<u32>,
    /// What was left out. Exact numbers of raw data: not to be released.
    pub left_out: LeftOut,
}

/// How much was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Records without a point, which have no journey.
    pub empty_records: u64,
    /// Points after the last whole window.
    pub points_after_windows: u64,
    /// Different windows beyond the most of a record.
    pub windows: u64,
}

impl Canonical<'_> {
    /// The symbols of the journeys, from public inputs.
    pub fn symbols(&self) -> Result<Symbols> {
        let refuse = |what: &str| {
            Err(Error::input(format!(
                "invalid {what} (got 0): must be above 0"
            )))
        };
        match (self.time, self.windows) {
            (Some(CoarseTime { together: 0, .. }), _) => return refuse("number of bins together"),
            (_, Some(Windows { points: 0, .. })) => return refuse("length of windows"),
            (_, Some(Windows { most: 0, .. })) => return refuse("number of windows"),
            _ => {}
        }
        let outside = |&&cluster: &&u32| cluster as usize >= self.clusters;
        if let Some(cluster) = self.cluster_of_location.iter().find(outside) {
            return Err(Error::input(format!(
                "cluster {cluster} lies outside the {} clusters",
                self.clusters
            )));
        }
        let bins = self.time.map(|time| time.bins.div_ceil(time.together));
        Symbols::new(self.clusters, bins)
    }

    /// The most journeys of one record.
    pub fn most_journeys(&self) -> u32 {
        self.windows.map_or(1, |windows| windows.most)
    }

    /// Makes the journeys of all records. Codes and bins must lie within the public inputs.
    pub fn journeys(&self, records: &Sequences, random: &mut RandomSource) -> Result<Journeys> {
        let symbols = self.symbols()?;
        self.check(records)?;
        let pieces = records.len().div_ceil(PIECE);
        let streams = random.streams(pieces);
        let made: Vec<Journeys> = streams
            .into_par_iter()
            .enumerate()
            .map(|(piece, mut coins)| {
                let mut made = Journeys {
                    sequences: Sequences::empty(false),
                    record: Vec::new(),
                    left_out: LeftOut::default(),
                };
                let end = records.len().min((piece + 1) * PIECE);
                for record in piece * PIECE..end {
                    let (whole, _) = self.coarse(records, record, symbols);
                    self.cut(&whole, record as u32, &mut coins, &mut made);
                }
                made
            })
            .collect();
        Ok(joined(made))
    }

    /// Whether codes and bins lie within the public inputs. Bins that play no part are not looked at.
    pub(super) fn check(&self, records: &Sequences) -> Result<()> {
        let bins = match (records.bins(), self.time) {
            (Some(_), None) => Some(u32::MAX),
            (_, time) => time.map(|time| time.bins),
        };
        records.check_ranges(self.cluster_of_location.len(), bins)
    }

    /// One record as symbols, and for each of its points the position of its symbol. Where time is kept
    /// points stand in its order, those of one bin as they stood.
    pub(super) fn coarse(
        &self,
        records: &Sequences,
        record: usize,
        symbols: Symbols,
    ) -> (Vec<u32>, Vec<usize>) {
        let (codes, bins) = (records.codes_of(record), records.bins_of(record));
        let bin = |at: usize| self.time.map_or(0, |time| bins[at] / time.together);
        let mut order: Vec<usize> = (0..codes.len()).collect();
        if self.time.is_some() {
            order.sort_by_key(|&at| bins[at]);
        }
        let (mut whole, mut of_point) = (Vec::new(), vec![0; codes.len()]);
        let mut last = None;
        for at in order {
            let cluster = self.cluster_of_location[codes[at] as usize];
            let stays = last.replace(cluster) == Some(cluster);
            if !(self.collapse && stays) {
                whole.push(symbols.symbol(cluster, bin(at)));
            }
            of_point[at] = whole.len() - 1;
        }
        (whole, of_point)
    }

    fn cut<R: rand_core::Rng>(
        &self,
        whole: &[u32],
        record: u32,
        coins: &mut R,
        made: &mut Journeys,
    ) {
        if whole.is_empty() {
            made.left_out.empty_records += 1;
            return;
        }
        let Some(windows) = self.windows else {
            return made.push(record, whole);
        };
        let points = windows.points as usize;
        if whole.len() < points {
            return made.push(record, whole);
        }
        made.left_out.points_after_windows += (whole.len() % points) as u64;
        let (pieces, left) = chosen(whole, windows, coins);
        made.left_out.windows += left as u64;
        pieces.iter().for_each(|piece| made.push(record, piece));
    }
}

impl Journeys {
    fn push(&mut self, record: u32, journey: &[u32]) {
        self.sequences.push(journey, &[]);
        self.record.push(record);
    }
}

fn joined(parts: Vec<Journeys>) -> Journeys {
    let mut all = Journeys {
        sequences: Sequences::empty(false),
        record: Vec::new(),
        left_out: LeftOut::default(),
    };
    for part in parts {
        for journey in part.sequences.iter() {
            all.sequences.push(journey, &[]);
        }
        all.record.extend(part.record);
        all.left_out.empty_records += part.left_out.empty_records;
        all.left_out.points_after_windows += part.left_out.points_after_windows;
        all.left_out.windows += part.left_out.windows;
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generalize::windows::Choice;

    const CLUSTERS: [u32; 6] = [0, 0, 1, 1, 2, 2];

    fn canonical(collapse: bool, windows: Option<Windows>) -> Canonical<'static> {
        Canonical {
            cluster_of_location: &CLUSTERS,
            clusters: 3,
            time: None,
            collapse,
            windows,
        }
    }

    fn cut(points: u32, most: u32, choice: Choice) -> Option<Windows> {
        Some(Windows {
            points,
            most,
            choice,
        })
    }

    fn made(how: &Canonical<'_>, records: &[&[u32]]) -> (Vec<Vec<u32>>, Vec<u32>, LeftOut) {
        let mut random = RandomSource::insecure_seed(1);
        let journeys = how
            .journeys(&Sequences::from_codes(records), &mut random)
            .unwrap();
        let sequences = journeys.sequences.iter().map(<[u32]>::to_vec).collect();
        (sequences, journeys.record, journeys.left_out)
    }

    #[test]
    fn places_become_clusters_and_stays_one_point() {
        let records: [&[u32]; 3] = [&[0, 1, 2, 0], &[], &[5]];
        let (journeys, record, left) = made(&canonical(false, None), &records);
        assert_eq!(journeys, [vec![0, 0, 1, 0], vec![2]]);
        assert_eq!((record, left.empty_records), (vec![0, 2], 1));
        let (journeys, ..) = made(&canonical(true, None), &records);
        assert_eq!(journeys, [vec![0, 1, 0], vec![2]]);
    }

    #[test]
    fn windows_by_hand() {
        // Pieces 01 12 01 20 and one point more; then a record shorter than a window.
        let records: [&[u32]; 2] = [&[0, 2, 2, 4, 0, 2, 4, 0, 0], &[4]];
        let (journeys, record, left) = made(&canonical(false, cut(2, 9, Choice::First)), &records);
        assert_eq!(journeys, [vec![0, 1], vec![1, 2], vec![2, 0], vec![2]]);
        assert_eq!(record, [0, 0, 0, 1]);
        let expected = LeftOut {
            points_after_windows: 1,
            ..LeftOut::default()
        };
        assert_eq!(left, expected);
        let (journeys, _, left) = made(&canonical(false, cut(2, 2, Choice::First)), &records);
        assert_eq!(journeys, [vec![0, 1], vec![1, 2], vec![2]]);
        assert_eq!(left.windows, 1);
        // 01 is there twice.
        let (journeys, _, left) = made(&canonical(false, cut(2, 1, Choice::Usual)), &records);
        assert_eq!(journeys, [vec![0, 1], vec![2]]);
        assert_eq!(left.windows, 2);
        let (journeys, ..) = made(&canonical(true, cut(3, 9, Choice::First)), &records);
        assert_eq!(journeys, [vec![0, 1, 2], vec![2]]);
    }

    #[test]
    fn any_window_may_be_chosen() {
        let how = canonical(false, cut(1, 1, Choice::Random));
        let records = Sequences::from_codes(vec![[0u32, 2, 4]; 9000]);
        let journeys = how
            .journeys(&records, &mut RandomSource::insecure_seed(2))
            .unwrap();
        let mut times = [0; 3];
        for journey in journeys.sequences.iter() {
            times[journey[0] as usize] += 1;
        }
        // 3000 each, with a standard deviation of 45.
        assert!(
            times.iter().all(|&times| (2750..=3250).contains(&times)),
            "{times:?}"
        );
    }

    #[test]
    fn time_does_not_go_back_where_it_is_kept() {
        let mut records = Sequences::empty(true);
        records.push(&[0, 2, 4, 5], &[5, 1, 5, 0]);
        let mut how = canonical(false, None);
        let random = &mut RandomSource::insecure_seed(1);
        let left_out = how.journeys(&records, random).unwrap().sequences;
        assert_eq!(left_out.codes_of(0), [0, 1, 2, 2]);
        how.time = Some(CoarseTime {
            bins: 6,
            together: 2,
        });
        let symbols = how.symbols().unwrap();
        let (whole, of_point) = how.coarse(&records, 0, symbols);
        let expected = [(2, 0), (1, 0), (0, 2), (2, 2)];
        assert_eq!(
            whole,
            expected.map(|(cluster, bin)| symbols.symbol(cluster, bin))
        );
        assert_eq!(of_point, [2, 1, 3, 0]);
    }

    #[test]
    fn time_is_kept_in_coarse_bins() {
        let mut records = Sequences::empty(true);
        records.push(&[0, 1, 2, 3], &[0, 3, 4, 6]);
        let mut how = canonical(true, None);
        how.time = Some(CoarseTime {
            bins: 7,
            together: 3,
        });
        let symbols = how.symbols().unwrap();
        assert_eq!(symbols.bins(), Some(3));
        let mut random = RandomSource::insecure_seed(1);
        let journeys = how.journeys(&records, &mut random).unwrap();
        // The stay in cluster 0 began in bin 0, that in cluster 1 in bin 4, the second coarse one.
        assert_eq!(
            journeys.sequences.codes(),
            [symbols.symbol(0, 0), symbols.symbol(1, 1)]
        );
        how.time = None;
        let journeys = how.journeys(&records, &mut random).unwrap();
        assert_eq!(journeys.sequences.codes(), [0, 1]);
        how.time = Some(CoarseTime {
            bins: 5,
            together: 1,
        });
        assert!(how.journeys(&records, &mut random).is_err());
    }

    #[test]
    fn refuses_nonsense() {
        for windows in [cut(0, 1, Choice::First), cut(1, 0, Choice::First)] {
            assert!(canonical(false, windows).symbols().is_err());
        }
        let mut how = canonical(false, None);
        how.clusters = 2;
        assert!(how.symbols().is_err());
        how.clusters = 3;
        how.time = Some(CoarseTime {
            bins: 4,
            together: 0,
        });
        assert!(how.symbols().is_err());
        let mut random = RandomSource::insecure_seed(1);
        let strange = Sequences::from_codes([[6u32]]);
        assert!(
            canonical(false, None)
                .journeys(&strange, &mut random)
                .is_err()
        );
    }

    proptest! {
        /// The claim of this module: a record's journeys are its own affair.
        #[test]
        fn a_record_changes_only_its_own_journeys(
            records in prop::collection::vec(prop::collection::vec(0u32..6, 0..30), 1..8),
            removed in 0usize..8, points in 1u32..4, most in 1u32..4, collapse: bool,
            choice in prop_oneof![Just(Choice::Usual), Just(Choice::First)],
        ) {
            let how = canonical(collapse, cut(points, most, choice));
            let all = |records: &[Vec<u32>]| {
                let sequences = Sequences::from_codes(records);
                let journeys = how.journeys(&sequences, &mut RandomSource::insecure_seed(1)).unwrap();
                let each = journeys.record.iter().zip(journeys.sequences.iter());
                let mut own = vec![Vec::new(); records.len()];
                each.for_each(|(&record, journey)| own[record as usize].push(journey.to_vec()));
                own
            };
            let removed = removed % records.len();
            let mut fewer = records.clone();
            fewer.remove(removed);
            let mut expected = all(&records);
            for own in &expected {
                prop_assert!(own.len() <= most as usize);
                let mut sorted = own.clone();
                sorted.sort();
                sorted.dedup();
                prop_assert_eq!(sorted.len(), own.len());
            }
            expected.remove(removed);
            prop_assert_eq!(all(&fewer), expected);
        }
    }
}
