//! What the two trees share: noisy counts of how trajectories begin, and what is made of them.
//!
//! ```text
//!  records ─ count ─▶ exact counts of a level ─ ask ─▶ noisy counts that pass ─ grow ─▶ noisy tree
//!                                ▲                            ▲
//!                          the level above             plan: public inputs
//!  noisy tree ─ inference ─▶ estimates ─ emit ─▶ trajectories and counts
//! ```
//! `count` is who counts in memory, [`wayveil_core::counting`] who counts elsewhere; `ask` is who adds noise; everything after the noisy tree is
//! post-processing. `plan` turns public inputs into noise and thresholds.
//!
//! # Why it is differentially private
//! Let m be the records of one unit at most, ε_i the budget of level i, and s(c) the share of a
//! candidate c, where the shares on every way through the taxonomy sum to one.
//!
//! 1. *One level.* Fix the nodes that are expanded. A record lies below at most one of them; there
//!    it lies in one candidate of the top step and, in each step below, in at most one candidate,
//!    all of them on one way through the taxonomy. Adding a record therefore changes counts along
//!    one way only, each by one. The noise on a candidate c is discrete Laplace with
//!    α = e^(−s(c)·ε_i/m), so that a change by one changes the probability of its noisy count by a
//!    factor of at most e^(s(c)·ε_i/m) (Ghosh, Roughgarden and Sundararajan 2009). Along the way
//!    the factors multiply to e^(ε_i/m) at most, and for m records to e^(ε_i). Which steps are
//!    asked depends on noisy counts of the steps above only (adaptive composition).
//! 2. *Empty candidates are not visited*, but the result is distributed as if they were, exactly:
//!    see [`wayveil_noise::EmptyChildren`]. The threshold is a function of public inputs and the
//!    same for candidates with and without records, so that comparing is post-processing.
//! 3. *All levels.* Which nodes are expanded depends on released numbers of the levels above;
//!    adaptive sequential composition gives Σ ε_i = ε. A cap on nodes looks at released numbers
//!    only.
//! 4. *Before counting*, a record is cut at the height and where its time bins go back, looking
//!    at that record alone: one unit still has at most m records.
//! 5. *The rest* (inference, rounding, the trajectories) is post-processing.

mod ask;
mod count;
mod emit;
mod grow;
mod inference;
mod options;
mod plan;
mod transcript;

pub use count::{Alphabet, InMemory, Level, PrefixCounts};
pub use inference::Inference;
pub use options::TreeOptions;
pub use plan::{GroupShare, Threshold};

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wayveil_core::{
    Claim, Cost, Counting, Error, Guarantee, Output, Progress, PublicInputs, RandomSource,
    Rational, Result, Taxonomy,
};

use plan::LevelPlan;

/// From here on a promise is called weak.
const WEAK: f64 = 4.0;

/// The largest scale of noise. Beyond it a count would need hundreds of thousands of people to be
/// seen, and noise alone could fill the memory with released rows.
const MOST_NOISE: f64 = 100_000.0;

/// A tree, planned from public inputs; the same for both mechanisms but for the taxonomy.
pub(crate) struct Planned {
    options: TreeOptions,
    alphabet: Alphabet,
    /// One plan for each distinct budget of a level.
    plans: Vec<LevelPlan>,
    /// Which plan each level has.
    plan_of_level: Vec<usize>,
}

impl Planned {
    pub(crate) fn new(
        options: &TreeOptions,
        public: &PublicInputs<'_>,
        taxonomy: Option<(&Taxonomy, &GroupShare)>,
    ) -> Result<Self> {
        let (taxonomy, shares) = match taxonomy {
            Some((taxonomy, shares)) => (Some(taxonomy), shares),
            None => (None, &GroupShare::Paper),
        };
        let alphabet = alphabet(public)?;
        let mut parts: Vec<&Rational> = Vec::new();
        let mut plans = Vec::new();
        let mut plan_of_level = Vec::new();
        for part in &options.split {
            let known = parts.iter().position(|other| *other == part);
            let plan = match known {
                Some(plan) => plan,
                None => {
                    let level = options.epsilon.value().times(part);
                    let rate = level.divided_by(u64::from(public.unit.records()))?;
                    parts.push(part);
                    plans.push(LevelPlan::new(
                        alphabet,
                        taxonomy,
                        shares,
                        &rate,
                        &options.threshold,
                    )?);
                    plans.len() - 1
                }
            };
            plan_of_level.push(plan);
        }
        let planned = Self {
            options: options.clone(),
            alphabet,
            plans,
            plan_of_level,
        };
        planned.refuse_mere_noise()?;
        planned.refuse_explosion()?;
        Ok(planned)
    }

    /// The expected number of false children of a node, at its worst level.
    pub(crate) fn false_children(&self) -> f64 {
        self.plans
            .iter()
            .map(LevelPlan::false_children)
            .fold(0.0, f64::max)
    }

    fn least_threshold(&self) -> u64 {
        let ranges = self.plans.iter().filter_map(|plan| plan.thresholds(false));
        ranges.map(|(least, _)| least).min().unwrap_or(1)
    }

    fn refuse_mere_noise(&self) -> Result<()> {
        let largest = self
            .plans
            .iter()
            .map(LevelPlan::largest_deviation)
            .fold(0.0, f64::max);
        if largest <= MOST_NOISE {
            return Ok(());
        }
        Err(Error::refused(format!(
            "nothing but noise would be released: counts would be off by about {largest:.0}"
        ))
        .hint("choose a larger epsilon, a smaller height or a smaller --max-trips"))
    }

