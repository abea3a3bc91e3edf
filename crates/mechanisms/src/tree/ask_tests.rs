//! The fast noise step against visiting every candidate.

use std::collections::BTreeMap;

use wayveil_core::{Group, RandomSource, Rational, Taxonomy};
use wayveil_noise::Stream;
use wayveil_noise::statistics::{assert_plausible, assert_rejected, same_distribution};

use super::*;
use crate::tree::count::Alphabet;
use crate::tree::plan::{GroupShare, Threshold};

const RUNS: usize = 150_000;

fn plan(
    locations: usize,
    bins: u32,
    taxonomy: Option<&Taxonomy>,
    threshold: Threshold,
) -> LevelPlan {
    let alphabet = Alphabet::new(locations, bins).unwrap();
    let rate = Rational::new(3, 2).unwrap();
    LevelPlan::new(alphabet, taxonomy, &GroupShare::Paper, &rate, &threshold).unwrap()
}

/// Six locations: two lines of three and two stations, and one line with a single station that
/// lies under a district.
fn lines() -> Taxonomy {
    let group = |label: &str, parent| Group {
        label: label.into(),
        parent,
    };
    let groups = vec![
        group("a", None),
        group("b", None),
        group("west", None),
        group("c", Some(2)),
    ];
    Taxonomy::new(groups, vec![0, 0, 1, 0, 1, 3]).unwrap()
}

/// What the definition says: draw noise for every candidate of every step that is asked.
fn visit_every_candidate(
    plan: &LevelPlan,
    step: usize,
    bins: Range<u32>,
    count_below: &dyn Fn(&LevelPlan, Target, u32) -> u64,
    rng: &mut Stream,
) -> Vec<(u32, i64)> {
    let mut passed = Vec::new();
    for class in &plan.steps[step] {
        let threshold = class.passing(bins.end - bins.start).threshold as i64;
        for bin in bins.clone() {
            for &target in &class.members {
                let noisy = count_below(plan, target, bin) as i64 + class.laplace.sample(rng);
                if noisy < threshold {
                    continue;
                }
                match target {
                    Target::Location(location) => {
                        passed.push((plan.alphabet.symbol(location, bin), noisy));
                    }
                    Target::Step(next) => passed.extend(visit_every_candidate(
                        plan,
                        next,
                        bin..bin + 1,
                        count_below,
                        rng,
                    )),
                }
            }
        }
    }
    passed.sort_unstable();
    passed
}

fn count_below(exact: &Level, plan: &LevelPlan, target: Target, bin: u32) -> u64 {
    match target {
        Target::Location(location) => {
            let symbol = plan.alphabet.symbol(location, bin);
            let at = exact.symbols.iter().position(|&other| other == symbol);
            at.map_or(0, |at| exact.counts[at])
        }
        Target::Step(step) => plan.steps[step]
            .iter()
            .flat_map(|class| &class.members)
            .map(|&target| count_below(exact, plan, target, bin))
            .sum(),
    }
}

/// How often each outcome occurred on either side, outcome by outcome.
fn tally<T: Ord>(left: Vec<T>, right: Vec<T>) -> (Vec<u64>, Vec<u64>) {
    let mut cells: BTreeMap<T, (u64, u64)> = BTreeMap::new();
    for outcome in left {
        cells.entry(outcome).or_default().0 += 1;
    }
    for outcome in right {
        cells.entry(outcome).or_default().1 += 1;
    }
    cells.into_values().unzip()
}

