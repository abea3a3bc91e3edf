//! A test of one fragment in phases whose sizes may depend on everything seen before.
//!
//! The hypothesis is that a client asked about the fragment says yes with probability at most q0.
//! Before phase t it is fixed how many clients it `asked` and how many further answers are planned,
//! `rest`. With α_0 the level, phase t goes (Müller and Schäfer 2001, the conditional error):
//!
//! 1. c is the smallest count with P(Bin(asked + rest, q0) ≥ c) ≤ α_(t−1);
//! 2. α_t = P(Bin(rest, q0) ≥ c − yes).
//!
//! The fragment is admitted when α_t = 1, that is when yes ≥ c; it stays so, since α = 1 makes c = 0.
//! The plan binds nobody: the next phase may ask more, fewer or none.
//!
//! # Why the level holds
//!
//! Suppose that each answer, given everything before it (all answers of all clients about all
//! candidates, all choices), is a yes with probability at most q0 under the hypothesis. Then given the
//! past up to phase t, in which the sizes of phase t are part, yes is at most Bin(asked, q0) in
//! distribution (couple answer by answer), and since α_t grows with yes,
//! E[α_t | past] ≤ P(Bin(asked, q0) + Bin(rest, q0) ≥ c) = P(Bin(asked + rest, q0) ≥ c) ≤ α_(t−1).
//! So α is a supermartingale whatever rule chooses the sizes from the past, also a rule that looks at
//! the other candidates and decides when to stop. P(admitted) ≤ E[α at the end] ≤ α_0. Rounding: c is
//! taken from tails that are a little too large and α_t is a little too small. Where a phase keeps to
//! the plan, asked + rest = the rest before, c is the count still missing, without rounding.
//!
//! # When answers are such
//!
//! *Clients as independent draws* (drawn with replacement, or themselves a random sample of the people
//! the promise is about), each asked once, q0 = [`yes_probability`](super::bar::Bar::yes_probability): the
//! supposition holds, the level is exact.
//!
//! *N given clients, each asked at most once, in an order uniform and fixed before the campaign.* The
//! next client has the fragment with probability R_i = holders left/clients left, which varies with
//! what was drawn. Then:
//! - One phase whose size does not depend on answers: the yes-count is distributed as a sum of
//!   independent coins with mean at most asked·q0 (hypergeometric plus independent flips), so for
//!   c ≥ asked·q0 + 1 its tail is at most the binomial's (Hoeffding 1956). A level of at most ¼ has
//!   such a c if asked·q0 ≥ 1, since a binomial then exceeds its mean with a probability above ¼
//!   (Greenberg and Mohri 2014), and nothing is lost. If so few are asked that a single yes admits
//!   (c = 1), P(admitted) ≤ asked·q0, above the level by at most about half its square.
//! - Adaptive phases with q0 = `yes_probability`: **not proved.** After few yeses the clients
//!   left hold the fragment a little more often than (k − 1)/N, and a rule may then choose to ask more.
//!   At large levels it is false: of 2 clients 1 has the fragment, each is asked in a phase of its own,
//!   level ¾: always admitted. At levels of 0.2 and less the tests here, which work out the best second
//!   phase exactly, find no excess.
//! - Adaptive phases with q0 = `yes_probability_after(drawn, δ)`, `drawn` the clients of all earlier
//!   phases plus those asked about this fragment in the current one: proved, at level + δ. R_i is a
//!   martingale. For λ > 0 Doob's inequality gives P(max over i ≤ n of R_i ≥ r) ≤ e^(−λr)·E[e^(λR_n)],
//!   and R_n is a function of the holders among the n drawn, or among the N − n left, each a draw
//!   without replacement, for whose convex functions the binomial has the larger mean (Hoeffding 1963,
//!   theorem 4). Best λ: P ≤ exp(−(N − n)·D(r ‖ (k−1)/N)) and P ≤ exp(−n·D(s ‖ (k−1)/N)), s the
//!   share of holders among the drawn that leaves a rate of r. Outside that event every answer is a
//!   yes with probability at most q0 given the past, so stop the process there: the proof above
//!   applies to what is stopped, and the event adds δ. Fewer holders than k − 1 only lower R_i.
//!
//! All this needs the clients asked to be such a uniform draw. Clients who choose themselves, or who
//! drop out depending on what they have, void it (though not what protects each answer).

use super::bar::Bar;
use super::binomial::{SLACK, SMALLEST, last_at_least, threshold, upper_tail};

/// One phase of asking about one fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// How many clients answered.
    pub asked: u64,
    /// How many of them said yes.
    pub yes: u64,
    /// How many further answers were planned before this phase began.
    pub rest: u64,
}

/// All phases of one fragment so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// In the order of asking.
    pub phases: Vec<Phase>,
}

impl History {
    /// How many clients answered in all.
    pub fn asked(&self) -> u64 {
        self.phases.iter().map(|phase| phase.asked).sum()
    }

