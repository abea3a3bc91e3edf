//! The bound of every list by brute force, the partition by hand, and whole releases over a grid.

use std::sync::Arc;

use proptest::prelude::*;
use wayveil_core::{
    Budget, Coordinate, Dataset, Location, Origin, Owners, PrivacyUnit, RandomSource, Raw, Release,
    Result, Sequences, Silent, Terms, Universe, UniverseDocument, publish,
};
use wayveil_noise::{DiscreteLaplace, Rate};

use super::super::Weave;
use super::super::features::{Features, Kind, UNITS};
use super::super::measure::measure;
use super::super::noise::Noise;
use super::super::norm::Norm;
use super::lattice::Lattice;
use super::look::{self, Single};
use super::partition::{COARSEST, Level, Partition};
use super::survey;
use crate::parameters::Parameters;

fn universe(rows: u32, columns: u32) -> Universe {
    let location = |code: u32| Location {
        label: format!("r{}c{}", code / columns, code % columns),
        at: Some(Coordinate {
            lat: 40.0 + f64::from(code / columns) * 0.01,
            lng: 116.0 + f64::from(code % columns) * 0.01,
        }),
        ..Location::default()
    };
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("a test".into()),
        locations: (0..rows * columns).map(location).collect(),
        groups: Vec::new(),
    })
    .unwrap()
}

fn lattice(rows: u32, columns: u32) -> Lattice {
    Lattice::of(&universe(rows, columns)).unwrap()
}

/// Exact counts of levels 2 to 4 of these records, as if there were hardly any noise.
fn partition(lattice: &Lattice, records: &[Vec<u32>], leaves: usize) -> Partition {
    let level = |level: u32| {
        let mut counts = vec![0.0; 1 << (2 * level)];
        for &code in records.iter().flatten() {
            counts[lattice.block(level, code) as usize] += 60.0;
        }
        Level {
            level,
            counts,
            variance: 1.0,
        }
    };
    let levels = (COARSEST..=lattice.finest().min(4)).map(level).collect();
    Partition::new(lattice, levels, leaves)
}

/// What is counted of records by a list: noise of this rate is nothing, but once in 10⁴³ draws.
fn counted(lists: &Sequences, most: usize, cells: usize, norm: Norm) -> Vec<i64> {
    let features = Features::new(Kind::Ground("test"), most, cells, 1_000).bounded_in(norm);
    let rate = Rate::new(100, 1).unwrap();
    let mut random = RandomSource::insecure_seed(1);
    let measured = measure(
        lists,
        features,
        Noise::Laplace(DiscreteLaplace::new(rate)),
        &mut random,
    )
    .unwrap();
    measured.dense().to_vec()
}

const SINGLES: [Single; 4] = [
    Single::Points,
    Single::Distance,
    Single::Diameter,
    Single::Ends(3),
];

type List<'a> = (usize, usize, Box<dyn Fn(&[u32], &mut Vec<u32>) + 'a>);

/// Every list that is counted, with its bound and its cells.
fn all_lists<'a>(lattice: &'a Lattice, cut: &'a Partition, max_length: usize) -> Vec<List<'a>> {
    let mut lists: Vec<List<'a>> = Vec::new();
    for kind in SINGLES {
        let classes = kind.classes(lattice, max_length);
        lists.push((
            1,
            classes,
            Box::new(move |record, into| {
                into.clear();
                into.push(kind.class(lattice, record));
            }),
        ));
    }
    for level in COARSEST..=lattice.finest() {
        lists.push((
            survey::MOST_BLOCKS,
            1 << (2 * level),
            Box::new(move |record, into| look::blocks(lattice, level, record, into)),
        ));
    }
    lists.push((
        survey::MOST_STAYS,
        look::stay_cells(),
        Box::new(|record, into| look::stays(cut, record, into)),
    ));
    lists.push((
        survey::MOST_STEPS,
        2 * look::STEPS,
        Box::new(|record, into| look::steps(lattice, cut, record, into)),
    ));
    lists.push((
        survey::MOST_SECTORS,
        25,
        Box::new(|record, into| look::sectors(lattice, 5, record, into)),
    ));
    lists
}

