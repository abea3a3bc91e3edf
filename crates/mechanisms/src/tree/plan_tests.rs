//! Shares, thresholds and branching follow from public inputs as promised.

use wayveil_core::{Group, Taxonomy};

use super::*;

fn whole() -> Rational {
    Rational::new(1, 1).unwrap()
}

fn group(label: &str, parent: Option<u32>) -> Group {
    Group {
        label: label.into(),
        parent,
    }
}

fn plan(taxonomy: Option<&Taxonomy>, locations: usize, threshold: &Threshold) -> LevelPlan {
    let alphabet = Alphabet::new(locations, 1).unwrap();
    LevelPlan::new(alphabet, taxonomy, &GroupShare::Paper, &whole(), threshold).unwrap()
}

/// The budget spent on the way to each location, exactly.
fn spent(plan: &LevelPlan, step: usize, before: &Rational) -> Vec<(u32, Rational)> {
    let mut all = Vec::new();
    for class in &plan.steps[step] {
        let rate = class.laplace.rate();
        let after = before.plus(&Rational::new(rate.numer(), rate.denom()).unwrap());
        for target in &class.members {
            match target {
                Target::Location(location) => all.push((*location, after.clone())),
                Target::Step(next) => all.extend(spent(plan, *next, &after)),
            }
        }
    }
    all.sort();
    all
}

/// Taxonomies of every awkward kind: empty groups, chains, one and two stations, three levels.
fn awkward() -> Vec<(usize, Taxonomy)> {
    let flat = |sizes: &[usize]| {
        let groups = (0..sizes.len())
            .map(|at| group(&format!("g{at}"), None))
            .collect();
        let of = sizes
            .iter()
            .enumerate()
            .flat_map(|(at, &size)| vec![at as u32; size])
            .collect();
        (sizes.iter().sum(), Taxonomy::new(groups, of).unwrap())
    };
    let deep = vec![
        group("metro", None),
        group("bus", None),
        group("green", Some(0)),
        group("blue", Some(0)),
        group("empty", Some(1)),
        group("one", Some(1)),
        group("two", Some(1)),
        group("two.a", Some(6)),
    ];
    let deep = Taxonomy::new(deep, vec![2, 2, 2, 3, 3, 5, 7, 7, 1, 0]).unwrap();
    vec![
        flat(&[3]),
        flat(&[1, 1, 1]),
        flat(&[1, 2, 3, 17]),
        flat(&[2, 0, 2]),
        (10, deep),
    ]
}

#[test]
fn shares_on_every_way_sum_to_exactly_one() {
    let quarter = GroupShare::Part(Rational::new(1, 4).unwrap());
    for shares in [GroupShare::Paper, quarter, GroupShare::PaperWith(40)] {
        for (locations, taxonomy) in awkward() {
            let alphabet = Alphabet::new(locations, 1).unwrap();
            let threshold = Threshold::Fixed(1);
            let plan =
                LevelPlan::new(alphabet, Some(&taxonomy), &shares, &whole(), &threshold).unwrap();
            let spent = spent(&plan, 0, &Rational::zero());
            let expected: Vec<_> = (0..locations as u32)
                .map(|location| (location, whole()))
                .collect();
            assert_eq!(spent, expected, "each location once, and the whole budget");
        }
    }
}

#[test]
fn a_share_that_leaves_nothing_is_refused() {
    let (locations, taxonomy) = awkward().remove(2);
    for part in [Rational::zero(), whole(), Rational::new(3, 2).unwrap()] {
        let alphabet = Alphabet::new(locations, 1).unwrap();
        let share = GroupShare::Part(part);
        let threshold = Threshold::Fixed(1);
        assert!(LevelPlan::new(alphabet, Some(&taxonomy), &share, &whole(), &threshold).is_err());
    }
}