    /// A node that only noise keeps alive has children that only noise keeps alive. With one or
    /// more on average their number grows with every level instead of dying out.
    fn refuse_explosion(&self) -> Result<()> {
        let branching = self.false_children();
        if branching < 1.0 || self.options.node_cap.is_some() {
            return Ok(());
        }
        let height = self.options.height();
        Err(Error::refused(format!(
            "the tree would explode: with these thresholds every node has {branching:.1} false \
             children on average among {} candidates, so that noise alone would grow to about \
             {:.0e} nodes at height {height}",
            self.alphabet.symbols(),
            branching.powi(height as i32)
        ))
        .hint(
            "use --threshold auto (the default but for --as-published), or stop growth with \
             --node-cap N",
        ))
    }

    pub(crate) fn claim(&self, public: &PublicInputs<'_>) -> Claim {
        let options = &self.options;
        let mut parameters = BTreeMap::from([
            (
                "epsilon".to_owned(),
                json!(options.epsilon.value().exact_text()),
            ),
            ("height".to_owned(), json!(options.height())),
            ("split".to_owned(), self.split()),
            ("threshold".to_owned(), self.threshold_rule()),
            ("inference".to_owned(), json!(options.inference.name())),
            ("false_children".to_owned(), json!(self.false_children())),
        ]);
        for (name, groups) in [("location_threshold", false), ("group_threshold", true)] {
            let range = self.plans.iter().filter_map(|plan| plan.thresholds(groups));
            if let Some(range) = range.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) {
                parameters.insert(name.to_owned(), json!([range.0, range.1]));
            }
        }
        if let Some(cap) = options.node_cap {
            parameters.insert("node_cap".to_owned(), json!(cap));
        }
        let guarantee = Guarantee::pure(&options.epsilon, public.unit);
        Claim {
            cost: Cost::pure(options.epsilon.clone()),
            guarantee,
            variant: if options.as_published {
                "as-published"
            } else {
                "repaired"
            },
            parameters,
            limits: self.limits(),
            noise: format!(
                "discrete Laplace by an exact integer sampler; a level's counts have a share of \
                 epsilon {} over its {} levels",
                options.epsilon,
                options.height()
            ),
            columns: Vec::new(),
        }
    }

    fn split(&self) -> Value {
        self.options
            .split
            .iter()
            .map(|part| json!(part.exact_text()))
            .collect()
    }

    fn threshold_rule(&self) -> Value {
        match &self.options.threshold {
            Threshold::Paper => json!("paper"),
            Threshold::Auto(rho) => json!(format!("auto, rho {}", rho.exact_text())),
            Threshold::Fixed(number) => json!(number),
        }
    }

    fn limits(&self) -> Vec<String> {
        let mut limits = vec![
            format!(
                "Trajectories are cut at {} locations.",
                self.options.height()
            ),
            format!(
                "Rare ways are missing: a beginning is released only where its noisy count \
                 reaches {}.",
                self.least_threshold()
            ),
            "Trajectories are synthetic: drawn to fit noisy counts, not copied from people.".into(),
            "Counts of beginnings just above the threshold tend to be too high.".into(),
        ];
        if let Some(cap) = self.options.node_cap {
            limits.push(format!(
                "Capped: the tree was not let grow beyond {cap} nodes, so that true branches may \
                 be missing and others may be made of noise alone."
            ));
        }
        if self.alphabet.bins() > 1 {
            limits.push("A record that goes back in time is cut there.".into());
        }
        if self.options.epsilon.to_f64() > WEAK {
            limits.push(format!(
                "Epsilon {} is a weak promise: much of what single people did may show.",
                self.options.epsilon
            ));
        }
        if matches!(self.options.inference, Inference::None | Inference::Paper) {
            limits.push(
                "Counts may be inconsistent: estimates may be negative, or exceed the count of the \
                 beginning they belong to."
                    .into(),
            );
        }
        limits
    }

    /// The private step, whoever counts.
    pub(crate) fn run(
        &self,
        counting: &dyn Counting,
        timed: bool,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let mut counts = counting.prefixes(self.alphabet, self.options.height())?;
        let plans: Vec<&LevelPlan> = self
            .plan_of_level
            .iter()
            .map(|&plan| &self.plans[plan])
            .collect();
        let tree = grow::grow(
            counts.as_mut(),
            &plans,
            self.options.node_cap,
            random,
            progress,
        )?;
        let estimate = self.options.inference.infer(&tree);
        let rng = &mut random.stream();
        let (trajectories, counts) = emit::emit(&tree, &estimate, self.alphabet, timed, rng);
        Ok(Output {
            trajectories,
            attributes: Vec::new(),
            counts: Some(counts),
            fragments: None,
            expected_error: None,
            transcript: transcript::transcript(tree, self.alphabet, timed),
        })
    }
}

fn alphabet(public: &PublicInputs<'_>) -> Result<Alphabet> {
    let bins = public.time.map_or(1, |axis| axis.bins);
    Alphabet::new(public.universe.len(), bins).ok_or_else(|| {
        Error::input(format!(
            "{} locations in {bins} time bins are too many symbols: more than 2^32",
            public.universe.len()
        ))
        .hint("use fewer or wider time bins")
    })
}
