//! The short way past empty children against visiting each of them.

use wayveil_noise::statistics::{assert_plausible, assert_rejected, chi_square, same_distribution};
use wayveil_noise::{DiscreteLaplace, EmptyChildren, RandomSource, Rate, Stream};

struct Case {
    rate: (u64, u64),
    threshold: u64,
    children: u64,
}

const CASES: [Case; 4] = [
    Case {
        rate: (1, 1),
        threshold: 1,
        children: 40,
    },
    Case {
        rate: (1, 2),
        threshold: 3,
        children: 68,
    },
    Case {
        rate: (1, 12),
        threshold: 34,
        children: 150,
    },
    Case {
        rate: (7, 240),
        threshold: 0,
        children: 30,
    },
];

impl Case {
    fn noise(&self) -> DiscreteLaplace {
        DiscreteLaplace::new(Rate::new(self.rate.0, self.rate.1).unwrap())
    }

    fn visit_all(&self, rng: &mut Stream) -> Vec<(u64, i64)> {
        let noise = self.noise();
        let noisy = (0..self.children).map(|rank| (rank, noise.sample(rng)));
        noisy.filter(|&(_, x)| x >= self.threshold as i64).collect()
    }
}

/// Counts of how many passed, which ones, and with what excess over the threshold.
#[derive(Default)]
struct Tally {
    passing: Vec<u64>,
    ranks: Vec<u64>,
    excess: Vec<u64>,
}

impl Tally {
    const LARGEST_EXCESS: usize = 600;

    fn of(case: &Case, rounds: usize, mut draw: impl FnMut() -> Vec<(u64, i64)>) -> Tally {
        let n = case.children as usize;
        let mut tally = Tally {
            passing: vec![0; n + 1],
            ranks: vec![0; n],
            excess: vec![0; Self::LARGEST_EXCESS + 1],
        };
        for _ in 0..rounds {
            let kept = draw();
            assert!(kept.is_sorted_by(|a, b| a.0 < b.0));
            tally.passing[kept.len()] += 1;
            for (rank, noisy) in kept {
                let excess = usize::try_from(noisy - case.threshold as i64).unwrap();
                tally.ranks[rank as usize] += 1;
                tally.excess[excess.min(Self::LARGEST_EXCESS)] += 1;
            }
        }
        tally
    }
}

#[test]
fn equals_visiting_every_child() {
    let mut rng = RandomSource::insecure_seed(201).stream();
    for case in CASES {
        let visited = Tally::of(&case, 60_000, || case.visit_all(&mut rng));
        let children = EmptyChildren::new(case.noise(), case.threshold);
        let drawn = Tally::of(&case, 60_000, || children.draw(case.children, &mut rng));
        assert_plausible(&same_distribution(&visited.passing, &drawn.passing).unwrap());
        assert_plausible(&same_distribution(&visited.ranks, &drawn.ranks).unwrap());
        assert_plausible(&same_distribution(&visited.excess, &drawn.excess).unwrap());
    }
}

#[test]
fn every_set_of_survivors_has_its_probability() {
    let mut rng = RandomSource::insecure_seed(202).stream();
    let noise = DiscreteLaplace::new(Rate::new(1, 3).unwrap());
    let children = EmptyChildren::new(noise, 2);
    let p = children.pass_probability().as_f64();
    let mut observed = [0_u64; 32];
    for _ in 0..400_000 {
        let set = children
            .draw(5, &mut rng)
            .iter()
            .fold(0, |set, &(rank, _)| set | 1 << rank);
        observed[set] += 1;
    }
    let law: Vec<f64> = (0..32_u32)
        .map(|set| {
            let passing = set.count_ones() as i32;
            p.powi(passing) * (1.0 - p).powi(5 - passing)
        })
        .collect();
    assert_plausible(&chi_square(&observed, &law).unwrap());
}

#[test]
fn another_threshold_is_caught() {
    let mut rng = RandomSource::insecure_seed(203).stream();
    let case = &CASES[2];
    let visited = Tally::of(case, 60_000, || case.visit_all(&mut rng));
    let off_by_one = EmptyChildren::new(case.noise(), case.threshold + 1);
    let drawn = Tally::of(case, 60_000, || off_by_one.draw(case.children, &mut rng));
    assert_rejected(&same_distribution(&visited.passing, &drawn.passing).unwrap());
    assert_rejected(&same_distribution(&visited.excess, &drawn.excess).unwrap());
}