#[test]
fn positions_lead_to_their_location() {
    for (locations, taxonomy) in awkward() {
        let plan = plan(Some(&taxonomy), locations, &Threshold::Fixed(1));
        for location in 0..locations as u32 {
            let (mut step, mut depth) = (0, 0);
            loop {
                let (class, member) = plan.position(location, depth);
                match plan.steps[step][class as usize].members[member as usize] {
                    Target::Location(found) => {
                        assert_eq!(found, location);
                        break;
                    }
                    Target::Step(next) => step = next,
                }
                depth += 1;
            }
        }
    }
}

#[test]
fn the_published_split_of_lines_with_seventeen_stations() {
    let groups = (0..4)
        .map(|line| group(&format!("line {line}"), None))
        .collect();
    let taxonomy = Taxonomy::new(groups, (0..68).map(|station| station / 17).collect()).unwrap();
    let plan = plan(Some(&taxonomy), 68, &Threshold::Paper);
    let rate = |step: usize| plan.steps[step][0].laplace.rate();
    assert_eq!((rate(0).numer(), rate(0).denom()), (2, 17));
    assert_eq!((rate(1).numer(), rate(1).denom()), (15, 17));
    // 4√2·17/2 = 48.08…, 2√2·17/15 = 3.2…
    assert_eq!(plan.thresholds(true), Some((49, 49)));
    assert_eq!(plan.thresholds(false), Some((4, 4)));
}

#[test]
fn branching_as_published() {
    // With small rates the discrete noise is as good as continuous: e^(−2√2)/2 = 0.02955.
    let rate = Rational::new(1, 1000).unwrap();
    let branching = |locations: usize, taxonomy: Option<&Taxonomy>| {
        let alphabet = Alphabet::new(locations, 1).unwrap();
        LevelPlan::new(
            alphabet,
            taxonomy,
            &GroupShare::Paper,
            &rate,
            &Threshold::Paper,
        )
        .unwrap()
        .false_children()
    };
    for (locations, expected) in [(17, 0.502), (68, 2.01), (944, 27.9), (1012, 29.9)] {
        let found = branching(locations, None);
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{found} instead of {expected}"
        );
    }
    let groups = (0..46)
        .map(|line| group(&format!("line {line}"), None))
        .collect();
    let lines = Taxonomy::new(groups, (0..1012).map(|stop| stop / 22).collect()).unwrap();
    let hybrid = branching(1012, Some(&lines));
    assert!(
        (hybrid / 0.0522 - 1.0).abs() < 0.05,
        "{hybrid} instead of about 0.05"
    );
}

#[test]
fn automatic_thresholds_keep_false_candidates_of_a_step_at_rho() {
    let rho = Rational::new(1, 2).unwrap();
    for (locations, taxonomy) in awkward() {
        let plan = plan(Some(&taxonomy), locations, &Threshold::Auto(rho.clone()));
        for step in &plan.steps {
            let passing: f64 = step
                .iter()
                .map(|class| {
                    let chance = class.passing(1).empty.pass_probability().as_f64();
                    chance * class.members.len() as f64
                })
                .sum();
            assert!(passing <= 0.5 + 1e-12, "{passing}");
        }
        assert!(plan.false_children() < 1.0);
    }
}

#[test]
fn automatic_thresholds_follow_the_bins_that_are_left() {
    let rho = Rational::new(1, 2).unwrap();
    let alphabet = Alphabet::new(30, 24).unwrap();
    let rule = Threshold::Auto(rho);
    let plan = LevelPlan::new(alphabet, None, &GroupShare::Paper, &whole(), &rule).unwrap();
    let rate = Rate::new(1, 1).unwrap();
    for left in [1u32, 2, 7, 24] {
        let expected = auto_threshold(&rate, 30 * u64::from(left), (1, 2)).unwrap();
        assert_eq!(plan.steps[0][0].passing(left).threshold, expected);
    }
    let (least, greatest) = plan.thresholds(false).unwrap();
    assert!(least < greatest);
    assert_eq!(least, plan.steps[0][0].passing(1).threshold);
    assert_eq!(greatest, plan.steps[0][0].passing(24).threshold);
}