fn record() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..16u32 * 20, 0..60)
}

proptest! {
    #[test]
    fn one_record_moves_counts_by_no_more_than_the_bound(
        records in prop::collection::vec(record(), 0..5),
        one in record(),
        max_length in 1..50usize,
    ) {
        let lattice = lattice(16, 20);
        let cut = partition(&lattice, &records, 40);
        for (most, cells, list) in all_lists(&lattice, &cut, max_length) {
            let of = |records: &[Vec<u32>], norm: Norm| {
                let sequences = Sequences::from_codes(records);
                counted(&survey::lists(&sequences, max_length, &list), most, cells, norm)
            };
            let mut with = records.clone();
            with.insert(records.len() / 2, one.clone());
            let moved = |norm: Norm| -> Vec<u64> {
                let without = of(&records, norm);
                of(&with, norm).iter().zip(without).map(|(with, without)| with.abs_diff(without)).collect()
            };
            let sum: u64 = moved(Norm::Sum).iter().sum();
            prop_assert!(sum <= most as u64 * UNITS, "moved by {sum}, bound {most}");
            let squares: u64 = moved(Norm::Euclidean).iter().map(|own| own * own).sum();
            prop_assert!(squares <= most as u64 * UNITS * UNITS, "squares {squares}, bound {most}");
            // A list with one class for every record misses none of them.
            if most == 1 {
                prop_assert_eq!(sum, UNITS);
            }
        }
    }

    #[test]
    fn leaves_cover_the_grid_once(records in prop::collection::vec(record(), 0..5), most in 16..90usize) {
        let lattice = lattice(16, 20);
        let cut = partition(&lattice, &records, most);
        prop_assert!(cut.members.len() <= most.max(16));
        let mut seen: Vec<u32> = cut.members.concat();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..320).collect::<Vec<u32>>());
        for (leaf, members) in cut.members.iter().enumerate() {
            prop_assert!(!members.is_empty());
            prop_assert!(members.iter().all(|&code| cut.leaf[code as usize] as usize == leaf));
        }
    }
}

#[test]
fn leaves_are_small_where_people_are() {
    let lattice = lattice(32, 32);
    let cut = partition(&lattice, &vec![vec![0, 33]; 500], 22);
    // The corner is split twice, and nothing else.
    assert_eq!(cut.members.len(), 22);
    assert_eq!(cut.members[cut.leaf[0] as usize].len(), 4);
    assert_eq!(cut.members[cut.leaf[1_023] as usize].len(), 64);
    assert!(cut.density[0] > 100.0 * cut.density[1_023]);
}

#[test]
fn lists_of_a_record_by_hand() {
    let lattice = lattice(16, 16);
    let cut = partition(&lattice, &[], 16);
    // Blocks of four by four: two points in the first, one beside it, one in the first again.
    let record = [0, 17, 4, 1];
    let mut list = Vec::new();
    look::blocks(&lattice, 2, &record, &mut list);
    assert_eq!(list, [0, 1]);
    look::stays(&cut, &record, &mut list);
    let [two, one, again] = list[..] else {
        panic!("{list:?}");
    };
    assert_eq!((two, again), (one + 1, one));
    look::steps(&lattice, &cut, &record, &mut list);
    let between = |list: &[u32]| -> Vec<bool> {
        list.iter()
            .map(|&cell| cell as usize >= look::STEPS)
            .collect()
    };
    assert_eq!(between(&list), [false, true, true]);
    let class = |kind: Single, record: &[u32]| kind.class(&lattice, record);
    assert_eq!(class(Single::Points, &record), 4);
    assert_eq!(class(Single::Distance, &[7, 7, 7]), 1);
    assert!(class(Single::Distance, &record) > class(Single::Distance, &record[2..]));
    assert_eq!(class(Single::Diameter, &[0, 255]), 1 + 30);
    // Two sectors at each side: from the first to the last one.
    assert_eq!(class(Single::Ends(2), &[0, 40, 255]), 1 + 3);
    assert_eq!(class(Single::Ends(2), &[255, 0]), 1 + 3 * 4);
    look::sectors(&lattice, 2, &[255, 0, 8, 254], &mut list);
    assert_eq!(list, [0, 1, 3]);
    assert!(SINGLES.iter().all(|&kind| class(kind, &[]) == 0));
}

