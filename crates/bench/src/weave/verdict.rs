//! Whether a goal was met, and whether the runs can tell.

use wayveil_evaluate::samples::Samples;

use super::numbers::Goal;

/// Ours beside what was aimed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    pub(super) met: bool,
    /// Whether the 95 % interval of the difference leaves no doubt.
    pub(super) sure: bool,
}

impl Verdict {
    /// By how much ours is on the right side (negative: on the wrong one), give or take.
    fn new(margin: f64, give_or_take: f64) -> Self {
        Self {
            met: margin >= 0.0,
            sure: margin.abs() > give_or_take || (margin >= 0.0 && give_or_take == 0.0),
        }
    }

    /// Against the better tree; none where either has no number or nothing is asked.
    pub(super) fn of(goal: Goal, ours: &Samples, tree: &Samples) -> Option<Self> {
        let (mean, other) = (ours.mean()?, tree.mean()?);
        let (half, other_half) = (half(ours), half(tree));
        match goal {
            Goal::Nothing => None,
            Goal::NotBelow => Some(Self::new(mean - other, half.hypot(other_half))),
            Goal::ThirdOrBelow(floor) => {
                let third = other / 3.0;
                Some(match third < floor {
                    true => Self::new(floor - mean, half),
                    false => Self::new(third - mean, half.hypot(other_half / 3.0)),
                })
            }
        }
    }

    /// Ours at most as large as another.
    pub(super) fn at_most(ours: &Samples, other: &Samples) -> Option<Self> {
        let margin = other.mean()? - ours.mean()?;
        Some(Self::new(margin, half(ours).hypot(half(other))))
    }

    /// Ours at least a number.
    pub(super) fn at_least(ours: &Samples, least: f64) -> Option<Self> {
        Some(Self::new(ours.mean()? - least, half(ours)))
    }

    /// In a word, with a question mark where the runs cannot tell.
    pub(super) fn word(self) -> &'static str {
        match (self.met, self.sure) {
            (true, true) => "met",
            (true, false) => "met?",
            (false, false) => "missed?",
            (false, true) => "missed",
        }
    }
}

fn half(samples: &Samples) -> f64 {
    samples.half_width().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(goal: Goal, ours: &[f64], tree: &[f64]) -> &'static str {
        let samples = |all: &[f64]| all.iter().copied().collect::<Samples>();
        Verdict::of(goal, &samples(ours), &samples(tree))
            .unwrap()
            .word()
    }

    #[test]
    fn a_third_of_the_trees_error_or_the_floor() {
        let goal = Goal::ThirdOrBelow(0.01);
        assert_eq!(word(goal, &[0.29, 0.31], &[1.2, 1.2]), "met?");
        assert_eq!(word(goal, &[0.299, 0.301], &[1.2, 1.2]), "met");
        assert_eq!(word(goal, &[0.5, 0.5], &[1.2, 1.2]), "missed");
        assert_eq!(word(goal, &[0.39, 0.43], &[1.2, 1.2]), "missed?");
        // A third of .02 is below the floor, which counts then.
        assert_eq!(word(goal, &[0.009, 0.009], &[0.02, 0.02]), "met");
        assert_eq!(
            word(Goal::ThirdOrBelow(0.0), &[0.009, 0.009], &[0.02, 0.02]),
            "missed"
        );
    }

    #[test]
    fn patterns_are_not_to_be_fewer() {
        assert_eq!(
            word(Goal::NotBelow, &[250.0, 250.0], &[250.0, 250.0]),
            "met"
        );
        assert_eq!(
            word(Goal::NotBelow, &[249.0, 249.0], &[250.0, 250.0]),
            "missed"
        );
        let none = Verdict::of(
            Goal::NotBelow,
            &Samples::default(),
            &[1.0].into_iter().collect(),
        );
        assert_eq!(none, None);
    }
}