fn compare<T: Ord>(
    node: Option<u32>,
    exact: &Level,
    plan: &LevelPlan,
    outcome: impl Fn(&[(u32, i64)]) -> T,
) {
    let mut random = RandomSource::os().unwrap();
    let (mut fast_rng, mut slow_rng) = (random.stream(), random.stream());
    let children = 0..exact.symbols.len();
    let fast = (0..RUNS)
        .map(|_| {
            let passed = ask(node, exact, children.clone(), plan, &mut fast_rng).passed;
            outcome(
                &passed
                    .iter()
                    .map(|p| (p.symbol, p.noisy))
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let bins = plan.alphabet.first_bin(node)..plan.alphabet.bins();
    let below = |plan: &LevelPlan, target, bin| count_below(exact, plan, target, bin);
    let slow = (0..RUNS)
        .map(|_| {
            outcome(&visit_every_candidate(
                plan,
                0,
                bins.clone(),
                &below,
                &mut slow_rng,
            ))
        })
        .collect();
    let (fast, slow) = tally(fast, slow);
    assert_plausible(&same_distribution(&fast, &slow).unwrap());
}

fn level(children: &[(u32, u64)]) -> Level {
    Level {
        starts: vec![0, children.len()],
        symbols: children.iter().map(|child| child.0).collect(),
        counts: children.iter().map(|child| child.1).collect(),
    }
}

fn which(passed: &[(u32, i64)]) -> u32 {
    passed.iter().fold(0, |set, p| set | 1 << p.0)
}

#[test]
fn which_locations_pass_is_as_if_every_one_were_visited() {
    let plan = plan(6, 1, None, Threshold::Fixed(2));
    compare(None, &level(&[(1, 2), (4, 1)]), &plan, which);
}

#[test]
fn the_noisy_counts_are_as_if_every_location_were_visited() {
    let plan = plan(3, 1, None, Threshold::Fixed(1));
    compare(None, &level(&[(1, 3)]), &plan, <[(u32, i64)]>::to_vec);
}

#[test]
fn the_same_with_a_taxonomy_of_irregular_depth() {
    let plan = plan(6, 1, Some(&lines()), Threshold::Fixed(1));
    compare(None, &level(&[(1, 2), (2, 1), (5, 1)]), &plan, which);
    compare(None, &level(&[]), &plan, which);
}

#[test]
fn the_same_with_a_taxonomy_and_time() {
    let plan = plan(6, 2, Some(&lines()), Threshold::Fixed(2));
    let counts = level(&[(1, 2), (8, 1), (9, 1)]);
    compare(None, &counts, &plan, which);
    let plan = self::plan(6, 3, Some(&lines()), Threshold::Fixed(2));
    compare(Some(8), &level(&[(7, 1), (12, 2), (13, 1)]), &plan, which);
}

#[test]
fn later_bins_only_are_candidates_after_a_timed_symbol() {
    let plan = plan(2, 3, None, Threshold::Auto(Rational::new(1, 2).unwrap()));
    // After a symbol of bin 1: symbols 2 to 5.
    compare(
        Some(3),
        &level(&[(2, 1), (5, 4)]),
        &plan,
        <[(u32, i64)]>::to_vec,
    );
}

#[test]
fn forgetting_empty_candidates_would_be_caught() {
    let plan = plan(6, 1, None, Threshold::Fixed(2));
    let exact = level(&[(1, 2), (4, 1)]);
    let mut rng = RandomSource::os().unwrap().stream();
    let run = |rng: &mut Stream, leaky: bool| {
        let passed = ask(None, &exact, 0..2, &plan, rng).passed;
        let kept = passed.iter().filter(|p| !leaky || p.held.is_some());
        which(&kept.map(|p| (p.symbol, p.noisy)).collect::<Vec<_>>())
    };
    let (left, right) = tally(
        (0..RUNS).map(|_| run(&mut rng, false)).collect(),
        (0..RUNS).map(|_| run(&mut rng, true)).collect(),
    );
    assert_rejected(&same_distribution(&left, &right).unwrap());
}

#[test]
fn every_location_can_pass_and_knows_whether_it_holds_records() {
    for taxonomy in [None, Some(lines())] {
        let plan = plan(6, 1, taxonomy.as_ref(), Threshold::Fixed(1));
        let exact = level(&[(0, 9), (3, 9), (5, 9)]);
        let mut rng = RandomSource::insecure_seed(3).stream();
        let mut seen = [false; 6];
        for _ in 0..3000 {
            let passed = ask(None, &exact, 0..3, &plan, &mut rng).passed;
            assert!(
                passed
                    .windows(2)
                    .all(|pair| pair[0].symbol < pair[1].symbol)
            );
            for child in passed {
                let held = exact
                    .symbols
                    .iter()
                    .position(|&symbol| symbol == child.symbol);
                assert_eq!(child.held, held);
                seen[child.symbol as usize] = true;
            }
        }
        assert_eq!(seen, [true; 6]);
    }
}