    /// How many said yes in all.
    pub fn yes(&self) -> u64 {
        self.phases.iter().map(|phase| phase.yes).sum()
    }

    /// The level that is left for what comes: 1 exactly if the fragment is admitted, `level` if there
    /// was no phase yet. Near 0 the fragment is hopeless.
    pub fn remaining_level(&self, level: f64, q0: f64) -> f64 {
        let after = |left: Left, phase: &Phase| left.after(*phase, q0);
        self.phases.iter().fold(Left::begin(level), after).level
    }

    /// Whether the fragment is admitted at this level.
    pub fn admitted(&self, level: f64, q0: f64) -> bool {
        self.remaining_level(level, q0) >= 1.0
    }

    /// The smallest level that admits the fragment now, rounded up; 1 if there was no phase.
    ///
    /// It is a p-value: by the proof above P(p ≤ level) ≤ level at any time of looking. Both steps of a
    /// phase can be undone, from the last phase to the first, so nothing is searched: the fragment is
    /// admitted iff c of the last phase is at most its yeses; that holds iff α before it is at least
    /// some value, iff c − yes of the phase before is at most some m, and so on.
    pub fn p_value(&self, q0: f64) -> f64 {
        // The fragment is admitted iff c of phase `next`, the one last looked at, is at most `largest`.
        let mut later: Option<(Phase, u64)> = None;
        for phase in self.phases.iter().rev() {
            let missing = match later {
                None => 0,
                Some((next, largest)) if next.total() == phase.rest => largest,
                Some((next, largest)) => {
                    last_at_least(phase.rest, q0, next.level_needed(largest, q0))
                }
            };
            later = Some((*phase, phase.counted_yes().saturating_add(missing)));
        }
        later.map_or(1.0, |(first, largest)| first.level_needed(largest, q0))
    }

    /// The numbers of holders, of `bar`'s population, that a test of each side at half of
    /// 1 − `confidence` does not reject: an interval that holds for phases whose sizes depended on
    /// earlier answers, as the test does. Outwards, within [0, N].
    ///
    /// A larger number of holders makes every yes more probable and the p-value larger, so that both
    /// ends are found by bisection.
    pub fn interval(&self, bar: &Bar, confidence: f64) -> (u64, u64) {
        let each_side = (1.0 - confidence) / 2.0;
        let no_answers = Self {
            phases: self.phases.iter().map(Phase::of_no_answers).collect(),
        };
        // More holders than would make so many yeses strange; fewer than would make so few strange.
        let enough = |holders: u64| self.p_value(bar.yes_with(holders)) > each_side;
        let too_many = |holders: u64| no_answers.p_value(1.0 - bar.yes_with(holders)) <= each_side;
        let all = bar.population();
        let low = first(all, enough);
        let high = match first(all, too_many) {
            0 => 0,
            found if found == all && !too_many(all) => all,
            found => found - 1,
        };
        (low.min(high), high.max(low))
    }
}

/// The first number up to `last` for which `holds`, which then goes on holding; `last` if none does.
fn first(last: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = low.midpoint(high);
        match holds(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

impl Phase {
    /// The same phase with yes and no exchanged.
    fn of_no_answers(&self) -> Self {
        Self {
            yes: self.asked - self.yes.min(self.asked),
            ..*self
        }
    }

    fn total(&self) -> u64 {
        self.asked.saturating_add(self.rest)
    }

    fn counted_yes(&self) -> u64 {
        self.yes.min(self.asked)
    }

    /// The smallest level before this phase that makes c at most `largest`.
    fn level_needed(&self, largest: u64, q0: f64) -> f64 {
        if largest == 0 {
            return 1.0;
        }
        let tail = upper_tail(self.total(), q0, largest);
        // The very product that `threshold` compares; below the floor it would admit nothing.
        (tail * (1.0 + SLACK)).clamp(SMALLEST, 1.0)
    }
}

/// What is left after a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    /// α.
    level: f64,
    /// How many answers were planned, and how many yeses among them would admit. Who keeps to the plan
    /// keeps this count; to find it again from `level` could cost one yes for rounding.
    planned: Option<(u64, u64)>,
}

impl Left {
    fn begin(level: f64) -> Self {
        Self {
            level,
            planned: None,
        }
    }

    fn after(self, phase: Phase, q0: f64) -> Self {
        let c = match self.planned {
            Some((rest, missing)) if rest == phase.total() => missing,
            _ => threshold(phase.total(), q0, self.level),
        };
        let missing = c.saturating_sub(phase.counted_yes());
        let level = match missing {
            0 => 1.0,
            _ => upper_tail(phase.rest, q0, missing) * (1.0 - SLACK),
        };
        Self {
            level,
            planned: Some((phase.rest, missing)),
        }
    }
}

#[cfg(test)]
#[path = "sequential_tests.rs"]
mod tests;