fn release(rows: &[Vec<u32>], side: u32, given: &[(&str, &str)], seed: u64) -> Result<Release> {
    let data = Dataset::new(
        Arc::new(universe(side, side)),
        None,
        Sequences::from_codes(rows),
        Owners::EachRecord,
        vec![],
        "taxis".into(),
    )?;
    let terms = Terms {
        unit: PrivacyUnit::Trip,
        ..Terms::default()
    };
    publish(
        &Raw::new(data),
        Weave::build(&Parameters::new(Weave::PARAMETERS, given.iter().copied())?)?.as_ref(),
        &terms,
        &mut Budget::without_allowance(),
        &mut RandomSource::insecure_seed(seed),
        &Silent,
    )
}

/// Most go along the first row, some down the last column.
fn streets() -> Vec<Vec<u32>> {
    let mut rows = vec![(0..20).collect::<Vec<u32>>(); 3_000];
    rows.extend(vec![
        (0..20).map(|row| row * 32 + 31).collect::<Vec<u32>>();
        1_000
    ]);
    rows
}

#[test]
fn streets_come_out_where_they_are() {
    let release = release(&streets(), 32, &[("epsilon", "4")], 3).unwrap();
    let all = release.trajectories().len();
    assert!((3_800..4_200).contains(&all), "{all}");
    let codes = release.trajectories().codes();
    let share = |street: &dyn Fn(u32) -> bool| {
        codes.iter().filter(|&&code| street(code)).count() as f64 / codes.len() as f64
    };
    let along = share(&|code| code / 32 < 2 && code % 32 < 22);
    let down = share(&|code| code % 32 >= 30);
    assert!((0.5..0.85).contains(&along), "{along}");
    assert!((0.15..0.35).contains(&down), "{down}");
}

#[test]
fn the_same_seed_gives_the_same_release_on_any_number_of_threads() {
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| release(&streets(), 32, &[("epsilon", "1")], 9).unwrap())
            .trajectories()
            .clone()
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn nothing_and_next_to_nothing_can_be_released() {
    for rows in [vec![], vec![vec![]], vec![vec![5]], vec![vec![9; 400]; 30]] {
        for epsilon in ["0.01", "1", "100"] {
            let release = release(&rows, 21, &[("epsilon", epsilon)], 4).unwrap();
            assert!(release.trajectories().iter().all(|row| row.len() <= 128));
        }
    }
}

#[test]
fn small_grids_are_cut_only_where_it_is_asked_for() {
    let told = |side, grid| {
        let release = release(
            &streets()[..0],
            side,
            &[("epsilon", "1"), ("grid", grid)],
            1,
        );
        let limits = release.unwrap().manifest().limits.clone();
        limits
            .iter()
            .any(|limit| limit.contains("cells that are larger"))
    };
    assert!(!told(16, "auto") && told(16, "adaptive"));
    assert!(told(32, "auto") && !told(32, "off"));
    assert!(release(&[], 32, &[("epsilon", "1"), ("grid", "fine")], 1).is_err());
}

#[test]
fn shares_are_all_of_the_budget() {
    for epsilon in ["0.1", "1", "0.33", "7"] {
        survey::tests::sums_up(epsilon);
    }
}
